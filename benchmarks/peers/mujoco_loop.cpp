// MuJoCo's forward dynamics, many times over.
#include <mujoco/mujoco.h>

extern "C" {

// All of it: what a step does but for moving the state.
void forward_all(const mjModel* m, mjData* d, int times) {
    for (int k = 0; k < times; ++k) mj_forward(m, d);
}

// Only what the accelerations of an open tree need: kinematics, mass matrix and its factors, bias forces, solve.
void forward_bare(const mjModel* m, mjData* d, int times) {
    for (int k = 0; k < times; ++k) {
        mj_kinematics(m, d);
        mj_comPos(m, d);
        mj_makeM(m, d);
        mj_factorM(m, d);
        mj_comVel(m, d);
        mj_rne(m, d, 0, d->qfrc_bias);
        for (int i = 0; i < m->nv; ++i) d->qacc[i] = -d->qfrc_bias[i];
        mj_solveM(m, d, d->qacc, d->qacc, 1);
    }
}
}
