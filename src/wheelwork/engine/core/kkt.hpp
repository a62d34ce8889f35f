// Accelerations and multipliers for given forces, with the feedback that keeps constraints.
//
//     [ M  G^T ] [ a      ]   [ f     ]      Vlasenko, Kasper (4): M v' + G^T lambda = f
//     [ G  0   ] [ lambda ] = [ gamma ]      and G v' = gamma; Bai (1.6), there with -D^T, and (1.15)
#pragma once

#include "forces.hpp"
#include "schur.hpp"

namespace ww {

enum Stabilisation { NONE = 0, PROJECTION = 1, BAUMGARTE = 2, AUGMENTED_LAGRANGIAN = 3 };

struct StabilisationNumbers {
    double alpha, beta;                    // Baumgarte
    double penalty, omega, mu, tolerance;  // augmented Lagrangian
};

struct StabilisationSettings : StabilisationNumbers {
    int method = PROJECTION;
    int iterations = 0;
};

class Kkt {
  public:
    Kkt(Forces& forces_on_bodies, Schur& matrix)
        : forces(forces_on_bodies), schur(matrix), constraints(matrix.constraints), frames(matrix.frames), P(matrix.P) {
        acceleration.assign(V * (P.bodies + 1), 0.0);
        multiplier.assign(P.constraints, spread(0.0));
    }

    Forces& forces;
    Schur& schur;
    Constraints& constraints;
    Frames& frames;
    const Program& P;

    StabilisationSettings stabilisation{};
    std::vector<double> acceleration;  // V per body
    std::vector<Pack> multiplier;

    // Those of all rows, one after the other, zero where a constraint does not hold.
    void append_multipliers(std::vector<double>& out) const {
        for (int c = 0; c < P.constraints; ++c)
            for (int p = 0; p < constraints.rows[c]; ++p) out.push_back(constraints.active[c] ? multiplier[c][p] : 0.0);
    }

    void assemble() {
        if (stabilisation.method == AUGMENTED_LAGRANGIAN) {
            schur.factorise_with(1.0 / stabilisation.penalty);
            schur.note_small_pivots(schur.factor->small_pivots);
        } else {
            schur.assemble();
        }
    }

    // What G a is to be: gamma, with the feedback of Baumgarte or of the augmented Lagrangian.
    Pack wanted_acceleration(int c) {
        const ConstraintState& S = constraints[c];
        if (stabilisation.method == BAUMGARTE) {  // Bai (1.17), so that Phi'' + 2 alpha Phi' + beta^2 Phi = 0, (1.12): Phi dies
            // out as exp(s t), (1.13), with s = -alpha +- sqrt(alpha^2 - beta^2), (1.14)
            Pack g = constraints.kind_of(c) == FRICTION ? spread(0.0) : S.g;
            return S.gamma - spread(2 * stabilisation.alpha) * (constraints.speed_of(c) - S.nu) -
                   spread(stabilisation.beta * stabilisation.beta) * g;
        }
        if (stabilisation.method == AUGMENTED_LAGRANGIAN) {
            Pack g = constraints.kind_of(c) == FRICTION ? spread(0.0) : S.g;
            return S.gamma - spread(2 * stabilisation.omega * stabilisation.mu) * (constraints.speed_of(c) - S.nu) -
                   spread(stabilisation.omega * stabilisation.omega) * g;
        }
        return S.gamma;
    }

    // a = M^-1 (f - G^T lambda) with G a = gamma, for the force at hand
    void solve_for_force() {
        solve_with([this](int c) { return wanted_acceleration(c); });
    }

    // The same with G a = wanted(c).
    template <class Wanted>
    void solve_with(Wanted&& wanted) {
        for (int k = 0; k < P.bodies; ++k) frames.over_mass(k, &forces.total[V * k], &acceleration[V * k]);
        if (P.constraints == 0) return;
        for (int c = 0; c < P.constraints; ++c) {
            if (!constraints.active[c]) {
                schur.rhs[c] = spread(0.0);
                continue;
            }
            schur.rhs[c] = constraints.row_product(c, acceleration.data()) - wanted(c);
        }
        if (stabilisation.method == AUGMENTED_LAGRANGIAN)
            augmented_lagrangian();
        else
            schur.refined_solve(schur.rhs.data());
        for (int c = 0; c < P.constraints; ++c) multiplier[c] = schur.rhs[c];
        constraints.subtract_effect_of(multiplier.data(), acceleration.data());
    }

    // Force and torque (about the centre of mass) of constraint c on its body b: -G_b^T lambda.
    void reaction_on_b(int c, double* wrench) const {
        for (int j = 0; j < V; ++j) wrench[j] = -dot(constraints.sides(c)[1].G[j], multiplier[c]);
    }

  private:
    // Penalty method with multiplier iteration (Bai (1.18)). With (M + G^T alpha G)^-1 written through S + 1/alpha, one
    // iteration is lambda <- lambda + (S + 1/alpha)^-1 (rhs - S lambda).
    void augmented_lagrangian() {
        const std::vector<Pack> target = schur.rhs;
        std::vector<Pack>& x = schur.rhs;
        std::fill(x.begin(), x.end(), spread(0.0));
        for (int round = 0; round < stabilisation.iterations; ++round) {
            residue_ = target;
            schur.multiply(x.data(), residue_.data());
            schur.factor->solve(residue_.data());
            double change = 0, size = 0;
            for (int c = 0; c < P.constraints; ++c) {
                x[c] += residue_[c];
                change = std::fmax(change, max_abs(residue_[c]));
                size = std::fmax(size, max_abs(x[c]));
            }
            if (change <= stabilisation.tolerance * size) break;
        }
    }

    std::vector<Pack> residue_;
};

}  // namespace ww
