// The rows of all constraints at the frames at hand: residuals g, Jacobian rows G, gamma and nu, and which of them hold at present.
#pragma once

#include "frames.hpp"

namespace ww {

struct ConstraintState {
    Pack g, gamma, nu;
};

// What a constraint has to do with one of its bodies (-1: ground): columns of the Jacobian, a pack each.
struct Side {
    int body;
    Pack* G;
};

// How far a row pulls at a body, and how far it turns it.
struct Hold {
    double pull, turn;
    double arm() const { return pull > 0 ? turn / pull : 0.0; }  // m
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
        columns_.assign(size_t(V) * first_.back(), spread(0.0));
        for (int c = 0; c < P.constraints; ++c)
            for (int i = 0; i < P.constraint[c].sides; ++i)
                side_.push_back({P.constraint_body[P.constraint[c].first_side + i], &columns_[size_t(V) * (first_[c] + i)]});
        turns_.assign(turns + 1, 0.0);
        momentum_.assign(P.bodies, spread(0.0));
        for (auto& c : state_) std::memset(static_cast<void*>(&c), 0, sizeof c);
        for (int c = 0; c < P.constraints; ++c) note_places(c);
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

    // Of row p. A direction is 1 long: a row that couples rotations pulls by round-off, which gives it no arm.
    static Hold hold(const Side& side, int p) {
        double pull = 0, turn = 0;
        for (int j = 0; j < V; ++j) (j < LINEAR ? pull : turn) += lane(side.G[j], p) * lane(side.G[j], p);
        return {pull > 1e-24 ? std::sqrt(pull) : 0.0, std::sqrt(turn)};
    }

    int kind_of(int c) const { return P.constraint[c].kind; }
    bool holds_points(int c) const { return P.constraint[c].points && rows[c] >= LINEAR; }

    // Only those hold that always do.
    void forget_modes() {
        active.resize(P.constraints);
        for (int c = 0; c < P.constraints; ++c) active[c] = kind_of(c) == BILATERAL;
    }

    // Pointers for a constraint's kernels: bodies, data, inputs, turns, as many as `inputs_of`.
    const double* const* inputs(int c) {
        const ConstraintRow& C = P.constraint[c];
        for (int i = 0; i < C.turns; ++i) turns_[C.first_turn + i] = frames.counted[P.constraint_turn[C.first_turn + i]];
        return &in_[places(c)];
    }
    int inputs_of(int c) const { return P.constraint[c].sides + 3; }

    void evaluate() {
        for (int c = 0; c < P.constraints; ++c) evaluate(c);
    }

    void evaluate(int c) { P.full[c](inputs(c), &out_[places(c)]); }

    void evaluate_gamma() {
        for (int c = 0; c < P.constraints; ++c) {
            double* out[1] = {lanes(state_[c].gamma)};
            P.gamma[c](inputs(c), out);
        }
    }

    void evaluate_residuals() {
        for (int c = 0; c < P.constraints; ++c) {
            double* out[1] = {lanes(state_[c].g)};
            P.residual[c](inputs(c), out);
        }
    }

    // Largest residual of the position constraints.
    double largest_residual() const {
        Pack worst = spread(0.0);
        for (int c = 0; c < P.constraints; ++c)
            if (kind_of(c) != FRICTION && active[c]) worst = larger(worst, state_[c].g);
        return largest(worst);
    }

    // The constraint that has it, or -1 where all are zero.
    int worst_constraint() const {
        int where = -1;
        double worst = 0;
        for (int c = 0; c < P.constraints; ++c) {
            if (kind_of(c) == FRICTION || !active[c]) continue;
            const double size = max_abs(state_[c].g);
            if (!(size <= worst)) worst = size, where = c;
        }
        return where;
    }

    // G v of constraint c with the velocities in the records.
    Pack speed_of(int c) {
        return product(c, [this](int body) { return frames.record(body) + TWIST; });
    }

    // G of constraint c times V numbers per body.
    Pack row_product(int c, const double* x) const {
        static constexpr double at_rest[V] = {};
        return product(c, [x](int body) { return body < 0 ? at_rest : x + V * body; });
    }

    // out += G^T x over the active constraints, a pack per body.
    void add_transposed(const Pack* x, Pack* out) const {
        for (int c = 0; c < P.constraints; ++c) {
            if (!active[c]) continue;
            const Side* side = &side_[first_[c]];
            if (holds_points(c)) {
                const auto [on_a, on_b] = pulls_at_points(side[0].G, side[1].G, x[c]);
                if (side[0].body >= 0) out[side[0].body] += on_a;
                if (side[1].body >= 0) out[side[1].body] += on_b;
                continue;
            }
            for (; side < &side_[first_[c + 1]]; ++side)
                if (side->body >= 0) out[side->body] += dots<V>(side->G, x[c]);
        }
    }

    // out -= M^-1 G^T x, with M^-1 as it was when the bodies were last placed with it.
    void subtract_effect_of(const Pack* x, double* out) {
        std::fill(momentum_.begin(), momentum_.end(), spread(0.0));
        add_transposed(x, momentum_.data());
        double step[V];
        for (int k = 0; k < P.bodies; ++k) {
            frames.over_mass(k, lanes(momentum_[k]), step);
            for (int j = 0; j < V; ++j) out[V * k + j] -= step[j];
        }
    }

  private:
    // Where constraint c's kernels find what they need, and leave g, G of each body, gamma and nu.
    void note_places(int c) {
        const ConstraintRow& C = P.constraint[c];
        out_.push_back(lanes(state_[c].g));
        for (const Side& side : sides(c)) in_.push_back(frames.record(side.body)), out_.push_back(lanes(side.G[0]));
        in_.insert(in_.end(), {P.data + C.data, frames.input_of(C.input), &turns_[C.first_turn]});
        out_.insert(out_.end(), {lanes(state_[c].gamma), lanes(state_[c].nu)});
    }
    int places(int c) const { return first_[c] + 3 * c; }

    // G of constraint c times the V numbers that x_of(body) points to.
    template <class X>
    Pack product(int c, X&& x_of) const {
        const Side* side = &side_[first_[c]];
        if (holds_points(c)) {
            const double *a = x_of(side[0].body), *b = x_of(side[1].body);
            Pack of_a = linear_difference(a, b), of_b = spread(0.0);
#pragma GCC unroll 6
            for (int j = LINEAR; j < V; ++j) of_a += side[0].G[j] * spread(a[j]), of_b += side[1].G[j] * spread(b[j]);
            return of_a + of_b;
        }
        Pack even = spread(0.0), odd = even;  // two sums, which do not wait for each other
        for (; side < &side_[first_[c + 1]]; ++side) {
            const double* x = x_of(side->body);
#pragma GCC unroll 6
            for (int j = 0; j < V; ++j) (j % 2 ? odd : even) += side->G[j] * spread(x[j]);
        }
        return even + odd;
    }

    static double* lanes(Pack& pack) { return reinterpret_cast<double*>(&pack); }

    std::vector<ConstraintState> state_;
    std::vector<int> first_;  // side of each constraint, then their number
    std::vector<Side> side_;
    std::vector<Pack> columns_;
    std::vector<double> turns_;
    std::vector<Pack> momentum_;  // of each body
    std::vector<const double*> in_;  // see `note_places`
    std::vector<double*> out_;
};

}  // namespace ww
