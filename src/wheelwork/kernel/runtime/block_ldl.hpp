// Block-sparse L D L^T of S = G M^-1 G^T, the matrix of the multipliers.
//
// A node is a constraint (up to 6 rows); the order of elimination and the blocks that fill in are settled when the model
// is built (wheelwork.kernel.plan). S is positive semi-definite, so no pivoting is needed. What redundant constraints and
// singular positions need is the caller's: a shift of the diagonal (System::assemble).
#pragma once

#include <vector>

#include "lanes.hpp"

namespace ww {

struct Block {
    Pack column[MAX_ROWS];
};

struct Plan {
    int nodes = 0;
    const int* order = nullptr;          // node eliminated at each step
    const int* below_start = nullptr;    // range of off-diagonal blocks of each step (nodes + 1)
    const int* below_node = nullptr;     // node of each off-diagonal block
    const int* update_start = nullptr;   // range of updates of each step (nodes + 1)
    const int* update = nullptr;         // 3 per update: block i, block k (indices of off-diagonal), target (>= 0: off-diagonal, < 0: ~node)
};

class BlockLdl {
  public:
    void set_up(const Plan& plan, const int* rows) {
        plan_ = plan;
        rows_ = rows;
        diagonal.resize(plan.nodes);
        below.resize(plan.below_start ? plan.below_start[plan.nodes] : 0);
        inverse_.resize(plan.nodes);
        original_.resize(plan.nodes);
    }

    std::vector<Block> diagonal;  // by node
    std::vector<Block> below;     // off-diagonal blocks: rows of the later node, columns of the earlier one

    // Factorise what `diagonal` and `below` hold; `shift` is added to the diagonal in proportion to it, `add` as it is.
    void factorise(double shift = 0.0, double add = 0.0) {
        smallest_pivot = 1.0;
        small_pivots = 0;
        for (int step = 0; step < plan_.nodes; ++step) {
            const int node = plan_.order[step], m = rows_[node];
            for (int p = 0; p < m; ++p) {
                original_[node][p] = diagonal[node].column[p][p];
                diagonal[node].column[p][p] += shift * original_[node][p] + add;
            }
        }
        for (int step = 0; step < plan_.nodes; ++step) eliminate(step);
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

    static constexpr double small = 1e-4;
    double smallest_pivot = 1.0;  // relative to the row's diagonal
    int small_pivots = 0;         // pivots below `small`

  private:
    void eliminate(int step) {
        const int node = plan_.order[step], m = rows_[node];
        Block& A = diagonal[node];
        Pack inverse = spread(0.0);
        for (int p = 0; p < m; ++p) {
            const double d = A.column[p][p], scale = original_[node][p];
            const double ratio = scale > 0 ? d / scale : 0.0;
            if (!(ratio >= smallest_pivot)) smallest_pivot = ratio;
            if (ratio < small) ++small_pivots;
            inverse[p] = ratio > 1e-14 || ratio != ratio ? 1.0 / d : 0.0;  // a row of round-off only
            const Pack column = A.column[p];
            for (int q = p + 1; q < m; ++q) A.column[q] -= column * spread(column[q] * inverse[p]);
            Pack unit = column * spread(inverse[p]);
            for (int r = 0; r <= p; ++r) unit[r] = 0.0;
            A.column[p] = unit;
        }
        inverse_[node] = inverse;
        const int first = plan_.below_start[step], last = plan_.below_start[step + 1];
        for (int k = first; k < last; ++k) {
            Block& B = below[k];
            for (int p = 0; p + 1 < m; ++p) {
                const Pack column = B.column[p];
                for (int q = p + 1; q < m; ++q) B.column[q] -= column * spread(A.column[p][q]);
            }
        }
        for (int u = plan_.update_start[step]; u < plan_.update_start[step + 1]; ++u) {
            const int* triple = plan_.update + 3 * u;
            const Block& Bi = below[triple[0]];
            const Block& Bk = below[triple[1]];
            const int target = triple[2];
            Block& C = target >= 0 ? below[target] : diagonal[~target];
            const int columns = rows_[plan_.below_node[triple[1]]];
            for (int p = 0; p < m; ++p) {
                const Pack left = Bi.column[p] * spread(inverse[p]);
                const Pack right = Bk.column[p];
                for (int q = 0; q < columns; ++q) C.column[q] -= left * spread(right[q]);
            }
        }
    }

    Plan plan_;
    const int* rows_ = nullptr;
    std::vector<Pack> inverse_, original_;
};

}  // namespace ww
