"""What to compute, with which settings; a description may carry it so that a file can be run as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from wheelwork.description.base import Evaluate, Issue, Part
from wheelwork.description.union import ByType
from wheelwork.description.values import AngularSpeed, Number, Time

if TYPE_CHECKING:
    from wheelwork.description.description import Description

WholeNumber = Annotated[int, Field(strict=True, ge=1)]


class Projection(Part):
    """Positions and velocities are put back onto the constraints after each step.

    Fields:
        tolerance [m or rad]: constraint error allowed to remain
    """

    type: Literal["projection"] = "projection"
    tolerance: Number = 1e-10


class Baumgarte(Part):
    """Feedback of constraint errors into the accelerations: g'' + 2 alpha g' + beta^2 g = 0.

    Fields:
        alpha [1/s]: on the velocity error
        beta [1/s]: on the position error
    """

    type: Literal["baumgarte"] = "baumgarte"
    alpha: Number = 10.0
    beta: Number = 10.0


class AugmentedLagrangian(Part):
    """Penalty formulation with iterated multipliers (index 3 penalty replaced by a damped oscillator on g).

    Fields:
        penalty [kg]: weight of the constraint oscillator
        omega [rad/s]: its natural frequency
        mu [1]: its damping ratio
        iterations: of the multipliers, at most
        tolerance [1]: change of the multipliers at which to stop
    """

    type: Literal["augmented_lagrangian"] = "augmented_lagrangian"
    penalty: Number = 1e7
    omega: AngularSpeed = 10.0
    mu: Number = 1.0
    iterations: WholeNumber = 20
    tolerance: Number = 1e-8


class NoStabilisation(Part):
    """Constraints hold at acceleration level only, and drift.

    Fields: none.
    """

    type: Literal["none"] = "none"


Stabilisation = Annotated[Projection | Baumgarte | AugmentedLagrangian | NoStabilisation, ByType()]


class Analysis(Part):
    """What a user names in the section `analysis`: its settings as fields, and what makes it."""

    family: ClassVar[str] = "analyses"
    # Whether it takes `part` and `resume`: a file that keeps what it has done, and from which it goes on.
    goes_on: ClassVar[bool] = False
    # Whether it is of vibration: it finds arrays with figures of their own, not signals over time.
    of_vibration: ClassVar[bool] = False

    def run(
        self, description: Description, *, parameters: Mapping[str, Any] | None = None, **options: Any
    ) -> Any:
        """What it finds: a `Result`, an `Assembled` state, or an object with `to_dataset`. Those of Wheelwork, and what
        is derived from them without a `run` of its own, are made by `wheelwork.analyses.run`.

        parameters: other values; options: settings that win over these fields (`wheelwork.analyses.options.merged`)
        """
        raise NotImplementedError

    @classmethod
    def lacking(cls) -> Iterator[str]:
        yield from super().lacking()
        bases = [base for base in cls.__mro__ if issubclass(base, Analysis) and base is not Analysis]
        ours = any(base.__module__.startswith("wheelwork.description.") for base in bases)
        if cls.run is Analysis.run and not ours:
            yield "run"


class _Interval(Analysis):
    """From one time to another.

    Fields:
        end [s]: when to stop
        start [s]: when to begin
        output: number of equal intervals between saved points
    """

    start: Time = 0.0
    end: Time
    output: WholeNumber = 200
    goes_on = True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        start, end = value(self.start), value(self.end)
        if start is not None and end is not None and end <= start:
            yield Issue("end", f"must be later than the start at {start:g} s, but is {end:g} s")


class Simulate(_Interval):
    """Motion under forces.

    Fields:
        method: `dopri5` (explicit, adaptive), `dop853` (the same of order 8, for tight tolerances), `rk4` (fixed step),
            `sdirk4` (implicit, stiff)
        step [s]: fixed step of `rk4`, first step of the others; chosen where left out
        rtol [1]: relative error allowed in a step
        atol [1]: absolute error allowed in a step
        max_steps: after which to give up
        stabilisation: how constraints are kept
        formulation: `absolute` coordinates of all bodies, or `reduced`: minimal coordinates; `auto` takes `reduced`
            with gear meshes or many bodies, where joints form a tree with constant ratios
        skipping: what to do where compliant or contacting teeth skip, or are pressed deeper than a quarter of their
            thickness: `stop`, or `count` skipped teeth and go on
    """

    type: Literal["simulate"] = "simulate"
    output: WholeNumber = 500
    method: Literal["dopri5", "dop853", "rk4", "sdirk4"] = "dopri5"
    step: Time | None = None
    rtol: Number = 1e-8
    atol: Number = 1e-10
    max_steps: WholeNumber = 10_000_000
    stabilisation: Stabilisation = Projection()
    formulation: Literal["auto", "absolute", "reduced"] = "auto"
    skipping: Literal["stop", "count"] = "stop"
    positive = ("step", "rtol", "atol")

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if self.method == "rk4" and self.step is None:
            yield Issue("step", "`rk4` has a fixed step and needs `step`")


class Kinematics(_Interval):
    """Motion given by the drivers alone."""

    type: Literal["kinematics"] = "kinematics"


class Inverse(_Interval):
    """Driving and reaction forces for a prescribed motion."""

    type: Literal["inverse"] = "inverse"


class Equilibrium(Analysis):
    """Position in which nothing accelerates.

    Fields:
        tolerance [1]: residual at which to stop
    """

    type: Literal["equilibrium"] = "equilibrium"
    tolerance: Number = 1e-10


class Assemble(Analysis):
    """Position that satisfies all joints, near the given one.

    Fields: none.
    """

    type: Literal["assemble"] = "assemble"
