// The C interface of FMI 3.0 (Modelica Association, Functional Mock-up Interface Specification, 3.0.2): its names, types and order of
// calls, on an `Fmu`. Clocks, arrays, scheduled execution and variables of other types than double are not used by a mechanism.
#include <cmath>
#include <cstdint>

#include "fmi_common.hpp"

extern "C" {

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef uint32_t fmi3ValueReference;
typedef double fmi3Float64;
typedef bool fmi3Boolean;
typedef const char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean*,
                                               fmi3Float64*);
}

namespace {

using ww::Fmu;

struct Instance3 : ww::Held {
    fmi3InstanceEnvironment environment = nullptr;
    fmi3LogMessageCallback logger = nullptr;

    void log(fmi3Status status, const char* why) const {
        if (logger) logger(environment, status, "logStatusError", why);
    }
};

Instance3& of(fmi3Instance c) { return *static_cast<Instance3*>(c); }

template <class F>
fmi3Status call(fmi3Instance c, F&& f, fmi3Status bad = fmi3Error) {
    return ww::answer<Instance3>(c, f, bad);
}

fmi3Status refuse(fmi3Instance c, const char* why) { return ww::refused<Instance3>(c, fmi3Error, why); }

fmi3Instance instantiate(fmi3String token, fmi3String resources, bool exchange, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    return ww::guarded_make<Instance3>(
        [&](Instance3& c, std::string& why) {
            c.environment = environment, c.logger = log;
            c.fmu = Fmu::load(ww::path_of(resources ? resources : ""), token ? token : "", exchange, why);
            return bool(c.fmu);
        },
        [&](const char* why) {
            if (log) log(environment, fmi3Error, "logStatusError", why);
        });
}

}  // namespace

extern "C" {

WW_EXPORT const char* fmi3GetVersion() { return "3.0"; }
WW_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, size_t, const fmi3String[]) { return fmi3OK; }

WW_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean,
                                                    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    return instantiate(token, resources, true, environment, log);
}
WW_EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean, fmi3Boolean,
                                                   fmi3Boolean, const fmi3ValueReference[], size_t, fmi3InstanceEnvironment environment,
                                                   fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback) {
    return instantiate(token, resources, false, environment, log);
}
WW_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, void*, void*, void*) {
    if (log) log(environment, fmi3Error, "logStatusError", "a mechanism has no scheduled execution");
    return nullptr;
}
WW_EXPORT void fmi3FreeInstance(fmi3Instance c) { delete static_cast<Instance3*>(c); }

WW_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean given, fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean ends,
                                                 fmi3Float64 stop) {
    return call(c, [&](Fmu& fmu) {
        if (given) fmu.set_tolerance(tolerance);
        if (ends) fmu.set_stop(stop);
        return fmu.set_start(start);
    });
}
WW_EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance) { return fmi3OK; }
WW_EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance) { return fmi3OK; }

// ---- variables

WW_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 values[], size_t count) {
    if (count < n) return refuse(c, "there is not enough room for the values");
    return call(c, [&](Fmu& fmu) { return fmu.get(vr, n, values); });
}
WW_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 values[], size_t count) {
    if (count < n) return refuse(c, "there are not enough values");
    return call(c, [&](Fmu& fmu) { return fmu.set(vr, n, values); });
}

#define WW_NONE(Name, Type)                                                                                                       \
    WW_EXPORT fmi3Status fmi3Get##Name(fmi3Instance c, const fmi3ValueReference[], size_t n, Type[], size_t) {                    \
        return n ? refuse(c, "there are no variables of this type") : fmi3OK;                                                     \
    }                                                                                                                             \
    WW_EXPORT fmi3Status fmi3Set##Name(fmi3Instance c, const fmi3ValueReference[], size_t n, const Type[], size_t) {              \
        return n ? refuse(c, "there are no variables of this type") : fmi3OK;                                                     \
    }
WW_NONE(Float32, float)
WW_NONE(Int8, int8_t)
WW_NONE(UInt8, uint8_t)
WW_NONE(Int16, int16_t)
WW_NONE(UInt16, uint16_t)
WW_NONE(Int32, int32_t)
WW_NONE(UInt32, uint32_t)
WW_NONE(Int64, int64_t)
WW_NONE(UInt64, uint64_t)
WW_NONE(Boolean, fmi3Boolean)
WW_NONE(String, fmi3String)
#undef WW_NONE
WW_EXPORT fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference[], size_t n, size_t[], fmi3Binary[], size_t) {
    return n ? refuse(c, "there are no variables of this type") : fmi3OK;
}
WW_EXPORT fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference[], size_t n, const size_t[], const fmi3Binary[], size_t) {
    return n ? refuse(c, "there are no variables of this type") : fmi3OK;
}

// ---- clocks: none

#define WW_NO_CLOCKS(Name, ...) \
    WW_EXPORT fmi3Status fmi3##Name(fmi3Instance c, const fmi3ValueReference[], size_t n, __VA_ARGS__) { return n ? refuse(c, "there are no clocks") : fmi3OK; }
WW_NO_CLOCKS(GetClock, fmi3Clock[])
WW_NO_CLOCKS(SetClock, const fmi3Clock[])
WW_NO_CLOCKS(GetIntervalDecimal, fmi3Float64[], int[])
WW_NO_CLOCKS(GetIntervalFraction, uint64_t[], uint64_t[], int[])
WW_NO_CLOCKS(GetShiftDecimal, fmi3Float64[])
WW_NO_CLOCKS(GetShiftFraction, uint64_t[], uint64_t[])
WW_NO_CLOCKS(SetIntervalDecimal, const fmi3Float64[])
WW_NO_CLOCKS(SetIntervalFraction, const uint64_t[], const uint64_t[])
WW_NO_CLOCKS(SetShiftDecimal, const fmi3Float64[])
WW_NO_CLOCKS(SetShiftFraction, const uint64_t[], const uint64_t[])
#undef WW_NO_CLOCKS
WW_EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference, fmi3Float64) { return refuse(c, "there are no clocks"); }

WW_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference, size_t*) {
    return refuse(c, "dependencies between elements of arrays are not provided");
}
WW_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference, size_t[], fmi3ValueReference[], size_t[], int[], size_t) {
    return refuse(c, "dependencies between elements of arrays are not provided");
}

WW_EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknown[], size_t unknowns, const fmi3ValueReference known[],
                                                  size_t knowns, const fmi3Float64 seed[], size_t seeds, fmi3Float64 sensitivity[], size_t count) {
    if (seeds < knowns || count < unknowns) return refuse(c, "there are not enough numbers");
    return call(c, [&](Fmu& fmu) { return fmu.directional(unknown, unknowns, known, knowns, seed, sensitivity); });
}
WW_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3ValueReference[], size_t, const fmi3Float64[],
                                              size_t, fmi3Float64[], size_t) {
    return refuse(c, "adjoint derivatives are not provided");
}

// ---- model exchange

WW_EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance) { return fmi3OK; }
WW_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean* again, fmi3Boolean* terminate, fmi3Boolean* nominals, fmi3Boolean* values,
                                              fmi3Boolean* defined, fmi3Float64* next) {
    *again = *nominals = *values = *defined = false;
    const fmi3Status status = call(c, [&](Fmu& fmu) { return fmu.happens(*values, *defined, *next); });
    *terminate = of(c).fmu->over();
    return status;
}
WW_EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean, fmi3Boolean* event, fmi3Boolean* terminate) {
    *terminate = false;
    return call(c, [&](Fmu& fmu) { return fmu.completed_step(*event); });
}
WW_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t* n) {
    *n = size_t(of(c).fmu->indicator_count());
    return fmi3OK;
}
WW_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t* n) {
    *n = size_t(of(c).fmu->model().states);
    return fmi3OK;
}

#define WW_FMI(name) WW_JOINED(fmi3, name)
#define WW_STATE(before, after) WW_THREE(before, FMUState, after)
#define WW_DERIVATIVES GetContinuousStateDerivatives
#define WW_DESERIALIZE Deserialize
typedef fmi3Instance Handle;
typedef fmi3Status Status;
typedef fmi3Byte Byte;
constexpr fmi3Status OK = fmi3OK, BAD = fmi3Error, DISCARD = fmi3Discard;
#include "fmi_alike.hpp"

// ---- co-simulation

WW_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance) { return fmi3OK; }
WW_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference[], size_t, const int32_t[], fmi3Float64[], size_t) {
    return refuse(c, "derivatives of outputs are not provided");
}
WW_EXPORT fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 from, fmi3Float64 size, fmi3Boolean, fmi3Boolean* event, fmi3Boolean* terminate,
                                fmi3Boolean* early, fmi3Float64* last) {
    const fmi3Status status = call(c, [&](Fmu& fmu) { return fmu.step(from, size); });
    *event = *early = false;
    *terminate = of(c).fmu->over();
    *last = of(c).fmu->time();
    return status != fmi3OK && *terminate ? fmi3Discard : status;
}
}
