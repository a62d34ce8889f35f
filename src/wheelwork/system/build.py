"""From a flat description to a :class:`~wheelwork.system.program.Program`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wheelwork.description import ModelError
from wheelwork.equations.cams.base import CamEquations
from wheelwork.equations.contact import contact_markers
from wheelwork.equations.context import Context, Registry
from wheelwork.equations.forces import Binding, EventType
from wheelwork.equations.values import expression
from wheelwork.layout import layout_of
from wheelwork.lazy import casadi as ca

from .build_inputs import MEASURED, InputBuilder
from .build_meshes import TeethForce, build_meshes
from .cams import CamBuilder
from .force_kernels import ForceKernel
from .formula_signals import usable_names
from .given_speeds import GivenSpeed
from .kernels import (
    KERNELS,
    ConstraintKernel,
    driver_kernel,
    gap_kernel,
    joint_kernel,
    joint_signals,
    load_function,
    rate_kernel,
    stop_kernel,
    turn_kernel,
)
from .measured import ACTS, UNIT, MeasuredUse, measure
from .program import Program
from .relations import add_relation, check_couplers
from .space import SPACES
from .uses import (
    ComputedData,
    ConstraintKind,
    ConstraintUse,
    ContactUse,
    ForceUse,
    FrictionUse,
    GivenCoordinate,
    JointSignals,
    JointView,
    TurnUse,
)

if TYPE_CHECKING:
    from wheelwork.description import Flat, Placed
    from wheelwork.equations.joint_equations import JointEquations
    from wheelwork.equations.relation import Relation
    from wheelwork.layout import Layout


def build(flat: Flat) -> Program:
    """Derive the equations of a mechanism."""
    return _Builder(layout_of(flat)).build()


class _Builder:
    def __init__(self, layout: Layout):
        self.layout = layout
        self.flat = flat = layout.flat
        self.parameters = layout.parameters
        self.registry = Registry(layout)
        self.space = SPACES[flat.kind]
        self.program = Program(flat, list(flat.bodies), self.parameters.names, self.space)
        self.index = {name: k for k, name in enumerate(flat.bodies)} | {"ground": -1}
        self.data: list[ca.SX] = [self.parameters.column]
        self.data_size = self.parameters.column.numel()
        self.stops: dict[tuple[str, str, str], list[tuple[float, str, bool]]] = {}
        self.teeth: dict[str, TeethForce] = {}
        self.readings: list[MeasuredUse] = []
        self.inputs = InputBuilder(self)
        self.cams = CamBuilder(self)

    def build(self) -> Program:
        if not self.flat.bodies:
            raise ModelError("the mechanism has no bodies: there is nothing to move", path="bodies")
        self._joints()
        build_meshes(self)
        self._drivers()
        self._forces()
        check_couplers(self)
        self._blocks()
        self._turns()
        self.inputs.finish(self.program)
        self._numbers()
        self.program.measured = list(self.inputs.measured)
        if self.readings:
            measure(self.program, self.readings, usable_names(self.registry))
        self.program.read = frozenset(self.parameters.read)
        return self.program

    # -- small helpers

    @contextmanager
    def errors_of(self, placed: Placed[Any]) -> Iterator[None]:
        """Errors that an element raises become problems of that element, with its place in the file."""
        try:
            yield
        except ValueError as error:
            raise ModelError(placed.problem(str(error))) from None

    def add_data(self, *parts: ca.SX | float) -> int:
        """Append numbers; returns where they start."""
        start = self.data_size
        for part in parts:
            column = expression(part)
            if not column.is_column():
                column = ca.vec(column)
            self.data.append(column)
            self.data_size += column.numel()
        return start

    def kernel(self, key: str, make: Callable[[], Any]) -> Any:
        return KERNELS.get((self.space.name, key), make)

    def context(self, placed: Placed[Any]) -> Context:
        return Context(placed.name, self.layout.place(placed), self.registry)

    def constrain(
        self,
        kernel: ConstraintKernel,
        bodies: list[str],
        data: int,
        placed: Placed[Any],
        noun: str,
        *,
        name: str = "",
        **more: Any,
    ) -> int:
        """Rows of an element, which messages call by its noun and its name.

        name: of the constraint; that of the element where left out
        """
        use = ConstraintUse(
            kernel=kernel,
            bodies=tuple(self.index[body] for body in bodies),
            data=data,
            first_row=self.program.rows,
            name=name or placed.name,
            label=f"{noun} `{placed.name}`",
            where=placed.where,
            path=placed.path,
            **more,
        )
        self.program.constraints.append(use)
        return len(self.program.constraints) - 1

    # -- elements

    def _joints(self) -> None:
        for name, placed in self.flat.joints.items():
            joint = self.registry.joint(name)
            equations = joint.equations
            if isinstance(equations, CamEquations):
                self.cams.add(placed, joint, equations)
                continue
            extras = equations.extra_values(placed.element, self.layout.place(placed))
            turn = self.registry.joint_turn(name) if "angle" in equations.coordinates else -1
            kernel = self.kernel(f"joint:{equations.key}", lambda e=equations: joint_kernel(e, self.space))
            constraint = self.constrain(
                kernel,
                joint.bodies,
                self.add_data(*joint.markers, *extras),
                placed,
                "joint",
                turns=() if turn < 0 else (turn,),
            )
            self.program.joints[name] = JointView(
                name, constraint, equations.type, equations.coordinates, turn
            )
            self._given_coordinates(placed, equations)
            if equations.signals:
                key = f"signals:joint:{equations.key}"
                made = self.kernel(key, lambda e=equations: joint_signals(e, self.space))
                self.program.joint_signals.append(JointSignals(name, constraint, made, equations.signals))

    def _given_coordinates(self, placed: Placed[Any], equations: JointEquations) -> None:
        """Coordinates and rates of a joint at the start."""
        initial = getattr(placed.element, "initial", None)
        if initial is None:
            return
        value = self.layout.place(placed).value
        for coordinate, rate in (("angle", "w"), ("displacement", "speed")):
            places = [
                -1 if given is None else self.add_data(value(given))
                for given in (getattr(initial, coordinate), getattr(initial, rate))
            ]
            if max(places) >= 0:
                key = f"rate:{equations.key}:{coordinate}"
                kernel = self.kernel(key, lambda c=coordinate: rate_kernel(equations, c, self.space))
                self.program.given_coordinates.append(
                    GivenCoordinate(placed.name, coordinate, kernel, *places)
                )

    def _drivers(self) -> None:
        for name, placed in self.flat.drivers.items():
            driver: Any = placed.element
            made = driver.driven(self.layout.place(placed), self.registry)
            key = f"driver:{made.equations.key}:{made.coordinate}"
            kernel = self.kernel(key, lambda m=made: driver_kernel(m.equations, m.coordinate, self.space))
            index = self.constrain(
                kernel,
                made.bodies,
                self.add_data(*made.markers),
                placed,
                "driver",
                input=self.inputs.function_of_time(driver.value),
                turns=() if made.turn < 0 else (made.turn,),
            )
            self.program.driver_constraints[name] = index

    def _forces(self) -> None:
        for placed in self.flat.forces.values():
            with self.errors_of(placed):
                placed.element.add_to(self, placed)

    def _blocks(self) -> None:
        """States and blocks of the control, which push nothing."""
        for placed in self.flat.blocks.values():
            with self.errors_of(placed):
                self.add_force(placed, placed.element, placed.element.bind(self.context(placed)))

    def add_force(self, placed: Placed[Any], equations: Any, binding: Binding) -> int:
        """Add a force by the name of an element; returns where its data start."""
        bound = self.inputs.bind(placed.name, binding)
        sample = -1
        if binding.sample is not None:
            times = (x if isinstance(x, ca.SX) else self.parameters.value(x) for x in binding.sample)
            sample = self.add_data(*times)
        data = self.add_data(*bound.data)
        size = self.data_size - data
        key = f"force:{equations.type}:{binding.options!r}:{bound.key}"
        kernel = self.kernel(
            key,
            lambda: ForceKernel(
                key,
                equations,
                len(bound.bodies),
                size,
                bound.time_inputs,
                len(bound.turns),
                bound.plans,
                binding.options,
                self.space,
                bound.own_states,
            ),
        )
        use = ForceUse(
            placed.name,
            kernel,
            [self.index[body] for body in bound.bodies],
            data,
            bound.first_input,
            bound.turns,
            self.program.events,
            placed.where,
            self.program.states,
            sample,
        )
        self.program.forces.append(use)
        for turn, signal, path in bound.measured:
            why_not = (
                ACTS
                if kernel.acts_by(turn)
                else UNIT
                if getattr(equations, "asked_before_forces", False)
                else ""
            )
            self.readings.append(MeasuredUse(placed, signal, path, why_not))
        for part in bound.computed:
            shifted = [data + k for k in part.indices]
            self.program.computed.append(ComputedData(shifted, part.values))
        return data

    def add_dry_friction(self, placed: Placed[Any]) -> None:
        """The part of friction in a joint that sticks; a constraint while it does."""
        force, place = placed.element, self.layout.place(placed)
        if all(isinstance(x, int | float) and x == 0 for x in (force.coulomb, force.coefficient)):
            return
        joint = self.registry.joint(force.joint)
        coordinate = joint.coordinate(force.coordinate)
        key = f"rate:{joint.equations.key}:{coordinate}"
        kernel = self.kernel(key, lambda: rate_kernel(joint.equations, coordinate, self.space))
        markers, sticks = self.add_data(*joint.markers), ConstraintKind.FRICTION
        row = self.constrain(kernel, joint.bodies, markers, placed, "friction", kind=sticks)
        numbers = [place.value(x) for x in (force.coulomb, force.coefficient, force.static_ratio)]
        has_radius = force.radius is not None
        radius = place.value(force.radius) if has_radius else ca.SX(0)
        load = self.kernel(
            f"load:{coordinate}:{has_radius}", lambda: load_function(coordinate, has_radius, self.space)
        )
        self.program.frictions.append(
            FrictionUse(
                placed.name,
                self.program.joints[force.joint].constraint,
                row,
                self.add_data(*numbers),
                self.add_data(joint.markers[1], radius),
                load,
                coordinate,
            )
        )

    def add_relation(self, placed: Placed[Any], relation: Relation) -> None:
        """A relation of joint coordinates: a constraint of any number of bodies."""
        add_relation(self, placed, relation)

    def add_locking(
        self, placed: Placed[Any], binding: Binding, *dogs: ca.SX | float, name: str = ""
    ) -> None:
        """A force that limits friction between two shafts: a constraint while they stick.

        dogs: the speed up to which they close, whether they wait for it, and the play in which they fit (0: any angle)
        name: of the friction; that of the element where left out
        """
        data = self.add_force(placed, placed.element, binding)
        use = self.program.forces[-1]
        row = self.constrain(
            self.kernel("rate:turn", lambda: turn_kernel(self.space)),
            binding.bodies[:2],
            data,
            placed,
            placed.element.noun,
            name=name,
            kind=ConstraintKind.FRICTION,
        )
        limits = use.first_event + use.kernel.event_types.index(EventType.LIMIT)
        numbers = self.add_data(0.0, 0.0, 1.0, *dogs)
        self.program.frictions.append(
            FrictionUse(
                name or placed.name, row, row, numbers, 0, None, "angle", limits, limits + 4 if dogs else -1
            )
        )

    def add_impact(self, placed: Placed[Any]) -> None:
        """A contact with restitution: a constraint while it lasts, a jump of velocity when it closes."""
        contact, place = placed.element, self.layout.place(placed)
        bodies, markers, reach = contact_markers(contact, place)
        kernel = self.kernel(f"gap:{contact.b.type}", lambda: gap_kernel(contact.b.type, self.space))
        constraint = self.constrain(
            kernel, bodies, self.add_data(*markers, reach), placed, "contact", kind=ConstraintKind.CONTACT
        )
        law = self.add_data(place.value(contact.law.coefficient), place.value(contact.law.rest_speed))
        self.program.contacts.append(ContactUse(placed.name, constraint, law))

    def add_stop(self, placed: Placed[Any]) -> None:
        """The bounds of a joint coordinate: constraints while they hold it, where they are rigid."""
        stop, place = placed.element, self.layout.place(placed)
        joint = self.registry.joint(stop.joint)
        coordinate = joint.coordinate(stop.coordinate)
        rigid, unit = stop.stiffness is None, "rad" if coordinate == "angle" else "m"
        for side, bound in stop.bounds(place.value).items():
            out = 1 if side == "upper" else -1
            own = (out * float(self.layout.number(bound)[0]), placed.name, rigid)
            for other in self.stops.setdefault((stop.joint, coordinate, side), []):
                (inner, name, hard), (outer, beyond, _) = sorted((own, other))
                if hard:
                    raise ValueError(
                        f"the {side} stop `{beyond}` at {out * outer:g} {unit} is never reached: `{name}` stops "
                        f"`{stop.joint}` at {out * inner:g} {unit}. Leave one out, or give the inner one a `stiffness`"
                    )
            self.stops[stop.joint, coordinate, side].append(own)
            if not rigid:
                continue
            key = f"stop:{joint.equations.key}:{coordinate}:{side}"
            constraint = self.constrain(
                self.kernel(key, lambda s=side: stop_kernel(joint.equations, coordinate, s, self.space)),
                joint.bodies,
                self.add_data(*joint.markers, bound),
                placed,
                "stop",
                kind=ConstraintKind.CONTACT,
                turns=(self.registry.joint_turn(stop.joint),) if coordinate == "angle" else (),
            )
            law = self.add_data(place.value(stop.restitution or 0.0), place.value(stop.rest_speed))
            self.program.contacts.append(ContactUse(placed.name, constraint, law, (side, coordinate)))

    def _turns(self) -> None:
        for turn in self.registry.turns:
            a, b = (self.index[body] for body in turn.bodies)
            self.program.turns.append(TurnUse(turn.name, a, b, self.add_data(*turn.markers)))
        self.cams.finish()
        self._place_states()

    def _place_states(self) -> None:
        """Elements' own states come after the turns and followed parameters, in the order of the forces."""
        first = len(self.program.turns) + self.program.followed
        order = {self.registry.states[use.name][0]: use for use in self.program.forces if use.kernel.states}
        places: dict[int, int] = {}
        for start, use in order.items():
            places |= {-1 - start - k: first + use.first_state + k for k in range(use.kernel.states)}
        last = first + self.program.states
        places |= {MEASURED - k: last + k for k in self.inputs.measured.values()}
        for use in self.program.forces:
            use.turns[:] = [places.get(turn, turn) for turn in use.turns]
        for k, row in enumerate(self.program.constraints):
            if any(turn < 0 for turn in row.turns):
                turns = tuple(places.get(turn, turn) for turn in row.turns)
                self.program.constraints[k] = replace(row, turns=turns)

    # -- numbers

    def _numbers(self) -> None:
        value = self.parameters.value
        mass, inertia, gravity, center, position, axes, angle, velocity = ([] for _ in range(8))
        field = self.parameters.vector(self.flat.gravity)
        for name, placed in self.flat.bodies.items():
            body, at = placed.element, self.layout.bodies[name]
            m, tensor = body.mass_properties(value)
            mass.append(expression(m))
            inertia.append(expression(ca.vertcat(*(ca.horzcat(*row) for row in tensor))))
            gravity.append(field if body.affected_by_gravity else ca.SX(3, 1))
            center.append(at.center)
            position.append(at.frame.point(at.center))
            axes.append(at.frame.axes)
            angle.append(self.layout.angle(name))
            outer = self.layout.outer(placed.placement)
            given = {f: getattr(body, f) for f in ("velocity", "angular_velocity")}
            self.program.given_speeds += [
                GivenSpeed(len(mass) - 1, f) for f, v in given.items() if v is not None
            ]
            speed, spin = (
                ca.SX(3, 1) if v is None else outer.direction(self.parameters.vector(v))
                for v in given.values()
            )
            velocity.append(ca.vertcat(speed + ca.cross(spin, at.frame.direction(at.center)), spin))
        columns = [mass, inertia, gravity, center, position, axes, angle, velocity]
        outputs = [ca.vertcat(*self.data), *(ca.horzcat(*parts) for parts in columns), self._turn_hints()]
        self.program.data_size = self.data_size
        self.program.numbers_function = ca.Function(
            "numbers", [self.parameters.column], [ca.densify(output) for output in outputs]
        )

    def _turn_hints(self) -> ca.SX:
        """Angles at the start over whole turns, for rotors that start at more than half a turn; curve parameters."""
        angles = (
            self._angle(t.bodies[1]) - self._angle(t.bodies[0]) if t.of_rotors else ca.SX(0)
            for t in self.registry.turns
        )
        states = [
            self.parameters.value(value)
            for use in self.program.forces
            if use.kernel.states
            for value in self.registry.states[use.name][1]
        ]
        return ca.vertcat(ca.SX(0, 1), *angles, *self.cams.starts, *states)

    def _angle(self, body: str) -> ca.SX:
        if body not in self.flat.rotors:
            return ca.SX(0)
        angle = self.flat.bodies[body].element.orientation.angle
        return ca.SX(0) if angle is None else self.parameters.value(angle)
