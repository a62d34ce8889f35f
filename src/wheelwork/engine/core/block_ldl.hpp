// Block-sparse L D L^T of S = G M^-1 G^T, the matrix of the multipliers.
//
// A node is a constraint (up to MAX_ROWS rows), or a hub; the order of elimination and the blocks that fill in are settled when
// the model is built (wheelwork.engine.plan). S is positive semi-definite, and the blocks of hubs are negative definite in any
// order, so no pivoting is needed. What redundant constraints and
// singular positions need is the caller's: a shift of the diagonal (System::assemble). Of a diagonal block only the lower
// triangle is ever read: inverting it outright would be no slower, but lets unsymmetric round-off grow along a chain
// (by a factor of 30 a link in a chain of rods) as in a Riccati recursion that is not kept symmetric.
#pragma once

#include "schur_blocks.hpp"

namespace ww {

class BlockLdl : public Factor {
  public:
    explicit BlockLdl(const Constraints& constraints)
        : plan_(constraints.P.plan), constraints_(plan_.nodes - plan_.hubs), rows_(constraints.rows), blocks_(constraints) {
        rows_.resize(plan_.nodes, V);
        diagonal.resize(plan_.nodes);
        own.resize(plan_.nodes);
        weight.resize(constraints_);
        below.resize(plan_.below_start ? plan_.below_start[plan_.nodes] : 0);
        scaled_.resize(below.size());
        sort_updates();
        find_pairs();
    }

    void factorise(const Matrix& matrix, bool leave_out) override {
        smallest_pivot = 1.0;
        largest_left_out = 0.0;
        small_pivots = null_pivots = 0;
        null_rows.assign(constraints_, 0);
        leave_out_ = leave_out;
        inverse_.assign(plan_.nodes, spread(0.0));
        fill(matrix, 0);
        for (int step = 0; step < plan_.nodes;) {
            const int next = step + (beside_[step] ? 2 : 1);
            if (plan_.order[step] >= constraints_) take_out<V, true>(matrix, step, next);
            else for_rows(rows_[plan_.order[step]], [&](auto m) { take_out<m(), false>(matrix, step, next); });
            step = next;
        }
    }

    Pack own_entries(const Matrix& matrix, int c) const override { return blocks_.own_entries(matrix, c); }

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
    // Fill in the blocks of the node of a step, and of the next one where these go side by side.
    void fill(const Matrix& matrix, int step) {
        if (step >= plan_.nodes) return;
        const int node = plan_.order[step];
        if (node >= constraints_) {
            blocks_.fill_hub(matrix, node - constraints_, plan_.below_start[step], plan_.below_start[step + 1], *this);
            return;
        }
        for_rows(rows_[node], [&](auto m) {
            for (int k = step; k <= step + beside_[step]; ++k)
                blocks_.fill<m()>(matrix, plan_.order[k], plan_.below_start[k], plan_.below_start[k + 1], *this);
        });
    }

    // Factorise the nodes from `first` up to `next`, with M rows each, whose blocks are filled in. Pivots wait for each other: that is
    // the time in which to fill in the blocks of the nodes after them.
    template <int M, bool HUB>
    void take_out(const Matrix& matrix, int first, int next) {
        for (int step = first; step < next; ++step) update<M>(step);
        const int small_before = small_pivots;
        if (HUB || next - first == 1 || !triangulate_two<M>(plan_.order[first], plan_.order[first + 1]))
            for (int step = first; step < next; ++step) triangulate<M, HUB>(plan_.order[step]);
        fill(matrix, next);
        for (int step = first; step < next; ++step) eliminate<M>(step);
        if (!HUB && plan_.hubs && small_pivots > small_before)
            for (int step = first; step < next; ++step) look_for_hub(step);
    }

    // A change of a block by the elimination of an earlier node with `terms` rows.
    struct Change {
        UpdateRow update;
        int terms;
    };

    // The plan's updates, by the step whose blocks they change.
    void sort_updates() {
        std::vector<int> step_of(plan_.nodes), step_of_block(below.size());
        for (int step = 0; step < plan_.nodes; ++step) {
            step_of[plan_.order[step]] = step;
            std::fill(step_of_block.begin() + plan_.below_start[step], step_of_block.begin() + plan_.below_start[step + 1], step);
        }
        std::vector<std::vector<Change>> of_step(plan_.nodes);
        for (int step = 0; step < plan_.nodes; ++step)
            for (int u = plan_.update_start[step]; u < plan_.update_start[step + 1]; ++u) {
                const UpdateRow& U = plan_.update[u];
                of_step[U.target >= 0 ? step_of_block[U.target] : step_of[~U.target]].push_back({U, rows_[plan_.order[step]]});
            }
        change_start_.assign(1, 0);
        for (const auto& changes : of_step) {
            change_.insert(change_.end(), changes.begin(), changes.end());
            change_start_.push_back(int(change_.size()));
        }
    }

    // What the nodes before have to do with the blocks of this one, which has M rows.
    template <int M>
    void update(int step) {
        for (int k = change_start_[step]; k < change_start_[step + 1]; ++k) {
            const auto& [left, right, target] = change_[k].update;
            Block& C = target >= 0 ? below[target] : diagonal[~target];
            const Pack *b = below[left].column, *scaled = scaled_[right].column;
            for_rows(change_[k].terms, [&](auto n) { times<M, n(), true>(C, b, scaled); });
        }
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
        double y[MAX_ROWS] = {};
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p) y[p] = lane(x[node], p) * lane(inverse_[node], p);
        for (int k = plan_.below_start[step]; k < plan_.below_start[step + 1]; ++k) {
            const Pack &other = x[plan_.below_node[k]], *scaled = scaled_[k].column;
            if (rows_[plan_.below_node[k]] == M) {  // in plain numbers: sums across lanes would have to be waited for
#pragma GCC unroll 6
                for (int r = 0; r < M; ++r)
#pragma GCC unroll 6
                    for (int p = 0; p < M; ++p) y[p] += lane(scaled[p], r) * lane(other, r);
            } else {
                const Pack total = dots<M>(scaled, other);
                for (int p = 0; p < M; ++p) y[p] += total[p];
            }
        }
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
        for (int k = first; k < last; ++k) {
            Pack b[M];
#pragma GCC unroll 6
            for (int q = 0; q < M; ++q) {
                b[q] = below[k].column[q];
#pragma GCC unroll 6
                for (int p = 0; p < q; ++p) b[q] -= b[p] * spread(l[q][p]);
            }
#pragma GCC unroll 6
            for (int q = 0; q < M; ++q) {
                below[k].column[q] = b[q];
                scaled_[k].column[q] = b[q] * spread(minus[q]);
            }
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

    // L D L^T of one block, in place; in plain numbers: the pivots follow one from another, and taking them out of packs and
    // spreading them again would cost more.
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

    // The same for two, side by side: each pivot waits for the one before, but not for those of the other block. False, and nothing
    // done, where there are small pivots.
    template <int M>
    bool triangulate_two(int one, int other) {
        Block &A = diagonal[one], &B = diagonal[other];
        Two a[M][M], over[M];
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p)
#pragma GCC unroll 6
            for (int r = p; r < M; ++r) a[r][p] = Two{lane(A.column[p], r), lane(B.column[p], r)};
        double least = smallest_pivot;
        const auto sound = [&](int p, Two d) {
            const Two alone = {lane(own[one], p), lane(own[other], p)};
            const auto enough = d >= least * alone;
            if (__builtin_expect(enough[0] & enough[1], 1)) return true;
            least = std::fmin(least, std::fmin(d[0] / alone[0], d[1] / alone[1]));
            return d[0] >= small * alone[0] && d[1] >= small * alone[1];
        };
#pragma GCC unroll 6
        for (int p = 0; p < M; p += 2) {
            const Two d = a[p][p];
            over[p] = 1.0 / d;
            if (!sound(p, d)) return false;
            if (p + 1 == M) break;
            const Two g = a[p + 1][p], f = a[p + 1][p + 1];
            over[p + 1] = d / (d * f - g * g);
            const Two l = g * over[p];
            if (!sound(p + 1, f - l * g)) return false;
            a[p][p + 1] = l;
#pragma GCC unroll 6
            for (int r = p + 2; r < M; ++r) {
                const Two first = a[r][p] * over[p];
                a[r][p + 1] -= first * g;
                const Two second = a[r][p + 1] * over[p + 1];
#pragma GCC unroll 6
                for (int q = p + 2; q <= r; ++q) {
                    a[r][q] -= first * a[q][p];
                    a[r][q] -= second * a[q][p + 1];
                }
                a[p][r] = first, a[p + 1][r] = second;
            }
        }
        smallest_pivot = least;
#pragma GCC unroll 6
        for (int p = 0; p < M; ++p) {
            lane(inverse_[one], p) = over[p][0], lane(inverse_[other], p) = over[p][1];
#pragma GCC unroll 6
            for (int r = p + 1; r < M; ++r) lane(A.column[p], r) = a[p][r][0], lane(B.column[p], r) = a[p][r][1];
        }
        return true;
    }

    // Whether the node of each step and that of the next have as many rows and nothing to do with each other.
    void find_pairs() {
        beside_.assign(plan_.nodes, 0);
        for (int step = 0; step + 1 < plan_.nodes; ++step) {
            const int node = plan_.order[step], next = plan_.order[step + 1];
            const int *first = plan_.below_node + plan_.below_start[step], *last = plan_.below_node + plan_.below_start[step + 1];
            const bool alike = node < constraints_ && next < constraints_ && rows_[node] == rows_[next];
            beside_[step] = alike && std::find(first, last, next) == last;
        }
    }

    typedef double Two __attribute__((vector_size(16)));

    EliminationPlan plan_;
    int constraints_;
    bool leave_out_ = false;
    std::vector<int> rows_;
    SchurBlocks blocks_;
    std::vector<Change> change_;  // by step
    std::vector<int> change_start_;
    std::vector<char> beside_;
    std::vector<Block> scaled_;  // -B D^-1 of the off-diagonal blocks B
    std::vector<Pack> inverse_;
};

}  // namespace ww
