// What integrates: one function of the C interface for each method, declared here for those who define it and those who call it.
#pragma once

#include <memory>

#include "finished.hpp"

namespace ww {

struct ImplicitTables;

// From a state y, which becomes the last one reached; what the run leaves goes into a new `Finished`. The tables are those of implicit
// methods in absolute coordinates, and may be null elsewhere. Returns 0 or a `Failure`.
typedef int Integrate(EquationsOfMotion* equations, const Options* options, const ImplicitTables* tables, const double* grid, int size, double* y,
                      Report* report, Finished** finished);

// A system with the factor for block-sparse matrices.
std::unique_ptr<System> make_system(const Program& program);

}  // namespace ww

extern "C" {
ww::Integrate ww_integrate_dopri5, ww_integrate_dop853, ww_integrate_rk4, ww_integrate_sdirk4, ww_integrate_reduced_sdirk4;
}
