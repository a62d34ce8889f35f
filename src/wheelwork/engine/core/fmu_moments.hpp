// A mechanism whose steps others make (FMI's model exchange): derivatives, event indicators, and what happens at events.
#pragma once

#include "run.hpp"

namespace ww {

class Moments : public Run<Dopri5> {
  public:
    Moments(EquationsOfMotion& equations, const Options& options) : Run(equations, method_, options, nullptr, 0) {}

    std::vector<double>& state() { return s_.y0; }
    int indicators() const { return switching_.count(); }

    // Modes that fit the state at the start.
    int start(const double* y) {
        S.reset();
        s_.begin(y, E.n);
        E.cap_sizes(s_.cap.data());
        work_ = s_.y0;
        t_ = O.corner_count && O.corners[0] <= O.start + past(O.start) ? O.start + past(O.start) : O.start;
        behind_ = t_;
        report.worst_constraint = report.bad_force = -1;
        const int outcome = begin();
        pending_ = next_corner();
        return outcome;
    }

    // The derivative at a time and the state at hand.
    const std::vector<double>& derivative(double t) {
        t_ = on_this_side(t);
        E.derivative(t_, s_.y0.data(), s_.first.data());
        return s_.first;
    }

    // Positive while the modes last in which the state was when something last happened, negative where one has ended.
    void indicators(double t, double* out) {
        if (!switching_.any()) return;
        derivative(t);
        Readings now;
        switching_.read(t_, now);
        switching_.keep_sides(start_, now);
        for (int k = 0; k < switching_.count(); ++k) {
            const double a = start_.values[k], b = now.values[k];
            const int type = k < P.events ? P.event_kind[k].type : KINK;
            double value = a < 0 && type == KINK && k < P.events ? -b : b;
            if (type == LIMIT) value = 1.0;
            if (type == SKIP) value = 0.5 - std::fabs(a - b);
            const bool ended = switching_.ended(k, start_, now);
            if (ended && value >= -edge) value = -edge;
            if (!ended && value <= edge) value = edge;
            out[k] = value;
        }
    }

    // What is to happen at this moment: samples and corners that are due, modes that end.
    int happens(double t) {
        int outcome = REACHED_END;
        if (t >= pending_ - 4 * past(pending_)) {
            const double corner = pending_;
            t_ = behind_ = corner + past(corner);
            outcome = sample(corner);
        } else {
            t_ = on_this_side(t);
        }
        if (outcome != REACHED_END) return outcome;
        if (!arrive(t_, s_.y0, s_.first)) return CONSTRAINTS_LOST;
        if (switching_.any()) {
            if (!switching_.settle(t_, s_.y0.data(), s_.first.data())) return unsettled();
            std::swap(start_, end_);
            switching_.read(t_, start_);
            const int skipped = switching_.note_forces(t_, end_, start_);
            if (skipped >= 0 && O.stop_at_skip) {
                report.bad_force = skipped;
                return TEETH_SKIPPED;
            }
            if (switching_.too_deep() >= 0 && O.stop_at_skip) {
                report.bad_force = switching_.too_deep();
                return TEETH_TOO_DEEP;
            }
        }
        if (!finite(s_.first)) return NOT_FINITE;
        outcome = change_modes();
        pending_ = next_corner();
        return outcome;
    }

    // When something is to happen next that is known beforehand.
    double next_time() const { return pending_; }
    void corners(const std::vector<double>& times) {
        O.corners = times.data(), O.corner_count = int(times.size());
        corner_ = 0;
        pending_ = next_corner();
    }

    // How far the state is from the constraints: the largest change that projecting makes, over the size of the entry where that is more
    // than one. The projected state is in `projected`.
    double drift(double t) {
        projected = s_.y0;
        if (!arrive(on_this_side(t), projected, s_.last)) return INFINITY;
        double most = 0;
        for (int i = 0; i < E.n; ++i)
            most = std::fmax(most, std::fabs(projected[i] - s_.y0[i]) / std::fmax(1.0, std::fabs(s_.y0[i])));
        return most;
    }
    std::vector<double> projected;

    void carry(Carried& c) {
        c(t_), c(behind_), c(pending_), c(base_), c(count_), c(next_sample_), c(s_.y0), c(s_.first), c(start_.values), c(start_.worse);
        switching_.carry(c);
        E.carry(c);
        corner_ = 0;
    }

    double on_this_side(double t) const { return std::fmax(std::fmin(t, pending_ - past(pending_)), behind_); }

  private:
    static constexpr double edge = 1e-12;
    Dopri5 method_;
    double behind_ = 0, pending_ = INFINITY;
};

}  // namespace ww
