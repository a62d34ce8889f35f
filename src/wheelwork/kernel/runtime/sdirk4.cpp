#include "finished.hpp"
#include "sdirk4.hpp"

extern "C" ww::Finished* ww_integrate(ww::System* system, const ww::Options* options, const ww::ImplicitTables* tables,
                                      const double* grid, int size, double* y, ww::Report* report) {
    ww::Sdirk4 method(*system, *tables, options->rtol, options->atol);
    ww::Finished* finished = ww::integrate(*system, method, *options, grid, size, y, report);
    report->newton_iterations = method.newton_iterations;
    return finished;
}
