// What a run leaves: records of its states, and of both sides of events. What is stored of a moment is the same whatever else is stored,
// and steps do not know of it.
#pragma once

#include <chrono>

#include "current_state.hpp"

namespace ww {

class Recorder {
  public:
    Recorder(CurrentState& current_state, size_t outputs)
        : now(current_state), E(now.E), S(now.S), O(now.O), width(record_size(S, O.states_only)) {
        records.reserve(width * outputs);
    }

    std::vector<double> records;  // see `record_size`
    std::vector<double> sides;    // records of both sides of every event at which a mode changes or a speed jumps, in pairs

    void store(double t, const std::vector<double>& y, bool inside = false) { add(t, y, records, inside); }

    // The state just before what is about to happen, in the modes that it has until then ...
    void store_before(double t, const std::vector<double>& y, bool inside = false) {
        add(t, y, sides, inside);
        waiting_ = true;
        modes_before_ = now.switching.modes();
    }

    // ... and just behind it. Both are kept where a mode has ended or become another one.
    void store_after(bool ends_mode = false) {
        if (!waiting_) return;
        if (!ends_mode && now.switching.modes() == modes_before_) return drop_before();
        waiting_ = false;
        add(now.t, now.step.y0, sides, false);
    }

    // It did not come to the other side.
    void drop_before() {
        if (!waiting_) return;
        waiting_ = false;
        sides.resize(sides.size() - width);
    }

    // Whether the last record is of this moment.
    bool knows(double t) const { return !records.empty() && records[records.size() - width] >= t - 3 * now.stops.past(t); }

    // What `Options::progress` answers, asked now and then.
    int asked_for() {
        if (!O.progress || (now.report.steps & 15)) return 0;
        const auto time = std::chrono::steady_clock::now();
        if (time - last_call_ < std::chrono::milliseconds(50)) return 0;
        last_call_ = time;
        return O.progress(now.t, now.report.steps);
    }

    // What was found since the last call, handed over.
    void keep(const Carried& c) {
        const auto& log = now.switching.log;
        O.keep(records.data() + kept_numbers_, records.size() - kept_numbers_, sides.data() + kept_sides_, sides.size() - kept_sides_,
               log.data() + kept_events_, log.size() - kept_events_, c.bytes.data(), c.bytes.size());
        kept_numbers_ = records.size(), kept_sides_ = sides.size(), kept_events_ = log.size();
    }

  private:
    void add(double t, const std::vector<double>& y, std::vector<double>& out, bool inside) {
        now.without_trace([&] { write(t, y, out, inside); });
    }

    void write(double t, const std::vector<double>& y, std::vector<double>& out, bool inside) {
        work_ = y;
        out.push_back(t);
        if (O.states_only) {
            now.approach(t, work_, inside);
            E.normalise(work_.data());
            E.meet_constraints(t, work_.data(), O.projection_tolerance);
            const double* stored = E.absolute_state(work_.data());
            out.insert(out.end(), stored, stored + S.n);
            return;
        }
        scratch_.resize(E.n);
        now.arrive_anew(t, work_, scratch_, inside);
        const double* stored = E.stored_state(t, work_.data());
        out.insert(out.end(), stored, stored + S.n);
        out.insert(out.end(), S.kkt.acceleration.begin(), S.kkt.acceleration.begin() + S.frames.nv);
        S.kkt.append_multipliers(out);
        for (double f : S.loads.friction_force) out.push_back(f);
    }

    CurrentState& now;
    EquationsOfMotion& E;
    System& S;
    const Options& O;
    const size_t width;
    std::vector<double> work_, scratch_;
    Switching::Modes modes_before_;
    bool waiting_ = false;  // whether there is a record of the side before an event
    std::chrono::steady_clock::time_point last_call_{};
    size_t kept_numbers_ = 0, kept_sides_ = 0, kept_events_ = 0;  // of the records and events: handed over by `keep`
};

}  // namespace ww
