// The rows of cut loops in minimal coordinates, one after the other: G u' = nu, G u'' = gamma - bias, with the factor that meets them in
// the metric of M. Which of their constraints hold is known to `Constraints`.
#pragma once

#include "independent_rows.hpp"
#include "reduced_frames.hpp"
#include "reduced_mass.hpp"

namespace ww {

class CutRows {
  public:
    CutRows(ReducedFrames& reduced_frames, ReducedMass& reduced_mass, Constraints& all_constraints)
        : bodies(reduced_frames), mass(reduced_mass), constraints(all_constraints), tree(bodies.tree), P(bodies.P), T(tree.T) {
        first.assign(P.constraints, -1);
        for (int i = 0; i < T.cuts; ++i) {
            const int c = T.cut[i];
            first[c] = count;
            count += constraints.rows[c];
            constraint.resize(count, c);
            for (int j = 0; j < P.constraint[c].turns; ++j) bodies.look_at_turn(P.constraint_turn[P.constraint[c].first_turn + j]);
        }
    }

    int count = 0, most_rank = 0;
    std::vector<int> first, constraint;  // row of each constraint, or -1; constraint of each row
    // rows of G; what they would be were their directions along those in which the coordinates move the bodies (`add_natural_size`); value,
    // speed and acceleration; right-hand sides, which become multipliers
    std::vector<double> G, natural, g, nu, wanted, rhs;

    const double* row(int i) const { return &G[size_t(i) * tree.nu]; }
    const double* natural_of(int i) const { return &natural[size_t(i) * tree.nu]; }
    bool switched(int i) const { return constraints.kind_of(constraint[i]) != BILATERAL; }
    int rank() const { return independent_.rank(); }

    void make_room() {
        const size_t entries = size_t(count) * tree.nu;
        G.resize(entries), natural.resize(entries);
        g.resize(count), nu.resize(count), wanted.resize(count);
    }

    // All of them, where the tree was placed.
    void evaluate() {
        make_room();
        std::fill(G.begin(), G.end(), 0.0);
        std::fill(natural.begin(), natural.end(), 0.0);
        int row = 0;
        for (int i = 0; i < T.cuts; ++i) {
            const int c = T.cut[i];
            constraints.evaluate(c);
            const ConstraintState& S = constraints[c];
            for (int p = 0; p < constraints.rows[c]; ++p, ++row) {
                g[row] = lane(S.g, p), nu[row] = lane(S.nu, p), wanted[row] = lane(S.gamma, p);
                for (const Side& side : constraints.sides(c)) add_body_row(side.body, side.G, p, row);
            }
        }
    }

    // The factor of the rows in the metric of M, whose factor it needs. A row that is a millionth of what it could be moves nothing:
    // its directions are at right angles to all axes, but for round-off. The stages of a step are off the loops by its error, and rows
    // that are redundant by the shape of the mechanism (Bricard's) are independent there by about as much: they would freeze the loop.
    // False: rows that come and go depend on others.
    bool factorise(double misfit = 0.0) {
        const double needed = std::fmin(std::fmax(IndependentRows::least, 10 * misfit), 1e-3);
        if (count == 0) return true;
        int coming_and_going = 0;
        alive_.assign(count, 0);
        for (int i = 0; i < count; ++i) {
            const int c = constraint[i];
            if (!constraints.active[c]) continue;
            coming_and_going += switched(i);
            const bool of_speeds = i - first[c] >= constraints.rows[c] - P.constraint[c].speeds;
            if (moves(i)) alive_[i] = switched(i) ? 3 : of_speeds ? 2 : 1;  // positions first: speeds that say the same cannot close a loop
        }
        if (P.frictions + P.contacts > 0 && modes_ != constraints.active) modes_ = constraints.active, most_rank = 0;
        W_ = G;
        for (int i = 0; i < count; ++i) mass.half_solve(&W_[size_t(i) * tree.nu]);
        independent_.factorise(W_.data(), count, tree.nu, alive_, needed);
        most_rank = std::max(most_rank, independent_.rank());
        return independent_.rank_of_last() >= coming_and_going;
    }

    bool moves(int i) const {
        for (int j = 0; j < tree.nu; ++j)
            if (std::fabs(row(i)[j]) > IndependentRows::least * natural_of(i)[j]) return true;
        return false;
    }

    // Whether a row that does not hold is held by those that do.
    bool held(int i) {
        if (!moves(i)) return true;
        std::vector<double> half(row(i), row(i) + tree.nu);
        mass.half_solve(half.data());
        double alone = 0;
        for (double x : half) alone += x * x;
        return independent_.left_of(half) < IndependentRows::least * IndependentRows::least * alone;
    }

    // Whether a row says something of positions now.
    bool places(int i) const { return constraints.active[constraint[i]] && constraints.kind_of(constraint[i]) != FRICTION; }

    // How far the loops are open, as what the coordinates would have to move by.
    double misfit() const {
        double most = 0;
        for (int i = 0; i < count; ++i) {
            const double longest = *std::max_element(natural_of(i), natural_of(i) + tree.nu);
            if (longest > 0 && places(i)) most = std::fmax(most, std::fabs(g[i]) / longest);
        }
        return most;
    }

    double along(int i, const double* x) const {
        double sum = 0;
        for (int j = 0; j < tree.nu; ++j) sum += G[size_t(i) * tree.nu + j] * x[j];
        return sum;
    }

    // rhs = G x - wanted, of speeds or accelerations
    void compare(const double* x, const std::vector<double>& wanted_of_each) {
        rhs.resize(count);
        for (int i = 0; i < count; ++i) rhs[i] = along(i, x);
        for (int i = 0; i < count; ++i) rhs[i] -= wanted_of_each[i];
    }

    // x -= M^-1 G^T S^-1 rhs; rhs becomes the multipliers S^-1 rhs
    void take_away(double* x) {
        step_.resize(tree.nu);
        independent_.shortest(rhs.data(), step_.data());
        mass.other_half(step_.data());
        for (int j = 0; j < tree.nu; ++j) x[j] -= step_[j];
    }

    // Accelerations x that the rows want.
    void meet(double* x) {
        compare(x, wanted);
        take_away(x);
    }

  private:
    // Row p of a constraint on one body, onto the coordinates; and what it makes of the body's acceleration with u'' = 0.
    void add_body_row(int k, const Pack* Gk, int p, int row) {
        if (k < 0) return;
        const NodeState& s = tree.at(T.body[k].node);
        double f[3], m[3], arm[3], t1[3], t2[3], t3[3];
        double own[V];
        for (int c = 0; c < V; ++c) own[c] = lane(Gk[c], p);
        as_vectors(own, f, m);
        for (int c = 0; c < 3; ++c) arm[c] = bodies.center[k][c] - s.x[c];
        cross(s.alpha, arm, t1);
        cross(s.w, arm, t2);
        cross(s.w, t2, t3);
        for (int c = 0; c < 3; ++c) wanted[row] -= f[c] * (s.a[c] + t1[c] + t3[c]) + m[c] * s.alpha[c];
        bodies.add_on_coordinates(k, own, &G[size_t(row) * tree.nu]);
        add_natural_size(k, f, m, arm, &natural[size_t(row) * tree.nu]);
        const int spin = T.body[k].spin;
        if (spin < 0) return;
        double a[3], turning[3];
        rotate(s.R, T.body_pose[k].axis, a);
        cross(s.w, a, turning);
        for (int c = 0; c < 3; ++c) wanted[row] -= m[c] * turning[c] * tree.rate[spin];
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

    ReducedFrames& bodies;
    ReducedMass& mass;
    Constraints& constraints;
    Tree& tree;
    const Program& P;
    const TreeTables& T;
    IndependentRows independent_;
    std::vector<char> alive_, modes_;
    std::vector<double> W_, step_;
};

}  // namespace ww
