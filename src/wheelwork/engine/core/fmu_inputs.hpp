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

    void set_parameter(int k, double value) {
        if (parameters[k] == value) return;
        parameters[k] = value;
        numbers_changed = true;
    }

    void set_input(int k, double value) {
        if (inputs[k] == value) return;
        inputs[k] = given[k] = value;
        input_changed = true;
    }

    // Own states of the elements, as they are after a step or an event.
    void read(const double* own) { std::copy(own, own + inputs.size(), inputs.begin()); }

    void taken() { given.assign(M.program->states, NAN); }

    void carry(Carried& c) { c(parameters), c(inputs), c(given), c(numbers_changed), c(input_changed); }

  private:
    const FmuModel& M;
};

}  // namespace ww
