// Frames of all bodies at a state, functions of time, counted turns: what elements are given.
//
// State y = (q, v, z): Q coordinates and V velocities per body (body.hpp), the joint angles counted over whole turns,
// the followed parameters, and the states that elements have of their own, whose rates `Forces` finds. Elements read all of
// these in `counted`, and behind them what is measured (`System::measure`), which is no part of the state.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "program.hpp"

namespace ww {

class Frames {
  public:
    explicit Frames(const Program& program) : P(program) {
        nq = Q * P.bodies;
        nv = V * P.bodies;
        first_state = P.turns + P.followed;
        nz = first_state + P.states;
        n = nq + nv + nz;
        records.assign(BODY_RECORD * (P.bodies + 1), 0.0);
        ground_record(&records[BODY_RECORD * P.bodies]);
        inverse_mass.resize(P.bodies + 1);
        input.assign(OF_INPUT * (P.inputs + 1), 0.0);
        formula_out_.assign(OF_INPUT * (P.formula_count + 1), 0.0);
        counted.assign(nz + P.measured + 1, 0.0);
        turn_rate.assign(nz + 1, 0.0);
    }

    const Program& P;
    int nq, nv, nz, n;
    int first_state;  // in z
    std::vector<double> records;           // bodies, then ground
    std::vector<InverseMass> inverse_mass;
    static constexpr int OF_INPUT = 3;  // numbers of each: value, first and second derivative of a function of time
    std::vector<double> input, counted, turn_rate;
    double* input_of(int k) { return &input[OF_INPUT * std::max(k, 0)]; }
    int parted = -1;  // a cam whose outlines had no point of contact somewhere in the present step

    const double* q_of(const double* y, int body) const { return y + Q * body; }
    const double* v_of(const double* y, int body) const { return y + nq + V * body; }
    double* record(int body) { return &records[BODY_RECORD * (body < 0 ? P.bodies : body)]; }

    void place(const double* y) {
        place_positions(y);
        place_velocities(y);
    }

    // `with_inertia`: also M^-1, which only the equations of motion need.
    void place_positions(const double* y, bool with_inertia = true) {
        place_bodies(P.bodies, y, records.data(), with_inertia ? P.inertia : nullptr, inverse_mass.data());
    }

    void place_velocities(const double* y) {
        for (int k = 0; k < P.bodies; ++k) std::memcpy(record(k) + TWIST, v_of(y, k), V * sizeof(double));
    }

    double origin = 0.0;  // the moment that is t = 0 here: late times keep their digits

    void functions_of_time(double t) {
        t += origin;
        if (P.formulas) {
            const double* in[2] = {&t, P.data + P.formula_data};
            double* out[1] = {formula_out_.data()};
            P.formulas[0](in, out);
            for (int k = 0; k < P.formula_count; ++k)
                std::memcpy(input_of(P.formula_input[k]), &formula_out_[OF_INPUT * k], OF_INPUT * sizeof(double));
        }
        for (int k = 0; k < P.tables; ++k) read_table(k, t);
    }

    // Rates of the counted rotations and followed parameters, and their values for the elements.
    void count_turns(const double* y) {
        for (int k = 0; k < P.turns; ++k) {
            turn_rate[k] = rate_of_turn(k);
            counted[k] = y[nq + nv + k];
        }
        if (P.follows) follow(y + nq + nv + P.turns), note_parted(y, n);
        take_states(y + nq + nv + first_state);
    }

    // The elements' own states, for the elements.
    void take_states(const double* states) { std::copy(states, states + P.states, counted.begin() + first_state); }

    // The state's followed parameters brought to where `count_turns` found them.
    void settle(double* y) const {
        for (int k = P.turns; k < first_state; ++k) y[nq + nv + k] = counted[k];
    }

    // Rate of relative rotation k.
    double rate_of_turn(int k) {
        const TurnRow& T = P.turn[k];
        return relative_rate(record(T.a), record(T.b), P.data + T.data);
    }

    // Its angle, between -pi and pi.
    double angle_of_turn(int k) {
        const TurnRow& T = P.turn[k];
        return relative_angle(record(T.a), record(T.b), P.data + T.data);
    }

    void normalise(double* y) const {
        for (int k = 0; k < P.bodies; ++k) normalise_body(y + Q * k);
    }

    // M^-1 applied to one body's force.
    void over_mass(int body, const double* f, double* out) const { ww::over_mass(inverse_mass[body], f, out); }

    // Of all bodies, at the frames at hand, with velocities v.
    double kinetic_energy(const double* v) {
        double sum = 0, momentum[V];
        for (int k = 0; k < P.bodies; ++k) {
            times_mass(k, v + V * k, momentum);
            for (int j = 0; j < V; ++j) sum += 0.5 * momentum[j] * v[V * k + j];
        }
        return sum;
    }

    // M times one body's acceleration.
    void times_mass(int body, const double* a, double* out) {
        ww::times_mass(P.inertia + INERTIA * body, record(body), a, out);
    }

    // Curve parameters as given, and the pieces of splines there.
    void take_parameters(const double* parameters) {
        std::copy(parameters, parameters + P.followed, counted.begin() + P.turns);
        for (int k = 0; k < P.curves; ++k) read_curve(k);
    }

    // Curve parameters at the contacts next to the given ones, and their rates.
    void follow(const double* parameters) {
        take_parameters(parameters);
        for (int k = 0; k < P.follows; ++k) {
            const ConstraintRow& C = P.constraint[P.follow[k].constraint];
            const int *body = P.constraint_body + C.first_side, first = P.constraint_turn[C.first_turn], count = P.follow[k].count;
            const double* in[5] = {record(body[0]), record(body[1]), P.data + C.data, input_of(C.input), &counted[first]};
            double values[2], rates[2];
            double* out[2] = {values, rates};
            P.following[k](in, out);
            for (int i = 0; i < count; ++i) counted[first + i] = values[i], turn_rate[first + i] = rates[i];
        }
    }

    // Remembers a cam that has no point of contact at a state, if that is sound itself.
    void note_parted(const double* y, int size) {
        for (int k = 0; k < P.follows; ++k) {
            const double s = counted[P.constraint_turn[P.constraint[P.follow[k].constraint].first_turn]];
            if (s != s && std::all_of(y, y + size, [](double x) { return std::fabs(x) < 1e300; })) parted = P.follow[k].constraint;
        }
    }

  private:
    // The piece of a spline at its parameter, as inputs: where it starts, counted as many times around as the parameter, and
    // its coefficients.
    void read_curve(int k) {
        const CurveRow& T = P.curve[k];
        const double* knots = P.curve_knots + T.first_knot;
        const double period = P.curve_period[k], s = counted[T.parameter];
        const double around = period > 0 ? std::floor((s - knots[0]) / period) * period : 0.0;
        const int piece = std::max(0, int(std::upper_bound(knots, knots + T.knots, s - around) - knots) - 1);
        double* u = input_of(T.input);
        u[0] = knots[piece] + around;
        std::memcpy(u + 1, &P.curve_pieces[T.first_knot + piece], sizeof(CurvePiece));
    }

    void read_table(int k, double t) {
        const TableRow& T = P.table[k];
        const double* knots = P.knots + T.first_knot;
        int low = 0, high = T.knots - 1;
        if (t >= knots[high]) {
            low = high;
        } else {
            while (high - low > 1) {
                const int middle = (low + high) / 2;
                (knots[middle] <= t ? low : high) = middle;
            }
        }
        const double* c = P.pieces[T.first_knot + low].c;
        const double s = t - knots[low];
        double* u = input_of(T.input);
        u[0] = c[0] + s * (c[1] + s * (c[2] + s * c[3]));
        u[1] = c[1] + s * (2 * c[2] + s * 3 * c[3]);
        u[2] = 2 * c[2] + 6 * s * c[3];
    }

    std::vector<double> formula_out_;
};

}  // namespace ww
