// What an integration leaves behind for Python to fetch.
#pragma once

#include "guarded.hpp"
#include "run.hpp"

namespace ww {

struct Finished {
    std::vector<double> records, sides;
    std::vector<EventRecord> events;
    std::vector<char> carried;
};

template <class Method>
void integrate(EquationsOfMotion& equations, Method& method, const Options& options, const double* grid, int size, double* y, Report* report,
               Finished** finished) {
    System& system = equations.absolute;
    struct Clean {
        System& system;
        ~Clean() { system.reset(); }  // also where memory runs out
    } clean{system};
    Run<Method> run(equations, method, options, grid, size);
    system.reset();
    run.integrate(y);
    *report = run.report();
    Recorder& left = run.recorder();
    *finished = new Finished{std::move(left.records), std::move(left.sides), std::move(run.events()), std::move(run.handed_over)};
}

}  // namespace ww
