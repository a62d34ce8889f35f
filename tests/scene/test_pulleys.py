"""Pulleys are seen in their true size, whatever else is on their shafts."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.show.scene import make_scene

RADII = {"pulley": 0.02, "fan": 0.06}


def drive(fan) -> ww.Mechanism:
    """A motor on the shaft of a small pulley, and a fan that a belt drives."""
    m = ww.Mechanism("fan drive", gravity=(0, 0, 0))
    m.add("motor", ww.Rotor(inertia=0.01))
    m.add("pulley", ww.Rotor(inertia=1e-3))
    m.add("fan", fan)
    if isinstance(fan, ww.Body):
        m.add("axle", ww.Revolute(bodies=("ground", "fan"), point=(0.4, 0, 0), axis=(0, 0, 1)))
    m.add("shaft", ww.TorsionalSpring(bodies=("motor", "pulley"), stiffness=100))
    m.add("belt", ww.BeltMesh(bodies=("pulley", "fan"), radii=tuple(RADII.values()), tension=300))
    return m


def parts(m):
    """Corners of all solids in the world, by body and kind, and the scene."""
    at = m.assemble()
    scene = make_scene(at.motion)
    found: dict[tuple[str, str], list[np.ndarray]] = {}
    for part in scene.parts:
        if part.body >= 0:
            name = at.prepared.program.bodies[part.body]
            x = part.solid.corners @ at.motion.R[0, part.body].T + scene.position[0, part.body]
            found.setdefault((name, part.kind), []).append(x)
    return found, scene


def test_a_rotor_with_a_belt_is_its_pulley_and_others_stand_beside_it():
    """The disc of the motor hid the pulley, and that of the fan was larger than its own: the belt ended inside them."""
    found, scene = parts(drive(ww.Rotor(inertia=0.05, position=(0.4, 0, 0))))
    for name, x in (("pulley", 0.0), ("fan", 0.4)):
        assert (name, "rotor") not in found
        (corners,) = found[name, "wheel"]
        assert np.hypot(corners[:, 0] - x, corners[:, 1]).max() == pytest.approx(RADII[name], rel=1e-9)
    pulley, (motor,) = found["pulley", "wheel"][0], found["motor", "rotor"]
    assert motor[:, 2].min() > pulley[:, 2].max()
    ends = [point for line in scene.lines if line.kind == "belt" for _, point in line.ends]
    assert len(ends) == 4
    near = [min(np.hypot(p[0], p[1]) / 0.02, np.hypot(p[0] - 0.4, p[1]) / 0.06) for p in ends]
    assert near == pytest.approx([1] * 4, rel=1e-9)


@pytest.mark.parametrize(("radius", "drawn"), [(0.15, True), (0.06, False)])
def test_a_pulley_inside_a_wider_disc_sticks_out_of_it(radius, drawn):
    """A disc of the radius of the pulley is the pulley."""
    fan = ww.Body(
        mass=3,
        inertia=(0.1, 0.1, 0.05),
        position=(0.4, 0, 0),
        shape=ww.Disc(radius=radius, thickness=0.02),
    )
    found, _ = parts(drive(fan))
    assert (("fan", "wheel") in found) == drawn
    if drawn:
        (corners,) = found["fan", "wheel"]
        assert corners[:, 2].max() > 0.01 + 1e-3
        assert corners[:, 2].min() < -0.01 - 1e-3


def test_rotors_with_wheels_of_a_ratio_are_these():
    """Wheels of 5 and 25 cm, which touch: the smaller was inside the disc of its rotor."""
    m = ww.Mechanism("ratio", gravity=(0, 0, 0))
    m.add("motor", ww.Rotor(inertia=0.05))
    m.add("drum", ww.Rotor(inertia=0.05, position=(0.3, 0, 0)))
    m.add("gear", ww.Ratio(bodies=("motor", "drum"), ratio=-5))
    found, _ = parts(m)
    assert {kind for _, kind in found} == {"joint"}
    for name, x, radius in (("motor", 0.0, 0.25), ("drum", 0.3, 0.05)):
        (corners,) = found[name, "joint"]
        assert np.hypot(corners[:, 0] - x, corners[:, 1]).max() == pytest.approx(0.3 - radius, rel=1e-9)
