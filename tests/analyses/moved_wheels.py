"""Wheels that a mesh pushes or pulls along a slide against a spring; what they do by hand.

The wheels carry balanced torques, so that nothing turns and the tooth force is torque over radius. The wheel that may
yield, with what carries it, is then a mass on a spring under the constant force P: x = P/k (1 - cos(t sqrt(k/m))).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import wheelwork as ww

STIFFNESS, MASS = 2e4, 3.0
TAN = float(np.tan(np.radians(20)))
PERIOD = 2 * np.pi * np.sqrt(MASS / STIFFNESS)


def _mechanism(name: str) -> ww.Mechanism:
    return ww.Mechanism(name, gravity=(0, 0, 0))


def _on_a_slide(m: ww.Mechanism, at: Any, along: Any) -> None:
    """Wheel `b` on a bearing about z on a `hub` on a slide, with a spring along it."""
    m.add("hub", ww.Body(mass=1.0, inertia=(1e-3,) * 3, position=at))
    m.add("b", ww.Body(mass=MASS - 1.0, inertia=(4e-3,) * 3, position=at))
    m.add("slide", ww.Prismatic(bodies=("ground", "hub"), point=at, axis=along))
    m.add("bearing-b", ww.Revolute(bodies=("hub", "b"), point=at, axis=(0, 0, 1)))
    _spring(m, "hub", np.array(at), np.array(along))


def _spring(m: ww.Mechanism, body: str, at: np.ndarray, along: np.ndarray) -> None:
    foot = tuple(float(x) for x in at - along)
    m.add("spring", ww.Spring(bodies=("ground", body), point_a=foot, point_b=tuple(at), stiffness=STIFFNESS))


def _wheel(m: ww.Mechanism, name: str, at: Any, axis: Any = (0, 0, 1)) -> None:
    m.add(name, ww.Body(mass=1.0, inertia=(2e-3,) * 3, position=at))
    m.add(f"bearing-{name}", ww.Revolute(bodies=("ground", name), point=at, axis=axis))


def pulley() -> tuple[ww.Mechanism, float]:
    """Pre-tension of a belt: 2 T = 400 N draw a pulley towards the other."""
    m = _mechanism("pulley")
    _wheel(m, "a", (0, 0, 0))
    _on_a_slide(m, (0.4, 0, 0), (1, 0, 0))
    m.add("belt", ww.BeltMesh(bodies=("a", "b"), radii=(0.05, 0.05), tension=200))
    return m, -400.0


def external() -> tuple[ww.Mechanism, float]:
    m = _mechanism("external")
    _wheel(m, "a", (0, 0, 0))
    _on_a_slide(m, (0.12, 0, 0), (1, 0, 0))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module=4e-3))
    m.add("motor", ww.Torque(body="a", value=(0, 0, -20)))
    m.add("load", ww.Torque(body="b", value=(0, 0, -40)))
    return m, 20 / 0.04 * TAN


def internal() -> tuple[ww.Mechanism, float]:
    """A ring is pushed away from its pinion: back along the way to its own centre."""
    m = _mechanism("internal")
    _wheel(m, "a", (0, 0, 0))
    _on_a_slide(m, (0.04, 0, 0), (1, 0, 0))
    m.add("mesh", ww.InternalMesh(bodies=("a", "b"), teeth=(20, 40), module=4e-3))
    m.add("motor", ww.Torque(body="a", value=(0, 0, 20)))
    m.add("load", ww.Torque(body="b", value=(0, 0, -40)))
    return m, -20 / 0.04 * TAN


def rack() -> tuple[ww.Mechanism, float]:
    m = _mechanism("rack")
    m.add("rack", ww.Body(mass=2.0, inertia=(1e-2,) * 3, position=(0, 0, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "rack"), point=(0, 0, 0), axis=(1, 0, 0)))
    _on_a_slide(m, (0, 0.04, 0), (0, 1, 0))
    m.add("mesh", ww.RackMesh(bodies=("b", "rack"), teeth=20, module=4e-3))
    m.add("motor", ww.Torque(body="b", value=(0, 0, 3)))
    m.add("load", ww.Force(body="rack", value=(-75, 0, 0)))
    return m, 75 * TAN


def bevel() -> tuple[ww.Mechanism, float]:
    """The pinion may go along its own axis: its teeth push it away from the apex with F tan(alpha) sin(delta)."""
    m = _mechanism("bevel")
    m.add("b", ww.Body(mass=MASS, inertia=(4e-3,) * 3, position=(0, 0, 0.08)))
    m.add("sleeve", ww.Cylindrical(bodies=("ground", "b"), point=(0, 0, 0.08), axis=(0, 0, 1)))
    _spring(m, "b", np.array((0, 0, 0.08)), np.array((0, 0, 1)))
    _wheel(m, "wheel", (0.04, 0, 0), (1, 0, 0))
    m.add("mesh", ww.BevelMesh(bodies=("b", "wheel"), radii=(0.04, 0.08)))
    m.add("motor", ww.Torque(body="b", value=(0, 0, 2)))
    m.add("load", ww.Torque(body="wheel", value=(4, 0, 0)))
    return m, 2 / 0.04 * TAN * float(np.sin(np.arctan(0.5)))


CASES: dict[str, Callable[[], tuple[ww.Mechanism, float]]] = {
    f.__name__: f for f in (pulley, external, internal, rack, bevel)
}
"""Mechanism, and the force of the mesh on the wheel that yields, along its slide [N]."""


def way(m: ww.Mechanism, result: ww.Result) -> np.ndarray:
    """Of the wheel that yields, along its slide [m]."""
    return result[f"{'sleeve' if 'sleeve' in m.joints else 'slide'}.displacement"].to_numpy()
