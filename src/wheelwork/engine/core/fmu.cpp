#include "fmu.hpp"

#include <cmath>

#include "finished.hpp"
#include "fmu_corners.hpp"
#include "fmu_image.hpp"
#include "fmu_moments.hpp"
#include "reduced.hpp"

extern "C" {
ww::System* ww_create(const ww::Program* program);
void ww_destroy(ww::System* system);
void ww_stabilise(ww::System* system, int method, const double* values, int iterations);
ww::ReducedSystem* ww_reduced_create(ww::System* system, const ww::TreeTables* tables);
#define WW_METHOD(name) \
    int name(ww::EquationsOfMotion*, const ww::Options*, const void*, const double*, int, double*, ww::Report*, ww::Finished**)
WW_METHOD(ww_integrate_dopri5);
WW_METHOD(ww_integrate_dop853);
WW_METHOD(ww_integrate_rk4);
WW_METHOD(ww_integrate_sdirk4);
WW_METHOD(ww_integrate_reduced_sdirk4);
#undef WW_METHOD
}

namespace ww {

namespace {

const char* outcome_words(int outcome) {
    switch (outcome) {
        case TOO_MANY_STEPS: return "gave up after too many steps";
        case STEP_TOO_SMALL: return "no step is small enough for the tolerances";
        case NOT_FINITE: return "a force, constraint or block returned a number that is not finite";
        case CONSTRAINTS_LOST: return "positions cannot be brought back onto the constraints";
        case NEWTON_FAILED: return "the equations of an implicit stage could not be solved";
        case FRICTION_UNSOLVED: return "no friction forces fit the reactions that they themselves cause";
        case TOO_MANY_EVENTS: return "too many events one right after the other";
        case TEETH_SKIPPED: return "the load pushed a tooth of a mesh past the next one";
        case TEETH_TOO_DEEP: return "teeth were pressed into each other deeper than their model holds";
        case UNSTABLE: return "the fixed step is too long: the motion grew without bound";
        case BRANCH_IN_DOUBT: return "it went through a singular position without stabilisation";
        case CLUTCH_REFUSED: return "a clutch was asked to close at too high a speed";
        case OUT_OF_MEMORY: return "there is not enough memory";
        default: return "the run failed inside";
    }
}

class Instance : public Fmu {
  public:
    Instance(std::unique_ptr<Image> image, bool exchange)
        : image_(std::move(image)), M(*reinterpret_cast<const FmuModel*>(image_->root)), P(*M.program), exchange_(exchange), corners_(M) {
        system_.reset(ww_create(&P));
        ww_stabilise(system_.get(), M.stabilisation, M.stabilisation_values, M.stabilisation_iterations);
        if (M.tree) {
            reduced_.reset(ww_reduced_create(system_.get(), M.tree));
            ww_stabilise(&reduced_->absolute, M.stabilisation, M.stabilisation_values, M.stabilisation_iterations);
        }
        E = M.tree ? static_cast<EquationsOfMotion*>(reduced_.get()) : system_.get();
        S = &E->absolute;
        initial_data_.assign(P.data, P.data + M.data_size);
        if (M.renewed) initial_direct_.assign(M.tree->direct_numbers, M.tree->direct_numbers + direct_size());
        options_ = *M.options;
        clear();
    }

    const FmuModel& model() const override { return M; }
    double time() const override { return origin_ + now_; }
    bool over() const override { return over_; }

    bool set_start(double start) override {
        if (M.fixed_start && start != M.start)
            return fail("motions are prescribed by functions of time, and it is assembled for the start time " + std::to_string(M.start) +
                        " s: begin there");
        origin_ = start;
        return true;
    }
    void set_stop(double stop) override { stop_ = stop; }
    void set_tolerance(double tolerance) override { tolerance_ = tolerance; }

    bool reset() override {
        std::copy(initial_data_.begin(), initial_data_.end(), const_cast<double*>(P.data));
        if (M.renewed) std::copy(initial_direct_.begin(), initial_direct_.end(), const_cast<double*>(M.tree->direct_numbers));
        clear();
        return true;
    }

    bool initialise() override {
        if (!make_current()) return false;
        initialised_ = true;
        return true;
    }

    // ---- variables

    bool get(const unsigned* which, size_t count, double* values) override {
        for (size_t i = 0; i < count; ++i) {
            if (which[i] >= unsigned(M.variables)) return fail("there is no variable " + std::to_string(which[i]));
            const VariableRow& v = M.variable[which[i]];
            if (v.kind >= STATE && v.kind <= OUTPUT && !look(v.kind)) return false;
            switch (v.kind) {
                case CLOCK: values[i] = time(); break;
                case PARAMETER: values[i] = parameters_[v.index]; break;
                case INPUT: values[i] = inputs_[v.index]; break;
                case STATE: values[i] = here_y_[v.index]; break;
                case RATE: values[i] = here_dy_[v.index]; break;
                case INDICATOR: {
                    if (!exchange_) return fail("event indicators are those of model exchange");
                    indicators_.resize(indicator_count());
                    if (!indicators(indicators_.data())) return false;
                    values[i] = indicators_[v.index];
                    break;
                }
                case OUTPUT: values[i] = outputs_[v.index]; break;
                default: values[i] = M.value[which[i]];
            }
        }
        return true;
    }

    bool set(const unsigned* which, size_t count, const double* values) override {
        for (size_t i = 0; i < count; ++i) {
            if (which[i] >= unsigned(M.variables)) return fail("there is no variable " + std::to_string(which[i]));
            if (!std::isfinite(values[i])) return fail("variable " + std::to_string(which[i]) + " was given a number that is not finite");
            const VariableRow& v = M.variable[which[i]];
            if (v.kind == PARAMETER) {
                if (parameters_[v.index] == values[i]) continue;
                parameters_[v.index] = values[i];
                numbers_changed_ = true;
            } else if (v.kind == INPUT) {
                if (inputs_[v.index] == values[i]) continue;
                inputs_[v.index] = values[i];
                given_[v.index] = values[i];
                input_changed_ = true;
            } else if (v.kind == STATE && exchange_ && begun_) {
                moments_->state()[v.index] = values[i];
            } else {
                return fail("variable " + std::to_string(which[i]) + " cannot be set");
            }
            looked_ = 0;
        }
        return true;
    }

    // ---- co-simulation

    bool step(double from, double size) override {
        if (over_) return fail("the run has ended: " + ended_);
        const double slack = 1e-9 * std::fmax(size, std::fabs(from) * 1e-6);
        if (std::fabs(from - time()) > slack + 1e-12)
            return fail("a step must begin where the last one ended, at " + std::to_string(time()) + " s, and not at " + std::to_string(from) + " s");
        if (!(size > 0)) return fail("a step must be longer than zero");
        if (!make_current()) return false;
        const double end = from + size - origin_;
        return piece(end, !was_set_, true);
    }

    // ---- model exchange

    void set_time(double t) override {
        now_ = t - origin_;
        looked_ = 0;
        if (M.prescribed) numbers_changed_ = true;  // they are for this moment
    }

    void set_states(const double* x) override {
        for (int k = 0; k < M.states; ++k) moments_->state()[M.state_place[k]] = x[k];
        looked_ = 0;
    }

    bool states(double* x) override {
        if (!make_current()) return false;
        for (int k = 0; k < M.states; ++k) x[k] = moments_->state()[M.state_place[k]];
        return true;
    }

    bool derivatives(double* dx) override {
        if (!look(RATE)) return false;
        for (int k = 0; k < M.states; ++k) dx[k] = here_dy_[M.state_place[k]];
        return true;
    }

    int indicator_count() override { return P.events + P.frictions + P.contacts; }

    bool indicators(double* z) override {
        if (!make_current()) return false;
        return attempt([&] { moments_->indicators(now_, z); });
    }

    bool completed_step(bool& event) override {
        event = false;
        if (!make_current()) return false;
        const double known = moments_->next_time();
        if (!now_on_horizon()) return false;
        return attempt([&] {
            const double drift = moments_->drift(now_);
            if (std::isinf(drift)) return void(failed_inside_ = CONSTRAINTS_LOST);
            event = drift > std::fmax(1e-10, 0.1 * tolerance_) || moments_->next_time() < known;  // or it is to be told of a corner
        });
    }

    bool happens(bool& states_changed, bool& next_defined, double& next) override {
        if (!make_current() || !now_on_horizon()) return false;
        const std::vector<double> before = moments_->state();
        int outcome = REACHED_END;
        if (!attempt([&] { outcome = moments_->happens(now_); })) return false;
        if (outcome != REACHED_END) {
            over_ = true, ended_ = outcome_words(outcome);
            return fail(ended_);
        }
        states_changed = before != moments_->state();
        for (int k = 0; k < P.states; ++k) inputs_[k] = moments_->state()[E->first_state + k];
        next = origin_ + moments_->next_time();
        next_defined = std::isfinite(next);
        looked_ = 0;
        return true;
    }

    // ---- derivatives in a direction

    bool directional(const unsigned* unknown, size_t unknowns, const unsigned* known, size_t knowns, const double* seed, double* sensitivity) override {
        std::vector<unsigned> others;
        std::vector<size_t> places;
        if (!make_current()) return false;
        const bool exact = by_tangent(known, knowns, seed);
        for (size_t i = 0; i < unknowns; ++i) {
            if (exact && unknown[i] < unsigned(M.variables) && M.variable[unknown[i]].kind == RATE) {
                sensitivity[i] = tangent_[M.variable[unknown[i]].index];
            } else {
                others.push_back(unknown[i]), places.push_back(i);
            }
        }
        std::vector<double> found(others.size());
        if (!others.empty() && !by_differences(others.data(), others.size(), known, knowns, seed, found.data())) return false;
        for (size_t i = 0; i < others.size(); ++i) sensitivity[places[i]] = found[i];
        return true;
    }

    // Rates in a direction of states and inputs, from code that was derived: into `tangent_`. False where there is none for these.
    bool by_tangent(const unsigned* known, size_t knowns, const double* seed) {
        if (!M.tangent || !exchange_) return false;
        std::vector<double> direction(E->n, 0.0);
        for (size_t i = 0; i < knowns; ++i) {
            if (known[i] >= unsigned(M.variables)) return false;
            const VariableRow& v = M.variable[known[i]];
            if (v.kind != STATE && v.kind != INPUT) return false;
            direction[v.kind == STATE ? v.index : E->first_state + v.index] += seed[i];
        }
        const double here = moments_->on_this_side(now_), t = here + origin_;
        S->frames.functions_of_time(here);
        tangent_.assign(E->n, 0.0);
        const double* in[5] = {&t, moments_->state().data(), S->frames.input.data(), M.tree->direct_numbers, direction.data()};
        double* out[1] = {tangent_.data()};
        M.tangent[0](in, out);
        return true;
    }

    // The others by differences of order four.
    bool by_differences(const unsigned* unknown, size_t unknowns, const unsigned* known, size_t knowns, const double* seed, double* sensitivity) {
        std::vector<double> at(knowns), moved(knowns), found(unknowns);
        if (!get(known, knowns, at.data())) return false;
        double size = 0;
        for (size_t i = 0; i < knowns; ++i) size = std::fmax(size, std::fabs(seed[i]));
        std::fill(sensitivity, sensitivity + unknowns, 0.0);
        if (size == 0) return true;
        double h = 1e-6;
        for (size_t i = 0; i < knowns; ++i)
            if (seed[i] != 0) h = std::fmax(h, 1e-6 * std::fmin(10.0, std::fabs(at[i])));
        h /= size;
        const double weights[4] = {-1.0 / 12, 8.0 / 12, -8.0 / 12, 1.0 / 12}, places[4] = {2, 1, -1, -2};
        bool good = true;
        for (int j = 0; j < 4 && good; ++j) {
            for (size_t i = 0; i < knowns; ++i) moved[i] = at[i] + places[j] * h * seed[i];
            good = set(known, knowns, moved.data()) && get(unknown, unknowns, found.data());
            for (size_t i = 0; i < unknowns; ++i) sensitivity[i] += weights[j] * found[i] / h;
        }
        return set(known, knowns, at.data()) && good;
    }

    // ---- saving

    std::vector<char> save() override {
        Carried c;
        carry(c);
        return std::move(c.bytes);
    }

    bool restore(const char* bytes, size_t size) override {
        if (!bytes || !size) return fail("there is no saved state");
        Carried c(bytes, size);
        carry(c);
        if (!c.whole) return fail("the saved state is not one of this model");
        apply_numbers();
        if (exchange_ && begun_) {
            if (!begin_moments(true)) return false;
            Carried inner(saved_moments_.data(), saved_moments_.size());
            moments_->carry(inner);
            if (!inner.whole) return fail("the saved state is not one of this model");
            moments_->corners(times_);
        }
        looked_ = 0;
        return true;
    }

  private:
    struct FreeSystem {
        void operator()(System* system) const { ww_destroy(system); }
    };

    bool fail(const std::string& why) {
        message = why;
        return false;
    }

    // Numbers that straight-line code takes are written by its own program; their count is where the next table begins.
    size_t direct_size() const { return size_t(M.renewal[0]); }

    void clear() {
        parameters_.assign(M.parameter, M.parameter + M.parameters);
        applied_ = parameters_;
        inputs_.assign(P.states, 0.0);
        const double* own = M.state + S->n - P.states;
        std::copy(own, own + P.states, inputs_.begin());
        given_.assign(P.states, NAN);
        carried_.clear(), record_.clear(), saved_moments_.clear();
        origin_ = M.start, now_ = 0, steps_ = 0, horizon_ = -1;
        stop_ = NAN;
        tolerance_ = 1e-6;
        begun_ = initialised_ = ahead_ = was_set_ = over_ = refresh_ = numbers_changed_ = input_changed_ = false;
        looked_ = 0;
        ended_.clear();
        moments_.reset();
    }

    template <class F>
    bool attempt(F&& f) {
        failed_inside_ = 0;
        const int code = guarded(f);
        if (code < 0) return fail(outcome_words(code));
        return failed_inside_ ? fail(outcome_words(failed_inside_)) : true;
    }

    void carry(Carried& c) {
        if (exchange_ && begun_ && c.whole && saving(c)) {
            Carried inner;
            moments_->carry(inner);
            moments_->corners(times_);
            saved_moments_ = inner.bytes;
        }
        c(parameters_), c(inputs_), c(given_), c(carried_), c(record_), c(here_y_), c(saved_moments_), c(origin_), c(now_), c(stop_), c(tolerance_), c(steps_);
        c(begun_), c(initialised_), c(ahead_), c(was_set_), c(over_), c(refresh_), c(numbers_changed_), c(input_changed_);
    }
    static bool saving(const Carried& c) { return c.writing(); }

    // ---- numbers

    void apply_numbers() {
        if (!M.numbers || parameters_ == applied_) return;
        std::vector<double> given(parameters_);
        for (int k = 0; k < M.prescribed; ++k) given[M.prescription[k].since] = time();
        double* data = const_cast<double*>(P.data);
        const double* in[1] = {given.data()};
        double* out[1] = {data};
        M.numbers[0](in, out);
        applied_ = M.prescribed ? std::vector<double>() : parameters_;
        if (!M.renewed) return;
        renewal_.assign(M.renewal + 2, M.renewal + 2 + size_t(M.renewal[1]));
        std::copy(data, data + M.data_size, renewal_.begin());
        const double* numbers[4] = {nullptr, nullptr, nullptr, renewal_.data()};
        double* direct[1] = {const_cast<double*>(M.tree->direct_numbers)};
        M.renewed[0](numbers, direct);
    }

    // Everything that was set taken into the run.
    bool make_current() {
        if (exchange_) {
            if (numbers_changed_) apply_numbers();
            const bool changed = numbers_changed_ || input_changed_;
            numbers_changed_ = false;
            if (!begun_ || (!initialised_ && changed)) {
                input_changed_ = false;
                return begin_moments(false);
            }
            if (input_changed_)
                for (int k = 0; k < P.states; ++k)
                    if (!std::isnan(given_[k])) moments_->state()[E->first_state + k] = given_[k];
            if (input_changed_) given_.assign(P.states, NAN);
            input_changed_ = false;
            return true;
        }
        if (!begun_ || (!initialised_ && (numbers_changed_ || input_changed_))) {
            apply_numbers();
            numbers_changed_ = input_changed_ = false;
            carried_.clear();
            begun_ = piece(0.0, false, true);
            return begun_;
        }
        if (!numbers_changed_ && !input_changed_) return true;
        was_set_ = true;
        if (ahead_ && !piece(now_, false, false)) return false;  // a step ends here, with the numbers from before
        if (numbers_changed_) apply_numbers();
        numbers_changed_ = input_changed_ = false;
        refresh_ = true;
        return true;
    }

    std::vector<double> start_state() {
        std::vector<double> absolute(M.state, M.state + S->n), y(E->n);
        std::copy(inputs_.begin(), inputs_.end(), absolute.end() - P.states);
        if (!reduced_) return absolute;
        reduced_->start(absolute.data(), M.rates, y.data());
        return y;
    }

    bool begin_moments(bool only_made) {
        S->frames.origin = origin_;
        if (!find_corners(0.0)) return false;
        Options o = options_;
        o.start = 0.0, o.end = INFINITY;
        o.corners = times_.data(), o.corner_count = int(times_.size());
        moments_ = std::make_unique<Moments>(*E, o);
        const std::vector<double> y = start_state();
        int outcome = REACHED_END;
        if (!attempt([&] { outcome = moments_->start(y.data()); })) return false;
        if (!only_made && outcome != REACHED_END) return fail(std::string("at the start: ") + outcome_words(outcome));
        begun_ = true;
        if (!only_made) given_.assign(P.states, NAN);
        return true;
    }

    // ---- a piece of a run: as if the run were longer, or to its very end

    bool piece(double end, bool ahead, bool with_record) {
        S->frames.origin = origin_;
        if (!find_corners(end)) return false;
        Options o = options_;
        o.start = 0.0;
        o.end = ahead ? 1e9 : end;
        o.until = ahead ? end : INFINITY;
        o.hand_over = ahead ? AS_IF_LONGER : THE_END;
        o.corners = times_.data(), o.corner_count = int(times_.size());
        o.carried = carried_.empty() ? nullptr : carried_.data();
        o.carried_bytes = (long long)carried_.size();
        o.refresh = refresh_;
        o.held = refresh_ ? given_.data() : nullptr;
        o.max_steps += steps_;
        if (ahead && P.events + P.contacts + P.frictions) o.largest_step = std::fmin(o.largest_step, end - now_);
        std::vector<double> y = start_state();
        Report report{};
        Finished* finished = nullptr;
        const int code = integrate(&o, with_record ? &end : nullptr, with_record, y.data(), &report, &finished);
        if (code < 0) return fail(outcome_words(code));
        const std::unique_ptr<Finished> kept(finished);
        steps_ = report.steps;
        carried_ = std::move(kept->carried);
        const size_t width = record_size(*S);
        if (kept->records.size() >= width) record_.assign(kept->records.end() - width, kept->records.end());
        now_ = report.outcome == REACHED_END ? end : report.t;
        here_y_ = std::move(y);
        looked_ = 0;
        if (report.outcome != REACHED_END) {
            over_ = true;
            ended_ = std::string(outcome_words(report.outcome)) + ", at " + std::to_string(time()) + " s";
            return fail(ended_);
        }
        ahead_ = ahead, refresh_ = false;
        given_.assign(P.states, NAN);
        if (!record_.empty())
            for (int k = 0; k < P.states; ++k) inputs_[k] = record_[1 + S->n - P.states + k];
        return true;
    }

    int integrate(const Options* o, const double* grid, int size, double* y, Report* report, Finished** finished) {
        switch (M.method) {
            case DOP853: return ww_integrate_dop853(E, o, M.implicit, grid, size, y, report, finished);
            case RK4: return ww_integrate_rk4(E, o, M.implicit, grid, size, y, report, finished);
            case SDIRK4:
                return (reduced_ ? ww_integrate_reduced_sdirk4 : ww_integrate_sdirk4)(E, o, M.implicit, grid, size, y, report, finished);
            default: return ww_integrate_dopri5(E, o, M.implicit, grid, size, y, report, finished);
        }
    }

    // Corners up to an end, and beyond: steps are those of a longer run.
    bool find_corners(double end) {
        if (end + (end - now_) <= horizon_) return true;
        horizon_ = std::fmax(2 * std::fmax(end, std::fmax(2 * (end - now_), 1e-3)), std::isfinite(stop_) ? stop_ - origin_ : 0.0);
        return attempt([&] {
            times_ = corners_.find(origin_, origin_ + horizon_);
            for (double& t : times_) t -= origin_;
        });
    }

    bool now_on_horizon() {
        if (now_ < 0.5 * horizon_) return true;
        if (!find_corners(std::fmax(now_, horizon_))) return false;
        moments_->corners(times_);
        return true;
    }

    // ---- what there is to see at this moment: 1 the state, 2 its derivative, 3 outputs

    bool look(int kind) {
        if (!make_current()) return false;
        if (exchange_) {
            if (looked_ < 2 && kind != STATE) {
                if (!attempt([&] { here_dy_ = moments_->derivative(now_); })) return false;
                looked_ = 2;
            }
            here_y_ = moments_->state();
        } else if (kind == RATE && looked_ < 2) {
            if (P.frictions + P.contacts)
                return fail("derivatives are not known in co-simulation where joints stick or contacts close: take model exchange");
            here_dy_.resize(here_y_.size());
            if (!attempt([&] { E->derivative(now_, here_y_.data(), here_dy_.data()); })) return false;
            looked_ = 2;
        }
        if (kind == OUTPUT && looked_ < 3) {
            if (!find_outputs()) return false;
            looked_ = 3;
        }
        return true;
    }

    bool find_outputs() {
        outputs_.resize(M.outputs + 1);
        if (!M.outputs) return true;
        return attempt([&] {
            const double t = time();
            const double *state, *acceleration, *multipliers, *friction;
            if (exchange_) {
                state = E->stored_state(moments_->on_this_side(now_), moments_->state().data());
                acceleration = S->kkt.acceleration.data();
                flat_.clear();
                S->kkt.append_multipliers(flat_);
                flat_.push_back(0.0);
                multipliers = flat_.data();
                friction = S->loads.friction_force.data();
            } else {
                std::copy(inputs_.begin(), inputs_.end(), record_.begin() + 1 + S->n - P.states);
                state = record_.data() + 1;
                acceleration = state + S->n;
                multipliers = acceleration + S->frames.nv;
                friction = record_.data() + record_.size() - P.frictions;
                S->frames.origin = origin_;
                S->frames.place_positions(state, false);
                S->frames.place_velocities(state);
                S->frames.functions_of_time(now_);
                S->frames.count_turns(state);
            }
            const double* in[7] = {&t, state, acceleration, multipliers, friction, S->frames.input.data(), P.data};
            double* out[1] = {outputs_.data()};
            M.output[0](in, out);
        });
    }

    std::unique_ptr<Image> image_;
    const FmuModel& M;
    const Program& P;
    const bool exchange_;
    Corners corners_;
    std::unique_ptr<System, FreeSystem> system_;
    std::unique_ptr<ReducedSystem> reduced_;
    EquationsOfMotion* E = nullptr;
    System* S = nullptr;
    std::unique_ptr<Moments> moments_;
    Options options_;
    std::vector<double> initial_data_, initial_direct_, parameters_, applied_, inputs_, given_, renewal_, record_, times_, flat_;
    std::vector<double> here_y_, here_dy_, outputs_, indicators_, tangent_;
    std::vector<char> carried_, saved_moments_;
    double origin_ = 0, now_ = 0, stop_ = NAN, tolerance_ = 1e-6, horizon_ = -1;
    long long steps_ = 0;
    bool begun_ = false, initialised_ = false, ahead_ = false, was_set_ = false, over_ = false, refresh_ = false;
    bool numbers_changed_ = false, input_changed_ = false;
    int looked_ = 0, failed_inside_ = 0;
    std::string ended_;
};

}  // namespace

std::unique_ptr<Fmu> Fmu::load(const std::string& resources, const std::string& token, bool exchange, std::string& message) {
#if defined(__x86_64__)
    const char* file = "/model-x86_64.bin";
    if (!has_avx2_and_fma()) {
        message = "this processor is too old for this FMU: it needs AVX2 and FMA (x86-64-v3)";
        return nullptr;
    }
#else
    const char* file = "/model-aarch64.bin";
#endif
    auto image = std::make_unique<Image>();
    message = image->load(resources + file);
    if (!message.empty()) return nullptr;
    const FmuModel& model = *reinterpret_cast<const FmuModel*>(image->root);
    if (token != model.token) {
        message = "the description of this FMU belongs to another model than its resources";
        return nullptr;
    }
    std::unique_ptr<Fmu> made;
    const int code = guarded([&] { made = std::make_unique<Instance>(std::move(image), exchange); });
    if (code < 0) message = outcome_words(code);
    return made;
}

}  // namespace ww
