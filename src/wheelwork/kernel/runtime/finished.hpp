// What an integration leaves behind for Python to fetch.
#pragma once

#include "run.hpp"

namespace ww {

struct Finished {
    std::vector<double> records;
    std::vector<EventRecord> events;
};

template <class Method>
Finished* integrate(System& system, Method& method, const Options& options, const double* grid, int size, double* y,
                    Report* report) {
    Run<Method> run(system, method, options, grid, size);
    system.reset();
    run.integrate(y);
    *report = run.report;
    system.reset();
    return new Finished{std::move(run.records), std::move(run.events())};
}

}  // namespace ww
