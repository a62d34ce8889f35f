// The reduced formulation: a system like any other for the integration methods, which see no more of it than its base class.
#include "guarded.hpp"
#include "reduced.hpp"

using namespace ww;

extern "C" {

ReducedSystem* ww_reduced_create(System* system, const TreeTables* tables) {
    return made([&] { return new ReducedSystem(system->P, *tables, system->schur.factor_maker); });
}
void ww_reduced_destroy(ReducedSystem* system) { delete system; }
int ww_reduced_size(const ReducedSystem* system) { return system->n; }

// The state with given rates at the position where the tree is at rest.
int ww_reduced_start(ReducedSystem* system, const double* absolute, const double* rates, double* y) {
    return guarded([&] { system->start(absolute, rates, y); });
}

int ww_reduced_repeat(ReducedSystem* system, double t, const double* y, double* dy, int times) {
    return guarded([&] {
        for (int k = 0; k < times; ++k) system->derivative(t, y, dy);
    });
}

// The same state in absolute coordinates, and, where they are asked for, accelerations of the bodies and multipliers.
int ww_reduced_absolute(ReducedSystem* system, double t, const double* y, double* state, double* acceleration, double* multipliers) {
    return guarded([&] {
        const System& absolute = system->absolute;
        const double* stored = acceleration ? system->stored_state(t, y) : system->absolute_state(y);
        std::copy(stored, stored + absolute.n, state);
        if (!acceleration) return;
        std::copy(absolute.kkt.acceleration.begin(), absolute.kkt.acceleration.begin() + absolute.frames.nv, acceleration);
        for (int c = 0, k = 0; c < absolute.P.constraints; ++c)
            for (int p = 0; p < absolute.constraints.rows[c]; ++p) multipliers[k++] = lane(absolute.kkt.multiplier[c], p);
    });
}

// Mass matrix and generalised forces (f such that M u'' = f) at a state; M by rows, n x n.
int ww_reduced_equations(ReducedSystem* system, double t, const double* y, double* M, double* f) {
    return guarded([&] { system->equations(t, y, M, f); });
}
}
