// Functions that both versions of FMI have with the same arguments under names of their own. Included by each, inside extern "C", with
//
//     WW_FMI(name)           fmi2name or fmi3name
//     WW_STATE(before, after)  the word for a saved state in names: FMUstate or FMUState
//     WW_DERIVATIVES, WW_DESERIALIZE  names that differ by more
//     Handle, Status, Bytes, OK, DISCARD  the types and values of that version
//
// and with `of` and `refuse` for its instances.

WW_EXPORT Status WW_FMI(ExitInitializationMode)(Handle c) { return of(c).answer(of(c).fmu->initialise()); }
WW_EXPORT Status WW_FMI(EnterEventMode)(Handle) { return OK; }
WW_EXPORT Status WW_FMI(Terminate)(Handle) { return OK; }
WW_EXPORT Status WW_FMI(Reset)(Handle c) { return of(c).answer(of(c).fmu->reset()); }

// ---- states of the whole instance

WW_EXPORT Status WW_FMI(WW_STATE(Get, ))(Handle c, void** state) {
    return ww::saved(*of(c).fmu, state) ? OK : refuse(c, "there is not enough memory");
}
WW_EXPORT Status WW_FMI(WW_STATE(Set, ))(Handle c, void* state) { return of(c).answer(ww::restored(*of(c).fmu, state)); }
WW_EXPORT Status WW_FMI(WW_STATE(Free, ))(Handle, void** state) {
    if (state) delete static_cast<std::vector<char>*>(*state), *state = nullptr;
    return OK;
}
WW_EXPORT Status WW_FMI(WW_STATE(Serialized, Size))(Handle, void* state, size_t* size) {
    *size = static_cast<std::vector<char>*>(state)->size();
    return OK;
}
WW_EXPORT Status WW_FMI(WW_STATE(Serialize, ))(Handle c, void* state, Byte bytes[], size_t size) {
    const auto& held = *static_cast<std::vector<char>*>(state);
    if (size < held.size()) return refuse(c, "there is not enough room for the state");
    std::copy(held.begin(), held.end(), reinterpret_cast<char*>(bytes));
    return OK;
}
WW_EXPORT Status WW_FMI(WW_STATE(WW_DESERIALIZE, ))(Handle c, const Byte bytes[], size_t size, void** state) {
    return ww::deserialised(reinterpret_cast<const char*>(bytes), size, state) ? OK : refuse(c, "there is not enough memory");
}

// ---- model exchange

static bool fits(Handle c, size_t n) { return n == size_t(of(c).fmu->model().states); }
static const char not_the_states[] = "this is not the number of its continuous states";

WW_EXPORT Status WW_FMI(EnterContinuousTimeMode)(Handle) { return OK; }
WW_EXPORT Status WW_FMI(SetTime)(Handle c, double t) {
    of(c).fmu->set_time(t);
    return OK;
}
WW_EXPORT Status WW_FMI(SetContinuousStates)(Handle c, const double x[], size_t n) {
    if (!fits(c, n)) return refuse(c, not_the_states);
    of(c).fmu->set_states(x);
    return OK;
}
WW_EXPORT Status WW_FMI(WW_DERIVATIVES)(Handle c, double dx[], size_t n) {
    return fits(c, n) ? of(c).answer(of(c).fmu->derivatives(dx), DISCARD) : refuse(c, not_the_states);
}
WW_EXPORT Status WW_FMI(GetContinuousStates)(Handle c, double x[], size_t n) {
    return fits(c, n) ? of(c).answer(of(c).fmu->states(x)) : refuse(c, not_the_states);
}
WW_EXPORT Status WW_FMI(GetNominalsOfContinuousStates)(Handle, double x[], size_t n) {
    std::fill(x, x + n, 1.0);
    return OK;
}
WW_EXPORT Status WW_FMI(GetEventIndicators)(Handle c, double z[], size_t n) {
    if (n != size_t(of(c).fmu->indicator_count())) return refuse(c, "this is not the number of its event indicators");
    return of(c).answer(of(c).fmu->indicators(z), DISCARD);
}
