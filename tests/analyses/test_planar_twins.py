"""A planar mechanism moves like the same mechanism built from spatial bodies.

`Build` writes one mechanism either way: vectors with two numbers or three, angles or orientations, joints with the
axes that the plane takes for granted. In space every body is held in the plane besides, so that joints which say
nothing about it (rods, cams, meshes) do as well; what is then held twice is redundant, and does not matter.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.kinks import OperatingPointWarning

G = 9.80665
Z = (0.0, 0.0, 1.0)
Pair = tuple[float, float]


class Build:
    """A mechanism in the plane, or its twin in space."""

    def __init__(self, kind: str, gravity: Pair = (0.0, -G)):
        self.planar = kind == "planar"
        self.m = ww.Mechanism(kind, kind=kind, gravity=self.vector(gravity))

    def vector(self, v: Any) -> Any:
        return tuple(v) if self.planar else (*v, 0.0)

    def about(self, value: Any) -> Any:
        """Something along the normal of the plane."""
        return value if self.planar else (0.0, 0.0, value)

    def axis(self) -> dict[str, Any]:
        return {} if self.planar else {"axis": Z}

    def body(
        self,
        name: str,
        at: Pair,
        mass: float = 1.0,
        inertia: float = 0.1,
        angle: float = 0.0,
        velocity: Pair | None = None,
        w: float | None = None,
        **more: Any,
    ) -> None:
        # in space the moments about x and y make no difference; they are not those about z
        moments: Any = inertia if self.planar else (0.6 * inertia, 0.7 * inertia, inertia)
        turned: Any = {"angle": angle} if self.planar else {"orientation": {"axis": Z, "angle": angle}}
        if "center_of_mass" in more:
            more["center_of_mass"] = self.vector(more["center_of_mass"])
        body = ww.Body(
            mass=mass,
            inertia=moments,
            position=self.vector(at),
            velocity=None if velocity is None else self.vector(velocity),
            angular_velocity=None if w is None else self.about(w),
            **turned,
            **more,
        )
        self.m.add(name, body)
        if not self.planar:
            self.m.add(f"{name}-flat", ww.Planar(bodies=("ground", name), point=(*at, 0.0), axis=Z))

    def bar(self, name: str, start: Pair, end: Pair, mass: float = 1.0, **more: Any) -> None:
        d = np.subtract(end, start)
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        self.body(name, middle, mass, mass * float(d @ d) / 12, float(np.arctan2(d[1], d[0])), **more)

    def hinge(self, name: str, a: str, b: str, point: Pair) -> None:
        self.m.add(name, ww.Revolute(bodies=(a, b), point=self.vector(point), **self.axis()))

    def slide(self, name: str, a: str, b: str, point: Pair, axis: Pair) -> None:
        kind = ww.Translational if self.planar else ww.Prismatic
        self.m.add(name, kind(bodies=(a, b), point=self.vector(point), axis=self.vector(axis)))

    def rod(self, name: str, a: str, b: str, start: Pair, end: Pair) -> None:
        kind = ww.RevoluteRevolute if self.planar else ww.Rod
        self.m.add(name, kind(bodies=(a, b), point_a=self.vector(start), point_b=self.vector(end)))

    def block(self, name: str, a: str, b: str, point: Pair, axis: Pair) -> None:
        """A pin of b in a straight slot of a."""
        if self.planar:
            joint: Any = ww.RevoluteTranslational(bodies=(a, b), point_a=point, axis=axis, point_b=point)
        else:
            joint = ww.PointOnPlane(bodies=(a, b), point=(*point, 0.0), axis=(-axis[1], axis[0], 0.0))
        self.m.add(name, joint)

    def mesh(self, name: str, kind: Any, bodies: tuple[str, str], **more: Any) -> None:
        self.m.add(name, kind(bodies=bodies, **more))

    def cam(self, name: str, kind: Any, bodies: tuple[str, str], **more: Any) -> None:
        for key in ("point_a", "point_b", "direction", "reference_a"):
            if key in more:
                more[key] = self.vector(more[key])
        self.m.add(name, kind(bodies=bodies, **self.axis(), **more))

    def spring(self, name: str, a: str, b: str, start: Pair, end: Pair, **more: Any) -> None:
        points = {"point_a": self.vector(start), "point_b": self.vector(end)}
        self.m.add(name, ww.Spring(bodies=(a, b), **points, **more))

    def ball_on_floor(
        self, name: str, body: str, point: Pair, radius: float, law: Any, height: float
    ) -> None:
        ball = {"body": body, "point_in_body": self.vector(point), "radius": radius}
        floor = {"point_in_body": self.vector((0.0, height)), "normal_in_body": self.vector((0.0, 1.0))}
        self.m.add(name, ww.Contact(a=ball, b=floor, law=law))


# -- the mechanisms; each returns how long to look at it


def four_bar_with_springs(b: Build) -> float:
    b.bar("crank", (0, 0), (0, 0.2), 0.5)
    b.bar("coupler", (0, 0.2), (0.4, 0.45), 1.2)
    b.bar("rocker", (0.5, 0), (0.4, 0.45), 0.9)
    b.hinge("A", "ground", "crank", (0, 0))
    b.hinge("B", "crank", "coupler", (0, 0.2))
    b.hinge("C", "coupler", "rocker", (0.4, 0.45))
    b.hinge("D", "ground", "rocker", (0.5, 0))
    b.spring(
        "spring", "ground", "coupler", (0.3, 1.0), (0.2, 0.325), stiffness=40, damping=0.5, free_length=0.4
    )
    b.m.add("coil", ww.TorsionalSpring(joint="D", stiffness=1.5, damping=0.02))
    b.m.add("push", ww.Actuator(joint="A", value="0.4*sin(7*t) - 0.1*A.w"))
    return 2.0


def slider_crank_with_friction(b: Build) -> float:
    """Dry friction in the guide, which sticks before and after; viscous friction; a motor with its curve."""
    b.bar("crank", (0, 0), (0.06, 0.08), 0.4)
    end = (0.06 + np.sqrt(0.3**2 - 0.08**2), 0.0)
    b.bar("rod", (0.06, 0.08), end, 0.6)
    b.body("slider", end, 1.5, 0.01)
    b.hinge("bearing", "ground", "crank", (0, 0))
    b.hinge("pin", "crank", "rod", (0.06, 0.08))
    b.hinge("wrist", "rod", "slider", end)
    b.slide("guide", "ground", "slider", end, (1, 0))
    b.m.add("rubbing", ww.Friction(joint="guide", coefficient=0.12, viscous=0.5, coulomb=3, static_ratio=1.2))
    b.m.add("journal", ww.Friction(joint="bearing", viscous=2e-3))
    curve = {"speed": (-5, 0, 20, 40), "torque": (1.2, 1.2, 0.8, -0.2)}
    b.m.add("motor", ww.Motor(joint="bearing", curve=curve, command="if(t < 0.6, 1, 0)"))
    return 2.0


def bouncing_pendulum(b: Build) -> float:
    """A double pendulum whose end strikes the floor, with restitution."""
    b.bar("upper", (0, 1), (0.8, 1), 1.0)
    b.bar("lower", (0.8, 1), (1.4, 1), 0.7)
    b.hinge("A", "ground", "upper", (0, 1))
    b.hinge("B", "upper", "lower", (0.8, 1))
    b.ball_on_floor(
        "floor-contact", "lower", (0.3, 0), 0.05, {"type": "restitution", "coefficient": 0.5}, 0.1
    )
    return 0.9


def cushioned_disc(b: Build) -> float:
    """A thrown disc on an elastic floor with friction: it skids, then rolls."""
    b.body("disc", (0, 0.5), 2.0, 0.04, velocity=(1.5, 0.0), w=3.0)
    law = {"type": "compliant", "stiffness": 2e4, "damping": 60, "friction": 0.3, "slip_speed": 0.02}
    b.ball_on_floor("floor-contact", "disc", (0, 0), 0.2, law, 0.0)
    return 1.5


def planetary(b: Build) -> float:
    """External and internal meshes on moving bodies."""
    for name, inertia in (("sun", 0.02), ("ring", 0.2), ("carrier", 0.05)):
        b.body(name, (0, 0), 1.0, inertia)
        b.hinge(f"{name}-bearing", "ground", name, (0, 0))
    b.body("planet", (0.2, 0), 1.5, 0.01, center_of_mass=(0.01, 0.02))
    b.hinge("pin", "carrier", "planet", (0.2, 0))
    b.mesh("inner", ww.ExternalMesh, ("sun", "planet"), radii=(0.1, 0.1), joints=("sun-bearing", "pin"))
    b.mesh("outer", ww.InternalMesh, ("planet", "ring"), radii=(0.1, 0.3), joints=("pin", "ring-bearing"))
    b.m.add("drive", ww.Actuator(joint="sun-bearing", value="0.5 + sin(3*t)"))
    b.m.add("load", ww.TorsionalSpring(joint="ring-bearing", stiffness=3.0, damping=0.05))
    return 3.0


def gears_with_losses(b: Build) -> float:
    """A pair with an efficiency, and a belt."""
    b.body("a", (0, 0), 1.0, 0.02)
    b.body("b", (0.3, 0), 2.0, 0.1)
    b.body("c", (0.9, 0.2), 1.0, 0.05)
    b.hinge("A", "ground", "a", (0, 0))
    b.hinge("B", "ground", "b", (0.3, 0))
    b.hinge("C", "ground", "c", (0.9, 0.2))
    b.mesh("teeth", ww.ExternalMesh, ("a", "b"), radii=(0.1, 0.2), efficiency=0.95)
    b.mesh("belt", ww.BeltMesh, ("b", "c"), radii=(0.15, 0.1), tension=100.0)
    b.m.add("drive", ww.Actuator(joint="A", value="2 + 3*sin(2*t)"))
    b.m.add("fan", ww.Friction(joint="C", viscous=0.2))
    return 3.0


def rack(b: Build) -> float:
    """A pinion on a lever drives a rack against a spring."""
    b.body("pinion", (0, 0.08), 1.0, 0.01, center_of_mass=(0.02, 0))
    b.body("rack", (0, 0), 3.0, 0.1)
    b.hinge("axle", "ground", "pinion", (0, 0.08))
    b.slide("guide", "ground", "rack", (0, 0), (1, 0))
    b.mesh("teeth", ww.RackMesh, ("pinion", "rack"), radius=0.08)
    b.spring("spring", "ground", "rack", (-0.5, 0), (0, 0), stiffness=50, free_length=0.4)
    return 2.0


def slots(b: Build) -> float:
    """A crank pin in a straight slot of a swinging arm, whose end a massless rod ties to a slide."""
    b.bar("crank", (0, 0.4), (0.15, 0.4), 0.5, w=8.0)
    b.bar("arm", (0, 0), (0.15, 0.4), 1.0)
    b.body("ram", (0.5, 0.6), 2.0, 0.1)
    b.hinge("A", "ground", "crank", (0, 0.4))
    b.hinge("B", "ground", "arm", (0, 0))
    b.block("slot", "arm", "crank", (0.15, 0.4), (0.15, 0.4))
    b.rod("link", "arm", "ram", (0.15, 0.4), (0.5, 0.6))
    b.slide("guide", "ground", "ram", (0.5, 0.6), (1, 0))
    return 2.0


def cams(b: Build) -> float:
    """A cam of a formula under a flat follower, a groove of a spline around it with a roller."""
    b.body("cam", (0, 0), 1.0, 0.3, w=6.0)
    b.body("valve", (0, 0.8), 1.5, 0.1)
    b.body("side", (1.0, 0), 0.7, 0.1)
    b.hinge("bearing", "ground", "cam", (0, 0))
    b.slide("up", "ground", "valve", (0, 0.8), (0, 1))
    b.slide("out", "ground", "side", (1.0, 0), (1, 0))
    ellipse = {"type": "formula", "x": "1.0*cos(s)", "y": "0.8*sin(s)"}
    b.cam(
        "face",
        ww.CamFlat,
        ("cam", "valve"),
        outline=ellipse,
        point_a=(0, 0),
        point_b=(0, 0.8),
        direction=(1, 0),
    )
    s = 2 * np.pi * np.arange(60) / 60
    wave = 0.85 + 0.05 * np.cos(2 * s)
    points = [(float(r * np.cos(a)), float(r * np.sin(a))) for r, a in zip(wave, s, strict=True)]
    groove = {"type": "points", "points": points}
    b.cam(
        "roller", ww.CamPoint, ("cam", "side"), outline=groove, radius=0.1, point_a=(0, 0), point_b=(1.0, 0)
    )
    return 1.0


def mounted_machine(b: Build) -> float:
    """A frame on two bushings with an unbalanced rotor driven in it, pushed by a force and a torque."""
    b.body("frame", (0, 0), 20.0, 2.0)
    b.body("rotor", (0, 0.1), 2.0, 0.05, center_of_mass=(0.03, 0.0), w=20.0)
    b.hinge("bearing", "frame", "rotor", (0, 0.1))
    for name, x in (("left", -0.4), ("right", 0.4)):
        b.m.add(
            name,
            ww.Bushing(
                bodies=("ground", "frame"),
                point=b.vector((x, -0.2)),
                stiffness=b.vector((8e3, 2e4)),
                damping=b.vector((30.0, 50.0)),
                rotational_stiffness=b.about(100.0),
                rotational_damping=b.about(2.0),
            ),
        )
    b.m.add(
        "wind",
        ww.Force(body="frame", point_in_body=b.vector((0, 0.3)), value=b.vector(("20*sin(5*t)", "3*t"))),
    )
    b.m.add("twist", ww.Torque(body="frame", value=b.about("4*cos(6*t)")))
    b.m.add("drive", ww.JointDriver(joint="bearing", value="20*t + 2*t^2"))
    return 1.0


TWINS: list[Callable[[Build], float]] = [
    four_bar_with_springs,
    slider_crank_with_friction,
    bouncing_pendulum,
    cushioned_disc,
    planetary,
    gears_with_losses,
    rack,
    slots,
    cams,
    mounted_machine,
]
twins = pytest.mark.parametrize("make", TWINS, ids=lambda make: make.__name__)
LOOSE = {  # after impacts or sticking, errors of the times at which these happen grow along the motion
    "bouncing_pendulum": 1e-6,
    "slider_crank_with_friction": 3e-6,
    "cushioned_disc": 1e-7,
}


def both(make: Callable[[Build], float]) -> tuple[Build, Build, float]:
    flat, space = Build("planar"), Build("spatial")
    end = make(flat)
    make(space)
    return flat, space, end


def compare(flat: Any, space: Any, bodies: list[str], joints: list[str], tolerance: float) -> None:
    """Positions, speeds and accelerations of all bodies; forces and torques in all joints."""
    for name in bodies:
        for kind, size in (("position", 1), ("velocity", 10), ("acceleration", 1e3)):
            a, b = flat[f"{name}.{kind}"].to_numpy(), space[f"{name}.{kind}"].to_numpy()
            assert b[:, 2] == pytest.approx(0, abs=1e-9)
            assert a == pytest.approx(b[:, :2], abs=tolerance * size), f"{name}.{kind}"
        for kind, size in (("w", 10), ("angular_acceleration", 1e3)):
            a, b = flat[f"{name}.{kind}"].to_numpy(), space[f"{name}.{kind}"].to_numpy()
            assert a == pytest.approx(b[:, 2], abs=tolerance * size), f"{name}.{kind}"
        half = flat[f"{name}.angle"].to_numpy() / 2
        e = space[f"{name}.orientation"].to_numpy()
        # a rotation has two sets of Euler parameters
        assert np.abs(np.cos(half) * e[:, 0] + np.sin(half) * e[:, 3]) == pytest.approx(1, abs=tolerance)
    for name in joints:
        a, b = (r[f"{name}.reaction.force"].to_numpy() for r in (flat, space))
        assert a == pytest.approx(b[:, :2], abs=1e3 * tolerance), f"{name}.reaction.force"
        a, b = (r[f"{name}.reaction.torque"].to_numpy() for r in (flat, space))
        assert a == pytest.approx(b[:, 2], abs=1e3 * tolerance), f"{name}.reaction.torque"
    for name in ("energy.kinetic", "energy.potential"):
        a, b = flat[name].to_numpy(), space[name].to_numpy()
        assert a == pytest.approx(b, abs=1e2 * tolerance), name


@pytest.mark.slow
@twins
def test_same_motion(make):
    flat, space, end = both(make)
    name = make.__name__
    finer = 0.1 if name in LOOSE else 1.0
    options = {"end": end, "output": 60, "rtol": 1e-10 * finer, "atol": 1e-12 * finer}
    a, b = flat.m.simulate(**options), space.m.simulate(**options)
    assert a.outcome.good, a.report
    assert b.outcome.good, b.report
    moved = max(
        np.ptp(a[f"{body}.position"].to_numpy()) + np.ptp(a[f"{body}.angle"].to_numpy())
        for body in flat.m.bodies
    )
    assert moved > 0.1, "a motion to speak of"
    compare(a, b, list(flat.m.bodies), list(flat.m.joints), LOOSE.get(name, 1e-7))
    assert [e.kind for e in a.events] == [e.kind for e in b.events]
    assert [e.t for e in a.events] == pytest.approx([e.t for e in b.events], abs=LOOSE.get(name, 1e-7))


@pytest.mark.slow
@twins
def test_same_forces_at_the_start(make):
    """Before any integration: accelerations and reactions of one state, to rounding."""
    flat, space, _ = both(make)
    at = [b.m.assemble() for b in (flat, space)]
    for name in flat.m.bodies:
        a, b = (x[f"{name}.acceleration"].values for x in at)
        assert a == pytest.approx(b[:2], rel=1e-9, abs=1e-7)
    for name in flat.m.joints:
        a, b = (x[f"{name}.reaction.force"].values for x in at)
        assert a == pytest.approx(b[:2], rel=1e-8, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("make", [four_bar_with_springs, planetary, rack], ids=lambda make: make.__name__)
def test_same_equilibrium(make):
    flat, space, _ = both(make)
    for b in (flat, space):
        for name in ("push", "drive"):
            b.m.forces.pop(name, None)
    a, b = flat.m.equilibrium(), space.m.equilibrium()
    for name in flat.m.bodies:
        assert a[f"{name}.position"].values == pytest.approx(b[f"{name}.position"].values[:2], abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize(
    "make", [four_bar_with_springs, planetary, rack, cams], ids=lambda make: make.__name__
)
def test_same_driven_motion(make):
    """Kinematics and inverse dynamics: position, driver torque, reactions."""
    results = []
    for b in both(make)[:2]:
        b.m.forces.pop("push", None)
        joint = {"four_bar_with_springs": "A", "planetary": "sun-bearing", "rack": "axle", "cams": "bearing"}[
            make.__name__
        ]
        for body in b.m.bodies.values():
            body.velocity = body.angular_velocity = None  # the drivers say how it moves
        b.m.add("motor", ww.JointDriver(joint=joint, value="0.5*sin(2*t) - 0.3*t"))
        if make is planetary:
            b.m.add("hold", ww.JointDriver(joint="ring-bearing", value="0"))
        results.append(b.m.inverse(end=3, output=60))
    flat, space = results
    bodies = list(both(make)[0].m.bodies)
    joints = list(both(make)[0].m.joints)
    compare(flat, space, bodies, joints, 1e-9)
    assert flat["motor.torque"].to_numpy() == pytest.approx(space["motor.torque"].to_numpy(), abs=1e-7)


@pytest.mark.parametrize(
    "make", [four_bar_with_springs, mounted_machine, planetary], ids=lambda make: make.__name__
)
def test_same_frequencies(make):
    """Small motions: the plane has those of the space, and no others."""
    flat, space, _ = both(make)
    found = []
    for b in (flat, space):
        b.m.drivers.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OperatingPointWarning)  # an unbalance: of the moment
            values = b.m.linearise(frame="world").eigenvalues
        found.append(np.sort_complex(np.round(values, 6)))
    assert len(found[0]) == len(found[1])
    assert np.abs(found[0] - found[1]).max() < 1e-4 * max(1, np.abs(found[0]).max())
