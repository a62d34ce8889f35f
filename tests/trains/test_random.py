"""Random trains against velocities of material points, computed without any of the graph's means.

The independent way: unknown are the rates of the joints as they are given; wheels in mesh have the same velocity
along the teeth at a point of contact. The null space of these equations (SVD) must be that of the exact ones.
"""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from wheelwork.description import ModelError
from wheelwork.trains import Axis, GearTrain, TrainGraph, displacements, mobility, power_flow, speeds, torques
from wheelwork.trains.canonical import twist_of
from wheelwork.trains.exact import null_space


class Builder:
    """A random train, and beside it the points of contact for the independent way."""

    def __init__(self, rng):
        self.rng = rng
        self.train = GearTrain("random")
        self.axis = {}  # link -> (point, direction) in the world
        self.parent = {"ground": None}
        self.joints = []  # (a, b, point, direction)
        self.contacts = []  # (a, b, point, direction)

    def unit(self):
        return Rotation.random(random_state=self.rng).as_matrix()[:, 0]

    def carry(self, carrier, link, point, direction):
        """A joint, given from either side and in either sense."""
        sign = self.rng.choice([-1, 1])
        ends = (carrier, link) if self.rng.random() < 0.5 else (link, carrier)
        shifted = point + self.rng.normal() * direction
        self.train.turning(*ends, shifted, sign * direction, name=f"{len(self.joints)}")
        self.joints.append((*ends, shifted, sign * direction))
        self.axis[link] = (point, direction)
        self.parent.setdefault(link, carrier)

    def axes(self, a, b, marks):
        senses = self.rng.choice([-1, 1], size=2)
        return tuple(
            Axis.through(p, s * np.array(d)) for s, (p, d) in zip(senses, marks, strict=True)
        ), senses

    def mesh(self, carrier, a, marks_a, b, marks_b, teeth, contact):
        """Wheels with axes (point, direction) that touch at a point: a gear with the sense of rolling there."""
        (pa, da), (pb, db) = marks_a, marks_b
        tangent = np.cross(da, contact - pa)
        tangent /= np.linalg.norm(tangent)
        axes, senses = self.axes(a, b, (marks_a, marks_b))
        rims = np.cross(da, contact - pa) @ tangent, np.cross(db, contact - pb) @ tangent
        # teeth as the radii are
        assert abs(abs(rims[0] / rims[1]) - teeth[0] / teeth[1]) < 1e-9
        sense = int(np.sign(rims[0] * rims[1]) * senses[0] * senses[1])
        self.train.gear("gear", a, b, teeth, sense, name=f"g{len(self.contacts)}", axes=axes)
        self.contacts.append((a, b, contact, tangent))

    def grow(self, k, choice, teeth):
        """A further wheel in mesh with an earlier one, in the carrier of that."""
        wheels = [link for link in self.axis if self.parent[link] is not None]
        other = wheels[self.rng.integers(len(wheels))]
        carrier = self.parent[other]
        point, direction = self.axis[other]
        link = f"w{k}"
        z_other, z_new = teeth
        if choice == "bevel":
            # axes meet at an apex on the other's axis
            apex = point + self.rng.normal() * direction
            across = np.cross(direction, self.unit())
            across /= np.linalg.norm(across)
            # P between the axes at distances z_other and z_new from them
            angle = self.rng.uniform(0.4, 2.7)
            new_direction = np.cos(angle) * direction + np.sin(angle) * across
            p = apex + (z_new * direction + z_other * new_direction) / np.sin(angle)
            self.carry(carrier, link, apex, new_direction)
            self.mesh(carrier, other, (point, direction), link, (apex, new_direction), teeth, p)
            return
        out = np.cross(direction, self.unit())
        out /= np.linalg.norm(out)
        contact = point + z_other * out
        sign = 1 if choice == "external" else -1
        center = contact + sign * z_new * out
        if choice == "internal" and z_new == z_other:
            return
        self.carry(carrier, link, center, direction)
        self.mesh(carrier, other, (point, direction), link, (center, direction), teeth, contact)


@st.composite
def trains(draw):
    """A tree of links with wheels on it, and gear pairs between neighbours and with links of the axes below."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    b = Builder(rng)
    b.carry("ground", "first", np.zeros(3), b.unit())
    arms = ["ground"]
    kinds = st.sampled_from(["external", "internal", "bevel", "arm", "ring", "coaxial"])
    for k in range(draw(st.integers(1, 9))):
        choice = draw(kinds)
        teeth = (draw(st.integers(9, 60)), draw(st.integers(9, 60)))
        wheels = [link for link in b.axis if b.parent[link] is not None]
        if choice == "arm":
            # an arm on the axis of an earlier wheel, with a wheel of its own in mesh with that
            other = wheels[rng.integers(len(wheels))]
            carrier, (point, direction) = b.parent[other], b.axis[other]
            arm, wheel = f"arm{k}", f"p{k}"
            b.carry(carrier, arm, point, direction)
            out = np.cross(direction, b.unit())
            out /= np.linalg.norm(out)
            contact = point + teeth[0] * out
            center = contact + teeth[1] * out
            b.carry(arm, wheel, center, direction)
            b.mesh(arm, other, (point, direction), wheel, (center, direction), teeth, contact)
            arms.append(arm)
        elif choice == "coaxial":
            # a further link on an axis, free of gears, at times turning on the wheel there instead of the carrier
            other = wheels[rng.integers(len(wheels))]
            point, direction = b.axis[other]
            b.carry(b.parent[other] if rng.random() < 0.5 else other, f"c{k}", point, direction)
            b.parent[f"c{k}"] = b.parent[other]
        elif choice == "ring" and len(arms) > 1:
            # a ring around a planet, on the axis of its arm, in the arm's carrier
            arm = arms[rng.integers(1, len(arms))]
            planets = [link for link, parent in b.parent.items() if parent == arm]
            planet = planets[rng.integers(len(planets))]
            (center, direction), (point, axis) = b.axis[planet], b.axis[arm]
            out = center - point
            out -= axis * (axis @ out)
            distance = np.linalg.norm(out)
            if distance < 1e-6 or np.linalg.norm(np.cross(direction, axis)) > 1e-9:
                continue
            radius = teeth[0]
            contact = center + radius * out / distance
            b.carry(b.parent[arm], f"r{k}", point, axis)
            sizes = (radius, float(round(distance + radius, 9)))
            outer = np.linalg.norm(contact - point - axis * (axis @ (contact - point)))
            if abs(outer - sizes[1]) > 1e-9:
                continue
            b.mesh(arm, planet, (center, direction), f"r{k}", (point, axis), sizes, contact)
        elif choice in ("external", "internal", "bevel"):
            b.grow(k, choice, teeth)
    return b


def independent_equations(b):
    """Velocities of points of contact by adding up along a tree of the joints as given, which are the columns."""
    parents = {"ground": None}
    waiting = ["ground"]
    while waiting:
        link = waiting.pop()
        for k, (x, y, *_) in enumerate(b.joints):
            for near, far, sign in ((x, y, 1.0), (y, x, -1.0)):
                if near == link and far not in parents:
                    parents[far] = (link, k, sign)
                    waiting.append(far)

    def velocity(link, point):
        row = np.zeros((3, len(b.joints)))
        while parents[link] is not None:
            link, k, sign = parents[link]
            _, _, p, d = b.joints[k]
            row[:, k] = sign * np.cross(d, point - p)
        return row

    return np.array([t @ (velocity(x, p) - velocity(y, p)) for x, y, p, t in b.contacts]).reshape(
        -1, len(b.joints)
    )


def basis(graph):
    """Null space of the exact equations in the rates of the joints as given."""
    free = null_space(graph.solved, len(graph.rates))
    rates = np.zeros((len(graph.rates), len(free)))
    for j, solution in enumerate(free.values()):
        for column, entry in solution.items():
            rates[column, j] = float(entry)
    return rates


@pytest.mark.slow
@given(trains())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_null_space(b):
    graph = TrainGraph(b.train)
    expected = (
        scipy.linalg.null_space(independent_equations(b), rcond=1e-10)
        if b.contacts
        else np.eye(len(b.joints))
    )
    found = basis(graph)
    assert found.shape[1] == expected.shape[1] == mobility(graph).by_rank
    # The same motions: relative twists of the given joints, from the graph's rates.
    given = np.zeros((len(b.joints), found.shape[1]))
    for k, (x, y, _, d) in enumerate(b.joints):
        relative = (twist_of(graph, y) - twist_of(graph, x)) @ found
        given[k] = d @ relative[:3]
        assert np.allclose(np.cross(d, relative[:3], axisb=0, axisc=0), 0, atol=1e-9 * (1 + abs(found).max()))
    both = np.hstack([expected, given / np.linalg.norm(given, axis=0)])
    assert np.linalg.matrix_rank(both, tol=1e-7) == expected.shape[1]


@pytest.mark.slow
@given(trains())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_formulas(b):
    graph = TrainGraph(b.train)
    found = displacements(graph)
    values = {c.name: c.ratio for c in graph.circuits}
    assert found.formulas is not None
    assert [[x.evaluate(values) for x in row] for row in found.formulas] == found.matrix


@pytest.mark.slow
@given(trains(), st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_power_is_kept_without_losses_and_lost_with_them(b, seed):
    rng = np.random.default_rng(seed)
    for name, gear in b.train.gears.items():
        eta = tuple(rng.uniform(0.9, 1.0, size=2))
        b.train.gears[name] = type(gear)(**{**vars(gear), "efficiency": eta})
    graph = TrainGraph(b.train)
    driven = {q.link: round(float(rng.normal()), 3) for q in displacements(graph).coordinates}
    try:
        motion = speeds(graph, driven)
    except ModelError:  # the speed of a link about its own axis may be settled by those before it
        reject()
    assume(not motion.free)
    loads = {link: float(rng.normal()) for link in graph.moving if link not in driven}
    for losses in (False, True):
        state = torques(motion, loads, losses=losses)
        size = max([abs(e.power) for e in state.externals] + [m.rolling_power for m in state.meshes] + [1e-9])
        total = sum(e.power for e in state.externals)
        assert abs(total - state.loss) < 1e-8 * size
        assert all(m.loss >= -1e-9 * size for m in state.meshes)
        if not losses:
            assert abs(total) < 1e-8 * size
        flow = power_flow(state)
        for mesh, power in zip(state.meshes, flow.meshes, strict=True):
            assert abs(power.from_a + power.from_b + power.from_carrier - mesh.loss) < 1e-8 * size
        # Ground does no work: what the bearings bring there is nothing.
        assert abs(sum(x.power for x in flow.bearings if x.parent == "ground")) < 1e-7 * size
