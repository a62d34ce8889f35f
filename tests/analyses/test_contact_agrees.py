"""Tooth contact against what is known otherwise: compliant teeth, statics, momentum, shafts that yield."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.gears import Gear, GearPair, RackPair
from wheelwork.gears.stiffness import EnergyMethod

from .contact_pairs import INERTIA, LINEAR, RESISTANCE, contact_pair

PITCH_RADIUS = 20e-3


def helical(model: ww.ContactTeeth | ww.CompliantTeeth, helix: float = 0.3) -> ww.Mechanism:
    """An overlap ratio of 1, so that the sum of all lines of contact does not change."""
    module = 2e-3 * np.cos(helix)
    m = ww.Mechanism("helical", gravity=(0, 0, 0), start="rest")
    m.add("a", ww.Rotor(inertia=1e-3, speed=60.0))
    m.add("b", ww.Rotor(inertia=4e-3, position=(60e-3, 0, 0)))
    width = np.pi * module / np.sin(helix)
    sizes = {"teeth": (20, 40), "module": module, "helix_angle": helix, "face_width": width}
    slack = {"thickness_allowance": (-30e-6, -30e-6)}
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), model=model, **sizes, **slack))
    return m


@pytest.mark.slow
def test_contact_agrees_with_compliant_teeth_of_the_same_stiffness():
    """Wheels that rattle from flank to flank: k of all lines of contact is k epsilon_alpha, at every phase."""
    helix = 0.3
    pair = GearPair.of((20, 40), 2e-3 * np.cos(helix), helix_angle=helix)
    stiffness = 1e8 * pair.transverse_contact_ratio
    # a hunt-crossley damper has no twin among compliant teeth; without damping they hit for ever
    contact = helical(ww.ContactTeeth(elastic={"type": "linear", "stiffness": 1e8}, slices=3))
    springs = helical(ww.CompliantTeeth(stiffness=stiffness))
    options = {"end": 0.01, "output": 400, "rtol": 1e-10, "atol": 1e-12}
    first, second = contact.simulate(**options), springs.simulate(**options)
    assert set(first["mesh.side"].values) == {-1.0, 0.0, 1.0}
    for name in ("a.w", "b.w", "mesh.force.axial", "mesh.force.radial", "mesh.force.tangential"):
        scale = np.abs(second[name].values).max()
        assert first[name].values == pytest.approx(second[name].values, abs=1e-6 * scale)


@pytest.mark.slow
def test_a_static_load_is_shared_as_the_stiffness_says():
    """The gear held, a torque on the pinion: pairs carry in proportion to their stiffness, together the whole load."""
    m = contact_pair(
        torque=30.0, elastic="teeth", phase=0.3, viscous={"type": "ramp", "damping": 5e4, "depth": 1e-7}
    )
    m.add("hold", ww.JointDriver(joint="right", value=0.0))
    r = m.simulate(end=0.05, output=5, method="sdirk4", rtol=1e-9)
    method = EnergyMethod(GearPair.of((20, 40), 2e-3, face_width=20e-3))
    forces, local = [], []
    for slot in (1, 2):
        forces.append(float(r[f"mesh.front.{slot}.force.normal"][-1]))
        local.append(float(method.local_stiffness(float(r[f"mesh.front.{slot}.position"][-1]))))
    assert min(forces) > 100
    assert sum(forces) * PITCH_RADIUS * np.cos(np.radians(20)) == pytest.approx(30.0, rel=1e-6)
    assert forces[0] / forces[1] == pytest.approx(local[0] / local[1], rel=1e-4)
    deflection = float(r["mesh.deflection"][-1])
    phase = float(r["mesh.phase"][-1]) - deflection / 2 / method.pair.path.base_pitch
    assert sum(forces) / deflection == pytest.approx(float(method.mesh_stiffness(phase)), rel=1e-4)


@pytest.mark.slow
def test_a_gear_on_a_soft_bearing_moves_out_along_the_line_of_action():
    """The gear on a slider with a spring along the line of centres: pressure angle, backlash and path follow, and the
    spring bears what the flanks push: F sin(alpha) at the angle there is, not the one that was given."""
    m = ww.Mechanism("slider", kind="planar", gravity=(0, 0))
    m.add("pinion", ww.Body(mass=1, inertia=1e-3, position=(0, 0)))
    m.add("slider", ww.Body(mass=0.5, inertia=1e-3, position=(60e-3, 0)))
    m.add("gear", ww.Body(mass=2, inertia=4e-3, position=(60e-3, 0)))
    m.add("left", ww.Revolute(bodies=("ground", "pinion"), point=(0, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "slider"), point=(60e-3, 0), axis=(1, 0)))
    m.add("right", ww.Revolute(bodies=("slider", "gear"), point=(60e-3, 0)))
    teeth = ww.ContactTeeth(
        elastic=LINEAR, phase=0.3, viscous={"type": "ramp", "damping": 2e4, "depth": 1e-7}
    )
    sizes = {"teeth": (20, 40), "module": 2e-3, "face_width": 20e-3}
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "gear"), model=teeth, **sizes))
    stiffness = 2e6
    m.add(
        "bearing",
        ww.Spring(
            bodies=("ground", "slider"), point_a=(0, 0), point_b=(60e-3, 0), stiffness=stiffness, damping=4e3
        ),
    )
    m.add("drive", ww.Torque(body="pinion", value=20.0))
    m.add("hold", ww.Torque(body="gear", value="-2e4*gear.angle - 20*gear.w"))
    r = m.simulate(end=0.3, output=5, method="sdirk4")
    distance = float(r["mesh.distance"][-1])
    assert distance > 60.1e-3
    pair = GearPair.of((20, 40), 2e-3, face_width=20e-3, centre_distance=distance)
    assert float(r["mesh.pressure_angle"][-1]) == pytest.approx(pair.working_pressure_angle, rel=1e-9)
    assert float(r["mesh.path.start"][-1]) == pytest.approx(pair.path.start, abs=1e-9)
    force = float(r["mesh.force.transverse"][-1])
    assert force == pytest.approx(20.0 / (PITCH_RADIUS * np.cos(np.radians(20))), rel=1e-5)
    pushed = stiffness * (distance - 60e-3)
    assert pushed == pytest.approx(force * np.sin(pair.working_pressure_angle), rel=1e-5)
    assert abs(pushed / (force * np.sin(np.radians(20))) - 1) > 1e-2


@pytest.mark.slow
def test_a_floating_gearbox_keeps_its_momentum():
    """Housing, pinion and gear free in space, the wheels set against each other: the flanks exchange momentum only."""
    m = ww.Mechanism("floating", gravity=(0, 0, 0), start="rest")
    m.add(
        "housing",
        ww.Body(
            mass=3, inertia=(0.02, 0.03, 0.04), position=(0.03, -0.02, 0.01), angular_velocity=(3, -2, 1)
        ),
    )
    m.add(
        "pinion",
        ww.Body(mass=1, inertia=(8e-4, 8e-4, 1e-3), position=(0, 0, 0), angular_velocity=(3, -2, 80)),
    )
    m.add(
        "gear",
        ww.Body(mass=2, inertia=(3e-3, 3e-3, 4e-3), position=(60e-3, 0, 0), angular_velocity=(3, -2, 1)),
    )
    m.add("left", ww.Revolute(bodies=("housing", "pinion"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("right", ww.Revolute(bodies=("housing", "gear"), point=(60e-3, 0, 0), axis=(0, 0, 1)))
    teeth = ww.ContactTeeth(elastic="johnson", viscous={"type": "hunt_crossley", "factor": 5.0})
    sizes = {"teeth": (20, 40), "module": 2e-3, "face_width": 20e-3, "thickness_allowance": (-30e-6, -30e-6)}
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "gear"), model=teeth, friction=0.05, **sizes))
    r = m.simulate(end=0.02, output=400, rtol=1e-10, atol=1e-12, formulation="absolute")
    assert np.ptp(r["mesh.side"].values) == 2  # both flanks were hit
    linear = np.stack([r[f"momentum.linear.{k}"].values for k in "xyz"])
    angular = np.stack([r[f"momentum.angular.{k}"].values for k in "xyz"])
    assert np.ptp(linear, axis=1).max() < 1e-9 * np.abs(linear).max() + 1e-9
    assert np.ptp(angular, axis=1).max() < 1e-8 * np.abs(angular).max()


@pytest.mark.slow
def test_wheels_under_load_vibrate_on_the_pairs_in_contact():
    """Frequencies about the loaded equilibrium: both wheels on the stiffness of two pairs, the gear on a spring."""
    m = contact_pair(torque=30.0, elastic="teeth", phase=0.3, viscous="none")
    held = 1e4
    m.add("hold", ww.TorsionalSpring(joint="right", stiffness=held))
    at = m.equilibrium()
    assert float(at["mesh.pairs"]) == 2
    k = float(at["mesh.force.transverse"]) / float(at["mesh.deflection"])
    r_a = PITCH_RADIUS * np.cos(np.radians(20))
    stiffness = k * np.outer((r_a, 2 * r_a), (r_a, 2 * r_a)) + np.diag((0, held))
    damping = np.diag((0, RESISTANCE))
    mass = np.linalg.inv(np.diag(INERTIA))
    state = np.block([[np.zeros((2, 2)), np.eye(2)], [-mass @ stiffness, -mass @ damping]])
    found = np.unique(np.abs(np.linalg.eigvals(state).imag).round(3)) / 2 / np.pi
    # how k changes with the place on the path, times the deflection, is left out here
    standing = m.modes(at=at, at_phase=float(at["mesh.phase"]))
    assert standing.frequencies == pytest.approx(found, rel=3e-4)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["rack", "internal"])
def test_racks_and_rings_are_driven(kind):
    """Started from rest and settled: the torque is at the teeth, and the mean ratio is that of the wheels."""
    m = ww.Mechanism(kind, kind="planar", gravity=(0, 0))
    m.add("pinion", ww.Body(mass=1, inertia=1e-3, position=(0, 0)))
    m.add("left", ww.Revolute(bodies=("ground", "pinion"), point=(0, 0)))
    sizes = {"module": 2e-3, "face_width": 20e-3, "thickness_allowance": (-20e-6, -20e-6)}
    teeth = ww.ContactTeeth(elastic="weber", viscous={"type": "ramp", "damping": 3e4, "depth": 2e-7})
    if kind == "rack":
        m.add("other", ww.Body(mass=2, inertia=1e-3, position=(0, -20e-3)))
        m.add("right", ww.Prismatic(bodies=("ground", "other"), point=(0, -20e-3), axis=(1, 0)))
        m.add("mesh", ww.RackMesh(bodies=("pinion", "other"), teeth=20, model=teeth, **sizes))
        rate, resistance = "right.speed", 400.0
    else:
        m.add("other", ww.Body(mass=2, inertia=5e-3, position=(-30e-3, 0)))
        m.add("right", ww.Revolute(bodies=("ground", "other"), point=(-30e-3, 0)))
        m.add("mesh", ww.InternalMesh(bodies=("pinion", "other"), teeth=(20, 50), model=teeth, **sizes))
        rate, resistance = "right.w", 1.0
    m.add("drive", ww.Torque(body="pinion", value=10.0))
    m.add("drag", ww.Friction(joint="right", viscous=resistance))
    r = m.simulate(end=0.3, output=1500, rtol=1e-7)
    settled = r.t > 0.15
    radius = PITCH_RADIUS if kind == "rack" else 50e-3
    force = r["mesh.force.transverse"].values[settled].mean() * np.cos(np.radians(20))
    assert force * PITCH_RADIUS == pytest.approx(10.0, rel=1e-2)
    speed = 10.0 / PITCH_RADIUS / resistance * (1 if kind == "rack" else radius**2)  # of the pitch line
    ratio = 1.0 if kind == "rack" else radius
    assert r[rate].values[settled].mean() * ratio == pytest.approx(speed, rel=1e-3)
    assert r["pinion.w"].values[settled].mean() * PITCH_RADIUS == pytest.approx(speed, rel=1e-3)
    pairs = r["mesh.pairs"].values[settled]
    assert set(pairs) == {1.0, 2.0}
    pair = RackPair(Gear(20, 2e-3)) if kind == "rack" else GearPair.of((20, 50), 2e-3, internal=True)
    assert pairs.mean() == pytest.approx(pair.transverse_contact_ratio, abs=0.02)
