// A rigid body in the plane: q = (x, y, phi) with phi over any number of turns, v = (vx, vy, w); x and y are those of the centre
// of mass. Record: x, y, cos phi, sin phi, phi, vx, vy, w.
#pragma once

#include <cmath>
#include <utility>

#include "planar_lanes.hpp"
#include "square.hpp"

namespace ww {

constexpr int Q = 3, V = 3, LINEAR = 2;  // coordinates, velocities, linear ones among these
constexpr int BODY_RECORD = 8, COSINE = 2, SINE = 3, ANGLE = 4, TWIST = 5;  // its size; where these are in it
constexpr int TURN = 2;                // the angle, its rate and the moment: behind the linear part
constexpr int MARKER = 12, AXES = 3;   // size of a marker's record, as in space; where its axes are, by rows
constexpr int INERTIA = 13;  // mass, J' (xx, yy, zz, ...), its inverse: as in space; zz counts
constexpr int J_ZZ = 3, INVERSE_J_ZZ = 9;

struct InverseMass {
    double m = 0, J = 0;
};

inline void ground_record(double* r) {
    r[COSINE] = 1.0;
}

inline void place_body(const double* q, double* r) {
    r[0] = q[0], r[1] = q[1], r[COSINE] = std::cos(q[TURN]), r[SINE] = std::sin(q[TURN]), r[ANGLE] = q[TURN];
}

inline void invert_mass(const double* I, const double*, InverseMass& M) {
    M.m = 1.0 / I[0];
    M.J = I[INVERSE_J_ZZ];
}

// M^-1 f
inline void over_mass(const InverseMass& M, const double* f, double* out) {
    out[0] = M.m * f[0], out[1] = M.m * f[1], out[2] = M.J * f[2];
}

inline double mean_inertia(const double* I) { return I[J_ZZ]; }

inline double least_inertia(const double* I) { return I[J_ZZ]; }

// Mass 1, and a radius of gyration.
inline InverseMass round_mass(double radius) { return {1.0, 1.0 / (radius * radius)}; }

// Its mass matrix, and that of a body.
inline void round_mass_matrix(double radius, double (*M)[V]) {
    for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) M[i][j] = i != j ? 0.0 : i < LINEAR ? 1.0 : radius * radius;
}

inline void mass_matrix(const double* I, const double*, double (*M)[V]) {
    for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) M[i][j] = i != j ? 0.0 : I[i < LINEAR ? 0 : J_ZZ];
}

// G M^-1, a pack a column: that of the angular velocity, then all
inline void turning_over_mass(const InverseMass& M, const Pack* G, Pack* W) { W[2] = spread(M.J) * G[2]; }

inline void columns_over_mass(const InverseMass& M, const Pack* G, Pack* W) {
    W[0] = spread(M.m) * G[0], W[1] = spread(M.m) * G[1];
    turning_over_mass(M, G, W);
}

// ---- constraints that hold points of two bodies: their linear columns are -1 for a and 1 for b

// b - a in the rows of a point.
inline Pack linear_difference(const double* a, const double* b) { return Pack{b[0] - a[0], b[1] - a[1], 0.0, 0.0}; }

// G^T x of both bodies.
inline std::pair<Pack, Pack> pulls_at_points(const Pack* G_a, const Pack* G_b, const Pack& x) {
    return {Pack{-x[0], -x[1], dot(G_a[2], x), 0.0}, Pack{x[0], x[1], dot(G_b[2], x), 0.0}};
}

// M a
inline void times_mass(const double* I, const double*, const double* a, double* out) {
    out[0] = I[0] * a[0], out[1] = I[0] * a[1], out[2] = I[J_ZZ] * a[2];
}

// Weight; in the plane there is no gyroscopic torque.
inline void own_force(const double* I, const double* gravity, const double*, double* f) {
    f[0] = I[0] * gravity[0], f[1] = I[0] * gravity[1], f[2] = 0.0;
}

inline void coordinate_rates(const double*, const double* v, double* dq) {
    for (int i = 0; i < V; ++i) dq[i] = v[i];
}

// Coordinates after a small motion (displacement, rotation).
inline void displace(double* q, const double* step) {
    for (int i = 0; i < V; ++i) q[i] += step[i];
}

inline void normalise_body(double*) {}

// The angle goes over many turns, but errors of it count for themselves.
inline void cap_angles(double* cap) { cap[TURN] = 1.0; }

// Rate of the relative rotation of b to a.
inline double relative_rate(const double* a, const double* b, const double*) { return b[TWIST + TURN] - a[TWIST + TURN]; }

// That rotation, between -pi and pi; `markers`: records of both frames.
inline double relative_angle(const double* a, const double* b, const double* markers) {
    const double *x_a = markers + AXES, *x_b = markers + MARKER + AXES;  // the first column: 0 and 3 on
    const double local = std::atan2(x_b[3], x_b[0]) - std::atan2(x_a[3], x_a[0]);
    return std::remainder(b[ANGLE] - a[ANGLE] + local, 2 * pi);
}

// Angle by which a body turned between two positions.
inline double turned(const double* q0, const double* q1) { return std::fabs(q1[TURN] - q0[TURN]); }

// ---- for trees of joints, which are always in space

// A record from position, rotation, velocities, and the angle over whole turns.
inline void write_record(const double* x, const double* R, const double* v, const double* w, double angle, double* r) {
    r[0] = x[0], r[1] = x[1], r[2] = R[0], r[3] = R[3], r[4] = angle, r[5] = v[0], r[6] = v[1], r[7] = w[2];
}

// Coordinates of a record.
inline void coordinates_of(const double* r, double* q) { q[0] = r[0], q[1] = r[1], q[2] = r[4]; }

// Force and moment, or a row's entries for linear and angular velocity, as vectors.
inline void as_vectors(const double* own, double* linear, double* angular) {
    linear[0] = own[0], linear[1] = own[1], linear[2] = 0.0;
    angular[0] = angular[1] = 0.0, angular[2] = own[2];
}

// ---- for implicit methods

// q = q0 + hg q'(q, v)
inline void implicit_coordinates(const double* q0, const double* v, double hg, double* q) {
    for (int i = 0; i < V; ++i) q[i] = q0[i] + hg * v[i];
}

// The small motion that a change of coordinates stands for, and the other way round: dq of a small motion added to dq.
inline void small_motion(const double*, const double* dq, double* r) {
    for (int i = 0; i < V; ++i) r[i] = dq[i];
}
inline void change_of_coordinates(const double*, const double* r, double* dq) {
    for (int i = 0; i < V; ++i) dq[i] = r[i];
}

// Mass onto D; the inertia of a body in the plane does not depend on its position.
inline void implicit_inertia(const double* I, const double*, const double*, double, Square& D, Square&) {
    D.at(0, 0) += I[0], D.at(1, 1) += I[0], D.at(2, 2) += I[J_ZZ];
}

// ---- all bodies of a mechanism

inline void place_bodies(int count, const double* q, double* records, const double* inertia, InverseMass* masses) {
    for (int k = 0; k < count; ++k) {
        place_body(q + Q * k, records + BODY_RECORD * k);
        if (inertia) invert_mass(inertia + INERTIA * k, records + BODY_RECORD * k, masses[k]);
    }
}

inline void own_forces(int count, const double* inertia, const double* gravity, const double* records, double* f) {
    for (int k = 0; k < count; ++k) own_force(inertia + INERTIA * k, gravity + 3 * k, records + BODY_RECORD * k, f + V * k);
}

}  // namespace ww
