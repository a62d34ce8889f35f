// A small dense block: as many rows and columns as a body has velocities, which is also the most rows of a constraint.
#pragma once

namespace ww {

constexpr int B = MAX_ROWS;

struct Square {
    double a[B][B];
};

}  // namespace ww
