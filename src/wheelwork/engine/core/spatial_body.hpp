// A rigid body in space: q = (position of the centre of mass, Euler parameters), v = (linear, angular velocity), world axes.
// Record: x (3), R by rows (9), v (3), w (3).
#pragma once

#include <cstring>
#include <utility>

#include "rotations.hpp"
#include "spatial_lanes.hpp"
#include "square.hpp"

namespace ww {

constexpr int Q = 7, V = 6, LINEAR = 3;  // coordinates, velocities, linear ones among these
constexpr int TURN = 3;                                       // Euler parameters, angular velocity, moment: behind the linear part
constexpr int BODY_RECORD = 18, AXES = 3, TWIST = 12, SPIN = 15;  // its size; where R, v and w are in it
constexpr int MARKER = 12;                                    // size of a marker's record: origin, and axes from AXES on
constexpr int INERTIA = 13, MASS = 0, TENSOR = 1, INVERSE_TENSOR = 7;  // of a body: m, J' (xx, yy, zz, xy, xz, yz), its inverse

struct InverseMass {
    double m = 0, xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0, unused = 0;  // 1/m and J^-1 in world axes; a pack's size
};

inline void ground_record(double* r) { r[AXES] = r[AXES + 4] = r[AXES + 8] = 1.0; }

inline void place_body(const double* q, double* r) {
    for (int i = 0; i < 3; ++i) r[i] = q[i];
    rotation_matrix(q + TURN, r + AXES);
}

inline void invert_mass(const double* I, const double* record, InverseMass& M) {
    double J[9];
    rotate_tensor(record + AXES, I + INVERSE_TENSOR, J);
    M = {1.0 / I[MASS], J[0], J[1], J[2], J[4], J[5], J[8]};
}

// M^-1 f
inline void over_mass(const InverseMass& M, const double* f, double* out) {
    for (int i = 0; i < 3; ++i) out[i] = M.m * f[i];
    out[3] = M.xx * f[3] + M.xy * f[4] + M.xz * f[5];
    out[4] = M.xy * f[3] + M.yy * f[4] + M.yz * f[5];
    out[5] = M.xz * f[3] + M.yz * f[4] + M.zz * f[5];
}

// Mean of the moments of inertia.
inline double mean_inertia(const double* I) { return (I[TENSOR] + I[TENSOR + 1] + I[TENSOR + 2]) / 3; }

// A lower bound of the moments of inertia: the inverse of the sum of their inverses.
inline double least_inertia(const double* I) { return 1.0 / (I[INVERSE_TENSOR] + I[INVERSE_TENSOR + 1] + I[INVERSE_TENSOR + 2]); }

// Mass 1, and a radius of gyration about all axes.
inline InverseMass round_mass(double radius) {
    InverseMass M;
    M.m = 1.0;
    M.xx = M.yy = M.zz = 1.0 / (radius * radius);
    return M;
}

// Its mass matrix, and that of a body in world axes.
inline void round_mass_matrix(double radius, double (*M)[V]) {
    for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) M[i][j] = i != j ? 0.0 : i < LINEAR ? 1.0 : radius * radius;
}

inline void mass_matrix(const double* I, const double* record, double (*M)[V]) {
    double J[9];
    rotate_tensor(record + AXES, I + TENSOR, J);
    for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j)
            M[i][j] = i >= LINEAR && j >= LINEAR ? J[3 * (i - TURN) + j - TURN] : i == j ? I[MASS] : 0.0;
}

// G M^-1, a pack a column: those of the angular velocities, then all
inline void turning_over_mass(const InverseMass& M, const Pack* G, Pack* W) {
    const Pack a = G[3], b = G[4], c = G[5];
    W[3] = spread(M.xx) * a + spread(M.xy) * b + spread(M.xz) * c;
    W[4] = spread(M.xy) * a + spread(M.yy) * b + spread(M.yz) * c;
    W[5] = spread(M.xz) * a + spread(M.yz) * b + spread(M.zz) * c;
}

inline void columns_over_mass(const InverseMass& M, const Pack* G, Pack* W) {
    for (int j = 0; j < 3; ++j) W[j] = spread(M.m) * G[j];
    turning_over_mass(M, G, W);
}

// ---- constraints that hold points of two bodies: their linear columns are -1 for a and 1 for b

// b - a in the rows of a point.
inline Pack linear_difference(const double* a, const double* b) {
    return Pack{b[0] - a[0], b[1] - a[1], b[2] - a[2], 0.0, 0.0, 0.0, 0.0, 0.0};
}

// G^T x of both bodies.
inline std::pair<Pack, Pack> pulls_at_points(const Pack* G_a, const Pack* G_b, const Pack& x) {
    const Pack turning[6] = {G_a[3], G_a[4], G_a[5], G_b[3], G_b[4], G_b[5]}, t = dots<6>(turning, x), minus = -x;
    return {joined<8, 9, 10>(minus, t), joined<11, 12, 13>(x, t)};
}

// M a: of Bai (1.1), m r'' = f, and (1.2), n = J w' + w x (J w)
inline void times_mass(const double* I, const double* record, const double* a, double* out) {
    double J[9];
    rotate_tensor(record + AXES, I + TENSOR, J);
    for (int i = 0; i < 3; ++i) out[i] = I[MASS] * a[i];
    for (int i = 0; i < 3; ++i) out[TURN + i] = J[3 * i] * a[3] + J[3 * i + 1] * a[4] + J[3 * i + 2] * a[5];
}

// Weight and gyroscopic torque.
inline void own_force(const double* I, const double* gravity, const double* record, double* f) {
    for (int i = 0; i < 3; ++i) f[i] = I[MASS] * gravity[i];
    gyroscopic_torque(record + AXES, record + SPIN, I + TENSOR, f + TURN);
}

inline void coordinate_rates(const double* q, const double* v, double* dq) { rates_of_pose(q + TURN, v, v + TURN, dq); }

// Coordinates after a small motion (displacement, rotation vector in world axes).
inline void displace(double* q, const double* step) {
    for (int i = 0; i < 3; ++i) q[i] += step[i];
    turn_by(q + TURN, step[TURN], step[TURN + 1], step[TURN + 2]);
}

inline void normalise_body(double* q) { normalise(q + TURN); }

inline void cap_angles(double*) {}

// Rate of the relative rotation of b to a about a's z axis: z_a . (w_b - w_a); `markers`: records of both frames.
inline double relative_rate(const double* a, const double* b, const double* markers) {
    const double *R = a + AXES, *own = markers + AXES + 2;  // the third column
    double rate = 0;
    for (int i = 0; i < 3; ++i) {
        const double z = R[3 * i] * own[0] + R[3 * i + 1] * own[3] + R[3 * i + 2] * own[6];
        rate += z * (b[SPIN + i] - a[SPIN + i]);
    }
    return rate;
}

// That rotation, between -pi and pi.
inline double relative_angle(const double* a, const double* b, const double* markers) {
    double A[9], Bm[9], sine = 0, cosine = 0;
    product(a + AXES, markers + AXES, A);
    product(b + AXES, markers + MARKER + AXES, Bm);
    for (int i = 0; i < 3; ++i) {
        sine += A[3 * i + 1] * Bm[3 * i] - A[3 * i] * Bm[3 * i + 1];
        cosine += A[3 * i] * Bm[3 * i] + A[3 * i + 1] * Bm[3 * i + 1];
    }
    return std::atan2(sine, cosine);
}

// Angle by which a body turned between two positions.
inline double turned(const double* q0, const double* q1) {
    const double along = std::fabs(q0[3] * q1[3] + q0[4] * q1[4] + q0[5] * q1[5] + q0[6] * q1[6]);
    return 2 * std::acos(std::fmin(1.0, along));
}

// ---- for trees of joints, which are always in space

// A record from position, rotation and velocities.
inline void write_record(const double* x, const double* R, const double* v, const double* w, double, double* r) {
    std::memcpy(r, x, 3 * sizeof(double));
    std::memcpy(r + AXES, R, 9 * sizeof(double));
    std::memcpy(r + TWIST, v, 3 * sizeof(double));
    std::memcpy(r + SPIN, w, 3 * sizeof(double));
}

// Coordinates of a record.
inline void coordinates_of(const double* r, double* q) {
    std::memcpy(q, r, 3 * sizeof(double));
    euler_parameters(r + AXES, q + TURN);
}

// Force and moment, or a row's entries for linear and angular velocity, as vectors.
inline void as_vectors(const double* own, double* linear, double* angular) {
    for (int i = 0; i < 3; ++i) linear[i] = own[i], angular[i] = own[TURN + i];
}

// ---- for implicit methods

// q = q0 + hg q'(q, v): linear in the Euler parameters, e = e0 + hg/2 W(w) e, and W^2 = -|w|^2
inline void implicit_coordinates(const double* q0, const double* v, double hg, double* q) {
    for (int i = 0; i < 3; ++i) q[i] = q0[i] + hg * v[i];
    const double x = 0.5 * hg * v[3], y = 0.5 * hg * v[4], z = 0.5 * hg * v[5];
    const double over = 1.0 / (1.0 + x * x + y * y + z * z);
    const double* e = q0 + 3;
    q[3] = over * (e[0] - x * e[1] - y * e[2] - z * e[3]);
    q[4] = over * (e[1] + x * e[0] + y * e[3] - z * e[2]);
    q[5] = over * (e[2] + y * e[0] + z * e[1] - x * e[3]);
    q[6] = over * (e[3] + z * e[0] + x * e[2] - y * e[1]);
}

// The small motion that a change of coordinates at q stands for: twice the vector part of de e*.
inline void small_motion(const double* q, const double* dq, double* r) {
    const double *e = q + 3, *de = dq + 3;
    for (int i = 0; i < 3; ++i) r[i] = dq[i];
    r[3] = 2 * (-de[0] * e[1] + de[1] * e[0] - de[2] * e[3] + de[3] * e[2]);
    r[4] = 2 * (-de[0] * e[2] + de[2] * e[0] - de[3] * e[1] + de[1] * e[3]);
    r[5] = 2 * (-de[0] * e[3] + de[3] * e[0] - de[1] * e[2] + de[2] * e[1]);
}

// The other way round; the part of dq that changes only the length of the Euler parameters is kept.
inline void change_of_coordinates(const double* q, const double* r, double* dq) {
    const double *e = q + 3, *turn = r + 3;
    const double along = dq[3] * e[0] + dq[4] * e[1] + dq[5] * e[2] + dq[6] * e[3];
    for (int i = 0; i < 3; ++i) dq[i] = r[i];
    dq[3] = along * e[0] + 0.5 * (-turn[0] * e[1] - turn[1] * e[2] - turn[2] * e[3]);
    dq[4] = along * e[1] + 0.5 * (turn[0] * e[0] + turn[1] * e[3] - turn[2] * e[2]);
    dq[5] = along * e[2] + 0.5 * (turn[1] * e[0] + turn[2] * e[1] - turn[0] * e[3]);
    dq[6] = along * e[3] + 0.5 * (turn[2] * e[0] + turn[0] * e[2] - turn[1] * e[1]);
}

namespace detail {
inline void cross_matrix(const double* w, double X[3][3]) {
    X[0][0] = 0, X[0][1] = -w[2], X[0][2] = w[1];
    X[1][0] = w[2], X[1][1] = 0, X[1][2] = -w[0];
    X[2][0] = -w[1], X[2][1] = w[0], X[2][2] = 0;
}

inline void multiply(const double A[3][3], const double Bm[3][3], double C[3][3]) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) C[i][j] = A[i][0] * Bm[0][j] + A[i][1] * Bm[1][j] + A[i][2] * Bm[2][j];
}

inline void apply(const double A[3][3], const double* x, double* y) {
    for (int i = 0; i < 3; ++i) y[i] = A[i][0] * x[0] + A[i][1] * x[1] + A[i][2] * x[2];
}
}  // namespace detail

// Mass onto D = M + hg C + hg^2 K, and what the turning of the inertia tensor does onto D and K: with J the tensor in world axes
// and a small rotation r, d(J x) = (J x~ - (J x)~) r. `acceleration`: of this body.
inline void implicit_inertia(const double* I, const double* record, const double* acceleration, double hg, Square& D,
                             Square& K) {
    using namespace detail;
    const double *R = record + AXES, *w = record + SPIN, *alpha = acceleration + TURN;
    double J[3][3], flat[9];
    rotate_tensor(R, I + TENSOR, flat);
    std::memcpy(J, flat, sizeof flat);
    double Jw[3], Ja[3], W[3][3], A[3][3], X[3][3], Y[3][3], Z[3][3], U[3][3];
    apply(J, w, Jw);
    apply(J, alpha, Ja);
    cross_matrix(w, W);
    cross_matrix(alpha, A);
    // d(J alpha)/dr and d(w x J w)/dr
    multiply(J, A, X);
    cross_matrix(Ja, Y);
    multiply(J, W, Z);
    cross_matrix(Jw, U);
    double turning[3][3], inner[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) inner[i][j] = Z[i][j] - U[i][j];
    multiply(W, inner, turning);
    double WJ[3][3];
    multiply(W, J, WJ);
    for (int i = 0; i < 3; ++i) {
        D.at(i, i) += I[0];
        for (int j = 0; j < 3; ++j) {
            const double stiffness = X[i][j] - Y[i][j] + turning[i][j];
            K.at(3 + i, 3 + j) += stiffness;
            D.at(3 + i, 3 + j) += J[i][j] + hg * (WJ[i][j] - U[i][j]) + hg * hg * stiffness;
        }
    }
}

}  // namespace ww
