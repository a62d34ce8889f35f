// What the system asks of a factorisation of S. The work is in block_ldl.hpp, which only the core library compiles; libraries of
// integration methods see this much.
#pragma once

#include <vector>

#include "program.hpp"

namespace ww {

struct Block {
    Pack column[MAX_ROWS];
};

// The matrix to factorise: S with masses of the bodies, and what is added to its diagonal.
struct Matrix {
    const InverseMass* masses;     // of each body
    const double* arms = nullptr;  // radii of gyration, where all bodies count as alike (`round_mass`); null: masses are the bodies' own
    double shift = 0.0;            // times `own`, or for output (`alike`) what is like it, see `SchurBlocks`
    bool alike = false;
    double add = 0.0;
};

class Factor {
  public:
    virtual ~Factor() = default;

    std::vector<Block> diagonal;  // by node: the unit lower triangle of its own L D L^T
    std::vector<Block> below;     // off-diagonal blocks: rows of the later node, columns of the earlier one
    std::vector<Pack> weight;     // of each constraint: what the shift added to its diagonal
    std::vector<Pack> own;        // what the pivots of a constraint are without any other; of a hub, the diagonal of its mass

    static constexpr double small = 1e-4, nothing = 1e-10;
    double smallest_pivot = 1.0;  // relative to `own`
    int small_pivots = 0;         // pivots below `small`
    int null_pivots = 0;          // pivots below `nothing`: rows that depend on those eliminated before them
    std::vector<unsigned char> null_rows;  // of each constraint, a bit a row: those rows

    // Rows to leave out where the caller says so, as `null_rows`; empty: none. What is found of their pivots, the largest of them:
    std::vector<unsigned char> left_out;
    double largest_left_out = 0.0;

    std::vector<char> waits;      // constraints found to be in need of the mass of a hub that goes after them; empty: none

    // leave_out: whether to do without the rows of `left_out`
    virtual void factorise(const Matrix& matrix, bool leave_out = false) = 0;

    // The diagonal of the matrix at a constraint, hubs and all, with nothing added.
    virtual Pack own_entries(const Matrix& matrix, int c) const = 0;

    // Solve S x = b in place; x holds one pack per constraint, then room for one per hub.
    virtual void solve(Pack* x) const = 0;
};

}  // namespace ww
