// What the system asks of a factorisation of S. The work is in block_ldl.hpp, which only the core library compiles; libraries of
// integration methods see this much.
#pragma once

#include <vector>

#include "program.hpp"

namespace ww {

struct Block {
    Pack column[MAX_ROWS];
};

class Factor {
  public:
    virtual ~Factor() = default;

    std::vector<Block> diagonal;  // by node; fill, then factorise: the unit lower triangle of its own L D L^T
    std::vector<Block> below;     // off-diagonal blocks: rows of the later node, columns of the earlier one
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

    // D = W G^T, or D += W G^T, for V columns of W and G and as many columns of D as the later constraint has rows.
    virtual void product(Block& D, const Pack* W, const Pack* G, int columns, bool add) const = 0;

    // The same for two constraints that hold points, where `linear` (1/m, or -1/m) on the diagonal is what their linear columns give.
    virtual void product_of_points(Block& D, const Pack* W, const Pack* G, double linear, int columns, bool add) const = 0;

    // Of one that holds points, with its own W = G M^-1 found on the way: the columns of angular velocities.
    virtual void product_of_points(Block& D, const InverseMass& M, const Pack* G, Pack* W, int columns, bool add) const = 0;

    // Factorise what `diagonal` and `below` hold, with `shift` (a pack a constraint; null: none) and `add` added to its diagonal.
    virtual void factorise(const Pack* shift, double add = 0.0, bool leave_out = false) = 0;

    // Solve S x = b in place; x holds one pack a constraint, then room for one a hub.
    virtual void solve(Pack* x) const = 0;
};

}  // namespace ww
