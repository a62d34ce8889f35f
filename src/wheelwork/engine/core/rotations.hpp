// Rotations, tensors, Euler parameters (w, x, y, z). 3 x 3 matrices are stored by rows.
#pragma once

#include <cmath>

namespace ww {

// C = A B
inline void product(const double* A, const double* B, double* C) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

// R of Euler parameters of any length. Here and below, T is a number, or a pack of those of several bodies.
template <class T>
inline void rotation_matrix(const T* e, T* R) {
    const T w = e[0], x = e[1], y = e[2], z = e[3];
    const T s = 2.0 / (w * w + x * x + y * y + z * z);
    R[0] = 1.0 - s * (y * y + z * z), R[1] = s * (x * y - w * z), R[2] = s * (x * z + w * y);
    R[3] = s * (x * y + w * z), R[4] = 1.0 - s * (x * x + z * z), R[5] = s * (y * z - w * x);
    R[6] = s * (x * z - w * y), R[7] = s * (y * z + w * x), R[8] = 1.0 - s * (x * x + y * y);
}

// R I R^T of a symmetric I (xx, yy, zz, xy, xz, yz).
template <class T>
inline void rotate_tensor(const T* R, const T* I, T* out) {
    T A[9];
    for (int i = 0; i < 3; ++i) {
        const T* r = R + 3 * i;
        A[3 * i] = r[0] * I[0] + r[1] * I[3] + r[2] * I[4];
        A[3 * i + 1] = r[0] * I[3] + r[1] * I[1] + r[2] * I[5];
        A[3 * i + 2] = r[0] * I[4] + r[1] * I[5] + r[2] * I[2];
    }
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            out[3 * i + j] = out[3 * j + i] =
                A[3 * i] * R[3 * j] + A[3 * i + 1] * R[3 * j + 1] + A[3 * i + 2] * R[3 * j + 2];
}

// -w x (J w) in world axes, computed in body axes: of Bai (1.2), n = J w' + w x (J w).
template <class T>
inline void gyroscopic_torque(const T* R, const T* w, const T* J, T* out) {
    T b[3], h[3], c[3];
    for (int i = 0; i < 3; ++i) b[i] = R[i] * w[0] + R[3 + i] * w[1] + R[6 + i] * w[2];
    h[0] = J[0] * b[0] + J[3] * b[1] + J[4] * b[2];
    h[1] = J[3] * b[0] + J[1] * b[1] + J[5] * b[2];
    h[2] = J[4] * b[0] + J[5] * b[1] + J[2] * b[2];
    c[0] = h[1] * b[2] - h[2] * b[1];
    c[1] = h[2] * b[0] - h[0] * b[2];
    c[2] = h[0] * b[1] - h[1] * b[0];
    for (int i = 0; i < 3; ++i) out[i] = R[3 * i] * c[0] + R[3 * i + 1] * c[1] + R[3 * i + 2] * c[2];
}

// Derivatives of position and Euler parameters: x' = v, e' = W(w) e / 2 with w in world axes.
template <class T>
inline void rates_of_pose(const T* e, const T* v, const T* w, T* dq) {
    for (int i = 0; i < 3; ++i) dq[i] = v[i];
    dq[3] = 0.5 * (-w[0] * e[1] - w[1] * e[2] - w[2] * e[3]);
    dq[4] = 0.5 * (w[0] * e[0] + w[1] * e[3] - w[2] * e[2]);
    dq[5] = 0.5 * (w[1] * e[0] + w[2] * e[1] - w[0] * e[3]);
    dq[6] = 0.5 * (w[2] * e[0] + w[0] * e[2] - w[1] * e[1]);
}

// Unit Euler parameters of a rotation matrix, w >= 0 (Shepperd's method: the largest of them first).
inline void euler_parameters(const double* R, double* e) {
    const double four[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8]};
    int k = 0;
    for (int i = 1; i < 4; ++i)
        if (four[i] > four[k]) k = i;
    const double scale = 2 * std::sqrt(four[k]), over = 1 / scale;
    const double wx = (R[7] - R[5]) * over, wy = (R[2] - R[6]) * over, wz = (R[3] - R[1]) * over;
    const double xy = (R[3] + R[1]) * over, xz = (R[2] + R[6]) * over, yz = (R[7] + R[5]) * over;
    const double table[4][4] = {{scale / 4, wx, wy, wz}, {wx, scale / 4, xy, xz}, {wy, xy, scale / 4, yz}, {wz, xz, yz, scale / 4}};
    const double sign = table[k][0] < 0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; ++i) e[i] = sign * table[k][i];
}

inline void normalise(double* e) {
    const double s = 1.0 / std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    for (int i = 0; i < 4; ++i) e[i] *= s;
}

// Turns Euler parameters by a small rotation vector in world axes.
inline void turn_by(double* e, double x, double y, double z) {
    const double w0 = e[0], x0 = e[1], y0 = e[2], z0 = e[3];
    e[0] += 0.5 * (-x * x0 - y * y0 - z * z0);
    e[1] += 0.5 * (x * w0 + y * z0 - z * y0);
    e[2] += 0.5 * (y * w0 + z * x0 - x * z0);
    e[3] += 0.5 * (z * w0 + x * y0 - y * x0);
    normalise(e);
}

}  // namespace ww
