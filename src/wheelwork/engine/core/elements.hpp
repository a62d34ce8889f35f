// Forces and constraints evaluated on frames: wrenches summed up by body, residuals and Jacobian rows.
#pragma once

#include "frames.hpp"

namespace ww {

struct ConstraintState {
    Pack Ga[V], Gb[V];  // transformed Jacobian, one pack a column
    Pack Wa[V], Wb[V];  // G M^-1
    Pack g, gamma, nu;
};

class Elements : public Frames {
  public:
    explicit Elements(const Program& program) : Frames(program) {
        force.assign(V * (P.bodies + 1), 0.0);
        rows.resize(P.constraints);
        active.assign(P.constraints, 1);
        for (int c = 0; c < P.constraints; ++c) {
            rows[c] = P.constraint[c].rows;
            if (kind_of(c) != BILATERAL) active[c] = 0;
        }
        constraint.resize(P.constraints);
        for (auto& c : constraint) std::memset(static_cast<void*>(&c), 0, sizeof c);
        multiplier.assign(P.constraints, spread(0.0));
        int most_bodies = 0, most_turns = 0;
        for (int k = 0; k < P.forces; ++k) {
            most_bodies = std::max(most_bodies, P.force[k].bodies);
            most_turns = std::max(most_turns, P.force[k].turns);
        }
        wrench_.assign(V * most_bodies + V, 0.0);
        turns_.assign(most_turns + 1, 0.0);
        pointers_.assign(most_bodies + 4, nullptr);
    }

    std::vector<double> force;                // V a body: force, torque about the centre of mass
    std::vector<int> rows;                    // of each constraint
    std::vector<char> active;                 // whether a constraint holds at present
    std::vector<ConstraintState> constraint;
    std::vector<Pack> multiplier;

    int a_of(int c) const { return P.constraint[c].a; }
    int b_of(int c) const { return P.constraint[c].b; }
    int kind_of(int c) const { return P.constraint[c].kind; }

    // Weight, gyroscopic torque and the forces of all elements.
    void apply_forces(double t) {
        for (int k = 0; k < P.bodies; ++k) {
            own_force(P.inertia + INERTIA * k, P.gravity + 3 * k, record(k), &force[V * k]);
        }
        add_element_forces(t);
    }

    void add_element_forces(double t) {
        for (int k = 0; k < P.forces; ++k) {
            const ForceRow& F = P.force[k];
            double* out[1] = {wrench_.data()};
            P.wrench[k](force_inputs(k, t), out);
            for (int i = 0; i < F.acting; ++i) {
                const int body = P.force_body[F.first_body + i];
                if (body < 0) continue;
                for (int j = 0; j < V; ++j) force[V * body + j] += wrench_[V * i + j];
            }
        }
    }

    // The first force whose wrench is not finite at the frames at hand, or -1.
    int force_not_finite(double t) {
        for (int k = 0; k < P.forces; ++k) {
            double* out[1] = {wrench_.data()};
            P.wrench[k](force_inputs(k, t), out);
            for (int i = 0; i < V * P.force[k].acting; ++i)
                if (!(std::fabs(wrench_[i]) < 1e300)) return k;
        }
        return -1;
    }

    // Pointers for a force's kernels: bodies, data, inputs, turns, time. Valid until the next call.
    const double* const* force_inputs(int k, double t) {
        const ForceRow& F = P.force[k];
        for (int i = 0; i < F.bodies; ++i) pointers_[i] = record(P.force_body[F.first_body + i]);
        for (int i = 0; i < F.turns; ++i) turns_[i] = counted[P.force_turn[F.first_turn + i]];
        time_ = t + origin;
        pointers_[F.bodies] = P.data + F.data;
        pointers_[F.bodies + 1] = &input[3 * F.input];
        pointers_[F.bodies + 2] = turns_.data();
        pointers_[F.bodies + 3] = &time_;
        return pointers_.data();
    }

    void constraint_inputs(int c, const double** in) {
        const ConstraintRow& C = P.constraint[c];
        in[0] = record(C.a);
        in[1] = record(C.b);
        in[2] = P.data + C.data;
        in[3] = &input[3 * std::max(C.input, 0)];
        in[4] = &counted[std::max(C.turn, 0)];
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

    // G v of constraint c with the velocities in the records.
    Pack speed_of(int c) {
        const ConstraintState& S = constraint[c];
        const double *va = record(a_of(c)) + TWIST, *vb = record(b_of(c)) + TWIST;
        Pack speed = spread(0.0);
        for (int j = 0; j < V; ++j) speed += S.Ga[j] * spread(va[j]) + S.Gb[j] * spread(vb[j]);
        return speed;
    }

    // G of constraint c times V numbers a body.
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

    // Force and torque (about the centre of mass) of constraint c on its body b: -G_b^T lambda.
    void reaction_on_b(int c, double* wrench) const {
        for (int j = 0; j < V; ++j) wrench[j] = -dot(constraint[c].Gb[j], multiplier[c]);
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

  private:
    static double* lanes(Pack& pack) { return reinterpret_cast<double*>(&pack); }

    std::vector<double> wrench_, turns_;
    std::vector<const double*> pointers_;
    double time_ = 0.0;
};

}  // namespace ww
