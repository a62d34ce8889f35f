// Lanes: eight numbers at a time. A constraint has at most eight rows, so one pack holds a column of its Jacobian.
// GCC and Clang lower the vector type to whatever the processor has (SSE2 to AVX-512).
#pragma once

#include <cmath>

namespace ww {

typedef double Pack __attribute__((vector_size(64), aligned(64), may_alias));
constexpr int LANES = 8;      // rows of a constraint, padded
constexpr int MAX_ROWS = 6;   // rows of a constraint at most

inline Pack spread(double a) { return Pack{a, a, a, a, a, a, a, a}; }

// One lane in memory: a plain load or store, which a processor broadcasts for nothing.
inline double lane(const Pack& a, int k) { return reinterpret_cast<const double*>(&a)[k]; }
inline double& lane(Pack& a, int k) { return reinterpret_cast<double*>(&a)[k]; }

// Over the rows a constraint can have; the lanes beyond are zero. Plain multiply-adds from memory beat a pack that is then summed.
inline double dot(const Pack& a, const Pack& b) {
    static_assert(MAX_ROWS == 6, "");
    return ((lane(a, 0) * lane(b, 0) + lane(a, 1) * lane(b, 1)) + (lane(a, 2) * lane(b, 2) + lane(a, 3) * lane(b, 3))) +
           (lane(a, 4) * lane(b, 4) + lane(a, 5) * lane(b, 5));
}

inline double max_abs(const Pack& a) {
    double largest = 0;
    for (int k = 0; k < LANES; ++k) {
        const double size = std::fabs(a[k]);
        if (!(size <= largest)) largest = size;  // keeps NaN
    }
    return largest;
}

}  // namespace ww
