// Block-sparse L D L^T of S = G M^-1 G^T, the matrix of the multipliers.
//
// A node is a constraint (up to 6 rows); the order of elimination and the blocks that fill in are settled when the model
// is built (wheelwork.kernel.plan). S is positive semi-definite, so no pivoting is needed. What redundant constraints and
// singular positions need is the caller's: a shift of the diagonal (System::assemble). Of a diagonal block only the lower
// triangle is ever read: inverting it outright would be no slower, but lets unsymmetric round-off grow along a chain
// (by a factor of 30 a link in a chain of rods) as in a Riccati recursion that is not kept symmetric.
#pragma once

#include <vector>

#include "lanes.hpp"

namespace ww {

struct Block {
    Pack column[MAX_ROWS];
};

struct Plan {
    int nodes = 0;
    const int* order = nullptr;         // node eliminated at each step
    const int* below_start = nullptr;   // range of off-diagonal blocks of each step (nodes + 1)
    const int* below_node = nullptr;    // node of each off-diagonal block
    const int* update_start = nullptr;  // range of updates of each step (nodes + 1)
    const int* update = nullptr;        // 3 each: block i, block k, target (>= 0: off-diagonal, < 0: ~node)
};

// C.column[q] += sum over the columns of W of W[j] G[j][q], for q < N
template <int N>
inline void add_product(Block& C, const Pack* W, const Pack* G, int terms) {
    for (int q = 0; q < N; ++q) {
        Pack total = C.column[q];
        for (int j = 0; j < terms; ++j) total += W[j] * spread(G[j][q]);
        C.column[q] = total;
    }
}

class BlockLdl {
  public:
    void set_up(const Plan& plan, const int* rows) {
        plan_ = plan;
        rows_ = rows;
        diagonal.resize(plan.nodes);
        below.resize(plan.below_start ? plan.below_start[plan.nodes] : 0);
        scaled_.resize(below.size());
    }

    std::vector<Block> diagonal;  // by node; after factorise: the unit lower triangle of its own L D L^T
    std::vector<Block> below;     // off-diagonal blocks: rows of the later node, columns of the earlier one

    static constexpr double small = 1e-4;
    double smallest_pivot = 1.0;  // relative to the row's diagonal
    int small_pivots = 0;         // pivots below `small`

    // Factorise what `diagonal` and `below` hold; `shift` is added to the diagonal in proportion to it, `add` as it is.
    void factorise(double shift = 0.0, double add = 0.0) {
        smallest_pivot = 1.0;
        small_pivots = 0;
        original_.resize(plan_.nodes);
        inverse_.resize(plan_.nodes);
        for (int node = 0; node < plan_.nodes; ++node) {
            for (int p = 0; p < rows_[node]; ++p) {
                double& entry = reinterpret_cast<double*>(&diagonal[node].column[p])[p];
                reinterpret_cast<double*>(&original_[node])[p] = entry;
                entry += shift * entry + add;
            }
        }
        for (int step = 0; step < plan_.nodes; ++step) {
            switch (rows_[plan_.order[step]]) {
                case 1: eliminate<1>(step); break;
                case 2: eliminate<2>(step); break;
                case 3: eliminate<3>(step); break;
                case 4: eliminate<4>(step); break;
                case 5: eliminate<5>(step); break;
                default: eliminate<6>(step); break;
            }
        }
    }

    // Solve in place; x holds one pack a node.
    void solve(Pack* x) const {
        for (int step = 0; step < plan_.nodes; ++step) {
            const int node = plan_.order[step], m = rows_[node];
            const Block& L = diagonal[node];
            Pack y = x[node];
            for (int p = 0; p + 1 < m; ++p) y -= L.column[p] * spread(y[p]);
            x[node] = y;
            const Pack scaled = y * inverse_[node];
            for (int k = plan_.below_start[step]; k < plan_.below_start[step + 1]; ++k) {
                Pack& other = x[plan_.below_node[k]];
                for (int p = 0; p < m; ++p) other -= below[k].column[p] * spread(scaled[p]);
            }
        }
        for (int step = plan_.nodes - 1; step >= 0; --step) {
            const int node = plan_.order[step], m = rows_[node];
            Pack y = x[node];
            for (int k = plan_.below_start[step]; k < plan_.below_start[step + 1]; ++k) {
                const Pack& other = x[plan_.below_node[k]];
                for (int p = 0; p < m; ++p) y[p] -= dot(below[k].column[p], other);
            }
            y *= inverse_[node];
            const Block& L = diagonal[node];
            for (int p = m - 2; p >= 0; --p) y[p] -= dot(L.column[p], y);
            x[node] = y;
        }
    }

  private:
    template <int M>
    void eliminate(int step) {
        const int node = plan_.order[step];
        triangulate<M>(diagonal[node], original_[node], inverse_[node]);
        const Block& L = diagonal[node];
        const Pack inverse = inverse_[node];
        for (int k = plan_.below_start[step]; k < plan_.below_start[step + 1]; ++k) {
            Pack b[M];
            for (int q = 0; q < M; ++q) b[q] = below[k].column[q];
            for (int p = 0; p + 1 < M; ++p)
                for (int q = p + 1; q < M; ++q) b[q] -= b[p] * spread(L.column[p][q]);
            for (int q = 0; q < M; ++q) {
                below[k].column[q] = b[q];
                scaled_[k].column[q] = b[q] * spread(-inverse[q]);
            }
        }
        for (int u = plan_.update_start[step]; u < plan_.update_start[step + 1]; ++u) {
            const int* triple = plan_.update + 3 * u;
            const int target = triple[2];
            Block& C = target >= 0 ? below[target] : diagonal[~target];
            const Pack *left = scaled_[triple[0]].column, *right = below[triple[1]].column;
            switch (rows_[plan_.below_node[triple[1]]]) {
                case 1: add_product<1>(C, left, right, M); break;
                case 2: add_product<2>(C, left, right, M); break;
                case 3: add_product<3>(C, left, right, M); break;
                case 4: add_product<4>(C, left, right, M); break;
                case 5: add_product<5>(C, left, right, M); break;
                default: add_product<6>(C, left, right, M); break;
            }
        }
    }

    // L D L^T of one block, in place; a pivot that is nothing but round-off is left out (its inverse is 0).
    template <int M>
    void triangulate(Block& A, const Pack& scale, Pack& inverses) {
        Pack c[M];
        for (int q = 0; q < M; ++q) c[q] = A.column[q];
        Pack inverse = spread(0.0);
        for (int p = 0; p < M; ++p) {
            const Pack column = c[p];
            const double d = column[p];
            double over = 1.0 / d;
            if (!(d >= small * scale[p])) {
                const double ratio = scale[p] > 0 ? d / scale[p] : 0.0;
                ++small_pivots;
                if (!(ratio >= smallest_pivot)) smallest_pivot = ratio;
                if (ratio <= 1e-14) over = 0.0;
            }
            inverse[p] = over;
            Pack unit = column * spread(over);
            for (int r = 0; r <= p; ++r) unit[r] = 0.0;
            for (int q = p + 1; q < M; ++q) c[q] -= unit * spread(column[q]);
            A.column[p] = unit;
        }
        inverses = inverse;
    }

    Plan plan_;
    const int* rows_ = nullptr;
    std::vector<Block> scaled_;  // -B D^-1 of the off-diagonal blocks B
    std::vector<Pack> original_, inverse_;
};

}  // namespace ww
