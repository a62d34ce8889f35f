"""The printed formulas of constraints against the kernels' numbers, and against their own derivatives."""

import numpy as np
import pytest
from examples.bundled import saying

import wheelwork as ww
from tests.equations.every_joint import equations_of_joints
from wheelwork import examples
from wheelwork.description.base import PLANAR, SPATIAL
from wheelwork.show.formulas import Expression

from .models import (
    CAMS,
    PLANAR_BODIES,
    PLANAR_JOINTS,
    PLANAR_MESHES,
    SPATIAL_JOINTS,
    states,
    with_cam,
    with_joint,
    with_mesh,
)

TOLERANCE = 1e-10
"""Of numbers about 1, after sums and differences of a few hundred products."""

DRIVERS = {
    "angle": "{type: joint, joint: pin, value: rate*t + 0.1*sin(t)}",
    "table": "{type: joint, joint: pin, value: {time: [0, 1, 2], value: [0, 0.2, 0.1]}}",
    "body": "{type: body, body: two, coordinate: x, value: 0.1*t^2}",
}


def agree(entry, motion) -> None:
    values, numbers = entry.symbol_values(motion), entry.quantities(motion)
    for name in ("phi", "jacobian", "nu", "gamma"):
        formulas = getattr(entry, name)
        scale = max(1.0, float(np.max(np.abs(getattr(numbers, name)))))
        assert formulas.evaluate(values) == pytest.approx(getattr(numbers, name), abs=TOLERANCE * scale), name


@pytest.mark.parametrize("kind", PLANAR_JOINTS)
def test_joints_in_the_plane(kind):
    equations = with_joint(PLANAR_JOINTS[kind])
    for motion in states(equations):
        agree(equations["pin"], motion)


def test_every_joint_is_looked_at():
    for kind, texts in ((PLANAR, PLANAR_JOINTS), (SPATIAL, SPATIAL_JOINTS)):
        there = {text.split(",")[0].removeprefix("{type: ") for text in (*texts.values(), *CAMS.values())}
        assert there >= set(equations_of_joints(kind)) - {"rod"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SPATIAL_JOINTS)
def test_joints_in_space(kind):
    equations = with_joint(SPATIAL_JOINTS[kind], planar=False)
    for motion in states(equations, count=2):
        agree(equations["pin"], motion)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PLANAR_MESHES)
def test_meshes(kind):
    equations = with_mesh(kind)
    for motion in states(equations, size=0.05):
        agree(equations["teeth"], motion)


@pytest.mark.parametrize("kind", DRIVERS)
@pytest.mark.parametrize("joint", ["revolute", "prismatic"])
def test_drivers(kind, joint):
    text = f"joints:\n  pin: {PLANAR_JOINTS[joint]}\ndrivers:\n  motor: {DRIVERS[kind]}\n"
    equations = ww.loads(
        PLANAR_BODIES + text.replace("rate*t", "rate*t" if joint == "revolute" else "0.2*t")
    ).equations()
    for motion in states(equations):
        agree(equations["motor"], motion)


@pytest.mark.slow
@pytest.mark.parametrize("kind", CAMS)
def test_cams(kind):
    """The kernels' own search for the contact ends where the formulas take it from: compared near the contact."""
    equations = with_cam(kind)
    source = equations._source
    for motion in states(equations, size=1e-3):
        entry = equations["pin"]
        values, state = entry.symbol_values(motion), motion.state[0].copy()
        found = [values[s] for s in entry.parameters]
        state[len(state) - len(found) :] = found
        agree(entry, source.motion(state, float(motion.t[0])))


# -- second route: derivatives of what is printed


def moved(entry, values, changes):
    """Values of all symbols with some changed and the intermediate results computed anew."""
    out = {**values, **changes}
    for symbol, definition in entry.definitions:
        out[symbol] = definition.evaluate(out)
    return out


@pytest.mark.parametrize("kind", [kind for kind in PLANAR_JOINTS if kind != "knife_edge"])  # which has no Phi
def test_jacobian_is_the_derivative_of_phi(kind):
    equations = with_joint(PLANAR_JOINTS[kind])
    entry, step = equations["pin"], 1e-6
    for motion in states(equations, seed=1):
        values = entry.symbol_values(motion)
        printed = entry.jacobian.evaluate(values)
        for k, symbol in enumerate(entry.jacobian.columns):
            up, down = (
                entry.phi.evaluate(moved(entry, values, {symbol: values[symbol] + sign * step}))
                for sign in (1, -1)
            )
            # central differences: step^2 times third derivatives, and rounding over step
            assert printed[:, k] == pytest.approx((up - down) / (2 * step), abs=1e-8)


@pytest.mark.parametrize("kind", PLANAR_JOINTS)
def test_gamma_is_what_differentiation_leaves(kind):
    """gamma = -(Phi_q q')_q q' for a constraint without time in it."""
    equations = with_joint(PLANAR_JOINTS[kind])
    entry, step = equations["pin"], 1e-6
    for motion in states(equations, seed=2):
        values = entry.symbol_values(motion)
        columns = entry.jacobian.columns
        rates = np.array([values[symbol.rate()] for symbol in columns])

        def speed(sign, values=values, columns=columns, rates=rates):
            changes = {s: values[s] + sign * step * rate for s, rate in zip(columns, rates, strict=True)}
            return entry.jacobian.evaluate(moved(entry, values, changes)) @ rates

        assert entry.gamma.evaluate(values) == pytest.approx(-(speed(1) - speed(-1)) / (2 * step), abs=1e-7)


def test_driver_velocity_is_the_derivative_of_its_function():
    equations = ww.loads(
        PLANAR_BODIES
        + f"joints:\n  pin: {PLANAR_JOINTS['revolute']}\ndrivers:\n  motor: {DRIVERS['angle']}\n"
    ).equations()
    entry = equations["motor"]
    assert str(entry.nu[0]) == "rate + 0.1 cos t"
    assert str(entry.gamma[0]) == "−0.1 sin t"


# -- options


def test_numbers_in_the_place_of_symbols():
    text = f"joints:\n  pin: {PLANAR_JOINTS['revolute']}\ndrivers:\n  motor: {DRIVERS['angle']}\n"
    m = ww.loads(PLANAR_BODIES + text)
    symbols, numbers = m.equations(), m.equations(numbers=True)
    motion = next(iter(states(symbols)))
    for name in ("pin", "motor"):
        values = symbols[name].symbol_values(motion)
        assert numbers[name].phi.evaluate(values) == pytest.approx(
            symbols[name].phi.evaluate(values), abs=1e-12
        )
    assert str(numbers["motor"].nu[0]) == "2 + 0.1 cos t"
    own = {constant.symbol for constant in symbols["pin"].constants}
    assert own
    for cell in numbers["pin"].phi:
        assert own.isdisjoint(cell.symbols)


def test_bodies_by_number():
    m = ww.loads(PLANAR_BODIES + f"joints:\n  pin: {PLANAR_JOINTS['relative angle']}\n")
    assert str(m.equations(short=True)["pin"].phi[0]) == "φ₂ − φ₁ − c_A"
    assert str(m.equations()["pin"].phi[0]) == "φ_two − φ_one − c_A"


def test_legend_tells_numbers_in_terms_of_parameters():
    """The point is given in the world, at x = length as the body is: what is left is less the centre of mass."""
    entry = with_joint(PLANAR_JOINTS["revolute to ground"])["pin"]
    found = {str(c.symbol.letter) + c.symbol.of: c for c in entry.constants}
    x = found["xA"]
    assert (str(Expression(x.formula)), x.value, x.unit) == ("length", 0.3, "m")


# -- the bundled models


@pytest.mark.slow
@pytest.mark.parametrize("name", saying("kind: planar"))
def test_planar_examples(name):
    """Near their given position, with any velocity; cams are compared above."""
    equations = ww.load(examples.path(name)).equations()
    for motion in states(equations, count=2, size=1e-3):
        for entry in equations:
            if not entry.is_cam:
                agree(entry, motion)
