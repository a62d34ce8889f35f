// Newton-Euler equations with multipliers in absolute coordinates:
//
//     [ M  G^T ] [ a      ]   [ f     ]
//     [ G  0   ] [ lambda ] = [ gamma ]
#pragma once

#include <memory>

#include "elements.hpp"
#include "factor.hpp"
#include "fixed_point.hpp"

namespace ww {

enum Stabilisation { NONE = 0, PROJECTION = 1, BAUMGARTE = 2, AUGMENTED_LAGRANGIAN = 3 };

struct StabilisationSettings {
    int method = PROJECTION;
    double alpha = 0, beta = 0;                      // Baumgarte
    double penalty = 0, omega = 0, mu = 0;           // augmented Lagrangian
    int iterations = 0;
    double tolerance = 0;
};

class System : public Elements {
  public:
    System(const Program& program, std::unique_ptr<Factor> (*make_factor)(const Plan&, const int*)) : Elements(program) {
        base_force.assign(V * (P.bodies + 1), 0.0);
        acceleration.assign(V * (P.bodies + 1), 0.0);
        momentum_.assign(V * (P.bodies + 1), 0.0);
        rhs_.assign(P.constraints, spread(0.0));
        penalty_multiplier_.assign(P.constraints, spread(0.0));
        slip.assign(P.frictions, 0);
        friction_force.assign(P.frictions, 0.0);
        tooth_force_.assign(P.meshes, 0.0);
        Plan plan;
        plan.nodes = P.constraints;
        plan.order = P.order;
        plan.below_start = P.below_start;
        plan.below_node = P.below_node;
        plan.update_start = P.update_start;
        plan.update = P.update;
        factor = make_factor(plan, rows.data());
        factor_maker = make_factor;
    }

    std::unique_ptr<Factor> (*factor_maker)(const Plan&, const int*);  // for formulations that make a system of their own

    // Forget modes and multipliers of an earlier run.
    void reset() {
        for (int c = 0; c < P.constraints; ++c) active[c] = kind_of(c) == BILATERAL;
        std::fill(slip.begin(), slip.end(), 0);
        std::fill(friction_force.begin(), friction_force.end(), 0.0);
        std::fill(tooth_force_.begin(), tooth_force_.end(), 0.0);
        std::fill(multiplier.begin(), multiplier.end(), spread(0.0));
        shift_ = 0.0;
        fewest_small_pivots_ = 1 << 30;
        evaluations = factorisations = 0;
    }

    StabilisationSettings stabilisation;
    std::vector<double> base_force, acceleration;  // V a body
    std::vector<int> slip;                // of each friction: -1, 1 sliding, 0 sticking
    std::vector<double> friction_force;   // along the joint coordinate, on b
    std::unique_ptr<Factor> factor;  // of S
    long evaluations = 0, factorisations = 0;
    bool friction_converged = true;
    bool teeth_move_wheels = false;  // whether what pushes teeth apart can move something
    bool singular = false;  // redundant constraints or a singular position: multipliers are of minimum norm

    // ---- the state's derivative; afterwards `acceleration` and `multiplier` hold their values at (t, y)
    virtual void derivative(double t, const double* y, double* dy) {
        prepare(t, y);
        finish(t, y, dy);
    }

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

    // ---- pieces of it
    // Whether the factor is that of a shifted matrix.
    bool shifted() const { return refine_; }

    // Whether more rows depend on each other here than elsewhere in the motion.
    virtual bool near_singular_position() const { return factor->small_pivots > fewest_small_pivots_; }

    // S = G M^-1 G^T and its factor.
    //
    // Redundant constraints make S singular, and so do singular positions, on the way through which errors of the
    // right-hand side would be amplified without bound and throw the mechanism onto another branch. Where a pivot
    // falls below `sound` the factor is that of S + shift diag(S), and solutions are made by proximal iteration
    // x <- x + (S + shift D)^-1 (b - S x): exact where S is sound, of minimum norm where it is not, and an error of the
    // right-hand side reaches the accelerations amplified by no more than about 1/sqrt(shift).
    static constexpr double sound = Factor::small, regularisation = 1e-8;
    static constexpr int proximal_rounds = 3;

    void assemble() {
        if (stabilisation.method == AUGMENTED_LAGRANGIAN) {
            fill();
            factor->factorise(nullptr, 1.0 / stabilisation.penalty);
            return;
        }
        fill();
        factorise_shifted();
        if (shift_ == 0.0 && !(factor->smallest_pivot > sound)) {
            shift_ = regularisation;
            fill();
            factorise_shifted();
        }
        refine_ = shift_ > 0.0;
        singular = refine_ && !(factor->smallest_pivot > 10 * regularisation);
        if (refine_ && factor->smallest_pivot > 2 * sound) shift_ = 0.0;  // from the next time on
        if (factor->small_pivots < fewest_small_pivots_) fewest_small_pivots_ = factor->small_pivots;
    }

    // The factor of S + shift D. D decides among the multipliers that redundant constraints leave open, and how errors inside a step
    // are spread. There each row has its own entry of S. For output (`alike`), rows of a constraint that hold points have the mean of
    // theirs, and rows that hold directions that of a rotation in all directions alike: reactions do then not depend on the axes
    // in which a joint is written, equal planets share a load equally, and so do planes that prevent the same rotation.
    void factorise_shifted(bool alike = false) {
        if (shift_ == 0.0) {
            factor->factorise(nullptr);
            return;
        }
        weight_.resize(P.constraints);
        for (int c = 0; c < P.constraints; ++c) {
            double wished[MAX_ROWS];
            for (int p = 0; p < rows[c]; ++p) wished[p] = lane(factor->diagonal[c].column[p], p);
            if (alike) weigh_alike(c, wished);
            weight_[c] = spread(0.0);
            for (int p = 0; p < rows[c]; ++p) lane(weight_[c], p) = shift_ * wished[p];
        }
        factor->factorise(weight_.data());
    }

    void weigh_alike(int c, double* wished) const {
        const ConstraintState& S = constraint[c];
        double sum = 0, count = 0, turning[MAX_ROWS] = {};
        for (int p = 0; p < rows[c]; ++p) {
            bool linear = false;
            for (int j = 0; j < LINEAR; ++j) linear = linear || lane(S.Ga[j], p) != 0.0 || lane(S.Gb[j], p) != 0.0;
            if (linear) {
                sum += wished[p], count += 1;
            } else {
                turning[p] = turning_weight(a_of(c), S.Ga, p) + turning_weight(b_of(c), S.Gb, p);
            }
        }
        for (int p = 0; p < rows[c]; ++p)  // rows of very unlike size keep their own
            wished[p] = std::fmin(turning[p] > 0 ? turning[p] : sum / count, 100 * wished[p]);
    }

    // What row p adds to the diagonal of S by turning a body, were its inertia the same about all axes.
    double turning_weight(int body, const Pack* G, int p) const {
        if (body < 0) return 0.0;
        double size = 0;
        for (int j = LINEAR; j < V; ++j) size += lane(G[j], p) * lane(G[j], p);
        return size / mean_inertia(P.inertia + INERTIA * body);
    }

    void fill() {
        ++factorisations;
        for (int c = 0; c < P.constraints; ++c) {
            ConstraintState& S = constraint[c];
            Block& D = factor->diagonal[c];
            const int m = rows[c];
            if (!active[c]) {
                for (int p = 0; p < m; ++p) D.column[p] = spread(0.0), D.column[p][p] = 1.0;
                continue;
            }
            if (a_of(c) < 0 || b_of(c) < 0)
                for (int p = 0; p < m; ++p) D.column[p] = spread(0.0);
            if (a_of(c) >= 0) {
                columns_over_mass(inverse_mass[a_of(c)], S.Ga, S.Wa);
                factor->product(D, S.Wa, S.Ga, m, false);
            }
            if (b_of(c) >= 0) {
                columns_over_mass(inverse_mass[b_of(c)], S.Gb, S.Wb);
                factor->product(D, S.Wb, S.Gb, m, true);
            }
        }
        if (!factor->below.empty())
            std::memset(static_cast<void*>(factor->below.data()), 0, factor->below.size() * sizeof(Block));
        for (int k = 0; k < P.couplings; ++k) {
            const int* K = P.coupling + 5 * k;
            if (!active[K[1]] || !active[K[3]]) continue;
            const ConstraintState &I = constraint[K[1]], &J = constraint[K[3]];
            factor->product(factor->below[K[0]], K[2] ? I.Wb : I.Wa, K[4] ? J.Gb : J.Ga, rows[K[3]], true);
        }
    }

    // a and lambda for the forces in `force`, and for those that depend on lambda: friction of sliding joints, and what pushes
    // the teeth of meshes apart. The latter does no work where the wheels' axes are held, and so changes only the reactions: it is
    // left out unless `complete`, or unless it can move something or press on a joint with friction.
    void solve_accelerations(bool complete = false) {
        friction_converged = true;
        const bool teeth = P.meshes && (complete || teeth_move_wheels || P.frictions);
        if (P.frictions == 0 && P.meshes == 0) {
            solve_for_force();
            return;
        }
        base_force = force;
        complete_ = teeth;
        if (P.frictions == 0 && !teeth) {
            solve_for_force();
            return;
        }
        load_.clear();
        for (int k = 0; k < P.frictions; ++k)
            if (slip[k]) load_.push_back(friction_force[k]);
        for (int k = 0; k < P.meshes && teeth; ++k) load_.push_back(tooth_force_[k]);
        fixed_point_.start(int(load_.size()));
        // with redundant constraints the multipliers themselves have an error of round-off over the shift of S, in proportion to
        // the largest of them
        const double same = refine_ ? 1e-7 : 1e-12, acceptable = refine_ ? 1e-5 : 1e-9;
        double last = 0;
        for (int round = 0;; ++round) {
            add_load_dependent(load_.data(), teeth);
            solve_for_force();
            for (int k = 0; k < P.frictions; ++k)
                if (!slip[k]) friction_force[k] = -multiplier[P.friction[4 * k + 1]][0];
            read_load(teeth);
            double change = 0, largest = 0;
            for (double value : image_) largest = std::fmax(largest, std::fabs(value));
            double floor = 1e-6 * largest;
            if (refine_)
                for (int c = 0; c < P.constraints; ++c)
                    if (active[c]) floor = std::fmax(floor, max_abs(multiplier[c]));
            for (size_t i = 0; i < load_.size(); ++i) {
                const double size = std::fabs(image_[i] - load_[i]) / (std::fabs(image_[i]) + floor + 1e-30);
                if (!(size <= change)) change = size;
            }
            if (change <= same) break;
            if (round > 200 || (round > 50 && change > last) || !(change < 1e300)) {
                friction_converged = change <= acceptable;
                break;
            }
            last = change;
            fixed_point_.next(load_.data(), image_.data());
        }
    }

    // Find out whether what pushes teeth apart can move anything at the position at hand, as with wheels on springs. Where the
    // axes are held by joints it cannot: M a + G^T lambda = w with G a = 0 has a = 0.
    virtual void examine_meshes() {
        teeth_move_wheels = false;
        if (P.meshes == 0) return;
        std::fill(base_force.begin(), base_force.end(), 0.0);
        const std::vector<int> slipping = slip;
        std::fill(slip.begin(), slip.end(), 0);
        std::vector<double> unit(P.meshes, 0.0), free(V);
        for (int m = 0; m < P.meshes && !teeth_move_wheels; ++m) {
            unit[m] = 1.0;
            add_load_dependent(unit.data(), true);
            unit[m] = 0.0;
            double before = 0, after = 0;
            solve_with([](int) { return spread(0.0); });
            for (int k = 0; k < P.bodies; ++k) {
                over_mass(k, &force[V * k], free.data());
                for (int j = 0; j < V; ++j) {
                    before = std::fmax(before, std::fabs(free[j]));
                    after = std::fmax(after, std::fabs(acceleration[V * k + j]));
                }
            }
            teeth_move_wheels = after > 1e-6 * before;
        }
        std::fill(tooth_force_.begin(), tooth_force_.end(), 0.0);
        slip = slipping;
    }

    // Whether the first row of a constraint that is not active is held by those that are: whether a force along it moves nothing
    // there. Accelerations and multipliers stay as they are.
    bool is_held(int c) {
        const std::vector<double> force_kept = force, acceleration_kept = acceleration;
        const std::vector<Pack> multiplier_kept = multiplier;
        std::fill(force.begin(), force.end(), 0.0);
        double alone = 0;
        for (int side = 0; side < 2; ++side) {
            const int body = side ? b_of(c) : a_of(c);
            if (body < 0) continue;
            double step[V];
            for (int j = 0; j < V; ++j) force[V * body + j] = (side ? constraint[c].Gb : constraint[c].Ga)[j][0];
            over_mass(body, &force[V * body], step);
            for (int j = 0; j < V; ++j) alone += force[V * body + j] * step[j];
        }
        solve_with([](int) { return spread(0.0); });
        const bool held = std::fabs(row_product(c, acceleration.data())[0]) < 1e-6 * alone;
        force = force_kept, acceleration = acceleration_kept, multiplier = multiplier_kept;
        return held;
    }

    // After `solve_accelerations`, for output: reactions with what the teeth of meshes press on the bearings, and with redundant
    // constraints to round-off.
    void complete_reactions() {
        const bool teeth = P.meshes && !complete_;
        if (!teeth && !refine_) return;
        rounds_ = proximal_rounds + 3;
        if (refine_ && stabilisation.method != AUGMENTED_LAGRANGIAN) {
            const double shift = shift_;
            shift_ = regularisation;
            fill();
            factorise_shifted(true);
            shift_ = shift;
        }
        if (teeth || P.frictions) {
            force = base_force;
            const bool converged = friction_converged;
            solve_accelerations(true);
            friction_converged = converged;
        } else {
            solve_for_force();
        }
        rounds_ = proximal_rounds;
    }

    // Largest friction force that joint k can carry, from the multipliers as they are.
    double friction_limit(int k, bool sticking) {
        const int* F = P.friction + 4 * k;
        const double* d = P.data + F[2];
        double load = 0;
        if (d[1] != 0.0) {
            const int c = F[0];
            if (P.load[k]) {
                double wrench[V];
                reaction_on_b(c, wrench);
                const double* in[3] = {record(b_of(c)), P.data + F[3], wrench};
                double* out[1] = {&load};
                P.load[k](in, out);
            } else {
                load = std::fabs(multiplier[c][0]);  // a mesh
            }
        }
        const double limit = d[0] + d[1] * load;
        return sticking ? limit * d[2] : limit;
    }

    // ---- projections; both move along M^-1 G^T, the shortest way in the metric of the kinetic energy

    // Newton's method, with a new factor in every round. False if the residuals do not get below the tolerance.
    bool project_position(double t, double* y, double tolerance, int iterations) {
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
            if (!project_position(t, y, tolerance, 25)) return false;
            prepare(t, y);
        }
        finish_on_manifold(t, y, dy);
        return true;
    }

    // ---- what a run stores: the state in absolute coordinates, with accelerations and multipliers in the system. Formulations
    // in other coordinates translate here.
    virtual size_t stored_state_size() const { return n; }
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
        if (stabilisation.method == AUGMENTED_LAGRANGIAN) {  // its factor is that of S + 1/penalty
            fill();
            const double shift = shift_;
            shift_ = regularisation;
            factorise_shifted();
            shift_ = shift;
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
            factor->solve(x);
            return;
        }
        target_.assign(x, x + P.constraints);
        factor->solve(x);
        // Links of very unlike masses make S nearly singular without being redundant: there more rounds are needed, and get
        // somewhere. At singular positions they would only amplify errors.
        const int most = near_singular_position() ? rounds_ : 40;
        double last = 1e300;
        for (int round = 1; round < most; ++round) {
            residue_ = target_;
            multiply(x, residue_.data());
            factor->solve(residue_.data());
            double change = 0, size = 0;
            for (int c = 0; c < P.constraints; ++c) {
                x[c] += residue_[c];
                change = std::fmax(change, max_abs(residue_[c]));
                size = std::fmax(size, max_abs(x[c]));
            }
            if (round + 1 >= rounds_ && (!(change > 1e-9 * size) || change > 0.9 * last)) break;
            last = change;
        }
    }

    std::vector<Pack>& right_hand_side() { return rhs_; }

    // Forces that depend on the multipliers into `force`, from the multipliers as they are.
    void add_load_dependent_forces() {
        const bool teeth = P.meshes && (teeth_move_wheels || P.frictions);
        if (P.frictions == 0 && !teeth) return;
        base_force = force;
        read_load(teeth);
        add_load_dependent(image_.data(), teeth);
    }

    // What G a is to be: gamma, with the feedback of Baumgarte or of the augmented Lagrangian.
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

  private:
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

    // a = M^-1 (f - G^T lambda) with G a = gamma, for the force at hand
    void solve_for_force() {
        solve_with([this](int c) { return wanted_acceleration(c); });
    }

    // The same with G a = wanted(c).
    template <class Wanted>
    void solve_with(Wanted&& wanted) {
        for (int k = 0; k < P.bodies; ++k) over_mass(k, &force[V * k], &acceleration[V * k]);
        if (P.constraints == 0) return;
        for (int c = 0; c < P.constraints; ++c) {
            if (!active[c]) {
                rhs_[c] = spread(0.0);
                continue;
            }
            rhs_[c] = row_product(c, acceleration.data()) - wanted(c);
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
            factor->solve(residue_.data());
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

    // What friction and teeth would be with the multipliers at hand: friction of the sliding joints, then tooth forces.
    void read_load(bool teeth) {
        image_.clear();
        for (int k = 0; k < P.frictions; ++k)
            if (slip[k]) image_.push_back(-slip[k] * friction_limit(k, false));
        for (int k = 0; k < P.meshes && teeth; ++k) image_.push_back(multiplier[P.mesh[k]][0]);
    }

    // `force` = base_force with friction of the sliding joints and the separating forces of the teeth, given in `load`.
    void add_load_dependent(const double* load, bool teeth) {
        force = base_force;
        for (int k = 0; k < P.frictions; ++k) {
            if (!slip[k]) continue;
            const double now = friction_force[k] = *load++;
            const int c = P.friction[4 * k + 1];
            const ConstraintState& S = constraint[c];
            const int a = a_of(c), b = b_of(c);
            for (int j = 0; j < V; ++j) {
                if (a >= 0) force[V * a + j] += now * S.Ga[j][0];
                if (b >= 0) force[V * b + j] += now * S.Gb[j][0];
            }
        }
        for (int k = 0; k < P.meshes && teeth; ++k) {
            tooth_force_[k] = load[k];
            const int c = P.mesh[k];
            const int bodies[2] = {a_of(c), b_of(c)};
            const double* in[4] = {record(bodies[0]), record(bodies[1]), P.data + P.constraint[8 * c + 2], &load[k]};
            double wrench[2 * V] = {};
            double* out[1] = {wrench};
            P.separating[k](in, out);
            for (int side = 0; side < 2; ++side)
                if (bodies[side] >= 0)
                    for (int j = 0; j < V; ++j) force[V * bodies[side] + j] += wrench[V * side + j];
        }
    }

    std::vector<Pack> rhs_, residue_, target_, penalty_multiplier_, weight_;
    std::vector<double> momentum_;
    double shift_ = 0.0;
    int fewest_small_pivots_ = 1 << 30;
    bool refine_ = false;
    int rounds_ = proximal_rounds;
    FixedPoint fixed_point_;
    std::vector<double> load_, image_, tooth_force_;
    bool complete_ = true;  // whether the multipliers know of the separating forces of the teeth
};

}  // namespace ww
