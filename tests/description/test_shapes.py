"""Mass and inertia of shapes against integration over the volume, and on symbols."""

import math

import casadi
import numpy as np
import pytest

from wheelwork.description import Body, Box, Cylinder, Disc, Formula, GearBlank, ModelError, Sphere, Tube

DENSITY = 7800.0


def integrate(inside, size, n=120):
    """Mass and moments by midpoint sums over a box that encloses the shape."""
    axes = [(np.arange(n) + 0.5) / n * 2 * s - s for s in size]
    x, y, z = np.meshgrid(*axes, indexing="ij")
    cell = math.prod(2 * s / n for s in size) * DENSITY
    m = inside(x, y, z) * cell
    return m.sum(), ((m * (y**2 + z**2)).sum(), (m * (x**2 + z**2)).sum(), (m * (x**2 + y**2)).sum())


SHAPES = {
    "cylinder": (
        Cylinder(radius=0.3, length=0.8),
        lambda x, y, z: (x**2 + y**2 < 0.09) & (abs(z) < 0.4),
        (0.3, 0.3, 0.4),
    ),
    "cylinder along x": (
        Cylinder(radius=0.3, length=0.8, axis="x"),
        lambda x, y, z: (y**2 + z**2 < 0.09) & (abs(x) < 0.4),
        (0.4, 0.3, 0.3),
    ),
    "disc along y": (
        Disc(radius=0.3, thickness=0.1, axis="y"),
        lambda x, y, z: (x**2 + z**2 < 0.09) & (abs(y) < 0.05),
        (0.3, 0.05, 0.3),
    ),
    "tube": (
        Tube(outer_radius=0.4, inner_radius=0.3, length=0.5),
        lambda x, y, z: (x**2 + y**2 < 0.16) & (x**2 + y**2 > 0.09) & (abs(z) < 0.25),
        (0.4, 0.4, 0.25),
    ),
    "box": (Box(size=(0.2, 0.4, 0.6)), lambda x, y, z: x == x, (0.1, 0.2, 0.3)),
    "sphere": (Sphere(radius=0.5), lambda x, y, z: x**2 + y**2 + z**2 < 0.25, (0.5, 0.5, 0.5)),
    "gear blank": (
        GearBlank(pitch_radius=0.5, face_width=0.2, bore_radius=0.1, hub_radius=0.2, hub_length=0.4),
        lambda x, y, z: (
            (x**2 + y**2 > 0.01) & (x**2 + y**2 < 0.25) & (abs(z) < np.where(x**2 + y**2 < 0.04, 0.2, 0.1))
        ),
        (0.5, 0.5, 0.2),
    ),
    "gear blank without hub": (
        GearBlank(pitch_radius=0.5, face_width=0.2, bore_radius=0.1),
        lambda x, y, z: (x**2 + y**2 > 0.01) & (x**2 + y**2 < 0.25) & (abs(z) < 0.1),
        (0.5, 0.5, 0.1),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_against_integration(name):
    shape, inside, size = SHAPES[name]
    mass, moments = shape.mass_properties(DENSITY, float)
    expected_mass, expected_moments = integrate(inside, size)
    # A staircase of 120 cells across a diameter is right to about a percent.
    assert mass == pytest.approx(expected_mass, rel=0.01)
    assert moments == pytest.approx(expected_moments, rel=0.012)


def test_box_is_exact():
    mass, moments = Box(size=(1, 2, 3)).mass_properties(2.0, float)
    assert mass == 12
    assert moments == (13, 10, 5)


def test_parameters_stay_symbolic():
    r = casadi.SX.sym("r")
    shape = GearBlank(pitch_radius="r", face_width=0.2, bore_radius="r/5", hub_radius="r/2", hub_length=0.4)

    class Ops:
        div = staticmethod(lambda a, b: a / b)

    def value(given):
        return given.evaluate({"r": r}.__getitem__, Ops) if isinstance(given, Formula) else float(given)

    mass, moments = shape.mass_properties(DENSITY, value)
    at = casadi.Function("f", [r], [mass, *moments])(0.5)
    fixed = GearBlank(pitch_radius=0.5, face_width=0.2, bore_radius=0.1, hub_radius=0.25, hub_length=0.4)
    expected_mass, expected = fixed.mass_properties(DENSITY, float)
    assert [float(x) for x in at] == pytest.approx([expected_mass, *expected], rel=1e-14)


def test_explicit_values_win_over_the_shape():
    box = {"type": "box", "size": (1, 1, 1)}
    mass, tensor = Body(shape=box, density=6).mass_properties(float)
    assert mass == 6
    assert tensor == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    mass, tensor = Body(shape=box, mass=12).mass_properties(float)
    assert mass == 12
    assert tensor[0][0] == 2
    mass, tensor = Body(shape=box, mass=12, inertia=(3, 4, 5)).mass_properties(float)
    assert mass == 12
    assert tensor == ((3, 0, 0), (0, 4, 0), (0, 0, 5))
    full = ((3, 0.1, 0), (0.1, 4, 0), (0, 0, 5))
    assert Body(mass=1, inertia=full).mass_properties(float) == (1, full)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cylinder(radius=0, length=1), "Cylinder.radius: must be greater than zero, but is 0 m"),
        (lambda: Sphere(radius="-2 mm"), "Sphere.radius: must be greater than zero, but is -0.002 m"),
        (lambda: Box(size=(1, -1, 1)), "Box.size[1]: must be greater than zero, but is -1 m"),
        (lambda: Box(size=(1, 1)), "Box.size: needs 3 entries, but has 2"),
        (
            lambda: Tube(outer_radius=1, inner_radius=2, length=1),
            "Tube.inner_radius: must be smaller than `outer_radius` (1 m), but is 2 m",
        ),
        (
            lambda: GearBlank(pitch_radius=1, face_width=1, hub_radius=0.5),
            "GearBlank.hub_length: `hub_radius` and `hub_length` go together; this one is missing",
        ),
        (
            lambda: GearBlank(pitch_radius=1, face_width=1, bore_radius=-1),
            "GearBlank.bore_radius: must not be negative, but is -1 m",
        ),
        (
            lambda: Body(shape=Sphere(radius=1)),
            "Body.mass: the body has no mass (give `density` with the shape, or",
        ),
        (lambda: Body(mass=1), "Body.inertia: the body has no inertia (give `inertia`, or a `shape`"),
        (
            lambda: Body(shape=Sphere(radius=1), density=-1),
            "Body.density: must be greater than zero, but is -1 kg/m^3",
        ),
        (
            lambda: Body(shape=Sphere(radius=1), mass=1, density=7850),
            "Body.density: the mass is given twice: by `mass` and by the `density` of the shape",
        ),
        (
            lambda: Body(mass=1, inertia=(1, 1, 1), density=7850),
            "Body.density: has no effect without `shape`",
        ),
    ],
)
def test_impossible_shapes(make, message):
    with pytest.raises(ModelError) as caught:
        make()
    assert message in str(caught.value)
