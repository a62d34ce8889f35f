// Lanes for mechanisms in space: eight numbers at a time, for at most six rows of a constraint.
#pragma once

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define WW_SHUFFLES
#endif
#endif

namespace ww {

typedef double Pack __attribute__((vector_size(64), aligned(64), may_alias));
constexpr int LANES = 8;      // rows of a constraint, padded
constexpr int MAX_ROWS = 6;   // rows of a constraint at most

// Where processors have no registers for eight, out of parts that they have: GCC would write eight numbers to memory one by one and
// read them together, for which it waits (a step of a chain took five times as long).
inline Pack spread(double a) {
#ifdef __AVX512F__
    return Pack{a, a, a, a, a, a, a, a};
#else
#ifdef __AVX__
    typedef double Part __attribute__((vector_size(32), may_alias));
    const Part part = {a, a, a, a};
#else
    typedef double Part __attribute__((vector_size(16), may_alias));
    const Part part = {a, a};
#endif
    Pack out;
    for (unsigned k = 0; k < sizeof(Pack) / sizeof(Part); ++k) reinterpret_cast<Part*>(&out)[k] = part;
    return out;
#endif
}
inline Pack pack_of(const double* y) { return Pack{y[0], y[1], y[2], y[3], y[4], y[5], 0.0, 0.0}; }

// The first three lanes of x, then those of x and y counted as one (K, L, M), then zeros, which x has behind its rows.
template <int K, int L, int M>
inline Pack joined(const Pack& x, const Pack& y) {
#ifdef WW_SHUFFLES
    return __builtin_shufflevector(x, y, 0, 1, 2, K, L, M, 6, 7);
#else
    return Pack{x[0], x[1], x[2], y[K - 8], y[L - 8], y[M - 8], 0.0, 0.0};
#endif
}

}  // namespace ww

#include "lanes.hpp"
