// Forces of all elements at the frames at hand, summed up by body.
#pragma once

#include "frames.hpp"

namespace ww {

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
        for (int k = 0; k < P.frictions; ++k)
            if (P.friction[k].limits >= 0) limiting_.push_back(P.event_kind[P.friction[k].limits].force);
    }

    Frames& frames;
    const Program& P;
    std::vector<double> total;  // V a body: force, torque about the centre of mass
    std::vector<double> events;  // of those that limit friction, where forces were last evaluated

    // Weight, gyroscopic torque and the forces of all elements.
    void apply(double t) {
        for (int k = 0; k < P.bodies; ++k) {
            own_force(P.inertia + INERTIA * k, P.gravity + 3 * k, frames.record(k), &total[V * k]);
        }
        add_elements(t);
    }

    void add_elements(double t) {
        for (int k = 0; k < P.forces; ++k) {
            const ForceRow& F = P.force[k];
            double* out[1] = {wrench_.data()};
            P.wrench[k](inputs(k, t), out);
            for (int i = 0; i < F.acting; ++i) {
                const int body = P.force_body[F.first_body + i];
                if (body < 0) continue;
                for (int j = 0; j < V; ++j) total[V * body + j] += wrench_[V * i + j];
            }
            if (F.states) find_rates(k, t);
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

    // The first force whose wrench is not finite at the frames at hand, or -1.
    int first_not_finite(double t) {
        for (int k = 0; k < P.forces; ++k) {
            double* out[1] = {wrench_.data()};
            P.wrench[k](inputs(k, t), out);
            for (int i = 0; i < V * P.force[k].acting; ++i)
                if (!(std::fabs(wrench_[i]) < 1e300)) return k;
            if (P.force[k].states) find_rates(k, t);
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
        pointers_[F.bodies + 1] = &frames.input[3 * F.input];
        pointers_[F.bodies + 2] = turns_.data();
        pointers_[F.bodies + 3] = &time_;
        return pointers_.data();
    }

  private:
    std::vector<double> wrench_, turns_;
    std::vector<int> limiting_;  // forces that limit friction
    std::vector<const double*> pointers_;
    double time_ = 0.0;
};

}  // namespace ww
