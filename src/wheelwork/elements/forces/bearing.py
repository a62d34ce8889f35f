"""Bearing: springs and dampers across the axis, along it and against tilt, with clearance or preload.

With A = axes of the frame on the housing a, deflections u = (d_x, d_y, d_z, t_x, t_y), where d = A^T (p_b - p_a) and
t is the tilt (the angle between the z axes, as a vector in the axes of a), and the preload F_0:
f = -K u - C u' + F_0 e_z: the first three are the force on the shaft b at p_b along the axes of a, the last two its
torque against tilt, A J^T (f_4, f_5) with t' = J A^T (w_b - w_a). The opposite acts on a at the same point. Stored
energy: u^T K u / 2 - F_0 d_z, with the symmetric part of K, of which its part of f is minus the gradient; what the rest
of K (cross-coupling of a film of oil) and C do is work.

How far and how fast the shaft turns about its axis does not enter: p_b and z_b are on the axis. The axes of d, and with
them the dampers, are fixed in a. Turning a about the axis changes nothing of springs that are the same in all
directions; dampers, and unequal springs, go round with it.

Radial clearance G, with e = |(d_x, d_y)|, n the direction of the deflection and depth s = e - G/2: no force where
s <= 0; else N = k s + c e' against n, never pulling, and c times the speed across n. Axial clearance G_a: depths
-d_z - G_a/2 at the end that pushes b up the axis and d_z - G_a/2 at the other, each with k s + c s', never pulling; a
bearing that is `one_sided` has the first alone, with F_0/k added to its depth by a preload. Where an end or the
clearance is reached or left is an event.

Source: coordinates and matrix as T. C. Lim and R. Singh, Vibration transmission through rolling element bearings, part
I: bearing stiffness formulation, J. Sound Vib. 139 (1990) 179-199, with nothing about the axis; clearances as ISO 5753
measures them, from one end to the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from wheelwork.description import dimensions, values
from wheelwork.description.base import PLANAR, Evaluate, Issue
from wheelwork.description.formula import number_of
from wheelwork.elements.forces.mount import Mount, between, load_signals, offset, tilt_signals
from wheelwork.equations.backlash_laws import contact
from wheelwork.equations.forces import Binding, Effect
from wheelwork.equations.rows import turn_about_axis
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import numpy as np

_Both = tuple[values.Value, values.Value]


def _coupled(words: str, unit: str, second: int) -> values.NumberField:
    """Of force over tilt, and of moment over deflection."""
    per_rad = (dimensions.exponents(1, 1, second, -1), 1.0)
    exponents = dimensions.exponents(1, 1, second)
    return values.NumberField((dimensions.Dimension(words, unit, f"2e5 {unit}", exponents, also=(per_rad,)),))


_Cross = Annotated[values.Value, _coupled("a stiffness between force and tilt", "N", -2)]
_CrossDamping = Annotated[values.Value, _coupled("a damping between force and tilt", "N*s", -1)]
_Force = tuple[values.Stiffness, values.Stiffness, values.Stiffness, _Cross, _Cross]
_Moment = tuple[_Cross, _Cross, _Cross, values.TorsionalStiffness, values.TorsionalStiffness]
_Drag = tuple[values.Damping, values.Damping, values.Damping, _CrossDamping, _CrossDamping]
_Torque = tuple[_CrossDamping, _CrossDamping, _CrossDamping, values.TorsionalDamping, values.TorsionalDamping]
# In x, y, z, tilt about x, tilt about y.
StiffnessMatrix = tuple[_Force, _Force, _Force, _Moment, _Moment]
DampingMatrix = tuple[_Drag, _Drag, _Drag, _Torque, _Torque]
STIFFNESSES = ("radial_stiffness", "axial_stiffness", "tilt_stiffness")
DAMPINGS = ("radial_damping", "axial_damping", "tilt_damping")
ZERO: _Both = (0.0, 0.0)


class Bearing(Mount):
    """Elastic bearing of a shaft (body b) in a housing (body a): stiff across its axis, along it and against tilt.

    The shaft turns in it freely, any number of times; there is no load where the frames coincide, which is the given
    position when placed in the world. Body a is the one against which the load stands still: the housing of a shaft,
    the axle on which a wheel turns, the carrier of a planet.

    Fields:
        bodies: names of the housing a and the shaft b
        axis [1]: of the shaft, in the world; z in the plane
        radial_stiffness [N/m]: across the axis; one number, or two along x and y of the frame on a
        axial_stiffness [N/m]: along the axis
        tilt_stiffness [N m/rad]: against tilt; one number, or two about x and y
        radial_damping [N s/m]: one number, or two
        axial_damping [N s/m]: along the axis
        tilt_damping [N m s/rad]: one number, or two
        stiffness_matrix: all of them, 5 by 5, in x, y, z, tilt about x and y: N/m, N m/rad, and N where they cross
            (force over tilt, moment over deflection). It need not be symmetric
        damping_matrix: the same of the dampers: N s/m, N m s/rad, and N s
        clearance [m]: radial, from one side to the other; the shaft is free within half of it from the centre
        axial_clearance [m]: from one end to the other
        preload [N]: force on the shaft along the axis at the given position
        one_sided: carries axial load one way alone, as angular contact bearings do: it pushes the shaft along `axis`
    """

    noun = "bearing"
    known_in_plane = ("axis",)
    has_axis = True
    symbol = ("outer_ring", "inner_ring")

    type: Literal["bearing"] = "bearing"
    radial_stiffness: Annotated[tuple[values.Stiffness, values.Stiffness], values.PairOrNumber()] = ZERO
    axial_stiffness: values.Stiffness = 0.0
    tilt_stiffness: Annotated[
        tuple[values.TorsionalStiffness, values.TorsionalStiffness], values.PairOrNumber()
    ] = ZERO
    radial_damping: Annotated[tuple[values.Damping, values.Damping], values.PairOrNumber()] = ZERO
    axial_damping: values.Damping = 0.0
    tilt_damping: Annotated[
        tuple[values.TorsionalDamping, values.TorsionalDamping], values.PairOrNumber()
    ] = ZERO
    stiffness_matrix: StiffnessMatrix | None = None
    damping_matrix: DampingMatrix | None = None
    clearance: values.Length = 0.0
    axial_clearance: values.Length = 0.0
    preload: values.Force = 0.0
    one_sided: bool = False
    not_negative = (*STIFFNESSES, *DAMPINGS, "clearance", "axial_clearance")

    # -- checks

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        for matrix, fields in (("stiffness_matrix", STIFFNESSES), ("damping_matrix", DAMPINGS)):
            twice = [name for name in fields if getattr(self, matrix) is not None and self._has(name)]
            if twice:
                yield Issue(twice[0], f"is in the `{matrix}` already", "give one or the other")
        whole = [x for row in self.stiffness_matrix or () for x in row]
        if all(isinstance(x, int | float) and x == 0 for x in whole) and not any(map(self._has, STIFFNESSES)):
            text = "has no stiffness: it would hold the shaft in no direction"
            yield Issue("", text, "give `radial_stiffness`, `axial_stiffness` or a `stiffness_matrix`")
        yield from self._matrix_issues(value)
        yield from self._play_issues(value)

    def _has(self, name: str) -> bool:
        return getattr(self, name) not in (0.0, ZERO, False)

    def _matrix_issues(self, value: Evaluate) -> Iterator[Issue]:
        if self.damping_matrix is not None:
            entries = [[value(x) for x in row] for row in self.damping_matrix]
            if not any(x is None for row in entries for x in row):
                C = np.array(entries, dtype=float)
                least = float(np.linalg.eigvalsh((C + C.T) / 2)[0])
                if least < -1e-9 * float(np.abs(C).max()):
                    text = f"would create energy: its symmetric part has the negative eigenvalue {least:g}"
                    yield Issue("damping_matrix", text, "is a sign wrong?")
        if self.stiffness_matrix is not None or self.damping_matrix is not None:
            for name in ("clearance", "axial_clearance", "one_sided"):
                if self._has(name):
                    text = "is not available with a matrix, whose springs always touch"
                    yield Issue(name, text, "give `radial_stiffness`, `axial_stiffness` and `tilt_stiffness`")

    def _play_issues(self, value: Evaluate) -> Iterator[Issue]:
        for name, (x, y) in (("stiffness", self.radial_stiffness), ("damping", self.radial_damping)):
            numbers = value(x), value(y)
            if self._has("clearance") and None not in numbers and numbers[0] != numbers[1]:
                are = f"{numbers[0]:g} and {numbers[1]:g}"
                text = f"must be the same along x and y in a bearing with `clearance`, but is {are}"
                yield Issue(f"radial_{name}", text)
        for name, needs in (
            ("clearance", "radial_stiffness"),
            ("axial_clearance", "axial_stiffness"),
            ("one_sided", "axial_stiffness"),
        ):
            if self._has(name) and not self._has(needs) and self.stiffness_matrix is None:
                yield Issue(needs, f"is missing beside `{name}`: nothing would hold the shaft at its end")
        preload = value(self.preload)
        if self.one_sided and preload is not None and preload < 0:
            text = f"must not be negative where the bearing is `one_sided`, but is {preload:g} N"
            yield Issue("preload", text, "reverse `axis`: the bearing pushes the shaft along it")
        if self._has("preload") and self._has("axial_clearance"):
            yield Issue("preload", "closes the `axial_clearance`", "give one or the other")

    def kind_issues(self, kind: str) -> Iterator[Issue]:
        out_of_plane = ("axial_stiffness", "tilt_stiffness", "axial_damping", "tilt_damping")
        out_of_plane += ("stiffness_matrix", "damping_matrix", "axial_clearance", "preload", "one_sided")
        for name in out_of_plane:
            if kind == PLANAR and getattr(self, name) is not None and self._has(name):
                text = "has no meaning in a planar mechanism, where bearings carry radial loads alone"
                yield Issue(name, text, "leave it out")

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> Bearing:
        if kind == PLANAR:
            return cls(bodies=bodies, point=(0.4, 0.2), radial_stiffness=(30.0, 20.0), radial_damping=2.0)
        numbers: dict[str, Any] = {"axial_stiffness": 20.0, "axial_damping": 1.0, "preload": 3.0}
        numbers |= {"tilt_stiffness": (4.0, 6.0), "tilt_damping": 0.4}
        place: dict[str, Any] = {"point": (0.4, 0.2, 0.1), "axis": (0.2, 1.0, 0.4)}
        return cls(bodies=bodies, radial_stiffness=(30.0, 25.0), radial_damping=2.0, **place, **numbers)

    # -- equations

    def held(self, values):
        given = (*self.radial_stiffness, self.axial_stiffness, *self.tilt_stiffness)
        if self.stiffness_matrix is not None:
            given = tuple(row[k] for k, row in enumerate(self.stiffness_matrix))
        return (*(number_of(x, values) > 0 for x in given), False)

    def bind(self, context):
        place = context.place
        k, c = (
            ca.vertcat(place.vector(radial), place.value(axial), place.vector(tilt))
            if matrix is None
            else ca.vertcat(*(place.vector(row) for row in matrix))
            for matrix, radial, axial, tilt in (
                (self.stiffness_matrix, self.radial_stiffness, self.axial_stiffness, self.tilt_stiffness),
                (self.damping_matrix, self.radial_damping, self.axial_damping, self.tilt_damping),
            )
        )
        ends = "one" if self.one_sided else "two" if self._has("axial_clearance") else ""
        # a self-aligning bearing has no torque to work out
        tilts = not (k.numel() == c.numel() == 5 and k[3:].is_zero() and c[3:].is_zero())
        play = [place.value(x) for x in (self.clearance, self.axial_clearance, self.preload)]
        options = (k.numel(), c.numel(), self._has("clearance"), ends, tilts)
        return Binding(list(self.bodies), [*place.joint_frames(self), k, c, *play], options=options)

    @staticmethod
    def effect(arguments):
        size_k, size_c, free, ends, tilts = arguments.options
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        k, c, rest = ca.vertsplit(arguments.data[24:], [0, size_k, size_k + size_c, size_k + size_c + 3])
        clearance, axial_clearance, preload = ca.vertsplit(rest)
        at = offset(a, b)
        u = ca.vertcat(at.d, at.t)
        rate = ca.vertcat(at.d_rate, ca.mtimes(at.tilting, b.body.w - a.body.w))
        K, C = (ca.reshape(x, 5, 5).T if x.numel() == 25 else ca.diag(x) for x in (k, c))
        spring = ca.mtimes(K, u)
        f = -spring - ca.mtimes(C, rate)
        energy = [u[:2] * spring[:2] / 2, u[2] * spring[2] / 2 - preload * u[2], u[3:] * spring[3:] / 2]
        f[2] += preload
        signals, events = {}, []
        if free:
            f[:2], energy[0], depth = _in_clearance(u[:2], rate[:2], k[0], c[0], clearance)
            touches = ca.if_else(depth > 0, 1.0, 0.0)
            signals["contact.radial"] = (touches, "1", "1: the clearance is used up; 0: free")
            events.append(depth)
        if ends:
            depths = [-u[2] - axial_clearance / 2 + preload / k[2], u[2] - axial_clearance / 2]
            up, down = (
                contact(k[2], c[2], s, sign * rate[2]) for s, sign in zip(depths, (-1, 1), strict=True)
            )
            used = depths[:1] if ends == "one" else depths
            f[2] = up if ends == "one" else up - down
            energy[1] = k[2] / 2 * ca.sum1(ca.fmax(ca.vertcat(*used), 0.0) ** 2)
            side = ca.if_else(
                depths[0] > 0, 1.0, 0.0 if ends == "one" else ca.if_else(depths[1] > 0, -1.0, 0.0)
            )
            meaning = "1 or -1: the shaft is pushed up or down the axis; 0: free"
            signals["contact.axial"] = (side, "1", meaning)
            events += used
        force = ca.mtimes(a.axes, f[:3])
        torque = ca.mtimes(at.tilting.T, f[3:]) if tilts else ca.SX(3, 1)
        return Effect(
            between(a, b, force, torque),
            potential=ca.sum1(ca.vertcat(*energy)),
            signals=_deflections(a, b, at) | load_signals(a, force, torque) | signals,
            events=events,
            touches=len(events),
        )


def _in_clearance(d: ca.SX, rate: ca.SX, k: ca.SX, c: ca.SX, clearance: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
    """Force on the shaft across the axis (2), stored energy, and depth beyond the clearance (negative: free)."""
    square, half = ca.dot(d, d), clearance / 2
    touches = square > half**2
    e = ca.sqrt(ca.if_else(touches, square, 1.0))
    n = d / e
    speed = ca.dot(n, rate)
    push = contact(k, c, e - half, speed)
    force = ca.if_else(touches, -(push * n + c * (rate - speed * n)), 0.0)
    # differentiable in the middle, where the distance itself is not: off by 1e-15 m there
    depth = ca.sqrt(square + 1e-30) - half
    return force, ca.if_else(touches, k / 2 * (e - half) ** 2, 0.0), depth


def _deflections(a, b, at) -> dict[str, Any]:
    signals = {
        f"deflection.{axis}": (at.d[i], "m", f"displacement of the shaft along {axis} of the frame on a")
        for i, axis in enumerate("xyz" if a.angle is None else "xy")
    }
    radial = ca.sqrt(at.d[0] ** 2 + at.d[1] ** 2)
    signals["deflection.radial"] = (radial, "m", "size of the deflection across the axis")
    speed = turn_about_axis(a, b).rate(a, b)
    signals["speed"] = (speed, "rad/s", "of the shaft against the housing about the axis")
    return signals | tilt_signals(a, at)
