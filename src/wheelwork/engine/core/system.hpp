// Newton-Euler equations with multipliers in absolute coordinates as a differential equation: the state's derivative, and the
// projections that keep a state on the constraints.
#pragma once

#include "load_dependent.hpp"

namespace ww {

class System : public LoadDependent {
  public:
    using LoadDependent::LoadDependent;

    // Forget modes and multipliers of an earlier run.
    void reset() {
        for (int c = 0; c < P.constraints; ++c) active[c] = kind_of(c) == BILATERAL;
        std::fill(multiplier.begin(), multiplier.end(), spread(0.0));
        forget_loads();
        forget_factor();
        evaluations = 0;
    }

    // What was found out about the whole motion on another system.
    void expect(const System& other) {
        teeth_move_wheels = other.teeth_move_wheels;
        fewest_small_pivots_ = other.fewest_small_pivots_;
    }

    // What stays from one step to the next.
    virtual void carry(Carried& c) {
        c(active), c(multiplier), c(evaluations);
        carry_loads(c);
        carry_factor(c);
    }

    long evaluations = 0;

    // ---- the state's derivative; afterwards `acceleration` and `multiplier` hold their values at (t, y)
    virtual void derivative(double t, const double* y, double* dy) {
        prepare(t, y);
        finish(t, y, dy);
    }

    // Events of all forces where the derivative was last evaluated, if it gave them too.
    virtual bool read_events(double*) const { return false; }

    // The same with the velocities in y first brought onto G v = nu.
    virtual void derivative_on_manifold(double t, double* y, double* dy) {
        prepare(t, y);
        finish_on_manifold(t, y, dy);
    }

    void finish_on_manifold(double t, double* y, double* dy) {
        if (project_velocity(y) > 1e-12) {
            count_turns(y);
            evaluate_gamma();
        }
        finish(t, y, dy);
        settle(y);
    }

    // Everything that comes before the forces: frames, G, gamma, the factor of S.
    void prepare(double t, const double* y) {
        place(y);
        functions_of_time(t);
        count_turns(y);
        evaluate_constraints();
        assemble();
    }

    // Forces, accelerations and multipliers, derivative of the state.
    void finish(double t, const double* y, double* dy) {
        ++evaluations;
        apply_forces(t);
        solve_accelerations();
        for (int k = 0; k < P.bodies; ++k) {
            coordinate_rates(q_of(y, k), v_of(y, k), dy + Q * k);
            std::memcpy(dy + nq + V * k, &acceleration[V * k], V * sizeof(double));
        }
        for (int k = 0; k < nz; ++k) dy[nq + nv + k] = turn_rate[k];
    }

    // Whether what pushes teeth apart can move anything: at a state on the constraints, whose equations were just evaluated, and
    // beside it. At a special position, as with two wheels and the pivot of an arm in line, it may move nothing just there.
    virtual void examine_meshes(double t, const double* y) {
        examine_meshes_here();
        if (teeth_move_wheels) return;
        // some motion that the constraints allow, of a hundredth of the mechanism's size and of a radian
        double size = 0, most = 0;
        for (int k = 0; k < P.bodies; ++k)
            for (int j = 0; j < LINEAR; ++j) size = std::fmax(size, std::fabs(record(k)[j] - record(0)[j]));
        if (!(size > 0)) size = 1.0;
        std::vector<double> beside(y, y + n);
        double* rate = &beside[nq];
        for (int i = 0; i < nv; ++i) rate[i] = std::sin(7.0 * i + 1.0) * (i % V < LINEAR ? size : 1.0);
        for (int c = 0; c < P.constraints; ++c) rhs_[c] = active[c] ? row_product(c, rate) : spread(0.0);
        correct_velocity(beside.data());
        for (int i = 0; i < nv; ++i) most = std::fmax(most, std::fabs(rate[i]) / (i % V < LINEAR ? size : 1.0));
        if (!(most > 1e-9)) return;  // nothing can move
        for (int i = 0; i < nv; ++i) rate[i] *= 0.01 / most;
        for (int k = 0; k < P.bodies; ++k) displace(&beside[Q * k], rate + V * k);
        if (!project_position(t, beside.data(), 1e-10, 25)) return;
        assemble();
        examine_meshes_here();
    }

    // ---- projections; both move along M^-1 G^T, the shortest way in the metric of the kinetic energy

    // Newton's method, with a new factor in every round. False if the residuals do not get below the tolerance.
    bool project_position(double t, double* y, double tolerance, int iterations) {
        struct AllRows {
            bool& all;
            explicit AllRows(bool& flag) : all(flag) { all = true; }
            ~AllRows() { all = false; }
        } with_all_rows(all_rows_);
        functions_of_time(t);
        for (int round = 0; round <= iterations; ++round) {
            place_positions(y);
            count_turns(y);
            settle(y);
            evaluate_constraints();
            const double size = largest_residual();
            if (size <= tolerance) return true;
            if (!(size < 1e300) || round == iterations) return false;
            assemble();
            correct_position(y);
        }
        return false;
    }

    // One Newton step from the residuals at hand, with the Jacobian and factor at hand.
    void correct_position(double* y) {
        for (int c = 0; c < P.constraints; ++c)
            rhs_[c] = (active[c] && kind_of(c) != FRICTION) ? constraint[c].g : spread(0.0);
        factor->solve(rhs_.data());
        std::fill(momentum_.begin(), momentum_.end(), 0.0);
        add_transposed(rhs_.data(), momentum_.data());
        for (int k = 0; k < P.bodies; ++k) {
            double step[V];
            over_mass(k, &momentum_[V * k], step);
            for (double& x : step) x = -x;
            displace(y + Q * k, step);
        }
    }

    // The state at the end of a step: positions brought onto the constraints, then velocities; and its derivative.
    //
    // Positions get one Newton step with the factor of the last evaluation in any case: what is left below the tolerance would
    // add up over steps, and at singular positions tell. False if the constraints cannot be met.
    virtual bool arrive(double t, double* y, double* dy, double tolerance) {
        if (!meet_position(t, y, tolerance)) return false;
        finish_on_manifold(t, y, dy);
        if (leaves_out_ && !left_out_rows_hold()) {
            forget_left_out();
            assemble();
            finish_on_manifold(t, y, dy);
        }
        return true;
    }

    // The same without forces and accelerations.
    virtual bool meet_constraints(double t, double* y, double tolerance) {
        if (!meet_position(t, y, tolerance)) return false;
        if (project_velocity(y) > 1e-12) count_turns(y);
        settle(y);
        return true;
    }

    // Positions onto the constraints; leaves G, gamma and the factor of S there.
    bool meet_position(double t, double* y, double tolerance) {
        if (P.constraints) {
            if (factorisations == 0) prepare(t, y);
            functions_of_time(t);
            place_positions(y, false);
            count_turns(y);
            evaluate_residuals();
            const double size = largest_residual();
            if (!(size < 1e300)) return false;
            if (size > 1e-15) correct_position(y);
        }
        prepare(t, y);
        if (!(largest_residual() <= tolerance)) {
            forget_left_out();
            if (!project_position(t, y, tolerance, 25)) return false;
            prepare(t, y);
        }
        return true;
    }

    // ---- what a run stores: the state in absolute coordinates, and with `stored_state` accelerations and multipliers, which are left in
    // the system. Formulations in other coordinates translate here.
    // Where the velocities are in the state, and their number.
    virtual std::pair<int, int> place_of_velocities() const { return {nq, nv}; }
    virtual size_t stored_state_size() const { return n; }
    virtual const double* absolute_state(const double* y) { return y; }
    virtual const double* stored_state(double, const double* y) {
        complete_reactions();
        return y;
    }

    // Sizes from which on entries of the state count as no larger, for the errors of steps: one radian for angles.
    virtual void cap_sizes(double* cap) const {
        for (int k = 0; k < P.bodies; ++k) cap_angles(cap + Q * k);
    }

    // Largest residual of the joints at a state, and where.
    virtual double final_residual(double t, const double* y, int* where) {
        functions_of_time(t);
        place(y);
        count_turns(y);
        evaluate_residuals();
        return largest_residual(where);
    }

    // Needs G and its factor at y. Returns the largest velocity residual before the correction.
    double project_velocity(double* y) {
        double worst = 0;
        for (int c = 0; c < P.constraints; ++c) {
            rhs_[c] = active[c] ? speed_of(c) - constraint[c].nu : spread(0.0);
            const double size = max_abs(rhs_[c]);
            if (!(size <= worst)) worst = size;
        }
        correct_velocity(y);
        return worst;
    }

    // v -= M^-1 G^T S^-1 rhs; leaves the impulses in rhs_.
    void correct_velocity(double* y) {
        if (stabilisation.method == AUGMENTED_LAGRANGIAN) assemble_regularised(false);  // its factor is that of S + 1/penalty
        refined_solve(rhs_.data());
        yield_to(rhs_.data(), y + nq);
        place_velocities(y);
    }
};

}  // namespace ww
