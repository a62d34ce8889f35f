// Functions that both versions of FMI have with the same arguments under names of their own. Included by each, inside extern "C", with
//
//     WW_FMI(name)           fmi2name or fmi3name
//     WW_STATE(before, after)  the word for a saved state in names: FMUstate or FMUState
//     WW_DERIVATIVES, WW_DESERIALIZE  names that differ by more
//     Handle, Status, Byte, OK, BAD, DISCARD  the types and values of that version
//
// and with `call` and `refuse` for its instances.

static const char no_state[] = "there is no saved state";

WW_EXPORT Status WW_FMI(ExitInitializationMode)(Handle c) { return call(c, [](Fmu& fmu) { return fmu.initialise(); }); }
WW_EXPORT Status WW_FMI(EnterEventMode)(Handle) { return OK; }
WW_EXPORT Status WW_FMI(Terminate)(Handle) { return OK; }
WW_EXPORT Status WW_FMI(Reset)(Handle c) { return call(c, [](Fmu& fmu) { return fmu.reset(); }); }

// ---- states of the whole instance

WW_EXPORT Status WW_FMI(WW_STATE(Get, ))(Handle c, void** state) {
    return call(c, [&](Fmu& fmu) {
        ww::hold(fmu.save(), state);
        return true;
    });
}
WW_EXPORT Status WW_FMI(WW_STATE(Set, ))(Handle c, void* state) {
    if (!state) return refuse(c, no_state);
    return call(c, [&](Fmu& fmu) {
        const auto& held = *static_cast<std::vector<char>*>(state);
        return fmu.restore(held.data(), held.size());
    });
}
WW_EXPORT Status WW_FMI(WW_STATE(Free, ))(Handle, void** state) {
    if (state) delete static_cast<std::vector<char>*>(*state), *state = nullptr;
    return OK;
}
WW_EXPORT Status WW_FMI(WW_STATE(Serialized, Size))(Handle c, void* state, size_t* size) {
    if (!state) return refuse(c, no_state);
    *size = static_cast<std::vector<char>*>(state)->size();
    return OK;
}
WW_EXPORT Status WW_FMI(WW_STATE(Serialize, ))(Handle c, void* state, Byte bytes[], size_t size) {
    if (!state) return refuse(c, no_state);
    const auto& held = *static_cast<std::vector<char>*>(state);
    if (size < held.size()) return refuse(c, "there is not enough room for the state");
    std::copy(held.begin(), held.end(), reinterpret_cast<char*>(bytes));
    return OK;
}
WW_EXPORT Status WW_FMI(WW_STATE(WW_DESERIALIZE, ))(Handle c, const Byte bytes[], size_t size, void** state) {
    return call(c, [&](Fmu&) {
        ww::hold(std::vector<char>(bytes, bytes + size), state);
        return true;
    });
}

// ---- model exchange

extern "C++" {
template <class F>
static Status with_states(Handle c, size_t n, F&& f, Status bad = BAD) {
    return call(c, [&](Fmu& fmu) {
        if (n == size_t(fmu.model().states)) return bool(f(fmu));
        fmu.message = "this is not the number of its continuous states";
        return false;
    }, bad);
}
}

WW_EXPORT Status WW_FMI(EnterContinuousTimeMode)(Handle) { return OK; }
WW_EXPORT Status WW_FMI(SetTime)(Handle c, double t) { return call(c, [&](Fmu& fmu) { return fmu.set_time(t); }); }
WW_EXPORT Status WW_FMI(SetContinuousStates)(Handle c, const double x[], size_t n) {
    return with_states(c, n, [&](Fmu& fmu) { return fmu.set_states(x); });
}
WW_EXPORT Status WW_FMI(WW_DERIVATIVES)(Handle c, double dx[], size_t n) {
    return with_states(c, n, [&](Fmu& fmu) { return fmu.derivatives(dx); }, DISCARD);
}
WW_EXPORT Status WW_FMI(GetContinuousStates)(Handle c, double x[], size_t n) {
    return with_states(c, n, [&](Fmu& fmu) { return fmu.states(x); });
}
WW_EXPORT Status WW_FMI(GetNominalsOfContinuousStates)(Handle, double x[], size_t n) {
    std::fill(x, x + n, 1.0);
    return OK;
}
WW_EXPORT Status WW_FMI(GetEventIndicators)(Handle c, double z[], size_t n) {
    return call(c, [&](Fmu& fmu) {
        if (n == size_t(fmu.indicator_count())) return fmu.indicators(z);
        fmu.message = "this is not the number of its event indicators";
        return false;
    }, DISCARD);
}
