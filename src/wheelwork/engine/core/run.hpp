// A simulation from start to end: steps, projection, events, output on a grid.
#pragma once

#include "event_search.hpp"
#include "recorder.hpp"
#include "step_watch.hpp"

namespace ww {

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
        : now_(equations, options), E(equations), S(now_.S), P(now_.P), M(method), O(now_.O), s(now_.step), switching_(now_.switching),
          recorder_(now_, size_t(grid_size)), search_(now_, method), watch_(now_, method), grid_(grid), grid_size_(grid_size) {}

    std::vector<char> handed_over;  // see `HandOver`
    Recorder& recorder() { return recorder_; }
    std::vector<EventRecord>& events() { return switching_.log; }
    Report& report() { return now_.report; }

    void integrate(double* y) {
        now_.place(y);
        const int outcome = go();
        recorder_.drop_before();
        Report& report = now_.report;
        report.outcome = outcome;
        if (outcome == NOT_FINITE && report.bad_force < 0) now_.blame();
        // a run that ends early keeps the moment it got to
        if (outcome != REACHED_END && (report.steps > 0 || O.carried) && !recorder_.knows(now_.t)) recorder_.store(now_.t, s.y0);
        if (recorder_.records.empty() && report.steps == 0 && !O.carried) recorder_.store(O.start, s.y0);  // and every run has its start
        std::copy(s.y0.begin(), s.y0.begin() + E.n, y);
        report.t = now_.t;
        report.last_step = s.h;
        report.evaluations = S.evaluations;
        report.factorisations = S.schur.factorisations;
        say_where(outcome);
    }

  private:
    static constexpr double singular_tolerance = 1e-9;
    // Error, over its tolerance, up to which a step may have a jump of a force inside. Where the event is then located by an interpolation
    // of high order, that is wrong by up to 1e4 times the error of the step (its coefficients are of the size of 500, those of the estimate
    // of 0.01): such a step is made again, up to the jump.
    static constexpr double largest_across = Method::dense_evaluates ? 1e-4 : 1.0;
    static constexpr double small_error = -9.210340371976184;  // ln(1e-4), over its tolerance: what is smaller counts as much

    int go() {
        int outcome = O.carried ? REACHED_END : begin();
        if (outcome != REACHED_END) return outcome;
        // with modes that may change, no step is longer than the output's own: at rest the error says nothing
        if (switching_.any_modes()) O.largest_step = std::fmin(O.largest_step, longest_interval());
        if (Method::adaptive) O.largest_step = float(O.largest_step);  // round-off in the times of a grid does not tell
        h_ = O.step > 0 ? O.step : first_step();
        if (O.carried) outcome = resume();
        if (outcome != REACHED_END) return outcome;
        while (now_.t < O.end && !stopped_) {
            if (now_.t >= O.until) {
                hand_over();
                break;
            }
            outcome = look_up();
            if (outcome == REACHED_END) outcome = advance();
            if (outcome != REACHED_END) return outcome;
        }
        if (O.hand_over == THE_END || (O.hand_over == AS_IF_LONGER && handed_over.empty())) hand_over();
        if (switching_.too_deep() < 0 || !O.stop_at_skip) return now_.branch_in_doubt ? BRANCH_IN_DOUBT : REACHED_END;
        now_.report.bad_force = switching_.too_deep();
        return TEETH_TOO_DEEP;
    }

    // ---- beginning, going on from another run, and leaving something to one

    int begin() {
        const int outcome = now_.begin();
        if (outcome != REACHED_END) return outcome;
        store_grid_at_start();
        if (O.store_steps) recorder_.store(now_.t, s.y0);
        return REACHED_END;
    }

    int resume() {
        Carried c(O.carried, O.carried_bytes);
        carry(c);
        if (!c.whole) return INTERRUPTED;
        if (O.refresh) {
            if (switching_.any_to_keep()) recorder_.store_before(now_.t, s.y0);
            for (int i = 0; O.held && i < P.states; ++i)
                if (O.held[i] == O.held[i]) s.y0[E.first_state + i] = O.held[i];
            const int outcome = now_.look_again();
            if (outcome != REACHED_END) return outcome;
            recorder_.store_after();
            store_grid_at_start();  // it is this moment behind what was set
            if (Method::adaptive) begin_carefully();
        } else {
            while (next_ < grid_size_ && grid_[next_] <= now_.t) ++next_;
        }
        if (!(h_ > 0)) h_ = first_step();
        return REACHED_END;
    }

    void carry(Carried& c) {
        c(now_.t), c(h_), c(last_size_), c(usual_), c(beyond_), c(fresh_), c(small_events_), c(last_event_), c(base_), c(count_), c(now_.stops.next_sample);
        c(s.y0), c(s.first), c(s.h);
        c(now_.before.values), c(now_.before.worse), c(now_.report.steps), c(now_.report.rejected), c(now_.branch_in_doubt);
        switching_.carry(c);
        E.carry(c);
        carry_method(M, c, 0);
    }

    void hand_over() {
        Carried c;
        carry(c);
        handed_over = std::move(c.bytes);
    }

    // Between two steps: whether to go on.
    int look_up() {
        if (now_.report.steps >= O.max_steps || watch_.hopeless()) return TOO_MANY_STEPS;
        const int asked = recorder_.asked_for();
        if (asked & 2) {
            Carried c;
            carry(c);
            recorder_.keep(c);
        }
        return asked & 1 ? INTERRUPTED : REACHED_END;
    }

    // ---- a step

    struct Plan {
        double corner, stop_at, left;  // the next corner; where this step has to end at the latest; and how far that is
        double length;                 // that was planned before the step had to end somewhere
        bool last;                     // whether it is a fixed step that comes to the end
    };

    struct Trial {
        bool good, lost;   // lost: the constraints
        double error;      // over its tolerance
        bool watched;      // whether its stages were looked at, for whether they ...
        bool cross = false;  // ... are behind a jump
    };

    int advance() {
        const Plan plan = next_step();
        Trial trial = attempt();
        if (S.loads.friction_failed_since && finite(s.first)) return end_of_friction();
        if (trial.good && (trial.error > largest_across || !Method::adaptive) && search_.comes_upon_jump(h_, beyond_)) {
            ++now_.report.rejected;
            return REACHED_END;
        }
        if (trial.good && !Method::adaptive && again_before_jump(trial)) return REACHED_END;
        // a jump is crossed in no less time than that to which events are located, however tight the tolerance
        if (trial.good && trial.error > 1.0 && s.h <= O.event_tolerance && search_.force_changed()) trial.error = 1.0;
        if (!trial.good || trial.error > 1.0) return shorten(trial);
        if (watch_.unstable()) return UNSTABLE;
        ++now_.report.steps;
        S.frames.parted = -1;
        if (Method::adaptive) choose_next(trial.error);
        EventPlace event;
        if (switching_.any() && search_.find_event(event, Method::adaptive && now_.t + s.h + beyond_ < plan.stop_at ? beyond_ : 0)) return end_in(event);
        return end_of_step(plan);
    }

    Plan next_step() {
        if (h_ > O.largest_step) h_ = O.largest_step;
        const double corner = now_.stops.next(now_.t), past = now_.stops.past(corner), stop_at = std::fmin(O.end, corner - past);
        const double left = stop_at - now_.t, planned = h_;
        const bool end_counts = O.end <= corner + past && h_ > (Method::adaptive ? 0.5 : 1 - 1e-10) * left;
        now_.report.furthest = std::fmax(now_.report.furthest, now_.t + 2 * h_);
        if (O.hand_over == AS_IF_LONGER && (step_end(h_) + beyond_ >= O.until || (end_counts && handed_over.empty()))) hand_over();
        // a fixed step that comes to the end is what it would be in a longer run
        const bool last = !Method::adaptive && stop_at == O.end && std::fabs(h_ - left) <= 1e-9 * h_;
        if (!last && h_ > left * (1 - 1e-10)) h_ = left;
        if (h_ < left && h_ > 0.5 * left && Method::adaptive) h_ = 0.5 * left;
        s.t = now_.t;
        s.h = h_;
        return {corner, stop_at, left, planned, last};
    }

    Trial attempt() {
        S.loads.friction_failed_since = false;
        Trial trial{false, false, 0.0, !Method::adaptive && (beyond_ > 0 || watch_stages_)};
        trial.good = M.stages([&](double t, const double* y, double* dy) {
            E.derivative(t, y, dy);
            if (trial.watched) trial.cross = trial.cross || search_.crosses_jump(t);
        }, s);
        if (trial.good && finite(s.y1)) {
            trial.good = now_.arrive(now_.t + h_, s.y1, s.last);
            trial.lost = !trial.good;
            // On the way through a singular position round-off in the accelerations is amplified, and steps small
            // enough to resolve it would only gather more of it.
            const double relax = E.near_singular_position() ? std::fmax(1.0, singular_tolerance / O.rtol) : 1.0;
            if (trial.good) trial.error = M.error(s, relax * O.rtol, relax * O.atol);
            trial.good = trial.good && trial.error == trial.error && finite(s.last);
        } else {
            trial.good = false;
        }
        if (M.failed() && P.frictions) E.derivative(now_.t + h_, s.y0.data(), s.last.data());  // is that why?
        return trial;
    }

    // A step of fixed length that ends right before a jump may have stages behind it, which see it at its full size: such a step is made
    // again, once to see where its stages are, and then shorter.
    bool again_before_jump(const Trial& trial) {
        if constexpr (!Method::adaptive) {
            const auto [first, count] = E.place_of_velocities();
            if (trial.cross && search_.longer_than_closest() && M.last_stage_jumps(s, first, count, search_.ends_at_jump())) {
                ++now_.report.rejected;
                h_ *= 0.5;
                return true;
            }
            watch_stages_ = !trial.watched && search_.ends_before_jump();
        }
        return watch_stages_;
    }

    int shorten(const Trial& trial) {
        ++now_.report.rejected;
        beyond_ = 0;
        if (!Method::adaptive) return failure(trial.lost);
        h_ *= trial.good ? std::fmax(0.2, 0.9 * std::pow(trial.error, -1.0 / Method::order)) : 0.25;
        if (h_ >= O.smallest_step + 1e-15 * std::fabs(now_.t)) return REACHED_END;
        if (trial.lost) return CONSTRAINTS_LOST;
        return trial.good && S.frames.parted < 0 ? STEP_TOO_SMALL : failure(false);
    }

    // The length of the next step. What the error was before says nothing of a motion that has just become another one.
    void choose_next(double error) {
        const double size = std::log(std::fmax(error, 1e-10));
        const double shrink = std::exp((fresh_ ? -size : 0.4 * last_size_ - 0.7 * size) / Method::order);
        last_size_ = std::fmax(size, small_error);
        if (beyond_ == 0) usual_ = std::fmax(s.h, 0.5 * usual_);
        fresh_ = false;
        h_ *= std::fmin(5.0, std::fmax(0.2, 0.9 * shrink));
    }

    // A step that begins where the motion has become another one: its own length is often tiny, as those right before a jump are.
    void begin_carefully() { h_ = std::fmax(std::fmin(h_, first_step()), 0.1 * usual_), fresh_ = true; }

    // Where friction ceases to have an answer, as close as events are.
    int end_of_friction() {
        ++now_.report.rejected;
        if (h_ > std::fmax(O.event_tolerance, 4e-16 * std::fabs(now_.t))) {
            h_ *= 0.25;
            return REACHED_END;
        }
        recorder_.store_before(now_.t, s.y0);
        now_.t += h_;
        for (int i = 0; i < E.n; ++i) s.y0[i] += h_ * s.first[i];
        if (!now_.arrive_anew(now_.t, s.y0, s.first)) return CONSTRAINTS_LOST;
        if (!switching_.settle(now_.t, s.y0.data(), s.first.data())) return now_.unsettled();
        switching_.read(now_.t, now_.before);
        recorder_.store_after();
        if (O.store_steps) recorder_.store(now_.t, s.y0);
        h_ = Method::adaptive ? first_step() : O.step;
        return REACHED_END;
    }

    // The step ends in an event.
    int end_in(const EventPlace& event) {
        const double theta = event.behind, when = theta != 1 ? now_.t + theta * s.h : now_.t + s.h;
        store_grid_until(when, std::fmax(theta, 1.0));
        if (when >= O.until) return stop_inside();
        if (event.ends_mode || switching_.any_to_keep()) {
            const double before = event.before - (event.at_kink ? O.event_tolerance / s.h : 0.0);
            recorder_.store_before(now_.t + before * s.h, search_.look_inside(before), true);
        }
        const std::vector<double>& there = theta != 1 ? search_.look_inside(theta) : s.y1;
        small_events_ = when - last_event_ < 1e-9 ? small_events_ + 1 : 0;
        last_event_ = when;
        now_.t = when;
        s.y0 = there;
        if (!now_.arrive_anew(now_.t, s.y0, s.first, true)) return CONSTRAINTS_LOST;
        S.forces.step_completed(now_.t, s.y0.data());
        if (!switching_.settle(now_.t, s.y0.data(), s.first.data())) return now_.unsettled();
        std::swap(now_.before, now_.behind);
        switching_.read(now_.t, now_.before);
        const int skipped = switching_.note_forces(now_.t, now_.behind, now_.before);
        const int outcome = now_.change_modes();
        if (outcome != REACHED_END) return outcome;
        recorder_.store_after(event.ends_mode);
        if (O.store_steps) recorder_.store(now_.t, s.y0);
        if (skipped >= 0 && O.stop_at_skip) {
            now_.report.bad_force = skipped;
            return TEETH_SKIPPED;
        }
        if (small_events_ > 500) return TOO_MANY_EVENTS;
        if (Method::adaptive) begin_carefully();
        if (!Method::adaptive) h_ = O.step;
        beyond_ = 0;
        return REACHED_END;
    }

    // The step ends as it was meant to.
    int end_of_step(const Plan& plan) {
        beyond_ = 0;
        const double behind_corner = plan.corner + now_.stops.past(plan.corner);
        const bool reached = s.h == plan.left;
        const double end = reached || plan.last ? plan.stop_at : step_end(s.h);
        store_grid_until(reached && plan.stop_at < O.end ? behind_corner : end);  // the corner itself belongs to this step
        if (end >= O.until) return stop_inside();
        if (!reached && !plan.last) count_step();
        now_.t = end;
        std::swap(s.y0, s.y1);
        std::swap(s.first, s.last);
        S.forces.step_completed(now_.t, s.y0.data());
        if (switching_.any()) {
            std::swap(now_.before, now_.behind);
            if (now_.undecided()) return NOT_FINITE;
        }
        if (reached && plan.stop_at < O.end) {
            const bool of_time = now_.stops.is_corner(plan.corner);
            if (of_time || switching_.any_to_keep()) recorder_.store_before(now_.t, s.y0);
            before_corner_ = s.first;
            now_.t = std::fmin(behind_corner, O.end);
            int outcome = now_.sample(plan.corner);
            if (outcome == REACHED_END) outcome = now_.look_again();
            if (outcome != REACHED_END) return outcome;
            recorder_.store_after(of_time && accelerations_jumped());
            fresh_ = true;
        }
        if (reached) h_ = std::fmax(h_, plan.length);
        if (O.store_steps) recorder_.store(now_.t, s.y0);
        if (!Method::adaptive) h_ = O.step;
        return REACHED_END;
    }

    // Whether they are others than before a corner, by more than what a step leaves of error there.
    bool accelerations_jumped() const {
        const auto [first, count] = E.place_of_velocities();
        double jump = 0, size = 0;
        for (int i = first; i < first + count; ++i) {
            jump = std::fmax(jump, std::fabs(s.first[i] - before_corner_[i]));
            size = std::fmax(size, std::fmax(std::fabs(s.first[i]), std::fabs(before_corner_[i])));
        }
        return jump > 1e-6 * size;
    }

    // The end of a run whose steps do not know of it.
    int stop_inside() {
        s.y0 = search_.look_inside((O.until - now_.t) / s.h);
        now_.t = O.until;
        stopped_ = true;
        return REACHED_END;
    }

    // When a step ends that begins here. Fixed ones are counted, so that round-off does not add up over many of them.
    double step_end(double h) const {
        if (Method::adaptive || h != O.step) return now_.t + h;
        return now_.t != base_ + count_ * O.step ? now_.t + h : base_ + (count_ + 1) * O.step;
    }

    void count_step() {
        if (Method::adaptive || s.h != O.step) return;
        if (now_.t != base_ + count_ * O.step) base_ = now_.t, count_ = 0;
        ++count_;
    }

    double longest_interval() const {
        double longest = 0;
        for (int i = 1; i < grid_size_; ++i) longest = std::fmax(longest, grid_[i] - grid_[i - 1]);
        if (longest > 0) return longest;
        if (std::isfinite(O.largest_step)) return O.largest_step;  // pieces of a run know its intervals
        return 0.01 * (std::fmin(O.end, O.until) - O.start);
    }

    // Starting step after Hairer, Norsett, Wanner (II.4), in its simplest form.
    double first_step() const {
        double size = 0, speed = 0;
        for (int i = 0; i < now_.E.n; ++i) {
            const double scale = O.atol + O.rtol * std::fabs(s.y0[i]);
            size += (s.y0[i] / scale) * (s.y0[i] / scale);
            speed += (s.first[i] / scale) * (s.first[i] / scale);
        }
        double h = speed > 1e-20 ? std::fmax(1e-6, 0.01 * std::sqrt(size / speed)) : 1e-3;
        const double planned = std::pow(O.rtol + O.atol, 1.0 / Method::order) * 0.1;
        h = std::fmin(h, std::fmax(planned, 1e-6));
        return std::fmin(h, O.end - O.start);
    }

    // ---- output

    bool output_until(double t) const { return next_ < grid_size_ && grid_[next_] <= t + (grid_[next_] >= O.end ? 1e-9 * std::fabs(t) : 0.0); }

    void store_grid_at_start() {
        while (output_until(now_.t)) recorder_.store(grid_[next_++], s.y0);
    }

    void store_grid_until(double t, double furthest = 1) {
        while (output_until(t)) {
            const double when = grid_[next_++], theta = std::fmin(furthest, (when - now_.t) / s.h);
            recorder_.store(when, theta == 1.0 ? s.y1 : search_.look_inside(theta), theta != 1.0);
        }
    }

    // ---- why it ended

    int failure(bool lost) const {
        if (!S.loads.friction_converged) return now_.no_friction();
        return lost ? CONSTRAINTS_LOST : (M.failed() ? NEWTON_FAILED : NOT_FINITE);
    }

    void say_where(int outcome) {
        Report& report = now_.report;
        if (outcome == CONSTRAINTS_LOST || outcome == NOT_FINITE) return;  // the report holds the residual that could not be taken away
        report.worst_constraint = -1;
        if (outcome == CLUTCH_REFUSED) {
            const FrictionRow& clutch = P.friction[switching_.refused()];
            report.worst_constraint = clutch.row;
            report.refused_speed = switching_.refused_speed();
            if (clutch.dogs >= 0) report.allowed_speed = dogs_of(P, clutch).closing_speed;
        } else if (outcome == FRICTION_UNSOLVED && switching_.jammed() >= 0) {
            report.worst_constraint = P.friction[switching_.jammed()].joint;
            report.amplification = S.loads.amplification(switching_.jammed());
        } else {
            report.worst_residual = E.final_residual(now_.t, s.y0.data(), &report.worst_constraint);
        }
    }

    CurrentState now_;
    EquationsOfMotion& E;
    System& S;
    const Program& P;
    Method& M;
    Options& O;
    Step& s;
    Switching& switching_;
    Recorder recorder_;
    EventSearch<Method> search_;
    StepWatch<Method> watch_;
    const double* grid_;
    int grid_size_, next_ = 0;
    double h_ = 0;
    double last_size_ = small_error;  // of the error of the step before: its logarithm
    double usual_ = 0;                // length of the steps before one that was cut short
    double beyond_ = 0;               // the end of the step at hand: within what time a force jumps, right before which it is to end
    bool fresh_ = true;               // whether the step is the first behind the start, an event or a corner
    bool watch_stages_ = false;       // whether a fixed step is made again to see where its stages are
    std::vector<double> before_corner_;  // rates of the state there
    bool stopped_ = false;            // whether it ended inside a step
    int small_events_ = 0;
    double last_event_ = -INFINITY;
    double base_ = 0, count_ = 0;     // see `step_end`
};

}  // namespace ww
