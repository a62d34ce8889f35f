// The C interface of FMI 2.0 (Modelica Association, Functional Mock-up Interface for Model Exchange and Co-Simulation, 2.0.4): its names,
// types and order of calls, on an `Fmu`.
#include <cmath>
#include <cstdlib>

#include "fmi_common.hpp"

extern "C" {

typedef void* fmi2Component;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef const char* fmi2String;
typedef char fmi2Byte;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef struct {
    void (*logger)(void* environment, fmi2String instance, fmi2Status status, fmi2String category, fmi2String message, ...);
    void* (*allocate)(size_t count, size_t size);
    void (*release)(void* memory);
    void (*step_finished)(void* environment, fmi2Status status);
    void* environment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged, valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;
}

namespace {

using ww::Fmu;

// An instance as its environment sees it.
struct Component : ww::Held {
    std::string name;
    fmi2CallbackFunctions callbacks{};

    void log(fmi2Status status, const char* why) const {
        if (callbacks.logger) callbacks.logger(callbacks.environment, name.c_str(), status, "logStatusError", "%s", why);
    }
};

Component& of(fmi2Component c) { return *static_cast<Component*>(c); }

template <class F>
fmi2Status call(fmi2Component c, F&& f, fmi2Status bad = fmi2Error) {
    return ww::answer<Component>(c, f, bad);
}

fmi2Status refuse(fmi2Component c, const char* why) { return ww::refused<Component>(c, fmi2Error, why); }

}  // namespace

extern "C" {

WW_EXPORT const char* fmi2GetTypesPlatform() { return "default"; }
WW_EXPORT const char* fmi2GetVersion() { return "2.0"; }
WW_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, size_t, const fmi2String*) { return fmi2OK; }

WW_EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources, const fmi2CallbackFunctions* callbacks,
                                        fmi2Boolean, fmi2Boolean) {
    return ww::guarded_make<Component>(
        [&](Component& c, std::string& why) {
            c.name = name ? name : "";
            if (callbacks) c.callbacks = *callbacks;
            c.fmu = Fmu::load(ww::path_of(resources ? resources : ""), token ? token : "", type == fmi2ModelExchange, why);
            return bool(c.fmu);
        },
        [&](const char* why) {
            if (callbacks && callbacks->logger) callbacks->logger(callbacks->environment, name ? name : "", fmi2Error, "logStatusError", "%s", why);
        });
}
WW_EXPORT void fmi2FreeInstance(fmi2Component c) { delete static_cast<Component*>(c); }

WW_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean given, fmi2Real tolerance, fmi2Real start, fmi2Boolean ends, fmi2Real stop) {
    return call(c, [&](Fmu& fmu) {
        if (given) fmu.set_tolerance(tolerance);
        if (ends) fmu.set_stop(stop);
        return fmu.set_start(start);
    });
}
WW_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component) { return fmi2OK; }

WW_EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference* vr, size_t n, fmi2Real* values) {
    return call(c, [&](Fmu& fmu) { return fmu.get(vr, n, values); });
}
WW_EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference* vr, size_t n, const fmi2Real* values) {
    return call(c, [&](Fmu& fmu) { return fmu.set(vr, n, values); });
}

// All variables are real numbers.
#define WW_NONE(Name, Type)                                                                                              \
    WW_EXPORT fmi2Status fmi2Get##Name(fmi2Component c, const fmi2ValueReference*, size_t n, Type*) {                    \
        return n ? refuse(c, "there are no variables of this type") : fmi2OK;                                            \
    }                                                                                                                    \
    WW_EXPORT fmi2Status fmi2Set##Name(fmi2Component c, const fmi2ValueReference*, size_t n, const Type*) {              \
        return n ? refuse(c, "there are no variables of this type") : fmi2OK;                                            \
    }
WW_NONE(Integer, fmi2Integer)
WW_NONE(Boolean, fmi2Boolean)
WW_NONE(String, fmi2String)
#undef WW_NONE

WW_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference* unknown, size_t unknowns, const fmi2ValueReference* known,
                                                  size_t knowns, const fmi2Real* seed, fmi2Real* sensitivity) {
    return call(c, [&](Fmu& fmu) { return fmu.directional(unknown, unknowns, known, knowns, seed, sensitivity); });
}

// ---- model exchange

WW_EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
    return call(c, [&](Fmu& fmu) {
        bool changed = false, defined = false;
        double next = 0;
        const bool good = fmu.happens(changed, defined, next);
        *info = {0, fmu.over(), 0, changed, defined, next};
        return good;
    });
}
WW_EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean, fmi2Boolean* event, fmi2Boolean* terminate) {
    bool wanted = false;
    const fmi2Status status = call(c, [&](Fmu& fmu) { return fmu.completed_step(wanted); });
    *event = wanted, *terminate = 0;
    return status;
}

#define WW_FMI(name) WW_JOINED(fmi2, name)
#define WW_STATE(before, after) WW_THREE(before, FMUstate, after)
#define WW_DERIVATIVES GetDerivatives
#define WW_DESERIALIZE DeSerialize
typedef fmi2Component Handle;
typedef fmi2Status Status;
typedef fmi2Byte Byte;
constexpr fmi2Status OK = fmi2OK, BAD = fmi2Error, DISCARD = fmi2Discard;
#include "fmi_alike.hpp"

// ---- co-simulation

WW_EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference*, size_t, const fmi2Integer*, const fmi2Real*) {
    return refuse(c, "inputs are held over a step: they have no derivatives");
}
WW_EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference*, size_t, const fmi2Integer*, fmi2Real*) {
    return refuse(c, "derivatives of outputs are not provided");
}
WW_EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real from, fmi2Real size, fmi2Boolean) {
    const fmi2Status status = call(c, [&](Fmu& fmu) { return fmu.step(from, size); });
    return status != fmi2OK && of(c).fmu->over() ? fmi2Discard : status;
}
WW_EXPORT fmi2Status fmi2CancelStep(fmi2Component c) { return refuse(c, "a step does not run beside its environment, and cannot be cancelled"); }
WW_EXPORT fmi2Status fmi2GetStatus(fmi2Component, const fmi2StatusKind, fmi2Status*) { return fmi2Discard; }
WW_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = of(c).fmu->time();
    return fmi2OK;
}
WW_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component, const fmi2StatusKind, fmi2Integer*) { return fmi2Discard; }
WW_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value) {
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = of(c).fmu->over();
    return fmi2OK;
}
WW_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component, const fmi2StatusKind, fmi2String*) { return fmi2Discard; }
}
