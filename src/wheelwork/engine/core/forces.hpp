// Forces of all elements at the frames at hand, summed up by body.
#pragma once

#include "frames.hpp"

namespace ww {

// A unit of another program (an FMU for model exchange) whose states are states of the run. Among the states of its force are its own, then
// its outputs, then its inputs, which the force's kernel of rates gives behind zeros.
struct Unit {
    int force, states, outputs, inputs;
};

// Rates and outputs of a unit at its states and inputs. What it does besides: with null for all of these, at the end of a step, and with -1
// for the unit where units and forces wait for each other without an answer.
typedef void (*UnitCall)(int unit, double t, const double* states, const double* inputs, double* rates, double* outputs);

class Forces {
  public:
    explicit Forces(Frames& frames_of_bodies) : frames(frames_of_bodies), P(frames.P) {
        total.assign(V * (P.bodies + 1), 0.0);
        int most_bodies = 0, most_turns = 0;
        for (int k = 0; k < P.forces; ++k) {
            most_bodies = std::max(most_bodies, P.force[k].bodies);
            most_turns = std::max(most_turns, P.force[k].turns);
        }
        wrench_.assign(V * most_bodies + V, 0.0);
        turns_.assign(most_turns + 1, 0.0);
        pointers_.assign(most_bodies + 4, nullptr);
        events.assign(P.events + 1, 0.0);
        of_unit_.assign(P.forces + 1, 0);
        measures_.assign(P.forces + 1, 0);
        for (int k = 0; k < P.forces; ++k)
            for (int i = 0; i < P.force[k].turns; ++i)
                if (P.force_turn[P.force[k].first_turn + i] >= frames.nz) measures_[k] = 1;
        for (int k = 0; k < P.frictions; ++k)
            if (P.friction[k].limits >= 0) limiting_.push_back(P.event_kind[P.friction[k].limits].force);
    }

    Frames& frames;
    const Program& P;
    std::vector<double> total;  // V per body: force, torque about the centre of mass
    std::vector<double> events;  // of those that limit friction, where forces were last evaluated

    // Weight, gyroscopic torque and the forces of all elements.
    void apply(double t) {
        own_forces(P.bodies, P.inertia, P.gravity, frames.records.data(), total.data());
        add_elements(t);
    }

    void set_units(const Unit* first, int count, UnitCall call) {
        units_.assign(first, first + count);
        call_ = call;
        std::fill(of_unit_.begin(), of_unit_.end(), 0);
        for (const Unit& unit : units_) of_unit_[unit.force] = 1;
    }

    void add_elements(double t) {
        if (!units_.empty()) call_units(t);
        for (int k = 0; k < P.forces; ++k) {
            const ForceRow& F = P.force[k];
            double* out[1] = {wrench_.data()};
            P.wrench[k](inputs(k, t), out);
            for (int i = 0; i < F.acting; ++i) {
                const int body = P.force_body[F.first_body + i];
                if (body < 0) continue;
                for (int j = 0; j < V; ++j) total[V * body + j] += wrench_[V * i + j];
            }
            if (F.states && !of_unit_[k] && !measures_[k]) find_rates(k, t);
        }
        for (int k : limiting_) read_events(k, t, events.data());
    }

    // The values that events of force k are read from, into those of all.
    void read_events(int k, double t, double* values) {
        double* slots[1] = {values + P.force[k].first_event};
        P.event[k](inputs(k, t), slots);
    }

    // Of the states that an element has of its own.
    void find_rates(int k, double t) {
        double* out[1] = {&frames.turn_rate[frames.first_state + P.force[k].first_state]};
        P.rate[k](inputs(k, t), out);
    }

    // Of those that read what is measured, once that is known.
    void find_measuring_rates(double t) {
        for (int k = 0; k < P.forces; ++k)
            if (measures_[k] && P.force[k].states) find_rates(k, t);
    }

    // Whether force k reads what is measured.
    bool measures(int k) const { return measures_[k]; }

    // The first force whose wrench or rates are not finite at the frames at hand, or -1. Where what is measured is not finite, the reason
    // lies elsewhere.
    int first_not_finite(double t) {
        bool known = true;
        for (int i = 0; i < P.measured; ++i) known = known && std::fabs(frames.counted[frames.nz + i]) < 1e300;
        for (int k = 0; k < P.forces; ++k) {
            double* out[1] = {wrench_.data()};
            P.wrench[k](inputs(k, t), out);
            for (int i = 0; i < V * P.force[k].acting; ++i)
                if (!(std::fabs(wrench_[i]) < 1e300)) return k;
            if (measures_[k] && !known) continue;
            if (P.force[k].states && !of_unit_[k]) find_rates(k, t);
            for (int i = 0; i < P.force[k].states; ++i)
                if (!(std::fabs(frames.turn_rate[frames.first_state + P.force[k].first_state + i]) < 1e300)) return k;
        }
        return -1;
    }

    // Pointers for a force's kernels: bodies, data, inputs, turns, time. Valid until the next call.
    const double* const* inputs(int k, double t) {
        const ForceRow& F = P.force[k];
        for (int i = 0; i < F.bodies; ++i) pointers_[i] = frames.record(P.force_body[F.first_body + i]);
        for (int i = 0; i < F.turns; ++i) turns_[i] = frames.counted[P.force_turn[F.first_turn + i]];
        time_ = t + frames.origin;
        pointers_[F.bodies] = P.data + F.data;
        pointers_[F.bodies + 1] = frames.input_of(F.input);
        pointers_[F.bodies + 2] = turns_.data();
        pointers_[F.bodies + 3] = &time_;
        return pointers_.data();
    }

    // ---- units of other programs

    // The state's outputs and inputs of units brought to where they were last found.
    void settle_units(double* y) const {
        for (const Unit& unit : units_) {
            const int first = frames.first_state + P.force[unit.force].first_state + unit.states;
            for (int k = first; k < first + unit.outputs + unit.inputs; ++k) y[frames.nq + frames.nv + k] = frames.counted[k];
        }
    }

    // A step has ended at this state.
    void step_completed(double t, const double* y) {
        const double* z = y + frames.nq + frames.nv + frames.first_state;
        for (size_t i = 0; i < units_.size(); ++i)
            call_(int(i), t + frames.origin, z + P.force[units_[i].force].first_state, nullptr, nullptr, nullptr);
    }

  private:
    static constexpr int most_sweeps = 50;

    // Each of them once, and again where its inputs have changed by what others, or the forces that it causes, have given since.
    void call_units(double t) {
        for (int sweep = 0; sweep < most_sweeps; ++sweep) {
            bool changed = false;
            for (size_t i = 0; i < units_.size(); ++i)
                if (sees_change(units_[i], t) || sweep == 0) call_unit(int(i), t), changed = true;
            if (!changed) return;
        }
        call_(-1, t + frames.origin, nullptr, nullptr, nullptr, nullptr);
    }

    // Its inputs, behind as many zeros as it has states and outputs, into `seen_`; whether they are others than those it was last given.
    bool sees_change(const Unit& unit, double t) {
        const int before = unit.states + unit.outputs, first = frames.first_state + P.force[unit.force].first_state;
        seen_.resize(before + unit.inputs + 1);
        double* out[1] = {seen_.data()};
        P.rate[unit.force](inputs(unit.force, t), out);
        for (int k = before; k < before + unit.inputs; ++k)
            if (std::fabs(seen_[k] - frames.counted[first + k]) > 1e-14 * std::fabs(frames.counted[first + k])) return true;
        return false;
    }

    void call_unit(int i, double t) {
        const Unit& unit = units_[i];
        const int first = frames.first_state + P.force[unit.force].first_state, inputs = unit.states + unit.outputs;
        double *state = &frames.counted[first], *rate = &frames.turn_rate[first];
        std::copy(&seen_[inputs], &seen_[inputs] + unit.inputs, state + inputs);
        call_(i, t + frames.origin, state, state + inputs, rate, state + unit.states);
        std::fill(rate + unit.states, rate + inputs + unit.inputs, 0.0);
    }

    std::vector<Unit> units_;
    std::vector<char> of_unit_, measures_;
    UnitCall call_ = nullptr;
    std::vector<double> wrench_, turns_, seen_;
    std::vector<int> limiting_;  // forces that limit friction
    std::vector<const double*> pointers_;
    double time_ = 0.0;
};

}  // namespace ww
