"""Tooth forces of a machine-design book: R. G. Budynas, J. K. Nisbett, Shigley's Mechanical Engineering Design, ch. 13.

    spur      W_r = W_t tan(phi)
    helical   W_r = W_t tan(phi_t),  W_a = W_t tan(psi)
    bevel     W_r = W_t tan(phi) cos(gamma),  W_a = W_t tan(phi) sin(gamma)      at the middle of the face
    worm      W_x = W (cos(phi_n) sin(lambda) + f cos(lambda)),  W_y = W sin(phi_n),
              W_z = W (cos(phi_n) cos(lambda) - f sin(lambda))

The wheel is held and a torque turns the pinion against it; where teeth are elastic, the pinion comes to rest on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import wheelwork as ww

from ..case import Refusal, Way, gear_case, ways_of_motion
from ..finding import Comparison, compare
from .shared import teeth

SOURCE = "Budynas, Nisbett, Shigley's Mechanical Engineering Design, ch. 13, "
INCH, POUND = 0.0254, 4.4482216152605  # [m], [N]
HORSEPOWER = 550 * 12 * INCH * POUND  # [W]
PRINTED = "print precision of three digits"
STIFFNESS, DAMPING = 1e8, 2e4  # of elastic teeth: at rest in some ms
NO_BEVEL = (
    Refusal("bevel wheels and worms have rigid teeth so far", mesh="compliant"),
    Refusal("bevel wheels and worms have rigid teeth so far", mesh="contact"),
)


def shafts(axis_b: Any, centre_b: Any) -> ww.Mechanism:
    """A pinion on a shaft along z through the origin, a wheel on a shaft that stands still."""
    m = ww.Mechanism("tooth forces", gravity=(0, 0, 0))
    m.add("pinion", ww.Body(mass=1, inertia=(0.01, 0.01, 0.01)))
    m.add("wheel", ww.Body(mass=1, inertia=(0.1, 0.1, 0.1), position=tuple(centre_b)))
    m.add("on-pinion", ww.Revolute(bodies=("ground", "pinion"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("on-wheel", ww.Revolute(bodies=("ground", "wheel"), point=tuple(centre_b), axis=axis_b))
    m.add("hold", ww.JointDriver(joint="on-wheel", value=0.0))
    return m


def at_rest(way: Way, m: ww.Mechanism, torque: float) -> Any:
    m.add("torque", ww.Actuator(joint="on-pinion", value=torque))
    return way.simulate(m, 0.02 if way.mesh == "rigid" else 0.1, output=10)


def settled(way: Way) -> str:
    return PRINTED if way.mesh == "rigid" else PRINTED + "; vibration has died out"


def pounds(
    name: str, force: Any, printed: float, way: Way, rounding: tuple[float, str] = (0.5, "")
) -> Comparison:
    """Allowed: half of the last printed digit, or what the book's own rounding on the way makes of it."""
    allowed, why = rounding
    ours = abs(float(np.asarray(force)[-1])) / POUND
    return compare(name, ours, printed, unit="lbf", absolute=allowed, origin=why or settled(way))


@gear_case(
    "shigley-spur",
    "Forces of a pair of spur gears and its bearings",
    SOURCE + "problem 13-31 with its published solution",
)
def spur(way: Way) -> Iterator[Comparison]:
    """Problem 13-31: P 5/in, 18 and 45 teeth, 20 deg, 32 hp at 1800 rev/min"""
    module = INCH / 5
    m = shafts((0, 0, 1), ((18 + 45) / 2 * module, 0, 0))
    torque = 32 * HORSEPOWER / (1800 * 2 * np.pi / 60)
    yield compare(
        "torque of the pinion", torque / INCH / POUND, 1120, unit="lbf in", absolute=0.5, origin=PRINTED
    )
    m.add(
        "mesh",
        ww.ExternalMesh(
            bodies=("pinion", "wheel"),
            teeth=(18, 45),
            module=module,
            model=teeth(way.mesh, STIFFNESS, DAMPING),
        ),
    )
    r = at_rest(way, m, torque)
    yield pounds("tangential force", r["mesh.force.tangential"], 622, way)
    yield pounds(
        "radial force",
        r["mesh.force.radial"],
        226,
        way,
        (0.7, "three digits, computed from the rounded 622 lbf"),
    )
    bearings = np.linalg.norm(r["on-pinion.reaction.force"].to_numpy(), axis=1)
    yield pounds("load of both bearings of the pinion", bearings, 662, way)


@gear_case(
    "shigley-helical",
    "Forces of a pair of helical gears",
    SOURCE + "problem 13-35 with its published solution",
)
def helical(way: Way) -> Iterator[Comparison]:
    """Problem 13-35: P_n 4/in, 30 deg, phi_n 20 deg, 18 and 32 teeth, W_t 800 lbf"""
    psi, module = np.radians(30), INCH / 4
    radii = [z * module / np.cos(psi) / 2 for z in (18, 32)]
    m = shafts((0, 0, 1), (sum(radii), 0, 0))
    sizes = {"teeth": (18, 32), "module": module, "helix_angle": psi, "face_width": 2 * INCH}
    m.add(
        "mesh",
        ww.ExternalMesh(bodies=("pinion", "wheel"), model=teeth(way.mesh, STIFFNESS, DAMPING), **sizes),
    )
    yield compare(
        "pitch diameters",
        [2 * r / INCH for r in radii],
        [5.196, 9.238],
        unit="in",
        absolute=5e-4,
        origin=PRINTED,
    )
    r = at_rest(way, m, 800 * POUND * radii[0])
    yield pounds("tangential force", r["mesh.force.tangential"], 800, way)
    yield pounds("radial force", r["mesh.force.radial"], 336, way)
    yield pounds("axial force", r["mesh.force.axial"], 462, way)
    yield pounds("total force", r["mesh.force.normal"], 983, way)


@gear_case(
    "shigley-bevel",
    "Forces of a pair of bevel gears",
    SOURCE + "example of a bevel pinion of 15 teeth, 5 hp at 600 rev/min",
    ways_of_motion("rigid"),
    refusals=NO_BEVEL,
)
def bevel(way: Way) -> Iterator[Comparison]:
    """15 and 45 teeth at a right angle, 5 hp at 600 rev/min; mean pitch radii of 1.293 and 3.88 in. The apex is in the
    origin.
    """
    radii = 1.293 * INCH, 3 * 1.293 * INCH
    m = shafts((1, 0, 0), (radii[0], 0, 0))
    m.bodies["pinion"] = m.bodies["pinion"].model_copy(update={"position": (0.0, 0.0, radii[1])})
    m.add("mesh", ww.BevelMesh(bodies=("pinion", "wheel"), teeth=(15, 45), radii=radii))
    r = at_rest(way, m, 5 * HORSEPOWER / (600 * 2 * np.pi / 60))
    yield pounds("tangential force", r["mesh.force.tangential"], 406, way)
    yield pounds("radial force on the pinion", r["mesh.a.force.radial"], 140, way)
    rounded = "three digits, computed with the rounded 406 lbf (0.02) and 18.4 deg (0.09)"
    yield pounds("axial force on the pinion", r["mesh.a.force.axial"], 46.6, way, (0.17, rounded))


@gear_case(
    "shigley-worm",
    "Forces and friction of a worm drive",
    SOURCE + "example of a worm of two threads, 1 hp at 1200 rev/min",
    (Way("absolute", "rigid"),),
    refusals=(Refusal("dry friction of the teeth needs the reactions at every moment", "reduced"), *NO_BEVEL),
)
def worm(way: Way) -> Iterator[Comparison]:
    """A worm of two threads and 2 in, right-handed, 1 hp at 1200 rev/min; a wheel of 30 teeth of P 6/in; phi_n
    14.5 deg, f = 0.03. The worm is driven at its speed, and the wheel loaded so that 1 hp goes in.
    """
    phi, speed, friction = np.radians(14.5), 1200 * 2 * np.pi / 60, 0.03
    lead = 2 * np.pi / 6 * INCH
    angle = np.arctan(lead / (np.pi * 2 * INCH))
    into = HORSEPOWER / (speed * INCH)
    total = into / (np.cos(phi) * np.sin(angle) + friction * np.cos(angle))
    load = total * (np.cos(phi) * np.cos(angle) - friction * np.sin(angle)) * 2.5 * INCH
    m = ww.Mechanism("worm", gravity=(0, 0, 0))
    m.add("worm", ww.Body(mass=1, inertia=(0.01, 0.01, 0.01), angular_velocity=(speed, 0, 0)))
    m.add("wheel", ww.Body(mass=1, inertia=(0.1, 0.1, 0.1), position=(0, 0, 3.5 * INCH)))
    m.add("on-worm", ww.Revolute(bodies=("ground", "worm"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("on-wheel", ww.Revolute(bodies=("ground", "wheel"), point=(0, 0, 3.5 * INCH), axis=(0, 1, 0)))
    m.add("drive", ww.JointDriver(joint="on-worm", value=f"{speed!r}*t"))
    # a right-handed thread that turns about +x drives a nut to -x: the wheel above it turns about +y
    m.add("load", ww.Actuator(joint="on-wheel", value=-load))
    sizes = {"teeth": (2, 30), "module": INCH / 6, "diameter": 2 * INCH, "pressure_angle": phi}
    m.add("mesh", ww.WormMesh(bodies=("worm", "wheel"), friction=friction, **sizes))
    r = way.simulate(m, 0.02, output=10)
    yield compare("lead angle", np.degrees(angle), 9.46, unit="deg", absolute=5e-3, origin=PRINTED)
    torque = r["drive.torque"].to_numpy() / INCH
    yield pounds("tangential force of the worm", torque, 52.5, way, (0.05, ""))
    force = (
        np.abs(r["on-worm.reaction.force"].to_numpy()[-1]) / POUND
    )  # x along the worm, y across, z to the wheel
    yield compare(
        "forces on the worm's bearings", force, [264, 52.5, 69.6], unit="lbf", absolute=0.5, origin=PRINTED
    )
    ratio = load * speed * 2 / 30 / HORSEPOWER
    ours = abs(float(r["on-wheel.w"].to_numpy()[-1] * load / (r["drive.torque"].to_numpy()[-1] * speed)))
    yield compare("efficiency", ours, ratio, absolute=1e-9, origin="rounding; the book's formulas, unrounded")
