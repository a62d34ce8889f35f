// Bodies of a mechanism in minimal coordinates: the frames that elements look at, from the nodes of its tree, and back: what a force on a
// body does to the coordinates.
#pragma once

#include "articulated.hpp"
#include "system.hpp"

namespace ww {

// Where what is in the state: coordinates, rates, turns that are integrated, followed parameters, own states of elements.
struct ReducedState {
    ReducedState(const Program& P, const Tree& tree)
        : scalars(tree.T.scalars), rates(scalars + 4 * tree.T.balls), turns(rates + tree.nu), followed(turns + tree.T.turn_states),
          own(followed + P.followed), n(own + P.states) {}

    int scalars, rates, turns, followed, own, n;

    int ball(int b) const { return scalars + 4 * b; }        // Euler parameters of a ball joint
    int ball_rates(int b) const { return scalars + 3 * b; }  // among the rates
};

class ReducedFrames {
  public:
    ReducedFrames(Tree& tree_of_joints, Frames& frames_of_bodies)
        : tree(tree_of_joints), frames(frames_of_bodies), P(frames.P), T(tree.T), at(P, tree) {
        turns_at_start.assign(P.turns + 1, 0.0);
        center.resize(P.bodies + 1);
        spin_of_body.assign(P.bodies, -1);
        for (int k = 0; k < P.bodies; ++k) {
            all.push_back(k);
            if (T.body[k].framed) framed.push_back(k);
            for (int m = 0; m < T.spins; ++m)
                if (T.body[k].spin >= 0 && T.spin_row[m] == T.body[k].spin) spin_of_body[k] = m;
        }
        for (int k = 0; k < P.turns; ++k)
            if (T.turn_state[k] >= 0) looked_at_.push_back(k);
        for (int k = 0; k < P.forces; ++k)
            for (int i = 0; i < P.force[k].turns; ++i) look_at_turn(P.force_turn[P.force[k].first_turn + i]);
    }

    Tree& tree;
    Frames& frames;
    const Program& P;
    const TreeTables& T;
    const ReducedState at;

    std::vector<int> all, framed, spin_of_body;  // bodies; those whose frames elements look at; the spin of each body
    std::vector<std::array<double, 3>> center;   // of mass, of each body
    std::vector<double> turns_at_start;

    // That an element uses a counted turn (others than these are its followed parameters and states).
    void look_at_turn(int k) {
        if (k < P.turns) looked_at_.push_back(k);
    }

    void count_turns(const double* y) {
        for (int k : looked_at_) count_turn(k, y);
    }

    void rates_of_turns(double* dy) const {
        for (int k : looked_at_)
            if (T.turn_state[k] >= 0) dy[at.turns + T.turn_state[k]] = frames.rate_of_turn(k);
    }

    void place_body_frame(int k, const double* y) {
        const int node = T.body[k].node, spin = T.body[k].spin;
        const PoseRow& pose = T.body_pose[k];
        const double *R0 = pose.R, *x0 = pose.x;  // R0 is that of the world at rest
        const NodeState& s = tree.at(node);
        double arm[3], carried[3], R[9], w[3], v[3];
        double* x = center[k].data();
        if (spin < 0) {
            product(s.R, R0, R);
            rotate(s.R, x0, arm);
            for (int i = 0; i < 3; ++i) w[i] = s.w[i];
        } else {
            const double *axis = pose.axis, *point = pose.point;
            double local[9], turned[9], a[3], offset[3], moved[3];
            about_axis(axis, tree.q[spin], local);
            product(local, R0, turned);
            product(s.R, turned, R);
            for (int i = 0; i < 3; ++i) offset[i] = x0[i] - point[i];
            rotate(local, offset, moved);
            for (int i = 0; i < 3; ++i) moved[i] += point[i];
            rotate(s.R, moved, arm);
            rotate(s.R, axis, a);
            for (int i = 0; i < 3; ++i) w[i] = s.w[i] + a[i] * tree.rate[spin];
        }
        cross(s.w, arm, carried);  // the centre of mass of a spin is on its axis
        for (int i = 0; i < 3; ++i) {
            x[i] = s.x[i] + arm[i];
            v[i] = s.v[i] + carried[i];
        }
        double angle = 0;
        if (V == 3) {
            const double* ratio = T.body_angle + size_t(k) * (1 + T.columns);
            angle = ratio[0];
            for (int i = 0; i < T.scalars; ++i) angle += ratio[1 + i] * y[i];
        }
        write_record(x, R, v, w, angle, frames.record(k));
    }

    // The state in absolute coordinates, of the tree as it was last placed.
    void to_absolute(const double* y, double* absolute) {
        for (int k = 0; k < P.bodies; ++k) {
            place_body_frame(k, y);
            coordinates_of(frames.record(k), &absolute[Q * k]);
            std::memcpy(&absolute[frames.nq + V * k], frames.record(k) + TWIST, V * sizeof(double));
        }
        for (int k = 0; k < P.turns; ++k) {
            count_turn(k, y);
            absolute[frames.nq + frames.nv + k] = frames.counted[k];
        }
        std::copy(y + at.followed, y + at.n, absolute + frames.nq + frames.nv + P.turns);
    }

    // out += J^T of a wrench (V) about a body's centre of mass.
    void add_on_coordinates(int k, const double* wrench, double* out) {
        const int node = T.body[k].node, stride = tree.packs * LANES;
        const NodeState& s = tree.at(node);
        double f[3], m[3], arm[3], lever[3];
        as_vectors(wrench, f, m);
        for (int c = 0; c < 3; ++c) arm[c] = center[k][c] - s.x[c];
        cross(arm, f, lever);
        const double* J = reinterpret_cast<const double*>(tree.jacobian(node));
        for (int j = 0; j < tree.nu; ++j)
            for (int c = 0; c < 3; ++c) out[j] += f[c] * J[c * stride + j] + (m[c] + lever[c]) * J[(3 + c) * stride + j];
        const int spin = T.body[k].spin;
        if (spin < 0) return;
        double a[3];
        rotate(s.R, T.body_pose[k].axis, a);
        const double* b = reinterpret_cast<const double*>(tree.row(spin));
        const double along = m[0] * a[0] + m[1] * a[1] + m[2] * a[2];
        for (int j = 0; j < tree.nu; ++j) out[j] += along * b[j];
    }

  private:
    // A rotation counted over whole turns: in proportion to the coordinates, or integrated.
    void count_turn(int k, const double* y) {
        if (T.turn_state[k] >= 0) {
            frames.counted[k] = y[at.turns + T.turn_state[k]];
            return;
        }
        double sum = turns_at_start[k];
        const double* ratio = T.turn_ratio + size_t(k) * T.columns;
        for (int j = 0; j < T.scalars; ++j) sum += ratio[j] * y[j];
        frames.counted[k] = sum;
    }

    std::vector<int> looked_at_;  // turns that forces use or that are integrated
};

}  // namespace ww
