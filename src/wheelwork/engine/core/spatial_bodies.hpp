// All bodies of a mechanism in space: eight at a time where there are as many, the last ones perhaps twice; else one by one.
#pragma once

#include "spatial_body.hpp"
#include "transpose.hpp"

namespace ww {

template <class One, class Eight>
inline void for_bodies(int count, One&& one, Eight&& eight) {
    if (count < LANES) {
        for (int k = 0; k < count; ++k) one(k);
        return;
    }
    for (int k = 0; k < count; k += LANES) eight(k < count - LANES ? k : count - LANES);
}

inline void invert_eight_masses(const double* inertia, const Pack* R, InverseMass* masses) {
    Pack I[LANES], mass, J[9];
    gather(inertia + INERTIA - LANES, INERTIA, I);
    const Pack* inverse = I + LANES - 6;
    for (int k = 0; k < LANES; ++k) mass[k] = inertia[INERTIA * k + MASS];
    rotate_tensor(R, inverse, J);
    Pack row[LANES] = {1.0 / mass, J[0], J[1], J[2], J[4], J[5], J[8], spread(0.0)};
    scatter(row, &masses->m, sizeof(InverseMass) / sizeof(double));
}

inline void place_eight_bodies(const double* q, double* records, const double* inertia, InverseMass* masses) {
    Pack own[LANES], R[9];
    gather(q, Q, own);  // and a number behind each: velocities are behind the coordinates
    rotation_matrix(own + TURN, R);
    if (inertia) invert_eight_masses(inertia, R, masses);
    Pack first[LANES] = {own[0], own[1], own[2], R[0], R[1], R[2], R[3], R[4]}, rest[LANES] = {R[5], R[6], R[7], R[8]};
    scatter(first, records, BODY_RECORD);
    scatter<TWIST - LANES>(rest, records + LANES, BODY_RECORD);
}

// Frames at the coordinates q, in a state; with `inertia` also the inverses of the mass matrices.
inline void place_bodies(int count, const double* q, double* records, const double* inertia, InverseMass* masses) {
    for_bodies(
        count,
        [&](int k) {
            place_body(q + Q * k, records + BODY_RECORD * k);
            if (inertia) invert_mass(inertia + INERTIA * k, records + BODY_RECORD * k, masses[k]);
        },
        [&](int k) { place_eight_bodies(q + Q * k, records + BODY_RECORD * k, inertia ? inertia + INERTIA * k : nullptr, masses + k); });
}

// Weight and gyroscopic torque, with room for a number behind those of the last body.
inline void own_forces(int count, const double* inertia, const double* gravity, const double* records, double* f) {
    for_bodies(
        count, [&](int k) { own_force(inertia + INERTIA * k, gravity + 3 * k, records + BODY_RECORD * k, f + V * k); },
        [&](int k) {
            Pack R[LANES + 1], rest[LANES], I[LANES], torque[LANES] = {};
            gather(records + BODY_RECORD * k + AXES, BODY_RECORD, R);
            gather(records + BODY_RECORD * (k + 1) - LANES, BODY_RECORD, rest);  // the last two of R, v, w
            gather(inertia + INERTIA * k, INERTIA, I);
            R[LANES] = rest[1];
            gyroscopic_torque(R, rest + SPIN - (BODY_RECORD - LANES), I + TENSOR, torque);
            scatter<4>(torque, f + V * k + TURN, V);
            for (int b = k; b < k + LANES; ++b)
                for (int i = 0; i < 3; ++i) f[V * b + i] = inertia[INERTIA * b] * gravity[3 * b + i];
        });
}

}  // namespace ww
