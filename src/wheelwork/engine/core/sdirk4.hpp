// SDIRK4: a singly diagonally implicit method of order 4 with embedded order 3, L-stable, stiffly accurate, explicit first
// stage, stage order 2: ESDIRK4(3)6L[2]SA of Kennedy and Carpenter (Appl. Numer. Math. 44, 2003, table of ARK4(3)6L[2]SA).
//
// Why this one: all stages share one matrix, and for mechanisms it has the mechanical form
//
//     [ M + hg C + (hg)^2 K   G^T ] [ da      ]
//     [ G + ...               0   ] [ dlambda ]        (hg = h / 4)
//
// of the size of one KKT system. Constraints enter at acceleration level inside a stage, so the method sees an ordinary
// differential equation and keeps its order (at position level an SDIRK method falls to order 2 or less); positions and
// velocities are projected after the step as with explicit methods. C and K are exact: elements' derivatives come from
// differentiation of their expressions. Stage order 2 matters for stiff springs, which act almost like constraints: the method
// of Hairer and Wanner (II, table IV.6.5, stage order 1) takes several times as many steps on them.
#pragma once

#include "block_lu.hpp"
#include "carried.hpp"
#include "methods.hpp"
#include "sdirk4_table.hpp"
#include "system.hpp"

namespace ww {

// Tables for the implicit matrix; see wheelwork.engine.plan.implicit_plan.
struct ImplicitTables {
    EliminationPlan plan;
    const int* force_blocks;  // for each force: acting body x seen body
    const int* constraint_blocks;  // for each constraint (BlockMatrix::at): of its bodies, each by each; its columns, its rows at each body
};
constexpr int NO_BLOCK = -2147483647 - 1;

class ImplicitMatrix {
  public:
    ImplicitMatrix(System& system, const ImplicitTables& tables) : S(system), P(system.P), T(tables) {
        lu_.set_up(T.plan);
        stiffness_.set_up(T.plan);
        shift.assign(P.constraints, spread(0.0));
        held.assign(P.constraints, 0u);
        first_block_.assign(1, 0);
        for (int c = 0; c < P.constraints; ++c) first_block_.push_back(first_block_[c] + P.constraint[c].sides * (P.constraint[c].sides + 2));
    }

    // The matrix at the state last placed in the system, with its accelerations and multipliers. With hg = 0 it is the KKT
    // matrix itself.
    bool form(double t, double hg) {
        lu_.A.clear();
        stiffness_.clear();
        for (int k = 0; k < P.bodies; ++k) body(k, hg);
        int pair = 0;
        for (int k = 0; k < P.forces; ++k) force(k, t, hg, pair);
        for (int c = 0; c < P.constraints; ++c) constraint(c, hg);
        for (int k = 0; k < P.frictions; ++k) mesh_friction(k);
        return lu_.factorise();
    }

    // Where S is ill-conditioned: G a - shift (lambda - lambda at the start of the step) = gamma stands for G a = gamma.
    std::vector<Pack> shift;
    // Rows whose multipliers stay as they are, of each constraint a bit a row.
    std::vector<unsigned> held;

    // x: a pack for each body, then one for each constraint.
    void solve(Pack* x) const { lu_.solve(x); }

    // out -= factor K r, with the small motions r (a pack a body).
    void subtract_stiffness(const Pack* r, double factor, Pack* out) const { stiffness_.add_times(r, -factor, out); }

  private:
    void body(int k, double hg) {
        implicit_inertia(P.inertia + INERTIA * k, S.frames.record(k), &S.kkt.acceleration[V * k], hg, lu_.A.at(~k), stiffness_.at(~k));
    }

    void force(int k, double t, double hg, int& pair) {
        const int seen = P.force[k].bodies, acting = P.force[k].acting;
        derivative_.resize(size_t(V * acting) * 2 * V * seen);
        double* out[1] = {derivative_.data()};
        P.force_jacobian[k](S.forces.inputs(k, t), out);
        const int height = V * acting;
        for (int i = 0; i < acting; ++i)
            for (int j = 0; j < seen; ++j) {
                const int ref = T.force_blocks[pair++];
                if (ref == NO_BLOCK) continue;
                Square &D = lu_.A.at(ref), &K = stiffness_.at(ref);
                for (int c = 0; c < V; ++c) {
                    const double* stiffness = &derivative_[size_t(2 * V * j + c) * height + V * i];
                    const double* damping = &derivative_[size_t(2 * V * j + V + c) * height + V * i];
                    for (int r = 0; r < V; ++r) {
                        K.at(r, c) -= stiffness[r];
                        D.at(r, c) -= hg * damping[r] + hg * hg * stiffness[r];
                    }
                }
            }
    }

    // Friction of a sliding mesh or ratio, c |F| in the sense that the tooth force F has: of F, and so in the column of F. Other friction is
    // taken as it was in the last iteration.
    void mesh_friction(int k) {
        const int c = P.friction[k].joint, f = P.friction[k].row;
        if (!S.loads.slip[k] || !S.loads.goes_with_size(k) || held[c] & 1u) return;
        const int sense = S.kkt.multiplier[c][0] < 0 ? -1 : 1;
        const double factor = S.loads.slip[k] * S.loads.growth(k, sense) * sense;
        const Constraints::Sides sides = S.constraints.sides(c);
        const int* column = T.constraint_blocks + first_block_[c] + sides.count() * sides.count();
        for (int i = 0; i < sides.count(); ++i)
            for (const auto& [body, G] : S.constraints.sides(f))
                if (body == sides[i].body && column[i] != NO_BLOCK)
                    for (int j = 0; j < V; ++j) lu_.A.at(column[i]).at(j, 0) += factor * G[j][0];
    }

    void constraint(int c, double hg) {
        const int node = P.bodies + c, m = S.constraints.rows[c];
        Square& D = lu_.A.at(~node);
        for (int p = S.constraints.active[c] ? m : 0; p < B; ++p) D.at(p, p) = 1.0;
        shift[c] = spread(0.0);
        held[c] = S.schur.left_out(c);
        if (!S.constraints.active[c]) return;
        const Constraints::Sides sides = S.constraints.sides(c);
        const int n = sides.count(), height = n * V;
        in_.resize(n + 5);
        accelerations_.assign(height, 0.0);
        for (int i = 0; i < n; ++i)
            if (sides[i].body >= 0) std::memcpy(&accelerations_[V * i], &S.kkt.acceleration[V * sides[i].body], V * sizeof(double));
        const int given = S.constraints.inputs_of(c);
        std::copy_n(S.constraints.inputs(c), given, in_.begin());
        in_[given] = reinterpret_cast<const double*>(&S.kkt.multiplier[c]);
        in_[given + 1] = accelerations_.data();
        stiffness_of_row_.assign(size_t(height) * height, 0.0);
        bottom_.assign(size_t(LANES) * 2 * height, 0.0);
        double* out[2] = {stiffness_of_row_.data(), bottom_.data()};
        P.constraint_jacobian[c](in_.data(), out);
        const int *bodies = T.constraint_blocks + first_block_[c], *column = bodies + n * n, *row = column + n;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                if (bodies[n * i + j] == NO_BLOCK) continue;
                Square &D = lu_.A.at(bodies[n * i + j]), &K = stiffness_.at(bodies[n * i + j]);
                for (int r = 0; r < V; ++r)
                    for (int s = 0; s < V; ++s) {
                        const double entry = stiffness_of_row_[(V * j + s) * height + V * i + r];
                        K.at(r, s) += entry;
                        D.at(r, s) += hg * hg * entry;
                    }
            }
        for (int i = 0; i < n; ++i) {
            if (column[i] == NO_BLOCK) continue;
            const auto& [body, G] = sides[i];
            Square &up = lu_.A.at(column[i]), &low = lu_.A.at(row[i]);
            for (int j = 0; j < V; ++j)
                for (int p = 0; p < m; ++p) {
                    if (held[c] >> p & 1) continue;
                    up.at(j, p) = lane(G[j], p);
                    low.at(p, j) = lane(G[j], p) + hg * bottom_[(height + V * i + j) * LANES + p] +
                                  hg * hg * bottom_[(V * i + j) * LANES + p];
                }
        }
        for (int p = 0; p < m; ++p)
            if (held[c] >> p & 1) D.at(p, p) = 1.0;
        if (!S.schur.shifted()) return;
        const Pack diagonal = S.schur.own_entries(c);
        for (int p = 0; p < m; ++p) {
            shift[c][p] = Schur::regularisation * diagonal[p];
            D.at(p, p) = -shift[c][p];
        }
    }

    System& S;
    const Program& P;
    ImplicitTables T;
    BlockLu lu_;
    BlockMatrix stiffness_;
    std::vector<int> first_block_;  // of each constraint, in `constraint_blocks`
    std::vector<double> derivative_, accelerations_, stiffness_of_row_, bottom_;
    std::vector<const double*> in_;
};

class Sdirk4 {
  public:
    static constexpr bool adaptive = true;
    static constexpr int order = 4;
    static constexpr bool dense_evaluates = false;

    Sdirk4(System& system, const ImplicitTables& tables, double rtol, double atol)
        : S(system), matrix_(system, tables), rtol_(rtol), atol_(atol) {}

    long long newton_iterations = 0;
    bool failed() const { return failed_ && !not_finite_; }

    template <class Rhs>
    bool stages(Rhs&&, Step& s) {
        const size_t n = s.n;
        const double hg = 0.25 * s.h;
        for (auto& k : k_) k.resize(n);
        base_.resize(n);
        stage_.resize(n);
        failed_ = not_finite_ = false;
        begin(s);
        k_[0] = s.first;
        // the matrix in the middle of the step, as far as that can be told from its start; else at its start
        for (int tries = 0; tries < 2; ++tries) {
            const double ahead = tries == 0 && known_ ? 0.5 * s.h : 0.0;
            if (!form(s, hg, ahead)) {
                if (ahead > 0) continue;
                return fail();
            }
            int i = 1;
            for (; i < 6; ++i) {
                for (size_t j = 0; j < n; ++j) base_[j] = s.y0[j] + s.h * sdirk4_table::slope(k_, i, j);
                guess(i, s.h);
                if (!solve_stage(s.t + c[i] * s.h, hg, k_[i])) break;
                stage_lambda_[i] = lambda_;
            }
            if (i == 6) break;
            if (ahead == 0.0) return fail();
        }
        s.y1 = stage_;  // stiffly accurate: the last stage is the new state
        S.frames.place_positions(stage_.data());
        S.kkt.assemble();   // the projection wants the factor that belongs to the rows at hand
        done_ = true;
        return true;
    }

    double error(const Step& s, double rtol, double atol) {
        std::vector<double>& e = base_;
        for (size_t j = 0; j < s.n; ++j) e[j] = s.h * sdirk4_table::difference(k_, j);
        smooth(s, e);
        return s.over_tolerance(e, rtol, atol);
    }

    void dense(const Step& s, double theta, double* out) const { hermite(s, theta, out); }

    // The last step, from which the next one takes its first guess.
    void carry(Carried& c) {
        c(t_), c(h_), c(last_h_), c(done_), c(known_);
        for (int i = 0; i < 6; ++i) c(k_[i]), c(stage_lambda_[i]);
        for (int m = 0; m < 3; ++m) c(last_a_[m]), c(last_lambda_[m]);
    }

  private:
    static constexpr double enough = 1e-3;  // what Newton's method may leave, in tolerances (Hairer and Wanner II, IV.8)
    static constexpr const double (&c)[6] = sdirk4_table::c;

    // Accelerations and multipliers at the start of a step. They are known where it follows the last one, or tries that again, unless
    // something switches or rows depend on each other, which the factor there has to tell of.
    void begin(const Step& s) {
        const bool plain = S.P.frictions == 0 && S.P.contacts == 0 && !S.schur.shifted() && !S.schur.leaves_out();
        const bool again = s.t == t_, follows = done_ && s.t == t_ + h_;
        known_ = follows || (again && known_);
        if (follows) {  // three of its stages, for the first guess
            last_h_ = h_;
            for (int m = 0; m < 3; ++m) {
                const int from = m == 0 ? 5 : m == 1 ? 3 : 0;
                last_a_[m].assign(k_[from].begin() + S.frames.nq, k_[from].begin() + S.frames.nq + S.frames.nv);
                last_lambda_[m] = stage_lambda_[from];
            }
        }
        if (plain && follows) {
            stage_lambda_[0] = stage_lambda_[5];
        } else if (!plain || !again) {
            S.derivative(s.t, s.y0.data(), stage_.data());
            stage_lambda_[0] = S.kkt.multiplier;
        }
        start_lambda_ = stage_lambda_[0];
        t_ = s.t, h_ = s.h, done_ = false;
    }

    // The matrix at the state that a step comes to after some time, with constant accelerations; these and the multipliers are those
    // at its start.
    bool form(const Step& s, double hg, double ahead) {
        stage_ = s.y0;
        for (int k = 0; k < S.P.bodies; ++k) {
            double step[V], *v = &stage_[S.frames.nq + V * k];
            const double* a = &s.first[S.frames.nq + V * k];
            for (int i = 0; i < V; ++i) step[i] = ahead * (v[i] + 0.5 * ahead * a[i]), v[i] += ahead * a[i];
            displace(&stage_[Q * k], step);
        }
        for (int k = S.frames.nq + S.frames.nv; k < S.n; ++k) stage_[k] += ahead * s.first[k];
        S.frames.functions_of_time(s.t + ahead);
        S.frames.place(stage_.data());
        S.frames.count_turns(stage_.data());
        S.constraints.evaluate();
        std::copy(s.first.begin() + S.frames.nq, s.first.begin() + S.frames.nq + S.frames.nv, S.kkt.acceleration.begin());
        S.kkt.multiplier = start_lambda_;
        return matrix_.form(s.t + ahead, hg);
    }

    // What stage i begins with: accelerations and multipliers on a parabola through those of earlier stages, for the first stage
    // through those of the last step; rates of the elements' own states from the stage before.
    void guess(int i, double h) {
        static const int nodes[6][3] = {{}, {}, {0, 1, 1}, {0, 2, 1}, {2, 1, 3}, {1, 3, 4}};
        const double ratio = known_ ? last_h_ / h : 0.0;
        double x[3], weight[3];
        int count = 3;
        if (i == 1) {
            count = ratio > 0.5 ? 3 : 1;
            x[0] = 0.0, x[1] = (c[3] - 1) * ratio, x[2] = -ratio;
        } else {
            count = i == 2 ? 2 : 3;
            for (int m = 0; m < count; ++m) x[m] = c[nodes[i][m]];
        }
        for (int m = 0; m < count; ++m) {
            weight[m] = 1.0;
            for (int l = 0; l < count; ++l)
                if (l != m) weight[m] *= (c[i] - x[l]) / (x[m] - x[l]);
        }
        a_.assign(S.frames.nv, 0.0);
        lambda_.assign(S.P.constraints, spread(0.0));
        for (int m = 0; m < count; ++m) {
            const bool last = i == 1 && m > 0;
            const double* a = last ? last_a_[m].data() : &k_[i == 1 ? 0 : nodes[i][m]][S.frames.nq];
            const std::vector<Pack>& lambda = last ? last_lambda_[m] : stage_lambda_[i == 1 ? 0 : nodes[i][m]];
            for (int j = 0; j < S.frames.nv; ++j) a_[j] += weight[m] * a[j];
            for (int k = 0; k < S.P.constraints; ++k) lambda_[k] += spread(weight[m]) * lambda[k];
        }
        for (int j = S.P.turns; j < S.frames.nz; ++j) S.frames.turn_rate[j] = k_[i - 1][S.frames.nq + S.frames.nv + j];
    }

    bool fail() {
        failed_ = true;
        return false;
    }

    // Y = base + hg f(Y) for accelerations in a_; fills stage_ and its frames.
    void place_stage(double t, double hg) {
        const int nq = S.frames.nq, nz = nq + S.frames.nv;  // where velocities and turns begin
        for (int k = 0; k < S.P.bodies; ++k) {
            double *q = &stage_[Q * k], *v = &stage_[nq + V * k];
            const double *q0 = &base_[Q * k], *v0 = &base_[nq + V * k];
            for (int i = 0; i < V; ++i) v[i] = v0[i] + hg * a_[V * k + i];
            implicit_coordinates(q0, v, hg, q);
        }
        S.frames.place_positions(stage_.data(), false);
        S.frames.place_velocities(stage_.data());
        S.frames.functions_of_time(t);
        for (int k = 0; k < S.P.turns; ++k) {
            stage_[nz + k] = base_[nz + k] + hg * S.frames.rate_of_turn(k);
        }
        // followed parameters: the last rates give a guess near enough
        for (int k = S.P.turns; k < S.frames.nz; ++k) stage_[nz + k] = base_[nz + k] + hg * S.frames.turn_rate[k];
        S.frames.count_turns(stage_.data());
        S.frames.settle(stage_.data());
    }

    bool solve_stage(double t, double hg, std::vector<double>& k) {
        const int bodies = S.P.bodies, constraints = S.P.constraints;
        double last = 1e300;
        for (int round = 0; round < 12; ++round) {
            ++newton_iterations;
            place_stage(t, hg);
            if (S.P.measured) S.derivative(t, stage_.data(), k.data());  // rates that read reactions: those of this very state
            S.constraints.evaluate();
            S.kkt.multiplier = lambda_;
            S.forces.apply(t);
            S.loads.add_load_dependent_forces();
            x_.assign(size_t(bodies) + constraints, spread(0.0)), opposite_.resize(constraints);
            // minus the residuals of both rows
            for (int b = 0; b < bodies; ++b) {
                double inertia[V];
                S.frames.times_mass(b, &a_[V * b], inertia);
                for (int i = 0; i < V; ++i) lane(x_[b], i) = S.forces.total[V * b + i] - inertia[i];
            }
            for (int c = 0; c < constraints; ++c) opposite_[c] = -lambda_[c];
            S.constraints.add_transposed(opposite_.data(), x_.data());
            for (int c = 0; c < constraints; ++c) {
                if (!S.constraints.active[c]) continue;
                const Pack r = S.kkt.wanted_acceleration(c) - S.constraints.row_product(c, a_.data()) +
                               matrix_.shift[c] * (lambda_[c] - start_lambda_[c]);
                for (int p = 0; p < S.constraints.rows[c]; ++p) lane(x_[bodies + c], p) = matrix_.held[c] >> p & 1 ? 0.0 : r[p];
            }
            matrix_.solve(x_.data());
            double total = 0;
            for (int b = 0; b < bodies; ++b)
                for (int i = 0; i < V; ++i) {
                    const double change = lane(x_[b], i);
                    a_[V * b + i] += change;
                    const double over = hg * change / (atol_ + rtol_ * std::fabs(stage_[S.frames.nq + V * b + i]));
                    total += over * over;
                }
            for (int c = 0; c < constraints; ++c) lambda_[c] += x_[bodies + c];
            for (int j = S.frames.first_state; j < S.frames.nz; ++j) {  // their rates here, against those with which the stage was placed
                const int place = S.frames.nq + S.frames.nv + j;
                const double over = (base_[place] + hg * S.frames.turn_rate[j] - stage_[place]) / (atol_ + rtol_ * std::fabs(stage_[place]));
                total += over * over;
            }
            const double size = std::sqrt(total / std::fmax(1, S.frames.nv + S.P.states));
            if (!(size < 1e300)) {
                not_finite_ = true;
                return false;
            }
            if (size < enough || (round > 0 && size * size / (last - size) < enough && size < last)) {
                place_stage(t, hg);
                derivative_of_stage(k);
                return true;
            }
            if (round > 1 && size > 0.9 * last) return false;
            last = size;
        }
        return false;
    }

    void derivative_of_stage(std::vector<double>& k) const {
        for (int b = 0; b < S.P.bodies; ++b) {
            coordinate_rates(&stage_[Q * b], &stage_[S.frames.nq + V * b], &k[Q * b]);
            for (int i = 0; i < V; ++i) k[S.frames.nq + V * b + i] = a_[V * b + i];
        }
        for (int j = 0; j < S.frames.nz; ++j) k[S.frames.nq + S.frames.nv + j] = S.frames.turn_rate[j];
    }

    // The error through (1 - hg J)^-1, so that what is stiff and has died out by itself does not count:
    // (M + hg C + hg^2 K) ev' = M ev - hg K eq,  eq' = eq + hg ev'.
    void smooth(const Step& s, std::vector<double>& e) {
        const int bodies = S.P.bodies;
        const double hg = 0.25 * s.h;
        x_.assign(size_t(bodies) + S.P.constraints, spread(0.0));
        motion_.assign(x_.size(), spread(0.0));
        for (int b = 0; b < bodies; ++b) {
            small_motion(&s.y1[Q * b], &e[Q * b], reinterpret_cast<double*>(&motion_[b]));
            S.frames.times_mass(b, &e[S.frames.nq + V * b], reinterpret_cast<double*>(&x_[b]));
        }
        matrix_.subtract_stiffness(motion_.data(), hg, x_.data());
        for (size_t i = bodies; i < x_.size(); ++i) x_[i] = spread(0.0);
        matrix_.solve(x_.data());
        for (int b = 0; b < bodies; ++b) {
            const Pack motion = motion_[b] + spread(hg) * x_[b];
            for (int i = 0; i < V; ++i) e[S.frames.nq + V * b + i] = lane(x_[b], i);
            change_of_coordinates(&s.y1[Q * b], reinterpret_cast<const double*>(&motion), &e[Q * b]);
        }
    }

    System& S;
    ImplicitMatrix matrix_;
    double rtol_, atol_;
    bool failed_ = false, not_finite_ = false;
    std::vector<double> k_[6], base_, stage_, a_;
    std::vector<Pack> lambda_, start_lambda_, stage_lambda_[6], x_, motion_, opposite_;

    // of the last step: when, whether its stages were found, whether the one before it is known; at its end, a stage and its start
    double t_ = NAN, h_ = 0, last_h_ = 0;
    bool done_ = false, known_ = false;
    std::vector<double> last_a_[3];
    std::vector<Pack> last_lambda_[3];
};

}  // namespace ww
