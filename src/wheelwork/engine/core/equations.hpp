// What an integration sees of a mechanism, whatever its coordinates: y' = f(t, y), and how a state comes back onto the constraints.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "carried.hpp"

namespace ww {

class System;

class EquationsOfMotion {
  public:
    explicit EquationsOfMotion(System& system) : absolute(system) {}
    EquationsOfMotion(const EquationsOfMotion&) = delete;
    virtual ~EquationsOfMotion() = default;

    System& absolute;  // the mechanism in absolute coordinates: its elements, modes and reactions
    int n = 0;         // numbers in a state
    int first_state = 0;  // where the elements' own states begin in it

    // Afterwards, accelerations of the bodies and multipliers are in `absolute` if its coordinates are these.
    virtual void derivative(double t, const double* y, double* dy) = 0;

    // The same with the velocities in y first brought onto G v = nu.
    virtual void derivative_on_manifold(double t, double* y, double* dy) = 0;

    // Events of all forces where the derivative was last evaluated, if it gave them too.
    virtual bool read_events(double*) const { return false; }

    // Evaluates what the next two take from the last evaluation, at a state on the constraints near theirs: they then find the same
    // whatever was evaluated before.
    virtual void approach(double, double*) {}

    // The state at the end of a step: brought onto the constraints; and its derivative. False if the constraints cannot be met.
    virtual bool arrive(double t, double* y, double* dy, double tolerance) = 0;

    // The same without forces and accelerations.
    virtual bool meet_constraints(double t, double* y, double tolerance) = 0;

    virtual void normalise(double* y) const = 0;

    // The state's followed parameters brought to where they were last found.
    virtual void settle(double* y) const = 0;

    // Whether more rows depend on each other here than elsewhere in the motion.
    virtual bool near_singular_position() const = 0;

    // Whether what pushes teeth apart can move anything: at a state on the constraints, whose equations were just evaluated, and
    // beside it. At a special position, as with two wheels and the pivot of an arm in line, it may move nothing just there.
    virtual void examine_meshes(double t, const double* y) = 0;

    // What stays from one step to the next.
    virtual void carry(Carried& c) = 0;

    // What a run stores: the state in absolute coordinates, and with `stored_state` accelerations and multipliers, which are left in
    // `absolute`.
    virtual const double* absolute_state(const double* y) = 0;
    virtual const double* stored_state(double t, const double* y) = 0;

    // Where the velocities are in the state, and their number.
    virtual std::pair<int, int> place_of_velocities() const = 0;

    // Sizes from which on entries of the state count as no larger, for the errors of steps: one radian for angles.
    virtual void cap_sizes(double* cap) const = 0;

    // Largest residual of the joints at a state, and where.
    virtual double final_residual(double t, const double* y, int* where) = 0;

    // ---- what modes ask (switching.hpp), of constraints with one row, where the equations were last evaluated

    // Frames, rows and factors at a state, with the constraints that are active now.
    virtual void look(double t, const double* y) = 0;
    virtual double gap_of(int c) const = 0;
    virtual double rate_along(int c) = 0;
    virtual double acceleration_along(int c) const = 0;
    virtual double kinetic_energy(const double* y) = 0;
    // Whether the row of a constraint that is not active is held by those that are.
    virtual bool held(int c) = 0;
    // What the multiplier of c is wrong by from round-off.
    virtual double round_off(int c) const = 0;
    // Whether the acceleration along c is more than round-off. Where c is to hold: whether others move it, a driver, say.
    virtual bool accelerated(int c) = 0;
    // The jump with which all active constraints are kept, and what strikes leaves at its speed in `rebound` (of each constraint, m/s);
    // impulses of each. Needs `look` first.
    virtual void strike(double* y, const std::vector<double>& rebound, std::vector<double>& impulse) = 0;
    // See `LoadDependent::stop`; the velocities in y jump.
    virtual bool stop_sliding(int k, double* y, double* impulse) = 0;
};

}  // namespace ww
