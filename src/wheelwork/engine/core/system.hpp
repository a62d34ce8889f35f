// Newton-Euler equations with multipliers in absolute coordinates as a differential equation: the state's derivative, and the
// projections that keep a state on the constraints.
#pragma once

#include "equations.hpp"
#include "load_dependent.hpp"

namespace ww {

class System : public EquationsOfMotion {
  public:
    System(const Program& program, Schur::FactorMaker make_factor)
        : EquationsOfMotion(*this), P(program), frames(P), constraints(frames), forces(frames), schur(constraints, make_factor),
          kkt(forces, schur), loads(kkt) {
        n = frames.n;
        first_state = frames.nq + frames.nv + frames.first_state;
    }

    const Program P;
    Frames frames;
    Constraints constraints;
    Forces forces;
    Schur schur;
    Kkt kkt;
    LoadDependent loads;

    // Forget modes and multipliers of an earlier run.
    void reset() {
        constraints.forget_modes();
        std::fill(kkt.multiplier.begin(), kkt.multiplier.end(), spread(0.0));
        loads.forget();
        schur.forget();
        evaluations = 0;
    }

    // What was found out about the whole motion on another system.
    void expect(const System& other) {
        loads.teeth_move_wheels = other.loads.teeth_move_wheels;
        schur.fewest_small_pivots = other.schur.fewest_small_pivots;
    }

    void carry(Carried& c) override {
        c(constraints.active), c(kkt.multiplier), c(evaluations);
        loads.carry(c);
        schur.carry(c);
    }

    long evaluations = 0;

    // ---- the state's derivative; afterwards `acceleration` and `multiplier` hold their values at (t, y)
    void derivative(double t, const double* y, double* dy) override {
        prepare(t, y);
        finish(t, y, dy);
    }

    void derivative_on_manifold(double t, double* y, double* dy) override {
        prepare(t, y);
        finish_on_manifold(t, y, dy);
    }

    void finish_on_manifold(double t, double* y, double* dy) {
        schur.note_on_constraints();
        if (project_velocity(y) > 1e-12) {
            frames.count_turns(y);
            constraints.evaluate_gamma();
        }
        finish(t, y, dy);
        settle(y);
    }

    // Everything that comes before the forces: frames, G, gamma, the factor of S.
    void prepare(double t, const double* y) {
        frames.place(y);
        frames.functions_of_time(t);
        frames.count_turns(y);
        constraints.evaluate();
        kkt.assemble();
    }

    // Forces, accelerations and multipliers, derivative of the state.
    void finish(double t, const double* y, double* dy) {
        ++evaluations;
        forces.apply(t);
        loads.solve_accelerations();
        for (int k = 0; k < P.bodies; ++k) {
            coordinate_rates(frames.q_of(y, k), frames.v_of(y, k), dy + Q * k);
            std::memcpy(dy + frames.nq + V * k, &kkt.acceleration[V * k], V * sizeof(double));
        }
        if (P.measured) measure(t, y);
        for (int k = 0; k < frames.nz; ++k) dy[frames.nq + frames.nv + k] = frames.turn_rate[k];
    }

    // What formulas read that is found together with the accelerations, from these and the multipliers at hand, and the rates that it gives.
    void measure(double t, const double* y) {
        const double now = t + frames.origin;
        flat_.clear();
        kkt.append_multipliers(flat_);
        const double* in[7] = {&now, y, kkt.acceleration.data(), flat_.data(), loads.friction_force.data(), frames.input.data(), P.data};
        double* out[1] = {&frames.counted[frames.nz]};
        P.measuring[0](in, out);
        forces.find_measuring_rates(t);
    }

    // The factor of S as if every constraint held; not for solving.
    void factorise_with_all() {
        const std::vector<char> active = constraints.active;
        std::fill(constraints.active.begin(), constraints.active.end(), 1);
        schur.factorise_with(0.0);
        constraints.active = active;
    }

    void examine_meshes(double t, const double* y) override {
        loads.examine_meshes_here();
        if (loads.teeth_move_wheels) return;
        // some motion that the constraints allow, of a hundredth of the mechanism's size and of a radian
        double size = 0, most = 0;
        for (int k = 0; k < P.bodies; ++k)
            for (int j = 0; j < LINEAR; ++j) size = std::fmax(size, std::fabs(frames.record(k)[j] - frames.record(0)[j]));
        if (!(size > 0)) size = 1.0;
        std::vector<double> beside(y, y + n);
        double* rate = &beside[frames.nq];
        for (int i = 0; i < frames.nv; ++i) rate[i] = std::sin(7.0 * i + 1.0) * (i % V < LINEAR ? size : 1.0);
        for (int c = 0; c < P.constraints; ++c) schur.rhs[c] = constraints.active[c] ? constraints.row_product(c, rate) : spread(0.0);
        correct_velocity(beside.data());
        for (int i = 0; i < frames.nv; ++i) most = std::fmax(most, std::fabs(rate[i]) / (i % V < LINEAR ? size : 1.0));
        if (!(most > 1e-9)) return;  // nothing can move
        for (int i = 0; i < frames.nv; ++i) rate[i] *= 0.01 / most;
        for (int k = 0; k < P.bodies; ++k) displace(&beside[Q * k], rate + V * k);
        if (!project_position(t, beside.data(), 1e-10, 25)) return;
        kkt.assemble();
        loads.examine_meshes_here();
    }

    // ---- projections; both move along M^-1 G^T, the shortest way in the metric of the kinetic energy

    // Newton's method, with a new factor in every round. False if the residuals do not get below the tolerance.
    bool project_position(double t, double* y, double tolerance, int iterations) {
        struct AllRows {
            bool& all;
            explicit AllRows(bool& flag) : all(flag) { all = true; }
            ~AllRows() { all = false; }
        } with_all_rows(schur.all_rows);
        frames.functions_of_time(t);
        for (int round = 0; round <= iterations; ++round) {
            frames.place_positions(y);
            frames.count_turns(y);
            settle(y);
            constraints.evaluate();
            const double size = constraints.largest_residual();
            if (size <= tolerance) return true;
            if (!(size < 1e300) || round == iterations) return false;
            kkt.assemble();
            correct_position(y);
        }
        return false;
    }

    // One Newton step from the residuals at hand, with the Jacobian and factor at hand.
    void correct_position(double* y) {
        for (int c = 0; c < P.constraints; ++c)
            schur.rhs[c] = (constraints.active[c] && constraints.kind_of(c) != FRICTION) ? constraints[c].g : spread(0.0);
        schur.factor->solve(schur.rhs.data());
        step_.assign(frames.nv, 0.0);
        constraints.subtract_effect_of(schur.rhs.data(), step_.data());
        for (int k = 0; k < P.bodies; ++k) displace(y + Q * k, &step_[V * k]);
    }

    // Positions, then velocities. Positions get one Newton step with the factor of the last evaluation in any case: what is left below the tolerance would
    // add up over steps, and at singular positions tell. False if the constraints cannot be met.
    bool arrive(double t, double* y, double* dy, double tolerance) override {
        if (!meet_position(t, y, tolerance)) return false;
        finish_on_manifold(t, y, dy);
        if (schur.leaves_out() && !schur.left_out_rows_hold()) {
            schur.forget_left_out();
            kkt.assemble();
            finish_on_manifold(t, y, dy);
        }
        return true;
    }

    void approach(double t, double* y) override {
        if (P.constraints) prepare(t, y);
    }

    bool meet_constraints(double t, double* y, double tolerance) override {
        if (!meet_position(t, y, tolerance)) return false;
        if (project_velocity(y) > 1e-12) frames.count_turns(y);
        settle(y);
        return true;
    }

    // Positions onto the constraints; leaves G, gamma and the factor of S there.
    bool meet_position(double t, double* y, double tolerance) {
        if (P.constraints) {
            if (schur.factorisations == 0) prepare(t, y);
            frames.functions_of_time(t);
            frames.place_positions(y, false);
            frames.count_turns(y);
            constraints.evaluate_residuals();
            const double size = constraints.largest_residual();
            if (!(size < 1e300)) return false;
            if (size > 1e-15) correct_position(y);
        }
        prepare(t, y);
        if (!(constraints.largest_residual() <= tolerance)) {
            schur.forget_left_out();
            if (!project_position(t, y, tolerance, 25)) return false;
            prepare(t, y);
        }
        return true;
    }

    void normalise(double* y) const override { frames.normalise(y); }
    void settle(double* y) const override {
        frames.settle(y);
        forces.settle_units(y);
    }
    bool near_singular_position() const override { return schur.near_singular_position(); }
    std::pair<int, int> place_of_velocities() const override { return {frames.nq, frames.nv}; }
    const double* absolute_state(const double* y) override { return y; }
    const double* stored_state(double, const double* y) override {
        loads.complete_reactions();
        return y;
    }

    void cap_sizes(double* cap) const override {
        for (int k = 0; k < P.bodies; ++k) cap_angles(cap + Q * k);
    }

    double final_residual(double t, const double* y, int* where) override {
        frames.functions_of_time(t);
        frames.place(y);
        frames.count_turns(y);
        constraints.evaluate_residuals();
        *where = constraints.worst_constraint();
        return constraints.largest_residual();
    }

    void look(double t, const double* y) override { prepare(t, y); }
    double gap_of(int c) const override { return constraints[c].g[0]; }
    double rate_along(int c) override { return constraints.speed_of(c)[0]; }
    double acceleration_along(int c) const override {
        return constraints.row_product(c, kkt.acceleration.data())[0] - constraints[c].gamma[0];
    }
    double kinetic_energy(const double* y) override { return frames.kinetic_energy(y + frames.nq); }
    bool held(int c) override { return loads.is_held(c); }
    double round_off(int c) const override { return loads.round_off(c); }

    // Rows that contradict each other are met by none. What round-off leaves of the accelerations that forces, or the force needed, would
    // give without the others does not count: of the latter a contradiction leaves about the shift of S.
    bool accelerated(int c) override {
        if (!schur.shifted() && constraints.active[c]) return false;
        const ConstraintState& C = constraints[c];
        double size = std::fabs(C.gamma[0]), alone = 0;
        for (const auto& [body, G] : constraints.sides(c)) {
            if (body < 0) continue;
            double free[V], step[V], row[V];
            for (int j = 0; j < V; ++j) row[j] = G[j][0];
            frames.over_mass(body, &forces.total[V * body], free);
            frames.over_mass(body, row, step);
            for (int j = 0; j < V; ++j) {
                size += std::fabs(row[j]) * (std::fabs(kkt.acceleration[V * body + j]) + std::fabs(free[j]));
                alone += row[j] * step[j];
            }
        }
        return std::fabs(acceleration_along(c)) > 1e-5 * size + 1e-12 * alone * std::fabs(kkt.multiplier[c][0]);
    }

    void strike(double* y, const std::vector<double>& rebound, std::vector<double>& impulse) override {
        for (int c = 0; c < P.constraints; ++c) {
            schur.rhs[c] = constraints.active[c] ? constraints.speed_of(c) - constraints[c].nu : spread(0.0);
            schur.rhs[c][0] -= rebound[c];
        }
        correct_velocity(y);
        for (int c = 0; c < P.constraints; ++c) impulse[c] = schur.rhs[c][0];
    }

    bool stop_sliding(int k, double* y, double* impulse) override {
        if (!loads.stop(k, impulse)) return false;
        for (int i = 0; i < frames.nv; ++i) y[frames.nq + i] += kkt.acceleration[i];
        return true;
    }

    // Needs G and its factor at y. Returns the largest velocity residual before the correction.
    double project_velocity(double* y) {
        Pack worst = spread(0.0);
        for (int c = 0; c < P.constraints; ++c) {
            schur.rhs[c] = constraints.active[c] ? constraints.speed_of(c) - constraints[c].nu : spread(0.0);
            worst = larger(worst, schur.rhs[c]);
        }
        correct_velocity(y);
        return largest(worst);
    }

    // v -= M^-1 G^T S^-1 rhs; leaves the impulses in rhs_.
    void correct_velocity(double* y) {
        if (kkt.stabilisation.method == AUGMENTED_LAGRANGIAN) schur.assemble_regularised(false);  // its factor is that of S + 1/penalty
        schur.refined_solve(schur.rhs.data());
        constraints.subtract_effect_of(schur.rhs.data(), y + frames.nq);
        frames.place_velocities(y);
    }

  private:
    std::vector<double> step_, flat_;
};

}  // namespace ww
