// The rows of all constraints at the frames at hand: residuals g, Jacobian rows G, gamma and nu, and which of them hold at present.
#pragma once

#include "frames.hpp"

namespace ww {

struct ConstraintState {
    Pack Ga[V], Gb[V];  // transformed Jacobian, one pack a column
    Pack Wa[V], Wb[V];  // G M^-1
    Pack g, gamma, nu;
};

class Constraints {
  public:
    explicit Constraints(Frames& frames_of_bodies) : frames(frames_of_bodies), P(frames.P), state_(P.constraints) {
        rows.resize(P.constraints);
        for (int c = 0; c < P.constraints; ++c) rows[c] = P.constraint[c].rows;
        for (auto& c : state_) std::memset(static_cast<void*>(&c), 0, sizeof c);
        forget_modes();
    }

    Frames& frames;
    const Program& P;
    std::vector<int> rows;     // of each constraint
    std::vector<char> active;  // whether it holds at present

    ConstraintState& operator[](int c) { return state_[c]; }
    const ConstraintState& operator[](int c) const { return state_[c]; }

    int a_of(int c) const { return P.constraint[c].a; }
    int b_of(int c) const { return P.constraint[c].b; }
    int kind_of(int c) const { return P.constraint[c].kind; }

    // Only those hold that always do.
    void forget_modes() {
        active.resize(P.constraints);
        for (int c = 0; c < P.constraints; ++c) active[c] = kind_of(c) == BILATERAL;
    }

    void inputs(int c, const double** in) {
        const ConstraintRow& C = P.constraint[c];
        in[0] = frames.record(C.a);
        in[1] = frames.record(C.b);
        in[2] = P.data + C.data;
        in[3] = &frames.input[3 * std::max(C.input, 0)];
        in[4] = &frames.counted[std::max(C.turn, 0)];
    }

    void evaluate() {
        for (int c = 0; c < P.constraints; ++c) {
            const double* in[5];
            inputs(c, in);
            ConstraintState& S = state_[c];
            double* out[5] = {lanes(S.g), lanes(S.Ga[0]), lanes(S.Gb[0]), lanes(S.gamma), lanes(S.nu)};
            P.full[c](in, out);
        }
    }

    void evaluate_gamma() {
        for (int c = 0; c < P.constraints; ++c) {
            const double* in[5];
            inputs(c, in);
            double* out[1] = {lanes(state_[c].gamma)};
            P.gamma[c](in, out);
        }
    }

    void evaluate_residuals() {
        for (int c = 0; c < P.constraints; ++c) {
            const double* in[5];
            inputs(c, in);
            double* out[1] = {lanes(state_[c].g)};
            P.residual[c](in, out);
        }
    }

    // Largest residual of the position constraints, and where.
    double largest_residual(int* where = nullptr) const {
        double worst = 0;
        for (int c = 0; c < P.constraints; ++c) {
            if (kind_of(c) == FRICTION || !active[c]) continue;
            const double size = max_abs(state_[c].g);
            if (!(size <= worst)) {
                worst = size;
                if (where) *where = c;
            }
        }
        return worst;
    }

    // G v of constraint c with the velocities in the records.
    Pack speed_of(int c) {
        const ConstraintState& S = state_[c];
        const double *va = frames.record(a_of(c)) + TWIST, *vb = frames.record(b_of(c)) + TWIST;
        Pack speed = spread(0.0);
        for (int j = 0; j < V; ++j) speed += S.Ga[j] * spread(va[j]) + S.Gb[j] * spread(vb[j]);
        return speed;
    }

    // G of constraint c times V numbers a body.
    Pack row_product(int c, const double* x) const {
        const ConstraintState& S = state_[c];
        const int a = a_of(c), b = b_of(c);
        Pack r = spread(0.0);
        if (a >= 0)
            for (int j = 0; j < V; ++j) r += S.Ga[j] * spread(x[V * a + j]);
        if (b >= 0)
            for (int j = 0; j < V; ++j) r += S.Gb[j] * spread(x[V * b + j]);
        return r;
    }

    // out += G^T x over the active constraints, with `stride` numbers a body in out.
    void add_transposed(const Pack* x, double* out, int stride = V) const {
        for (int c = 0; c < P.constraints; ++c) {
            if (!active[c]) continue;
            const int a = a_of(c), b = b_of(c);
            if (a >= 0) add_dots(state_[c].Ga, x[c], out + stride * a);
            if (b >= 0) add_dots(state_[c].Gb, x[c], out + stride * b);
        }
    }

    // out -= M^-1 G^T x, with M^-1 as it was when S was last made.
    void subtract_effect_of(const Pack* x, double* out) const {
        for (int c = 0; c < P.constraints; ++c) {
            if (!active[c]) continue;
            const int a = a_of(c), b = b_of(c);
            const Pack opposite = -x[c];
            if (a >= 0) add_dots(state_[c].Wa, opposite, out + V * a);
            if (b >= 0) add_dots(state_[c].Wb, opposite, out + V * b);
        }
    }

  private:
    static double* lanes(Pack& pack) { return reinterpret_cast<double*>(&pack); }

    std::vector<ConstraintState> state_;
};

}  // namespace ww
