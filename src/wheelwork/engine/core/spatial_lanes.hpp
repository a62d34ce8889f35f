// Lanes for mechanisms in space: eight numbers at a time, for at most six rows of a constraint.
#pragma once

namespace ww {

typedef double Pack __attribute__((vector_size(64), aligned(64), may_alias));
constexpr int LANES = 8;      // rows of a constraint, padded
constexpr int MAX_ROWS = 6;   // rows of a constraint at most

inline Pack spread(double a) { return Pack{a, a, a, a, a, a, a, a}; }
inline Pack pack_of(const double* y) { return Pack{y[0], y[1], y[2], y[3], y[4], y[5], 0.0, 0.0}; }

}  // namespace ww

#include "lanes.hpp"
