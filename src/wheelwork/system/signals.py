"""Signals: every quantity of a mechanism has one name, a unit and a meaning.

BODY.position  BODY.velocity  BODY.acceleration       of the body frame's origin, world axes      (x, y, z)
BODY.orientation                                      Euler parameters                            (w, x, y, z)
BODY.w  BODY.angular_acceleration                     world axes                                  (x, y, z)
BODY.bryant_xyz  BODY.euler_zxz  BODY.rodrigues       the orientation in three numbers, on request
FRAME.position  .orientation  .velocity ...           the same of attachment frames
ROTOR.angle  ROTOR.w  ROTOR.acceleration              about the rotor's axis
JOINT.angle  JOINT.w  JOINT.displacement  JOINT.speed coordinates and their rates
JOINT.reaction.force  JOINT.reaction.torque           on body b at the joint point, world axes    (x, y, z)
JOINT.residual                                        largest constraint residual
CAM.force.normal  CAM.contact.position                force that presses the surfaces together, and where
WHEEL.force.normal  .along  .across  .friction_used   of wheels that roll; also WHEEL.contact.position
CAM.parameter (CAM.parameter_a, CAM.parameter_b)      curve parameters of the contact, any number of times around
DRIVER.torque or DRIVER.force, DRIVER.power           what the prescribed motion takes
MESH.force.tangential  .radial  .axial  .normal       tooth force on b; MESH.a.force... and MESH.b.force... in each
                                                      wheel's own directions
MESH.rolling  MESH.sliding  MESH.power  MESH.residual speeds at the pitch point, power through it, slip
MESH.force.transverse  .deflection  .gap  .side       compliant teeth; also .transmission_error  .static_error
                                                      .stiffness  .phase  .power.loss  .power.excitation
MESH.skipped                                          teeth that skipped, of compliant and contacting teeth
MESH.front.1.depth  .force.normal  .position ...       tooth contact, pair by pair; also MESH.pairs  .distance
                                                      .pressure_angle  .backlash  .path.start  .path.end
MESH.friction.force                                   friction of a mesh with losses, against rolling or sliding
FRICTION.torque or .force, .heat  .mode               dry friction of joints and clutches, power lost, 0 while it sticks
CLUTCH.slip_work  STOP.lost  CONTACT.lost             heat since the start: of slip, dogs that close, impacts
FRICTION.slip_work  MESH.friction.slip_work           of dry friction, and of losses of a mesh; of results alone
STOP.mode  CONTACT.mode                               which stop it rests on; whether surfaces touch
RATIO.torque_a  .torque_b  .torque_support  .loss     torques on the shafts about their axes, power lost
COUPLER.JOINT.torque or COUPLER.JOINT.force           what a coupler gives along the coordinate of each of its joints
FORCE....                                             as the force's data sheet says
energy.kinetic  energy.potential  energy.total
momentum.linear  momentum.angular                     about the world's origin                    (x, y, z)
constraints.position  constraints.velocity            root mean square of the residuals

In the plane vectors have the components (x, y); BODY.angle, BODY.w, torques and angular momentum are numbers,
about z.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from wheelwork.equations.forces import EFFORT
from wheelwork.lazy import dataclass
from wheelwork.problems import ModelError

from .frame_motion import ANGLES, OF_FRAMES, euler_parameters, frame_motion
from .motion import Motion
from .program import Program
from .relation_signals import elastic_ratio_signals, relation_signals
from .signal_values import (
    driver_power,
    force_signals,
    jacobian,
    kinetic_energy,
    mesh_signals,
    momentum,
    potential_energy,
    reaction,
    residual,
    residual_rates,
    rms,
    slide,
    speed_along,
)
from .space import PLANAR
from .unknown_signal import UnknownSignal
from .uses import ConstraintUse, ContactUse, JointSignals

XYZ = ("x", "y", "z")
XY = ("x", "y")
WXYZ = ("w", "x", "y", "z")
STICKS = 1e-8
"""rad/s or m/s: a joint slower than this sticks (``reversed`` in core/switching.hpp)."""
TOUCHES = 1e-9
"""rad or m: gap of a contact that touches (there too)."""


Compute = Callable[[Motion], np.ndarray]


@dataclass(frozen=True)
class Signal:
    """One quantity. `compute(motion)` gives (N,) or (N, components).

    rate: of one that is summed up along a whole run, beside what the impulses of `element` take: a result does that
    """

    name: str
    unit: str
    meaning: str
    compute: Compute
    components: tuple[str, ...] = ()
    rate: Callable[[Motion], np.ndarray] | None = None
    element: str = ""


def _of_a_run(name: str) -> Callable[[Motion], np.ndarray]:
    def compute(m: Motion) -> np.ndarray:
        raise ModelError(
            "is summed up along a run, and is known to its result alone",
            path=name,
            hint="take its power, `heat`",
        )

    return compute


class SignalCatalogue:
    """All signals of a program, by name; a vector can also be asked for by component (`arm.position.x`)."""

    def __init__(self, program: Program, of_motion: bool = False):
        """`of_motion`: only signals of bodies and joints."""
        self.program = program
        self.signals: dict[str, Signal] = {}
        self.on_request: dict[str, Signal] = {}
        """Those that say again what others say: found by name, and not listed with the rest."""
        self.planar = program.space is PLANAR
        self._bodies()
        self._joints()
        if of_motion:
            return
        self._frames()
        self._cams()
        self._own_signals()
        self._drivers()
        self._forces()
        self._frictions()
        self._contacts()
        self._meshes()
        self._relations()
        self._totals()

    def __getitem__(self, name: str) -> Signal:
        found = self.signals.get(name) or self.on_request.get(name)
        if found is not None:
            return found
        owner, _, component = name.rpartition(".")
        vector = self.signals.get(owner) or self.on_request.get(owner)
        if vector is not None and component in vector.components:
            k = vector.components.index(component)
            return Signal(
                name, vector.unit, f"{vector.meaning}, {component}", lambda m: vector.compute(m)[:, k]
            )
        raise UnknownSignal(name, self.names())

    def names(self) -> list[str]:
        """Every name that can be asked for, components included."""
        out = []
        for name, signal in (self.signals | self.on_request).items():
            out += [name, *(f"{name}.{c}" for c in signal.components)]
        return out

    def _add(
        self, name: str, unit: str, meaning: str, compute: Compute, components: tuple[str, ...] = ()
    ) -> None:
        self.signals[name] = Signal(name, unit, meaning, compute, components)

    def _add_summed(
        self, element: str, label: str, rate: Callable[[Motion], np.ndarray], meaning: str
    ) -> None:
        """An energy of an element: the integral of a power along a run."""
        name = f"{element}.{label}"
        self.signals[name] = Signal(name, "J", meaning, _of_a_run(name), rate=rate, element=element)

    def _vector(self, name: str, unit: str, meaning: str, compute: Compute) -> None:
        """A vector: three components, in the plane two."""
        if self.planar:
            self._add(name, unit, meaning, lambda m: compute(m)[:, :2], XY)
        else:
            self._add(name, unit, meaning, compute, XYZ)

    def _turning(self, name: str, unit: str, meaning: str, compute: Compute) -> None:
        """A vector along an axis of rotation: three components, in the plane one number, about z."""
        if self.planar:
            self._add(name, unit, meaning, lambda m: compute(m)[:, 2])
        else:
            self._add(name, unit, meaning, compute, XYZ)

    # -- bodies

    def _bodies(self) -> None:
        rotors = self.program.rotors
        for k, name in enumerate(self.program.bodies):
            if name in rotors:
                self._rotor(name, rotors[name], k)
                continue

            place = "position of the body frame" + ("'s origin" if self.planar else "")
            self._vector(f"{name}.position", "m", place, partial(_position, k))
            if not self.planar:
                self._add(f"{name}.orientation", "1", "Euler parameters", lambda m, k=k: m.q[:, k, 3:], WXYZ)
                self._angles(name, lambda m, k=k: m.R[:, k])
            meaning = "velocity of the body frame's origin"
            self._vector(f"{name}.velocity", "m/s", meaning, partial(_velocity, k))
            if self.planar:
                meaning = "angle of the body, over whole turns"
                self._add(f"{name}.angle", "rad", meaning, lambda m, k=k: m.q[:, k, 2])
            self._turning(f"{name}.w", "rad/s", "angular velocity", lambda m, k=k: m.v[:, k, 3:])
            meaning = "acceleration of the body frame's origin"
            self._vector(f"{name}.acceleration", "m/s^2", meaning, partial(_acceleration, k))
            turning, meaning = f"{name}.angular_acceleration", "angular acceleration"
            self._turning(turning, "rad/s^2", meaning, lambda m, k=k: m.a[:, k, 3:])

    def _angles(self, name: str, rotation: Compute) -> None:
        for what, (of, unit) in ANGLES.items():
            meaning = f"orientation as {what}, as fields of an orientation have it"
            signal = Signal(f"{name}.{what}", unit, meaning, lambda m, of=of: of(rotation(m)), XYZ)
            self.on_request[signal.name] = signal

    def _frames(self) -> None:
        """Attachment frames, as bodies."""
        for name in self.program.flat.frames:
            for what, (unit, meaning, part) in OF_FRAMES.items():
                add = self._turning if part in ("w", "alpha") else self._vector
                add(f"{name}.{what}", unit, meaning, lambda m, n=name, p=part: getattr(frame_motion(m, n), p))
            if not self.planar:
                turned: Compute = lambda m, n=name: frame_motion(m, n).R  # noqa: E731
                parameters: Compute = lambda m, of=turned: euler_parameters(of(m))  # noqa: E731
                self._add(f"{name}.orientation", "1", "Euler parameters", parameters, WXYZ)
                self._angles(name, turned)

    def _rotor(self, name: str, bearing: str, body: int) -> None:
        view = self.program.joints[bearing]

        def acceleration(m: Motion) -> np.ndarray:
            use = m.program.turns[view.turn]
            axis = m.R[:, body] @ m.numbers.data[use.data + 15 : use.data + 24].reshape(3, 3)[:, 2]
            return np.sum(axis * m.a[:, body, 3:], axis=1)

        self._add(f"{name}.angle", "rad", "angle of the rotor", _turn_of(view.turn, 0))
        self._add(f"{name}.w", "rad/s", "speed of the rotor", _turn_of(view.turn, 1))
        self._add(f"{name}.acceleration", "rad/s^2", "angular acceleration of the rotor", acceleration)

    # -- joints and drivers

    def _joints(self) -> None:
        for name, view in self.program.joints.items():
            c, coordinates = view.constraint, []
            if "angle" in view.coordinates:
                coordinates += [("angle", "rad", "joint angle, counted over turns", _turn_of(view.turn, 0))]
                coordinates += [("w", "rad/s", "rate of the joint angle", _turn_of(view.turn, 1))]
            if "displacement" in view.coordinates:
                coordinates += [("displacement", "m", "joint displacement", lambda m, c=c: slide(m, c)[0])]
                meaning = "rate of the joint displacement"
                coordinates += [("speed", "m/s", meaning, lambda m, c=c: slide(m, c)[1])]
            for label, *told in coordinates:
                self._add(f"{name}.{label}", *told)
            force, torque = f"{name}.reaction.force", f"{name}.reaction.torque"
            self._vector(force, "N", "force of the joint on body b", lambda m, c=c: reaction(m, c)[0])
            meaning = "torque of the joint on body b at the joint point"
            self._turning(torque, "N m", meaning, lambda m, c=c: reaction(m, c)[1])
            meaning = "largest constraint residual"
            self._add(f"{name}.residual", "m or rad", meaning, lambda m, c=c: residual(m, c))

    def _cams(self) -> None:
        for follow in self.program.follows:
            name, use = follow.name, self.program.constraints[follow.constraint]
            meaning = "force that presses the surfaces together; negative where the follower would lift off"
            self._add(f"{name}.force.normal", "N", meaning, _effort(use))
            self._vector(
                f"{name}.contact.position",
                "m",
                "point of contact",
                lambda m, f=follow: m.evaluate(f.kernel.where, m.constraint_arguments(f.constraint))[0].T,
            )
            for k, label in enumerate(follow.labels, start=follow.first):
                meaning = "curve parameter of the contact, any number of times around"
                self._add(f"{name}.{label}", "1", meaning, lambda m, k=k: m.followed(k))

    def _own_signals(self) -> None:
        """Of joints that have more to tell than reactions, such as wheels that roll."""
        for own in self.program.joint_signals:
            use = self.program.constraints[own.constraint]

            def values(m: Motion, own: JointSignals = own, use: ConstraintUse = use) -> list[np.ndarray]:
                multipliers = m.multipliers[:, use.first_row : use.first_row + use.rows].T
                arguments = [*m.constraint_arguments(own.constraint), multipliers]
                return m.once(("own", own.name), lambda: m.evaluate(own.values, arguments))

            for k, (label, (unit, meaning)) in enumerate(own.meanings.items()):
                name = f"{own.name}.{label}"
                if own.values.size1_out(k) == 1:
                    self._add(name, unit, meaning, lambda m, k=k, of=values: of(m)[k][0])
                else:
                    self._vector(name, unit, meaning, lambda m, k=k, of=values: of(m)[k].T)

    def _drivers(self) -> None:
        for name, c in self.program.driver_constraints.items():
            use = self.program.constraints[c]
            effort, unit = EFFORT.get(use.kernel.row_names[0], ("force", "N"))
            self._add(f"{name}.{effort}", unit, f"{effort} that the driver gives", _effort(use))
            self._add(f"{name}.power", "W", "power that the driver gives", lambda m, c=c: driver_power(m, c))

    # -- forces

    def _forces(self) -> None:
        for k, use in enumerate(self.program.forces):
            for i, (label, signal) in enumerate(use.kernel.effect.signals.items()):
                name = f"{use.name}.{label}" if label else use.name
                self._add(name, signal.unit, signal.meaning, lambda m, k=k, i=i: force_signals(m, k)[i + 1])
            if use.kernel.effect.teeth is not None:
                meaning = "teeth that skipped: by how many wheel a has gone ahead of b"
                self._add(f"{use.name}.skipped", "1", meaning, lambda m, name=use.name: m.skipped(name))

    def _frictions(self) -> None:
        for k, friction in enumerate(self.program.frictions):
            effort, unit = EFFORT[friction.coordinate]
            of_mesh = friction.load is None and friction.limits < 0
            meaning = "friction of the mesh" if of_mesh else f"dry friction {effort} on body b"
            self._add(f"{friction.name}.{effort}", unit, meaning, lambda m, k=k: m.friction[:, k])
            rate = lambda m, row=friction.row: speed_along(m, row)  # noqa: E731
            heat = lambda m, k=k, rate=rate: -m.friction[:, k] * rate(m)  # noqa: E731
            if friction.dogs < 0 and f"{friction.name}.slip_work" not in self.signals:
                self._add_summed(
                    friction.name, "slip_work", heat, "heat of dry friction since the start of this run"
                )
            if of_mesh:
                continue
            self._add(f"{friction.name}.heat", "W", "power that dry friction turns into heat", heat)
            meaning = "1 or -1: slides up or down the coordinate; 0: sticks"
            if friction.dogs >= 0:
                meaning = (
                    "1 or -1: b turns forward or back against a; 0: neither. Whether dogs hold is in `closed`"
                )
            sign = lambda m, rate=rate: m.direction(rate(m), STICKS)  # noqa: E731
            self._add(f"{friction.name}.mode", "1", meaning, sign)
            if friction.limits >= 0 and friction.name not in self.program.flat.forces:
                for told in elastic_ratio_signals(self.program, k):
                    self._add(*told)
            if friction.dogs >= 0 and f"{friction.name}.slip_work" not in self.signals:
                meaning = "heat of the impulses with which the dogs closed, since the start"
                self._add(f"{friction.name}.slip_work", "J", meaning, lambda m, n=friction.name: m.lost(n))

    def _contacts(self) -> None:
        for contact in self.program.contacts:
            use = self.program.constraints[contact.constraint]
            gap, force = f"{contact.name}.gap", f"{contact.name}.force.normal"
            units, meaning = ("m", "N"), "distance of the surfaces"
            if contact.stop is not None:
                side, coordinate = contact.stop
                effort, unit = EFFORT[coordinate]
                gap, force = f"{contact.name}.{side}.gap", f"{contact.name}.{side}.{effort}"
                units, meaning = ("rad" if coordinate == "angle" else "m", unit), "distance to the stop"
            self._add(gap, units[0], meaning, lambda m, c=contact.constraint: jacobian(m, c)[0][0])
            self._add(force, units[1], "normal force while contact lasts", _effort(use))
        for name in dict.fromkeys(contact.name for contact in self.program.contacts):
            own = [contact for contact in self.program.contacts if contact.name == name]
            meaning = "1 while the surfaces touch, else 0"
            if own[0].stop is not None:
                meaning = "1 or -1: rests on the upper or lower stop; 0: on neither"
            self._add(f"{name}.mode", "1", meaning, lambda m, own=own: _resting(m, own))
            meaning = "heat of its impacts since the start"
            self._add(f"{name}.lost", "J", meaning, lambda m, name=name: m.lost(name))

    def _meshes(self) -> None:
        for k, mesh in enumerate(self.program.meshes):
            for i, (label, (unit, meaning)) in enumerate(mesh.kernel.signal_names.items()):
                self._add(f"{mesh.name}.{label}", unit, meaning, lambda m, k=k, i=i: mesh_signals(m, k)[i])
            c = mesh.constraint
            meaning = "slip along the pitch line"
            self._add(f"{mesh.name}.residual", "m", meaning, lambda m, c=c: residual(m, c))
            meaning = "speed of slip along the pitch line: residual of the mesh at velocity level"
            self._add(f"{mesh.name}.slip", "m/s", meaning, lambda m, c=c: residual_rates(m, c)[0])

    def _relations(self) -> None:
        for use in self.program.relations:
            for told in relation_signals(self.program, use):
                self._add(*told)

    # -- totals

    def _totals(self) -> None:
        self._add("energy.kinetic", "J", "kinetic energy", kinetic_energy)
        self._add("energy.potential", "J", "potential energy of gravity and springs", potential_energy)
        both: Compute = lambda m: kinetic_energy(m) + potential_energy(m)  # noqa: E731
        self._add("energy.total", "J", "kinetic and potential energy", both)
        self._vector("momentum.linear", "kg m/s", "linear momentum", lambda m: momentum(m)[0])
        meaning = "angular momentum about the origin"
        self._turning("momentum.angular", "kg m^2/s", meaning, lambda m: momentum(m)[1])
        for k, (level, unit) in enumerate((("position", "m or rad"), ("velocity", "m/s or rad/s"))):
            meaning = f"root mean square {level} residual"
            self._add(f"constraints.{level}", unit, meaning, lambda m, k=k: rms(m)[k])


def _arm(body: int, m: Motion) -> np.ndarray:
    """From the centre of mass to the body frame's origin."""
    return -m.R[:, body] @ m.numbers.center[body]


def _position(body: int, m: Motion) -> np.ndarray:
    return m.x[:, body] + _arm(body, m)


def _velocity(body: int, m: Motion) -> np.ndarray:
    return m.v[:, body, :3] + np.cross(m.v[:, body, 3:], _arm(body, m))


def _acceleration(body: int, m: Motion) -> np.ndarray:
    w, arm = m.v[:, body, 3:], _arm(body, m)
    return m.a[:, body, :3] + np.cross(m.a[:, body, 3:], arm) + np.cross(w, np.cross(w, arm))


def _turn_of(index: int, order: int) -> Compute:
    """A counted rotation (0), or its rate (1)."""
    return lambda m: m.turn(index)[order]


def _effort(use: ConstraintUse) -> Compute:
    """Of a constraint of one row, along what it holds."""
    return lambda m: -m.multipliers[:, use.first_row]


def _resting(m: Motion, contacts: list[ContactUse]) -> np.ndarray:
    """1 where one of some contacts lasts, -1 for a lower stop."""
    out = np.zeros(m.count)
    for contact in contacts:
        use = m.program.constraints[contact.constraint]
        gap, rate = jacobian(m, contact.constraint)[0][0], speed_along(m, contact.constraint)
        touches = (m.multipliers[:, use.first_row] < 0) | ((abs(gap) < TOUCHES) & (abs(rate) < STICKS))
        out[touches] = -1.0 if contact.stop is not None and contact.stop[0] == "lower" else 1.0
    return out
