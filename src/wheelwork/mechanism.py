"""The class users work with: a description that can be checked, changed, saved and run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wheelwork import layout
from wheelwork.description.changes import changed
from wheelwork.description.description import COLLECTIONS, Description
from wheelwork.description.read import load as _load
from wheelwork.description.read import loads as _loads
from wheelwork.description.write import dumps, save
from wheelwork.lazy import analyses, formulas, link_forces, notebook, player, trains, vibration

if TYPE_CHECKING:
    import numpy as np

    from wheelwork.analyses import Assembled, CheckReport
    from wheelwork.analyses.link_forces import LinkForces
    from wheelwork.analyses.reduction.dynamics import MinimalCoordinates
    from wheelwork.analyses.vibration import Campbell, FrequencyResponse, Modes, Stability, Sweep
    from wheelwork.results import Result
    from wheelwork.show.player.viewer import Viewer
    from wheelwork.trains import TrainGraph


class Mechanism(Description):
    """A mechanism: bodies, joints, forces and drivers, and the analyses that can be made of it.

    Every analysis takes its options by name; see the function of the same name in `wheelwork.analyses`.

    Fields:

    >>> import wheelwork as ww
    >>> m = ww.Mechanism("pendulum", parameters={"length": "0.5 m"})
    >>> bob = m.add("bob", ww.Body(mass="1 kg", inertia=(0.01, 0.01, 0.01), position=("length", 0, 0)))
    >>> hinge = m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    >>> longer = m.with_parameters(length="80 cm")
    """

    def with_parameters(self, values: Mapping[str, Any] | None = None, /, **named: Any) -> Mechanism:
        """A copy with other values for some parameters: numbers, quantities (`80um`) or formulas.

        Parameters of components go by their full names: `m.with_parameters({"stage2.backlash": "80 um"})`.
        """
        return changed(self, {**(values or {}), **named})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the mechanism to a YAML file."""
        save(self, path)

    def to_yaml(self) -> str:
        """The mechanism as YAML text."""
        return dumps(self)

    def check(self, *, parameters: Mapping[str, Any] | None = None) -> CheckReport:
        """Assemble, and report degrees of freedom, redundant constraints and misfits.

        >>> import wheelwork as ww
        >>> from wheelwork import examples
        >>> ww.load(examples.path("pendulum")).check().freedoms_by_rank
        1
        """
        return analyses.check(self, parameters=parameters)

    def assemble(
        self, *, parameters: Mapping[str, Any] | None = None, time: float = 0.0, far: bool = False
    ) -> Assembled:
        """The consistent position and velocity nearest to the given one; `time=` for drivers that depend on it,
        `far=True` from a rough sketch."""
        return analyses.assemble(self, parameters=parameters, time=time, far=far)

    def simulate(self, end: Any = None, **options: Any) -> Result:
        """Motion under forces until `end` [s].

        Further settings by name: `start`, `output`, `method`, `step`, `rtol`, `atol`, `max_steps`, `stabilisation`,
        `formulation`, `skipping`; `parameters`, `store_steps`, `progress`; `part`, a file that keeps what is
        done, and `resume` to go on from it. What is left out comes from the `analysis` section.
        """
        return analyses.simulate(self, end=end, **options)

    def compile(self, **options: Any) -> analyses.Ready:
        """The mechanism ready to run: derived, reduced and compiled, for many runs with other values of parameters.

        Runs of the mechanism itself reuse equations as well; this does the work before the first of them. Options of
        `simulate` given here are those of its runs and runs in pieces, unless these are given others.

        >>> import wheelwork as ww
        >>> from wheelwork import examples
        >>> ready = ww.load(examples.path("drive-line")).compile()
        >>> r = ready.simulate({"drag": 0.003}, start=0, end=0.1)
        """
        return analyses.Ready(self, **options)

    def kinematics(self, end: Any = None, **options: Any) -> Result:
        """Motion given by the drivers alone until `end` [s], every freedom driven. Further: `start`, `output`."""
        return analyses.kinematics(self, end=end, **options)

    def inverse(self, end: Any = None, **options: Any) -> Result:
        """Driving and reaction forces for the prescribed motion until `end` [s]. Further: `start`, `output`."""
        return analyses.inverse(self, end=end, **options)

    def equilibrium(self, **options: Any) -> Any:
        """The position in which nothing accelerates, near the given one, as an `Assembled` state; `tolerance=`."""
        return analyses.equilibrium(self, **options)

    def linearise(
        self,
        *,
        at: Any = "assembled",
        time: float = 0.0,
        at_phase: float | None = None,
        frame: str | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> Any:
        """Linear equations of small motion about the assembled position, or `at=` another, as `Linearised`.

        `frame=`: a body from whose axes a steady motion is seen, or "world"; found where left out, and said.
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        return analyses.linearise(self, **given)

    def modes(
        self,
        *,
        at: Any = "assembled",
        time: float = 0.0,
        settle: float | None = None,
        planets: Sequence[str] | None = None,
        at_phase: float | None = None,
        frame: str | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> Modes:
        """Natural frequencies, damping and mode shapes about an operating point, by frequency.

        `at=` "assembled" (default), "equilibrium", "steady", or a state from one of these; `settle=` simulate this time
        first; `planets=` bodies whose modes are to be classified as those of a planetary stage (found from meshes);
        `frame=` a body from whose axes a steady motion is seen, or "world" for frequencies as these are seen outside.
        `at_phase=` of teeth whose stiffness varies over the mesh cycle, which else count with its mean.

        >>> import wheelwork as ww
        >>> from wheelwork import examples
        >>> swinging = ww.load(examples.path("pendulum")).modes(at="equilibrium")
        >>> len(swinging)
        1
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        return vibration.modes(self, **given)

    def frequency_response(
        self,
        input: str,
        signals: Sequence[str],
        frequencies: Sequence[float] | np.ndarray,
        *,
        at: Any = "assembled",
        time: float = 0.0,
        settle: float | None = None,
        at_phase: float | None = None,
        frame: str | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> FrequencyResponse:
        """Linear response of signals to a harmonic input at frequencies [Hz]; `at=`, `settle=` as for `modes`.

        `input`: a parameter that forces are written with, or `NAME.error`, an error in a mesh or spring.
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        return vibration.frequency_response(self, **given)

    def sweep(
        self,
        parameter: str,
        values: Sequence[float] | np.ndarray,
        *,
        signals: Sequence[str] | None = None,
        frequency: float | str | None = None,
        settle: float = 100,
        measure: float = 20,
        samples: int = 64,
        both: bool = False,
        contacts: Sequence[str] = (),
        orders: Sequence[float] = (),
        histories: bool = False,
        restart: bool = False,
        extensions: int = 10,
        method: str | None = None,
        step: float | str | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        max_steps: int | None = None,
        stabilisation: Any = None,
        formulation: str | None = None,
        skipping: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        progress: bool | None = None,
        part: str | os.PathLike[str] | None = None,
        resume: bool = False,
    ) -> Sweep:
        """Steady vibration over values of a parameter (SI), keeping the state from one to the next; `both`: back too.

        `signals=` what to measure; `frequency=` of the excitation, in Hz, as a number or a formula of parameters;
        `settle=`, `measure=` in its periods; `orders=`, `contacts=`, `histories=`; and the settings of `simulate`.
        """
        given = {name: value for name, value in locals().items() if value is not None and name != "self"}
        return vibration.sweep(self, **given)

    def campbell(
        self,
        parameter: str,
        values: Sequence[float] | np.ndarray,
        *,
        orders: Sequence[float] = (1.0,),
        at: str = "assembled",
        settle: float | None = None,
        planets: Sequence[str] | None = None,
        at_phase: float | None = None,
        frame: str | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> Campbell:
        """Modes over a range of a parameter (SI values), such as a speed; `orders=` excitations in multiples of it.

        The others are as for `modes`; the operating point is found again at each value.
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        return vibration.campbell(self, **given)

    def stability(
        self,
        *,
        at: Any = "assembled",
        period: float | str | None = None,
        over: Mapping[str, Sequence[float] | np.ndarray] | None = None,
        parameters: Mapping[str, Any] | None = None,
        time: float = 0.0,
        settle: float | None = None,
        progress: bool | None = None,
    ) -> Stability:
        """Whether small motions about a steady or periodic motion grow: exponents and Floquet's multipliers.

        `at=`, `settle=` the motion, as for `modes`; `period=` of its coefficients, found where left out; `over=` values
        of one parameter or two, for a stability chart: `over={"speed": np.linspace(100, 160, 61)}`.
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        return vibration.stability(self, **given)

    def equations(self, *, numbers: bool = False, short: bool = False) -> formulas.Equations:
        """The equations that are solved, to read: constraints with Phi, Phi_q, nu and gamma, and those of motion.

        `numbers`: values of lengths and parameters in the place of their symbols; `short`: bodies by number.

        >>> import wheelwork as ww
        >>> from wheelwork import examples
        >>> e = ww.load(examples.path("pendulum")).equations()
        >>> e.at().jacobian.shape
        (5, 6)
        """
        return formulas.Equations(self, numbers=numbers, short=short)

    def gear_train(self, closed: Sequence[str] = ()) -> TrainGraph:
        """Its gear train at the given position, as a graph to be asked for ratios and more; see `wheelwork.trains`.

        closed: clutches and brakes whose shafts are one link; the others count as open
        """
        found = layout.layout_of(self)
        if not closed:
            return found.train_graph
        train = found.gear_train.copy()
        for name in closed:
            train.close(name)
        return trains.TrainGraph(train)

    def reduced(self, *, parameters: Mapping[str, Any] | None = None) -> MinimalCoordinates:
        """The mechanism in minimal coordinates: mass matrix and all other terms, forward and inverse dynamics.

        >>> import wheelwork as ww
        >>> from wheelwork import examples
        >>> pendulum = ww.load(examples.path("pendulum")).reduced()
        >>> pendulum.names
        ('hinge.angle',)
        """
        return analyses.minimal_coordinates(self, parameters=parameters)

    def link_forces(self, result: Result | None = None) -> LinkForces:
        """Bearing and tooth forces of a motion, link by link from free-body balances; its own run where none is given.

        >>> import wheelwork as ww
        >>> from wheelwork import examples
        >>> forces = ww.load(examples.path("double-pendulum")).link_forces()
        >>> forces.order.links
        ('lower', 'upper')
        """
        return link_forces.link_forces(self.run() if result is None else result)

    def view(self, *, host: str = "127.0.0.1", port: int = 8080, browser: bool = True) -> Viewer:
        """Show it assembled in the browser, with names and axes of joints and meshes.

        Where it does not fit together, it is shown as it was given, with what is wrong.
        """
        return player.view_model(self, host=host, port=port, browser=browser)

    def inline(self, height: int = 480) -> player.InlinePlayer:
        """The mechanism, assembled, for a cell of a notebook, `height` pixels high: it can be turned there."""
        return player.InlinePlayer(player.film_before_run(self), self.name or "mechanism", height)

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows = {
            group: f"{len(names)}: {', '.join(list(names)[:8])}{', ...' if len(names) > 8 else ''}"
            for group in (*COLLECTIONS, "parameters")
            if (names := getattr(self, group))
        }
        analysis = {} if self.analysis is None else {"analysis": self.analysis.type}
        return notebook.short_table(f"{self.name or 'Mechanism'} ({self.kind})", rows | analysis)

    def run(self, **options: Any) -> Any:
        """Make the analysis that the mechanism's own `analysis` section asks for; options win over what it says."""
        return analyses.run(self, **options)


def load(path: str | os.PathLike[str], texts: dict[str, str] | None = None) -> Mechanism:
    """Read a mechanism from a YAML file at once; `wheelwork.load` waits until somebody looks into it.

    texts: of the files that it is in, by their names, as they were read before; the others are added
    """
    return _load(path, Mechanism, texts)


def loads(text: str) -> Mechanism:
    """Read a mechanism from YAML text; everything wrong with it is one `ModelError`."""
    return _loads(text, Mechanism)
