#include "reduced_api.hpp"

extern "C" ww::Finished* ww_integrate_reduced(ww::System* system, const ww::Options* options, const ww::TreeTables* tables,
                                              const double* grid, int size, const double* rates, double* y,
                                              ww::Report* report) {
    ww::Rk4 method;
    return ww::integrate_reduced(*system, method, *options, *tables, grid, size, rates, y, report);
}
