// Block-sparse LU for the matrices of implicit methods: bodies and constraints as nodes of a graph, blocks of B x B (padded
// with the identity). The pattern is symmetric, the values are not. Order and fill are settled when the model is built; a
// constraint comes after its bodies, whose mass then stands on its diagonal, or after one of them where the other is a hub
// (wheelwork.engine.plan). Pivoting is inside blocks only.
#pragma once

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "factor.hpp"

namespace ww {

// Gauss-Jordan inverse with row pivoting; false if singular.
inline bool invert(Square& A) {
    double a[B][B], inverse[B][B] = {};
    for (int i = 0; i < B; ++i) {
        inverse[i][i] = 1.0;
        for (int j = 0; j < B; ++j) a[i][j] = A.at(i, j);
    }
    for (int p = 0; p < B; ++p) {
        int best = p;
        for (int i = p + 1; i < B; ++i)
            if (std::fabs(a[i][p]) > std::fabs(a[best][p])) best = i;
        if (!(std::fabs(a[best][p]) > 0)) return false;
        if (best != p)
            for (int j = 0; j < B; ++j) std::swap(a[p][j], a[best][j]), std::swap(inverse[p][j], inverse[best][j]);
        const double over = 1.0 / a[p][p];
        for (int j = 0; j < B; ++j) a[p][j] *= over, inverse[p][j] *= over;
        for (int i = 0; i < B; ++i) {
            if (i == p) continue;
            const double f = a[i][p];
            if (f == 0.0) continue;
            for (int j = 0; j < B; ++j) a[i][j] -= f * a[p][j], inverse[i][j] -= f * inverse[p][j];
        }
    }
    for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) A.at(i, j) = inverse[i][j];
    return true;
}

// A x, in two sums: a processor can then work on both
inline Pack times(const Square& A, const Pack& x) {
    Pack even = A.column[0] * spread(lane(x, 0)), odd = A.column[1] * spread(lane(x, 1));
#pragma GCC unroll 6
    for (int j = 2; j < B; ++j) (j % 2 ? odd : even) += A.column[j] * spread(lane(x, j));
    return even + odd;
}

// A matrix with the pattern of a plan. Blocks go by reference: < 0: diagonal of node ~ref; even: lower block ref/2 (rows of
// the later node); odd: upper block ref/2.
struct BlockMatrix {
    EliminationPlan plan{};
    std::vector<Square> diagonal, lower, upper;

    void set_up(const EliminationPlan& pattern) {
        plan = pattern;
        diagonal.resize(plan.nodes);
        lower.resize(plan.below_start ? plan.below_start[plan.nodes] : 0);
        upper.resize(lower.size());
    }

    void clear() {
        for (auto* blocks : {&diagonal, &lower, &upper})
            if (!blocks->empty())
                std::memset(static_cast<void*>(blocks->data()), 0, blocks->size() * sizeof(Square));
    }

    // y += factor A x, a pack a node
    void add_times(const Pack* x, double factor, Pack* y) const {
        const Pack f = spread(factor);
        for (int step = 0; step < plan.nodes; ++step) {
            const int node = plan.order[step];
            y[node] += f * times(diagonal[node], x[node]);
            for (int k = plan.below_start[step]; k < plan.below_start[step + 1]; ++k) {
                const int other = plan.below_node[k];
                y[other] += f * times(lower[k], x[node]);
                y[node] += f * times(upper[k], x[other]);
            }
        }
    }

    Square& at(int ref) { return ref < 0 ? diagonal[~ref] : (ref & 1 ? upper[ref >> 1] : lower[ref >> 1]); }
};

class BlockLu {
  public:
    BlockMatrix A;  // fill, then factorise

    void set_up(const EliminationPlan& plan) {
        A.set_up(plan);
        scaled_.resize(A.lower.size());
    }

    bool factorise() {
        const EliminationPlan& plan = A.plan;
        for (int step = 0; step < plan.nodes; ++step) {
            const int node = plan.order[step];
            if (!invert(A.diagonal[node])) return false;
            for (int k = plan.below_start[step]; k < plan.below_start[step + 1]; ++k)
                for (int j = 0; j < B; ++j) scaled_[k].column[j] = -times(A.lower[k], A.diagonal[node].column[j]);  // -L
            for (int u = plan.update_start[step]; u < plan.update_start[step + 1]; ++u) {
                const auto [i, k, target] = plan.update[u];
                if (target < 0) {
                    add_product(A.diagonal[~target], scaled_[i], A.upper[i]);
                } else {
                    add_product(A.lower[target], scaled_[i], A.upper[k]);
                    add_product(A.upper[target], scaled_[k], A.upper[i]);
                }
            }
        }
        return true;
    }

    // In place; a pack a node.
    void solve(Pack* x) const {
        const EliminationPlan& plan = A.plan;
        for (int step = 0; step < plan.nodes; ++step) {
            const Pack& own = x[plan.order[step]];
            for (int k = plan.below_start[step]; k < plan.below_start[step + 1]; ++k) x[plan.below_node[k]] += times(scaled_[k], own);
        }
        for (int step = plan.nodes - 1; step >= 0; --step) {
            Pack own = x[plan.order[step]];
            for (int k = plan.below_start[step]; k < plan.below_start[step + 1]; ++k) own -= times(A.upper[k], x[plan.below_node[k]]);
            x[plan.order[step]] = times(A.diagonal[plan.order[step]], own);
        }
    }

  private:
    static void add_product(Square& C, const Square& left, const Square& right) {
        for (int j = 0; j < B; ++j) C.column[j] += times(left, right.column[j]);
    }

    std::vector<Square> scaled_;
};

}  // namespace ww
