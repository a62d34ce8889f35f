// Lanes for mechanisms in the plane: four numbers at a time, for at most three rows of a constraint.
#pragma once

namespace ww {

typedef double Pack __attribute__((vector_size(32), aligned(32), may_alias));
constexpr int LANES = 4;      // rows of a constraint, padded
constexpr int MAX_ROWS = 3;   // rows of a constraint at most

inline Pack spread(double a) { return Pack{a, a, a, a}; }
inline Pack pack_of(const double* y) { return Pack{y[0], y[1], y[2], 0.0}; }

}  // namespace ww

#include "lanes.hpp"
