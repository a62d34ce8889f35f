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
<<<<<<< HEAD
            outcome = look_up();
            if (outcome == REACHED_END) outcome = advance();
            if (outcome != REACHED_END) return outcome;
=======
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
>>>>>>> n-locks
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
        if (event.ends_mode || switching_.any_to_keep())
            recorder_.store_before(now_.t + event.before * s.h, search_.look_inside(event.before), true);
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
<<<<<<< HEAD
=======
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
>>>>>>> n-locks
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
