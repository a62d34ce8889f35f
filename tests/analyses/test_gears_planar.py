"""The plane as a special case of space: the same gears move in the same way and press their bearings alike."""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww


class Maker:
    """Writes the same mechanism in the plane and in space, in the x-y plane with axes along z."""

    def __init__(self, planar: bool):
        self.planar = planar
        gravity = (0.0, -9.81) if planar else (0.0, -9.81, 0.0)
        self.m = ww.Mechanism("gears", kind="planar" if planar else "spatial", gravity=gravity)

    def at(self, x: float, y: float) -> Any:
        return (x, y) if self.planar else (x, y, 0.0)

    def body(self, name: str, x: float, y: float, mass: float, inertia: float) -> None:
        moments = inertia if self.planar else (0.6 * inertia, 0.7 * inertia, inertia)
        self.m.add(name, ww.Body(mass=mass, inertia=moments, position=self.at(x, y)))

    def hinge(self, name: str, a: str, b: str, x: float, y: float) -> None:
        axis = {} if self.planar else {"axis": (0, 0, 1)}
        self.m.add(name, ww.Revolute(bodies=(a, b), point=self.at(x, y), **axis))

    def slide(self, name: str, a: str, b: str, x: float, y: float) -> None:
        self.m.add(name, ww.Prismatic(bodies=(a, b), point=self.at(x, y), axis=self.at(1, 0)))


def planetary(planar: bool, planets: int, efficiency: float | None = None) -> ww.Mechanism:
    """Sun, carrier with planets, and a ring that drives a rack over a belt; out of balance but for two planets."""
    f = Maker(planar)
    z_s, z_p, module = 24, 18, 2e-3
    r_s, r_p = z_s * module / 2, z_p * module / 2
    arm, ring = r_s + r_p, r_s + 2 * r_p
    f.body("sun", 0, 0, 0.5, 4e-4)
    off = 1e-3 if planets == 1 else 0.0
    f.body("carrier", 4 * off, 2 * off, 1.0, 2e-3)
    f.body("ring", off, -3 * off, 2.0, 9e-3)
    f.hinge("on-sun", "ground", "sun", 0, 0)
    f.hinge("on-carrier", "ground", "carrier", 0, 0)
    f.hinge("on-ring", "ground", "ring", 0, 0)
    losses = {} if efficiency is None else {"efficiency": efficiency}
    for k, side in enumerate((1, -1)[:planets]):
        f.body(f"planet{k}", side * arm + 2 * off, off, 0.3, 1e-4)
        f.hinge(f"pin{k}", "carrier", f"planet{k}", side * arm, 0)
        sun = ww.ExternalMesh(bodies=("sun", f"planet{k}"), teeth=(z_s, z_p), module=module, **losses)
        outer = ww.InternalMesh(bodies=(f"planet{k}", "ring"), ratio=ring / r_p, **losses)
        f.m.add(f"sun-planet{k}", sun)
        f.m.add(f"planet{k}-ring", outer)
    f.body("pulley", 0.25, 0.1, 0.4, 5e-4)
    f.hinge("on-pulley", "ground", "pulley", 0.25, 0.1)
    f.m.add("belt", ww.BeltMesh(bodies=("ring", "pulley"), radii=(0.07, 0.03), tension=40, **losses))
    f.body("rack", 0.3, 0.08, 0.6, 1e-3)
    f.slide("guide", "ground", "rack", 0.25, 0.08)
    f.m.add("to-rack", ww.RackMesh(bodies=("pulley", "rack"), teeth=20, module=2e-3, **losses))
    f.m.add("motor", ww.Actuator(joint="on-sun", value="2*sin(4*t)"))
    f.m.add("brake", ww.Actuator(joint="on-carrier", value="-1.5*sin(3*t)"))
    end = f.at(0.35, 0.08)
    f.m.add(
        "spring", ww.Spring(bodies=("ground", "rack"), point_a=f.at(0.6, 0.08), point_b=end, stiffness=300)
    )
    return f.m


JOINTS = ["on-sun", "on-carrier", "on-ring", "pin0", "on-pulley"]
MESHES = ["sun-planet0", "planet0-ring", "belt", "to-rack"]


@pytest.mark.slow
@pytest.mark.parametrize(("planets", "efficiency"), [(1, None), (1, 0.96), (2, None)])
def test_plane_and_space_agree(planets, efficiency):
    options = {"end": 0.5, "output": 50, "rtol": 1e-10, "atol": 1e-12, "formulation": "absolute"}
    plane, space = (planetary(planar, planets, efficiency).simulate(**options) for planar in (True, False))
    assert plane.outcome.good, plane.report
    assert space.outcome.good, space.report
    for joint in JOINTS:
        for word in ("angle", "w"):
            exact = space[f"{joint}.{word}"].to_numpy()
            assert np.ptp(exact) > 1
            assert plane[f"{joint}.{word}"].to_numpy() == pytest.approx(exact, abs=1e-6 * np.ptp(exact))
    assert plane["guide.displacement"].to_numpy() == pytest.approx(
        space["guide.displacement"].to_numpy(), abs=1e-8
    )
    if planets > 1:
        return  # how two planets share the load is not determined
    for mesh in MESHES:
        exact = space[f"{mesh}.force.tangential"].to_numpy()
        assert np.ptp(exact) > 1
        scale = np.abs(exact).max()
        assert plane[f"{mesh}.force.tangential"].to_numpy() == pytest.approx(exact, abs=1e-6 * scale), mesh
    for joint in JOINTS:
        exact = space[f"{joint}.reaction.force"].to_numpy()
        found = plane[f"{joint}.reaction.force"].to_numpy()
        assert found == pytest.approx(exact[:, :2], abs=1e-6 * np.abs(exact).max()), joint
        assert np.abs(exact[:, 2]).max() < 1e-6 * np.abs(exact).max()
