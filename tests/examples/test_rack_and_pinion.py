"""A pinion on a rack on a cart: two freedoms with constant accelerations, from momentum and energy.

With s down the rack and X of the cart:

    (M + m) X'' + m s'' cos(a) = 0,  s'' (1 + I/(m r^2)) + X'' cos(a) = g sin(a)
"""

import numpy as np
import pytest

from .bundled import model, result

G, SLOPE, RADIUS, PINION, CART, TRAVEL = 9.80665, np.pi / 6, 0.08, 4.0, 8.0, 1.2
DOWN = G * np.sin(SLOPE) / (1.5 - PINION * np.cos(SLOPE) ** 2 / (PINION + CART))
BACK = -PINION * np.cos(SLOPE) / (PINION + CART) * DOWN


def test_pinion_runs_down_the_rack_with_two_fifths_of_g():
    assert pytest.approx(0.4 * G) == DOWN
    r = result("rack-and-pinion")
    assert -RADIUS * r["pinion.angular_acceleration"].to_numpy() == pytest.approx(0.4 * G, rel=1e-12)


def test_motion():
    r = result("rack-and-pinion")
    half = r.t**2 / 2
    # accelerations are constant: steps have no error but rounding
    assert r["cart.position.x"].to_numpy() == pytest.approx(BACK * half, abs=1e-12)
    assert r["pinion.angle"].to_numpy() == pytest.approx(-DOWN / RADIUS * half, abs=1e-11)
    path = r["pinion.position"].to_numpy() - r["cart.position"].to_numpy()
    along, across = path @ [np.cos(SLOPE), -np.sin(SLOPE)], path @ [np.sin(SLOPE), np.cos(SLOPE)]
    assert along == pytest.approx(DOWN * half - TRAVEL, abs=1e-12)
    assert across == pytest.approx(np.full(len(r.t), RADIUS), abs=1e-12)


def test_forces():
    """The tooth force turns the pinion; across the rack its separating part and the mesh's hold carry the weight."""
    r = result("rack-and-pinion")
    tangential = PINION / 2 * DOWN  # I s''/r^2
    assert np.abs(r["teeth.force.tangential"].to_numpy()) == pytest.approx(tangential, rel=1e-10)
    assert r["teeth.a.force.tangential"].to_numpy() * RADIUS == pytest.approx(
        PINION * RADIUS**2 / 2 * r["pinion.angular_acceleration"].to_numpy(), rel=1e-10
    )
    # in the rack's own directions it is the same force the other way
    assert r["teeth.b.force.tangential"].to_numpy() == pytest.approx(
        r["teeth.a.force.tangential"].to_numpy(), rel=1e-12
    )
    assert r["teeth.force.radial"].to_numpy() == pytest.approx(tangential * np.tan(np.radians(20)), rel=1e-10)
    # rails carry what does not accelerate upwards
    rails = r["rails.reaction.force.y"].to_numpy()
    assert rails == pytest.approx((PINION + CART) * G - PINION * DOWN * np.sin(SLOPE), rel=1e-10)


def test_energy_is_kept():
    energy = result("rack-and-pinion")["energy.total"].to_numpy()
    assert energy == pytest.approx(energy[0], abs=1e-10)


def test_two_freedoms():
    found = model("rack-and-pinion").check()
    assert (found.freedoms_by_count, found.freedoms_by_rank, found.redundant) == (2, 2, [])
