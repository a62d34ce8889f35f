// The blocks of S = G M^-1 G^T, and of hubs, a node at a time when its factorisation comes to it: each node's pivots wait for those of
// nodes before, and a processor fills in the blocks of the next ones meanwhile.
#pragma once

#include "constraints.hpp"
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

// Zero but for one lane.
inline Pack only(int lane_of_it, double value) {
    Pack out = spread(0.0);
    out[lane_of_it] = value;
    return out;
}

// A constraint that holds points of two bodies, neither of them a hub: its linear columns are -1 and 1.
struct Points {
    const Pack *G_a = nullptr, *G_b = nullptr;  // all columns; null: it is another constraint
    int a = 0, b = 0;                           // bodies; ground is behind the others, and without 1/mass
};

// An off-diagonal block that one body ties, between two such constraints.
struct PointsTie {
    const Pack* G = nullptr;  // of the later one at this body; null: it is another block
    int body = 0, side = 0;   // side: of the earlier one
    double sign = 0;          // of the product of both linear columns
};

class SchurBlocks {
  public:
    explicit SchurBlocks(const Constraints& rows_of_all) : constraints(rows_of_all), frames(rows_of_all.frames), P(rows_of_all.P) {
        is_hub_.assign(P.bodies, 0);
        for (int k = 0; k < P.plan.hubs; ++k) is_hub_[P.hub[k]] = 1;
        W_.resize(size_t(V) * constraints.most_sides);
        const int blocks = P.plan.below_start ? P.plan.below_start[P.plan.nodes] : 0;
        sort_by_block(P.coupling, P.couplings, blocks, coupling_, coupling_start_);
        sort_by_block(P.hub_tie, P.hub_ties, blocks, tie_, tie_start_);
        find_points();
        after_hub_.assign(P.constraints, 0);
        for (const HubTieRow& tie : tie_)
            if (!tie.constraint_first) after_hub_[tie.constraint] = 1;
    }

    const Constraints& constraints;
    const Frames& frames;
    const Program& P;

    // Of a constraint with M rows: its diagonal block with what is added to it, and those below from the `first` to the `last`.
    template <int M>
    void fill(const Matrix& S, int c, int first, int last, Factor& factor) {
        if (points_[c].G_a) fill_points<M>(S, c, factor);
        else if (constraints.active[c]) fill_any<M>(S, c, factor);
        else fill_inactive<M>(c, factor);
        if (S.shift != 0.0 || S.add != 0.0) add_to_diagonal<M>(S, c, factor);
        for (int block = first; block < last; ++block) {
            if (points_tie_[block].G) fill_points_below<M>(S, points_tie_[block], factor.below[block]);
            else fill_below<M>(block, factor.below[block]);
        }
    }

    // Of hub k: minus its mass.
    void fill_hub(const Matrix& S, int k, int first, int last, Factor& factor) const {
        double M[V][V];
        const int body = P.hub[k], node = P.constraints + k;
        if (S.arms) round_mass_matrix(S.arms[body], M);
        else mass_matrix(P.inertia + INERTIA * body, &frames.records[BODY_RECORD * body], M);
        for (int j = 0; j < V; ++j) {
            lane(factor.own[node], j) = M[j][j];
            factor.diagonal[node].column[j] = spread(0.0);
            for (int i = 0; i < V; ++i) lane(factor.diagonal[node].column[j], i) = -M[i][j];
        }
        for (int block = first; block < last; ++block) {
            factor.below[block] = Block{};
            add_ties(block, factor.below[block]);
        }
    }

    // The diagonal of S at a constraint, hubs and all.
    Pack own_entries(const Matrix& S, int c) const {
        Pack sum = spread(0.0), W[V];
        for (const auto& [body, G] : constraints.sides(c)) {
            if (body < 0) continue;
            columns_over_mass(S.masses[body], G, W);
            for (int j = 0; j < V; ++j) sum += G[j] * W[j];
        }
        return sum;
    }

  private:
    template <class Row>
    static void sort_by_block(const Row* rows, int count, int blocks, std::vector<Row>& sorted, std::vector<int>& start) {
        sorted.assign(rows, rows + count);
        std::stable_sort(sorted.begin(), sorted.end(), [](const Row& a, const Row& b) { return a.block < b.block; });
        start.assign(blocks + 1, 0);
        for (const Row& row : sorted) ++start[row.block + 1];
        for (int k = 0; k < blocks; ++k) start[k + 1] += start[k];
    }

    bool are_points(int c) const {
        if (!constraints.holds_points(c) || constraints.kind_of(c) != BILATERAL) return false;
        for (const Side& side : constraints.sides(c))
            if (side.body >= 0 && is_hub_[side.body]) return false;
        return true;
    }

    void find_points() {
        points_.resize(P.constraints);
        for (int c = 0; c < P.constraints; ++c) {
            if (!are_points(c)) continue;
            const Side &a = constraints.sides(c)[0], &b = constraints.sides(c)[1];
            points_[c] = {a.G, b.G, a.body < 0 ? P.bodies : a.body, b.body < 0 ? P.bodies : b.body};
        }
        points_tie_.resize(coupling_start_.size() - 1);
        for (const CouplingRow& K : coupling_) {
            if (!are_points(K.row) || !are_points(K.column) || coupling_start_[K.block + 1] - coupling_start_[K.block] > 1) continue;
            const Side& later = constraints.sides(K.row)[K.row_side];
            points_tie_[K.block] = {later.G, later.body, K.column_side, K.row_side == K.column_side ? 1.0 : -1.0};
        }
        for (const CouplingRow& K : coupling_) linear_needed_ = linear_needed_ || !points_tie_[K.block].G;
    }

    template <int M>
    void fill_points(const Matrix& S, int c, Factor& factor) {
        const auto& [G_a, G_b, a, b] = points_[c];
        const InverseMass &mass_a = S.masses[a], &mass_b = S.masses[b];
        Pack W_a[V], W_b[V];
        turning_over_mass(mass_a, G_a, W_a);
        turning_over_mass(mass_b, G_b, W_b);
        Block& D = factor.diagonal[c];
#pragma GCC unroll 6
        for (int q = 0; q < M; ++q) {
            Pack of_a = W_a[LINEAR] * spread(lane(G_a[LINEAR], q)), of_b = W_b[LINEAR] * spread(lane(G_b[LINEAR], q));
            if (q < LINEAR) of_a += only(q, mass_a.m + mass_b.m);
#pragma GCC unroll 6
            for (int j = LINEAR + 1; j < V; ++j) {
                of_a += W_a[j] * spread(lane(G_a[j], q));
                of_b += W_b[j] * spread(lane(G_b[j], q));
            }
            D.column[q] = of_a + of_b;
        }
        for (int p = 0; p < M; ++p) lane(factor.own[c], p) = lane(D.column[p], p);
        for (int j = LINEAR; j < V; ++j) W_[j] = W_a[j], W_[V + j] = W_b[j];
        if (!linear_needed_) return;
        for (int j = 0; j < LINEAR; ++j) W_[j] = spread(mass_a.m) * G_a[j], W_[V + j] = spread(mass_b.m) * G_b[j];
    }

    // G of the later constraint times W of the one at hand.
    template <int M>
    void fill_points_below(const Matrix& S, const PointsTie& tie, Block& B) const {
        const Pack* W = &W_[V * tie.side];
        const double linear = tie.sign * S.masses[tie.body].m;
#pragma GCC unroll 6
        for (int q = 0; q < M; ++q) {
            Pack total = tie.G[LINEAR] * spread(lane(W[LINEAR], q));
            if (q < LINEAR) total += only(q, linear);
#pragma GCC unroll 6
            for (int j = LINEAR + 1; j < V; ++j) total += tie.G[j] * spread(lane(W[j], q));
            B.column[q] = total;
        }
    }

    template <int M>
    void fill_any(const Matrix& S, int c, Factor& factor) {
        Block& D = factor.diagonal[c];
        bool there = false;
        for (int i = 0; i < constraints.sides(c).count(); ++i) {
            const auto& [body, G] = constraints.sides(c)[i];
            if (body < 0) continue;
            Pack* W = &W_[V * i];
            columns_over_mass(S.masses[body], G, W);
            if (is_hub_[body]) continue;
            there ? times<M, V, true>(D, W, G) : times<M, V, false>(D, W, G);
            there = true;
        }
        if (!there) D = Block{};
        for (int p = 0; p < M; ++p) lane(factor.own[c], p) = lane(D.column[p], p);
        if (after_hub_[c]) factor.own[c] = own_entries(S, c);
    }

    template <int M>
    void fill_inactive(int c, Factor& factor) const {
        factor.own[c] = spread(1.0);
        for (int p = 0; p < M; ++p) factor.diagonal[c].column[p] = only(p, 1.0);
    }

    template <int M>
    void fill_below(int block, Block& B) const {
        bool there = false;
        for (int k = coupling_start_[block]; k < coupling_start_[block + 1]; ++k) {
            const CouplingRow& K = coupling_[k];
            if (!constraints.active[K.row] || !constraints.active[K.column]) continue;
            const Pack *G = constraints.sides(K.row)[K.row_side].G, *W = &W_[V * K.column_side];
            there ? times<M, V, true>(B, G, W) : times<M, V, false>(B, G, W);
            there = true;
        }
        if (!there) B = Block{};
        add_ties(block, B);
    }

    void add_ties(int block, Block& B) const {
        for (int k = tie_start_[block]; k < tie_start_[block + 1]; ++k) {
            const HubTieRow& T = tie_[k];
            if (!constraints.active[T.constraint]) continue;
            const Pack* G = constraints.sides(T.constraint)[T.side].G;
            if (T.constraint_first) {  // -G^T
                for (int p = 0; p < constraints.rows[T.constraint]; ++p)
                    for (int j = 0; j < V; ++j) lane(B.column[p], j) -= lane(G[j], p);
            } else {
                for (int j = 0; j < V; ++j) B.column[j] -= G[j];
            }
        }
    }

    // D decides among the multipliers that redundant constraints leave open, and how errors inside a step are spread. There each
    // row has its own entry of S. For output (`alike`), rows of a constraint that hold points have the mean of theirs, and rows that
    // hold directions that of a rotation in all directions alike: reactions do then not depend on the axes in which a joint is
    // written, equal planets share a load equally, and so do planes that prevent the same rotation.
    template <int M>
    void add_to_diagonal(const Matrix& S, int c, Factor& factor) const {
        double weights[MAX_ROWS];
        const Pack own = P.plan.hubs && constraints.active[c] ? own_entries(S, c) : factor.own[c];
        for (int p = 0; p < M; ++p) weights[p] = lane(own, p);
        if (S.alike) weigh_alike(c, weights);
        factor.weight[c] = spread(0.0);
        for (int p = 0; p < M; ++p) {
            lane(factor.weight[c], p) = S.shift * weights[p];
            lane(factor.diagonal[c].column[p], p) += S.shift * weights[p] + S.add;
        }
    }

    void weigh_alike(int c, double* weights) const {
        double sum = 0, count = 0, turning[MAX_ROWS] = {};
        for (int p = 0; p < constraints.rows[c]; ++p) {
            bool linear = false;
            for (const Side& side : constraints.sides(c))
                for (int j = 0; j < LINEAR; ++j) linear = linear || lane(side.G[j], p) != 0.0;
            if (linear) {
                sum += weights[p], count += 1;
            } else {
                for (const Side& side : constraints.sides(c)) turning[p] += turning_weight(side.body, side.G, p);
            }
        }
        for (int p = 0; p < constraints.rows[c]; ++p)  // rows of very different size keep their own
            weights[p] = std::fmin(turning[p] > 0 ? turning[p] : sum / count, 100 * weights[p]);
    }

    // What row p adds to the diagonal of S by turning a body, were its inertia the same about all axes.
    double turning_weight(int body, const Pack* G, int p) const {
        if (body < 0) return 0.0;
        double size = 0;
        for (int j = LINEAR; j < V; ++j) size += lane(G[j], p) * lane(G[j], p);
        return size / mean_inertia(P.inertia + INERTIA * body);
    }

    std::vector<CouplingRow> coupling_;  // by block
    std::vector<HubTieRow> tie_;
    std::vector<int> coupling_start_, tie_start_;  // of each block, then their number
    std::vector<Points> points_;         // of each constraint
    std::vector<PointsTie> points_tie_;  // of each block
    std::vector<char> is_hub_;      // of each body
    std::vector<char> after_hub_;   // of each constraint: whether it is eliminated after a hub of its own
    bool linear_needed_ = false;    // whether W of linear velocities is asked for: where blocks are no `PointsTie`
    std::vector<Pack> W_;           // G M^-1 of the constraint at hand, V columns a side
};

}  // namespace ww
