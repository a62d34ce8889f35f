// What a run is asked for, and what it says in the end. wheelwork.engine.records reads this text.
#pragma once

#include "switching.hpp"

namespace ww {

enum Outcome {
    REACHED_END = 0,
    INTERRUPTED = 1,
    TOO_MANY_STEPS = 2,
    STEP_TOO_SMALL = 3,
    NOT_FINITE = 4,
    CONSTRAINTS_LOST = 5,
    NEWTON_FAILED = 6,
    FRICTION_UNSOLVED = 7,
    STOPPED_BY_EVENT = 8,
    TOO_MANY_EVENTS = 9,
    TEETH_SKIPPED = 10,
    TEETH_TOO_DEEP = 11,
    UNSTABLE = 12,
    BRANCH_IN_DOUBT = 13,
    CLUTCH_REFUSED = 14,
};

struct Options {
    double start, end, step, rtol, atol, projection_tolerance, event_tolerance, smallest_step, largest_step;
    long long max_steps;
    int store_steps;
    int stop_at_skip;
    int states_only;  // whether accelerations, multipliers and friction forces are left out of the records
    int (*progress)(double t, long long steps);  // called now and then; an odd answer: stop; 2 or 3: call `keep` first
    const double* corners;  // times at which functions of time are not smooth: no step goes over one
    int corner_count;
    // what was found since the last call, and what a run needs to go on from here (`Carried`)
    void (*keep)(const double* records, long long numbers, const double* sides, long long side_numbers, const EventRecord* events, long long count,
                 const char* carried, long long bytes);
    const char* carried;  // from a run that ended here; null for one that begins
    long long carried_bytes;
    int refresh;     // whether numbers of the elements are others than in the run from which `carried` is
    const double* held;  // then: the elements' own states, not a number for those that stay as they are; may be null
    int hand_over;   // see `HandOver`
    double until;    // where a run ends whose steps do not know of it; infinite for one that goes to `end`
};

// What a run leaves for another that goes on from its end: nothing, the last state from which on its steps are those of a longer run,
// or the end itself.
enum HandOver { NOTHING = 0, AS_IF_LONGER = 1, THE_END = 2 };

struct Report {
    int outcome;
    int worst_constraint;
    int bad_force;  // the force that returned a number that is not finite, or whose teeth skipped; or -1
    double t, worst_residual, last_step;
    double amplification;  // of the friction that could not be solved, in the worst constraint; 0: not known
    double furthest;       // time up to which the steps looked for corners
    double refused_speed;  // at which a clutch, in the worst constraint, was asked to close ...
    double allowed_speed;  // ... and up to which it does; 0: it is a one-way clutch that began against its direction
    long long steps, rejected, evaluations, factorisations, newton_iterations;
};

// Numbers in one output record: time, state; unless these are all, accelerations, multipliers, friction forces.
inline size_t record_size(const System& S, bool states_only = false) {
    size_t rows = 0;
    if (states_only) return 1 + S.n;
    for (int r : S.constraints.rows) rows += r;
    return 1 + S.n + S.frames.nv + rows + S.P.frictions;
}

}  // namespace ww
