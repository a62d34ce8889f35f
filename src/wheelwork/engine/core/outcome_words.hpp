// Why a run ended, in words for those who have no other.
#pragma once

#include "guarded.hpp"
#include "run.hpp"

namespace ww {

inline const char* outcome_words(int outcome) {
    switch (outcome) {
        case TOO_MANY_STEPS: return "gave up after too many steps";
        case STEP_TOO_SMALL: return "no step is small enough for the tolerances";
        case NOT_FINITE: return "a force, constraint or block returned a number that is not finite";
        case CONSTRAINTS_LOST: return "positions cannot be brought back onto the constraints";
        case NEWTON_FAILED: return "the equations of an implicit stage could not be solved";
        case FRICTION_UNSOLVED: return "no friction forces fit the reactions that they themselves cause";
        case TOO_MANY_EVENTS: return "too many events one right after the other";
        case TEETH_SKIPPED: return "the load pushed a tooth of a mesh past the next one";
        case TEETH_TOO_DEEP: return "teeth were pressed into each other deeper than their model holds";
        case UNSTABLE: return "the fixed step is too long: the motion grew without bound";
        case BRANCH_IN_DOUBT: return "it went through a singular position without stabilisation";
        case CLUTCH_REFUSED: return "a clutch was asked to close at too high a speed";
        case OUT_OF_MEMORY: return out_of_memory;
        default: return failed_inside;
    }
}

}  // namespace ww
