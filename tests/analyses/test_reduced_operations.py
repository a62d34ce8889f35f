"""Unknowns and operations of both formulations: Chen's argument in numbers."""

import pytest

import wheelwork as ww
from benchmarks.operations import formulation_operations
from wheelwork import examples


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "unknowns", "coordinates"), [("bevel-wrist", (60, 57), 3), ("robot", (258, 300), 6)]
)
def test_unknowns(name, unknowns, coordinates):
    absolute, minimal = formulation_operations(ww.load(examples.path(name)))
    assert (absolute.velocities, absolute.multipliers) == unknowns
    assert (minimal.velocities, minimal.multipliers) == (coordinates, 0)
    assert absolute.total > 10 * minimal.total


def chain(count):
    """Pairs of wheels one on the other: every link has a motor, a pinion and a wheel."""
    m = ww.Mechanism("chain", gravity=(0, 0, -9.81))
    inner = "ground"
    for k in range(count):
        x = 0.3 * k
        m.add(f"link{k}", ww.Body(mass=1, inertia=(0.01, 0.02, 0.03), position=(x + 0.15, 0.01, 0.02)))
        m.add(f"pinion{k}", ww.Body(mass=0.1, inertia=(1e-4, 1e-4, 1e-4), position=(x + 0.03, 0, 0)))
        m.add(f"joint{k}", ww.Revolute(bodies=(inner, f"link{k}"), point=(x, 0, 0), axis=(0, 0, 1)))
        m.add(f"shaft{k}", ww.Revolute(bodies=(inner, f"pinion{k}"), point=(x + 0.03, 0, 0), axis=(0, 0, 1)))
        m.add(f"mesh{k}", ww.ExternalMesh(bodies=(f"pinion{k}", f"link{k}"), teeth=(10, 20)))
        inner = f"link{k}"
    return m


@pytest.mark.slow
def test_growth():
    """Absolute: in proportion to the bodies. Minimal with gear ratios: the mass matrix of n coordinates is full."""
    counts = [formulation_operations(chain(n)) for n in (4, 8, 16)]
    absolute = [a.total for a, _ in counts]
    assert absolute[2] - absolute[1] == pytest.approx(2 * (absolute[1] - absolute[0]), rel=0.02)
    minimal = [m.total for _, m in counts]
    assert minimal[0] < absolute[0] / 5
    assert minimal[2] < absolute[2] / 2
    assert 2 < (minimal[2] - minimal[1]) / (minimal[1] - minimal[0]) < 8
