"""The motion does not depend on names, on the order of things, or on where and how the world's frame stands."""

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import wheelwork as ww

from .models import box_inertia

FEW = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
G = np.array([0.5, 0.3, -9.0])


def machine(turn=None, shift=(0.0, 0.0, 0.0), names=None, order=None, swap=False):
    """A closed spatial loop with a spring, a damper and a torque, written in a frame of one's choice."""
    turn = Rotation.identity() if turn is None else turn
    shift = np.asarray(shift, float)
    rename = (lambda n: names.get(n, n)) if names else (lambda n: n)

    def place(point):
        return tuple(turn.apply(point) + shift)

    def direction(vector):
        return tuple(turn.apply(vector))

    quaternion = tuple(np.roll(turn.as_quat(), 1))
    parts = []
    bars = {
        "crank": ((0, 0, 0), (0, 0, 0.3), 0.5),
        "rod": ((0, 0, 0.3), (0.9, 0.1, 0), 1.0),
        "slider": ((0.9, 0.1, 0), (0.9, 0.1, 0), 2.0),
    }
    for name, (start, end, mass) in bars.items():
        middle = (np.array(start) + end) / 2
        body = ww.Body(
            mass=mass,
            inertia=box_inertia(mass, 0.3, 0.2, 0.4),
            position=place(middle),
            orientation={"euler_parameters": quaternion},
        )
        parts.append((rename(name), body))

    def joint(kind, a, b, **where):
        bodies = (rename(b), rename(a)) if swap and kind is not ww.Universal else (rename(a), rename(b))
        return kind(bodies=bodies, **where)

    parts += [
        ("bearing", joint(ww.Revolute, "ground", "crank", point=place((0, 0, 0)), axis=direction((0, 1, 0)))),
        ("pin", joint(ww.Spherical, "crank", "rod", point=place((0, 0, 0.3)))),
        (
            "wrist",
            joint(
                ww.Universal,
                "slider",
                "rod",
                point=place((0.9, 0.1, 0)),
                axis=direction((0, 0, 1)),
                axis2=direction((0, 1, 0)),
            ),
        ),
        (
            "slide",
            joint(ww.Prismatic, "ground", "slider", point=place((0.9, 0.1, 0)), axis=direction((1, 0, 0))),
        ),
        (
            "spring",
            ww.Spring(
                bodies=("ground", rename("slider")),
                point_a=place((2, 0, 0)),
                point_b=place((0.9, 0.1, 0)),
                stiffness=40,
                damping=0.5,
            ),
        ),
        ("push", ww.Torque(body=rename("crank"), value=tuple(turn.apply((0, 1.5, 0))))),
    ]
    if order is not None:
        random.Random(order).shuffle(parts)
    m = ww.Mechanism("machine", gravity=tuple(turn.apply(G)))
    for name, part in parts:
        m.add(name, part)
    return m


SETTINGS = {"end": 1.5, "output": 15, "rtol": 1e-10, "atol": 1e-12}
# two runs at 1e-10 per step that take different paths of rounding, over some 400 steps
TOLERANCE = 1e-7


@pytest.fixture(scope="module")
def plain():
    return machine().simulate(**SETTINGS)


@pytest.mark.slow
@given(
    turn=st.tuples(*[st.floats(-3, 3)] * 3),
    shift=st.tuples(*[st.floats(-5, 5)] * 3),
)
@FEW
def test_world_frame(plain, turn, shift):
    turned = Rotation.from_rotvec(turn)
    r = machine(turned, shift).simulate(**SETTINGS)
    for body in ("crank", "rod", "slider"):
        position = turned.apply(plain[f"{body}.position"].to_numpy()) + shift
        assert r[f"{body}.position"].to_numpy() == pytest.approx(position, abs=TOLERANCE)
        w = turned.apply(plain[f"{body}.w"].to_numpy())
        assert r[f"{body}.w"].to_numpy() == pytest.approx(w, abs=20 * TOLERANCE)
    for joint in ("bearing", "pin", "wrist", "slide"):
        force = turned.apply(plain[f"{joint}.reaction.force"].to_numpy())
        assert r[f"{joint}.reaction.force"].to_numpy() == pytest.approx(force, abs=1000 * TOLERANCE)
    for scalar in ("bearing.angle", "slide.displacement", "spring.force", "energy.kinetic"):
        assert r[scalar].to_numpy() == pytest.approx(plain[scalar].to_numpy(), abs=100 * TOLERANCE)


@pytest.mark.slow
@given(order=st.integers(0, 10**6))
@FEW
def test_order_of_elements(plain, order):
    r = machine(order=order).simulate(**SETTINGS)
    for name in ("slider.position", "rod.orientation", "pin.reaction.force"):
        assert r[name].to_numpy() == pytest.approx(plain[name].to_numpy(), abs=1000 * TOLERANCE)


def test_names(plain):
    names = {"crank": "zz-top", "rod": "a", "slider": "Rod_2"}
    r = machine(names=names).simulate(**SETTINGS)
    for old, new in names.items():
        assert r[f"{new}.position"].to_numpy() == pytest.approx(
            plain[f"{old}.position"].to_numpy(), abs=1e-12
        )


def test_which_body_comes_first_in_a_joint(plain):
    """Swapping a and b turns the sign of angles and reactions, and nothing else."""
    r = machine(swap=True).simulate(**SETTINGS)
    assert r["slider.position"].to_numpy() == pytest.approx(
        plain["slider.position"].to_numpy(), abs=TOLERANCE
    )
    assert r["bearing.angle"].to_numpy() == pytest.approx(-plain["bearing.angle"].to_numpy(), abs=TOLERANCE)
    force = r["pin.reaction.force"].to_numpy()
    assert force == pytest.approx(-plain["pin.reaction.force"].to_numpy(), abs=1000 * TOLERANCE)


def test_body_frame_anywhere_in_the_body(plain):
    """Where the origin of a body frame is, and how its axes stand, is a matter of taste."""
    m = machine()
    arm = np.array([0.2, -0.1, 0.3])
    turn = Rotation.from_rotvec([0.3, -0.5, 0.9])
    rod = m.bodies["rod"]
    inertia = np.diag(rod.inertia)
    A = turn.as_matrix()
    m.bodies["rod"] = ww.Body(
        mass=rod.mass,
        inertia=tuple(map(tuple, A.T @ inertia @ A)),
        center_of_mass=tuple(arm),
        position=tuple(np.array(rod.position) - turn.apply(arm)),
        orientation={"euler_parameters": tuple(np.roll(turn.as_quat(), 1))},
    )
    r = m.simulate(**SETTINGS)
    for name in ("slider.position", "crank.position"):
        assert r[name].to_numpy() == pytest.approx(plain[name].to_numpy(), abs=TOLERANCE)
    assert r["energy.total"].to_numpy() == pytest.approx(plain["energy.total"].to_numpy(), abs=1e-5)


def test_inside_a_component(plain):
    """The same machine as a component that is placed elsewhere, under the same gravity in its own axes."""
    turn, shift = Rotation.from_rotvec([0.7, 0.2, -0.4]), (3.0, -1.0, 2.0)
    inner = machine()
    outer = ww.Mechanism("outer", gravity=tuple(turn.apply(G)))
    placed = {"position": shift, "orientation": {"euler_parameters": tuple(np.roll(turn.as_quat(), 1))}}
    outer.add("sub", ww.Component(model=inner, **placed))
    r = outer.simulate(**SETTINGS)
    position = turn.apply(plain["slider.position"].to_numpy()) + shift
    assert r["sub.slider.position"].to_numpy() == pytest.approx(position, abs=TOLERANCE)
    assert r["sub.bearing.angle"].to_numpy() == pytest.approx(
        plain["bearing.angle"].to_numpy(), abs=TOLERANCE
    )
