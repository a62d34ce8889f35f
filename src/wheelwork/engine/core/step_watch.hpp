// Runs that lead nowhere: fixed steps too long for their method, and steps too short ever to come to the end.
#pragma once

#include "current_state.hpp"

namespace ww {

template <class Method>
class StepWatch {
  public:
    StepWatch(CurrentState& current_state, Method& method) : now(current_state), M(method), t_then_(now.O.start) {}

    // Whether a fixed step is too long for its method: over many steps the product of step and fastest rate lies beyond what the
    // method keeps bounded, and accelerations grow; or the motion has left all bounds already.
    bool unstable() {
        if constexpr (!Method::adaptive) {
            double acceleration;
            Eight most{};
            for (size_t i = 0; i < now.step.y1.size(); i += 8) {
                const Eight x = eight(&now.step.y1[i]), size = x < 0.0 ? -x : x;
                most = size > most ? size : most;
            }
            for (int k = 0; k < 8; ++k)
                if (most[k] > beyond_all_bounds) return true;
            const auto [first, count] = now.E.place_of_velocities();
            if (M.rate(now.step, first, count, &acceleration) <= Method::stable_rate) {
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
        const long long tries = now.report.steps + now.report.rejected;
        if (tries - tries_then_ < enough_tries) return false;
        const double needed = (std::fmin(now.O.end, now.O.until) - now.t) / (now.t - t_then_) * double(tries - tries_then_);
        tries_then_ = tries, t_then_ = now.t;
        return Method::adaptive && needed > 100.0 * double(now.O.max_steps);
    }

  private:
    static constexpr double beyond_all_bounds = 1e15;  // m, m/s, rad or rad/s
    static constexpr long long enough_tries = 50000;

    CurrentState& now;
    Method& M;
    int too_fast_ = 0;
    double least_ = 0;
    long long tries_then_ = 0;
    double t_then_;
};

}  // namespace ww
