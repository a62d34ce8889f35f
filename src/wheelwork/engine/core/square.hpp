// A small dense block: as many rows and columns as a body has velocities, which is also the most rows of a constraint. By columns,
// a pack each.
#pragma once

namespace ww {

constexpr int B = MAX_ROWS;

struct Square {
    Pack column[B];

    double& at(int row, int col) { return lane(column[col], row); }
    double at(int row, int col) const { return lane(column[col], row); }
};

}  // namespace ww
