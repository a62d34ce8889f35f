// Accelerations and multipliers for given forces, with the feedback that keeps constraints.
//
//     [ M  G^T ] [ a      ]   [ f     ]
//     [ G  0   ] [ lambda ] = [ gamma ]
#pragma once

#include "schur.hpp"

namespace ww {

enum Stabilisation { NONE = 0, PROJECTION = 1, BAUMGARTE = 2, AUGMENTED_LAGRANGIAN = 3 };

struct StabilisationSettings {
    int method = PROJECTION;
    double alpha = 0, beta = 0;                      // Baumgarte
    double penalty = 0, omega = 0, mu = 0;           // augmented Lagrangian
    int iterations = 0;
    double tolerance = 0;
};

class Multipliers : public Schur {
  public:
    Multipliers(const Program& program, FactorMaker make_factor) : Schur(program, make_factor) {
        acceleration.assign(V * (P.bodies + 1), 0.0);
        penalty_multiplier_.assign(packs(), spread(0.0));
    }

    StabilisationSettings stabilisation;
    std::vector<double> acceleration;  // V a body

    void assemble() {
        if (stabilisation.method == AUGMENTED_LAGRANGIAN) {
            fill();
            factor->factorise(nullptr, 1.0 / stabilisation.penalty);
            note_small_pivots(factor->small_pivots);
        } else {
            assemble_shifted();
        }
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

  protected:
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
        yield_to(multiplier.data(), acceleration.data());
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

    std::vector<Pack> penalty_multiplier_;
};

}  // namespace ww
