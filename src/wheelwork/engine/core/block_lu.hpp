// Block-sparse LU for the matrices of implicit methods: bodies and constraints as nodes of a graph, blocks of B x B (padded
// with the identity). The pattern is symmetric, the values are not. Order and fill are settled when the model is built; a
// constraint comes after its bodies, whose mass then stands on its diagonal. Pivoting is inside blocks only.
#pragma once

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "factor.hpp"

namespace ww {

// Gauss-Jordan inverse with row pivoting; false if singular.
inline bool invert(Square& A) {
    Square I{};
    for (int i = 0; i < B; ++i) I.a[i][i] = 1.0;
    for (int p = 0; p < B; ++p) {
        int best = p;
        for (int i = p + 1; i < B; ++i)
            if (std::fabs(A.a[i][p]) > std::fabs(A.a[best][p])) best = i;
        if (!(std::fabs(A.a[best][p]) > 0)) return false;
        if (best != p)
            for (int j = 0; j < B; ++j) std::swap(A.a[p][j], A.a[best][j]), std::swap(I.a[p][j], I.a[best][j]);
        const double over = 1.0 / A.a[p][p];
        for (int j = 0; j < B; ++j) A.a[p][j] *= over, I.a[p][j] *= over;
        for (int i = 0; i < B; ++i) {
            if (i == p) continue;
            const double f = A.a[i][p];
            if (f == 0.0) continue;
            for (int j = 0; j < B; ++j) A.a[i][j] -= f * A.a[p][j], I.a[i][j] -= f * I.a[p][j];
        }
    }
    A = I;
    return true;
}

inline void add_times(double* y, const Square& A, const double* x, double sign) {
    for (int i = 0; i < B; ++i) {
        double total = 0;
        for (int j = 0; j < B; ++j) total += A.a[i][j] * x[j];
        y[i] += sign * total;
    }
}

// A matrix with the pattern of a plan. Blocks go by reference: < 0: diagonal of node ~ref; even: lower block ref/2 (rows of
// the later node); odd: upper block ref/2.
struct BlockMatrix {
    Plan plan;
    std::vector<Square> diagonal, lower, upper;

    void set_up(const Plan& pattern) {
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

    Square& at(int ref) { return ref < 0 ? diagonal[~ref] : (ref & 1 ? upper[ref >> 1] : lower[ref >> 1]); }

    // y += sign A x, B numbers a node
    void multiply(const double* x, double* y, double sign) const {
        for (int step = 0; step < plan.nodes; ++step) {
            const int node = plan.order[step];
            add_times(y + B * node, diagonal[node], x + B * node, sign);
            for (int k = plan.below_start[step]; k < plan.below_start[step + 1]; ++k) {
                const int other = plan.below_node[k];
                add_times(y + B * other, lower[k], x + B * node, sign);
                add_times(y + B * node, upper[k], x + B * other, sign);
            }
        }
    }
};

class BlockLu {
  public:
    BlockMatrix A;  // fill, then factorise

    void set_up(const Plan& plan) {
        A.set_up(plan);
        scaled_.resize(A.lower.size());
    }

    bool factorise() {
        const Plan& plan = A.plan;
        for (int step = 0; step < plan.nodes; ++step) {
            const int node = plan.order[step];
            if (!invert(A.diagonal[node])) return false;
            for (int k = plan.below_start[step]; k < plan.below_start[step + 1]; ++k) {
                std::memset(&scaled_[k], 0, sizeof(Square));
                add_product(scaled_[k], A.lower[k], A.diagonal[node], -1.0);  // -L
            }
            for (int u = plan.update_start[step]; u < plan.update_start[step + 1]; ++u) {
                const int i = plan.update[3 * u], k = plan.update[3 * u + 1], target = plan.update[3 * u + 2];
                if (target < 0) {
                    add_product(A.diagonal[~target], scaled_[i], A.upper[i], 1.0);
                } else {
                    add_product(A.lower[target], scaled_[i], A.upper[k], 1.0);
                    add_product(A.upper[target], scaled_[k], A.upper[i], 1.0);
                }
            }
        }
        return true;
    }

    // In place; B numbers a node.
    void solve(double* x) const {
        const Plan& plan = A.plan;
        for (int step = 0; step < plan.nodes; ++step) {
            const double* own = x + B * plan.order[step];
            for (int k = plan.below_start[step]; k < plan.below_start[step + 1]; ++k)
                add_times(x + B * plan.below_node[k], scaled_[k], own, 1.0);
        }
        for (int step = plan.nodes - 1; step >= 0; --step) {
            double* own = x + B * plan.order[step];
            for (int k = plan.below_start[step]; k < plan.below_start[step + 1]; ++k)
                add_times(own, A.upper[k], x + B * plan.below_node[k], -1.0);
            double result[B] = {};
            add_times(result, A.diagonal[plan.order[step]], own, 1.0);
            std::memcpy(own, result, sizeof result);
        }
    }

  private:
    static void add_product(Square& C, const Square& left, const Square& right, double sign) {
        for (int i = 0; i < B; ++i)
            for (int k = 0; k < B; ++k) {
                const double f = sign * left.a[i][k];
                for (int j = 0; j < B; ++j) C.a[i][j] += f * right.a[k][j];
            }
    }

    std::vector<Square> scaled_;
};

}  // namespace ww
