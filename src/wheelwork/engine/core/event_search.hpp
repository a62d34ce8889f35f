// Where in a step something happens: where modes end, and where forces jump or bend.
#pragma once

#include "current_state.hpp"

namespace ww {

// As fractions of the step: both ends of a bracket narrower than the tolerance; and whether a mode ends there, not only a force bends.
struct EventPlace {
    double before = 0, behind = 0;
    bool ends_mode = false;
};

template <class Method>
class EventSearch {
  public:
    EventSearch(CurrentState& current_state, Method& method) : now(current_state), M(method) {}

    std::vector<double> inside;  // where `look_inside` looked last

    // The state inside the step, or beyond its end.
    const std::vector<double>& look_inside(double theta) {
        if constexpr (Method::dense_evaluates)
            if (!M.prepared()) now.without_trace([this] {
                M.prepare_dense([this](double t, const double* y, double* dy) { now.E.derivative(t, y, dy); }, now.step);
            });
        inside.resize(now.step.y0.size());
        M.dense(now.step, theta, inside.data());
        return inside;
    }

    // The first event in the step. The step is looked at in a few places, so that a short contact is not stepped over. Of one that ends
    // right before a jump the time `beyond` its end is looked at too: its polynomial knows nothing of the jump, and goes on as if there
    // was none.
    bool find_event(EventPlace& event, double beyond) {
        read_end();
        const int samples = now.switching.places(now.step.h);
        if (samples == 1 && !now.switching.any_ended(now.before, now.behind)) return beyond > 0 && find_beyond(event, 1 + beyond / now.step.h);
        Readings low = now.before, high;
        double a = 0;
        for (int i = 1; i <= samples; ++i) {
            const double b = double(i) / samples;
            if (i < samples) {
                read_at(b, low, high);
            } else {
                now.switching.keep_sides(low, now.behind);
                high = now.behind;
            }
            if (now.switching.any_ended(low, high)) {
                event.before = a;
                event.behind = narrow(event.before, low, b, high, now.O.event_tolerance / now.step.h);
                event.ends_mode = now.switching.ends_mode(low, high);
                return true;
            }
            a = b;
            low = high;
        }
        return beyond > 0 && find_beyond(event, 1 + beyond / now.step.h);
    }

    // Whether a force jumps or bends within the step.
    bool force_changed() {
        if (now.P.events) read_end();
        for (int k = 0; k < now.P.events; ++k)
            if (now.switching.ended(k, now.before, now.behind)) return true;
        return false;
    }

    // Whether a force jumps or bends within the step, so that its stages mix both sides; if so, a length that ends shortly
    // before that place, and within what time it comes; or, if the step begins there, one that ends shortly behind it, and none.
    bool comes_upon_jump(double& length, double& beyond) {
        const double closest = closest_to_jump();
        if (now.step.h <= closest || !force_changed()) return false;
        Readings low = now.before, high = now.behind;
        double before = 0;
        const double behind = narrow(before, low, 1.0, high, closely);
        // With a fixed step there is no error that would ask for a short step across.
        const bool approach = before > (Method::adaptive ? 100 * closely : closest / now.step.h);
        if (!approach && behind >= 0.95) return false;
        length = now.step.h * (approach ? before : behind);
        beyond = approach ? 2 * closely * now.step.h : 0;
        return true;
    }

    // Whether a stage, where the equations were just evaluated, is behind a jump before which the step begins: by round-off, too.
    bool crosses_jump(double t) {
        now.switching.read(t, now.behind);
        return any_kink([](double a, double b) { return a * b < 0 && std::fabs(a) > Switching::at_kink; });
    }

    // Whether the step, which `comes_upon_jump` has looked at, ends so close before one that a stage may be behind it.
    bool ends_before_jump() const {
        return longer_than_closest() && any_kink([](double a, double b) { return a * b > 0 && std::fabs(b) < 0.02 * std::fabs(a - b); });
    }

    // Whether it ends at the very place, where by round-off the end may be behind it too.
    bool ends_at_jump() const {
        return any_kink([](double a, double b) { return std::fabs(a) > Switching::at_kink && std::fabs(b) <= Switching::at_kink; });
    }

    // What is no longer is not cut at a jump.
    bool longer_than_closest() const { return now.step.h > closest_to_jump(); }

  private:
    static constexpr double closely = 1e-4;  // of a step: how closely a jump is located in one that has it inside

    double closest_to_jump() const { return std::fmax(now.O.event_tolerance, 1e-6 * now.O.step); }

    template <class Test>
    bool any_kink(Test&& test) const {
        for (int k = 0; k < now.P.events; ++k)
            if (now.P.event_kind[k].type == KINK && test(now.before.values[k], now.behind.values[k])) return true;
        return false;
    }

    void read_at(double theta, const Readings& from, Readings& out) {
        look_inside(theta);
        now.E.normalise(inside.data());
        scratch_.resize(now.E.n);
        const double t = now.step.t + theta * now.step.h;
        now.E.derivative(t, inside.data(), scratch_.data());
        now.switching.read(t, out);
        now.switching.keep_sides(from, out);
    }

    void read_end() {
        now.switching.read(now.step.t + now.step.h, now.behind);
        now.switching.keep_sides(now.before, now.behind);
    }

    // All of these events come late, if by little, and what they add up to over many must not tell: so they are located more closely.
    bool find_beyond(EventPlace& event, double furthest) {
        Readings low = now.behind, high;
        read_at(furthest, low, high);
        if (!now.switching.any_ended(low, high)) return false;
        event.before = 1;
        event.behind = narrow(event.before, low, furthest, high, 0.01 * now.O.event_tolerance / now.step.h);
        event.ends_mode = now.switching.ends_mode(low, high);
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
                if (now.switching.any_ended(low, middle)) {
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

    // Where the first of the values that changed sign would be zero on a straight line.
    double secant(double a, const Readings& low, double b, const Readings& high) const {
        double first = 2;
        for (int j = 0; j < now.switching.count(); ++j) {
            if (!now.switching.ended(j, low, high) || low.values[j] == high.values[j]) continue;
            const double fraction = low.values[j] / (low.values[j] - high.values[j]);
            if (fraction >= 0 && fraction <= 1) first = std::fmin(first, fraction);
        }
        return a + (b - a) * first;
    }

    CurrentState& now;
    Method& M;
    std::vector<double> scratch_;
};

}  // namespace ww
