// Block-sparse L D L^T of S = G M^-1 G^T, the matrix of the multipliers.
//
// A node is a constraint (up to MAX_ROWS rows), or a hub; the order of elimination and the blocks that fill in are settled when
// the model is built (wheelwork.engine.plan). S is positive semi-definite, and the blocks of hubs are negative definite in any
// order, so no pivoting is needed. What redundant constraints and
// singular positions need is the caller's: a shift of the diagonal (System::assemble). Of a diagonal block only the lower
// triangle is ever read: inverting it outright would be no slower, but lets unsymmetric round-off grow along a chain
// (by a factor of 30 a link in a chain of rods) as in a Riccati recursion that is not kept symmetric.
#pragma once

#include "factor.hpp"

namespace ww {

// C.column[q] = (or +=) the sum over j < TERMS of W[j] G[j][q], for q < N; with POINTS, `linear` is added to the first entries of the diagonal
template <int N, int TERMS, bool add, bool POINTS = false>
inline void times(Block& C, const Pack* W, const Pack* G, double linear = 0.0) {
    Pack w[TERMS];
#pragma GCC unroll 6
    for (int j = 0; j < TERMS; ++j) w[j] = W[j];
#pragma GCC unroll 6
    for (int q = 0; q < N; ++q) {
        Pack total = add ? C.column[q] + w[0] * spread(lane(G[0], q)) : w[0] * spread(lane(G[0], q));
#pragma GCC unroll 6
        for (int j = 1; j < TERMS; ++j) total += w[j] * spread(lane(G[j], q));
        if (POINTS && q < LINEAR) {
            Pack alone = spread(0.0);
            alone[q] = linear;
            total += alone;
        }
        C.column[q] = total;
    }
}

class BlockLdl : public Factor {
  public:
    BlockLdl(const EliminationPlan& plan, const int* rows) : plan_(plan), constraints_(plan.nodes - plan.hubs) {
        rows_.assign(rows, rows + constraints_);
        rows_.resize(plan.nodes, V);
        diagonal.resize(plan.nodes);
        own.resize(plan.nodes);
        below.resize(plan.below_start ? plan.below_start[plan.nodes] : 0);
        scaled_.resize(below.size());
    }

    void product(Block& D, const Pack* W, const Pack* G, int columns, bool add) const override {
        for_rows(columns, [&](auto n) { product_of<n()>(D, W, G, add); });
    }

    void product_of_points(Block& D, const Pack* W, const Pack* G, double linear, int columns, bool add) const override {
        for_rows(columns, [&](auto n) { product_of_turning<n()>(D, W, G, linear, add); });
    }

    void product_of_points(Block& D, const InverseMass& M, const Pack* G, Pack* W, int columns, bool add) const override {
        Pack own[V];
        turning_over_mass(M, G, own);
        for_rows(columns, [&](auto n) { product_of_turning<n()>(D, own, G, M.m, add); });
        for (int j = LINEAR; j < V; ++j) W[j] = own[j];
    }

    void factorise(const Pack* shift, double add, bool leave_out) override {
        smallest_pivot = 1.0;
        largest_left_out = 0.0;
        small_pivots = null_pivots = 0;
        null_rows.assign(constraints_, 0);
        leave_out_ = leave_out;
        inverse_.assign(plan_.nodes, spread(0.0));
        if (shift || add != 0.0)
            for (int node = 0; node < constraints_; ++node)
                for (int p = 0; p < rows_[node]; ++p)
                    lane(diagonal[node].column[p], p) += (shift ? lane(shift[node], p) : 0.0) + add;
        for (int step = 0; step < plan_.nodes; ++step) {
            const int node = plan_.order[step];
            if (node >= constraints_) {
                triangulate<V, true>(node);
                eliminate<V>(step);
                continue;
            }
            for_rows(rows_[node], [&](auto m) {
                const int small_before = small_pivots;
                triangulate<m(), false>(node);
                eliminate<m()>(step);
                if (plan_.hubs && small_pivots > small_before) look_for_hub(step);
            });
        }
    }

    void solve(Pack* x) const override {
        for (int node = constraints_; node < plan_.nodes; ++node) x[node] = spread(0.0);
        for (int step = 0; step < plan_.nodes; ++step) {
            for_rows(rows_[plan_.order[step]], [&](auto m) { forward<m()>(step, x); });
        }
        for (int step = plan_.nodes - 1; step >= 0; --step) {
            for_rows(rows_[plan_.order[step]], [&](auto m) { backward<m()>(step, x); });
        }
    }

  private:
    template <int N>
    static void product_of_turning(Block& D, const Pack* W, const Pack* G, double linear, bool add) {
        W += LINEAR, G += LINEAR;
        add ? times<N, V - LINEAR, true, true>(D, W, G, linear) : times<N, V - LINEAR, false, true>(D, W, G, linear);
    }

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
        Pack total = spread(0.0);
        for (int k = plan_.below_start[step]; k < plan_.below_start[step + 1]; ++k)
            total += dots<M>(scaled_[k].column, x[plan_.below_node[k]]);
        double y[MAX_ROWS] = {};
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p) y[p] = lane(x[node], p) * lane(inverse_[node], p) + total[p];
        const Block& L = diagonal[node];
#pragma GCC unroll 6
        for (int p = M - 2; p >= 0; --p)
#pragma GCC unroll 6
            for (int r = p + 1; r < M; ++r) y[p] -= lane(L.column[p], r) * y[r];
        x[node] = pack_of(y);  // whole, as it is read next: lanes written one by one would have to arrive in memory first
    }

    template <int M>
    void eliminate(int step) {
        const int node = plan_.order[step], first = plan_.below_start[step], last = plan_.below_start[step + 1];
        double l[M][M], minus[M];  // out of memory that packs are written to below
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p) {
            minus[p] = -lane(inverse_[node], p);
#pragma GCC unroll 6
            for (int r = p + 1; r < M; ++r) l[r][p] = lane(diagonal[node].column[p], r);
        }
        Pack b[M];
        for (int k = first; k < last; ++k) {
#pragma GCC unroll 6
            for (int q = 0; q < M; ++q) {
                b[q] = below[k].column[q];
#pragma GCC unroll 6
                for (int p = 0; p < q; ++p) b[q] -= b[p] * spread(l[q][p]);
            }
#pragma GCC unroll 6
            for (int q = 0; q < M; ++q) {
                if (last - first > 1) below[k].column[q] = b[q];
                scaled_[k].column[q] = b[q] * spread(minus[q]);
            }
        }
        for (int u = plan_.update_start[step]; u < plan_.update_start[step + 1]; ++u) {
            const UpdateRow& U = plan_.update[u];
            Block& C = U.target >= 0 ? below[U.target] : diagonal[~U.target];
            const Pack *left = last - first > 1 ? below[U.left].column : b, *right = scaled_[U.right].column;
            for_rows(rows_[plan_.below_node[U.right]], [&](auto n) { times<n(), M, true>(C, left, right); });
        }
    }

    // The inverse of a small pivot; of one that is nothing but round-off, and of a row that is left out, 0.
    __attribute__((noinline)) double over_small(int node, int p, double d, double alone) {
        if (leave_out_ && (left_out[node] >> p & 1)) {
            largest_left_out = std::fmax(largest_left_out, alone > 0 ? d / alone : 0.0);
            return 0.0;
        }
        ++small_pivots;
        if (!(d > nothing * alone)) ++null_pivots, null_rows[node] |= 1 << p;
        if (d > 1e-14 * alone) return 1.0 / d;
        smallest_pivot = 0.0;
        return 0.0;
    }

    // Whether small pivots of a constraint, just eliminated, would be larger with a hub that goes after it: what is left of its row
    // at the hub, over the hub's mass, is what the hub adds.
    void look_for_hub(int step) {
        const int node = plan_.order[step];
        for (int k = plan_.below_start[step]; k < plan_.below_start[step + 1]; ++k) {
            const int hub = plan_.below_node[k];
            if (hub < constraints_) continue;
            for (int p = 0; p < rows_[node]; ++p) {
                const double over = lane(inverse_[node], p), d = over > 0 ? 1.0 / over : 0.0;
                double added = 0;
                for (int j = 0; j < V; ++j) added += lane(below[k].column[p], j) * lane(below[k].column[p], j) / lane(own[hub], j);
                if (d < small * lane(own[node], p) && added > 10 * d + 1e-8 * lane(own[node], p)) {
                    waits.resize(constraints_, 0);
                    waits[node] = 1;
                }
            }
        }
    }

    // L D L^T of one block, in place; in plain numbers:
    // the pivots follow one from another, and taking them out of packs and spreading them again would cost more.
    template <int M, bool HUB>
    void triangulate(int node) {
        Block& A = diagonal[node];
        double a[M][M];
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p)
#pragma GCC unroll 6
            for (int r = p; r < M; ++r) a[r][p] = lane(A.column[p], r);
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p) {
            const double d = a[p][p], alone = lane(own[node], p);
            double over = 1.0 / d;
            if (!HUB && __builtin_expect(!(d >= small * alone), 0)) over = over_small(node, p, d, alone);
            if (!HUB && d < smallest_pivot * alone && over > 0) smallest_pivot = d / alone;
            lane(inverse_[node], p) = over;
#pragma GCC unroll 6
            for (int r = p + 1; r < M; ++r) {
                const double l = a[r][p] * over;
#pragma GCC unroll 6
                for (int q = p + 1; q <= r; ++q) a[r][q] -= l * a[q][p];
                lane(A.column[p], r) = l;
            }
        }
    }

    EliminationPlan plan_;
    int constraints_;
    bool leave_out_ = false;
    std::vector<int> rows_;
    std::vector<Block> scaled_;  // -B D^-1 of the off-diagonal blocks B
    std::vector<Pack> inverse_;
};

}  // namespace ww
