#include "integrators.hpp"
#include "sdirk4.hpp"

extern "C" int ww_integrate_sdirk4(ww::EquationsOfMotion* equations, const ww::Options* options, const ww::ImplicitTables* tables, const double* grid,
    int size, double* y, ww::Report* report, ww::Finished** finished) {
    return ww::guarded([&] {
        ww::Sdirk4 method(equations->absolute, *tables, options->rtol, options->atol);
        ww::integrate(equations->absolute, method, *options, grid, size, y, report, finished);
        report->newton_iterations = method.newton_iterations;
    });
}
