// Block-sparse L D L^T of S = G M^-1 G^T, the matrix of the multipliers.
//
// A node is a constraint (up to MAX_ROWS rows); the order of elimination and the blocks that fill in are settled when the model
// is built (wheelwork.engine.plan). S is positive semi-definite, so no pivoting is needed. What redundant constraints and
// singular positions need is the caller's: a shift of the diagonal (System::assemble). Of a diagonal block only the lower
// triangle is ever read: inverting it outright would be no slower, but lets unsymmetric round-off grow along a chain
// (by a factor of 30 a link in a chain of rods) as in a Riccati recursion that is not kept symmetric.
#pragma once

#include "factor.hpp"

namespace ww {

// C.column[q] = (or +=) the sum over j < TERMS of W[j] G[j][q], for q < N
template <int N, int TERMS, bool add>
inline void times(Block& C, const Pack* W, const Pack* G) {
    Pack w[TERMS];
#pragma GCC unroll 6
    for (int j = 0; j < TERMS; ++j) w[j] = W[j];
#pragma GCC unroll 6
    for (int q = 0; q < N; ++q) {
        Pack total = add ? C.column[q] + w[0] * spread(lane(G[0], q)) : w[0] * spread(lane(G[0], q));
#pragma GCC unroll 6
        for (int j = 1; j < TERMS; ++j) total += w[j] * spread(lane(G[j], q));
        C.column[q] = total;
    }
}

class BlockLdl : public Factor {
  public:
    BlockLdl(const Plan& plan, const int* rows) : plan_(plan), rows_(rows) {
        diagonal.resize(plan.nodes);
        below.resize(plan.below_start ? plan.below_start[plan.nodes] : 0);
        scaled_.resize(below.size());
    }

    void product(Block& D, const Pack* W, const Pack* G, int columns, bool add) const override {
        for_rows(columns, [&](auto n) { product_of<n()>(D, W, G, add); });
    }

    void factorise(const Pack* shift, double add) override {
        smallest_pivot = 1.0;
        small_pivots = 0;
        original_.resize(plan_.nodes);
        inverse_.assign(plan_.nodes, spread(0.0));
        for (int node = 0; node < plan_.nodes; ++node) {
            for (int p = 0; p < rows_[node]; ++p) {
                double& entry = lane(diagonal[node].column[p], p);
                lane(original_[node], p) = entry;
                entry += (shift ? lane(shift[node], p) : 0.0) + add;
            }
        }
        for (int step = 0; step < plan_.nodes; ++step) {
            for_rows(rows_[plan_.order[step]], [&](auto m) { eliminate<m()>(step); });
        }
    }

    void solve(Pack* x) const override {
        for (int step = 0; step < plan_.nodes; ++step) {
            for_rows(rows_[plan_.order[step]], [&](auto m) { forward<m()>(step, x); });
        }
        for (int step = plan_.nodes - 1; step >= 0; --step) {
            for_rows(rows_[plan_.order[step]], [&](auto m) { backward<m()>(step, x); });
        }
    }

  private:
    template <int N>
    static void product_of(Block& D, const Pack* W, const Pack* G, bool add) {
        add ? times<N, V, true>(D, W, G) : times<N, V, false>(D, W, G);
    }

    template <int M>
    void forward(int step, Pack* x) const {
        const int node = plan_.order[step];
        const Block& L = diagonal[node];
        double y[M];
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p) y[p] = lane(x[node], p);
#pragma GCC unroll 6
        for (int p = 0; p + 1 < M; ++p)
#pragma GCC unroll 6
            for (int r = p + 1; r < M; ++r) y[r] -= lane(L.column[p], r) * y[p];
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p) lane(x[node], p) = y[p];
        for (int k = plan_.below_start[step]; k < plan_.below_start[step + 1]; ++k) {
            Pack other = x[plan_.below_node[k]];
#pragma GCC unroll 6
            for (int p = 0; p < M; ++p) other += scaled_[k].column[p] * spread(y[p]);
            x[plan_.below_node[k]] = other;
        }
    }

    template <int M>
    void backward(int step, Pack* x) const {
        const int node = plan_.order[step];
        double y[M];
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p) y[p] = lane(x[node], p) * lane(inverse_[node], p);
        for (int k = plan_.below_start[step]; k < plan_.below_start[step + 1]; ++k) {
            const Pack& other = x[plan_.below_node[k]];
#pragma GCC unroll 6
            for (int p = 0; p < M; ++p) y[p] += dot(scaled_[k].column[p], other);
        }
        const Block& L = diagonal[node];
#pragma GCC unroll 6
        for (int p = M - 2; p >= 0; --p)
#pragma GCC unroll 6
            for (int r = p + 1; r < M; ++r) y[p] -= lane(L.column[p], r) * y[r];
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p) lane(x[node], p) = y[p];
    }

    template <int M>
    void eliminate(int step) {
        const int node = plan_.order[step];
        triangulate<M>(diagonal[node], original_[node], inverse_[node]);
        const Block& L = diagonal[node];
        const Pack& inverse = inverse_[node];
        for (int k = plan_.below_start[step]; k < plan_.below_start[step + 1]; ++k) {
            Pack b[M];
            for (int q = 0; q < M; ++q) b[q] = below[k].column[q];
            for (int p = 0; p + 1 < M; ++p)
                for (int q = p + 1; q < M; ++q) b[q] -= b[p] * spread(lane(L.column[p], q));
            for (int q = 0; q < M; ++q) {
                below[k].column[q] = b[q];
                scaled_[k].column[q] = b[q] * spread(-lane(inverse, q));
            }
        }
        for (int u = plan_.update_start[step]; u < plan_.update_start[step + 1]; ++u) {
            const int* triple = plan_.update + 3 * u;
            const int target = triple[2];
            Block& C = target >= 0 ? below[target] : diagonal[~target];
            const Pack *left = scaled_[triple[0]].column, *right = below[triple[1]].column;
            for_rows(rows_[plan_.below_node[triple[1]]], [&](auto n) { times<n(), M, true>(C, left, right); });
        }
    }

    // L D L^T of one block, in place; a pivot that is nothing but round-off is left out (its inverse is 0). In plain numbers:
    // the pivots follow one from another, and taking them out of packs and spreading them again would cost more.
    template <int M>
    void triangulate(Block& A, const Pack& scale, Pack& inverses) {
        double a[M][M];
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p)
#pragma GCC unroll 6
            for (int r = p; r < M; ++r) a[r][p] = lane(A.column[p], r);
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p) {
            const double d = a[p][p], own = lane(scale, p);
            double over = 1.0 / d;
            if (!(d >= smallest_pivot * own)) smallest_pivot = own > 0 ? d / own : 0.0;
            if (__builtin_expect(!(d >= small * own), 0)) {
                ++small_pivots;
                if (!(d > 1e-14 * own)) over = 0.0;
            }
            lane(inverses, p) = over;
#pragma GCC unroll 6
            for (int r = p + 1; r < M; ++r) {
                const double l = a[r][p] * over;
#pragma GCC unroll 6
                for (int q = p + 1; q <= r; ++q) a[r][q] -= l * a[q][p];
                lane(A.column[p], r) = l;
            }
#pragma GCC unroll 6
            for (int r = 0; r <= p; ++r) lane(A.column[p], r) = 0.0;
        }
    }

    Plan plan_;
    const int* rows_ = nullptr;
    std::vector<Block> scaled_;  // -B D^-1 of the off-diagonal blocks B
    std::vector<Pack> original_, inverse_;
};

}  // namespace ww
