// What the libraries of the reduced formulation share: an integration from an absolute state and back to one.
#pragma once

#include "finished.hpp"
#include "reduced.hpp"

namespace ww {

// `y`: the absolute state at which the tree is at rest; becomes the last one. `rates`: of the coordinates, at the start.
template <class Method>
Finished* integrate_reduced(System& system, Method& method, const Options& options, const TreeTables& tables,
                            const double* grid, int size, const double* rates, double* y, Report* report) {
    ReducedSystem reduced(system.P, tables, system.factor_maker);
    reduced.stabilisation = system.stabilisation;
    std::vector<double> state(reduced.n);
    reduced.start(y, rates, state.data());
    // The error of a step is a mean over the entries of the state. Absolute coordinates have many that hardly move and weigh it
    // down; with a tenth of the tolerances both formulations come out alike.
    Options tightened = options;
    tightened.rtol *= 0.1;
    tightened.atol *= 0.1;
    Run<Method> run(reduced, method, tightened, grid, size);
    run.integrate(state.data());
    *report = run.report;
    const double* last = reduced.stored_state(run.report.t, state.data());
    std::copy(last, last + reduced.stored_state_size(), y);
    return new Finished{std::move(run.records), std::move(run.events())};
}

}  // namespace ww
