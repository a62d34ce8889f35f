#include "integrators.hpp"
#include "reduced_sdirk4.hpp"

extern "C" int ww_integrate_reduced_sdirk4(ww::EquationsOfMotion* equations, const ww::Options* options, const ww::ImplicitTables*, const double* grid,
    int size, double* y, ww::Report* report, ww::Finished** finished) {
    return ww::guarded([&] {
        ww::ReducedSdirk4 method(options->rtol, options->atol);
        ww::integrate(*equations, method, *options, grid, size, y, report, finished);
        report->newton_iterations = method.newton_iterations;
    });
}
