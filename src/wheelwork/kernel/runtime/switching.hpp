// Discrete events: joints that stick or slide, points that touch or part, kinks in forces.
//
// Every event has a function of the state that is positive while the present mode holds:
//   sliding joint    rate of the joint coordinate in the direction of sliding
//   sticking joint   largest friction force less the force needed
//   free contact     gap
//   closed contact   pushing force
//   force events     as the force says, in the direction it asks for
#pragma once

#include <vector>

#include "system.hpp"

namespace ww {

enum EventKind { FORCE_EVENT = 0, STICK = 1, SLIDE = 2, IMPACT = 3, REST = 4, RELEASE = 5 };

struct EventRecord {
    double t, kind, index, size;  // size: impulse (N s) of an impact, else 0
};

class Switching {
  public:
    explicit Switching(System& system) : S(system), P(system.P) {
        const int count = P.events + P.frictions + P.contacts;
        values.assign(count, 0.0);
    }

    static constexpr double closed_gap = 1e-9;  // m; touching

    std::vector<double> values;
    std::vector<EventRecord> log;

    bool any() const { return !values.empty(); }

    // The event functions; needs S.derivative at (t, y) first.
    void evaluate(double t, std::vector<double>& out) {
        out.resize(values.size());
        for (int k = 0; k < P.forces; ++k) {
            const int* F = P.force + 8 * k;
            if (!F[7]) continue;
            const double* in[24];
            double turns[16];
            S.force_inputs(k, t, in, turns);
            double* slots[1] = {&out[F[6]]};
            P.event[k](in, slots);
        }
        for (int k = 0; k < P.frictions; ++k) out[P.events + k] = friction_value(k);
        for (int k = 0; k < P.contacts; ++k) {
            const int c = P.contact[2 * k];
            out[P.events + P.frictions + k] = S.active[c] ? -S.multiplier[c][0] : S.constraint[c].g[0];
        }
    }

    // Whether event k happened between values a and b.
    bool crossed(int k, double a, double b) const {
        const int direction = k < P.events ? P.event_kind[2 * k] : -1;
        if (direction <= 0 && a > 0 && b <= 0) return true;
        return direction >= 0 && a < 0 && b >= 0;
    }

    bool is_contact(int k) const { return k >= P.events + P.frictions; }
    bool is_free_contact(int k) const {
        return is_contact(k) && !S.active[P.contact[2 * (k - P.events - P.frictions)]];
    }

    // Modes that fit the state at the start.
    void start(double t, double* y, double* dy) {
        S.derivative(t, y, dy);
        for (int k = 0; k < P.frictions; ++k) {
            const double rate = friction_rate(k);
            set_friction(k, std::fabs(rate) < 1e-9 ? 0 : (rate > 0 ? 1 : -1));
        }
        settle(t, y, dy, false);
    }

    // Change modes so that they fit the state; `noted`: write what happens into the log. Returns false if no
    // consistent set of modes was found.
    bool settle(double t, double* y, double* dy, bool noted) {
        for (int round = 0; round < 60; ++round) {
            const bool hit = P.contacts && collide(t, y, noted);
            S.derivative_on_manifold(t, y, dy);
            bool changed = hit;
            for (int k = 0; k < P.contacts; ++k) {
                const int c = P.contact[2 * k];
                if (S.active[c] && S.multiplier[c][0] > 0) {
                    S.active[c] = 0;
                    changed = true;
                    if (noted) note(t, RELEASE, k, 0);
                    break;
                }
            }
            if (!changed) changed = settle_friction(t, noted);
            if (!changed) return true;
        }
        return false;
    }

  private:
    void note(double t, int kind, int index, double size) {
        log.push_back({t, double(kind), double(index), size});
    }

    void set_friction(int k, int direction) {
        S.slip[k] = direction;
        S.active[P.friction[4 * k + 1]] = direction == 0;
    }

    double friction_rate(int k) {
        return S.speed_of(P.friction[4 * k + 1])[0];
    }

    double friction_value(int k) {
        if (S.slip[k]) return S.slip[k] * friction_rate(k);
        return S.friction_limit(k, true) - std::fabs(S.multiplier[P.friction[4 * k + 1]][0]);
    }

    bool settle_friction(double t, bool noted) {
        for (int k = 0; k < P.frictions; ++k) {
            if (S.slip[k]) {
                if (S.slip[k] * friction_rate(k) > 1e-11) continue;
                // at rest, or moving against the assumed direction
                const double rate = friction_rate(k);
                if (std::fabs(rate) > 1e-8) {
                    set_friction(k, rate > 0 ? 1 : -1);
                    return true;
                }
                // accelerating in the direction of sliding: it has just broken loose
                if (slipping_acceleration(k) * S.slip[k] > 0 && just_released_ == k + 1) continue;
                set_friction(k, 0);
                if (noted) note(t, STICK, k, 0);
                return true;
            }
            const double needed = S.multiplier[P.friction[4 * k + 1]][0];
            if (std::fabs(needed) > S.friction_limit(k, true)) {
                set_friction(k, needed > 0 ? 1 : -1);
                just_released_ = k + 1;
                if (noted) note(t, SLIDE, k, 0);
                return true;
            }
        }
        just_released_ = 0;
        return false;
    }

    // d/dt of the joint coordinate's rate.
    double slipping_acceleration(int k) {
        const int c = P.friction[4 * k + 1];
        const ConstraintState& C = S.constraint[c];
        double sum = -C.gamma[0];
        const int a = S.a_of(c), b = S.b_of(c);
        for (int j = 0; j < V; ++j) {
            if (a >= 0) sum += C.Ga[j][0] * S.acceleration[V * a + j];
            if (b >= 0) sum += C.Gb[j][0] * S.acceleration[V * b + j];
        }
        return sum;
    }

    // Impacts by momentum balance (Bai, eq. 1.21-1.22) with Newton's restitution: closed contacts that approach get the
    // normal speed -e times what it was, joints keep theirs, all at once. A contact whose impulse would pull is
    // let go and the balance made again. Returns whether anything happened.
    bool collide(double t, double* y, bool noted) {
        S.prepare(t, y);
        std::vector<int> hitting;
        for (int k = 0; k < P.contacts; ++k) {
            const int c = P.contact[2 * k];
            if (S.active[c] || S.constraint[c].g[0] > closed_gap) continue;
            const double speed = S.speed_of(c)[0];
            if (speed < -1e-10 || (!noted && speed < 1e-10)) hitting.push_back(k);
        }
        if (hitting.empty()) return false;
        const std::vector<double> before(y, y + S.n);
        std::vector<char> kept(S.active);
        while (!hitting.empty()) {
            S.active = kept;
            for (int k : hitting) S.active[P.contact[2 * k]] = 1;
            std::copy(before.begin(), before.end(), y);
            S.prepare(t, y);
            std::vector<Pack>& rhs = S.right_hand_side();
            for (int c = 0; c < P.constraints; ++c)
                rhs[c] = S.active[c] ? S.speed_of(c) - S.constraint[c].nu : spread(0.0);
            std::vector<char> rests(hitting.size(), 0);
            for (size_t i = 0; i < hitting.size(); ++i) {
                const int k = hitting[i], c = P.contact[2 * k];
                const double* law = P.data + P.contact[2 * k + 1];
                const double rebound = -law[0] * rhs[c][0];
                rests[i] = !(rebound > law[1]);
                if (!rests[i]) rhs[c][0] -= rebound;
            }
            S.correct_velocity(y);
            size_t worst = hitting.size();
            double pull = 1e-14;
            for (size_t i = 0; i < hitting.size(); ++i) {
                const double impulse = rhs[P.contact[2 * hitting[i]]][0];
                if (impulse > pull) pull = impulse, worst = i;
            }
            if (worst < hitting.size()) {
                hitting.erase(hitting.begin() + worst);
                continue;
            }
            for (size_t i = 0; i < hitting.size(); ++i) {
                const int k = hitting[i], c = P.contact[2 * k];
                S.active[c] = rests[i];
                if (noted) note(t, rests[i] ? REST : IMPACT, k, -rhs[c][0]);
            }
            return true;
        }
        S.active = kept;
        std::copy(before.begin(), before.end(), y);
        return false;
    }

    System& S;
    const Program& P;
    int just_released_ = 0;
};

}  // namespace ww
