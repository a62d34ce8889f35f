#include "integrators.hpp"

extern "C" int ww_integrate_rk4(ww::EquationsOfMotion* equations, const ww::Options* options, const ww::ImplicitTables*, const double* grid,
    int size, double* y, ww::Report* report, ww::Finished** finished) {
    return ww::guarded([&] {
        ww::Rk4 method;
        ww::integrate(*equations, method, *options, grid, size, y, report, finished);
    });
}
