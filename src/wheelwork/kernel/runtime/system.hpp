// Newton-Euler equations with multipliers in absolute coordinates:
//
//     [ M  G^T ] [ a      ]   [ f     ]
//     [ G  0   ] [ lambda ] = [ gamma ]
//
// State y = (q, v, z): 7 coordinates a body (position of the centre of mass, Euler parameters), 6 velocities a body
// (linear, angular, in world axes), and the joint angles counted over whole turns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "block_ldl.hpp"
#include "program.hpp"
#include "rigid.hpp"

namespace ww {

enum Stabilisation { NONE = 0, PROJECTION = 1, BAUMGARTE = 2, AUGMENTED_LAGRANGIAN = 3 };

struct StabilisationSettings {
    int method = PROJECTION;
    double alpha = 0, beta = 0;                      // Baumgarte
    double penalty = 0, omega = 0, mu = 0;           // augmented Lagrangian
    int iterations = 0;
    double tolerance = 0;
};

struct ConstraintState {
    Pack Ga[V], Gb[V];  // transformed Jacobian, one pack a column
    Pack Wa[V], Wb[V];  // G M^-1
    Pack g, gamma, nu;
};

class System {
  public:
    explicit System(const Program& program) : P(program) {
        nq = Q * P.bodies;
        nv = V * P.bodies;
        n = nq + nv + P.turns;
        records.assign(BODY_RECORD * (P.bodies + 1), 0.0);
        double* ground = &records[BODY_RECORD * P.bodies];
        ground[3] = ground[7] = ground[11] = 1.0;
        inverse_mass.assign(P.bodies + 1, 0.0);
        inverse_inertia.assign(9 * (P.bodies + 1), 0.0);
        force.assign(V * (P.bodies + 1), 0.0);
        base_force.assign(V * (P.bodies + 1), 0.0);
        acceleration.assign(V * (P.bodies + 1), 0.0);
        momentum_.assign(V * (P.bodies + 1), 0.0);
        input.assign(3 * P.inputs + 3, 0.0);
        formula_out_.assign(3 * P.formula_count + 3, 0.0);
        whole_turns.assign(P.turns + 1, 0.0);
        turn_rate.assign(P.turns + 1, 0.0);
        rows.resize(P.constraints);
        active.assign(P.constraints, 1);
        for (int c = 0; c < P.constraints; ++c) {
            rows[c] = P.constraint[8 * c + 5];
            if (P.constraint[8 * c + 6] != BILATERAL) active[c] = 0;
        }
        constraint.resize(P.constraints);
        for (auto& c : constraint) std::memset(static_cast<void*>(&c), 0, sizeof c);
        multiplier.assign(P.constraints, spread(0.0));
        rhs_.assign(P.constraints, spread(0.0));
        penalty_multiplier_.assign(P.constraints, spread(0.0));
        int most_bodies = 0, most_turns = 0;
        for (int k = 0; k < P.forces; ++k) {
            most_bodies = std::max(most_bodies, P.force[8 * k]);
            most_turns = std::max(most_turns, P.force[8 * k + 4]);
        }
        wrench_.assign(V * most_bodies + V, 0.0);
        turns_.assign(most_turns + 1, 0.0);
        pointers_.assign(most_bodies + 4, nullptr);
        slip.assign(P.frictions, 0);
        friction_force.assign(P.frictions, 0.0);
        Plan plan;
        plan.nodes = P.constraints;
        plan.order = P.order;
        plan.below_start = P.below_start;
        plan.below_node = P.below_node;
        plan.update_start = P.update_start;
        plan.update = P.update;
        factor.set_up(plan, rows.data());
    }

    // Forget modes and multipliers of an earlier run.
    void reset() {
        for (int c = 0; c < P.constraints; ++c) active[c] = kind_of(c) == BILATERAL;
        std::fill(slip.begin(), slip.end(), 0);
        std::fill(friction_force.begin(), friction_force.end(), 0.0);
        std::fill(multiplier.begin(), multiplier.end(), spread(0.0));
        shift_ = 0.0;
        fewest_small_pivots_ = 1 << 30;
        evaluations = factorisations = 0;
    }

    Program P;
    int nq, nv, n;
    StabilisationSettings stabilisation;

    std::vector<double> records;          // bodies, then ground
    std::vector<double> inverse_mass, inverse_inertia;
    std::vector<double> force, base_force, acceleration;
    std::vector<double> input, whole_turns, turn_rate;
    std::vector<int> rows;
    std::vector<char> active;
    std::vector<ConstraintState> constraint;
    std::vector<Pack> multiplier;
    std::vector<int> slip;                // of each friction: -1, 1 sliding, 0 sticking
    std::vector<double> friction_force;   // along the joint coordinate, on b
    BlockLdl factor;
    long evaluations = 0, factorisations = 0;
    bool friction_converged = true;
    bool singular = false;  // redundant constraints or a singular position: multipliers are of minimum norm

    const double* q_of(const double* y, int body) const { return y + Q * body; }
    const double* v_of(const double* y, int body) const { return y + nq + V * body; }
    double* record(int body) { return &records[BODY_RECORD * (body < 0 ? P.bodies : body)]; }
    int a_of(int c) const { return P.constraint[8 * c]; }
    int b_of(int c) const { return P.constraint[8 * c + 1]; }
    int kind_of(int c) const { return P.constraint[8 * c + 6]; }

    // ---- the state's derivative; afterwards `acceleration` and `multiplier` hold their values at (t, y)
    void derivative(double t, const double* y, double* dy) {
        prepare(t, y);
        finish(t, y, dy);
    }

    // The same with the velocities in y first brought onto G v = nu. Returns the largest residual that was taken away.
    double derivative_on_manifold(double t, double* y, double* dy) {
        prepare(t, y);
        const double residual = project_velocity(y);
        count_turns(y);
        evaluate_gamma();
        finish(t, y, dy);
        return residual;
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
            const double *e = q_of(y, k) + 3, *v = v_of(y, k), *w = v + 3;
            coordinate_rates(e, v, w, dy + Q * k);
            std::memcpy(dy + nq + V * k, &acceleration[V * k], V * sizeof(double));
        }
        for (int k = 0; k < P.turns; ++k) dy[nq + nv + k] = turn_rate[k];
    }

    // ---- pieces of it
    void place(const double* y) {
        place_positions(y);
        place_velocities(y);
    }

    void place_positions(const double* y) {
        for (int k = 0; k < P.bodies; ++k) {
            const double* q = q_of(y, k);
            double* r = record(k);
            for (int i = 0; i < 3; ++i) r[i] = q[i];
            rotation_matrix(q + 3, r + 3);
            const double* I = P.inertia + INERTIA * k;
            inverse_mass[k] = 1.0 / I[0];
            rotate_tensor(r + 3, I + 7, &inverse_inertia[9 * k]);
        }
    }

    void place_velocities(const double* y) {
        for (int k = 0; k < P.bodies; ++k) std::memcpy(record(k) + 12, v_of(y, k), V * sizeof(double));
    }

    void functions_of_time(double t) {
        if (P.formulas) {
            const double* in[2] = {&t, P.data + P.formula_data};
            double* out[1] = {formula_out_.data()};
            P.formulas(in, out);
            for (int k = 0; k < P.formula_count; ++k)
                std::memcpy(&input[3 * P.formula_input[k]], &formula_out_[3 * k], 3 * sizeof(double));
        }
        for (int k = 0; k < P.tables; ++k) read_table(k, t);
    }

    void count_turns(const double* y) {
        for (int k = 0; k < P.turns; ++k) {
            double angle;
            measure_turn(k, angle, turn_rate[k]);
            const double z = y[nq + nv + k];
            whole_turns[k] = 2 * M_PI * std::nearbyint((z - angle) / (2 * M_PI));
        }
    }

    // Principal angle and rate of relative rotation k.
    void measure_turn(int k, double& angle, double& rate) {
        const int* T = P.turn + 3 * k;
        const double *a = record(T[0]), *b = record(T[1]), *m = P.data + T[2];
        double A[9], B[9];
        product(a + 3, m + 3, A);
        product(b + 3, m + 15, B);
        double sine = 0, cosine = 0;
        rate = 0;
        for (int i = 0; i < 3; ++i) {
            sine += A[3 * i + 1] * B[3 * i] - A[3 * i] * B[3 * i + 1];
            cosine += A[3 * i] * B[3 * i] + A[3 * i + 1] * B[3 * i + 1];
            rate += A[3 * i + 2] * (b[15 + i] - a[15 + i]);
        }
        angle = std::atan2(sine, cosine);
    }

    void apply_forces(double t) {
        for (int k = 0; k < P.bodies; ++k) {
            double* f = &force[V * k];
            const double* I = P.inertia + INERTIA * k;
            const double* g = P.gravity + 3 * k;
            for (int i = 0; i < 3; ++i) f[i] = I[0] * g[i];
            gyroscopic_torque(record(k) + 3, record(k) + 15, I + 1, f + 3);
        }
        for (int k = 0; k < P.forces; ++k) {
            const int count = P.force_acting[k];
            double* out[1] = {wrench_.data()};
            P.wrench[k](force_inputs(k, t), out);
            for (int i = 0; i < count; ++i) {
                const int body = P.force_body[P.force[8 * k + 1] + i];
                if (body < 0) continue;
                for (int j = 0; j < V; ++j) force[V * body + j] += wrench_[V * i + j];
            }
        }
    }

    // Pointers for a force's kernels: bodies, data, inputs, turns, time. Valid until the next call.
    const double* const* force_inputs(int k, double t) {
        const int* F = P.force + 8 * k;
        for (int i = 0; i < F[0]; ++i) pointers_[i] = record(P.force_body[F[1] + i]);
        for (int i = 0; i < F[4]; ++i) turns_[i] = whole_turns[P.force_turn[F[5] + i]];
        time_ = t;
        pointers_[F[0]] = P.data + F[2];
        pointers_[F[0] + 1] = &input[3 * F[3]];
        pointers_[F[0] + 2] = turns_.data();
        pointers_[F[0] + 3] = &time_;
        return pointers_.data();
    }

    void constraint_inputs(int c, const double** in) {
        const int* C = P.constraint + 8 * c;
        in[0] = record(C[0]);
        in[1] = record(C[1]);
        in[2] = P.data + C[2];
        in[3] = &input[3 * (C[3] < 0 ? 0 : C[3])];
        in[4] = &whole_turns[C[4] < 0 ? 0 : C[4]];
    }

    void evaluate_constraints() {
        for (int c = 0; c < P.constraints; ++c) {
            const double* in[5];
            constraint_inputs(c, in);
            ConstraintState& S = constraint[c];
            double* out[5] = {lanes(S.g), lanes(S.Ga[0]), lanes(S.Gb[0]), lanes(S.gamma), lanes(S.nu)};
            P.full[c](in, out);
        }
    }

    void evaluate_gamma() {
        for (int c = 0; c < P.constraints; ++c) {
            const double* in[5];
            constraint_inputs(c, in);
            double* out[1] = {lanes(constraint[c].gamma)};
            P.gamma[c](in, out);
        }
    }

    void evaluate_residuals() {
        for (int c = 0; c < P.constraints; ++c) {
            const double* in[5];
            constraint_inputs(c, in);
            double* out[1] = {lanes(constraint[c].g)};
            P.residual[c](in, out);
        }
    }

    // Whether the factor is that of a shifted matrix.
    bool shifted() const { return refine_; }

    // Whether more rows depend on each other here than elsewhere in the motion.
    bool near_singular_position() const { return factor.small_pivots > fewest_small_pivots_; }

    // S = G M^-1 G^T and its factor.
    //
    // Redundant constraints make S singular, and so do singular positions, on the way through which errors of the
    // right-hand side would be amplified without bound and throw the mechanism onto another branch. Where a pivot
    // falls below `sound` the factor is that of S + shift diag(S), and solutions are made by proximal iteration
    // x <- x + (S + shift D)^-1 (b - S x): exact where S is sound, of minimum norm where it is not, and an error of the
    // right-hand side reaches the accelerations amplified by no more than about 1/sqrt(shift).
    static constexpr double sound = BlockLdl::small, regularisation = 1e-8;
    static constexpr int proximal_rounds = 3;

    void assemble() {
        if (stabilisation.method == AUGMENTED_LAGRANGIAN) {
            fill();
            factor.factorise(0.0, 1.0 / stabilisation.penalty);
            return;
        }
        fill();
        factor.factorise(shift_);
        if (shift_ == 0.0 && !(factor.smallest_pivot > sound)) {
            shift_ = regularisation;
            fill();
            factor.factorise(shift_);
        }
        refine_ = shift_ > 0.0;
        singular = refine_ && !(factor.smallest_pivot > 10 * regularisation);
        if (refine_ && factor.smallest_pivot > 2 * sound) shift_ = 0.0;  // from the next time on
        if (factor.small_pivots < fewest_small_pivots_) fewest_small_pivots_ = factor.small_pivots;
    }

    void fill() {
        ++factorisations;
        for (int c = 0; c < P.constraints; ++c) {
            ConstraintState& S = constraint[c];
            Block& D = factor.diagonal[c];
            const int m = rows[c];
            if (!active[c]) {
                for (int p = 0; p < m; ++p) D.column[p] = spread(0.0), D.column[p][p] = 1.0;
                continue;
            }
            for (int p = 0; p < m; ++p) D.column[p] = spread(0.0);
            if (a_of(c) >= 0) {
                over_mass(a_of(c), S.Ga, S.Wa);
                add_product_of(D, S.Wa, S.Ga, m);
            }
            if (b_of(c) >= 0) {
                over_mass(b_of(c), S.Gb, S.Wb);
                add_product_of(D, S.Wb, S.Gb, m);
            }
        }
        if (!factor.below.empty())
            std::memset(static_cast<void*>(factor.below.data()), 0, factor.below.size() * sizeof(Block));
        for (int k = 0; k < P.couplings; ++k) {
            const int* K = P.coupling + 5 * k;
            if (!active[K[1]] || !active[K[3]]) continue;
            const ConstraintState &I = constraint[K[1]], &J = constraint[K[3]];
            add_product_of(factor.below[K[0]], K[2] ? I.Wb : I.Wa, K[4] ? J.Gb : J.Ga, rows[K[3]]);
        }
    }

    // a and lambda for the forces in `force`; adds friction of sliding joints.
    void solve_accelerations() {
        friction_converged = true;
        if (P.frictions == 0) {
            solve_for_force();
            return;
        }
        base_force = force;
        double last = 0;
        for (int round = 0;; ++round) {
            const double change = slide();
            solve_for_force();
            for (int k = 0; k < P.frictions; ++k)
                if (!slip[k]) friction_force[k] = -multiplier[P.friction[4 * k + 1]][0];
            if (change <= 1e-12) break;
            if (round > 200 || (round > 50 && change > last)) {
                friction_converged = false;
                break;
            }
            last = change;
        }
    }

    // Largest friction force that joint k can carry, from the multipliers as they are.
    double friction_limit(int k, bool sticking) {
        const int* F = P.friction + 4 * k;
        const double* d = P.data + F[2];
        double load = 0;
        if (d[1] != 0.0) {
            const int c = F[0];
            double wrench[V];
            reaction_on_b(c, wrench);
            const double* in[3] = {record(b_of(c)), P.data + F[3], wrench};
            double* out[1] = {&load};
            P.load[k](in, out);
        }
        const double limit = d[0] + d[1] * load;
        return sticking ? limit * d[2] : limit;
    }

    // Force and torque (about the centre of mass) of constraint c on its body b: -G_b^T lambda.
    void reaction_on_b(int c, double* wrench) const {
        for (int j = 0; j < V; ++j) wrench[j] = -dot(constraint[c].Gb[j], multiplier[c]);
    }

    // ---- projections; both move along M^-1 G^T, the shortest way in the metric of the kinetic energy

    // Largest residual of the position constraints, and where.
    double largest_residual(int* where = nullptr) const {
        double worst = 0;
        for (int c = 0; c < P.constraints; ++c) {
            if (kind_of(c) == FRICTION || !active[c]) continue;
            const double size = max_abs(constraint[c].g);
            if (!(size <= worst)) {
                worst = size;
                if (where) *where = c;
            }
        }
        return worst;
    }

    // Newton steps with the factor at hand (or, if `renew`, with a new one each time).
    bool project_position(double t, double* y, double tolerance, int iterations, bool renew) {
        functions_of_time(t);
        for (int round = 0; round < iterations; ++round) {
            place_positions(y);
            count_turns(y);
            if (renew) {
                evaluate_constraints();
                assemble();
            } else {
                evaluate_residuals();
            }
            const double size = largest_residual();
            // one correction in any case: what is left below the tolerance would add up over steps
            if (size <= (round ? tolerance : 1e-15)) return true;
            if (!(size < 1e300)) return false;
            for (int c = 0; c < P.constraints; ++c)
                rhs_[c] = (active[c] && kind_of(c) != FRICTION) ? constraint[c].g : spread(0.0);
            factor.solve(rhs_.data());
            std::fill(momentum_.begin(), momentum_.end(), 0.0);
            add_transposed(rhs_.data(), momentum_.data());
            for (int k = 0; k < P.bodies; ++k) {
                double step[V];
                over_mass(k, &momentum_[V * k], step);
                double* q = y + Q * k;
                for (int i = 0; i < 3; ++i) q[i] -= step[i];
                turn_by(q + 3, -step[3], -step[4], -step[5]);
            }
        }
        place_positions(y);
        count_turns(y);
        evaluate_residuals();
        return largest_residual() <= tolerance;
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

    // G v of constraint c with the velocities in the records.
    Pack speed_of(int c) {
        const ConstraintState& S = constraint[c];
        const double *va = record(a_of(c)) + 12, *vb = record(b_of(c)) + 12;
        Pack speed = spread(0.0);
        for (int j = 0; j < V; ++j) speed += S.Ga[j] * spread(va[j]) + S.Gb[j] * spread(vb[j]);
        return speed;
    }

    // v -= M^-1 G^T S^-1 rhs; leaves the impulses in rhs_.
    void correct_velocity(double* y) {
        if (stabilisation.method == AUGMENTED_LAGRANGIAN) {  // its factor is that of S + 1/penalty
            fill();
            factor.factorise(regularisation);
            refine_ = true;
        }
        refined_solve(rhs_.data());
        std::fill(momentum_.begin(), momentum_.end(), 0.0);
        add_transposed(rhs_.data(), momentum_.data());
        for (int k = 0; k < P.bodies; ++k) {
            double step[V];
            over_mass(k, &momentum_[V * k], step);
            double* v = y + nq + V * k;
            for (int i = 0; i < V; ++i) v[i] -= step[i];
        }
        place_velocities(y);
    }

    // S^-1 in place, by proximal iteration where the factor is a shifted one.
    void refined_solve(Pack* x) {
        if (!refine_) {
            factor.solve(x);
            return;
        }
        target_.assign(x, x + P.constraints);
        factor.solve(x);
        for (int round = 1; round < proximal_rounds; ++round) {
            residue_ = target_;
            multiply(x, residue_.data());
            factor.solve(residue_.data());
            for (int c = 0; c < P.constraints; ++c) x[c] += residue_[c];
        }
    }

    std::vector<Pack>& right_hand_side() { return rhs_; }

    void normalise_all(double* y) const {
        for (int k = 0; k < P.bodies; ++k) normalise(y + Q * k + 3);
    }

    // M^-1 applied to one body's force.
    void over_mass(int body, const double* f, double* out) const {
        const double* J = &inverse_inertia[9 * body];
        for (int i = 0; i < 3; ++i) out[i] = inverse_mass[body] * f[i];
        for (int i = 0; i < 3; ++i) out[3 + i] = J[3 * i] * f[3] + J[3 * i + 1] * f[4] + J[3 * i + 2] * f[5];
    }

    // M times one body's acceleration.
    void times_mass(int body, const double* a, double* out) {
        const double* I = P.inertia + INERTIA * body;
        const double* R = record(body) + 3;
        double J[9];
        rotate_tensor(R, I + 1, J);
        for (int i = 0; i < 3; ++i) out[i] = I[0] * a[i];
        for (int i = 0; i < 3; ++i) out[3 + i] = J[3 * i] * a[3] + J[3 * i + 1] * a[4] + J[3 * i + 2] * a[5];
    }

    // G of constraint c times 6 numbers a body.
    Pack row_product(int c, const double* x) const {
        const ConstraintState& S = constraint[c];
        const int a = a_of(c), b = b_of(c);
        Pack r = spread(0.0);
        if (a >= 0)
            for (int j = 0; j < V; ++j) r += S.Ga[j] * spread(x[V * a + j]);
        if (b >= 0)
            for (int j = 0; j < V; ++j) r += S.Gb[j] * spread(x[V * b + j]);
        return r;
    }

    // out -= G^T x, with `stride` numbers a body in out.
    void subtract_transposed(const Pack* x, double* out, int stride) const {
        for (int c = 0; c < P.constraints; ++c) {
            if (!active[c]) continue;
            const ConstraintState& S = constraint[c];
            const int a = a_of(c), b = b_of(c);
            for (int j = 0; j < V; ++j) {
                if (a >= 0) out[stride * a + j] -= dot(S.Ga[j], x[c]);
                if (b >= 0) out[stride * b + j] -= dot(S.Gb[j], x[c]);
            }
        }
    }

    // Friction of sliding joints into `force`, from the multipliers as they are.
    void add_sliding_friction() {
        if (P.frictions == 0) return;
        base_force = force;
        slide();
    }

  private:
    static double* lanes(Pack& pack) { return reinterpret_cast<double*>(&pack); }

    void read_table(int k, double t) {
        const int* T = P.table + 3 * k;
        const double* knots = P.knots + T[1];
        int low = 0, high = T[2] - 1;
        if (t >= knots[high]) {
            low = high;
        } else {
            while (high - low > 1) {
                const int middle = (low + high) / 2;
                (knots[middle] <= t ? low : high) = middle;
            }
        }
        const double* c = P.pieces + 4 * (T[1] + low);
        const double s = t - knots[low];
        double* u = &input[3 * T[0]];
        u[0] = c[0] + s * (c[1] + s * (c[2] + s * c[3]));
        u[1] = c[1] + s * (2 * c[2] + s * 3 * c[3]);
        u[2] = 2 * c[2] + 6 * s * c[3];
    }

    void over_mass(int body, const Pack* G, Pack* W) const {
        const Pack m = spread(inverse_mass[body]);
        const double* J = &inverse_inertia[9 * body];
        for (int j = 0; j < 3; ++j) W[j] = m * G[j];
        for (int j = 0; j < 3; ++j)
            W[3 + j] = spread(J[j]) * G[3] + spread(J[3 + j]) * G[4] + spread(J[6 + j]) * G[5];
    }

    static void add_product_of(Block& D, const Pack* W, const Pack* G, int columns) {
        switch (columns) {
            case 1: add_product<1>(D, W, G, V); break;
            case 2: add_product<2>(D, W, G, V); break;
            case 3: add_product<3>(D, W, G, V); break;
            case 4: add_product<4>(D, W, G, V); break;
            case 5: add_product<5>(D, W, G, V); break;
            default: add_product<6>(D, W, G, V); break;
        }
    }

    // out += G^T x, over the active constraints
    void add_transposed(const Pack* x, double* out) const {
        for (int c = 0; c < P.constraints; ++c) {
            if (!active[c]) continue;
            const ConstraintState& S = constraint[c];
            const int a = a_of(c), b = b_of(c);
            if (a >= 0)
                for (int j = 0; j < V; ++j) out[V * a + j] += dot(S.Ga[j], x[c]);
            if (b >= 0)
                for (int j = 0; j < V; ++j) out[V * b + j] += dot(S.Gb[j], x[c]);
        }
    }

    // r -= S x
    void multiply(const Pack* x, Pack* r) {
        std::fill(momentum_.begin(), momentum_.end(), 0.0);
        add_transposed(x, momentum_.data());
        double step[V];
        for (int k = 0; k < P.bodies; ++k) {
            over_mass(k, &momentum_[V * k], step);
            std::memcpy(&momentum_[V * k], step, sizeof step);
        }
        for (int c = 0; c < P.constraints; ++c) {
            if (!active[c]) {
                r[c] = spread(0.0);
                continue;
            }
            r[c] -= row_product(c, momentum_.data());
        }
    }

    Pack wanted_acceleration(int c) {
        const ConstraintState& S = constraint[c];
        if (stabilisation.method == BAUMGARTE) {
            Pack g = kind_of(c) == FRICTION ? spread(0.0) : S.g;
            return S.gamma - spread(2 * stabilisation.alpha) * (speed_of(c) - S.nu) -
                   spread(stabilisation.beta * stabilisation.beta) * g;
        }
        if (stabilisation.method == AUGMENTED_LAGRANGIAN) {
            Pack g = kind_of(c) == FRICTION ? spread(0.0) : S.g;
            return S.gamma - spread(2 * stabilisation.omega * stabilisation.mu) * (speed_of(c) - S.nu) -
                   spread(stabilisation.omega * stabilisation.omega) * g;
        }
        return S.gamma;
    }

    // a = M^-1 (f - G^T lambda) with G a = gamma, for the force at hand
    void solve_for_force() {
        for (int k = 0; k < P.bodies; ++k) over_mass(k, &force[V * k], &acceleration[V * k]);
        if (P.constraints == 0) return;
        for (int c = 0; c < P.constraints; ++c) {
            if (!active[c]) {
                rhs_[c] = spread(0.0);
                continue;
            }
            rhs_[c] = row_product(c, acceleration.data()) - wanted_acceleration(c);
        }
        if (stabilisation.method == AUGMENTED_LAGRANGIAN)
            augmented_lagrangian();
        else
            refined_solve(rhs_.data());
        for (int c = 0; c < P.constraints; ++c) multiplier[c] = rhs_[c];
        std::fill(momentum_.begin(), momentum_.end(), 0.0);
        add_transposed(multiplier.data(), momentum_.data());
        for (int k = 0; k < P.bodies; ++k) {
            double step[V];
            over_mass(k, &momentum_[V * k], step);
            for (int i = 0; i < V; ++i) acceleration[V * k + i] -= step[i];
        }
    }

    // Penalty method with multiplier iteration (Bai, eq. 1.18). With (M + G^T alpha G)^-1 written through S + 1/alpha, one
    // iteration is lambda <- lambda + (S + 1/alpha)^-1 (rhs - S lambda).
    void augmented_lagrangian() {
        target_ = rhs_;
        std::vector<Pack>& x = penalty_multiplier_;
        for (auto& value : x) value = spread(0.0);
        for (int round = 0; round < stabilisation.iterations; ++round) {
            residue_ = target_;
            multiply(x.data(), residue_.data());
            factor.solve(residue_.data());
            double change = 0, size = 0;
            for (int c = 0; c < P.constraints; ++c) {
                x[c] += residue_[c];
                change = std::fmax(change, max_abs(residue_[c]));
                size = std::fmax(size, max_abs(x[c]));
            }
            if (change <= stabilisation.tolerance * size) break;
        }
        rhs_ = x;
    }

    // Puts the sliding friction into `force`; returns the relative change since the last time.
    double slide() {
        force = base_force;
        double change = 0;
        for (int k = 0; k < P.frictions; ++k) {
            if (!slip[k]) continue;
            const double now = -slip[k] * friction_limit(k, false);
            change = std::fmax(change, std::fabs(now - friction_force[k]) / (std::fabs(now) + 1e-30));
            friction_force[k] = now;
            const int c = P.friction[4 * k + 1];
            const ConstraintState& S = constraint[c];
            const int a = a_of(c), b = b_of(c);
            for (int j = 0; j < V; ++j) {
                if (a >= 0) force[V * a + j] += now * S.Ga[j][0];
                if (b >= 0) force[V * b + j] += now * S.Gb[j][0];
            }
        }
        return change;
    }

    std::vector<Pack> rhs_, residue_, target_, penalty_multiplier_;
    std::vector<double> momentum_, formula_out_, wrench_, turns_;
    std::vector<const double*> pointers_;
    double time_ = 0.0;
    double shift_ = 0.0;
    int fewest_small_pivots_ = 1 << 30;
    bool refine_ = false;
};

}  // namespace ww
