// S = G M^-1 G^T, its factor, and solutions with it, also where it is singular. A body that carries many joints (a hub) stays an
// unknown beside the multipliers, see wheelwork.engine.plan.
#pragma once

#include <memory>

#include "carried.hpp"
#include "constraints.hpp"
#include "factor.hpp"

namespace ww {

class Schur {
  public:
    using FactorMaker = std::unique_ptr<Factor> (*)(const Constraints&);

    Schur(Constraints& rows_of_all, FactorMaker make_factor)
        : constraints(rows_of_all), frames(rows_of_all.frames), P(rows_of_all.P), factor_maker(make_factor) {
        momentum_.resize(P.bodies);
        moved_.assign(V * (P.bodies + 1), 0.0);
        rhs.assign(packs(), spread(0.0));
        factor = make_factor(constraints);
    }

    Constraints& constraints;
    Frames& frames;
    const Program& P;
    FactorMaker factor_maker;  // for formulations that make a system of their own
    std::unique_ptr<Factor> factor;  // of S
    long factorisations = 0;
    bool singular = false;  // redundant constraints or a singular position: multipliers are of minimum norm

    bool near_singular_since = false;  // whether any evaluation was near a singular position since this was last set to false

    static constexpr double sound = Factor::small, regularisation = 1e-8, far_apart = 1e3;
    static constexpr int proximal_rounds = 3;

    std::vector<Pack> rhs;  // of S x = rhs, then x; one per constraint, then one per hub
    int rounds = proximal_rounds;
    bool all_rows = false;                   // whether rows that depend on others are in the factor in any case
    int fewest_small_pivots = 1 << 30;       // so far in the motion

    // Whether the factor is that of a shifted matrix.
    bool shifted() const { return refine_; }

    bool leaves_out() const { return leaves_out_; }

    // Rows of constraint c that the factor leaves out, a bit each.
    unsigned left_out(int c) const { return leaves_out_ ? factor->left_out[c] : 0u; }

    // At a state on the constraints: from now on leave those rows out that depend on others by geometry, not only here but wherever
    // the motion has been. Inside steps their multipliers are zero, at output they get their share again (complete_reactions).
    // Friction that depends on multipliers, and formulas that read them, need it at any time. Rows that come and go are not there for
    // good: they are never left out, and where they depend on the others, these are solved for with all rows.
    void leave_out_redundant() {
        if (!refine_ || small_pivots_ == 0 || near_singular_position() || reactions_count() || --patience_ > 0) return;
        wait_ = std::min(2 * wait_, 1024);
        patience_ = wait_;
        const std::vector<char> active = constraints.active;
        constraints.forget_modes();
        masses_far_apart();
        examine_geometry(false);
        constraints.active = active;
        if (!geometry_->waits.empty() || geometry_->null_pivots != geometry_->small_pivots) return;
        factor->left_out = geometry_->null_rows;
        left_out_count_ = geometry_->null_pivots;
    }

    void forget_left_out() {
        factor->left_out.clear();
        leaves_out_ = false;
    }

    // At a state on the constraints: whether the rows left out still depend on the others, and keep to the speeds they prescribe.
    bool left_out_rows_hold() {
        for (int c = 0; c < P.constraints; ++c) {
            if (!left_out(c)) continue;
            const ConstraintState& S = constraints[c];
            const Pack misfit = constraints.speed_of(c) - S.nu;
            for (int p = 0; p < constraints.rows[c]; ++p) {
                if (!(left_out(c) >> p & 1)) continue;
                double size = std::fabs(lane(S.nu, p));
                for (const Side& side : constraints.sides(c)) size += largest_speed(side.G, side.body, p);
                if (!(std::fabs(lane(misfit, p)) <= 1e-7 * size + 1e-12)) return false;
            }
        }
        return factor->largest_left_out <= Factor::nothing;
    }

    // At a state on the constraints. Inside a step, off them, rows are less dependent, and at some angles of a row the shift makes a pivot
    // look sound that is not: what was once counted so would make every position a singular one ever after.
    void note_on_constraints() {
        if (small_pivots_ >= fewest_small_pivots || rows_come_and_go()) return;
        int count = small_pivots_;
        if (refine_ && fewest_small_pivots < 1 << 30) {
            masses_far_apart();
            examine_geometry(false);
            count = std::max(count, geometry_->null_pivots);
        }
        fewest_small_pivots = std::min(fewest_small_pivots, count);
    }

    // Whether more rows depend on each other here than elsewhere in the motion.
    bool near_singular_position() const { return small_pivots_ > fewest_small_pivots; }

    // Of a vector that the factor solves for: one per constraint, then one per hub.
    size_t packs() const { return size_t(P.plan.nodes); }

    void carry(Carried& c) {
        c(shift_), c(small_pivots_), c(fewest_small_pivots), c(light_), c(refine_), c(factorisations);
        c(factor->left_out), c(left_out_count_), c(leaves_out_), c(wait_), c(patience_);
    }

    void forget() {
        shift_ = 0.0;
        fewest_small_pivots = 1 << 30;
        near_singular_since = false;
        factorisations = 0;
        forget_left_out();
        wait_ = 1, patience_ = 2;
    }

    // S = G M^-1 G^T and its factor.
    //
    // Redundant constraints make S singular, and so do singular positions, on the way through which errors of the
    // right-hand side would be amplified without bound and throw the mechanism onto another branch. Where a pivot
    // falls below `sound` the factor is that of S + shift diag(S), and solutions are made by proximal iteration
    // x <- x + (S + shift D)^-1 (b - S x): exact where S is sound, of minimum norm where it is not, and an error of the
    // right-hand side reaches the accelerations amplified by no more than about 1/sqrt(shift).
    //
    // A light body among heavy ones, or one with little inertia on a long arm, makes pivots of S small as well, at some positions and
    // not at others. That is no matter of geometry, and S as it is has the answer, to round-off over the pivot. Rows that depend on
    // each other make pivots small whatever the masses: where S has as few as geometry ever had, all of them are geometry's.
    void assemble() {
        if (!factor->left_out.empty() && !all_rows && assemble_without_redundant()) return;
        leaves_out_ = false;
        factorise();
        const bool unsound = !(factor->smallest_pivot > sound);
        small_pivots_ = factor->small_pivots;
        if (unsound && small_pivots_ != fewest_small_pivots && masses_far_apart()) {
            examine_geometry(false);
            if (geometry_->smallest_pivot > sound && shift_ > 0.0) {
                shift_ = 0.0;
                factorise();
            }
            small_pivots_ = geometry_->small_pivots;
        }
        if (shift_ == 0.0 && unsound && small_pivots_ > 0) {
            shift_ = regularisation;
            factorise();
        }
        light_ = factor->small_pivots > small_pivots_;
        refine_ = shift_ > 0.0;
        singular = refine_ && !(factor->smallest_pivot > 10 * regularisation);
        if (refine_ && factor->smallest_pivot > 2 * sound) shift_ = 0.0;  // from the next time on
        note_small_pivots(small_pivots_);
    }

    void note_small_pivots(int count) {
        small_pivots_ = count;
        if (rows_come_and_go() && count < fewest_small_pivots) fewest_small_pivots = count;
        near_singular_since = near_singular_since || count > fewest_small_pivots;
    }

    // The factor of S, with `add` on its diagonal.
    void factorise_with(double add) {
        Matrix S = matrix();
        S.add = add;
        factorise(S);
    }

    // The diagonal of S at a constraint.
    Pack own_entries(int c) const { return factor->own_entries(matrix(), c); }

    // The factor of the shifted matrix whether or not it needs to be, once.
    void assemble_regularised(bool alike) {
        Matrix S = matrix();
        S.shift = regularisation;
        S.alike = alike || P.frictions > 0 || P.measured > 0;
        factorise(S);
        refine_ = true;
        leaves_out_ = false;
    }

    // S^-1 in place, by proximal iteration where the factor is a shifted one.
    //
    // Redundant rows of the right-hand side b = G M^-1 f - gamma differ by round-off, and the part of that along n with G^T n = 0 comes
    // out as multipliers n that hold nothing, larger by 1/shift: 1e-7 N of forces of 10 N, also where these cancel (free fall) and all
    // reactions are zero. For output they are taken out: S x has round-off of what x holds, no longer of f, and is solved for once more.
    // What is left is 1e-16/shift in each round: 1e-8 to 1e-7 of the largest reaction.
    void refined_solve(Pack* x) {
        if (!refine_) {
            factor->solve(x);
            return;
        }
        proximal_solve(x);
        if (rounds == proximal_rounds || light_ || near_singular_position()) return;
        std::vector<Pack> held(packs()), all(x, x + packs());
        image(all, held);
        std::copy(held.begin(), held.end(), x);
        proximal_solve(x);
    }

    // r -= S x
    void multiply(const Pack* x, Pack* r) {
        std::fill(momentum_.begin(), momentum_.end(), spread(0.0));
        constraints.add_transposed(x, momentum_.data());
        for (int k = 0; k < P.bodies; ++k) frames.over_mass(k, reinterpret_cast<const double*>(&momentum_[k]), &moved_[V * k]);
        for (int c = 0; c < P.constraints; ++c) {
            if (!constraints.active[c]) {
                r[c] = spread(0.0);
                continue;
            }
            r[c] -= constraints.row_product(c, moved_.data());
        }
    }

  private:
    // Joints that stick may depend on each other, and then count as they do where nothing sticks.
    bool rows_come_and_go() const { return P.frictions + P.contacts > 0; }

    // Whether multipliers matter inside a step: to friction by load, or to formulas.
    bool reactions_count() const {
        if (P.measured) return true;
        for (int k = 0; k < P.frictions; ++k)
            if (numbers_of(P, P.friction[k]).coefficient != 0.0) return true;
        return false;
    }

    // What row p would say of the speed of a body that moved and turned along it.
    double largest_speed(const Pack* G, int body, int p) {
        const double* v = frames.record(body) + TWIST;
        double linear = 0, moves = 0, angular = 0, turns = 0;
        for (int j = 0; j < V; ++j) {
            (j < LINEAR ? linear : angular) += lane(G[j], p) * lane(G[j], p);
            (j < LINEAR ? moves : turns) += v[j] * v[j];
        }
        return std::sqrt(linear * moves) + std::sqrt(angular * turns);
    }

    // The factor without the rows that depend on others where the state is on the constraints; inside a step it is not quite, and they
    // differ a little. False where others depend on each other too: near singular positions.
    bool assemble_without_redundant() {
        factorise(matrix(), true);
        light_ = !(factor->smallest_pivot > sound);
        if (light_) {
            if (!masses_far_apart()) return false;
            examine_geometry(true);
            if (!(geometry_->smallest_pivot > sound)) return false;
        }
        shift_ = 0.0;
        refine_ = false;
        leaves_out_ = singular = true;
        note_small_pivots(left_out_count_);
        return true;
    }

    // Whether masses, inertias, or masses and inertia on the arms there are, are so far apart that S may be nearly singular for that. Finds the
    // arms: the longest from each body's centre of mass at which a row holds it.
    bool masses_far_apart() {
        arm_.assign(P.bodies + 1, 0.0);
        double lightest = INFINITY, heaviest = 0, longest = 0, quickest = INFINITY, slowest = 0;  // the last two of inertias
        for (int c = 0; c < P.constraints; ++c)
            for (const Side& side : constraints.sides(c)) {
                const int k = side.body;
                if (k < 0 || !constraints.active[c]) continue;
                for (int p = 0; p < constraints.rows[c]; ++p) arm_[k] = std::fmax(arm_[k], constraints.hold(side, p).arm());
                lightest = std::fmin(lightest, P.inertia[INERTIA * k]);
                heaviest = std::fmax(heaviest, P.inertia[INERTIA * k]);
                longest = std::fmax(longest, arm_[k]);
                const double inertia = least_inertia(P.inertia + INERTIA * k);
                quickest = std::fmin(quickest, inertia), slowest = std::fmax(slowest, inertia);
            }
        bool apart = heaviest > far_apart * lightest || slowest > far_apart * quickest;
        for (int k = 0; k < P.bodies; ++k) {
            const double* I = P.inertia + INERTIA * k;
            apart = apart || arm_[k] * arm_[k] * I[0] > far_apart * least_inertia(I);
            if (!(arm_[k] > 1e-4 * longest)) arm_[k] = longest > 0 ? longest : 1.0;
        }
        return apart;
    }

    // The factor of G G^T with all bodies alike: mass 1, and a radius of gyration as long as the body's arm (see `masses_far_apart`).
    void examine_geometry(bool leave_out) {
        if (!geometry_) geometry_ = factor_maker(constraints);
        geometry_->left_out = factor->left_out;
        std::vector<InverseMass> alike(P.bodies + 1);
        for (int k = 0; k < P.bodies; ++k) alike[k] = round_mass(arm_[k]);
        ++factorisations;
        geometry_->factorise({alike.data(), arm_.data()}, leave_out);
    }

    Matrix matrix() const { return {frames.inverse_mass.data()}; }

    void factorise(const Matrix& S, bool leave_out = false) {
        ++factorisations;
        factor->factorise(S, leave_out);
    }

    // The factor of S + shift D.
    void factorise() {
        Matrix S = matrix();
        S.shift = shift_;
        S.alike = P.frictions > 0 || P.measured > 0;  // which depend on the reactions: inside a step these must be what the output says
        factorise(S);
    }

    void proximal_solve(Pack* x) {
        target_.assign(x, x + packs());
        factor->solve(x);
        double change = INFINITY, size = 0, last = 0;
        for (int round = 1; round < rounds; ++round) {
            residue_ = target_;
            multiply(x, residue_.data());
            factor->solve(residue_.data());
            last = change, change = size = 0;
            for (int c = 0; c < P.constraints; ++c) {
                x[c] += residue_[c];
                change = std::fmax(change, max_abs(residue_[c]));
                size = std::fmax(size, max_abs(x[c]));
            }
        }
        // Bodies of very different masses make S nearly singular without being redundant: there more rounds are needed, and get
        // somewhere. At singular positions they would only amplify errors, and so they would, inside a step, along redundant rows:
        // positions that fit to 1e-7 make these differ, and S has an eigenvalue of 1e-14 where it should have none.
        if (change > 1e-9 * size && (light_ || change < 0.9 * last) && !near_singular_position()) conjugate_rounds(x);
    }

    // Conjugate residuals with the shifted factor as preconditioner: an eigenvalue of S far below the shift takes one round, where the
    // proximal iteration takes as many as it is smaller. Parts of the right-hand side that no multipliers can meet stay out of it.
    void conjugate_rounds(Pack* x) {
        const int n = P.constraints;
        std::vector<Pack>& z = residue_;
        z = target_;
        multiply(x, z.data());
        factor->solve(z.data());
        double left = 0, reached = 0;
        for (int c = 0; c < n; ++c) left = std::fmax(left, max_abs(z[c])), reached = std::fmax(reached, max_abs(x[c]));
        if (!(left > 1e-9 * reached)) {
            for (int c = 0; c < n; ++c) x[c] += z[c];
            return;
        }
        std::vector<Pack> s(packs()), w(packs());
        image(z, s);
        std::vector<Pack> p(z), q(s);
        const double least = light_ ? 1e-6 : 0.1;  // eigenvalue of S that counts, beside the shift
        double rho = inner(z, s);
        for (int round = 0; round < 40; ++round) {
            double shifted = 0;
            for (int c = 0; c < n; ++c) shifted += dot(z[c] * factor->weight[c], z[c]);
            if (!(rho > least * (rho + shifted))) return;  // what is left is round-off or misfit along redundant rows
            w = q;
            factor->solve(w.data());
            const double alpha = rho / inner(q, w);
            double change = 0, size = 0;
            for (int c = 0; c < n; ++c) {
                x[c] += spread(alpha) * p[c];
                z[c] -= spread(alpha) * w[c];
                change = std::fmax(change, std::fabs(alpha) * max_abs(p[c]));
                size = std::fmax(size, max_abs(x[c]));
            }
            if (!(change > 1e-12 * size)) return;
            image(z, s);
            const double next = inner(z, s), beta = next / rho;
            for (int c = 0; c < n; ++c) p[c] = z[c] + spread(beta) * p[c], q[c] = s[c] + spread(beta) * q[c];
            rho = next;
        }
    }

    double inner(const std::vector<Pack>& a, const std::vector<Pack>& b) const {
        double sum = 0;
        for (int c = 0; c < P.constraints; ++c) sum += dot(a[c], b[c]);
        return sum;
    }

    // s = S z
    void image(const std::vector<Pack>& z, std::vector<Pack>& s) {
        std::fill(s.begin(), s.end(), spread(0.0));
        multiply(z.data(), s.data());
        for (Pack& value : s) value = -value;
    }

    std::vector<Pack> residue_, target_;
    std::vector<Pack> momentum_;  // of each body
    std::vector<double> moved_;   // V per body
    std::unique_ptr<Factor> geometry_;  // of G G^T, with all bodies alike
    std::vector<double> arm_;           // of each body, see `masses_far_apart`
    double shift_ = 0.0;
    int small_pivots_ = 0;  // that geometry makes small
    bool refine_ = false, light_ = false;  // light: masses make pivots small that geometry does not
    bool leaves_out_ = false;
    int left_out_count_ = 0, wait_ = 1, patience_ = 2;  // states on the constraints until the next look for rows to leave out
};

}  // namespace ww
