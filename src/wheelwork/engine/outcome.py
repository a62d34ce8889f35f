"""How a run ended, as an enumeration, and the texts that say what to do about it."""

from __future__ import annotations

from enum import IntEnum

from wheelwork.lazy import dataclass

STATE_MACHINE = "state machine "
"""Before the name of one that changes without end."""


class Outcome(IntEnum):
    """How a run ended; the numbers are those of ``core/run_options.hpp``."""

    REACHED_END = 0
    """It went as far as it was asked to."""
    INTERRUPTED = 1
    """Ctrl-C or SIGTERM, or the progress function asked to stop."""
    TOO_MANY_STEPS = 2
    """`max_steps` were not enough."""
    STEP_TOO_SMALL = 3
    """No step was small enough for the tolerances."""
    NOT_FINITE = 4
    """A force or constraint returned a number that is not finite."""
    CONSTRAINTS_LOST = 5
    """Positions could not be brought back onto the constraints; of a driven motion: lock-up."""
    NEWTON_FAILED = 6
    """The equations of an implicit stage could not be solved."""
    FRICTION_UNSOLVED = 7
    """No friction forces fit the reactions that they themselves cause."""
    STOPPED_BY_EVENT = 8
    """An event ended the run as it was meant to."""
    TOO_MANY_EVENTS = 9
    """More than 500 events one right after the other."""
    TEETH_SKIPPED = 10
    """The load pushed a tooth of a mesh past the next one."""
    TEETH_TOO_DEEP = 11
    """It went as far as it was asked to, but teeth were pressed into each other deeper than their model holds."""
    UNSTABLE = 12
    """A fixed step was too long: the motion grew without bound."""
    BRANCH_IN_DOUBT = 13
    """It went as far as it was asked to, but through a singular position without stabilisation."""
    CLUTCH_REFUSED = 14
    """Dogs were asked to close at too high a speed, or a one-way clutch began against its direction."""
    CONTROLLER_FAILED = 30
    """A controller raised an error, or returned NaN or infinity."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")

    @property
    def good(self) -> bool:
        """Whether the run went as far as it was asked to."""
        return self in (Outcome.REACHED_END, Outcome.STOPPED_BY_EVENT)


_TEXTS = {
    Outcome.REACHED_END: "reached the end",
    Outcome.INTERRUPTED: "interrupted; everything up to there is kept",
    Outcome.TOO_MANY_STEPS: (
        "gave up after {steps} steps, the last of {step:.1e} s. Raise `max_steps`, or loosen `rtol`; if the model is "
        "stiff, take method `sdirk4`"
    ),
    Outcome.STEP_TOO_SMALL: (
        "the step became too small ({step:.1e} s). The model is stiff or has a jump: take method "
        "`sdirk4`, or loosen `rtol` and `atol`"
    ),
    Outcome.NOT_FINITE: (
        "a force, constraint or block returned a number that is not finite. Check the formulas and lengths"
        " used there; with a fixed step, make `step` smaller"
    ),
    Outcome.CONSTRAINTS_LOST: (
        "the constraints could not be met. The mechanism cannot go on (it locks), or the step is "
        "too large: make `step` smaller or `rtol` tighter"
    ),
    Outcome.UNSTABLE: (
        "the motion grows without bound, because the fixed step of {step:.3g} s is too long for the stiffest part. "
        "Make `step` smaller, or take method `dopri5`, or `sdirk4` for stiff models"
    ),
    Outcome.NEWTON_FAILED: "the implicit equations could not be solved. Make `step` smaller or `rtol` tighter",
    Outcome.FRICTION_UNSOLVED: (
        "no consistent friction forces were found. Friction coefficients may be so large that "
        "joints jam (self-locking) while something rigid moves them: lower `friction`, `coefficient` or `radius`; "
        "drive a self-locking worm at the worm and not at its wheel, or by a torque instead of a prescribed motion"
    ),
    Outcome.STOPPED_BY_EVENT: "stopped by an event",
    Outcome.TOO_MANY_EVENTS: (
        "events follow each other without end. Raise `rest_speed` of a contact or take a compliant law; "
        "give a joint viscous friction beside the dry"
    ),
    Outcome.TEETH_SKIPPED: (
        "the teeth of {element} skipped: they were pushed past each other. Give them more `stiffness`, or less load; "
        "`skipping: count` goes on and counts them"
    ),
    Outcome.TEETH_TOO_DEEP: (
        "reached the end, but the teeth of {element} were pressed into each other by more than a quarter of their "
        "thickness, where no model of teeth is valid. Give them more `stiffness` or `damping`, or less load; "
        "`skipping: count` takes it as it is"
    ),
    Outcome.CONTROLLER_FAILED: "{element}; everything up to there is kept",
    Outcome.BRANCH_IN_DOUBT: (
        "reached the end, but without stabilisation it went through a singular position, where a mechanism whose "
        "constraints have drifted can come out on another branch. Take `stabilisation: projection`"
    ),
    Outcome.CLUTCH_REFUSED: (
        "{element} cannot close at a difference of speeds of {speed:.6g} rad/s: its dogs engage up to {allowed:.6g} "
        "rad/s. Bring the shafts to one speed before (a `synchroniser` does), or raise `closing_speed`"
    ),
}


_ENDLESS_CHANGES = (
    "{element} changes from mode to mode without end: one condition after the other is true at this moment. Make them "
    "exclude each other, or let a mode last for a time (`NAME.time >= 0.1`)"
)
_KEPT_TURNING = (
    "{element} cannot close: drivers or other rigid parts keep a difference of speeds of {speed:.6g} rad/s between its "
    "shafts. Let one of the shafts turn freely"
)
_AGAINST_ITS_DIRECTION = (
    "{element} cannot hold shafts whose speeds differ by {speed:.6g} rad/s already, against the direction in which it "
    "turns freely. Change `free`, or the speeds at the start"
)
_RUNS_AWAY = (
    "{what}: {body} is accelerated by {acceleration}. Is a force, torque, stiffness, mass or inertia wrong, or its "
    "unit?"
)
_OF_STEPS = (
    Outcome.TOO_MANY_STEPS,
    Outcome.STEP_TOO_SMALL,
    Outcome.NOT_FINITE,
    Outcome.NEWTON_FAILED,
)
_NAMED = (Outcome.TEETH_SKIPPED, Outcome.CLUTCH_REFUSED, Outcome.CONTROLLER_FAILED)
"""Their words have the element already."""


@dataclass(frozen=True)
class RunReport:
    """The end of a run: outcome, time, the element with the largest residual, counts."""

    outcome: Outcome
    t: float
    """When it ended, s."""
    worst_element: str
    """The joint, driver or contact with the largest residual, the force that returned a number that is not finite, or
    the mesh whose teeth skipped."""
    worst_residual: float
    """That residual, m or rad."""
    last_step: float
    """Its size, s."""
    steps: int
    """How many were accepted."""
    rejected: int
    """Steps made again with a smaller size."""
    evaluations: int
    """Of the accelerations."""
    factorisations: int
    """Of the matrix of the multipliers."""
    newton_iterations: int = 0
    """In stages of the implicit method."""
    formulation: str = "absolute"
    """Coordinates in which the motion was integrated: `absolute`, or `reduced` with what that means here."""
    teeth: str = ""
    """Which teeth skipped or were pressed too deep, how many and when first; empty where none did."""
    locks: str = ""
    """What friction stopped in an instant, how often and when first; empty where nothing."""
    amplification: float = 0.0
    """Where friction has no answer: how much more of it each newton of it causes in `worst_element`; 0: not known."""
    refused_speed: float = 0.0
    """At which the clutch in `worst_element` was asked to close, rad/s."""
    allowed_speed: float = 0.0
    """Up to which it closes, rad/s; 0 for a one-way clutch that began against its direction."""
    runaway: tuple[str, str] | None = None
    """A body that is accelerated beyond all measure at the end, and by how much with its unit."""
    seconds: float = 0.0
    """Time that the run itself took, by the clock, s; without deriving and compiling equations."""

    @property
    def text(self) -> str:
        """One sentence or two for people."""
        words = _TEXTS[self.outcome]
        if self.outcome is Outcome.CLUTCH_REFUSED and abs(self.refused_speed) <= self.allowed_speed:
            words = _KEPT_TURNING
        elif self.outcome is Outcome.CLUTCH_REFUSED and not self.allowed_speed:
            words = _AGAINST_ITS_DIRECTION
        endless = self.outcome is Outcome.TOO_MANY_EVENTS and self.worst_element.startswith(STATE_MACHINE)
        if endless:
            words = _ENDLESS_CHANGES
        text = words.format(
            steps=self.steps,
            step=self.last_step,
            element=self.worst_element,
            speed=self.refused_speed,
            allowed=self.allowed_speed,
        )
        where = f"t = {self.t:.6g} s: {text}"
        if self.runaway is not None and self.outcome in _OF_STEPS:
            body, acceleration = self.runaway
            where = _RUNS_AWAY.format(what=where.partition(". ")[0], body=body, acceleration=acceleration)
            stiff = self.outcome is Outcome.TOO_MANY_STEPS
            return f"{where} If all is meant so, take method `sdirk4`" if stiff else where
        if self.outcome is Outcome.NOT_FINITE and self.worst_element:
            where += f". It came from {self.worst_element}"
        elif self.outcome is Outcome.FRICTION_UNSOLVED and self.amplification:
            where += f". In {self.worst_element} each newton of friction causes {self.amplification:.3g} N more of it"
        elif self.teeth and self.outcome is not Outcome.TEETH_SKIPPED:
            where += f". {self.teeth[0].upper()}{self.teeth[1:]}"
        elif self.worst_element and not (self.outcome.good or self.outcome in _NAMED or endless):
            where += f". Largest constraint residual: {self.worst_residual:.1e} in {self.worst_element}"
        if self.locks:
            where += f". {self.locks[0].upper()}{self.locks[1:]}"
        return where
