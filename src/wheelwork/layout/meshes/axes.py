"""The axes of the wheels: given, or those of the joints that carry them.

A joint carries a wheel if it lets it turn about its axis, as the joint says itself (`in_train`). A body that is held to
the wheel (by a fixed joint, or by three planar joints with independent normals) counts as the wheel itself, so that a
gear welded on a shaft is carried by the shaft's bearings.

Of the pairs of axes, those count that suit the type of mesh and whose distance fits its size, two joints to a common
carrier before others; several bearings on one line are one axis. If that leaves more than one pair, the choice is the
user's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wheelwork.description.registry import family
from wheelwork.equations.rotations import rotation
from wheelwork.equations.values import Template
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass
from wheelwork.lazy import numpy as np

from .faults import TOLERANCE, MeshFault, degrees, millimetres

if TYPE_CHECKING:
    from wheelwork.equations.placement import Place, Placement
    from wheelwork.layout import Layout

GIVE_AXES = "name the two with `joints`, or give `point_a` and `axis_a`, `point_b` and `axis_b`"


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The vector product; NumPy's own takes thirty times as long for two vectors."""
    (x, y, z), (u, v, w) = a.tolist(), b.tolist()
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


@dataclass(frozen=True)
class WheelAxis:
    """The axis of a wheel, or the pitch line of a rack, at the given position.

    source: what it comes from, for messages
    point, direction: expressions, in the world; the direction has length 1
    at, along: their numbers
    center_given: whether the point is the wheel's centre, and not just any point of the axis
    joint, carrier: the joint and the group of bodies on its other side, if it comes from a joint
    """

    source: str
    point: ca.SX
    direction: ca.SX
    at: np.ndarray
    along: np.ndarray
    center_given: bool = False
    joint: str | None = None
    carrier: str | None = None

    def foot(self, point: ca.SX) -> ca.SX:
        """The point of the axis in the plane through another point at a right angle to it."""
        return _FOOT(self.point, self.direction, point)[0]

    def sine(self, other: WheelAxis) -> float:
        """Of the angle between the two."""
        return float(np.linalg.norm(_cross(self.along, other.along)))

    def is_parallel(self, other: WheelAxis) -> bool:
        return self.sine(other) <= TOLERANCE

    def distance(self, other: WheelAxis) -> float:
        """Between the two lines."""
        gap = other.at - self.at
        normal = _cross(self.along, other.along)
        if self.is_parallel(other):
            return float(np.linalg.norm(gap - self.along * (self.along @ gap)))
        return abs(float(gap @ normal)) / float(np.linalg.norm(normal))

    def goes_through(self, point: np.ndarray, scale: float) -> bool:
        return float(np.linalg.norm(_cross(self.along, point - self.at))) <= TOLERANCE * scale

    def same_line(self, other: WheelAxis, scale: float) -> bool:
        return self.is_parallel(other) and self.distance(other) <= TOLERANCE * scale


def _foot(at: ca.SX, along: ca.SX, point: ca.SX) -> list[ca.SX]:
    return [at + along * ca.dot(along, point - at)]


_FOOT = Template(_foot)
Pair = tuple[WheelAxis, WheelAxis]


@dataclass(frozen=True)
class AxisRequirement:
    """What the axes of a mesh must be like.

    words: such as `parallel axes`
    suits: whether two axes are of that kind
    distance: that its size asks for [m], if it is known
    slides: whether b is a rack
    free: whether a may be free of joints
    """

    words: str
    suits: Callable[[WheelAxis, WheelAxis], bool]
    distance: float | None = None
    slides: bool = False
    free: bool = False

    def fits(self, pair: Pair) -> bool:
        if self.distance is None:
            return True
        return abs(pair[0].distance(pair[1]) - self.distance) <= TOLERANCE * self.distance


def rigid_pairs(layout: Layout) -> list[tuple[str, str]]:
    """Bodies that are held to each other: by a fixed joint, or by planar joints whose normals span space."""
    held: list[tuple[str, str]] = []
    normals: dict[tuple[str, str], list[np.ndarray]] = {}
    for name, placed in layout.flat.joints.items():
        joint: Any = placed.element
        if joint.motions() == ():
            held.append(joint.bodies)
        elif joint.motions() == ("slide", "slide", "turn"):
            use = layout.joint(name)
            normal = layout.in_world(use.bodies[0], use.markers[0]).axes[:, 2]
            a, b = sorted(use.bodies)
            normals.setdefault((a, b), []).append(layout.number(normal))
    spanning = (pair for pair, found in normals.items() if np.linalg.matrix_rank(np.array(found), 1e-3) == 3)
    return [*held, *spanning]


class Axes:
    """Finds the axes of meshes in a mechanism."""

    def __init__(self, layout: Layout):
        self.layout = layout
        self.flat = layout.flat
        self.number = layout.number
        self.planar = layout.flat.kind == "planar"
        self._group = self._groups()
        self.scale = self._scale()

    def of(self, mesh: Any, place: Place, wanted: AxisRequirement) -> Pair:
        """Axes of wheel a and wheel b, with the centres that are given."""
        first, second = self._pair(mesh, place, wanted)
        return self._centred(mesh, place, 0, first, wanted), self._centred(mesh, place, 1, second, wanted)

    def _pair(self, mesh: Any, place: Place, wanted: AxisRequirement) -> Pair:
        if mesh.joints is not None:
            return self._named(mesh, 0, wanted), self._named(mesh, 1, wanted)
        given = [self._given(mesh, place, side, wanted) for side in range(2)]
        if given[0] is not None and given[1] is not None:
            return given[0], given[1]
        choices = [
            [axis] if axis is not None else self._carrying(mesh.bodies[side], side, wanted)
            for side, axis in enumerate(given)
        ]
        if not choices[0] and wanted.free:
            choices[0] = [self._free(mesh.bodies[0])]
        for side in range(2):
            if not choices[side]:
                raise self._nothing(mesh.bodies[side], side, wanted)
        return self._chosen(mesh, choices[0], choices[1], wanted)

    def carrier(self, axes: Pair, wheels: tuple[str, str]) -> str | None:
        """A body in which the axes of both wheels keep their directions: joints on the axis of each wheel lead to it,
        or slides from there."""
        on_a, on_b = (self._on_axis(axis, wheel) for axis, wheel in zip(axes, wheels, strict=True))
        return next((body for body in on_a[1:] if body in on_b[1:]), None)

    def _on_axis(self, axis: WheelAxis, wheel: str) -> list[str]:
        """Bodies that joints on an axis, bearings centred on it, and slides lead to from a wheel, each for those held
        to it, the wheel first."""
        links = [
            (self._group[one.bodies[0]], self._group[one.bodies[1]])
            for one, frame in self._bearings
            if axis.goes_through(self.number(frame.position), self.scale)
        ]
        for name, placed in self.flat.joints.items():
            element: Any = placed.element
            unturned = element.motions() == ("slide",)
            if not unturned and not carries(element, False):
                continue
            joint = self.layout.joint(name)
            if unturned:
                links.append((self._group[joint.bodies[0]], self._group[joint.bodies[1]]))
                continue
            found = self._of_joint(name, joint.bodies[0], 0, AxisRequirement("", lambda a, b: True))
            if found is not None and found.same_line(axis, self.scale):
                links.append((self._group[joint.bodies[0]], self._group[joint.bodies[1]]))
        reached = [self._group[wheel]]
        for body in reached:
            for first, second in links:
                for here, there in ((first, second), (second, first)):
                    if here == body and there not in reached:
                        reached.append(there)
        return reached

    @cached_property
    def _bearings(self) -> list[tuple[Any, Placement]]:
        """Elastic bearings and bushings, and where the frame on a of each is."""
        return [
            (one, self.layout.in_world(one.bodies[0], self.layout.place(placed).joint_frames(one)[0]))
            for placed in self.flat.forces.values()
            if (one := placed.element).is_bearing  # type: ignore[attr-defined]
        ]

    # -- one axis

    def _axis(
        self, source: str, placement: Placement, wanted: AxisRequirement, side: int, **more: Any
    ) -> WheelAxis:
        # in the plane the direction of a line is the x axis of its frame: z is at a right angle to the plane
        column = 0 if self.planar and wanted.slides and side == 1 else 2
        direction = placement.axes[:, column]
        at, along = self.number(placement.position), self.number(direction)
        return WheelAxis(source, placement.position, direction, at, along, **more)

    def _given(self, mesh: Any, place: Place, side: int, wanted: AxisRequirement) -> WheelAxis | None:
        letter = "ab"[side]
        point, axis = getattr(mesh, f"point_{letter}"), getattr(mesh, f"axis_{letter}")
        pose = getattr(mesh, f"frame_{letter}")
        if point is not None and axis is not None:
            direction = place.direction(axis)
            direction = direction / ca.norm_2(direction)
            where = place.point(point)
            source = f"`point_{letter}` and `axis_{letter}`"
            return WheelAxis(
                source, where, direction, self.number(where), self.number(direction), center_given=True
            )
        if pose is None:
            return None
        local = place.vector(pose.position), rotation(pose.orientation, self.layout.parameters)
        outer = place.sides.get(letter) or self.layout.bodies[mesh.bodies[side]].frame
        return self._axis(f"`frame_{letter}`", outer.then(*local), wanted, side, center_given=True)

    def _centred(
        self, mesh: Any, place: Place, side: int, axis: WheelAxis, wanted: AxisRequirement
    ) -> WheelAxis:
        """The axis of a joint with the centre that was given on it; of a rack, the line through that point."""
        name = f"point_{'ab'[side]}"
        point = getattr(mesh, name)
        if point is None or axis.center_given:
            return axis
        where = place.point(point)
        at = self.number(where)
        if not axis.goes_through(at, self.scale) and not (wanted.slides and side == 1):
            off = float(np.linalg.norm(_cross(axis.along, at - axis.at)))
            text = f"`{name}` is {millimetres(off)} beside the axis of `{mesh.bodies[side]}` ({axis.source})"
            hint = f"move it onto that, or give `axis_{'ab'[side]}` too, for an axis of its own"
            raise MeshFault(text, hint, name)
        return replace(axis, point=where, at=at, center_given=True)

    def _free(self, body: str) -> WheelAxis:
        """A wheel in the plane that no joint carries turns about its centre of mass."""
        normal = ca.DM([0, 0, 1])
        where = self.center_of_mass(body)
        return WheelAxis(
            f"body `{body}`", where, ca.SX(normal), self.number(where), np.array(normal)[:, 0], True
        )

    def center_of_mass(self, body: str) -> ca.SX:
        at = self.layout.bodies[body]
        return at.frame.point(at.center)

    # -- joints

    def _of_joint(self, name: str, wheel: str, side: int, wanted: AxisRequirement) -> WheelAxis | None:
        """The axis of a joint as fixed in the wheel, or None if the joint does not touch it."""
        joint = self.layout.joint(name)
        ends = [self._group[body] for body in joint.bodies]
        if self._group[wheel] not in ends or ends[0] == ends[1]:
            return None
        own = ends.index(self._group[wheel])

        def made() -> WheelAxis:
            frame = self.layout.in_world(joint.bodies[own], joint.markers[own])
            return self._axis(f"joint `{name}`", frame, wanted, side, joint=name, carrier=ends[1 - own])

        return self.layout.once(("axis", name, own, wanted.slides and side == 1), made)

    def _carrying(self, wheel: str, side: int, wanted: AxisRequirement) -> list[WheelAxis]:
        found = (
            self._of_joint(name, wheel, side, wanted)
            for name in self._joints_of[self._group[wheel]]
            if carries(self.flat.joints[name].element, wanted.slides and side == 1)
        )
        by_joints = [axis for axis in found if axis is not None]
        return by_joints or ([] if wanted.slides and side == 1 else self._in_bearings(wheel, side, wanted))

    def _in_bearings(self, wheel: str, side: int, wanted: AxisRequirement) -> list[WheelAxis]:
        """Of the floating and the elastic bearings in which a wheel's shaft stands."""
        group, out = self._group[wheel], []
        for name in [] if self.planar else self._joints_of[group]:
            joint: Any = self.flat.joints[name].element
            axis = self._of_joint(name, wheel, side, wanted)
            if joint.is_bearing and joint.in_train == "support" and axis is not None:
                out.append(replace(axis, source="its bearings", joint=None))
        for one, frame in self._bearings:
            ends = [self._group[body] for body in one.bodies]
            if one.has_axis and group in ends and ends[0] != ends[1]:
                carrier = ends[1 - ends.index(group)]
                out.append(self._axis("its bearings", frame, wanted, side, carrier=carrier))
        return out

    @cached_property
    def _joints_of(self) -> Mapping[str, list[str]]:
        """Joints that touch each group of bodies."""
        found: dict[str, list[str]] = {group: [] for group in self._group.values()}
        for name in self.flat.joints:
            for group in dict.fromkeys(self._group[body] for body in self.layout.joint(name).bodies):
                found[group].append(name)
        return found

    def _named(self, mesh: Any, side: int, wanted: AxisRequirement) -> WheelAxis:
        name, wheel = mesh.joints[side], mesh.bodies[side]
        joint: Any = self.flat.joints[name].element
        rack = wanted.slides and side == 1
        if not carries(joint, rack):
            text = f"needs a {_carriers(rack)} joint for `{wheel}`, but `{name}` is of type `{joint.type}`"
            raise MeshFault(text, field="joints")
        axis = self._of_joint(name, wheel, side, wanted)
        if axis is None:
            letter = "ab"[side]
            text = f"joint `{name}` does not carry `{wheel}`: it connects `{joint.bodies[0]}` and `{joint.bodies[1]}`"
            hint = f"`joints` go in the order of `bodies`; or give `point_{letter}` and `axis_{letter}`"
            raise MeshFault(text, hint, "joints")
        return axis

    def _groups(self) -> dict[str, str]:
        """For each body the one that stands for all that are held to it."""
        parent = {name: name for name in self.layout.bodies}

        def root(name: str) -> str:
            while parent[name] != name:
                name = parent[name]
            return name

        for first, second in self.layout.rigid_pairs:
            # ground stands for its group, so that messages and carriers name it
            low, high = sorted((root(first), root(second)), key=lambda body: body != "ground")
            parent[high] = low
        return {name: root(name) for name in parent}

    def _scale(self) -> float:
        """The size of the mechanism [m], from the places of bodies and joints."""
        places = [body.frame.position for body in self.layout.bodies.values()]
        for name in self.flat.joints:
            joint = self.layout.joint(name)
            places.append(self.layout.in_world(joint.bodies[0], joint.markers[0]).position)
        points = self.number(ca.horzcat(*places)).reshape(3, -1)
        return max(float(np.ptp(points, axis=1).max()), 1e-9)

    # -- choosing

    def _chosen(
        self, mesh: Any, first: list[WheelAxis], second: list[WheelAxis], wanted: AxisRequirement
    ) -> Pair:
        groups = [self._group[body] for body in mesh.bodies]
        pairs = [
            (a, b)
            for a in first
            for b in second
            # a joint between the two wheels is the axis of one of them; of which is clear where the other's is given
            if (a.carrier != groups[1] or b.carrier is None) and (b.carrier != groups[0] or a.carrier is None)
        ]
        common = [(a, b) for a, b in pairs if a.carrier is not None and a.carrier == b.carrier]
        suiting = [[pair for pair in some if wanted.suits(*pair)] for some in (common, pairs)]
        fitting = [[pair for pair in some if wanted.fits(pair)] for some in suiting]
        # the last two let a mesh with but one choice say what is wrong with it
        for candidates in (*fitting, *suiting, common, pairs):
            left = self._distinct(candidates)
            if len(left) == 1:
                return left[0]
            if left:
                raise self._unclear(left, mesh, wanted)
        a, b = mesh.bodies
        between = " and ".join(dict.fromkeys(axis.source for axis in first if axis.carrier == groups[1]))
        text = f"`{a}` and `{b}` turn against each other ({between}), so that only one of their axes is known"
        raise MeshFault(
            text, "give the axis of the wheel that is held: `point_b` and `axis_b`, or those of a"
        )

    def _distinct(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Pairs of axes, those on the same lines once."""
        found: list[Pair] = []
        for a, b in pairs:
            if not any(a.same_line(x, self.scale) and b.same_line(y, self.scale) for x, y in found):
                found.append((a, b))
        return found

    def _nothing(self, wheel: str, side: int, wanted: AxisRequirement) -> MeshFault:
        letter = "ab"[side]
        what = _carriers(wanted.slides and side == 1)
        text = f"no {what} joint or bearing carries `{wheel}`, so that its axis is not known"
        return MeshFault(text, f"add the joint, or give `point_{letter}` and `axis_{letter}`")

    def _unclear(self, pairs: list[Pair], mesh: Any, wanted: AxisRequirement) -> MeshFault:
        a, b = mesh.bodies
        size = f" {millimetres(wanted.distance)} apart" if wanted.distance is not None else ""
        if wanted.suits(*pairs[0]) and wanted.fits(pairs[0]):
            start = f"`{a}` and `{b}` have more than one pair of {wanted.words}{size}:"
        else:
            start = f"no joints that carry `{a}` and `{b}` have {wanted.words}{size}; there are"
        listed = "; ".join(_described(pair) for pair in pairs[:6])
        more = f"; and {len(pairs) - 6} more" if len(pairs) > 6 else ""
        return MeshFault(f"{start} {listed}{more}", GIVE_AXES)


def _described(pair: Pair) -> str:
    a, b = pair
    where = f"{millimetres(a.distance(b))} apart"
    if a.is_parallel(b):
        return f"{a.source} and {b.source} (parallel, {where})"
    angle = float(np.arcsin(min(a.sine(b), 1.0)))
    return f"{a.source} and {b.source} (at {degrees(angle)}, {where})"


def carries(joint: Any, rack: bool) -> bool:
    """Whether a joint, or a class of joints, may carry a wheel, or else a rack."""
    return joint.carries_rack if rack else joint.in_train == "turning"


def _carriers(rack: bool) -> str:
    """Types of joint that may, in words; those with fewer freedoms first."""
    found = sorted(
        (len(cls.steps or ()), name) for name, cls in family("joints").items() if carries(cls, rack)
    )
    names = [name for _, name in found]
    return f"{', '.join(names[:-1])} or {names[-1]}"


def nearest_points(a: WheelAxis, b: WheelAxis) -> tuple[ca.SX, ca.SX]:
    """The points of two lines that are nearest to each other."""
    n = ca.cross(a.direction, b.direction)
    square = ca.dot(n, n)
    gap = b.point - a.point
    along_a = ca.dot(ca.cross(gap, b.direction), n) / square
    along_b = ca.dot(ca.cross(gap, a.direction), n) / square
    return a.point + a.direction * along_a, b.point + b.direction * along_b
