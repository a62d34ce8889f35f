// The rows of all constraints at the frames at hand: residuals g, Jacobian rows G, gamma and nu, and which of them hold at present.
#pragma once

#include "frames.hpp"

namespace ww {

struct ConstraintState {
    Pack g, gamma, nu;
};

// What a constraint has to do with one of its bodies (-1: ground): columns of the transformed Jacobian, and of G M^-1, a pack each.
struct Side {
    int body;
    Pack *G, *W;
};

class Constraints {
  public:
    explicit Constraints(Frames& frames_of_bodies) : frames(frames_of_bodies), P(frames.P), state_(P.constraints) {
        rows.resize(P.constraints);
        first_.assign(1, 0);
        int turns = 0;
        for (int c = 0; c < P.constraints; ++c) {
            rows[c] = P.constraint[c].rows;
            first_.push_back(first_[c] + P.constraint[c].sides);
            turns += P.constraint[c].turns;
            most_sides = std::max(most_sides, P.constraint[c].sides);
        }
        columns_.assign(size_t(2 * V) * first_.back(), spread(0.0));
        for (int c = 0; c < P.constraints; ++c)
            for (int i = 0; i < P.constraint[c].sides; ++i) {
                Pack* own = &columns_[size_t(2 * V) * (first_[c] + i)];
                side_.push_back({P.constraint_body[P.constraint[c].first_side + i], own, own + V});
            }
        turns_.assign(turns + 1, 0.0);
        momentum_.assign(V * (P.bodies + 1), 0.0);
        in_.assign(most_sides + 3, nullptr);
        out_.assign(most_sides + 3, nullptr);
        for (auto& c : state_) std::memset(static_cast<void*>(&c), 0, sizeof c);
        forget_modes();
    }

    Frames& frames;
    const Program& P;
    int most_sides = 0;
    std::vector<int> rows;     // of each constraint
    std::vector<char> active;  // whether it holds at present

    struct Sides {
        const Side *first, *last;
        const Side* begin() const { return first; }
        const Side* end() const { return last; }
        int count() const { return int(last - first); }
        const Side& operator[](int i) const { return first[i]; }
    };

    ConstraintState& operator[](int c) { return state_[c]; }
    const ConstraintState& operator[](int c) const { return state_[c]; }

    Sides sides(int c) const { return {side_.data() + first_[c], side_.data() + first_[c + 1]}; }
    int kind_of(int c) const { return P.constraint[c].kind; }
    bool holds_points(int c) const { return P.constraint[c].points; }

    // Only those hold that always do.
    void forget_modes() {
        active.resize(P.constraints);
        for (int c = 0; c < P.constraints; ++c) active[c] = kind_of(c) == BILATERAL;
    }

    // Pointers for a constraint's kernels: bodies, data, inputs, turns; as many as were written.
    int inputs(int c, const double** in) {
        const ConstraintRow& C = P.constraint[c];
        for (const Side& side : sides(c)) *in++ = frames.record(side.body);
        in[0] = P.data + C.data;
        in[1] = &frames.input[3 * std::max(C.input, 0)];
        in[2] = &turns_[C.first_turn];
        for (int i = 0; i < C.turns; ++i) turns_[C.first_turn + i] = frames.counted[P.constraint_turn[C.first_turn + i]];
        return C.sides + 3;
    }

    void evaluate() {
        for (int c = 0; c < P.constraints; ++c) evaluate(c);
    }

    void evaluate(int c) {
        inputs(c, in_.data());
        ConstraintState& S = state_[c];
        double** out = out_.data();
        *out++ = lanes(S.g);
        for (const Side& side : sides(c)) *out++ = lanes(side.G[0]);
        out[0] = lanes(S.gamma), out[1] = lanes(S.nu);
        P.full[c](in_.data(), out_.data());
    }

    void evaluate_gamma() {
        for (int c = 0; c < P.constraints; ++c) {
            inputs(c, in_.data());
            double* out[1] = {lanes(state_[c].gamma)};
            P.gamma[c](in_.data(), out);
        }
    }

    void evaluate_residuals() {
        for (int c = 0; c < P.constraints; ++c) {
            inputs(c, in_.data());
            double* out[1] = {lanes(state_[c].g)};
            P.residual[c](in_.data(), out);
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
        Pack speed = spread(0.0);
        for (const Side& side : sides(c)) speed += product(side.G, frames.record(side.body) + TWIST);
        return speed;
    }

    // G of constraint c times V numbers per body.
    Pack row_product(int c, const double* x) const {
        Pack r = spread(0.0);
        for (const Side& side : sides(c))
            if (side.body >= 0) r += product(side.G, x + V * side.body);
        return r;
    }

    // out += G^T x over the active constraints, with `stride` numbers per body in out.
    void add_transposed(const Pack* x, double* out, int stride = V) const {
        for (int c = 0; c < P.constraints; ++c) {
            if (!active[c]) continue;
            if (holds_points(c)) {
                for (int i = 0; i < 2; ++i) {
                    const Side& side = sides(c)[i];
                    if (side.body < 0) continue;
                    double* own = out + stride * side.body;
                    const Pack turning = dots<V - LINEAR>(side.G + LINEAR, x[c]);
                    for (int j = 0; j < LINEAR; ++j) own[j] += i ? lane(x[c], j) : -lane(x[c], j);
                    for (int j = LINEAR; j < V; ++j) own[j] += turning[j - LINEAR];
                }
                continue;
            }
            for (const Side& side : sides(c)) {
                if (side.body < 0) continue;
                const Pack both = dots<V>(side.G, x[c]);
                for (int j = 0; j < V; ++j) out[stride * side.body + j] += both[j];
            }
        }
    }

    // out -= M^-1 G^T x, with M^-1 as it was when the bodies were last placed with it.
    void subtract_effect_of(const Pack* x, double* out) {
        std::fill(momentum_.begin(), momentum_.end(), 0.0);
        add_transposed(x, momentum_.data());
        double step[V];
        for (int k = 0; k < P.bodies; ++k) {
            frames.over_mass(k, &momentum_[V * k], step);
            for (int j = 0; j < V; ++j) out[V * k + j] -= step[j];
        }
    }

  private:
    static Pack product(const Pack* G, const double* x) {
        Pack even = G[0] * spread(x[0]), odd = G[1] * spread(x[1]);  // two sums, which do not wait for each other
#pragma GCC unroll 6
        for (int j = 2; j < V; ++j) (j % 2 ? odd : even) += G[j] * spread(x[j]);
        return even + odd;
    }

    static double* lanes(Pack& pack) { return reinterpret_cast<double*>(&pack); }

    std::vector<ConstraintState> state_;
    std::vector<int> first_;  // side of each constraint, then their number
    std::vector<Side> side_;
    std::vector<Pack> columns_;
    std::vector<double> turns_, momentum_;
    std::vector<const double*> in_;
    std::vector<double*> out_;
};

}  // namespace ww
