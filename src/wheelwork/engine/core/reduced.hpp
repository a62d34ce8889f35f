// Equations of motion in minimal coordinates: the wrenches of the elements and of inertia, brought onto the coordinates by the
// Jacobian of every node (principle of virtual power),
//
//     sum over nodes of J^T (M J) u'' = sum over nodes of J^T (f - M J' u' - w x I w)
//
// Loops that are not gears are cut: their joints' rows, brought onto the coordinates in the same way, are constraints with
// multipliers, and so are prescribed motions. Meshes are cut too where what pushes their teeth apart moves something: that force
// needs the multiplier, the tooth force. Joints that stick and contacts that last are rows like those, while they do; so are cams.
// Elements know only frames, so they serve here as they are. Joint reactions and accelerations of the bodies are those of the
// equations in absolute coordinates at the same state, which are solved at output times; and at any time where friction depends on
// the reactions or formulas read them, or where rows that come and go depend on others, so that they share a load (`by_reactions`).
#pragma once

#include "reduced_wrenches.hpp"
#include "straight_line.hpp"

namespace ww {

class ReducedSystem : public EquationsOfMotion {
  public:
    ReducedSystem(const Program& program, const TreeTables& tables, Schur::FactorMaker make_factor)
        : EquationsOfMotion(system_), tree(tables), system_(program, make_factor), P(system_.P), frames(system_.frames),
          constraints(system_.constraints), forces(system_.forces), loads(system_.loads), T(tree.T), mass_(tree), articulated_(tree),
          bodies_(tree, frames), at(bodies_.at), wrenches_(bodies_, mass_), rows_(bodies_, mass_, constraints),
          meshes_(rows_, bodies_, mass_, system_), straight_(rows_, meshes_, bodies_, mass_) {
        first_state = at.own;
        n = at.n;
        switches_ = P.frictions + P.contacts > 0;
        open_ = articulated_.applies() && T.cuts == 0;
        absolute_.resize(system_.n), rates_.resize(std::max(system_.n, n));
        momenta_.resize(frames.nv + V), rates_here_.resize(tree.nu);
        solution_.resize(tree.nu);
    }

    Tree tree;

    void derivative(double t, const double* y, double* dy) override {
        if (needs_reactions_) return by_reactions(t, y, dy);
        if (!T.direct) return general_derivative(t, y, dy);
        ++system_.evaluations;
        straight_line(t, y, dy);
        if (T.cuts) {
            if (!close_loops(y)) return by_reactions(t, y, dy);
            std::memcpy(dy + at.rates, solution_.data(), tree.nu * sizeof(double));
        }
        double sum = 0;
        for (int j = at.rates; j < n; ++j) sum += dy[j] * 0.0;
        if (sum != 0.0) general_derivative(t, y, dy);  // not finite: frames are left from which it can be told why
    }

    bool read_events(double* values) const override {
        if (knows_events_) std::copy(straight_.events.begin(), straight_.events.begin() + P.events, values);
        return knows_events_;
    }

    void derivative_on_manifold(double t, double* y, double* dy) override {
        look(t, y);
        meet_velocity(y);
        derivative(t, y, dy);
    }

    // Minimal coordinates are on the constraints wherever they are; cut loops are brought together.
    bool arrive(double t, double* y, double* dy, double tolerance) override {
        bool held = false, closed = false;
        for (int i = 0; i < T.cuts; ++i) {
            held = held || constraints.active[T.cut[i]];
            closed = closed || (constraints.active[T.cut[i]] && constraints.kind_of(T.cut[i]) != FRICTION);
        }
        if (closed && !close_position(t, y, tolerance)) return false;
        derivative(t, y, dy);
        if (held && meet_velocity(y) > 1e-12) derivative(t, y, dy);
        settle(y);
        return true;
    }

    bool meet_constraints(double t, double* y, double tolerance) override {
        return T.cuts == 0 || arrive(t, y, rates_.data(), tolerance);  // closing a loop takes its equations
    }

    void normalise(double* y) const override {
        for (int b = 0; b < T.balls; ++b) ww::normalise(y + at.ball(b));
    }

    void settle(double* y) const override { std::copy(frames.counted.begin() + P.turns, frames.counted.begin() + frames.first_state, y + at.followed); }

    void carry(Carried& c) override {
        system_.carry(c);
        meshes_.carry(c);
        c(rows_.most_rank);
    }

    // Meshes that move something are cut; reactions need to know of the others.
    void examine_meshes(double t, const double* y) override {
        if (!switches_) return;
        absolute_state(y);
        system_.prepare(t, absolute_.data());
        system_.examine_meshes(t, absolute_.data());
    }

    // Whether fewer rows of the loops say something new than elsewhere in the motion.
    bool near_singular_position() const override { return rows_.rank() < rows_.most_rank; }

    // ---- what modes ask

    void look(double t, const double* y) override {
        if (!needs_reactions_) {
            look_at_rows(t, y);
            if (factorise_rows(y)) return;
        }
        by_reactions_ = true;
        std::copy(y + at.rates, y + at.rates + tree.nu, rates_here_.begin());
        place_absolute(y);
        system_.prepare(t, absolute_.data());
        wrenches_.collect(forces.total.data());
        mass_.assemble();
    }

    double gap_of(int c) const override { return by_reactions_ ? system_.gap_of(c) : rows_.g[rows_.first[c]]; }
    double rate_along(int c) override { return by_reactions_ ? system_.rate_along(c) : rows_.along(rows_.first[c], rates_here_.data()); }

    double acceleration_along(int c) const override {
        if (by_reactions_) return system_.acceleration_along(c);
        return rows_.along(rows_.first[c], solution_.data()) - rows_.wanted[rows_.first[c]];
    }

    double kinetic_energy(const double* y) override {
        const double *M = mass_.matrix(), *rates = y + at.rates;
        double sum = 0;
        for (int i = 0; i < tree.nu; ++i)
            for (int j = 0; j <= i; ++j) sum += (i == j ? 0.5 : 1.0) * M[size_t(i) * T.columns + j] * rates[i] * rates[j];
        return sum;
    }

    bool held(int c) override { return by_reactions_ ? system_.held(c) : rows_.held(rows_.first[c]); }

    double round_off(int c) const override {
        if (by_reactions_) return loads.round_off(c);
        double largest = 0;
        for (const FrictionRow* F = P.friction; F < P.friction + P.frictions; ++F)
            largest = std::fmax(largest, std::fabs(system_.kkt.multiplier[F->row][0]));
        return 1e-11 * largest;
    }

    bool accelerated(int c) override {
        if (by_reactions_) return system_.accelerated(c);
        if (constraints.active[c]) return false;  // all rows that hold are independent
        const int row = rows_.first[c];
        double size = std::fabs(rows_.wanted[row]);
        for (int j = 0; j < tree.nu; ++j) size += rows_.natural_of(row)[j] * (std::fabs(solution_[j]) + std::fabs(free_[j]));
        return std::fabs(acceleration_along(c)) > 1e-9 * size;
    }

    void strike(double* y, const std::vector<double>& rebound, std::vector<double>& impulse) override {
        if (by_reactions_) {
            system_.strike(absolute_.data(), rebound, impulse);
            return take_velocities(y);
        }
        rows_.compare(y + at.rates, rows_.nu);
        for (int c = 0; c < P.constraints; ++c)
            if (rows_.first[c] >= 0) rows_.rhs[rows_.first[c]] -= rebound[c];
        rows_.take_away(y + at.rates);
        std::copy(y + at.rates, y + at.rates + tree.nu, rates_here_.begin());
        for (int c = 0; c < P.constraints; ++c)
            if (rows_.first[c] >= 0) impulse[c] = rows_.rhs[rows_.first[c]];
    }

    bool stop_sliding(int k, double* y, double* impulse) override {
        if (!system_.stop_sliding(k, absolute_.data(), impulse)) return false;
        take_velocities(y);
        return true;
    }
    std::pair<int, int> place_of_velocities() const override { return {at.rates, tree.nu}; }

    const double* absolute_state(const double* y) override {
        tree.place(y, false);
        bodies_.to_absolute(y, absolute_.data());
        return absolute_.data();
    }

    // The same with accelerations and reactions, which are left in the system.
    const double* stored_state(double t, const double* y) override {
        absolute_state(y);
        system_.derivative(t, absolute_.data(), rates_.data());
        loads.complete_reactions();
        return absolute_.data();
    }

    // Residuals of the joints and meshes that were taken for granted.
    double final_residual(double t, const double* y, int* where) override { return system_.final_residual(t, absolute_state(y), where); }

    void cap_sizes(double* cap) const override {
        for (int j = 0; j < T.scalars; ++j)
            if (T.turning[j]) cap[j] = 1.0;
    }

    // Reduced state from an absolute one at the position where the tree is at rest: velocities of the coordinates are given.
    void start(const double* absolute, const double* rates, double* y) {
        const double* counted = absolute + frames.nq + frames.nv;
        rows_.most_rank = 0;
        meshes_.forget();
        needs_reactions_ = P.measured > 0;
        for (int k = 0; k < P.frictions; ++k) needs_reactions_ = needs_reactions_ || numbers_of(P, P.friction[k]).coefficient != 0.0;
        std::copy(counted, counted + P.turns, bodies_.turns_at_start.begin());
        std::fill(y, y + n, 0.0);
        for (int b = 0; b < T.balls; ++b) y[at.ball(b)] = 1.0;
        std::memcpy(y + at.rates, rates, tree.nu * sizeof(double));
        for (int k = 0; k < P.turns; ++k)
            if (T.turn_state[k] >= 0) y[at.turns + T.turn_state[k]] = bodies_.turns_at_start[k];
        std::copy(counted + P.turns, counted + frames.nz, y + at.followed);
    }

    // Mass matrix (by rows) and generalised forces f of M u'' = f.
    void equations(double t, const double* y, double* M, double* f) {
        std::vector<double> dy(n);
        general_derivative(t, y, dy.data());
        tree.place(y);
        wrenches_.collect(forces.total.data());
        mass_.assemble();
        const double *lower = mass_.matrix(), *force = mass_.forces();
        for (int i = 0; i < tree.nu; ++i) {
            f[i] = force[i];
            for (int j = 0; j <= i; ++j) M[i * tree.nu + j] = M[j * tree.nu + i] = lower[size_t(i) * T.columns + j];
        }
    }

  private:
    // ---- the derivative, in the three ways there are

    void straight_line(double t, const double* y, double* dy) {
        straight_.evaluate(t, y, dy);
        if (P.frictions) std::copy(straight_.events.begin(), straight_.events.begin() + P.events, forces.events.begin());
        knows_events_ = true;
    }

    void general_derivative(double t, const double* y, double* dy) {
        ++system_.evaluations;
        place_all(t, y);
        std::fill(forces.total.begin(), forces.total.end(), 0.0);
        forces.add_elements(t);
        wrenches_.collect(forces.total.data());
        if (open_) {
            articulated_.solve(mass_.wrench.data(), mass_.tensor.data(), mass_.spin_force.data(), solution_.data());
        } else {
            mass_.assemble();
            if (T.cuts) rows_.evaluate();
            if (!close_loops(y)) return by_reactions(t, y, dy);
        }
        rates_of_state(y, dy);
    }

    // By the equations in absolute coordinates, which have all reactions: M u'' = J^T (M a - what a is without u'').
    void by_reactions(double t, const double* y, double* dy) {
        place_absolute(y);
        system_.derivative(t, absolute_.data(), rates_.data());
        by_reactions_ = true, knows_events_ = false;
        for (int k = 0; k < P.bodies; ++k) {
            double own[V];
            own_force(P.inertia + INERTIA * k, P.gravity + 3 * k, frames.record(k), own);
            frames.times_mass(k, &system_.kkt.acceleration[V * k], &momenta_[V * k]);
            for (int j = 0; j < V; ++j) momenta_[V * k + j] -= own[j];
        }
        wrenches_.collect(momenta_.data(), true);
        mass_.assemble();
        mass_.factorise();
        std::copy(mass_.forces(), mass_.forces() + tree.nu, solution_.begin());
        mass_.solve(solution_.data());
        rates_of_state(y, dy);
    }

    // The derivative of a state whose accelerations are in `solution_`.
    void rates_of_state(const double* y, double* dy) {
        const double* rates = y + at.rates;
        for (int j = 0; j < T.scalars; ++j) dy[j] = rates[j];
        for (int b = 0; b < T.balls; ++b) {
            double rate[7];
            const double none[3] = {};
            rates_of_pose(y + at.ball(b), none, rates + at.ball_rates(b), rate);
            std::memcpy(dy + at.ball(b), rate + 3, 4 * sizeof(double));
        }
        std::memcpy(dy + at.rates, solution_.data(), tree.nu * sizeof(double));
        bodies_.rates_of_turns(dy);
        for (int k = 0; k < P.followed + P.states; ++k) dy[at.followed + k] = frames.turn_rate[P.turns + k];
    }

    void place_all(double t, const double* y) {
        tree.place(y, !open_);
        for (int k : bodies_.framed) bodies_.place_body_frame(k, y);
        frames.functions_of_time(t);
        bodies_.count_turns(y);
        if (P.follows) frames.follow(y + at.followed), frames.note_parted(y, n);
        frames.take_states(y + first_state);
        knows_events_ = false;
    }

    void place_absolute(const double* y) {
        tree.place(y);
        bodies_.to_absolute(y, absolute_.data());
    }

    // ---- cut loops

    // M, the rows of the cuts, and where they are; without forces where there is no straight-line code.
    void look_at_rows(double t, const double* y) {
        if (T.direct) return straight_line(t, y, rates_.data());
        place_all(t, y);
        rows_.evaluate();
        std::fill(forces.total.begin(), forces.total.end(), 0.0);
        wrenches_.collect(forces.total.data());
        mass_.assemble();
    }

    // Factors of M and of the rows; false: rows that come and go depend on others.
    bool factorise_rows(const double* y, double misfit = 0.0) {
        std::copy(y + at.rates, y + at.rates + tree.nu, rates_here_.begin());
        mass_.factorise();
        by_reactions_ = !rows_.factorise(misfit);
        return !by_reactions_;
    }

    // The accelerations from M and f at hand, with friction of the joints that slide, and the loops closed. False: reactions are needed.
    bool close_loops(const double* y) {
        const bool independent = factorise_rows(y, rows_.misfit());
        if (!independent) return false;
        std::copy(mass_.forces(), mass_.forces() + tree.nu, solution_.begin());
        for (int k = 0; k < P.frictions; ++k) {
            if (!loads.slip[k]) continue;
            const double* row = rows_.row(rows_.first[P.friction[k].row]);
            loads.friction_force[k] = -loads.slip[k] * loads.friction_limit(k, loads.slip[k], loads.rests[k]);
            for (int j = 0; j < tree.nu; ++j) solution_[j] += loads.friction_force[k] * row[j];
        }
        mass_.solve(solution_.data());
        if (switches_) free_ = solution_;
        if (rows_.count) {
            const bool found = meshes_.push_apart(solution_);
            if (switches_ || meshes_.any()) loads.friction_converged = found;
        }
        for (int i = 0; i < rows_.count && switches_; ++i)
            if (rows_.switched(i)) lane(system_.kkt.multiplier[rows_.constraint[i]], 0) = rows_.rhs[i];
        for (int k = 0; k < P.frictions; ++k)
            if (!loads.slip[k]) loads.friction_force[k] = -system_.kkt.multiplier[P.friction[k].row][0];
        return true;
    }

    bool close_position(double t, double* y, double tolerance) {
        double last = 1e300;
        for (int round = 0; round < 25; ++round) {
            look_at_rows(t, y);
            settle(y);
            double size = 0;
            rows_.rhs = rows_.g;
            for (int i = 0; i < rows_.count; ++i) {
                if (!rows_.places(i)) rows_.rhs[i] = 0.0;
                const double off = std::fabs(rows_.rhs[i]);
                if (!(off <= size)) size = off;
            }
            if (!(size < 1e300)) return false;
            if (size <= 1e-15 || (size <= tolerance && size >= 0.5 * last)) return true;
            last = size;
            factorise_rows(y);
            std::vector<double> step(tree.nu, 0.0);
            rows_.take_away(step.data());
            for (int j = 0; j < T.scalars; ++j) y[j] += step[j];
            for (int b = 0; b < T.balls; ++b) {
                const double* turn = &step[at.ball_rates(b)];
                turn_by(y + at.ball(b), turn[0], turn[1], turn[2]);
            }
        }
        return last <= tolerance;
    }

    // Velocities onto G u' = nu, with the rows and factors of the last evaluation; returns how far they were off.
    double meet_velocity(double* y) {
        if (by_reactions_) {
            const double off = system_.project_velocity(absolute_.data());
            if (off > 0) take_velocities(y);  // what is left would add up while a joint sticks
            return off;
        }
        rows_.compare(y + at.rates, rows_.nu);
        double size = 0;
        for (int i = 0; i < rows_.count; ++i)
            if (constraints.active[rows_.constraint[i]]) size = std::fmax(size, std::fabs(rows_.rhs[i]));
        rows_.take_away(y + at.rates);
        return size;
    }

    // Rates of the coordinates from the velocities in `absolute_`, by the generalised momenta: M u' = J^T M v.
    void take_velocities(double* y) {
        for (int k = 0; k < P.bodies; ++k) frames.times_mass(k, &absolute_[frames.nq + V * k], &momenta_[V * k]);
        wrenches_.collect_forces(momenta_.data(), bodies_.all);
        mass_.assemble();
        mass_.factorise();
        std::copy(mass_.forces(), mass_.forces() + tree.nu, y + at.rates);
        mass_.solve(y + at.rates);
    }

    System system_;
    const Program& P;
    Frames& frames;
    Constraints& constraints;
    Forces& forces;
    LoadDependent& loads;
    const TreeTables& T;
    ReducedMass mass_;
    ArticulatedBodies articulated_;
    ReducedFrames bodies_;
    const ReducedState& at;
    ReducedWrenches wrenches_;
    CutRows rows_;
    CutMeshes meshes_;
    StraightLine straight_;
    bool switches_ = false;         // joints that stick or slide, contacts
    bool needs_reactions_ = false;  // at every moment
    bool by_reactions_ = false;     // how the equations were evaluated last
    bool knows_events_ = false;
    bool open_ = false;  // a tree without ratios and cuts
    std::vector<double> absolute_, rates_, solution_, free_, momenta_, rates_here_;  // free_: accelerations without rows
};

}  // namespace ww
