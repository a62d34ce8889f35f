"""A worm with friction that carries nothing at the start, under its own weight: round-off must not break it loose."""

import numpy as np
import pytest

import wheelwork as ww


def worm(gravity):
    m = ww.Mechanism("worm", gravity=gravity)
    radius, wheel = 0.028, 0.08
    for name, mass, inertia, z in (("worm", 2, 1e-3, 0.0), ("wheel", 5, 0.05, radius + wheel)):
        m.add(name, ww.Body(mass=mass, inertia=(inertia,) * 3, position=(0, 0, z)))
    m.add("a", ww.Revolute(bodies=("ground", "worm"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("b", ww.Revolute(bodies=("ground", "wheel"), point=(0, 0, radius + wheel), axis=(0, 1, 0)))
    m.add("thread", ww.WormMesh(bodies=("worm", "wheel"), teeth=(1, 40), module=0.004, friction=0.1))
    m.add("drive", ww.Actuator(joint="a", value="3*sin(9*t)"))
    return m


@pytest.mark.parametrize("seed", [0, 2])
def test_it_moves_as_the_same_worm_without_weight(seed):
    """Weight acts in the axes and turns nothing; nor does it matter how the machine is turned in space."""
    rng = np.random.default_rng(seed)
    turned = ww.Orientation(rotation_vector=tuple(map(float, rng.normal(size=3))))
    outer = ww.Mechanism("outer", gravity=(0, 0, -9.81))
    outer.add("w", ww.Component(model=worm((0, 0, 0)), orientation=turned, position=(0.3, -0.2, 0.5)))
    heavy = outer.simulate(0.2, output=10)
    light = worm((0, 0, 0)).simulate(0.2, output=10)
    assert heavy.outcome.good
    np.testing.assert_allclose(heavy["w.a.angle"].values, light["a.angle"].values, rtol=1e-6, atol=1e-9)
