// Lanes: several numbers at a time. A constraint has no more rows than a pack has lanes, so one pack holds a column of its
// Jacobian. GCC and Clang lower the vector type to whatever the processor has (SSE2 to AVX-512). The width is that of the kind of
// body: spatial_lanes.hpp, planar_lanes.hpp.
#pragma once

#include <cmath>
#include <type_traits>

namespace ww {

// One lane in memory: a plain load or store, which a processor broadcasts for nothing.
inline double lane(const Pack& a, int k) { return reinterpret_cast<const double*>(&a)[k]; }
inline double& lane(Pack& a, int k) { return reinterpret_cast<double*>(&a)[k]; }

// Over the rows a constraint can have; the lanes beyond are zero. Plain multiply-adds from memory beat a pack that is then summed.
inline double dot(const Pack& a, const Pack& b) {
    if constexpr (MAX_ROWS == 3) {
        return lane(a, 0) * lane(b, 0) + lane(a, 1) * lane(b, 1) + lane(a, 2) * lane(b, 2);
    } else {
        static_assert(MAX_ROWS == 3 || MAX_ROWS == 6, "");
        return ((lane(a, 0) * lane(b, 0) + lane(a, 1) * lane(b, 1)) + (lane(a, 2) * lane(b, 2) + lane(a, 3) * lane(b, 3))) +
               (lane(a, 4) * lane(b, 4) + lane(a, 5) * lane(b, 5));
    }
}

// G[j].x for N columns. In space the products are summed across lanes together, in a third of the instructions of as many dot products.
template <int N>
inline Pack dots(const Pack* G, const Pack& x) {
#ifdef WW_SHUFFLES
    if constexpr (LANES == 8) {
        typedef double Four __attribute__((vector_size(32)));
        Four half[6] = {};
#pragma GCC unroll 6
        for (int j = 0; j < N; ++j) {
            const Pack product = G[j] * x;
            half[j] = __builtin_shufflevector(product, product, 0, 1, 2, 3) + __builtin_shufflevector(product, product, 4, 5, 6, 7);
        }
        const auto pair = [](Four a, Four b) { return __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7); };
        const auto four = [](Four a, Four b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7); };
        const Four low = four(pair(half[0], half[1]), pair(half[2], half[3])), high = four(pair(half[4], half[5]), Four{});
        const auto all = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
        return reinterpret_cast<const Pack&>(all);
    }
#endif
    double out[LANES] = {};
    for (int j = 0; j < N; ++j) out[j] = dot(G[j], x);
    return pack_of(out);
}

// In each lane the larger of `size` and |a|; what is not a number stays so.
inline Pack larger(const Pack& size, const Pack& a) {
    const Pack other = a < 0.0 ? -a : a;
    return ((other > size) | (other != other)) ? other : size;
}

inline double largest(const Pack& sizes) {
    double most = 0;
    for (int k = 0; k < LANES; ++k)
        if (sizes[k] > most || sizes[k] != sizes[k]) most = sizes[k];
    return most;
}

inline double max_abs(const Pack& a) { return largest(larger(spread(0.0), a)); }

template <int N>
using Rows = std::integral_constant<int, N>;

// f(Rows<m>) for a number of rows known only now, so that loops over rows have constant bounds.
template <class F>
inline void for_rows(int m, F&& f) {
    if constexpr (MAX_ROWS > 3) {
        switch (m) {
            case 4: f(Rows<4>()); return;
            case 5: f(Rows<5>()); return;
            case 6: f(Rows<6>()); return;
        }
    }
    switch (m) {
        case 1: f(Rows<1>()); return;
        case 2: f(Rows<2>()); return;
        default: f(Rows<3>()); return;
    }
}

}  // namespace ww
