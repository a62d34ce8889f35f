#include "finished.hpp"

extern "C" ww::Finished* ww_integrate(ww::System* system, const ww::Options* options, const void*, const double* grid,
                                      int size, double* y, ww::Report* report) {
    ww::Rk4 method;
    return ww::integrate(*system, method, *options, grid, size, y, report);
}
