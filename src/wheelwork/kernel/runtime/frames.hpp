// Frames of all bodies at a state, functions of time, counted turns: what elements are given.
//
// State y = (q, v, z): 7 coordinates a body (position of the centre of mass, Euler parameters), 6 velocities a body
// (linear, angular, in world axes), and the joint angles counted over whole turns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "program.hpp"
#include "rigid.hpp"

namespace ww {

class Frames {
  public:
    explicit Frames(const Program& program) : P(program) {
        nq = Q * P.bodies;
        nv = V * P.bodies;
        n = nq + nv + P.turns;
        records.assign(BODY_RECORD * (P.bodies + 1), 0.0);
        double* ground = &records[BODY_RECORD * P.bodies];
        ground[3] = ground[7] = ground[11] = 1.0;
        inverse_mass.assign(P.bodies + 1, 0.0);
        inverse_inertia.assign(9 * (P.bodies + 1), 0.0);
        input.assign(3 * P.inputs + 3, 0.0);
        formula_out_.assign(3 * P.formula_count + 3, 0.0);
        counted.assign(P.turns + 1, 0.0);
        turn_rate.assign(P.turns + 1, 0.0);
    }

    Program P;
    int nq, nv, n;
    std::vector<double> records;                        // bodies, then ground
    std::vector<double> inverse_mass, inverse_inertia;  // the latter in world axes, 9 a body
    std::vector<double> input, counted, turn_rate;

    const double* q_of(const double* y, int body) const { return y + Q * body; }
    const double* v_of(const double* y, int body) const { return y + nq + V * body; }
    double* record(int body) { return &records[BODY_RECORD * (body < 0 ? P.bodies : body)]; }

    void place(const double* y) {
        place_positions(y);
        place_velocities(y);
    }

    // `with_inertia`: also M^-1, which only the equations of motion need.
    void place_positions(const double* y, bool with_inertia = true) {
        for (int k = 0; k < P.bodies; ++k) {
            const double* q = q_of(y, k);
            double* r = record(k);
            for (int i = 0; i < 3; ++i) r[i] = q[i];
            rotation_matrix(q + 3, r + 3);
            if (!with_inertia) continue;
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

    // Rates of the counted rotations, and the counts for the elements.
    void count_turns(const double* y) {
        for (int k = 0; k < P.turns; ++k) {
            turn_rate[k] = rate_of_turn(k);
            counted[k] = y[nq + nv + k];
        }
    }

    // Rate of relative rotation k: z_a . (w_b - w_a).
    double rate_of_turn(int k) {
        const int* T = P.turn + 3 * k;
        const double *a = record(T[0]), *b = record(T[1]), *m = P.data + T[2];
        double rate = 0;
        for (int i = 0; i < 3; ++i) {
            const double z = a[3 + 3 * i] * m[5] + a[4 + 3 * i] * m[8] + a[5 + 3 * i] * m[11];
            rate += z * (b[15 + i] - a[15 + i]);
        }
        return rate;
    }

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

  private:
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

    std::vector<double> formula_out_;
};

}  // namespace ww
