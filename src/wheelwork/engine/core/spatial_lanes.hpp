// Lanes for mechanisms in space: eight numbers at a time, for at most six rows of a constraint.
#pragma once

namespace ww {

typedef double Pack __attribute__((vector_size(64), aligned(64), may_alias));
constexpr int LANES = 8;      // rows of a constraint, padded
constexpr int MAX_ROWS = 6;   // rows of a constraint at most

inline Pack spread(double a) { return Pack{a, a, a, a, a, a, a, a}; }

}  // namespace ww

#include "lanes.hpp"
