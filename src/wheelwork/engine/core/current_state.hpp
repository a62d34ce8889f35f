// The state that a simulation is at, with its derivative and modes: how it comes onto the constraints, and what happens to it at a moment
// (samples, functions of time behind their corners, blocks that change their mode).
#pragma once

#include "methods.hpp"
#include "stop_times.hpp"

namespace ww {

inline bool finite(const std::vector<double>& x) {
    Eight zero{}, also{};  // two sums, which do not wait for each other
    size_t i = 0;
    for (; i + 16 <= x.size(); i += 16) zero += eight(&x[i]) * 0.0, also += eight(&x[i + 8]) * 0.0;
    if (i < x.size()) zero += eight(&x[i]) * 0.0;
    return sum(zero + also) == 0.0;
}

class CurrentState {
  public:
    CurrentState(EquationsOfMotion& equations, const Options& options)
        : E(equations), S(E.absolute), P(S.P), O(options), stops(S, O), switching(E) {
        report.worst_constraint = report.bad_force = -1;
    }

    EquationsOfMotion& E;
    System& S;
    const Program& P;
    Options O;
    StopTimes stops;
    Switching switching;
    Step step;            // y0 and first are the state and its derivative; the rest is of the step that goes on from it
    double t = 0;
    Readings before;      // what events are read from here ...
    Readings behind;      // ... and where the step ends
    Report report{};
    bool branch_in_doubt = false;

    void place(const double* y) {
        step.begin(y, E.n);
        E.cap_sizes(step.cap.data());
        t = stops.behind(O.start);
    }

    // The first evaluation.
    int begin() {
        stops.begin(O.start);
        const int sampled = P.measured ? REACHED_END : sample(O.start);
        if (sampled != REACHED_END) return sampled;
        if (!arrive_anew(t, step.y0, step.first)) return CONSTRAINTS_LOST;
        if (P.meshes) {
            E.examine_meshes(t, step.y0.data());
            E.derivative(t, step.y0.data(), step.first.data());
        }
        if (switching.any()) {
            if (!switching.start(t, step.y0.data(), step.first.data())) return unsettled();
            switching.read(t, before);
            switching.note_forces(t, before, before);
        }
        if (!S.loads.friction_converged) return no_friction();
        if (!finite(step.first)) return NOT_FINITE;
        int outcome = change_modes();
        if (outcome == REACHED_END && P.measured) {  // which is known from here on
            outcome = sample(O.start);
            if (outcome == REACHED_END) outcome = look_again();
        }
        return outcome;
    }

    // The state at hand with what has changed besides it: a function of time beyond its corner, other numbers.
    int look_again() {
        if (!arrive_anew(t, step.y0, step.first)) return CONSTRAINTS_LOST;
        if (switching.any()) {
            if (!switching.settle(t, step.y0.data(), step.first.data())) return unsettled();
            switching.read(t, before);
        }
        return finite(step.first) ? change_modes() : NOT_FINITE;
    }

    // Own states of elements that are due to be sampled; all of them see the states from before.
    int sample(double when) {
        const std::vector<int> due = stops.due(when);
        for (int k : due)
            if (S.forces.measures(k)) {  // what there is in the modes that fit what functions of time have become
                const int outcome = look_again();
                if (outcome != REACHED_END) return outcome;
                break;
            }
        return due.empty() ? REACHED_END : update(due);
    }

    // Blocks that change their mode here, one after the other. Needs the readings in `before`.
    int change_modes() {
        if (!P.states || !switching.any()) return REACHED_END;
        for (int round = 0; round < 100; ++round) {
            if (undecided()) return NOT_FINITE;
            const int k = switching.changing(before);
            if (k < 0) return REACHED_END;
            const int force = P.event_kind[k].force;
            const int outcome = update({force});
            if (outcome != REACHED_END) return outcome;
            switching.note_change(t, k, step.y0[E.first_state + P.force[force].first_state]);
            if (!arrive_anew(t, step.y0, step.first)) return CONSTRAINTS_LOST;
            if (!switching.settle(t, step.y0.data(), step.first.data())) return unsettled();
            switching.read(t, before);
        }
        return TOO_MANY_EVENTS;
    }

    // Whether a condition under which a block changes its mode is no number, at the readings in `before`: it would never be met.
    bool undecided() {
        const int k = switching.undecided(before);
        if (k >= 0) report.bad_force = P.event_kind[k].force;
        return k >= 0;
    }

    // ---- onto the constraints

    // Bring y onto the constraints and evaluate its derivative.
    bool arrive(double when, std::vector<double>& y, std::vector<double>& dy) {
        E.normalise(y.data());
        if (S.kkt.stabilisation.method != PROJECTION) {
            E.derivative(when, y.data(), dy.data());
            S.schur.note_on_constraints();
            const bool near_singular = S.schur.near_singular_since;  // here or in a stage on the way
            S.schur.near_singular_since = false;
            if (!near_singular || S.kkt.stabilisation.method == NONE) {
                branch_in_doubt = branch_in_doubt || near_singular;
                E.settle(y.data());
                return true;
            }
            // Feedback leaves a residual, and at a singular position a small one is enough to come out on another branch: there
            // the state is projected (Bayo and Ledesma, Nonlinear Dynamics 9 (1996) 113, do so with the augmented Lagrangian).
            const int method = S.kkt.stabilisation.method;
            S.kkt.stabilisation.method = PROJECTION;
            const bool arrived = E.arrive(when, y.data(), dy.data(), O.projection_tolerance);
            S.kkt.stabilisation.method = method;
            if (arrived) {
                E.derivative(when, y.data(), dy.data());
                return true;
            }
        } else if (E.arrive(when, y.data(), dy.data(), O.projection_tolerance)) {
            S.schur.leave_out_redundant();
            return true;
        }
        report.worst_residual = S.constraints.largest_residual();
        if (report.worst_residual != 0) report.worst_constraint = S.constraints.worst_constraint();
        return false;
    }

    // The same whatever was looked at before: from a state on the constraints, which is the step's end for one inside a step.
    bool arrive_anew(double when, std::vector<double>& y, std::vector<double>& dy, bool inside = false) {
        approach(when, y, inside);
        return arrive(when, y, dy);
    }

    void approach(double when, std::vector<double>& y, bool inside) {
        if (S.kkt.stabilisation.method == PROJECTION) inside ? E.approach(step.t + step.h, step.y1.data()) : E.approach(when, y.data());
    }

    // What is looked at of a moment is the same whatever else is looked at, and steps do not know of it.
    template <class Look>
    void without_trace(Look&& look) {
        Carried kept;
        E.carry(kept);
        const long evaluations = S.evaluations, factorisations = S.schur.factorisations;
        look();
        const long more = S.evaluations - evaluations, factors = S.schur.factorisations - factorisations;
        Carried factor;  // of the elements' reactions: in minimal coordinates no step makes it again, and what is known of it goes with it
        S.schur.carry(factor);
        Carried back(kept.bytes.data(), kept.bytes.size());
        E.carry(back);
        if (&E != static_cast<EquationsOfMotion*>(&S)) {
            Carried as_it_is(factor.bytes.data(), factor.bytes.size());
            S.schur.carry(as_it_is);
        }
        S.evaluations += more, S.schur.factorisations += factors;
    }

    // ---- why it cannot go on

    int unsettled() const { return switching.refused() >= 0 ? CLUTCH_REFUSED : no_friction(); }

    // Of friction that was not found: forces do not fit, or a limit of one is no number.
    int no_friction() const {
        for (int k = 0; k < P.frictions; ++k)
            for (int i = SLIDES_UP; i <= STARTS_DOWN && P.friction[k].limits >= 0; ++i)
                if (!(std::fabs(S.forces.events[P.friction[k].limits + i]) < 1e300)) return NOT_FINITE;
        return FRICTION_UNSOLVED;
    }

    // The first force or constraint that is not finite, from the last state that is one on along its rates: where a step was tried last,
    // the state may be no number itself, and then nothing is.
    void blame() {
        if (S.frames.parted >= 0) return void(report.worst_constraint = S.frames.parted);
        std::vector<double> ahead_y(step.y0.size()), ahead_dy(step.y0.size());
        double ahead = 0;
        for (int round = 0; round < 22; ++round, ahead = std::fmax(4 * ahead, std::fmax(step.h, 1e-12))) {
            for (int i = 0; i < E.n; ++i) ahead_y[i] = step.y0[i] + (ahead > 0 ? ahead * step.first[i] : 0.0);
            E.derivative(t + ahead, ahead_y.data(), ahead_dy.data());
            if (finite(ahead_dy)) continue;
            report.bad_force = S.forces.first_not_finite(t + ahead);
            for (int c = 0; c < P.constraints && report.bad_force < 0; ++c)
                if (!(max_abs(S.constraints[c].g) < 1e300)) report.worst_constraint = c;
            if (S.frames.parted >= 0) report.bad_force = -1, report.worst_constraint = S.frames.parted;
            return;
        }
    }

  private:
    // What elements read at a state.
    void look_at_elements() {
        const double* here = E.absolute_state(step.y0.data());
        S.frames.place(here);
        S.frames.functions_of_time(t);
        S.frames.count_turns(here);
    }

    // Own states of forces that jump, with what was last measured.
    int update(const std::vector<int>& forces) {
        look_at_elements();
        const auto first = step.y0.begin() + E.first_state;
        std::vector<double> states(first, first + P.states);
        for (int k : forces) {
            double* out[1] = {&states[P.force[k].first_state]};
            P.jump[k](S.forces.inputs(k, t), out);
            for (int i = 0; i < P.force[k].states; ++i)
                if (!(std::fabs(out[0][i]) < 1e300)) {
                    report.bad_force = k;
                    return NOT_FINITE;
                }
        }
        std::copy(states.begin(), states.end(), step.y0.begin() + E.first_state);
        return REACHED_END;
    }
};

}  // namespace ww
