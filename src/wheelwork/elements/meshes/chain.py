r"""Roller chain on two sprockets with parallel axes: a straight strand of rigid links from roller to roller.

The rollers on a sprocket with z teeth are corners of a polygon with sides of the pitch p, on a circle of the radius
R = p/(2 sin(pi/z)). The tight strand goes from the last roller A that is seated on a to the first one B on b, and is a
whole number n of links long. It holds their distance, as the coupler of a four-bar linkage with the cranks R_a and R_b:

    g = +-|B - A|,   modulo p                            + where the strand is to the left of the line of centres l

A and B are those corners of the polygons that lie farthest out across the strand. A roller is handed over where the
strand lies in one line with a side of a polygon: both ends of that side then have the same distance to the other
sprocket but for p, and the same velocity along the strand. So g and its rate have no jumps, accelerations do; whole
turns and hand-overs change g by whole numbers of p alone. With w_a, w_b the speeds against the line of centres

    w_a c_a = w_b c_b,   c_i = R_i cos(angle of the roller from the foot of the strand's normal)

and the ratio swings about z_b/z_a: the polygon effect. A sprocket that turns steadily moves a long strand by speeds
that differ by up to 1 - cos(pi/z). The multiplier F_t is the pull in the tight strand (with the other sign in the right
one), a force at A and B along it. The other strand hangs loose and pulls nothing.

    r_a, r_b             z p/(2 pi), radii that roll in the mean                         m
    circle_a, circle_b   R_a, R_b                                                        m
    teeth_a, teeth_b     z_a, z_b                                                        1
    seat_a, seat_b       angle of a seat from the x axis of the marker                   rad
    side                 1 where the left strand is tight, -1 where the right one is     1
    slack                about what the chain is longer than one drawn tight             m

Markers: z_b along z_a, x along l from a to b at the given position. `contact_point` is B. Left out: mass of the chain,
with it centrifugal tension and impacts of rollers on their seats, and friction of the pins but for `efficiency`, which
holds in the mean over a pitch.

Source: the four-bar linkage is that of R. A. Morrison, Polygonal action in chain drives, Machine Design 24 (1952)
155-159. The rest is written from the geometry of two polygons.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import Angle, Length
from wheelwork.elements.meshes.base import tooth_issues
from wheelwork.elements.meshes.parallel import OnParallelAxes, SeparateWheelEquations, turns_against_centres
from wheelwork.equations.frames import Marker
from wheelwork.equations.mesh_equations import Directions, Extras, modulo
from wheelwork.equations.mesh_rows import combination
from wheelwork.equations.rows import separation
from wheelwork.equations.vector_form import MOVING, VectorForm
from wheelwork.layout.meshes.faults import MeshFault
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import gears

ROUNDS = 3
"""In which the rollers at the ends of a strand are found: first by the tangent of the circles, then by the strand."""


class ChainMesh(OnParallelAxes):
    """A roller chain on two sprockets, whose ratio swings with every tooth. Removes 1 degree of freedom.

    Rigid, the strand `tight` is taken to pull; with `model: links` both strands do, each while it is tight.

    Fields:
        bodies: names of sprocket a and sprocket b
        teeth [1]: of sprocket a and sprocket b, whole numbers, 6 or more
        pitch [m]: of the chain, from roller to roller
        links [1]: of the chain, a whole number; the fewest that fit where left out
        tight: the strand that pulls: `left` or `right` of the line from a to b, seen against the axis of a; a that
            drives b in the positive sense pulls with the left one
        seat_angle [rad]: of a roller on a from the line of centres, at the given position
        roller_diameter [m]: for pictures; 5/8 of the pitch where left out
        model: of the chain: `rigid` or `links`
    """

    type: Literal["chain"] = "chain"
    teeth: tuple[int, int]
    pitch: Length
    links: int | None = None
    tight: Literal["left", "right"] = "left"
    seat_angle: Angle = 0.0
    roller_diameter: Length | None = None
    wheels_touch: ClassVar[bool] = False
    has_links: ClassVar[bool] = True
    toothless = "a chain has rollers in place of gear teeth"
    positive = ("pitch", "roller_diameter")

    @property
    def turns_same_way(self) -> bool:
        return True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from tooth_issues(self.teeth, value)
        pitch = value(self.pitch)
        roller = None if self.roller_diameter is None else value(self.roller_diameter)
        if pitch is not None and roller is not None and 0 < pitch <= roller:
            text = f"must be less than the pitch, {1e3 * pitch:g} mm, but is {1e3 * roller:g} mm"
            yield Issue("roller_diameter", text)

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> ChainMesh:
        return cls.sample_at(0.37, kind, bodies, teeth=(11, 19), pitch=0.02, seat_angle=0.1)

    @property
    def only_pulls(self) -> int:
        return 1 if self.tight == "left" else -1

    def drive(self, pitch: float, distance: float) -> gears.ChainDrive:
        """The geometry in numbers [m], or what is wrong with it."""
        try:
            return gears.ChainDrive(self.teeth, pitch, distance, self.links)
        except gears.GeometryError as error:
            raise MeshFault(str(error), "move the axes, or change `teeth`, `pitch` or `links`") from None

    def sizes(self, place, distance):
        pitch, (z_a, z_b) = place.value(self.pitch), self.teeth
        links = self.drive(place.number(pitch), place.number(distance)).count
        numbers = {
            "r_a": z_a * pitch / (2 * ca.pi),
            "r_b": z_b * pitch / (2 * ca.pi),
            "circle_a": pitch / (2 * ca.sin(ca.pi / z_a)),
            "circle_b": pitch / (2 * ca.sin(ca.pi / z_b)),
            "teeth_a": ca.SX(z_a),
            "teeth_b": ca.SX(z_b),
            "seat_a": place.value(self.seat_angle),
            "side": ca.SX(self.only_pulls),
            "pitch": pitch,
        }
        numbers["seat_b"] = _seat_of_b(numbers, distance)
        numbers["slack"] = links * pitch - _around(numbers, distance)
        return self.teeth, numbers

    class Equations(SeparateWheelEquations):
        forces: ClassVar = {
            "force.tangential": ("N", "pull in the left strand minus pull in the right one"),
            "force.tight": ("N", "pull in the tight strand; negative where it would have to push"),
            "force.slack": ("N", "pull in the slack strand"),
            "ratio": ("1", "speed of a over speed of b at present, against what carries them"),
            "slack": ("m", "by which the slack strand is longer than straight"),
        }
        units: ClassVar = {"teeth_a": "1", "teeth_b": "1", "seat_a": "rad", "seat_b": "rad", "side": "1"}
        extras = (
            *(
                "r_a",
                "r_b",
                "circle_a",
                "circle_b",
                "teeth_a",
                "teeth_b",
                "seat_a",
                "seat_b",
                "side",
                "slack",
            ),
            *("pitch", "phase"),
        )
        chosen = ("roller_a", "roller_b")

        def choose(self, a, b, x):
            return ca.vertcat(*seats(a, b, x, x["side"]))

        def no_slip(self, a, b, x):
            return combination((x["side"], separation(*rollers(a, b, x, x["side"]))))

        def speed(self, a, b, x):
            """Of the tight strand."""
            over = zip(arms(a, b, x), turns_against_centres(a, b), strict=True)
            return -sum((arm * phi.rate(a, b) for arm, phi in over), ca.SX(0)) / 2

        def contact_point(self, a, b, x):
            return rollers(a, b, x, x["side"])[1].p

        def directions(self, a, b, x):
            A, B = rollers(a, b, x, x["side"])
            away = (A.p - B.p) * x["side"]
            tangential = away / ca.norm_2(away)
            return Directions(tangential, ca.cross(tangential, a.ez), a.ez)

        def separating(self, a, b, x, force, spread=None):
            """Nothing: the pull is in the row."""
            return ca.SX(3, 1)

        def normal_force(self, x, force):
            return ca.fabs(force)

        def force_signals(self, a, b, x, force, friction=None, **spread):
            c_a, c_b = arms(a, b, x)
            loose = -beyond(separation(*rollers(a, b, x, -x["side"])).value, x)
            return [force, x["side"] * force, ca.SX(0), c_b / c_a, loose]

        def printed(self):
            return VectorForm(
                "sigma |B - A| - phi_0",
                ("-sigma e", "-sigma (A - x_a) x e", "sigma e", "sigma (B - x_b) x e"),
                "-sigma (((D . D) - (e . D)^2)/|B - A| + e . (w_b x (w_b x (B - x_b)) - w_a x (w_a x (A - x_a))))",
                (*MOVING, ("e", "(B - A)/|B - A|"), ("D", "x_b' + w_b x (B - x_b) - x_a' - w_a x (A - x_a)")),
                (
                    (
                        "A, B",
                        "rollers at the ends of the tight strand on a and b, fixed in the sprockets until handed over",
                    ),
                    ("sigma", "1 where the left strand is tight, -1 where the right one is"),
                    ("phi_0", "a whole number of pitches, with the sign of sigma"),
                ),
                multiplier="the pull in the tight strand, times sigma",
            )


def beyond(length: ca.SX, x: Extras) -> ca.SX:
    """What a strand is longer than the nearest whole number of pitches, negative where it is slack; up to half of what
    slack leaves of a pitch."""
    return modulo(length + x["slack"] / 2, x["pitch"]) - x["slack"] / 2


def rollers(a: Marker, b: Marker, x: Extras, side: ca.SX | int) -> tuple[Marker, Marker]:
    """The rollers A on a and B on b at the ends of a strand; side: 1 left, -1 right of the line of centres."""
    angles = (x["roller_a"], x["roller_b"]) if "roller_a" in x else seats(a, b, x, side)
    return tuple(
        _seated(m, angle, x[f"circle_{k}"]) for m, angle, k in zip((a, b), angles, "ab", strict=True)
    )  # type: ignore[return-value]


def seats(a: Marker, b: Marker, x: Extras, side: ca.SX | int) -> list[ca.SX]:
    """Angles of these rollers in the frames of their sprockets."""
    l = b.p - a.p
    l = l - a.ez * ca.dot(a.ez, l)  # a sprocket may have slid along its axis
    d = ca.norm_2(l)
    sine = (x["circle_a"] - x["circle_b"]) / d
    out = l / d * sine + side * ca.cross(a.ez, l / d) * ca.sqrt(1 - sine**2)
    angles: list[ca.SX] = []
    for _ in range(ROUNDS):
        angles = [
            nearest_seat(ca.atan2(ca.dot(out, m.ey), ca.dot(out, m.ex)), x[f"seat_{k}"], x[f"teeth_{k}"])
            for m, k in ((a, "a"), (b, "b"))
        ]
        A, B = (_seated(m, angle, x[f"circle_{k}"]) for m, angle, k in zip((a, b), angles, "ab", strict=True))
        out = side * ca.cross(a.ez, B.p - A.p)
    return angles


def _seated(wheel: Marker, angle: ca.SX, circle: ca.SX) -> Marker:
    at = circle * ca.vertcat(ca.cos(angle), ca.sin(angle), 0)
    return Marker(wheel.body, wheel.local_position + ca.mtimes(wheel.local_axes, at), wheel.local_axes)


def nearest_seat(angle: ca.SX, seat: ca.SX, teeth: ca.SX) -> ca.SX:
    """The angle of that seat; written so that its derivative is seen to be zero."""
    step = 2 * ca.pi / teeth
    return seat + step * ca.floor((angle - seat) / step + 0.5)


def arms(a: Marker, b: Marker, x: Extras) -> tuple[ca.SX, ca.SX]:
    """c_a, c_b: arms of the tight strand about the axes."""
    A, B = rollers(a, b, x, x["side"])
    away = (A.p - B.p) * x["side"]
    away = away / ca.norm_2(away)
    return tuple(ca.dot(a.ez, ca.cross(end.p - wheel.p, away)) for end, wheel in ((A, a), (B, b)))  # type: ignore[return-value]


# -- at the given position: wheel a at the origin, b at (d, 0)


def _seat_of_b(x: Extras, d: ca.SX) -> ca.SX:
    """Angle of a seat of b at which the tight strand is a whole number of pitches long.

    With W = |A O_b| the strand is sqrt(W^2 - R_b^2 cos^2(pi/z_b)) +- p/2 long at the hand-overs on b; with n p between
    these the triangle A B O_b is known.
    """
    side, R_a, R_b, p = x["side"], x["circle_a"], x["circle_b"], x["pitch"]
    out, B = side * ca.acos((R_a - R_b) / d), ca.SX(2, 1)
    for _ in range(ROUNDS):
        at = nearest_seat(out, x["seat_a"], x["teeth_a"])
        A = R_a * _u(at)
        to_b = ca.vertcat(d, 0) - A
        W = ca.norm_2(to_b)
        touching = ca.sqrt(W**2 - (R_b * ca.cos(ca.pi / x["teeth_b"])) ** 2)
        straight = p * ca.floor(touching / p + 0.5)
        turn = ca.acos((straight**2 + W**2 - R_b**2) / (2 * straight * W))
        along = ca.atan2(to_b[1], to_b[0]) + side * turn
        B = A + straight * _u(along)
        out = along + side * ca.pi / 2
    return ca.atan2(B[1], B[0] - d)


def _around(x: Extras, d: ca.SX) -> ca.SX:
    """Length of a belt drawn tight around the mean circles, which that of the chain is close to."""
    q = x["r_a"] - x["r_b"]
    return 2 * ca.sqrt(d**2 - q**2) + ca.pi * (x["r_a"] + x["r_b"]) + 2 * q * ca.asin(q / d)


def _u(angle: ca.SX) -> ca.SX:
    return ca.vertcat(ca.cos(angle), ca.sin(angle))
