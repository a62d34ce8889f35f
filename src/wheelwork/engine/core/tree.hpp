// Minimal coordinates: a tree of joints from ground outward, and gear ratios that tie their rates together.
//
// A node is a body, or several that hang together, or nothing but a step between two joints. It moves against its parent by one
// primitive joint: a turn about an axis, a slide along one, or a ball joint. Turns and slides are tree coordinates
//
//     q = B u,   q' = B u'
//
// with the independent coordinates u and the constant matrix B of gear ratios (the unit matrix where there are no meshes). All
// coordinates are zero at the start, and the axes of all nodes are those of the world there. A wheel whose mass is spread evenly
// about its axis is no node but a *spin* of its carrier: it counts there as if it were fixed, and its own turning adds its polar
// moment times its rate (Chen's treatment of carried links).
#pragma once

#include <array>

#include "frames.hpp"
#include "rotations.hpp"

namespace ww {

enum NodeType { TURNS = 0, SLIDES = 1, BALL = 2 };

struct NodeRow {
    int parent;              // -1: ground
    int type, row;           // its (first) row of B
    int first_spin, spins;
};

struct GeometryRow {
    double axis[3], point[3];  // of the joint, in the parent
    double out[3];             // from the joint point to the node's origin
};

struct InertiaRow {
    double mass, tensor[6];    // about the origin, which is the centre of mass: xx yy zz xy xz yz
    double weight, moment[3];  // mass that has weight, and its first moment
};

struct SpinRow {
    double axis[3], polar;  // axis in the node, polar moment
};

struct BodyRow {
    int node, spin;  // spin: its row of B if it is one, or -1: fixed in the node
    int framed;      // whether its frame is always needed
};

// Pose in the node at rest; axis and point of a spin.
struct PoseRow {
    double R[9], x[3], axis[3], point[3];
};

// wheelwork.engine.records reads this text.
struct TreeTables {
    int nodes, spins, ground_spins, scalars, balls, columns, rows;  // columns of B, padded to whole packs; its rows
    const NodeRow* node;
    const GeometryRow* geometry;
    const InertiaRow* inertia;
    const double* ratio;      // rows of B
    const SpinRow* spin;      // those of ground first
    const int* spin_row;      // row of B
    const BodyRow* body;
    const double* body_angle; // bodies x (1 + columns), in the plane: angle at rest, and by the scalar coordinates
    const PoseRow* body_pose;
    const int* turning;       // whether each scalar coordinate is an angle
    const double* turn_ratio; // turns x columns: counted rotations by the scalar coordinates
    const int* turn_state;    // turns: place among those that have to be integrated, or -1: in proportion to the coordinates
    int turn_states;
    int cuts;
    const int* cut;           // constraints that close loops, or prescribe motions
    double gravity[3];
    // straight-line code, or null: (t, y, functions of time, numbers) -> derivative, events; where loops are cut the derivative is without
    // accelerations, and there are also M by rows, f, and of the rows of the cuts G, natural sizes, g, nu and wanted accelerations
    const Kernel* direct;
    const double* direct_numbers;
};

typedef std::array<double, 6> Six;  // a force and a moment; or a symmetric tensor as xx, yy, zz, xy, xz, yz

struct NodeState {
    double R[9], x[3], w[3], v[3];
    double alpha[3], a[3];  // accelerations when those of the coordinates are zero
};

inline void cross(const double* a, const double* b, double* c) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

inline double length(const double* a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

inline void rotate(const double* R, const double* a, double* b) {
    for (int i = 0; i < 3; ++i) b[i] = R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2];
}

inline void about_axis(const double* n, double angle, double* R) {
    const double s = std::sin(angle), c = std::cos(angle), k = 1 - c;
    R[0] = c + k * n[0] * n[0], R[1] = k * n[0] * n[1] - s * n[2], R[2] = k * n[0] * n[2] + s * n[1];
    R[3] = k * n[1] * n[0] + s * n[2], R[4] = c + k * n[1] * n[1], R[5] = k * n[1] * n[2] - s * n[0];
    R[6] = k * n[2] * n[0] - s * n[1], R[7] = k * n[2] * n[1] + s * n[0], R[8] = c + k * n[2] * n[2];
}

class Tree {
  public:
    explicit Tree(const TreeTables& tables) : T(tables) {
        packs = T.columns / LANES;
        nu = T.scalars + 3 * T.balls;
        rows_ = T.rows;
        state.resize(T.nodes + 1);
        std::memset(static_cast<void*>(&state[T.nodes]), 0, sizeof(NodeState));
        state[T.nodes].R[0] = state[T.nodes].R[4] = state[T.nodes].R[8] = 1.0;
        J.assign(size_t(6) * packs * (T.nodes + 1), spread(0.0));
        q.assign(rows_ + 1, 0.0), rate.assign(rows_ + 1, 0.0);
        ratio.resize(size_t(rows_) * packs);
        std::memcpy(static_cast<void*>(ratio.data()), T.ratio, ratio.size() * sizeof(Pack));
        sparse_.resize(rows_);
        for (int r = 0; r < rows_; ++r)
            for (int j = 0; j < nu; ++j)
                if (const double b = reinterpret_cast<const double*>(row(r))[j]; b != 0.0) sparse_[r].push_back({j, b});
        find_support();
    }

    TreeTables T;
    int packs, nu;
    std::vector<NodeState> state;             // of the nodes, then ground
    std::vector<Pack> J;                      // 6 rows per node (linear, angular velocity by u'), `packs` packs each
    std::vector<double> q, rate;              // tree coordinates and their rates
    std::vector<std::vector<int>> support;    // columns that move a node
    std::vector<Pack> ratio;                  // rows of B

    Pack* jacobian(int node) { return &J[size_t(6) * packs * (node < 0 ? T.nodes : node)]; }
    NodeState& at(int node) { return state[node < 0 ? T.nodes : node]; }
    const Pack* row(int r) const { return &ratio[size_t(r) * packs]; }

    // Poses and velocities of all nodes. y = (scalars, ball joints' Euler parameters, rates of both).
    void place(const double* y, bool with_jacobian = true) {
        const double* u = y;
        const double* rates = y + T.scalars + 4 * T.balls;
        for (int r = 0; r < rows_; ++r) {
            double sum = 0, speed = 0;
            for (const Entry& entry : sparse_[r]) {
                if (entry.column < T.scalars) sum += entry.value * u[entry.column];
                speed += entry.value * rates[entry.column];
            }
            q[r] = sum, rate[r] = speed;
        }
        int ball = 0;
        for (int i = 0; i < T.nodes; ++i) {
            const double* e = nullptr;
            if (T.node[i].type == BALL) e = y + T.scalars + 4 * ball++;
            place_node(i, e);
            if (with_jacobian) place_jacobian(i);
        }
    }

  private:
    void place_node(int i, const double* e) {
        const NodeRow& N = T.node[i];
        const double *axis = T.geometry[i].axis, *point = T.geometry[i].point, *out = T.geometry[i].out;
        const NodeState& p = at(N.parent);
        NodeState& s = state[i];
        const int r = N.row;
        double a[3], local[9], arm_p[3], arm[3], w_rel[3] = {};
        rotate(p.R, axis, a);
        rotate(p.R, point, arm_p);  // from the parent's origin to the joint point
        if (N.type == TURNS) {
            about_axis(axis, q[r], local);
            product(p.R, local, s.R);
            for (int k = 0; k < 3; ++k) w_rel[k] = a[k] * rate[r];
        } else if (N.type == BALL) {
            rotation_matrix(e, local);
            product(p.R, local, s.R);
            rotate(p.R, &rate[r], w_rel);
        } else {
            std::memcpy(s.R, p.R, sizeof s.R);
            for (int k = 0; k < 3; ++k) arm_p[k] += a[k] * q[r];
        }
        rotate(s.R, out, arm);  // from the joint point to the node's origin
        double wp[3], bias[3], centre[3];
        for (int k = 0; k < 3; ++k) {
            s.x[k] = p.x[k] + arm_p[k] + arm[k];
            s.w[k] = p.w[k] + w_rel[k];
        }
        cross(p.w, w_rel, bias);
        for (int k = 0; k < 3; ++k) s.alpha[k] = p.alpha[k] + bias[k];
        // v = v_p + w_p x arm_p + w x arm, and its derivative
        cross(p.w, arm_p, wp);
        cross(s.w, arm, centre);
        double t1[3], t2[3], t3[3], t4[3];
        cross(p.alpha, arm_p, t1), cross(p.w, wp, t2), cross(s.alpha, arm, t3), cross(s.w, centre, t4);
        for (int k = 0; k < 3; ++k) {
            s.v[k] = p.v[k] + wp[k] + centre[k];
            s.a[k] = p.a[k] + t1[k] + t2[k] + t3[k] + t4[k];
        }
        if (N.type == SLIDES) {
            double coriolis[3];
            cross(p.w, a, coriolis);
            for (int k = 0; k < 3; ++k) {
                s.v[k] += a[k] * rate[r];
                s.a[k] += 2 * coriolis[k] * rate[r];
            }
        }
    }

    // Jacobian: the parent's, moved to this origin, and the joint's own part.
    void place_jacobian(int i) {
        const NodeRow& N = T.node[i];
        const double *axis = T.geometry[i].axis, *out = T.geometry[i].out;
        const NodeState &p = at(N.parent), &s = state[i];
        const int r = N.row;
        const Pack* Jp = jacobian(N.parent);
        Pack* Ji = jacobian(i);
        double d[3], lever[3], a[3], arm[3];
        rotate(p.R, axis, a);
        rotate(s.R, out, arm);
        for (int k = 0; k < 3; ++k) d[k] = s.x[k] - p.x[k];
        for (int m = 0; m < packs; ++m) {
            const Pack w0 = Jp[3 * packs + m], w1 = Jp[4 * packs + m], w2 = Jp[5 * packs + m];
            Ji[m] = Jp[m] + w1 * spread(d[2]) - w2 * spread(d[1]);
            Ji[packs + m] = Jp[packs + m] + w2 * spread(d[0]) - w0 * spread(d[2]);
            Ji[2 * packs + m] = Jp[2 * packs + m] + w0 * spread(d[1]) - w1 * spread(d[0]);
            Ji[3 * packs + m] = w0, Ji[4 * packs + m] = w1, Ji[5 * packs + m] = w2;
        }
        const int own = N.type == BALL ? 3 : 1;
        for (int k = 0; k < own; ++k) {
            if (N.type == BALL)
                for (int c = 0; c < 3; ++c) a[c] = p.R[3 * c + k];
            cross(a, arm, lever);
            for (int m = 0; m < packs; ++m) {
                const Pack b = row(r + k)[m];
                for (int c = 0; c < 3; ++c) {
                    if (N.type == SLIDES) {
                        Ji[c * packs + m] += spread(a[c]) * b;
                    } else {
                        Ji[c * packs + m] += spread(lever[c]) * b;
                        Ji[(3 + c) * packs + m] += spread(a[c]) * b;
                    }
                }
            }
        }
    }

    void find_support() {
        support.resize(T.nodes);
        for (int i = 0; i < T.nodes; ++i) {
            const NodeRow& N = T.node[i];
            std::vector<char> moves(nu, 0);
            if (N.parent >= 0)
                for (int j : support[N.parent]) moves[j] = 1;
            const int own = N.type == BALL ? 3 : 1;
            for (int k = 0; k < own; ++k)
                for (int j = 0; j < nu; ++j)
                    if (reinterpret_cast<const double*>(row(N.row + k))[j] != 0.0) moves[j] = 1;
            for (int s = N.first_spin; s < N.first_spin + N.spins; ++s)
                for (int j = 0; j < nu; ++j)
                    if (reinterpret_cast<const double*>(row(T.spin_row[s]))[j] != 0.0) moves[j] = 1;
            for (int j = 0; j < nu; ++j)
                if (moves[j]) support[i].push_back(j);
        }
    }

    struct Entry {
        int column;
        double value;
    };

    int rows_;
    std::vector<std::vector<Entry>> sparse_;  // rows of B without their zeros
};

}  // namespace ww
