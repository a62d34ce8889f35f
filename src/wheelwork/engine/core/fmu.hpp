// A model as a functional mock-up unit, whatever the version of FMI: variables by number, initialisation, steps with the integration
// methods of this core (co-simulation), or derivatives and events for those of others (model exchange).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "program.hpp"

namespace ww {

struct ImplicitTables;
struct Options;
struct StabilisationNumbers;
struct TreeTables;

// What a variable is; `index` says which. CLOCK: time itself. PARAMETER: a number of `FmuModel::parameter`. INPUT: a state of an element
// that has no rate. STATE, RATE: an entry of the state, its derivative. OUTPUT: of the kernel `output`. CONSTANT: what it was at the export.
// INDICATOR: an event indicator, in FMI 3.0.
enum VariableKind { CLOCK = 0, PARAMETER = 1, INPUT = 2, STATE = 3, RATE = 4, OUTPUT = 5, CONSTANT = 6, INDICATOR = 7 };

struct VariableRow {
    int kind, index;
};

// A prescribed motion that is an input: numbers of the parameters that are its value, rate, acceleration, and the moment they are for.
struct PrescribedRow {
    int value, rate, acceleration, since;
};

struct FmuModel {
    int variables, parameters, outputs, states, prescribed;
    int data_size;            // numbers of all elements
    int method;               // see `IntegrationMethod`
    int stabilisation, stabilisation_iterations;
    int switch_count, knot_count;
    int fixed_start;          // whether it must begin at its own time: motions are prescribed
    int direct_size;          // numbers that straight-line code takes
    int renewal_size;         // and what these follow from
    double start;             // s
    const char* token;        // that the description has too
    const Program* program;
    const TreeTables* tree;   // null: absolute coordinates
    const ImplicitTables* implicit;
    const Options* options;
    const StabilisationNumbers* stabilisation_values;
    const double* state;      // assembled, at the start, in absolute coordinates
    const double* rates;      // of minimal coordinates
    const VariableRow* variable;
    const double* value;      // of each variable at the export
    const double* parameter;  // the same of parameters
    const int* state_place;   // where each continuous state is among all
    const PrescribedRow* prescription;
    const Kernel* numbers;    // numbers of all elements from the parameters; null: there are none
    const Kernel* renewed;    // numbers of straight-line code from what follows; null: there is none
    const double* renewal;    // numbers of all elements, then those of the tree
    const Kernel* tangent;    // of the state's derivative in a direction of the state, beside straight-line code that says all; null: there is none
    const Kernel* output;     // from time, state, accelerations, multipliers, friction forces, functions of time, numbers of all elements
    const Kernel* switches;   // functions of time and parameters whose zeros are corners
    const double* knots;      // corners of tables
};

enum IntegrationMethod { DOPRI5 = 0, DOP853 = 1, RK4 = 2, SDIRK4 = 3 };

// What an instance does is the same in all versions; false: it failed, and `message` says why. Without memory they throw (`Held`).
class Fmu {
  public:
    static std::unique_ptr<Fmu> load(const std::string& resources, const std::string& token, bool exchange, std::string& message);
    virtual ~Fmu() = default;

    std::string message;

    virtual const FmuModel& model() const = 0;
    virtual bool set_start(double start) = 0;
    virtual void set_stop(double stop) = 0;
    virtual void set_tolerance(double tolerance) = 0;
    virtual bool get(const unsigned* which, size_t count, double* values) = 0;
    virtual bool set(const unsigned* which, size_t count, const double* values) = 0;
    virtual bool initialise() = 0;
    virtual bool reset() = 0;

    // co-simulation
    virtual bool step(double from, double size) = 0;
    virtual double time() const = 0;
    virtual bool over() const = 0;  // whether it has ended for good

    // model exchange
    virtual bool set_time(double t) = 0;
    virtual bool set_states(const double* x) = 0;
    virtual bool states(double* x) = 0;
    virtual bool derivatives(double* dx) = 0;
    virtual bool indicators(double* z) = 0;
    virtual int indicator_count() = 0;
    virtual bool completed_step(bool& event) = 0;
    virtual bool happens(bool& states_changed, bool& next_defined, double& next) = 0;

    virtual bool directional(const unsigned* unknown, size_t unknowns, const unsigned* known, size_t knowns, const double* seed, double* sensitivity) = 0;

    virtual std::vector<char> save() = 0;
    virtual bool restore(const char* bytes, size_t size) = 0;
};

}  // namespace ww
