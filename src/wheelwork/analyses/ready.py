"""A mechanism that is ready to run: derived, reduced and compiled, before the first of many runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.description import Description, ModelError, Simulate
from wheelwork.description.files import description_of
from wheelwork.description.structure import same_structure, snapshot
from wheelwork.lazy import vibration

from .assemble import Assembled, assemble, assembled
from .equilibrium import equilibrium
from .kinematics import inverse, kinematics
from .linear_equations import Linearised
from .linearise import linearise
from .options import merged
from .planned import chosen_reduction, run_options
from .prepare import prepare
from .session import Session
from .simulate import simulate

if TYPE_CHECKING:
    from wheelwork.results import Result

    from .vibration import Campbell, Modes, Sweep

Parameters = Mapping[str, Any] | None


class Ready:
    """A mechanism as it was when it was compiled; every analysis takes other values of parameters first.

    Nothing is derived or compiled in a run, unless a value changes the equations themselves (a number of teeth, say);
    then that is done once for that value. A mechanism that was changed in the meantime is refused: compile it again.

    >>> import wheelwork as ww
    >>> from wheelwork import examples
    >>> ready = ww.load(examples.path("drive-line")).compile()
    >>> runs = [ready.simulate({"drag": drag}, end=0.1) for drag in (0.002, 0.003)]
    """

    def __init__(self, mechanism: Description, **options: Any) -> None:
        self._mechanism, self._description, self._options = mechanism, snapshot(mechanism), options
        self._values = _values(mechanism)
        settings: Any = merged(self._description, Simulate, {"end": 1e9, **options})  # no end is needed here
        run = run_options(settings)
        at = assembled(prepare(self._description, method=run.method, units=True), run.start)
        chosen_reduction(at, run, settings.formulation)

    @property
    def description(self) -> Description:
        """The mechanism as it was compiled; what was compiled may have changed since, which is an error."""
        mechanism = self._mechanism
        if not same_structure(mechanism, self._description) or _values(mechanism) != self._values:
            name = self._mechanism.name
            why = (
                f"`{name}` was changed after it was compiled"
                if name
                else "it was changed after it was compiled"
            )
            raise ModelError(why, hint="call `compile` again")
        return self._description

    def __repr__(self) -> str:
        return f"<ready: {self._description!r}>"

    def simulate(self, parameters: Parameters = None, end: Any = None, **options: Any) -> Result:
        """Motion under forces until `end` [s], options before those of `compile`; see `Mechanism.simulate`."""
        return simulate(self.description, parameters=parameters, **self._settings(end, options))

    def start(self, parameters: Parameters = None, **options: Any) -> Session:
        """A run in pieces: options as those of `simulate`, but without an end; `start` may be a result."""
        settings = self._settings(None, options)
        settings.pop("end", None)
        return Session(self.description, parameters, **settings)

    def _settings(self, end: Any, options: Mapping[str, Any]) -> dict[str, Any]:
        """Options of one run: its own, then those that `compile` was given."""
        return {**self._options, **options, **({} if end is None else {"end": end})}

    def kinematics(self, parameters: Parameters = None, end: Any = None, **options: Any) -> Result:
        """Motion given by the drivers alone until `end` [s]; see `Mechanism.kinematics`."""
        return kinematics(self.description, end, parameters=parameters, **options)

    def inverse(self, parameters: Parameters = None, end: Any = None, **options: Any) -> Result:
        """Driving and reaction forces for the prescribed motion until `end` [s]; see `Mechanism.inverse`."""
        return inverse(self.description, end, parameters=parameters, **options)

    def assemble(self, parameters: Parameters = None, **options: Any) -> Assembled:
        """The consistent position and velocity nearest to the given one; see `Mechanism.assemble`."""
        return assemble(self.description, parameters=parameters, **options)

    def equilibrium(self, parameters: Parameters = None, **options: Any) -> Any:
        """The position in which nothing accelerates; see `Mechanism.equilibrium`."""
        return equilibrium(self.description, parameters=parameters, **options)

    def linearise(self, parameters: Parameters = None, **options: Any) -> Linearised:
        """Linear equations of small motion; see `Mechanism.linearise`."""
        return linearise(self.description, parameters=parameters, **options)

    def modes(self, parameters: Parameters = None, **options: Any) -> Modes:
        """Natural frequencies, damping and mode shapes; see `Mechanism.modes`."""
        return vibration.modes(self.description, parameters=parameters, **options)

    def campbell(self, parameter: str, values: Sequence[float] | np.ndarray, **options: Any) -> Campbell:
        """Modes over a range of a parameter; see `Mechanism.campbell`."""
        return vibration.campbell(self.description, parameter, values, **options)

    def sweep(self, parameter: str, values: Sequence[float] | np.ndarray, **options: Any) -> Sweep:
        """Steady vibration over values of a parameter; see `Mechanism.sweep`."""
        return vibration.sweep(self.description, parameter, values, **options)


def _values(mechanism: Description) -> Any:
    """Of the parameters, and of those in components."""
    inner = [
        (dict(component.parameters), _values(description_of(component, mechanism)))
        for component in mechanism.components.values()
    ]
    return dict(mechanism.parameters), inner
