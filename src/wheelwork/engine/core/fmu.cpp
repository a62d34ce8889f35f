// An instance of an FMU: variables, initialisation, and either pieces of a run (co-simulation) or moments of one (model exchange).
#include "fmu.hpp"

#include <cmath>

#include "fmu_corners.hpp"
#include "fmu_directional.hpp"
#include "fmu_moments.hpp"
#include "fmu_pieces.hpp"
#include "outcome_words.hpp"
#include "sealed.hpp"

namespace ww {

namespace {

class Instance : public Fmu {
  public:
    Instance(std::unique_ptr<Image> image, bool exchange)
        : mechanism_(std::move(image)), M(mechanism_.M), P(mechanism_.P), E(mechanism_.E), S(mechanism_.S), exchange_(exchange), given_(M),
          corners_(M), pieces_(mechanism_, given_) {
        clear();
    }

    const FmuModel& model() const override { return M; }
    double time() const override { return origin_ + now_; }
    bool over() const override { return over_; }

    bool set_start(double start) override {
        if (M.fixed_start && start != M.start)
            return fail("motions are prescribed by functions of time, and it is assembled for the start time " + std::to_string(M.start) +
                        " s: begin there");
        if (start == origin_) return true;
        origin_ = start;
        begun_ = false;  // a look before this was at another moment
        corners_.forget();
        return true;
    }
    void set_stop(double stop) override { stop_ = stop; }
    void set_tolerance(double tolerance) override { tolerance_ = tolerance; }

    bool reset() override {
        mechanism_.reset();
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
                case PARAMETER: values[i] = given_.parameters[v.index]; break;
                case INPUT: values[i] = given_.inputs[v.index]; break;
                case STATE: values[i] = state()[v.index]; break;
                case RATE: values[i] = rates_[v.index]; break;
                case INDICATOR: {
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
                given_.set_parameter(v.index, values[i], time());
            } else if (v.kind == INPUT) {
                given_.set_input(v.index, values[i]);
            } else if (v.kind == STATE && exchange_ && begun_) {
                moments_->state()[v.index] = values[i];
            } else {
                return fail("variable " + std::to_string(which[i]) + " cannot be set");
            }
            unknown_here();
        }
        return true;
    }

    // ---- co-simulation

    bool step(double from, double size) override {
        if (exchange_) return fail("this instance was made for model exchange: others make its steps");
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

    bool set_time(double t) override {
        if (!of_exchange()) return false;
        now_ = t - origin_;
        unknown_here();
        return true;
    }

    bool set_states(const double* x) override {
        if (!of_exchange() || !make_current()) return false;
        for (int k = 0; k < M.states; ++k) moments_->state()[M.state_place[k]] = x[k];
        unknown_here();
        return true;
    }

    bool states(double* x) override {
        if (!look(STATE)) return false;
        for (int k = 0; k < M.states; ++k) x[k] = state()[M.state_place[k]];
        return true;
    }

    bool derivatives(double* dx) override {
        if (!look(RATE)) return false;
        for (int k = 0; k < M.states; ++k) dx[k] = rates_[M.state_place[k]];
        return true;
    }

    int indicator_count() override { return P.events + P.frictions + P.contacts; }

    bool indicators(double* z) override {
        if (!of_exchange() || !make_current()) return false;
        moments_->indicators(now_, z);
        return true;
    }

    bool completed_step(bool& event) override {
        event = false;
        if (!of_exchange() || !make_current()) return false;
        const double known = moments_->next_time();
        reach_beyond();
        const double drift = moments_->drift(now_);
        if (std::isinf(drift)) return fail(outcome_words(CONSTRAINTS_LOST));
        event = drift > std::fmax(1e-10, 0.1 * tolerance_) || moments_->next_time() < known;  // or it is to be told of a corner
        return true;
    }

    bool happens(bool& states_changed, bool& next_defined, double& next) override {
        if (!of_exchange() || !make_current()) return false;
        reach_beyond();
        const std::vector<double> before = moments_->state();
        const int outcome = moments_->happens(now_);
        if (outcome != REACHED_END) return end_for_good(outcome_words(outcome));
        states_changed = before != moments_->state();
        given_.read(&moments_->state()[E.first_state]);
        next = origin_ + moments_->next_time();
        next_defined = std::isfinite(next);
        unknown_here();
        return true;
    }

    // ---- derivatives in a direction: of rates by states and inputs from code that was derived, where there is some; the others by differences

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
        if (!others.empty() && !directional_by_differences(*this, others.data(), others.size(), known, knowns, seed, found.data())) return false;
        for (size_t i = 0; i < others.size(); ++i) sensitivity[places[i]] = found[i];
        return true;
    }

    // ---- saving

    std::vector<char> save() override {
        if (begun_ && !over_) make_current();  // a step that what was set brings to its end has the numbers from before
        Carried c;
        carry(c);
        return sealed(std::move(c.bytes), M.token);
    }

    bool restore(const char* bytes, size_t size) override {
        if (!bytes || !size) return fail("there is no saved state");
        if (!unsealed(bytes, size, M.token)) return fail("the saved state is not one of this model, or not as it was saved");
        Carried c(bytes, size);
        carry(c);
        mechanism_.set_parameters(given_.parameters);
        if (exchange_ && begun_) {
            if (!begin_moments(true)) return false;
            Carried inner(saved_moments_.data(), saved_moments_.size());
            moments_->carry(inner);
            moments_->corners(corners_.times);
        }
        unknown_here();
        return true;
    }

  private:
    bool fail(const std::string& why) {
        message = why;
        return false;
    }

    bool end_for_good(const std::string& why) {
        over_ = true, ended_ = why;
        return fail(ended_);
    }

    bool of_exchange() { return exchange_ || fail("this instance was made for co-simulation, and this is of model exchange"); }

    void clear() {
        given_.reset(M.state + S.n - P.states);
        pieces_.reset();
        saved_moments_.clear();
        corners_.forget();
        origin_ = M.start, now_ = 0;
        stop_ = NAN;
        tolerance_ = 1e-6;
        begun_ = initialised_ = was_set_ = over_ = false;
        unknown_here();
        ended_.clear();
        moments_.reset();
    }

    void carry(Carried& c) {
        if (exchange_ && begun_ && c.writing()) {
            Carried inner;
            moments_->carry(inner);
            moments_->corners(corners_.times);
            saved_moments_ = inner.bytes;
        }
        given_.carry(c);
        pieces_.carry(c);
        c(saved_moments_), c(origin_), c(now_), c(stop_), c(tolerance_), c(begun_), c(initialised_), c(was_set_), c(over_);
    }

    // ---- everything that was set taken into the run

    bool make_current() { return exchange_ ? make_moment_current() : make_piece_current(); }

    bool make_moment_current() {
        if (given_.numbers_changed) mechanism_.set_parameters(given_.parameters);
        const bool changed = given_.numbers_changed || given_.input_changed;
        given_.numbers_changed = false;
        if (!begun_ || (!initialised_ && changed)) {
            given_.input_changed = false;
            return begin_moments(false);
        }
        if (!given_.input_changed) return true;
        for (int k = 0; k < P.states; ++k)
            if (!std::isnan(given_.given[k])) moments_->state()[E.first_state + k] = given_.given[k];
        given_.taken();
        given_.input_changed = false;
        return true;
    }

    bool make_piece_current() {
        const bool changed = given_.numbers_changed || given_.input_changed;
        if (!begun_ || (!initialised_ && changed)) {
            mechanism_.set_parameters(given_.parameters);
            given_.taken();
            given_.numbers_changed = given_.input_changed = false;
            pieces_.begin_anew();
            begun_ = piece(0.0, false, true);
            return begun_;
        }
        if (!changed) return true;
        was_set_ = true;
        if (pieces_.ahead && !piece(now_, false, false)) return false;  // a step ends here, with the numbers from before
        if (given_.numbers_changed) mechanism_.set_parameters(given_.parameters);
        given_.numbers_changed = given_.input_changed = false;
        pieces_.refresh = true;
        return true;
    }

    bool begin_moments(bool only_made) {
        S.frames.origin = origin_;
        corners_.find(origin_, now_, 0.0, stop_);
        Options o = *M.options;
        o.start = 0.0, o.end = INFINITY;
        o.corners = corners_.times.data(), o.corner_count = int(corners_.times.size());
        moments_ = std::make_unique<Moments>(E, o);
        const int outcome = moments_->start(mechanism_.start_state(given_.inputs).data());
        if (!only_made && outcome != REACHED_END) return fail(std::string("at the start: ") + outcome_words(outcome));
        begun_ = true;
        if (!only_made) given_.taken();
        return true;
    }

    bool piece(double end, bool ahead, bool with_record) {
        S.frames.origin = origin_;
        corners_.find(origin_, now_, end, stop_);
        Report report{};
        const int code = pieces_.run(now_, end, ahead, with_record, corners_.times, report);
        if (code < 0) return fail(outcome_words(code));
        now_ = report.outcome == REACHED_END ? end : report.t;
        unknown_here();
        return report.outcome == REACHED_END || end_for_good(std::string(outcome_words(report.outcome)) + ", at " + std::to_string(time()) + " s");
    }

    void reach_beyond() {
        if (corners_.reach_beyond(origin_, now_, stop_)) moments_->corners(corners_.times);
    }

    // ---- what there is to see at this moment

    const std::vector<double>& state() const { return exchange_ ? moments_->state() : pieces_.state; }

    bool look(int kind) {
        if (!make_current()) return false;
        if (kind == STATE) return true;
        if (!rates_known_ && (exchange_ || kind == RATE) && !find_rates()) return false;
        if (!outputs_known_ && kind == OUTPUT) find_outputs();
        return true;
    }

    void unknown_here() { rates_known_ = outputs_known_ = false; }

    bool find_rates() {
        if (exchange_) {
            rates_ = moments_->derivative(now_);
            return rates_known_ = true;
        }
        if (P.frictions + P.contacts)
            return fail("derivatives are not known in co-simulation where joints stick or contacts close: take model exchange");
        rates_.resize(E.n);
        E.derivative(now_, pieces_.state.data(), rates_.data());
        return rates_known_ = true;
    }

    void find_outputs() {
        outputs_.resize(M.outputs + 1);
        outputs_known_ = true;
        if (!M.outputs) return;
        const double t = time();
        const double *state, *acceleration, *multipliers, *friction;
        if (exchange_) {
            state = E.stored_state(moments_->on_this_side(now_), moments_->state().data());
            acceleration = S.kkt.acceleration.data();
            flat_.clear();
            S.kkt.append_multipliers(flat_);
            flat_.push_back(0.0);
            multipliers = flat_.data();
            friction = S.loads.friction_force.data();
        } else {
            std::copy(given_.inputs.begin(), given_.inputs.end(), pieces_.own_states());
            state = pieces_.record.data() + 1;
            acceleration = state + S.n;
            multipliers = acceleration + S.frames.nv;
            friction = pieces_.record.data() + pieces_.record.size() - P.frictions;
            S.frames.origin = origin_;
            S.frames.place_positions(state, false);
            S.frames.place_velocities(state);
            S.frames.functions_of_time(now_);
            S.frames.count_turns(state);
        }
        const double* in[7] = {&t, state, acceleration, multipliers, friction, S.frames.input.data(), P.data};
        double* out[1] = {outputs_.data()};
        M.output[0](in, out);
    }

    // Rates in a direction of states and inputs, into `tangent_`. False where there is no code for these.
    bool by_tangent(const unsigned* known, size_t knowns, const double* seed) {
        if (!M.tangent || !exchange_) return false;
        std::vector<double> direction(E.n, 0.0);
        for (size_t i = 0; i < knowns; ++i) {
            if (known[i] >= unsigned(M.variables)) return false;
            const VariableRow& v = M.variable[known[i]];
            if (v.kind != STATE && v.kind != INPUT) return false;
            direction[v.kind == STATE ? v.index : E.first_state + v.index] += seed[i];
        }
        const double here = moments_->on_this_side(now_), t = here + origin_;
        S.frames.functions_of_time(here);
        tangent_.assign(E.n, 0.0);
        const double* in[5] = {&t, moments_->state().data(), S.frames.input.data(), M.tree->direct_numbers, direction.data()};
        double* out[1] = {tangent_.data()};
        M.tangent[0](in, out);
        return true;
    }

    FmuMechanism mechanism_;
    const FmuModel& M;
    const Program& P;
    EquationsOfMotion& E;
    System& S;
    const bool exchange_;
    FmuInputs given_;
    CornersAhead corners_;
    FmuPieces pieces_;                  // of co-simulation
    std::unique_ptr<Moments> moments_;  // of model exchange
    std::vector<double> rates_, outputs_, indicators_, tangent_, flat_;
    std::vector<char> saved_moments_;
    double origin_ = 0, now_ = 0, stop_ = NAN, tolerance_ = 1e-6;
    bool begun_ = false, initialised_ = false, was_set_ = false, over_ = false;
    bool rates_known_ = false, outputs_known_ = false;  // of this moment
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
    if (token != reinterpret_cast<const FmuModel*>(image->root)->token) {
        message = "the description of this FMU belongs to another model than its resources";
        return nullptr;
    }
    return std::make_unique<Instance>(std::move(image), exchange);
}

}  // namespace ww
