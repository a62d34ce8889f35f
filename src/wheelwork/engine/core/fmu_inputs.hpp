// What the environment of an FMU has set: parameters, and inputs, which are states of elements that have no rate.
#pragma once

#include <cmath>

#include "carried.hpp"
#include "fmu.hpp"

namespace ww {

class FmuInputs {
  public:
    explicit FmuInputs(const FmuModel& model) : M(model) {}

    std::vector<double> parameters, inputs;
    std::vector<double> given;  // inputs since they were last taken into the run, not a number where none was given
    bool numbers_changed = false, input_changed = false;

    // As at the export, where the elements had these states of their own.
    void reset(const double* own) {
        parameters.assign(M.parameter, M.parameter + M.parameters);
        inputs.assign(own, own + M.program->states);
        taken();
        numbers_changed = input_changed = false;
    }

    void set_parameter(int k, double value, double now) {
        for (int i = 0; i < M.prescribed; ++i) go_on(M.prescription[i], k, now);
        if (parameters[k] == value) return;
        parameters[k] = value;
        numbers_changed = true;
    }

    void set_input(int k, double value) {
        if (inputs[k] == value) return;
        inputs[k] = given[k] = value;
        input_changed = true;
    }

    // Own states of the elements, as they are after a step or an event; what was set since is still to come.
    void read(const double* own) {
        for (size_t k = 0; k < inputs.size(); ++k)
            if (std::isnan(given[k])) inputs[k] = own[k];
    }

    void taken() { given.assign(M.program->states, NAN); }

    void carry(Carried& c) { c(parameters), c(inputs), c(given), c(numbers_changed), c(input_changed); }

  private:
    // A prescribed motion of which something is set: what is not set goes on from where it has come to by now.
    void go_on(const PrescribedRow& one, int k, double now) {
        if (k != one.value && k != one.rate && k != one.acceleration) return;
        const double passed = now - parameters[one.since], acceleration = parameters[one.acceleration];
        if (passed == 0) return;
        parameters[one.value] += parameters[one.rate] * passed + 0.5 * acceleration * passed * passed;
        parameters[one.rate] += acceleration * passed;
        parameters[one.since] = now;
        numbers_changed = true;
    }

    const FmuModel& M;
};

}  // namespace ww
