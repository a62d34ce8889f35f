// Co-simulation: a run in pieces, each as if the run were longer, or to its very end, so that steps do not know of those of the environment.
#pragma once

#include "fmu_inputs.hpp"
#include "fmu_mechanism.hpp"

namespace ww {

class FmuPieces {
  public:
    FmuPieces(FmuMechanism& mechanism, FmuInputs& inputs) : mechanism_(mechanism), inputs_(inputs), M(mechanism.M), P(mechanism.P), S(mechanism.S) {}

    std::vector<double> state;   // where the last piece ended
    std::vector<double> record;  // see `record_size`
    bool ahead = false;          // whether the last piece ended inside a step
    bool refresh = false;        // whether something was set since

    void reset() {
        carried_.clear(), record.clear();
        steps_ = 0;
        ahead = refresh = false;
    }

    void begin_anew() { carried_.clear(); }

    // To `end`; times are counted from the start of the run. What it leaves is in `report`, the report of the run.
    int run(double now, double end, bool goes_ahead, bool with_record, const std::vector<double>& corners, Report& report) {
        Options o = *M.options;
        o.start = 0.0;
        o.end = goes_ahead ? 1e9 : end;
        o.until = goes_ahead ? end : INFINITY;
        o.hand_over = goes_ahead ? AS_IF_LONGER : THE_END;
        o.corners = corners.data(), o.corner_count = int(corners.size());
        o.carried = carried_.empty() ? nullptr : carried_.data();
        o.carried_bytes = (long long)carried_.size();
        o.refresh = refresh;
        o.held = refresh ? inputs_.given.data() : nullptr;
        o.max_steps += steps_;
        if (goes_ahead && P.events + P.contacts + P.frictions) o.largest_step = std::fmin(o.largest_step, end - now);
        std::vector<double> y = mechanism_.start_state(inputs_.inputs);
        Finished* finished = nullptr;
        const int code = mechanism_.integrate(o, with_record ? &end : nullptr, with_record, y.data(), report, finished);
        if (code < 0) return code;
        const std::unique_ptr<Finished> kept(finished);
        steps_ = report.steps;
        carried_ = std::move(kept->carried);
        const size_t width = record_size(S);
        if (kept->records.size() >= width) record.assign(kept->records.end() - width, kept->records.end());
        state = std::move(y);
        if (report.outcome == REACHED_END) take_end(goes_ahead);
        return 0;
    }

    // Where own states of the elements are in the record.
    double* own_states() { return record.data() + 1 + S.n - P.states; }

    void carry(Carried& c) { c(carried_), c(record), c(state), c(steps_), c(ahead), c(refresh); }

  private:
    void take_end(bool goes_ahead) {
        ahead = goes_ahead;
        if (refresh) inputs_.taken();  // a piece that only brings a step to its end has not seen them
        refresh = false;
        if (!record.empty()) inputs_.read(own_states());
    }

    FmuMechanism& mechanism_;
    FmuInputs& inputs_;
    const FmuModel& M;
    const Program& P;
    System& S;
    std::vector<char> carried_;
    long long steps_ = 0;
};

}  // namespace ww
