// A simulation from start to end: steps, projection, events, output on a grid.
#pragma once

#include <chrono>

#include "methods.hpp"
#include "switching.hpp"

namespace ww {

enum Outcome {
    REACHED_END = 0,
    INTERRUPTED = 1,
    TOO_MANY_STEPS = 2,
    STEP_TOO_SMALL = 3,
    NOT_FINITE = 4,
    CONSTRAINTS_LOST = 5,
    NEWTON_FAILED = 6,
    FRICTION_UNSOLVED = 7,
    STOPPED_BY_EVENT = 8,
    TOO_MANY_EVENTS = 9,
    TEETH_SKIPPED = 10,
    TEETH_TOO_DEEP = 11,
    UNSTABLE = 12,
    BRANCH_IN_DOUBT = 13,
    CLUTCH_REFUSED = 14,
};

struct Options {
    double start, end, step, rtol, atol, projection_tolerance, event_tolerance, smallest_step, largest_step;
    long long max_steps;
    int store_steps;
    int stop_at_skip;
    int states_only;  // whether accelerations, multipliers and friction forces are left out of the records
    int (*progress)(double t, long long steps);  // called now and then; an odd answer: stop; 2 or 3: call `keep` first
    const double* corners;  // times at which functions of time are not smooth: no step goes over one
    int corner_count;
    // what was found since the last call, and what a run needs to go on from here (`Carried`)
    void (*keep)(const double* records, long long numbers, const double* sides, long long side_numbers, const EventRecord* events, long long count,
                 const char* carried, long long bytes);
    const char* carried;  // from a run that ended here; null for one that begins
    long long carried_bytes;
    int refresh;     // whether numbers of the elements are others than in the run from which `carried` is
    const double* held;  // then: the elements' own states, not a number for those that stay as they are; may be null
    int hand_over;   // see `HandOver`
    double until;    // where a run ends whose steps do not know of it; infinite for one that goes to `end`
};

// What a run leaves for another that goes on from its end: nothing, the last state from which on its steps are those of a longer run,
// or the end itself.
enum HandOver { NOTHING = 0, AS_IF_LONGER = 1, THE_END = 2 };

struct Report {
    int outcome;
    int worst_constraint;
    int bad_force;  // the force that returned a number that is not finite, or whose teeth skipped; or -1
    double t, worst_residual, last_step;
    double amplification;  // of the friction that could not be solved, in the worst constraint; 0: not known
    double furthest;       // time up to which the steps looked for corners
    double refused_speed;  // at which a clutch, in the worst constraint, was asked to close ...
    double allowed_speed;  // ... and up to which it does; 0: it is a one-way clutch that began against its direction
    long long steps, rejected, evaluations, factorisations, newton_iterations;
};

// Numbers in one output record: time, state; unless these are all, accelerations, multipliers, friction forces.
inline size_t record_size(const System& S, bool states_only = false) {
    size_t rows = 0;
    if (states_only) return 1 + S.n;
    for (int r : S.constraints.rows) rows += r;
    return 1 + S.n + S.frames.nv + rows + S.P.frictions;
}

// What a method knows of the last step, where the next one depends on it.
template <class Method>
auto carry_method(Method& method, Carried& c, int) -> decltype(method.carry(c)) {
    return method.carry(c);
}
template <class Method>
void carry_method(Method&, Carried&, long) {}

template <class Method>
class Run {
  public:
    Run(EquationsOfMotion& equations, Method& method, const Options& options, const double* grid, int grid_size)
        : E(equations), S(equations.absolute), P(S.P), M(method), O(options), grid_(grid), grid_size_(grid_size), switching_(equations) {
        for (int k = 0; k < P.forces; ++k)
            if (P.force[k].sample >= 0) sampled_.push_back(k);
    }

    std::vector<double> records;     // see `record_size`
    std::vector<double> sides;       // records of both sides of every event at which a mode changes or a speed jumps, in pairs
    std::vector<char> handed_over;   // see `HandOver`
    std::vector<EventRecord>& events() { return switching_.log; }
    Report report{};

    void integrate(double* y) {
        s_.begin(y, E.n);
        E.cap_sizes(s_.cap.data());
        work_ = s_.y0;
        records.reserve(record_size(S, O.states_only) * size_t(grid_size_));
        t_ = O.corner_count && O.corners[0] <= O.start + past(O.start) ? O.start + past(O.start) : O.start;
        t_then_ = O.start;
        report.worst_constraint = report.bad_force = -1;
        const int outcome = go();
        if (stored_before_) drop_before();  // it did not come to the other side
        report.outcome = outcome;
        if (outcome == NOT_FINITE && report.bad_force < 0) blame();
        // a run that ends early keeps the moment it got to
        const bool known = !records.empty() && records[records.size() - record_size(S, O.states_only)] >= t_ - 3 * past(t_);
        if (outcome != REACHED_END && (report.steps > 0 || O.carried) && !known) store(t_, s_.y0);
        if (records.empty() && report.steps == 0 && !O.carried) store(O.start, s_.y0);  // and every run has its start
        std::copy(s_.y0.begin(), s_.y0.begin() + E.n, y);
        report.t = t_;
        report.last_step = s_.h;
        report.evaluations = S.evaluations;
        report.factorisations = S.schur.factorisations;
        if (outcome == CONSTRAINTS_LOST || outcome == NOT_FINITE) return;  // the report holds the residual that could not be taken away
        report.worst_constraint = -1;
        if (outcome == CLUTCH_REFUSED) {
            report.worst_constraint = P.friction[switching_.refused()].row;
            report.refused_speed = switching_.refused_speed();
            const FrictionRow& clutch = P.friction[switching_.refused()];
            if (clutch.dogs >= 0) report.allowed_speed = P.data[clutch.data + 3];
            return;
        }
        if (outcome == FRICTION_UNSOLVED && switching_.jammed() >= 0) {
            report.worst_constraint = P.friction[switching_.jammed()].joint;
            report.amplification = S.loads.amplification(switching_.jammed());
            return;
        }
        report.worst_residual = E.final_residual(t_, s_.y0.data(), &report.worst_constraint);
    }

  protected:  // `Moments` (fmu_moments.hpp) leaves the steps to others
    static constexpr double singular_tolerance = 1e-9;
    // Error, over its tolerance, up to which a step may have a jump of a force inside. Where the event is then located by an interpolation
    // of high order, that is wrong by up to 1e4 times the error of the step (its coefficients are of the size of 500, those of the estimate
    // of 0.01): such a step is made again, up to the jump.
    static constexpr double largest_across = Method::dense_evaluates ? 1e-4 : 1.0;
    static constexpr double closely = 1e-4;  // of a step: how closely a jump is located in one that has it inside
    static constexpr double small_error = -9.210340371976184;  // ln(1e-4), over its tolerance: what is smaller counts as much
    static constexpr double beyond_all_bounds = 1e15;  // m, m/s, rad or rad/s
    static constexpr long long enough_tries = 50000;
    long long tries_then_ = 0;
    double t_then_ = 0;
    bool branch_in_doubt_ = false;

    // The first evaluation of a run.
    int begin() {
        next_sample_.assign(sampled_.size(), 0.0);
        for (size_t i = 0; i < sampled_.size(); ++i) {
            const double *every = P.data + P.force[sampled_[i]].sample;
            next_sample_[i] = std::ceil((S.frames.origin + O.start - every[1]) / every[0] - at_sample);
        }
        const int sampled = P.measured ? REACHED_END : sample(O.start);
        if (sampled != REACHED_END) return sampled;
        if (!arrive_anew(t_, s_.y0, s_.first)) return CONSTRAINTS_LOST;
        if (P.meshes) {
            E.examine_meshes(t_, s_.y0.data());
            E.derivative(t_, s_.y0.data(), s_.first.data());
        }
        if (switching_.any()) {
            if (!switching_.start(t_, s_.y0.data(), s_.first.data())) return unsettled();
            switching_.read(t_, start_);
            switching_.note_forces(t_, start_, start_);
        }
        if (!S.loads.friction_converged) return no_friction();
        if (!finite(s_.first)) return NOT_FINITE;
        int outcome = change_modes();
        if (outcome == REACHED_END && P.measured) {  // which is known from here on
            outcome = sample(O.start);
            if (outcome == REACHED_END) outcome = look_again();
        }
        if (outcome != REACHED_END) return outcome;
        store_grid_until(t_, true);
        if (O.store_steps) store(t_, s_.y0);
        return REACHED_END;
    }

    // The state at hand with what has changed besides it: a function of time beyond its corner, other numbers.
    int look_again() {
        if (!arrive_anew(t_, s_.y0, s_.first)) return CONSTRAINTS_LOST;
        if (switching_.any()) {
            if (!switching_.settle(t_, s_.y0.data(), s_.first.data())) return unsettled();
            switching_.read(t_, start_);
        }
        return finite(s_.first) ? change_modes() : NOT_FINITE;
    }

    // ---- states of elements that jump: at samples, and where a block changes its mode

    static constexpr double at_sample = 1e-9;  // of a period: what times may differ by that are meant to be the same

    double sample_time(size_t i) const {
        const double* every = P.data + P.force[sampled_[i]].sample;
        return every[1] + next_sample_[i] * every[0] - S.frames.origin;
    }

    // Those that are due; all of them see the states from before.
    int sample(double when) {
        std::vector<int> due;
        for (size_t i = 0; i < sampled_.size(); ++i) {
            if (sample_time(i) > when + at_sample * P.data[P.force[sampled_[i]].sample]) continue;
            due.push_back(sampled_[i]);
            next_sample_[i] += 1;
        }
        for (int k : due)
            if (S.forces.measures(k)) {  // what there is in the modes that fit what functions of time have become
                const int outcome = look_again();
                if (outcome != REACHED_END) return outcome;
                break;
            }
        return due.empty() ? REACHED_END : update(due);
    }

    // What elements read at a state.
    void look_at_elements(double t, const std::vector<double>& y) {
        const double* here = E.absolute_state(y.data());
        S.frames.place(here);
        S.frames.functions_of_time(t);
        S.frames.count_turns(here);
    }

    // With what was last measured.
    int update(const std::vector<int>& forces) {
        look_at_elements(t_, s_.y0);
        std::vector<double> states(s_.y0.begin() + E.first_state, s_.y0.begin() + E.first_state + P.states);
        for (int k : forces) {
            double* out[1] = {&states[P.force[k].first_state]};
            P.jump[k](S.forces.inputs(k, t_), out);
            for (int i = 0; i < P.force[k].states; ++i)
                if (!(std::fabs(out[0][i]) < 1e300)) {
                    report.bad_force = k;
                    return NOT_FINITE;
                }
        }
        std::copy(states.begin(), states.end(), s_.y0.begin() + E.first_state);
        return REACHED_END;
    }

    // Blocks that change their mode here, one after the other. Needs the readings in start_.
    int change_modes() {
        if (!P.states || !switching_.any()) return REACHED_END;
        for (int round = 0; round < 100; ++round) {
            const int k = switching_.changing(start_);
            if (k < 0) return REACHED_END;
            const int force = P.event_kind[k].force;
            const int outcome = update({force});
            if (outcome != REACHED_END) return outcome;
            switching_.note_change(t_, k, s_.y0[E.first_state + P.force[force].first_state]);
            if (!arrive_anew(t_, s_.y0, s_.first)) return CONSTRAINTS_LOST;
            if (!switching_.settle(t_, s_.y0.data(), s_.first.data())) return unsettled();
            switching_.read(t_, start_);
        }
        return TOO_MANY_EVENTS;
    }

    int go() {
        int outcome = O.carried ? REACHED_END : begin();
        if (outcome != REACHED_END) return outcome;
        // with modes that may change, no step is longer than the output's own: at rest the error says nothing
        if (switching_.any_modes()) O.largest_step = std::fmin(O.largest_step, longest_interval());
        if (Method::adaptive) O.largest_step = float(O.largest_step);  // round-off in the times of a grid does not tell
        double h = O.step > 0 ? O.step : first_step();
        double last_size = small_error;  // of the error of the step before: its logarithm
        double usual = 0;   // length of the steps before one that was cut short
        double beyond = 0;  // the end of the step at hand: within what time a force jumps, right before which it is to end
        bool watch = false;  // whether a fixed step is made again to see where its stages are
        bool fresh = true;  // whether the step is the first behind the start, an event or a corner
        int small_events = 0;
        double last_event = -INFINITY;
        const auto carry = [&](Carried& c) {
            c(t_), c(h), c(last_size), c(usual), c(beyond), c(fresh), c(small_events), c(last_event), c(base_), c(count_), c(next_sample_);
            c(s_.y0), c(s_.first), c(s_.h);
            c(start_.values), c(start_.worse), c(report.steps), c(report.rejected), c(branch_in_doubt_);
            switching_.carry(c);
            E.carry(c);
            carry_method(M, c, 0);
        };
        if (O.carried) {
            Carried c(O.carried, O.carried_bytes);
            carry(c);
            if (!c.whole) return INTERRUPTED;
            while (next_ < grid_size_ && grid_[next_] <= t_ && !O.refresh) ++next_;  // else it is this moment behind what was set
            if (O.refresh) {
                if (switching_.any_to_keep()) store_before(t_, s_.y0);
                for (int i = 0; O.held && i < P.states; ++i)
                    if (O.held[i] == O.held[i]) s_.y0[E.first_state + i] = O.held[i];
                outcome = look_again();
                if (outcome != REACHED_END) return outcome;
                store_after();
                store_grid_until(t_, true);
                if (Method::adaptive) h = std::fmax(std::fmin(h, first_step()), 0.1 * usual), fresh = true;
            }
            if (!(h > 0)) h = first_step();
        }
        const auto hand_over = [&] {
            Carried c;
            carry(c);
            handed_over = std::move(c.bytes);
        };
        while (t_ < O.end) {
            if (t_ >= O.until) {
                hand_over();
                break;
            }
            if (report.steps >= O.max_steps || hopeless()) return TOO_MANY_STEPS;
            const int asked = asked_for();
            if (asked & 2) {
                Carried c;
                carry(c);
                keep(c);
            }
            if (asked & 1) return INTERRUPTED;
            if (h > O.largest_step) h = O.largest_step;
            const double corner = next_corner(), stop_at = std::fmin(O.end, corner - past(corner));
            const double left = stop_at - t_, planned = h;
            const bool end_counts = O.end <= corner + past(corner) && h > (Method::adaptive ? 0.5 : 1 - 1e-10) * left;
            report.furthest = std::fmax(report.furthest, t_ + 2 * h);
            if (O.hand_over == AS_IF_LONGER && (step_end(h) + beyond >= O.until || (end_counts && handed_over.empty()))) hand_over();
            // a fixed step that comes to the end is what it would be in a longer run
            const bool last = !Method::adaptive && stop_at == O.end && std::fabs(h - left) <= 1e-9 * h;
            if (!last && h > left * (1 - 1e-10)) h = left;
            if (h < left && h > 0.5 * left && Method::adaptive) h = 0.5 * left;
            s_.t = t_;
            s_.h = h;
            S.loads.friction_failed_since = false;
            // One of fixed length that ends right before a jump may have stages behind it, which see it at its full size.
            const bool watched = !Method::adaptive && (beyond > 0 || watch);
            bool stages_cross = false;
            bool good = M.stages([&](double t, const double* y, double* dy) {
                E.derivative(t, y, dy);
                if (watched) stages_cross = stages_cross || crosses_jump(t);
            }, s_);
            double error = 0;
            bool lost = false;
            if (good && finite(s_.y1)) {
                good = arrive(t_ + h, s_.y1, s_.last);
                lost = !good;
                // On the way through a singular position round-off in the accelerations is amplified, and steps small
                // enough to resolve it would only gather more of it.
                const double relax = E.near_singular_position() ? std::fmax(1.0, singular_tolerance / O.rtol) : 1.0;
                if (good) error = M.error(s_, relax * O.rtol, relax * O.atol);
                good = good && error == error && finite(s_.last);
            } else {
                good = false;
            }
            if (M.failed() && P.frictions) E.derivative(t_ + h, s_.y0.data(), s_.last.data());  // is that why?
            if (S.loads.friction_failed_since && finite(s_.first)) {  // where friction ceases to have an answer, as close as events are
                ++report.rejected;
                if (h > std::fmax(O.event_tolerance, 4e-16 * std::fabs(t_))) {
                    h *= 0.25;
                    continue;
                }
                store_before(t_, s_.y0);
                t_ += h;
                for (int i = 0; i < E.n; ++i) s_.y0[i] += h * s_.first[i];
                if (!arrive_anew(t_, s_.y0, s_.first)) return CONSTRAINTS_LOST;
                if (!switching_.settle(t_, s_.y0.data(), s_.first.data())) return unsettled();
                switching_.read(t_, start_);
                store_after();
                if (O.store_steps) store(t_, s_.y0);
                h = Method::adaptive ? first_step() : O.step;
                continue;
            }
            if (good && (error > largest_across || !Method::adaptive) && comes_upon_jump(h, beyond)) {
                ++report.rejected;
                continue;
            }
            if constexpr (!Method::adaptive) {
                const auto [first, count] = E.place_of_velocities();
                if (good && stages_cross && s_.h > closest_to_jump() && M.last_stage_jumps(s_, first, count, ends_at_jump())) {
                    ++report.rejected;
                    h *= 0.5;
                    continue;
                }
                watch = good && !watched && ends_before_jump();
                if (watch) continue;
            }
            // a jump is crossed in no less time than that to which events are located, however tight the tolerance
            if (good && error > 1.0 && s_.h <= O.event_tolerance && force_changed()) error = 1.0;
            if (!good || error > 1.0) {
                ++report.rejected;
                beyond = 0;
                if (!Method::adaptive) return failure(lost);
                h *= good ? std::fmax(0.2, 0.9 * std::pow(error, -1.0 / Method::order)) : 0.25;
                if (h < O.smallest_step + 1e-15 * std::fabs(t_)) {
                    if (lost) return CONSTRAINTS_LOST;
                    return good && S.frames.parted < 0 ? STEP_TOO_SMALL : failure(false);
                }
                continue;
            }
            if (unstable()) return UNSTABLE;
            ++report.steps;
            S.frames.parted = -1;
            if (Method::adaptive) {
                // what the error was before says nothing of a motion that has just become another one
                const double size = std::log(std::fmax(error, 1e-10));
                const double shrink = std::exp((fresh ? -size : 0.4 * last_size - 0.7 * size) / Method::order);
                last_size = std::fmax(size, small_error);
                if (beyond == 0) usual = std::fmax(s_.h, 0.5 * usual);
                fresh = false;
                h *= std::fmin(5.0, std::fmax(0.2, 0.9 * shrink));
            }
            if (switching_.any()) {
                EventPlace event;
                if (find_event(event, Method::adaptive && t_ + s_.h + beyond < stop_at ? beyond : 0)) {
                    const double theta = event.behind, when = theta != 1 ? t_ + theta * s_.h : t_ + s_.h;
                    store_grid_until(when, false, std::fmax(theta, 1.0));
                    if (when >= O.until) {
                        stop_inside();
                        break;
                    }
                    if (event.ends_mode || switching_.any_to_keep()) {
                        const double before = event.before - (event.at_kink ? O.event_tolerance / s_.h : 0.0);
                        look_inside(before);
                        store_before(t_ + before * s_.h, work_, true);
                    }
                    if (theta != 1) {
                        look_inside(theta);
                    } else {
                        work_ = s_.y1;
                    }
                    small_events = when - last_event < 1e-9 ? small_events + 1 : 0;
                    last_event = when;
                    t_ = when;
                    s_.y0 = work_;
                    if (!arrive_anew(t_, s_.y0, s_.first, true)) return CONSTRAINTS_LOST;
                    S.forces.step_completed(t_, s_.y0.data());
                    if (!switching_.settle(t_, s_.y0.data(), s_.first.data())) return unsettled();
                    std::swap(start_, end_);
                    switching_.read(t_, start_);
                    const int skipped = switching_.note_forces(t_, end_, start_);
                    outcome = change_modes();
                    if (outcome != REACHED_END) return outcome;
                    store_after(event.ends_mode);
                    if (O.store_steps) store(t_, s_.y0);
                    if (skipped >= 0 && O.stop_at_skip) {
                        report.bad_force = skipped;
                        return TEETH_SKIPPED;
                    }
                    if (small_events > 500) return TOO_MANY_EVENTS;
                    // the step that ends in an event is often tiny, as the last ones before a jump are
                    if (Method::adaptive) h = std::fmax(std::fmin(h, first_step()), 0.1 * usual), fresh = true;
                    if (!Method::adaptive) h = O.step;
                    beyond = 0;
                    continue;
                }
            }
            beyond = 0;
            const bool reached = s_.h == left;
            const double end = reached || last ? stop_at : step_end(s_.h);
            store_grid_until(reached && stop_at < O.end ? corner + past(corner) : end, false);  // the corner itself belongs to this step
            if (end >= O.until) {
                stop_inside();
                break;
            }
            if (!reached && !last) count_step();
            t_ = end;
            std::swap(s_.y0, s_.y1);
            std::swap(s_.first, s_.last);
            S.forces.step_completed(t_, s_.y0.data());
            if (switching_.any()) std::swap(start_, end_);
            if (reached && stop_at < O.end) {
                const bool of_time = corner_ < O.corner_count && O.corners[corner_] == corner;
                if (of_time || switching_.any_to_keep()) store_before(t_, s_.y0);
                before_ = s_.first;
                t_ = std::fmin(corner + past(corner), O.end);
                outcome = sample(corner);
                if (outcome == REACHED_END) outcome = look_again();
                if (outcome != REACHED_END) return outcome;
                store_after(of_time && accelerations_jumped());
                fresh = true;
            }
            if (reached) h = std::fmax(h, planned);
            if (O.store_steps) store(t_, s_.y0);
            if (!Method::adaptive) h = O.step;
        }
        if (O.hand_over == THE_END || (O.hand_over == AS_IF_LONGER && handed_over.empty())) hand_over();
        if (switching_.too_deep() < 0 || !O.stop_at_skip) return branch_in_doubt_ ? BRANCH_IN_DOUBT : REACHED_END;
        report.bad_force = switching_.too_deep();
        return TEETH_TOO_DEEP;
    }

    // When a step ends that begins here. Fixed ones are counted, so that round-off does not add up over many of them.
    double step_end(double h) const {
        if (Method::adaptive || h != O.step) return t_ + h;
        return t_ != base_ + count_ * O.step ? t_ + h : base_ + (count_ + 1) * O.step;
    }

    void count_step() {
        if (Method::adaptive || s_.h != O.step) return;
        if (t_ != base_ + count_ * O.step) base_ = t_, count_ = 0;
        ++count_;
    }

    // Whether a fixed step is too long for its method: over many steps the product of step and fastest rate lies beyond what the
    // method keeps bounded, and accelerations grow; or the motion has left all bounds already.
    bool unstable() {
        if constexpr (!Method::adaptive) {
            double acceleration;
            Eight most{};
            for (size_t i = 0; i < s_.y1.size(); i += 8) {
                const Eight x = eight(&s_.y1[i]), size = x < 0.0 ? -x : x;
                most = size > most ? size : most;
            }
            for (int k = 0; k < 8; ++k)
                if (most[k] > beyond_all_bounds) return true;
            const auto [first, count] = E.place_of_velocities();
            if (M.rate(s_, first, count, &acceleration) <= Method::stable_rate) {
                too_fast_ = 0;
                return false;
            }
            if (too_fast_++ == 0) least_ = acceleration;
            least_ = std::fmin(least_, acceleration);
            return too_fast_ > 20 && acceleration > 1e4 * least_;
        }
        return false;
    }

    // Whether steps have become so short, over many of them, that a hundred times `max_steps` would not be enough to get to the end.
    bool hopeless() {
        const long long tries = report.steps + report.rejected;
        if (tries - tries_then_ < enough_tries) return false;
        const double needed = (std::fmin(O.end, O.until) - t_) / (t_ - t_then_) * double(tries - tries_then_);
        tries_then_ = tries, t_then_ = t_;
        return Method::adaptive && needed > 100.0 * double(O.max_steps);
    }

    // Whether they are others than `before_` at a corner, by more than what a step leaves of error there.
    bool accelerations_jumped() const {
        const auto [first, count] = E.place_of_velocities();
        double jump = 0, size = 0;
        for (int i = first; i < first + count; ++i) {
            jump = std::fmax(jump, std::fabs(s_.first[i] - before_[i]));
            size = std::fmax(size, std::fmax(std::fabs(s_.first[i]), std::fabs(before_[i])));
        }
        return jump > 1e-6 * size;
    }

    // ---- corners of functions of time. A step ends just before one and the next begins just behind it, so that each sees only
    // one side of a jump.
    double past(double corner) const { return 1e-15 * std::fmax(1.0, std::fabs(S.frames.origin + corner)); }

    double next_corner() {
        while (corner_ < O.corner_count && O.corners[corner_] <= t_ + past(O.corners[corner_])) ++corner_;
        double next = corner_ < O.corner_count ? O.corners[corner_] : INFINITY;
        for (size_t i = 0; i < sampled_.size(); ++i) next = std::fmin(next, sample_time(i));
        return next;
    }

    double longest_interval() const {
        double longest = 0;
        for (int i = 1; i < grid_size_; ++i) longest = std::fmax(longest, grid_[i] - grid_[i - 1]);
        if (longest > 0) return longest;
        if (std::isfinite(O.largest_step)) return O.largest_step;  // pieces of a run know its intervals
        return 0.01 * (std::fmin(O.end, O.until) - O.start);
    }

    // The first force or constraint that is not finite, from the last state that is one on along its rates: where a step was tried last,
    // the state may be no number itself, and then nothing is.
    void blame() {
        if (S.frames.parted >= 0) return void(report.worst_constraint = S.frames.parted);
        scratch_.resize(s_.y0.size());
        double ahead = 0;
        for (int round = 0; round < 22; ++round, ahead = std::fmax(4 * ahead, std::fmax(s_.h, 1e-12))) {
            for (int i = 0; i < E.n; ++i) work_[i] = s_.y0[i] + (ahead > 0 ? ahead * s_.first[i] : 0.0);
            E.derivative(t_ + ahead, work_.data(), scratch_.data());
            if (finite(scratch_)) continue;
            report.bad_force = S.forces.first_not_finite(t_ + ahead);
            for (int c = 0; c < P.constraints && report.bad_force < 0; ++c)
                if (!(max_abs(S.constraints[c].g) < 1e300)) report.worst_constraint = c;
            if (S.frames.parted >= 0) report.bad_force = -1, report.worst_constraint = S.frames.parted;
            return;
        }
    }

    int unsettled() const { return switching_.refused() >= 0 ? CLUTCH_REFUSED : no_friction(); }

    // Of friction that was not found: forces do not fit, or a limit of one is no number.
    int no_friction() const {
        for (int k = 0; k < P.frictions; ++k)
            for (int i = SLIDES_UP; i <= STARTS_DOWN && P.friction[k].limits >= 0; ++i)
                if (!(std::fabs(S.forces.events[P.friction[k].limits + i]) < 1e300)) return NOT_FINITE;
        return FRICTION_UNSOLVED;
    }

    int failure(bool lost) const {
        if (!S.loads.friction_converged) return no_friction();
        return lost ? CONSTRAINTS_LOST : (M.failed() ? NEWTON_FAILED : NOT_FINITE);
    }

    // Bring y onto the constraints and evaluate its derivative.
    bool arrive(double t, std::vector<double>& y, std::vector<double>& dy) {
        E.normalise(y.data());
        if (S.kkt.stabilisation.method != PROJECTION) {
            E.derivative(t, y.data(), dy.data());
            S.schur.note_on_constraints();
            const bool near_singular = S.schur.near_singular_since;  // here or in a stage on the way
            S.schur.near_singular_since = false;
            if (!near_singular || S.kkt.stabilisation.method == NONE) {
                branch_in_doubt_ = branch_in_doubt_ || near_singular;
                E.settle(y.data());
                return true;
            }
            // Feedback leaves a residual, and at a singular position a small one is enough to come out on another branch: there
            // the state is projected (Bayo and Ledesma, Nonlinear Dynamics 9 (1996) 113, do so with the augmented Lagrangian).
            const int method = S.kkt.stabilisation.method;
            S.kkt.stabilisation.method = PROJECTION;
            const bool arrived = E.arrive(t, y.data(), dy.data(), O.projection_tolerance);
            S.kkt.stabilisation.method = method;
            if (arrived) {
                E.derivative(t, y.data(), dy.data());
                return true;
            }
        } else if (E.arrive(t, y.data(), dy.data(), O.projection_tolerance)) {
            S.schur.leave_out_redundant();
            return true;
        }
        report.worst_residual = S.constraints.largest_residual();
        if (report.worst_residual != 0) report.worst_constraint = S.constraints.worst_constraint();
        return false;
    }

    // The same whatever was looked at before: from a state on the constraints, which is the step's end for one inside a step.
    bool arrive_anew(double t, std::vector<double>& y, std::vector<double>& dy, bool inside = false) {
        approach(t, y, inside);
        return arrive(t, y, dy);
    }

    void approach(double t, std::vector<double>& y, bool inside) {
        if (S.kkt.stabilisation.method == PROJECTION) inside ? E.approach(s_.t + s_.h, s_.y1.data()) : E.approach(t, y.data());
    }

    bool finite(const std::vector<double>& x) const {
        Eight zero{}, also{};  // two sums, which do not wait for each other
        size_t i = 0;
        for (; i + 16 <= x.size(); i += 16) zero += eight(&x[i]) * 0.0, also += eight(&x[i + 8]) * 0.0;
        if (i < x.size()) zero += eight(&x[i]) * 0.0;
        return sum(zero + also) == 0.0;
    }

    // Starting step after Hairer, Norsett, Wanner (II.4), in its simplest form.
    double first_step() const {
        double size = 0, speed = 0;
        for (int i = 0; i < E.n; ++i) {
            const double scale = O.atol + O.rtol * std::fabs(s_.y0[i]);
            size += (s_.y0[i] / scale) * (s_.y0[i] / scale);
            speed += (s_.first[i] / scale) * (s_.first[i] / scale);
        }
        double h = speed > 1e-20 ? std::fmax(1e-6, 0.01 * std::sqrt(size / speed)) : 1e-3;
        const double planned = std::pow(O.rtol + O.atol, 1.0 / Method::order) * 0.1;
        h = std::fmin(h, std::fmax(planned, 1e-6));
        return std::fmin(h, O.end - O.start);
    }

    int asked_for() {
        if (!O.progress || (report.steps & 15)) return 0;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_call_ < std::chrono::milliseconds(50)) return 0;
        last_call_ = now;
        return O.progress(t_, report.steps);
    }

    void keep(const Carried& c) {
        const auto& log = switching_.log;
        O.keep(records.data() + kept_numbers_, records.size() - kept_numbers_, sides.data() + kept_sides_, sides.size() - kept_sides_,
               log.data() + kept_events_, log.size() - kept_events_, c.bytes.data(), c.bytes.size());
        kept_numbers_ = records.size(), kept_sides_ = sides.size(), kept_events_ = log.size();
    }

    void store_grid_until(double t, bool start, double furthest = 1) {
        while (next_ < grid_size_ && grid_[next_] <= t + (grid_[next_] >= O.end ? 1e-9 * std::fabs(t) : 0.0)) {
            const double when = grid_[next_++];
            if (start) {
                store(when, s_.y0);
            } else {
                const double theta = std::fmin(furthest, (when - t_) / s_.h);
                if (theta == 1.0) {
                    work_ = s_.y1;
                } else {
                    look_inside(theta);
                }
                store(when, work_, theta != 1.0);
            }
        }
    }

    void store(double t, std::vector<double>& y, bool inside = false) { store(t, y, records, inside); }

    // The state just before what is about to happen, in the modes that it has until then ...
    void store_before(double t, std::vector<double>& y, bool inside = false) {
        store(t, y, sides, inside);
        stored_before_ = true;
        modes_before_ = switching_.modes();
    }

    // ... and just behind it. Both are kept where a mode has ended or become another one.
    void store_after(bool ends_mode = false) {
        if (!stored_before_) return;
        if (!ends_mode && switching_.modes() == modes_before_) return drop_before();
        stored_before_ = false;
        store(t_, s_.y0, sides);
    }

    void drop_before() {
        stored_before_ = false;
        sides.resize(sides.size() - record_size(S, O.states_only));
    }

    // It leaves no trace: what is stored of a moment is the same whatever else is stored, and steps do not know of it.
    void store(double t, std::vector<double>& y, std::vector<double>& out, bool inside = false) {
        Carried kept;
        E.carry(kept);
        const long evaluations = S.evaluations, factorisations = S.schur.factorisations;
        write(t, y, out, inside);
        const long more = S.evaluations - evaluations, factors = S.schur.factorisations - factorisations;
        Carried factor;  // of the elements' reactions: in minimal coordinates no step makes it again, and what is known of it goes with it
        S.schur.carry(factor);
        Carried back(kept.bytes.data(), kept.bytes.size());
        E.carry(back);
        if (&E != static_cast<EquationsOfMotion*>(&S)) {
            Carried as_it_is(factor.bytes.data(), factor.bytes.size());
            S.schur.carry(as_it_is);
        }
        S.evaluations += more, S.schur.factorisations += factors;
    }

    void write(double t, std::vector<double>& y, std::vector<double>& out, bool inside) {
        work_ = y;  // which may be `y` itself
        out.push_back(t);
        if (O.states_only) {
            approach(t, work_, inside);
            E.normalise(work_.data());
            E.meet_constraints(t, work_.data(), O.projection_tolerance);
            const double* stored = E.absolute_state(work_.data());
            out.insert(out.end(), stored, stored + S.n);
            return;
        }
        scratch_.resize(E.n);
        arrive_anew(t, work_, scratch_, inside);
        const double* stored = E.stored_state(t, work_.data());
        out.insert(out.end(), stored, stored + S.n);
        out.insert(out.end(), S.kkt.acceleration.begin(), S.kkt.acceleration.begin() + S.frames.nv);
        S.kkt.append_multipliers(out);
        for (double f : S.loads.friction_force) out.push_back(f);
    }

    // The end of a run whose steps do not know of it.
    void stop_inside() {
        look_inside((O.until - t_) / s_.h);
        s_.y0 = work_;
        t_ = O.until;
    }

    // The state inside the step, in work_.
    void look_inside(double theta) {
        if constexpr (Method::dense_evaluates)
            M.prepare_dense([this](double t, const double* y, double* dy) { E.derivative(t, y, dy); }, s_);
        M.dense(s_, theta, work_.data());
    }

    void read_at(double theta, const Readings& before, Readings& out) {
        look_inside(theta);
        E.normalise(work_.data());
        scratch_.resize(E.n);
        E.derivative(t_ + theta * s_.h, work_.data(), scratch_.data());
        switching_.read(t_ + theta * s_.h, out);
        switching_.keep_sides(before, out);
    }

    void read_end() {
        switching_.read(t_ + s_.h, end_);
        switching_.keep_sides(start_, end_);
    }

    // Where an event is, as fractions of the step: both ends of a bracket narrower than the tolerance; and whether a mode ends there, not
    // only a force bends.
    struct EventPlace {
        double before = 0, behind = 0;
        bool ends_mode = false;
        bool at_kink = false;  // whether by round-off `before` may be behind it
    };

    // The first event in the step. The step is looked at in a few places, so that a short contact is not stepped over. Of one that ends
    // right before a jump the time `beyond` its end is looked at too: its polynomial knows nothing of the jump, and goes on as if there
    // was none.
    bool find_event(EventPlace& event, double beyond) {
        read_end();
        const int samples = switching_.places(s_.h);
        if (samples == 1 && !switching_.any_ended(start_, end_)) return beyond > 0 && find_beyond(event, 1 + beyond / s_.h);
        Readings low = start_, high;
        double a = 0;
        for (int i = 1; i <= samples; ++i) {
            const double b = double(i) / samples;
            if (i < samples) {
                read_at(b, low, high);
            } else {
                switching_.keep_sides(low, end_);
                high = end_;
            }
            if (switching_.any_ended(low, high)) {
                event.before = a;
                event.behind = narrow(event.before, low, b, high, O.event_tolerance / s_.h);
                event.ends_mode = switching_.ends_mode(low, high);
                event.at_kink = switching_.at_kink_between(low, high);
                return true;
            }
            a = b;
            low = high;
        }
        return beyond > 0 && find_beyond(event, 1 + beyond / s_.h);
    }

    // All of these events come late, if by little, and what they add up to over many must not tell: so they are located more closely.
    bool find_beyond(EventPlace& event, double furthest) {
        Readings low = end_, high;
        read_at(furthest, low, high);
        if (!switching_.any_ended(low, high)) return false;
        event.before = 1;
        event.behind = narrow(event.before, low, furthest, high, 0.01 * O.event_tolerance / s_.h);
        event.ends_mode = switching_.ends_mode(low, high);
        event.at_kink = switching_.at_kink_between(low, high);
        return true;
    }

    // Secant steps to both sides of the root, and bisection whenever they do not halve the bracket.
    double narrow(double& a, Readings& low, double b, Readings& high, double width) {
        double side = 1;
        Readings middle;
        for (int k = 0; k < 200 && b - a > width && a < 0.5 * (a + b) && 0.5 * (a + b) < b; ++k) {
            const double before = b - a;
            for (double guess : {secant(a, low, b, high) + 0.4 * side * width, 0.5 * (a + b)}) {
                if (!(guess > a && guess < b)) continue;
                read_at(guess, low, middle);
                if (switching_.any_ended(low, middle)) {
                    b = guess, side = -1;
                    std::swap(high, middle);
                } else {
                    a = guess, side = 1;
                    std::swap(low, middle);
                }
                if (b - a <= std::fmax(width, 0.5 * before)) break;
            }
        }
        return b;
    }

    // Whether a force jumps or bends within the step.
    bool force_changed() {
        if (P.events) read_end();
        for (int k = 0; k < P.events; ++k)
            if (switching_.ended(k, start_, end_)) return true;
        return false;
    }

    // Whether a stage, where the equations were just evaluated, is behind a jump before which the step begins: by round-off, too.
    bool crosses_jump(double t) {
        switching_.read(t, end_);
        return any_kink([](double a, double b) { return a * b < 0 && std::fabs(a) > Switching::at_kink; });
    }

    // Whether the step, which `comes_upon_jump` has looked at, ends so close before one that a stage may be behind it.
    bool ends_before_jump() const {
        return s_.h > closest_to_jump() && any_kink([](double a, double b) { return a * b > 0 && std::fabs(b) < 0.02 * std::fabs(a - b); });
    }

    // Whether it ends at the very place, where by round-off the end may be behind it too.
    bool ends_at_jump() const {
        return any_kink([](double a, double b) { return std::fabs(a) > Switching::at_kink && std::fabs(b) <= Switching::at_kink; });
    }

    template <class Test>
    bool any_kink(Test&& test) const {
        for (int k = 0; k < P.events; ++k)
            if (P.event_kind[k].type == KINK && test(start_.values[k], end_.values[k])) return true;
        return false;
    }

    // What is no longer than this is not cut at a jump.
    double closest_to_jump() const { return std::fmax(O.event_tolerance, 1e-6 * O.step); }

    // Whether a force jumps or bends within the step, so that its stages mix both sides; if so, a length that ends shortly
    // before that place, and within what time it comes; or, if the step begins there, one that ends shortly behind it, and none.
    bool comes_upon_jump(double& length, double& beyond) {
        const double closest = closest_to_jump();
        if (s_.h <= closest || !force_changed()) return false;
        Readings low = start_, high = end_;
        double before = 0;
        const double behind = narrow(before, low, 1.0, high, closely);
        // With a fixed step there is no error that would ask for a short step across.
        const bool approach = before > (Method::adaptive ? 100 * closely : closest / s_.h);
        if (!approach && behind >= 0.95) return false;
        length = s_.h * (approach ? before : behind);
        beyond = approach ? 2 * closely * s_.h : 0;
        return true;
    }

    // Where the first of the values that changed sign would be zero on a straight line.
    double secant(double a, const Readings& low, double b, const Readings& high) const {
        double first = 2;
        for (int j = 0; j < switching_.count(); ++j) {
            if (!switching_.ended(j, low, high) || low.values[j] == high.values[j]) continue;
            const double fraction = low.values[j] / (low.values[j] - high.values[j]);
            if (fraction >= 0 && fraction <= 1) first = std::fmin(first, fraction);
        }
        return a + (b - a) * first;
    }

    EquationsOfMotion& E;
    System& S;
    const Program& P;
    Method& M;
    Options O;
    const double* grid_;
    int grid_size_, next_ = 0, corner_ = 0, too_fast_ = 0;
    double least_ = 0;
    double base_ = 0, count_ = 0;  // see `after_step`
    std::vector<int> sampled_;         // forces with samples
    std::vector<double> next_sample_;  // number of the next sample of each
    Switching switching_;
    Step s_;
    double t_ = 0;
    std::vector<double> work_, scratch_, before_;
    Readings start_, end_;
    std::chrono::steady_clock::time_point last_call_{};
    size_t kept_numbers_ = 0, kept_sides_ = 0, kept_events_ = 0;  // of the records and events: handed over by `keep`
    Switching::Modes modes_before_;
    bool stored_before_ = false;
};

}  // namespace ww
