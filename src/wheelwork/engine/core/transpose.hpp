// Eight records beside each other in memory as eight packs, and back: pack k has the k-th number of each. What is computed with them
// is computed for eight at a time.
#pragma once

#include "spatial_lanes.hpp"

namespace ww {

// Anywhere in memory.
typedef double LoosePack __attribute__((vector_size(64), aligned(8), may_alias));

// Rows become columns.
__attribute__((always_inline)) inline void transpose(Pack* a) {
#if defined(__AVX512F__) && defined(WW_SHUFFLES)
#define WW_SHUFFLED(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
    Pack pair[8], four[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; k += 2) {
        pair[k] = WW_SHUFFLED(a[k], a[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        pair[k + 1] = WW_SHUFFLED(a[k], a[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
        const Pack &upper = pair[(k & 4) + (k & 1)], &lower = pair[(k & 4) + (k & 1) + 2];
        four[k] = k & 2 ? WW_SHUFFLED(upper, lower, 2, 3, 10, 11, 6, 7, 14, 15) : WW_SHUFFLED(upper, lower, 0, 1, 8, 9, 4, 5, 12, 13);
    }
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
        a[k] = WW_SHUFFLED(four[k], four[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        a[k + 4] = WW_SHUFFLED(four[k], four[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
#undef WW_SHUFFLED
#else
    Pack column[8];
    for (int k = 0; k < 8; ++k)
        column[k] = Pack{lane(a[0], k), lane(a[1], k), lane(a[2], k), lane(a[3], k), lane(a[4], k), lane(a[5], k), lane(a[6], k), lane(a[7], k)};
    for (int k = 0; k < 8; ++k) a[k] = column[k];
#endif
}

// Eight numbers of each of eight records, `stride` apart.
__attribute__((always_inline)) inline void gather(const double* first, int stride, Pack* out) {
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) out[k] = *reinterpret_cast<const LoosePack*>(first + k * stride);
    transpose(out);
}

// The first COUNT of the eight numbers in the packs, which are used up, to each of eight records.
template <int COUNT = 8>
__attribute__((always_inline)) inline void scatter(Pack* in, double* first, int stride) {
    typedef double Part __attribute__((vector_size(COUNT * sizeof(double)), aligned(8), may_alias));
    transpose(in);
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) *reinterpret_cast<Part*>(first + k * stride) = reinterpret_cast<const Part&>(in[k]);
}

}  // namespace ww
