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

#include <algorithm>

#include "articulated.hpp"
#include "independent_rows.hpp"
#include "reduced_mass.hpp"
#include "system.hpp"

namespace ww {

class ReducedSystem : public EquationsOfMotion {
  public:
    ReducedSystem(const Program& program, const TreeTables& tables,
                  Schur::FactorMaker make_factor)
        : EquationsOfMotion(system_), tree(tables), system_(program, make_factor), P(system_.P), frames(system_.frames),
          constraints(system_.constraints), forces(system_.forces), T(tree.T), mass_(tree), articulated_(tree) {
        coordinates_ = T.scalars + 4 * T.balls;
        followed_ = coordinates_ + tree.nu + T.turn_states;
        first_state = followed_ + P.followed;
        n = first_state + P.states;
        switches_ = P.frictions + P.contacts > 0;
        turns_at_start_.assign(P.turns + 1, 0.0);
        for (int k = 0; k < P.turns; ++k)
            if (T.turn_state[k] >= 0) looked_at_.push_back(k);
        for (int k = 0; k < P.forces; ++k)
            for (int i = 0; i < P.force[k].turns; ++i) {
                const int turn = P.force_turn[P.force[k].first_turn + i];
                if (turn < P.turns) looked_at_.push_back(turn);
            }
        first_row_.assign(P.constraints, -1);
        for (int i = 0; i < T.cuts; ++i) {
            const int c = T.cut[i];
            for (int k = 0; k < P.meshes; ++k)
                if (P.mesh[k] == c) cut_meshes_.push_back({k, cut_rows_});
            for (size_t k = cut_wheels_.size() / 2; k < cut_meshes_.size(); ++k)
                for (int side = 0; side < 2; ++side) cut_wheels_.push_back(constraints.sides(c)[side].body);
            first_row_[c] = cut_rows_;
            cut_rows_ += constraints.rows[c];
            constraint_of_row_.resize(cut_rows_, c);
            for (int j = 0; j < P.constraint[c].turns; ++j) {
                const int turn = P.constraint_turn[P.constraint[c].first_turn + j];
                if (turn < P.turns) looked_at_.push_back(turn);
            }
        }
        cut_load_.resize(cut_meshes_.size()), cut_image_.resize(cut_meshes_.size());
        of_wheels_.assign(cut_wheels_.size() * (BODY_RECORD + V * tree.nu), 0.0);
        events_.assign(P.events + 1, 0.0);
        open_ = articulated_.applies() && T.cuts == 0;
        absolute_.resize(system_.n), rates_.resize(std::max(system_.n, n));
        momenta_.resize(frames.nv + V), rates_here_.resize(tree.nu);
        solution_.resize(tree.nu);
        place_.assign(3 * P.bodies, 0.0);
        spin_of_body_.assign(P.bodies, -1);
        for (int k = 0; k < P.bodies; ++k) {
            all_.push_back(k);
            if (T.body[k].framed) framed_.push_back(k);
            for (int m = 0; m < T.spins; ++m)
                if (T.body[k].spin >= 0 && T.spin_row[m] == T.body[k].spin) spin_of_body_[k] = m;
        }
    }

    Tree tree;

    void derivative(double t, const double* y, double* dy) override {
        if (needs_reactions_) return by_reactions(t, y, dy);
        if (!T.direct) return general_derivative(t, y, dy);
        ++system_.evaluations;
        straight_line(t, y, dy);
        if (T.cuts) {
            if (!close_loops(y)) return by_reactions(t, y, dy);
            std::memcpy(dy + coordinates_, solution_.data(), tree.nu * sizeof(double));
        }
        double sum = 0;
        for (int j = coordinates_; j < n; ++j) sum += dy[j] * 0.0;
        if (sum != 0.0) general_derivative(t, y, dy);  // not finite: frames are left from which it can be told why
    }

    bool read_events(double* values) const override {
        if (knows_events_) std::copy(events_.begin(), events_.begin() + P.events, values);
        return knows_events_;
    }

    void general_derivative(double t, const double* y, double* dy) {
        ++system_.evaluations;
        place_all(t, y);
        std::fill(forces.total.begin(), forces.total.end(), 0.0);
        forces.add_elements(t);
        collect_wrenches(forces.total.data());
        if (open_) {
            articulated_.solve(mass_.wrench.data(), mass_.tensor.data(), mass_.spin_force.data(), solution_.data());
        } else {
            mass_.assemble();
            if (T.cuts) evaluate_cuts();
            if (!close_loops(y)) return by_reactions(t, y, dy);
        }
        rates_of_state(y, dy);
    }

    // The same by the equations in absolute coordinates, which have all reactions: M u'' = J^T (M a - what a is without u'').
    void by_reactions(double t, const double* y, double* dy) {
        tree.place(y);
        to_absolute(y);
        system_.derivative(t, absolute_.data(), rates_.data());
        by_reactions_ = true, knows_events_ = false;
        for (int k = 0; k < P.bodies; ++k) {
            double own[V];
            own_force(P.inertia + INERTIA * k, P.gravity + 3 * k, frames.record(k), own);
            frames.times_mass(k, &system_.kkt.acceleration[V * k], &momenta_[V * k]);
            for (int j = 0; j < V; ++j) momenta_[V * k + j] -= own[j];
        }
        collect_wrenches(momenta_.data(), true);
        mass_.assemble();
        mass_.factorise();
        std::copy(mass_.forces(), mass_.forces() + tree.nu, solution_.begin());
        mass_.solve(solution_.data());
        rates_of_state(y, dy);
    }

    // The derivative of a state whose accelerations are in `solution_`.
    void rates_of_state(const double* y, double* dy) {
        const double* rates = y + coordinates_;
        for (int j = 0; j < T.scalars; ++j) dy[j] = rates[j];
        for (int b = 0; b < T.balls; ++b) {
            double rate[7];
            const double none[3] = {};
            rates_of_pose(y + T.scalars + 4 * b, none, rates + T.scalars + 3 * b, rate);
            std::memcpy(dy + T.scalars + 4 * b, rate + 3, 4 * sizeof(double));
        }
        std::memcpy(dy + coordinates_, solution_.data(), tree.nu * sizeof(double));
        for (int k : looked_at_)
            if (T.turn_state[k] >= 0) dy[coordinates_ + tree.nu + T.turn_state[k]] = frames.rate_of_turn(k);
        for (int k = 0; k < P.followed + P.states; ++k) dy[followed_ + k] = frames.turn_rate[P.turns + k];
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
        for (int b = 0; b < T.balls; ++b) ww::normalise(y + T.scalars + 4 * b);
    }

    void settle(double* y) const override { std::copy(frames.counted.begin() + P.turns, frames.counted.begin() + frames.first_state, y + followed_); }

    void carry(Carried& c) override {
        system_.carry(c);
        c(cut_load_), c(most_rank_);
    }

    // Meshes that move something are cut; reactions need to know of the others.
    void examine_meshes(double t, const double* y) override {
        if (!switches_) return;
        absolute_state(y);
        system_.prepare(t, absolute_.data());
        system_.examine_meshes(t, absolute_.data());
    }
    // Whether fewer rows of the loops say something new than elsewhere in the motion.
    bool near_singular_position() const override { return loops_.rank() < most_rank_; }

    // ---- what modes ask

    void look(double t, const double* y) override {
        if (!needs_reactions_) {
            look_at_rows(t, y);
            if (factorise_rows(y)) return;
        }
        by_reactions_ = true;
        std::copy(y + coordinates_, y + coordinates_ + tree.nu, rates_here_.begin());
        tree.place(y);
        to_absolute(y);
        system_.prepare(t, absolute_.data());
        collect_wrenches(forces.total.data());
        mass_.assemble();
    }

    double gap_of(int c) const override { return by_reactions_ ? system_.gap_of(c) : g_[first_row_[c]]; }
    double rate_along(int c) override { return by_reactions_ ? system_.rate_along(c) : along_row(first_row_[c], rates_here_.data()); }

    double acceleration_along(int c) const override {
        if (by_reactions_) return system_.acceleration_along(c);
        return along_row(first_row_[c], solution_.data()) - wanted_[first_row_[c]];
    }

    double kinetic_energy(const double* y) override {
        const double *M = mass_.matrix(), *rates = y + coordinates_;
        double sum = 0;
        for (int i = 0; i < tree.nu; ++i)
            for (int j = 0; j <= i; ++j) sum += (i == j ? 0.5 : 1.0) * M[size_t(i) * T.columns + j] * rates[i] * rates[j];
        return sum;
    }

    bool held(int c) override {
        if (by_reactions_) return system_.held(c);
        const double* own = &G_[size_t(first_row_[c]) * tree.nu];
        if (!moves(first_row_[c])) return true;
        std::vector<double> row(own, own + tree.nu);
        mass_.half_solve(row.data());
        double alone = 0;
        for (double x : row) alone += x * x;
        return loops_.left_of(row) < 1e-6 * alone;
    }

    bool accelerated(int c) override {
        if (by_reactions_) return system_.accelerated(c);
        if (constraints.active[c]) return false;  // all rows that hold are independent
        const int row = first_row_[c];
        double size = std::fabs(wanted_[row]);
        for (int j = 0; j < tree.nu; ++j) size += natural_[size_t(row) * tree.nu + j] * (std::fabs(solution_[j]) + std::fabs(free_[j]));
        return std::fabs(acceleration_along(c)) > 1e-9 * size;
    }

    void strike(double* y, const std::vector<double>& rebound, std::vector<double>& impulse) override {
        if (by_reactions_) {
            system_.strike(absolute_.data(), rebound, impulse);
            return take_velocities(y);
        }
        along_rows(y + coordinates_, rhs_of_cuts_);
        for (int i = 0; i < cut_rows_; ++i) rhs_of_cuts_[i] -= nu_[i];
        for (int c = 0; c < P.constraints; ++c)
            if (first_row_[c] >= 0) rhs_of_cuts_[first_row_[c]] -= rebound[c];
        take_away(rhs_of_cuts_, y + coordinates_);
        std::copy(y + coordinates_, y + coordinates_ + tree.nu, rates_here_.begin());
        for (int c = 0; c < P.constraints; ++c)
            if (first_row_[c] >= 0) impulse[c] = rhs_of_cuts_[first_row_[c]];
    }

    bool stop_sliding(int k, double* y, double* impulse) override {
        if (!system_.stop_sliding(k, absolute_.data(), impulse)) return false;
        take_velocities(y);
        return true;
    }
    std::pair<int, int> place_of_velocities() const override { return {coordinates_, tree.nu}; }

    const double* absolute_state(const double* y) override {
        tree.place(y, false);
        to_absolute(y);
        return absolute_.data();
    }

    // The same with accelerations and reactions, which are left in the system.
    const double* stored_state(double t, const double* y) override {
        absolute_state(y);
        system_.derivative(t, absolute_.data(), rates_.data());
        system_.loads.complete_reactions();
        return absolute_.data();
    }

    // Residuals of the joints and meshes that were taken for granted.
    double final_residual(double t, const double* y, int* where) override {
        return system_.final_residual(t, absolute_state(y), where);
    }

    void cap_sizes(double* cap) const override {
        for (int j = 0; j < T.scalars; ++j)
            if (T.turning[j]) cap[j] = 1.0;
    }

    // Reduced state from an absolute one at the position where the tree is at rest: velocities of the coordinates are given.
    void start(const double* absolute, const double* rates, double* y) {
        most_rank_ = 0;
        std::fill(y, y + n, 0.0);
        needs_reactions_ = P.measured > 0;
        for (int k = 0; k < P.frictions; ++k) needs_reactions_ = needs_reactions_ || P.data[P.friction[k].data + 1] != 0.0;
        std::copy(absolute + frames.nq + frames.nv + P.turns, absolute + frames.nq + frames.nv + frames.nz, y + followed_);
        cut_load_.assign(cut_meshes_.size(), 0.0);
        std::copy(absolute + frames.nq + frames.nv, absolute + frames.nq + frames.nv + P.turns, turns_at_start_.begin());
        for (int k = 0; k < P.turns; ++k)
            if (T.turn_state[k] >= 0) y[coordinates_ + tree.nu + T.turn_state[k]] = turns_at_start_[k];
        for (int b = 0; b < T.balls; ++b) y[T.scalars + 4 * b] = 1.0;
        std::memcpy(y + coordinates_, rates, tree.nu * sizeof(double));
    }

    // Mass matrix (by rows) and generalised forces f of M u'' = f.
    void equations(double t, const double* y, double* M, double* f) {
        std::vector<double> dy(n);
        general_derivative(t, y, dy.data());
        tree.place(y);
        collect_wrenches(forces.total.data());
        mass_.assemble();
        const double *lower = mass_.matrix(), *force = mass_.forces();
        for (int i = 0; i < tree.nu; ++i) {
            f[i] = force[i];
            for (int j = 0; j <= i; ++j) M[i * tree.nu + j] = M[j * tree.nu + i] = lower[size_t(i) * T.columns + j];
        }
    }

  private:
    void place_all(double t, const double* y) {
        tree.place(y, !open_);
        for (int k : framed_) place_body_frame(k, y);
        frames.functions_of_time(t);
        for (int k : looked_at_) count_turn(k, y);
        if (P.follows) frames.follow(y + followed_), frames.note_parted(y, n);
        frames.take_states(y + first_state);
        knows_events_ = false;
    }

    // The derivative but for loops that are cut, and what it takes to close them.
    void straight_line(double t, const double* y, double* dy) {
        const double now = t + frames.origin;
        if (P.tables) frames.functions_of_time(t);
        if (P.follows) frames.take_parameters(y + followed_);
        const double* in[4] = {&now, y, frames.input.data(), T.direct_numbers};
        double* out[11] = {dy, events_.data()};
        if (T.cuts) {
            const size_t entries = size_t(cut_rows_) * tree.nu;
            M_.resize(size_t(tree.nu) * tree.nu), f_.resize(tree.nu), G_.resize(entries), natural_.resize(entries);
            g_.resize(cut_rows_), nu_.resize(cut_rows_), wanted_.resize(cut_rows_);
            double* more[9] = {M_.data(), f_.data(),  G_.data(),      natural_.data(),          g_.data(),
                               nu_.data(), wanted_.data(), &frames.counted[P.turns], of_wheels_.data()};
            std::copy(more, more + 9, out + 2);  // cams are cut, so that their parameters come with the rows
        }
        T.direct[0](in, out);
        if (P.follows) frames.note_parted(y, n);
        for (size_t i = 0; i < cut_wheels_.size(); ++i)
            if (cut_wheels_[i] >= 0) std::memcpy(frames.record(cut_wheels_[i]), of_wheel(i), BODY_RECORD * sizeof(double));
        if (P.frictions) std::copy(events_.begin(), events_.begin() + P.events, forces.events.begin());
        knows_events_ = true;
        if (T.cuts) mass_.take(M_.data(), f_.data());
    }

    // ---- cut loops: G u' = nu, G u'' = gamma - bias; rows of all of them, one after the other

    void evaluate_cuts() {
        const int n = tree.nu;
        G_.assign(size_t(cut_rows_) * n, 0.0);
        natural_.assign(size_t(cut_rows_) * n, 0.0);
        g_.resize(cut_rows_), nu_.resize(cut_rows_), wanted_.resize(cut_rows_);
        int row = 0;
        for (int i = 0; i < T.cuts; ++i) {
            const int c = T.cut[i];
            constraints.evaluate(c);
            const ConstraintState& S = constraints[c];
            for (int p = 0; p < constraints.rows[c]; ++p, ++row) {
                g_[row] = lane(S.g, p), nu_[row] = lane(S.nu, p), wanted_[row] = lane(S.gamma, p);
                for (const Side& side : constraints.sides(c)) add_body_row(side.body, side.G, p, row);
            }
        }
    }

    // Row p of a constraint on one body, onto the coordinates; and what it makes of the body's acceleration with u'' = 0.
    void add_body_row(int k, const Pack* Gk, int p, int row) {
        if (k < 0) return;
        const NodeState& s = tree.at(T.body[k].node);
        double f[3], m[3], arm[3], t1[3], t2[3], t3[3];
        double own[V];
        for (int c = 0; c < V; ++c) own[c] = lane(Gk[c], p);
        as_vectors(own, f, m);
        for (int c = 0; c < 3; ++c) arm[c] = place_[3 * k + c] - s.x[c];
        cross(s.alpha, arm, t1);
        cross(s.w, arm, t2);
        cross(s.w, t2, t3);
        for (int c = 0; c < 3; ++c) wanted_[row] -= f[c] * (s.a[c] + t1[c] + t3[c]) + m[c] * s.alpha[c];
        add_on_coordinates(k, own, &G_[size_t(row) * tree.nu]);
        add_natural_size(k, f, m, arm, &natural_[size_t(row) * tree.nu]);
        const int spin = T.body[k].spin;
        if (spin < 0) return;
        double a[3], turning[3];
        rotate(s.R, T.body_pose[k].axis, a);
        cross(s.w, a, turning);
        for (int c = 0; c < 3; ++c) wanted_[row] -= m[c] * turning[c] * tree.rate[spin];
    }

    // out += J^T of a wrench (V) about a body's centre of mass.
    void add_on_coordinates(int k, const double* wrench, double* out) {
        const int node = T.body[k].node, stride = tree.packs * LANES;
        const NodeState& s = tree.at(node);
        double f[3], m[3], arm[3], lever[3];
        as_vectors(wrench, f, m);
        for (int c = 0; c < 3; ++c) arm[c] = place_[3 * k + c] - s.x[c];
        cross(arm, f, lever);
        const double* J = reinterpret_cast<const double*>(tree.jacobian(node));
        for (int j = 0; j < tree.nu; ++j)
            for (int c = 0; c < 3; ++c) out[j] += f[c] * J[c * stride + j] + (m[c] + lever[c]) * J[(3 + c) * stride + j];
        const int spin = T.body[k].spin;
        if (spin < 0) return;
        double a[3];
        rotate(s.R, T.body_pose[k].axis, a);
        const double* b = reinterpret_cast<const double*>(tree.row(spin));
        const double along = m[0] * a[0] + m[1] * a[1] + m[2] * a[2];
        for (int j = 0; j < tree.nu; ++j) out[j] += along * b[j];
    }

    // How large a row would be were its directions along those in which the coordinates move the body: out += that, by coordinates.
    void add_natural_size(int k, const double* f, const double* m, const double* arm, double* out) {
        const int spin = T.body[k].spin, stride = tree.packs * LANES;
        const double* J = reinterpret_cast<const double*>(tree.jacobian(T.body[k].node));
        const double pull = length(f), turn = length(m) + pull * length(arm);
        for (int j = 0; j < tree.nu; ++j) {
            const double v[3] = {J[j], J[stride + j], J[2 * stride + j]};
            const double w[3] = {J[3 * stride + j], J[4 * stride + j], J[5 * stride + j]};
            out[j] += pull * length(v) + turn * length(w);
            if (spin >= 0) out[j] += length(m) * std::fabs(reinterpret_cast<const double*>(tree.row(spin))[j]);
        }
    }

    // The factor of the rows in the metric of M, whose factor it needs. A row that is a millionth of what it could be moves nothing:
    // its directions are at right angles to all axes, but for round-off. The stages of a step are off the loops by its error, and rows
    // that are redundant by the shape of the mechanism (Bricard's) are independent there by about as much: they would freeze the loop.
    // False: rows that come and go depend on others.
    bool factorise_cuts(double misfit = 0.0) {
        const double needed = std::fmin(std::fmax(IndependentRows::least, 10 * misfit), 1e-3);
        by_reactions_ = false;
        if (cut_rows_ == 0) return true;
        int coming_and_going = 0;
        alive_.assign(cut_rows_, 0);
        for (int i = 0; i < cut_rows_; ++i) {
            const int c = constraint_of_row_[i];
            const bool switched = constraints.kind_of(c) != BILATERAL;
            if (!constraints.active[c]) continue;
            coming_and_going += switched;
            const bool of_speeds = i - first_row_[c] >= constraints.rows[c] - P.constraint[c].speeds;
            if (moves(i)) alive_[i] = switched ? 3 : of_speeds ? 2 : 1;  // positions first: speeds that say the same cannot close a loop
        }
        if (switches_ && modes_ != constraints.active) modes_ = constraints.active, most_rank_ = 0;
        W_ = G_;
        for (int i = 0; i < cut_rows_; ++i) mass_.half_solve(&W_[size_t(i) * tree.nu]);
        loops_.factorise(W_.data(), cut_rows_, tree.nu, alive_, needed);
        most_rank_ = std::max(most_rank_, loops_.rank());
        by_reactions_ = loops_.rank_of_last() < coming_and_going;
        return !by_reactions_;
    }

    bool moves(int row) const {
        for (int j = 0; j < tree.nu; ++j)
            if (std::fabs(G_[size_t(row) * tree.nu + j]) > IndependentRows::least * natural_[size_t(row) * tree.nu + j]) return true;
        return false;
    }

    // Whether a row says something of positions now.
    bool places(int row) const { return constraints.active[constraint_of_row_[row]] && constraints.kind_of(constraint_of_row_[row]) != FRICTION; }

    // How far the loops are open, as what the coordinates would have to move by.
    double misfit() const {
        double most = 0;
        for (int i = 0; i < cut_rows_; ++i) {
            const double* reach = &natural_[size_t(i) * tree.nu];
            const double longest = *std::max_element(reach, reach + tree.nu);
            if (longest > 0 && places(i)) most = std::fmax(most, std::fabs(g_[i]) / longest);
        }
        return most;
    }

    // x -= M^-1 G^T S^-1 rhs; rhs becomes the multipliers S^-1 rhs
    void take_away(std::vector<double>& rhs, double* x) {
        step_.resize(tree.nu);
        loops_.shortest(rhs.data(), step_.data());
        mass_.other_half(step_.data());
        for (int j = 0; j < tree.nu; ++j) x[j] -= step_[j];
    }

    double along_row(int row, const double* x) const {
        double sum = 0;
        for (int j = 0; j < tree.nu; ++j) sum += G_[size_t(row) * tree.nu + j] * x[j];
        return sum;
    }

    void along_rows(const double* x, std::vector<double>& out) const {
        out.resize(cut_rows_);
        for (int i = 0; i < cut_rows_; ++i) out[i] = along_row(i, x);
    }

    // M, the rows of the cuts, and where they are; without forces where there is no straight-line code.
    void look_at_rows(double t, const double* y) {
        if (T.direct) return straight_line(t, y, rates_.data());
        place_all(t, y);
        evaluate_cuts();
        std::fill(forces.total.begin(), forces.total.end(), 0.0);
        collect_wrenches(forces.total.data());
        mass_.assemble();
    }

    // Factors of M and of the rows; false: rows that come and go depend on others.
    bool factorise_rows(const double* y, double misfit = 0.0) {
        std::copy(y + coordinates_, y + coordinates_ + tree.nu, rates_here_.begin());
        mass_.factorise();
        return factorise_cuts(misfit);
    }

    // The accelerations from M and f at hand, with friction of the joints that slide, and the loops closed. False: reactions are needed.
    bool close_loops(const double* y) {
        const bool independent = factorise_rows(y, misfit());
        if (!independent) return false;
        std::copy(mass_.forces(), mass_.forces() + tree.nu, solution_.begin());
        for (int k = 0; k < P.frictions; ++k) {
            if (!system_.loads.slip[k]) continue;
            const double* row = &G_[size_t(first_row_[P.friction[k].row]) * tree.nu];
            system_.loads.friction_force[k] = -system_.loads.slip[k] * system_.loads.friction_limit(k, system_.loads.slip[k], false);
            for (int j = 0; j < tree.nu; ++j) solution_[j] += system_.loads.friction_force[k] * row[j];
        }
        mass_.solve(solution_.data());
        if (switches_) free_ = solution_;
        if (cut_rows_) push_apart();
        for (int i = 0; i < cut_rows_ && switches_; ++i)
            if (constraints.kind_of(constraint_of_row_[i]) != BILATERAL) lane(system_.kkt.multiplier[constraint_of_row_[i]], 0) = rhs_of_cuts_[i];
        for (int k = 0; k < P.frictions; ++k)
            if (!system_.loads.slip[k]) system_.loads.friction_force[k] = -system_.kkt.multiplier[P.friction[k].row][0];
        return true;
    }

    // Cut rows met, and the teeth of cut meshes pushed apart by forces that depend on the tooth forces.
    void push_apart() {
        if (switches_) system_.loads.friction_converged = true;
        if (cut_meshes_.empty()) return take_away_rows();
        const std::vector<double> without = solution_;
        const size_t meshes = cut_meshes_.size();
        double floor = 0;  // of tooth forces: round-off of what their rows are made of need not agree, where they carry nothing (free fall)
        for (const CutMesh& cut : cut_meshes_) {
            const size_t row = size_t(cut.row) * tree.nu;
            double size = std::fabs(wanted_[cut.row]), alone = 0;
            std::vector<double> half(G_.begin() + row, G_.begin() + row + tree.nu);
            mass_.half_solve(half.data());
            for (int j = 0; j < tree.nu; ++j) size += natural_[row + j] * std::fabs(without[j]), alone += half[j] * half[j];
            if (alone > 0) floor = std::fmax(floor, size / alone);
        }
        system_.loads.friction_converged = cut_fixed_point_.solve(cut_load_, cut_image_, 1e-12, 1e-9, 0, [&] {
            std::vector<double> pushed(tree.nu, 0.0);
            for (size_t i = 0; i < meshes; ++i) {
                double wrench[2 * V];
                system_.loads.separating_wrenches(cut_meshes_[i].mesh, cut_load_[i], wrench);
                for (int side = 0; side < 2; ++side) push(2 * i + side, wrench + V * side, pushed.data());
            }
            mass_.solve(pushed.data());
            for (int j = 0; j < tree.nu; ++j) solution_[j] = without[j] + pushed[j];
            take_away_rows();
            for (size_t i = 0; i < meshes; ++i) cut_image_[i] = rhs_of_cuts_[cut_meshes_[i].row];
            return floor;
        });
    }

    // What straight-line code tells of a wheel in a cut mesh: its record, then J by rows.
    const double* of_wheel(size_t i) const { return &of_wheels_[i * (BODY_RECORD + V * tree.nu)]; }

    // out += J^T of a wrench on such a wheel.
    void push(size_t i, const double* wrench, double* out) {
        if (cut_wheels_[i] < 0) return;
        if (!T.direct) return add_on_coordinates(cut_wheels_[i], wrench, out);
        const double* J = of_wheel(i) + BODY_RECORD;
        for (int c = 0; c < V; ++c)
            for (int j = 0; j < tree.nu; ++j) out[j] += wrench[c] * J[c * tree.nu + j];
    }

    void take_away_rows() {
        along_rows(solution_.data(), rhs_of_cuts_);
        for (int i = 0; i < cut_rows_; ++i) rhs_of_cuts_[i] -= wanted_[i];
        take_away(rhs_of_cuts_, solution_.data());
    }

    bool close_position(double t, double* y, double tolerance) {
        double last = 1e300;
        for (int round = 0; round < 25; ++round) {
            look_at_rows(t, y);
            settle(y);
            double size = 0;
            rhs_of_cuts_ = g_;
            for (int i = 0; i < cut_rows_; ++i) {
                if (!places(i)) rhs_of_cuts_[i] = 0.0;
                const double off = std::fabs(rhs_of_cuts_[i]);
                if (!(off <= size)) size = off;
            }
            if (!(size < 1e300)) return false;
            if (size <= 1e-15 || (size <= tolerance && size >= 0.5 * last)) return true;
            last = size;
            factorise_rows(y);
            std::vector<double> step(tree.nu, 0.0);
            take_away(rhs_of_cuts_, step.data());
            for (int j = 0; j < T.scalars; ++j) y[j] += step[j];
            for (int b = 0; b < T.balls; ++b) {
                const double* turn = &step[T.scalars + 3 * b];
                turn_by(y + T.scalars + 4 * b, turn[0], turn[1], turn[2]);
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
        along_rows(y + coordinates_, rhs_of_cuts_);
        double size = 0;
        for (int i = 0; i < cut_rows_; ++i) {
            rhs_of_cuts_[i] -= nu_[i];
            if (constraints.active[constraint_of_row_[i]]) size = std::fmax(size, std::fabs(rhs_of_cuts_[i]));
        }
        take_away(rhs_of_cuts_, y + coordinates_);
        return size;
    }

    // A rotation counted over whole turns: in proportion to the coordinates, or integrated.
    void count_turn(int k, const double* y) {
        if (T.turn_state[k] >= 0) {
            frames.counted[k] = y[coordinates_ + tree.nu + T.turn_state[k]];
            return;
        }
        double sum = turns_at_start_[k];
        const double* ratio = T.turn_ratio + size_t(k) * T.columns;
        for (int j = 0; j < T.scalars; ++j) sum += ratio[j] * y[j];
        frames.counted[k] = sum;
    }

    void place_body_frame(int k, const double* y) {
        const int node = T.body[k].node, spin = T.body[k].spin;
        const PoseRow& pose = T.body_pose[k];
        const double *R0 = pose.R, *x0 = pose.x;  // R0 is that of the world at rest
        const NodeState& s = tree.at(node);
        double arm[3], carried[3], R[9], w[3], v[3];
        double* x = &place_[3 * k];
        if (spin < 0) {
            product(s.R, R0, R);
            rotate(s.R, x0, arm);
            for (int i = 0; i < 3; ++i) w[i] = s.w[i];
        } else {
            const double *axis = pose.axis, *point = pose.point;
            double local[9], turned[9], a[3], offset[3], moved[3];
            about_axis(axis, tree.q[spin], local);
            product(local, R0, turned);
            product(s.R, turned, R);
            for (int i = 0; i < 3; ++i) offset[i] = x0[i] - point[i];
            rotate(local, offset, moved);
            for (int i = 0; i < 3; ++i) moved[i] += point[i];
            rotate(s.R, moved, arm);
            rotate(s.R, axis, a);
            for (int i = 0; i < 3; ++i) w[i] = s.w[i] + a[i] * tree.rate[spin];
        }
        cross(s.w, arm, carried);  // the centre of mass of a spin is on its axis
        for (int i = 0; i < 3; ++i) {
            x[i] = s.x[i] + arm[i];
            v[i] = s.v[i] + carried[i];
        }
        double angle = 0;
        if (V == 3) {
            const double* ratio = T.body_angle + size_t(k) * (1 + T.columns);
            angle = ratio[0];
            for (int i = 0; i < T.scalars; ++i) angle += ratio[1 + i] * y[i];
        }
        write_record(x, R, v, w, angle, frames.record(k));
    }

    void to_absolute(const double* y) {
        for (int k = 0; k < P.bodies; ++k) {
            place_body_frame(k, y);
            coordinates_of(frames.record(k), &absolute_[Q * k]);
            std::memcpy(&absolute_[frames.nq + V * k], frames.record(k) + TWIST, V * sizeof(double));
        }
        for (int k = 0; k < P.turns; ++k) {
            count_turn(k, y);
            absolute_[frames.nq + frames.nv + k] = frames.counted[k];
        }
        std::copy(y + followed_, y + n, absolute_.begin() + frames.nq + frames.nv + P.turns);
    }

    // Rates of the coordinates from the velocities in `absolute_`, by the generalised momenta: M u' = J^T M v.
    void take_velocities(double* y) {
        for (int k = 0; k < P.bodies; ++k) frames.times_mass(k, &absolute_[frames.nq + V * k], &momenta_[V * k]);
        collect_forces(momenta_.data(), all_);
        mass_.assemble();
        mass_.factorise();
        std::copy(mass_.forces(), mass_.forces() + tree.nu, y + coordinates_);
        mass_.solve(y + coordinates_);
    }

    // Wrenches on the nodes about their origins, and forces along the axes of spins: of forces on the bodies (V each).
    void collect_forces(const double* forces, const std::vector<int>& bodies) {
        mass_.wrench.assign(6 * T.nodes, 0.0);
        mass_.spin_force.assign(T.spins + 1, 0.0);
        for (int k : bodies) {
            const int node = T.body[k].node;
            double f[3], torque[3];
            as_vectors(&forces[V * k], f, torque);
            if (node >= 0) {
                double arm[3], moment[3];
                for (int i = 0; i < 3; ++i) arm[i] = place_[3 * k + i] - tree.at(node).x[i];
                cross(arm, f, moment);
                for (int i = 0; i < 3; ++i) {
                    mass_.wrench[6 * node + i] += f[i];
                    mass_.wrench[6 * node + 3 + i] += torque[i] + moment[i];
                }
            }
            if (spin_of_body_[k] >= 0) {  // forces on a spin turn it as well
                double a[3];
                rotate(tree.at(node).R, T.body_pose[k].axis, a);
                mass_.spin_force[spin_of_body_[k]] += a[0] * torque[0] + a[1] * torque[1] + a[2] * torque[2];
            }
        }
    }

    // The same with weight, and inertia with the coordinates' accelerations zero; inertia tensors in world axes. Forces act on the bodies
    // that elements look at, or on all.
    void collect_wrenches(const double* forces, bool on_all = false) {
        collect_forces(forces, on_all ? all_ : framed_);
        mass_.tensor.resize(6 * T.nodes);
        for (int i = 0; i < T.nodes; ++i) {
            const NodeRow& N = T.node[i];
            const InertiaRow& I = T.inertia[i];
            const NodeState& s = tree.at(i);
            double *w = &mass_.wrench[6 * i], tensor[9], h[3], gyro[3], Ia[3], moment[3], first[3];
            if (I.mass == 0.0) {
                for (int c = 0; c < 6; ++c) mass_.tensor[6 * i + c] = 0.0;
                continue;
            }
            rotate_tensor(s.R, I.tensor, tensor);
            double* kept = &mass_.tensor[6 * i];
            kept[0] = tensor[0], kept[1] = tensor[4], kept[2] = tensor[8];
            kept[3] = tensor[1], kept[4] = tensor[2], kept[5] = tensor[5];
            rotate(tensor, s.w, h);
            cross(s.w, h, gyro);
            rotate(tensor, s.alpha, Ia);
            for (int c = 0; c < 3; ++c) {
                w[c] += I.weight * T.gravity[c] - I.mass * s.a[c];
                w[3 + c] -= Ia[c] + gyro[c];
            }
            if (I.moment[0] != 0.0 || I.moment[1] != 0.0 || I.moment[2] != 0.0) {
                rotate(s.R, I.moment, first);
                cross(first, T.gravity, moment);
                for (int c = 0; c < 3; ++c) w[3 + c] += moment[c];
            }
            // a wheel that spins in the node at the rate q' about a: angular momentum I q' a besides that of being carried; of
            // Chen (4) what Lagrange's equations give besides accelerations, as below his (12)
            for (int k = N.first_spin; k < N.first_spin + N.spins; ++k) {
                double a[3], turning[3];
                rotate(s.R, T.spin[k].axis, a);
                cross(s.w, a, turning);
                const double polar = T.spin[k].polar, momentum = polar * tree.rate[T.spin_row[k]];
                for (int c = 0; c < 3; ++c) w[3 + c] -= momentum * turning[c];
                mass_.spin_force[k] -= polar * (a[0] * s.alpha[0] + a[1] * s.alpha[1] + a[2] * s.alpha[2]);
            }
        }
    }

    System system_;
    const Program& P;
    Frames& frames;
    Constraints& constraints;
    Forces& forces;
    const TreeTables& T;
    int coordinates_, followed_;  // in the state: where rates begin, and curve parameters
    bool switches_ = false;         // joints that stick or slide, contacts
    bool needs_reactions_ = false;  // at every moment
    bool by_reactions_ = false;     // how the equations were evaluated last
    bool knows_events_ = false;
    std::vector<double> absolute_, rates_, solution_, free_, events_, momenta_, rates_here_;  // free_: accelerations without rows
    ReducedMass mass_;
    IndependentRows loops_;
    struct CutMesh {
        int mesh, row;  // of P.mesh; its multiplier among those of the cuts
    };
    std::vector<CutMesh> cut_meshes_;
    std::vector<int> cut_wheels_;  // two for each of these
    std::vector<double> of_wheels_;
    FixedPoint cut_fixed_point_;
    std::vector<double> cut_load_, cut_image_;  // tooth forces of the cut meshes
    int cut_rows_ = 0, most_rank_ = 0;
    std::vector<char> alive_, modes_;
    std::vector<int> first_row_, constraint_of_row_;  // of each constraint, or -1; of each row
    bool open_ = false;  // a tree without ratios and cuts
    std::vector<double> M_, f_, G_, natural_, W_, g_, nu_, wanted_, rhs_of_cuts_, step_;  // natural_: see `add_natural_size`
    std::vector<double> turns_at_start_, place_;  // place_: centres of mass of the bodies
    std::vector<int> looked_at_;  // turns that forces use or that are integrated
    std::vector<int> all_, framed_, spin_of_body_;  // bodies; those whose frames elements look at; the spin of each body
    ArticulatedBodies articulated_;
};

}  // namespace ww
