"""Helical teeth in contact: the signals of a pair belong to one pair of teeth, across the whole face.

The number of pairs in contact somewhere across the face is on average the total contact ratio (ISO 21771), whatever the
slices; each pair is loaded once, while its line of contact crosses the path, and the pairs together carry the load."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.gears import Gear, GearPair, RackPair

MODULE, SPEED = 2e-3, 20.0
CASES = {
    "external": ((22, 81), 12.0, 30e-3),
    "wide": ((24, 51), 25.0, 40e-3),
    "internal": ((22, 81), 20.0, 25e-3),
}


def running(name: str, slices: int | None, sense: float = 1.0) -> tuple[ww.Mechanism, GearPair | RackPair]:
    """Wheel a turned evenly against a load, from where the flanks touch."""
    (z_a, z_b), degrees, width = CASES.get(name, CASES["external"])
    beta = np.radians(degrees)
    r_a, r_b = (z * MODULE / 2 / np.cos(beta) for z in (z_a, z_b))
    m = ww.Mechanism("helical", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=1e-3, speed=sense * SPEED))
    m.add("drive", ww.JointDriver(joint="a.bearing", value=f"{sense * SPEED}*t"))
    model = ww.ContactTeeth(
        slices=slices,
        viscous={"type": "hunt_crossley", "factor": 500.0},
        offset=sense * 2e-6,
    )
    shape = {"bodies": ("a", "b"), "module": MODULE, "helix_angle": beta, "face_width": width, "model": model}
    if name == "rack":
        m.add(
            "b",
            ww.Body(
                mass=2.0, inertia=(0.01,) * 3, position=(0, -r_a, 0), velocity=(sense * r_a * SPEED, 0, 0)
            ),
        )
        m.add("rails", ww.Prismatic(bodies=("ground", "b"), point=(0, -r_a, 0), axis=(1, 0, 0)))
        m.add("load", ww.Actuator(joint="rails", value=-sense * 1000.0))
        m.add("mesh", ww.RackMesh(teeth=z_a, **shape))
        return m, RackPair(Gear(z_a, MODULE, helix_angle=beta, face_width=width), rack_face_width=width)
    side = -1 if name == "internal" else 1
    m.add(
        "b",
        ww.Rotor(inertia=5e-3, position=(r_a * side + r_b, 0, 0), speed=-side * sense * SPEED * r_a / r_b),
    )
    m.add("load", ww.Actuator(joint="b.bearing", value=side * sense * 1000.0 * r_b))
    mesh = ww.ExternalMesh if side > 0 else ww.InternalMesh
    m.add("mesh", mesh(teeth=(z_a, z_b), **shape))
    pair = GearPair.of((z_a, z_b), MODULE, internal=side < 0, helix_angle=beta, face_width=width)
    return m, pair


def pairs_of(r, word: str) -> list[dict[str, np.ndarray]]:
    labels = ("force.normal", "position", "depth", "pressure", "sliding")
    names = [s.name for s in r.signals if s.name.startswith(f"mesh.{word}.") and s.name.endswith(".depth")]
    return [{label: r[name[: -len("depth")] + label].to_numpy() for label in labels} for name in names]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "slices", "sense"),
    [
        ("external", 5, 1.0),
        ("external", 1, 1.0),
        ("external", 8, -1.0),
        ("wide", 5, 1.0),
        ("internal", 5, 1.0),
        ("rack", 5, 1.0),
    ],
)
def test_pairs_of_teeth(name, slices, sense):
    m, pair = running(name, slices, sense)
    cycle = 2 * np.pi / pair.a.teeth / SPEED
    # whole mesh cycles, so that the mean is that over one
    r = m.simulate(end=4 * cycle, output=1600)
    assert r.outcome.good, r.report
    late = slice(800, 1600)
    count, total = r["mesh.pairs"].to_numpy()[late], pair.total_contact_ratio
    assert count.mean() == pytest.approx(total, abs=0.01)
    assert set(count) <= {np.floor(total), np.ceil(total)}
    word, other = ("front", "back") if sense > 0 else ("back", "front")
    own = pairs_of(r, word)
    assert len(own) == np.ceil(total)
    assert all(not np.any(p["force.normal"]) for p in pairs_of(r, other))
    assert sum(p["force.normal"] for p in own) == pytest.approx(r["mesh.force.normal"].to_numpy(), rel=1e-9)
    start, end = r["mesh.path.start"].to_numpy(), r["mesh.path.end"].to_numpy()
    step = SPEED * pair.a.base_diameter / 2 * (r.t[1] - r.t[0])
    for p in own:
        loaded = p["force.normal"] > 0
        assert np.any(loaded)
        assert np.all((p["position"] >= start - 1e-9)[loaded] & (p["position"] <= end + 1e-9)[loaded])
        assert np.all(p["pressure"][loaded] > 0)
        # as long as a pair is loaded it is one pair: it moves on, evenly, and its load does not jump
        going = loaded[1:] & loaded[:-1] & (r.t[1:] > cycle)
        moved = np.diff(p["position"])[going]
        assert moved.min() > -1e-9
        assert moved.max() < step * (1 + 1e-3)
        assert np.abs(np.diff(p["force.normal"]))[going].max() < 0.1 * p["force.normal"].max()
        # no sliding at the pitch point; before and beyond it, each its own way
        away = loaded & (np.abs(p["position"] - pair.path.pitch_point) > 0.1 * pair.path.base_pitch)
        sign = np.sign(p["sliding"] * (p["position"] - pair.path.pitch_point))[away]
        assert len(set(sign)) == 1


@pytest.mark.slow
def test_a_pair_at_a_time():
    """The load of a pair of teeth over its way through the mesh is that of the pair before, one cycle later."""
    m, pair = running("external", 5)
    cycle = 2 * np.pi / pair.a.teeth / SPEED
    r = m.simulate(end=8 * cycle, output=1600)
    forces = np.array([p["force.normal"] for p in pairs_of(r, "front")])
    one_later, now = forces[:, 1200:1600], forces[:, 1000:1400]
    apart = [np.abs(np.roll(one_later, shift, axis=0) - now).max() for shift in range(len(forces))]
    assert sorted(apart)[0] < 0.02 * forces.max()
    assert sorted(apart)[1] > 0.2 * forces.max()
