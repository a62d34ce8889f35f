// Lanes: eight numbers at a time. A constraint has at most eight rows, so one pack holds a column of its Jacobian.
// GCC and Clang lower the vector type to whatever the processor has (SSE2 to AVX-512).
#pragma once

#include <cmath>

namespace ww {

typedef double Pack __attribute__((vector_size(64), aligned(64)));
constexpr int LANES = 8;      // rows of a constraint, padded
constexpr int MAX_ROWS = 6;   // rows of a constraint at most

inline Pack spread(double a) { return Pack{a, a, a, a, a, a, a, a}; }

inline double sum(const Pack& a) { return ((a[0] + a[4]) + (a[1] + a[5])) + ((a[2] + a[6]) + (a[3] + a[7])); }

inline double dot(const Pack& a, const Pack& b) { return sum(a * b); }

inline double max_abs(const Pack& a) {
    double largest = 0;
    for (int k = 0; k < LANES; ++k) {
        const double size = std::fabs(a[k]);
        if (!(size <= largest)) largest = size;  // keeps NaN
    }
    return largest;
}

}  // namespace ww
