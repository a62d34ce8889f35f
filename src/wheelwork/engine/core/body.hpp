// The kind of body the runtime is compiled for: bodies in space, or (with -DWW_PLANAR) in the plane. Both files define the same
// names: sizes (V velocities, Q coordinates, BODY_RECORD numbers in a record, velocities from TWIST on, INERTIA numbers of inertia),
// lanes, and the arithmetic of one body. Nothing else in the runtime knows which of them it is.
#pragma once

namespace ww {
constexpr double pi = 3.14159265358979323846;  // not every system's <cmath> has it
}

#ifdef WW_PLANAR
#include "planar_body.hpp"
#else
#include "spatial_bodies.hpp"
#endif
