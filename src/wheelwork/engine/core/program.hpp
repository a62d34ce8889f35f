// The tables of a model, as Python hands them over. wheelwork.engine.records reads the structs here (and `Options`, `Report`,
// `ImplicitTables`, `TreeTables` in their files) from this text: fields are numbers, pointers, arrays and structs before them, one declaration a line.
#pragma once

#include "body.hpp"

namespace ww {

// Kernels are called as on Linux wherever the core runs, so that one piece of code serves all systems of a kind of processor (FMUs).
#if defined(_WIN32) && defined(__x86_64__)
#define WW_KERNEL __attribute__((sysv_abi))
#else
#define WW_KERNEL
#endif

// An emitted kernel: straight-line code from pointers to pointers. Tables hold the addresses of kernels, which better code may
// replace at any moment, from another thread: they are read anew for every call.
typedef void (WW_KERNEL *Kernel)(const double* const* in, double* const* out);

enum Kind { BILATERAL = 0, FRICTION = 1, CONTACT = 2 };

// Rows of tables. An index of -1 means ground (a body) or none (an input, a turn).

struct ConstraintRow {
    int sides, first_side;  // how many bodies it touches, and the first of them in `Program::constraint_body`
    int data;               // where its numbers begin in `Program::data`
    int input;
    int turns, first_turn;  // as with bodies, in `Program::constraint_turn`
    int rows, kind, first_row;
    int speeds;             // how many of the rows, the last ones, hold speeds and no positions
    int points;             // whether it holds points of two bodies together, see `ConstraintKernel.holds_points`
};

struct ForceRow {
    int bodies, first_body;  // how many it sees, and the first of them in `Program::force_body`
    int acting;              // on how many of them it acts: the first ones
    int data, input;
    int turns, first_turn;   // as with bodies, in `Program::force_turn`
    int first_event, events;
    int first_state, states;  // of its own, in the state after the followed parameters
    int sample;               // where its `SampleNumbers` are in `Program::data`, or -1
};

// A relative rotation counted over any number of turns; data: two marker records.
struct TurnRow {
    int a, b, data;
};

// Followed parameters of a constraint, in the state after the turns: these are its turns.
struct FollowRow {
    int constraint, count;
};

// A cubic polynomial c0 + c1 s + c2 s^2 + c3 s^3 behind a knot, s = t - knot; a piece of a curve has one for each coordinate.
struct CubicPiece {
    double c[4];
};

struct CurvePiece {
    CubicPiece x, y;
};

// The piece of a spline at a parameter as inputs.
struct CurveRow {
    int parameter, input, first_knot, knots;
};

// A function of time in cubic pieces.
struct TableRow {
    int input, first_knot, knots;
};

// Dry friction; row: the constraint of kind FRICTION that holds the joint while it sticks; data: its `FrictionNumbers`, behind which those
// with dogs have their `DogNumbers`. limits: the first of four
// values of a force's events which are the constant part where it varies (see `FrictionLimit`), or -1; dogs: the first of three that
// dogs go by (see `DogValue`), or -1. geared: whether it is that of a ratio, which loses less in one direction than in the other.
struct FrictionRow {
    int joint, row, data, load_data;
    int limits, dogs;
    int geared;
};

// constraint: of kind CONTACT; data: its `ContactNumbers`.
struct ContactRow {
    int constraint, data;
};

// What stands in `Program::data` for some of these.

struct FrictionNumbers {
    double constant, coefficient, static_ratio;  // N or N m; ratio of static friction to that of sliding
};

struct DogNumbers {
    double closing_speed, waits, play;  // up to which they close, rad/s; whether they wait for it; in which they fit, rad (0: at any angle)
};

struct ContactNumbers {
    double restitution, rest_speed;
};

struct SampleNumbers {
    double period, first;  // s
};

// An event of a force; type: see switching.hpp; mode: 1 where a kink is a change of its mode, of which both
// sides are kept, 2 where it begins to touch as the value gets above zero; else 0.
struct EventRow {
    int type, force, mode;
};

// An off-diagonal block of S: its constraints, and by which of their bodies.
struct CouplingRow {
    int block, row, row_side, column, column_side;
};

// A block between a constraint and a hub.
struct HubTieRow {
    int block, constraint, side, node, constraint_first;
};

// A change of a block by an elimination: target -= left right^T, of blocks below the diagonal; target < 0: diagonal of node ~target.
struct UpdateRow {
    int left, right, target;
};

// Order of elimination of a block-sparse matrix, and where it fills in (wheelwork.engine.plan).
struct EliminationPlan {
    int nodes, hubs;
    const int* order;         // node eliminated at each step
    const int* below_start;   // range of off-diagonal blocks of each step (nodes + 1)
    const int* below_node;    // node of each off-diagonal block
    const int* update_start;  // range of updates of each step (nodes + 1)
    const UpdateRow* update;
};

struct Program {
    int bodies, constraints, forces, turns, followed, states, measured, inputs, tables, frictions, contacts, meshes, events, data_size;
    const double* inertia;      // bodies x INERTIA
    const double* gravity;      // bodies x 3
    const double* data;         // numbers of all elements

    const ConstraintRow* constraint;
    const int* constraint_body;
    const int* constraint_turn;
    const Kernel* full;         // g, G of each body, gamma, nu from bodies, data, input, turns
    const Kernel* residual;     // g
    const Kernel* gamma;        // gamma
    const Kernel* constraint_jacobian;  // may be null

    const ForceRow* force;
    const int* force_body;
    const int* force_turn;
    const Kernel* wrench;       // V numbers per body from bodies, data, inputs, turns, time
    const Kernel* event;        // may be null
    const Kernel* rate;         // rates of its states, from the same; may be null
    // signals that formulas read once the accelerations are known, behind the states where forces look for their turns: one function, from
    // time, state, accelerations, multipliers of all rows, friction forces, inputs and data; null if there are none
    const Kernel* measuring;
    const Kernel* jump;         // its states after a sample, or after a change of mode; may be null
    const Kernel* force_jacobian;

    const TurnRow* turn;

    int follows;
    const FollowRow* follow;
    const Kernel* following;    // parameters and their rates from a, b, data, inputs, parameters
    int curves;
    const CurveRow* curve;
    const double* curve_period; // 0: an open curve
    const double* curve_knots;
    const CurvePiece* curve_pieces;

    // functions of time: value, first and second derivative of each
    const Kernel* formulas;     // one, from time and its data; null if there are none
    int formula_count, formula_data;
    const int* formula_input;   // input of each formula
    const TableRow* table;
    const double* knots;
    const CubicPiece* pieces;

    const FrictionRow* friction;
    // from body b, load data, wrench on b (force, torque about its centre of mass); of a ratio from |lambda| and load data: friction
    // while a drives, and while b drives; null: |lambda|
    const Kernel* load;

    const int* mesh;            // constraint of each
    const Kernel* separating;   // force of the teeth beyond G^T lambda on a, then on b, from a, b, data, lambda

    const ContactRow* contact;
    const EventRow* event_kind;

    // the multipliers: nodes are the constraints, then the hubs, bodies whose accelerations stay unknowns beside them
    EliminationPlan plan;
    int couplings;
    const CouplingRow* coupling;
    const int* hub;             // bodies
    int hub_ties;
    const HubTieRow* hub_tie;
};

template <class Numbers>
const Numbers& numbers_at(const Program& P, int place) { return *reinterpret_cast<const Numbers*>(P.data + place); }

inline const FrictionNumbers& numbers_of(const Program& P, const FrictionRow& F) { return numbers_at<FrictionNumbers>(P, F.data); }
inline const ContactNumbers& numbers_of(const Program& P, const ContactRow& C) { return numbers_at<ContactNumbers>(P, C.data); }
inline const DogNumbers& dogs_of(const Program& P, const FrictionRow& F) {
    return numbers_at<DogNumbers>(P, F.data + int(sizeof(FrictionNumbers) / sizeof(double)));
}

}  // namespace ww
