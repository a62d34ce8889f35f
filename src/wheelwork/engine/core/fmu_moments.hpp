// A mechanism whose steps others make (FMI's model exchange): derivatives, event indicators, and what happens at events.
#pragma once

#include "current_state.hpp"

namespace ww {

class Moments {
  public:
    Moments(EquationsOfMotion& equations, const Options& options) : now_(equations, options) {}

    std::vector<double>& state() { return now_.step.y0; }

    // Modes that fit the state at the start.
    int start(const double* y) {
        now_.S.reset();
        now_.place(y);
        behind_ = now_.t;
        const int outcome = now_.begin();
        pending_ = now_.stops.next(now_.t);
        return outcome;
    }

    // The derivative at a time and the state at hand.
    const std::vector<double>& derivative(double t) {
        now_.t = on_this_side(t);
        now_.E.derivative(now_.t, now_.step.y0.data(), now_.step.first.data());
        return now_.step.first;
    }

    // Positive while the modes last in which the state was when something last happened, negative where one has ended.
    void indicators(double t, double* out) {
        const Switching& switching = now_.switching;
        if (!switching.any()) return;
        derivative(t);
        Readings here;
        now_.switching.read(now_.t, here);
        now_.switching.keep_sides(now_.before, here);
        for (int k = 0; k < switching.count(); ++k) {
            const double a = now_.before.values[k], b = here.values[k];
            const int type = k < now_.P.events ? now_.P.event_kind[k].type : KINK;
            double value = a < 0 && type == KINK && k < now_.P.events ? -b : b;
            if (type == LIMIT) value = 1.0;
            if (type == SKIP) value = 0.5 - std::fabs(a - b);
            const bool ended = switching.ended(k, now_.before, here);
            if (ended && value >= -edge) value = -edge;
            if (!ended && value <= edge) value = edge;
            out[k] = value;
        }
    }

    // What is to happen at this moment: samples and corners that are due, modes that end.
    int happens(double t) {
        int outcome = REACHED_END;
        if (t >= pending_ - 4 * now_.stops.past(pending_)) {
            const double corner = pending_;
            now_.t = behind_ = corner + now_.stops.past(corner);
            outcome = now_.sample(corner);
        } else {
            now_.t = on_this_side(t);
        }
        if (outcome == REACHED_END) outcome = settle();
        if (outcome != REACHED_END) return outcome;
        outcome = now_.change_modes();
        pending_ = now_.stops.next(now_.t);
        return outcome;
    }

    // When something is to happen next that is known beforehand.
    double next_time() const { return pending_; }

    void corners(const std::vector<double>& times) {
        now_.stops.set_corners(times);
        pending_ = now_.stops.next(now_.t);
    }

    // How far the state is from the constraints: the largest change that projecting makes, over the size of the entry where that is more
    // than one.
    double drift(double t) {
        const std::vector<double>& state = now_.step.y0;
        projected_ = state;
        if (!now_.arrive(on_this_side(t), projected_, now_.step.last)) return INFINITY;
        double most = 0;
        for (int i = 0; i < now_.E.n; ++i)
            most = std::fmax(most, std::fabs(projected_[i] - state[i]) / std::fmax(1.0, std::fabs(state[i])));
        return most;
    }

    void carry(Carried& c) {
        c(now_.t), c(behind_), c(pending_), c(now_.stops.next_sample), c(now_.step.y0), c(now_.step.first), c(now_.before.values), c(now_.before.worse);
        now_.switching.carry(c);
        now_.E.carry(c);
        now_.stops.look_from_the_first();
    }

    double on_this_side(double t) const { return std::fmax(std::fmin(t, pending_ - now_.stops.past(pending_)), behind_); }

  private:
    // Onto the constraints, into the modes that fit.
    int settle() {
        Step& s = now_.step;
        Switching& switching = now_.switching;
        const Options& O = now_.O;
        if (!now_.arrive(now_.t, s.y0, s.first)) return CONSTRAINTS_LOST;
        if (!switching.any()) return finite(s.first) ? REACHED_END : NOT_FINITE;
        if (!switching.settle(now_.t, s.y0.data(), s.first.data())) return now_.unsettled();
        std::swap(now_.before, now_.behind);
        switching.read(now_.t, now_.before);
        const int skipped = switching.note_forces(now_.t, now_.behind, now_.before);
        if (skipped >= 0 && O.stop_at_skip) {
            now_.report.bad_force = skipped;
            return TEETH_SKIPPED;
        }
        if (switching.too_deep() >= 0 && O.stop_at_skip) {
            now_.report.bad_force = switching.too_deep();
            return TEETH_TOO_DEEP;
        }
        return finite(s.first) ? REACHED_END : NOT_FINITE;
    }

    static constexpr double edge = 1e-12;
    CurrentState now_;
    double behind_ = 0, pending_ = INFINITY;
    std::vector<double> projected_;
};

}  // namespace ww
