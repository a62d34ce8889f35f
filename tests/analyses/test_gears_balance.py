"""Free-body balance of every body of a gear drive: mass times acceleration is weight, drives, joints and teeth.

The tooth forces are those of text-books, made by `gear_pairs` from the tangential force alone; the reactions are those
that Wheelwork reports. If a reaction lacked what the teeth press on the bearings, no balance would close.
"""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww

from .gear_pairs import PAIRS, Geared, in_housing

GRAVITY = np.array([1.0, -3.0, -9.0])
DRIVES = {"a": "3*cos(9*t)", "b": "-5*sin(7*t) + 1"}
SLIDING = {"a": "3*cos(9*t)", "b": "-90*sin(7*t) + 10"}


LOSSES = {"worm": {"friction": 0.05}, "crossed": {"friction": 0.05}}


def geared(name: str, mesh: Any = None, **more: Any) -> Geared:
    pair = PAIRS[name](**(mesh or {}))
    return in_housing(pair, gravity=tuple(GRAVITY), **(SLIDING if pair.rack else DRIVES), **more)


def matrices(q: np.ndarray) -> np.ndarray:
    """World from body for Euler parameters (N, 4)."""
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


class Balance:
    """Sums of forces and of torques about the centre of mass, for every body at every output time."""

    def __init__(self, geared: Geared, result: Any):
        self.geared, self.r = geared, result
        self.bodies = geared.mechanism.bodies
        self.x = {name: result[f"{name}.position"].to_numpy() for name in self.bodies}
        self.R = {name: matrices(result[f"{name}.orientation"].to_numpy()) for name in self.bodies}
        self.force = {name: np.zeros_like(x) for name, x in self.x.items()}
        self.torque = {name: np.zeros_like(x) for name, x in self.x.items()}
        self.largest = 0.0

    def moved(self, body: str, points: Any) -> np.ndarray:
        """Where points of the world at the start are, if they move with a body."""
        if body == "ground":
            return np.broadcast_to(points, (len(self.r.t), 3))
        return self.x[body] + self.turned(body, np.asarray(points) - self.x[body][0])

    def turned(self, body: str, vectors: Any) -> np.ndarray:
        if body == "ground":
            return np.broadcast_to(vectors, (len(self.r.t), 3))
        return np.einsum("nij,kj,k->ni", self.R[body], self.R[body][0], vectors)

    def add(self, body: str, force: Any, at: Any, torque: Any = 0.0) -> None:
        self.largest = max(self.largest, float(np.abs(force).max(initial=0)))
        if body == "ground":
            return
        self.force[body] += force
        self.torque[body] += torque + np.cross(at - self.x[body], force)

    def misfits(self) -> tuple[float, float]:
        """The largest of m a - F and J w' + w x J w - T."""
        forces, torques = [], []
        for name, body in self.bodies.items():
            a, alpha, w = (
                self.r[f"{name}.{what}"].to_numpy() for what in ("acceleration", "angular_acceleration", "w")
            )
            J = np.einsum("nij,j,nkj->nik", self.R[name], np.array(body.inertia), self.R[name])
            forces.append(body.mass * a - self.force[name])
            spin = np.einsum("nij,nj->ni", J, w)
            torques.append(np.einsum("nij,nj->ni", J, alpha) + np.cross(w, spin) - self.torque[name])
        return float(np.abs(forces).max()), float(np.abs(torques).max())


def balance(geared: Geared, r: Any, carrier: str = "housing") -> Balance:
    """Weight, drives, reactions and teeth."""
    b = Balance(geared, r)
    for name, body in b.bodies.items():
        b.add(name, body.mass * GRAVITY, b.x[name])
    for name, joint in geared.mechanism.joints.items():
        for side, body in zip("ab", joint.bodies, strict=True):
            wrench = r.reaction(name, body=side)
            at = b.moved(body, np.array(joint.point))
            b.add(body, wrench.force.to_numpy(), at, wrench.torque.to_numpy())
    for name, drive in {**geared.mechanism.forces, **geared.mechanism.drivers}.items():
        joint = geared.mechanism.joints[drive.joint]
        axis = b.turned(carrier, np.array(joint.axis))
        word = "force" if joint.type == "prismatic" else "torque"
        effort = r[f"{name}.{word}"].to_numpy()[:, None] * axis
        for body, sign in zip(joint.bodies, (-1, 1), strict=True):
            if word == "torque":
                b.add(body, 0 * effort, b.x.get(body, 0), sign * effort)
            else:
                b.add(body, sign * effort, b.moved(joint.bodies[1], np.array(joint.point)))
    add_teeth(b, carrier)
    return b


def add_teeth(b: Balance, carrier: str) -> None:
    """The contact point and the directions there stay where they are in the housing."""
    pair, r = b.geared.pair, b.r
    tangential = r["mesh.force.tangential"].to_numpy()
    friction = r["mesh.friction.force"].to_numpy() if "mesh.friction.force" in r else 0 * tangential
    for k, (F_t, F_f) in enumerate(zip(tangential, friction, strict=True)):
        force, point, couple = pair.lost
        wrenches = [(f, p, 0 * f) for f, p in pair.on_b(F_t)] + [(F_f * force, point, F_f * couple)]
        for force, point, couple in wrenches:
            at = b.moved(carrier, b.geared.place(point))[k]
            force, couple = (b.turned(carrier, b.geared.axes @ vector)[k] for vector in (force, couple))
            b.largest = max(b.largest, float(np.abs(force).max()))
            for body, sign in (("a", -1), ("b", 1)):
                b.force[body][k] += sign * force
                b.torque[body][k] += sign * (couple + np.cross(at - b.x[body][k], force))


def closes(found: Balance) -> None:
    force, torque = found.misfits()
    assert force < 1e-11 * found.largest
    assert torque < 1e-12 * found.largest  # arms of 0.1 m


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize("name", PAIRS)
def test_every_body_of_a_flying_gear_drive_is_in_balance(name, formulation):
    g = geared(name)
    r = g.mechanism.simulate(end=1.0, output=40, rtol=1e-9, atol=1e-11, formulation=formulation)
    assert r.outcome.good, r.report
    tangential = r["mesh.force.tangential"].to_numpy()
    assert tangential.min() < -10
    assert tangential.max() > 10  # both flanks
    closes(balance(g, r))


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_with_losses(name):
    """Friction between the teeth comes on top: along the teeth where they slide, else half on each wheel."""
    g = geared(name, LOSSES.get(name.split(",")[0], {"efficiency": 0.9}))
    r = g.mechanism.simulate(end=0.5, output=20)
    assert r.outcome.good, r.report
    assert np.abs(r["mesh.friction.force"].to_numpy()).max() > 1
    closes(balance(g, r))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["helical", "spiral bevel at 110 deg", "worm", "belt"])
def test_formulations_agree(name):
    g = geared(name, seed=5)
    absolute, reduced = (
        g.mechanism.simulate(end=0.05, output=5, rtol=1e-9, atol=1e-11, formulation=formulation)
        for formulation in ("absolute", "reduced")
    )
    closes(balance(g, reduced))
    for signal in ("mesh.force.tangential", "bearing-a.reaction.force", "bearing-b.reaction.torque"):
        exact = absolute[signal].to_numpy()
        assert reduced[signal].to_numpy() == pytest.approx(exact, rel=1e-7, abs=1e-7 * np.abs(exact).max())


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_driven_wheels_on_the_ground(name):
    """Inverse dynamics: the driver's torque is in balance with inertia, load and teeth."""
    g = geared(name, fixed=True)
    del g.mechanism.forces["drive-a"]
    g.mechanism.add("drive-a", ww.JointDriver(joint="bearing-a", value="40*t + sin(20*t)"))
    r = g.mechanism.inverse(end=0.6, output=30)
    assert r.outcome.good, r.report
    assert np.ptp(np.sign(r["mesh.force.tangential"].to_numpy())) == 2
    closes(balance(g, r, "ground"))
    # and the wheels turn in the ratio of their teeth
    way = "displacement" if g.pair.rack else "angle"
    exact = 40 * r.t + np.sin(20 * r.t)
    turned = r[f"bearing-b.{way}"].to_numpy()
    assert turned == pytest.approx(g.pair.speeds[1] * exact, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PAIRS if "belt" not in name and "spiral" not in name])
def test_teeth_push_wheels_apart_on_either_flank(name):
    """Each wheel towards its own axis; a ring away from it."""
    g = geared(name)
    r = g.mechanism.simulate(end=1.0, output=40)
    F = r["mesh.force.tangential"].to_numpy()
    for flank in (F > 1, F < -1):
        assert flank.any()
        assert r["mesh.force.radial"].to_numpy()[flank].min() > 0.3
        assert r["mesh.a.force.radial"].to_numpy()[flank].max() < -0.1
        if not g.pair.rack:
            on_b = r["mesh.b.force.radial"].to_numpy()[flank] * (-1 if "internal" in name else 1)
            assert on_b.max() < -0.1


def test_signals_of_a_mesh_are_the_text_book_forces():
    """Tangential, radial and axial force on each wheel, in its own directions; both flanks."""
    g = geared("helical")
    r = g.mechanism.simulate(end=1.0, output=40)
    F, beta, alpha = r["mesh.force.tangential"].to_numpy(), np.radians(18), np.radians(20)
    radial, axial = np.abs(F) * np.tan(alpha) / np.cos(beta), F * np.tan(beta)
    exact = {"a": (-F, -radial, axial), "b": (-F, -radial, -axial)}
    for wheel, parts in exact.items():
        for word, part in zip(("tangential", "radial", "axial"), parts, strict=True):
            found = r[f"mesh.{wheel}.force.{word}"].to_numpy()
            assert found == pytest.approx(part, abs=1e-12 * np.abs(F).max())
    size = np.abs(F) / np.cos(beta) / np.cos(alpha)
    assert r["mesh.force.normal"].to_numpy() == pytest.approx(size, rel=1e-12)
