// The tables of a model, as Python hands them over (wheelwork.engine.native mirrors this layout; keep both in step).
#pragma once

#include "body.hpp"

namespace ww {

// An emitted kernel: straight-line code from pointers to pointers. Tables hold the addresses of kernels, which better code may
// replace at any moment, from another thread: they are read anew for every call.
typedef void (*Kernel)(const double* const* in, double* const* out);

enum Kind { BILATERAL = 0, FRICTION = 1, CONTACT = 2 };

struct Program {
    int bodies, constraints, forces, turns, followed, inputs, tables, frictions, contacts, meshes, events, data_size;
    const double* inertia;      // bodies x INERTIA
    const double* gravity;      // bodies x 3
    const double* data;         // numbers of all elements

    // constraints: a, b, data offset, input, turn (-1: none), rows, kind, first row
    const int* constraint;      // constraints x 8
    const Kernel* full;         // g, G_a, G_b, gamma, nu from a, b, data, input, turns
    const Kernel* residual;     // g
    const Kernel* gamma;        // gamma
    const Kernel* constraint_jacobian;  // may be null

    // forces: number of bodies, first in force_body, data offset, input, number of turns, first in force_turn, first event, events
    const int* force;           // forces x 8
    const int* force_body;
    const int* force_turn;
    const int* force_acting;    // how many of its bodies a force acts on (the first ones)
    const Kernel* wrench;       // V numbers a body from bodies, data, inputs, turns, time
    const Kernel* event;        // may be null
    const Kernel* force_jacobian;

    // relative rotations counted over any number of turns: a, b, data offset (two marker records)
    const int* turn;            // turns x 3

    // followed parameters, in the state after the turns: constraint, how many of them it has; its turn is the first
    int follows;
    const int* follow;          // follows x 2
    const Kernel* following;    // parameters and their rates from a, b, data, inputs, parameters
    // pieces of splines as inputs: parameter, first input, first knot, number of knots
    int curves;
    const int* curve;           // curves x 4
    const double* curve_period; // 0: an open curve
    const double* curve_knots;
    const double* curve_pieces; // knots x 8: four coefficients for x, four for y

    // functions of time: value, first and second derivative of each
    const Kernel* formulas;     // one, from time and its data; null if there are none
    int formula_count, formula_data;
    const int* formula_input;   // input of each formula
    // tables: input index, first knot, number of knots; pieces are cubic: c0 + c1 s + c2 s^2 + c3 s^3, s = t - knot
    const int* table;           // tables x 3
    const double* knots;
    const double* pieces;       // knots x 4

    // friction: joint constraint, friction row (a constraint of kind FRICTION), data offset of (constant part,
    // coefficient, ratio of static to sliding), data offset of load
    const int* friction;        // frictions x 4
    const Kernel* load;         // from body b, load data, wrench on b (force, torque about its centre of mass); null: |lambda|

    // meshes: constraint
    const int* mesh;            // meshes x 1
    const Kernel* separating;   // force of the teeth beyond G^T lambda on a, then on b, from a, b, data, lambda

    // contacts: constraint of kind CONTACT, data offset of (restitution, rest speed)
    const int* contact;         // contacts x 2

    // events of forces: type (see switching.hpp), force
    const int* event_kind;      // events x 2

    // elimination plan of the multipliers
    const int* order;
    const int* below_start;
    const int* below_node;
    const int* update_start;
    const int* update;
    // off-diagonal blocks of S: block, node of rows, side (0: a, 1: b), node of columns, side
    int couplings;
    const int* coupling;        // couplings x 5
    // bodies whose accelerations stay unknowns beside the multipliers: nodes of the plan after the constraints
    int hubs;
    const int* hub;             // bodies
    // blocks between constraints and hubs: block, constraint, side, node of the hub, whether the constraint goes first
    int hub_ties;
    const int* hub_tie;         // hub_ties x 5
};

}  // namespace ww
