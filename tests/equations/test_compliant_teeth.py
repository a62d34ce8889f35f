"""Compliant teeth as equations: a force is the gradient of its energy, phases follow the teeth, numbers follow the
parameters, and what is missing is said."""

from typing import Any

import numpy as np
import pytest
from pages import blocks, page

import wheelwork as ww
from wheelwork.gears import GearPair, PlanetarySet, backlash
from wheelwork.gears.stiffness import BeamSlices, EnergyMethod, Iso6336

from .contact_wheels import CENTRE_B, MODULE, free_wheels, meshed
from .single_force import Force, program_of


def pair_of(kind: str, planar: bool, **model: Any) -> ww.Mechanism:
    """Wheels that nothing holds, so that every small motion is possible."""
    x, y = CENTRE_B[kind]
    m = free_wheels(planar, (0.002, 0.001), (x - 0.003, y + 0.004))
    helix = {} if planar else {"helix_angle": 0.3}
    teeth = ww.CompliantTeeth(**{"stiffness": 1e7, "backlash": 1e-5, **model})
    spread = {} if planar else {"module": MODULE * np.cos(0.3)}
    sizes = {"module": MODULE, **spread, **helix, "model": teeth}
    return meshed(m, kind, planar, **sizes)


@pytest.mark.parametrize("planar", [False, True])
@pytest.mark.parametrize("kind", ["external", "internal", "rack"])
@pytest.mark.parametrize("law", ["contact", "elastic", "printed", "linear"])
def test_the_force_is_the_gradient_of_the_energy(kind, law, planar):
    """Also where the centres move apart or together and both flanks are pressed."""
    force = Force(pair_of(kind, planar, law=law))
    rng = np.random.default_rng(3)
    V = force.program.space.V
    sides = set()
    for _ in range(40):
        step = 1e-3 * rng.normal(size=2 * V) * 0.05
        wrench, gradient, signals = force.at(step, np.zeros(2 * V))
        sides.add(signals["side"])
        if law == "elastic":
            # without speed the damper is at rest, so this is the spring alone
            assert signals["power.loss"] == 0
        scale = max(np.abs(wrench).max(), 1e-9)
        assert -gradient == pytest.approx(wrench, abs=1e-9 * scale)
        # what the signals say is the force on b, in the transverse section
        if planar:
            size = np.hypot(signals["force.tangential"], signals["force.radial"])
            assert np.hypot(*wrench[V : V + 2]) == pytest.approx(size, rel=1e-2, abs=1e-9)
    assert sides >= ({1.0} if law == "linear" else {-1.0, 1.0})


def turned(force: Force, arc: float) -> dict[str, float]:
    """Signals after wheel a has turned by an arc of its pitch circle, b following."""
    V = force.program.space.V
    step = np.zeros(2 * V)
    # a step adds to Euler parameters, so that the angle it makes is 2 atan(step/2)
    step[V - 1], step[2 * V - 1] = 2 * np.tan(arc / 40e-3), -2 * np.tan(arc / 80e-3)
    return force.at(step, np.zeros(2 * V))[2]


# -- stiffness over the mesh cycle


def wheels(**model: Any) -> ww.Mechanism:
    m = ww.Mechanism("pair", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=1e-3))
    m.add("b", ww.Rotor(inertia=8e-3, position=(60e-3, 0, 0)))
    sizes = {"teeth": (20, 40), "module": MODULE, "face_width": 20e-3}
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), model=ww.CompliantTeeth(**model), **sizes))
    return m


PAIR = GearPair.of((20, 40), MODULE, face_width=20e-3)
METHODS = {"energy": EnergyMethod(PAIR), "beam": BeamSlices(PAIR), "iso": Iso6336(PAIR)}


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("side", [1, -1])
def test_stiffness_is_that_of_the_gears_at_every_phase(method, side):
    """Its harmonics, taken by another route: projection of the exact course at the signal's own phase. On the back
    flank everything happens in a mirror."""
    harmonics = {} if method == "iso" else {"harmonics": 4}
    # pressed by 1 um on the front or back flank, whatever its place
    m = wheels(stiffness={"type": method, **harmonics}, offset=side * 1e-6, phase=0.2)
    force = Force(m)
    pitch = np.pi * MODULE
    arcs = np.linspace(0, pitch, 64, endpoint=False)
    found = [turned(force, arc) for arc in arcs]
    phases = np.array([f["phase"] for f in found])
    assert phases == pytest.approx((0.2 + arcs / pitch) % 1, abs=1e-9)
    assert {f["side"] for f in found} == {float(side)}
    path = PAIR.path
    start = (path.pitch_point - path.start) / path.base_pitch + 0.25  # teeth are half as thick as the pitch
    cycle = phases if side > 0 else 2 * start - phases
    fine = (np.arange(4096) + 0.5) / 4096
    course = METHODS[method].mesh_stiffness(fine)
    exact = np.full(len(arcs), course.mean())
    for n in range(1, 5 if harmonics else 1):
        for wave in (np.cos, np.sin):
            exact += 2 * np.mean(course * wave(2 * np.pi * n * fine)) * wave(2 * np.pi * n * cycle)
    assert [f["stiffness"] for f in found] == pytest.approx(exact, rel=4e-3)  # 512 samples of steps


def test_a_table_over_the_mesh_cycle():
    tau = np.arange(40) / 40
    values = 1e8 * (1 + 0.3 * np.cos(2 * np.pi * tau) - 0.1 * np.sin(4 * np.pi * tau))
    table = {"type": "table", "phase": tuple(tau), "value": tuple(values), "harmonics": 3}
    force = Force(wheels(stiffness=table, phase=0.0, offset=1e-6))
    for arc in np.linspace(0, np.pi * MODULE, 7):
        at = 2 * np.pi * arc / (np.pi * MODULE)
        exact = 1e8 * (1 + 0.3 * np.cos(at) - 0.1 * np.sin(2 * at))
        assert turned(force, arc)["stiffness"] == pytest.approx(
            exact, rel=3e-3
        )  # straight lines between 40 points


def test_harmonics_of_stiffness_and_error():
    stiffness = {
        "type": "constant",
        "value": 1e8,
        "variation": [{"order": 2, "amplitude": 2e7, "phase": 0.4}],
    }
    errors = [{"amplitude": 3e-6, "order": 2, "phase": 0.1}, {"amplitude": 5e-6, "per": "b", "phase": 1.0}]
    force = Force(wheels(stiffness=stiffness, errors=errors, phase=0.0, offset=1e-4))
    for arc in np.linspace(0, 0.9, 9):
        found = turned(force, arc)
        angle = 2 * np.pi * arc / (np.pi * MODULE)
        assert found["stiffness"] == pytest.approx(1e8 + 2e7 * np.sin(2 * angle + 0.4), rel=1e-9)
        exact = 3e-6 * np.sin(2 * angle + 0.1) + 5e-6 * np.sin(arc / 40e-3 + 1.0)
        assert found["static_error"] == pytest.approx(exact, abs=1e-12)


# -- phases of planetary sets


@pytest.mark.parametrize(
    ("teeth", "planets"), [((24, 18, 60), 3), ((23, 19, 61), 4), ((20, 25, 70), (0.0, 92.0, 180.0))]
)
def test_phases_of_a_planetary_set(teeth, planets):
    """Against Parker and Lin's: gamma_sn, gamma_rn and gamma_rs, while the sun drives in the positive sense."""
    z_s, z_p, z_r = teeth
    arm = (z_s + z_p) * MODULE / 2
    pairs = GearPair.of((z_s, z_p), MODULE), GearPair.of((z_p, z_r), MODULE, internal=True)
    if not isinstance(planets, int):
        planets = tuple(np.radians(planets))
    stage = PlanetarySet(*pairs, planets)
    m = ww.Mechanism("stage", kind="planar", gravity=(0, 0))
    m.add("carrier", ww.Rotor(inertia=1.0))
    m.add("sun", ww.Rotor(inertia=1.0))
    m.add("ring", ww.Rotor(inertia=1.0))
    model = ww.CompliantTeeth(stiffness=1e8)
    turn = 0.123  # of the first planet: any
    for n, psi in enumerate(stage.angles):
        at = (arm * np.cos(psi + turn), arm * np.sin(psi + turn))
        m.add(f"p{n}", ww.Body(mass=1, inertia=1, position=at))
        m.add(f"pin{n}", ww.Revolute(bodies=("carrier", f"p{n}"), point=at))
        m.add(f"s{n}", ww.ExternalMesh(bodies=("sun", f"p{n}"), teeth=(z_s, z_p), module=MODULE, model=model))
        m.add(
            f"r{n}", ww.InternalMesh(bodies=(f"p{n}", "ring"), teeth=(z_p, z_r), module=MODULE, model=model)
        )
    r = m.assemble()
    sun, ring = [], []
    for n in range(len(stage.angles)):
        for found, pair, mesh in ((sun, pairs[0], f"s{n}"), (ring, pairs[1], f"r{n}")):
            path = pair.path
            centre = (path.pitch_point - path.start) / path.base_pitch
            start = centre + pair.a.thickness(pair.working_diameters[0]) / pair.working_pitch / 2
            phase = float(r[f"{mesh}.phase"])
            # the sun pushes with front flanks; planets push the ring with their back flanks
            found.append((phase if mesh[0] == "s" else 2 * start - phase) - centre)
    for found, gamma in zip((sun, ring), stage.phases, strict=True):
        off = np.array(found) - found[0] - gamma
        assert off - np.round(off) == pytest.approx(0, abs=1e-9)
    off = sun[0] - ring[0] - stage.ring_sun_phase
    assert off - np.round(off) == pytest.approx(0, abs=1e-9)


# -- numbers follow the parameters


def test_numbers_follow_the_parameters():
    def made(m: float, **parameters: Any) -> ww.Mechanism:
        p = ww.Mechanism("pair", gravity=(0, 0, 0), parameters={"m": m, "thin": -20e-6})
        p.add("a", ww.Rotor(inertia=1e-3))
        p.add("b", ww.Rotor(inertia=8e-3, position=("30*m", 0, 0)))
        model = ww.CompliantTeeth(stiffness="energy", damping_ratio=0.1)
        sizes = {"teeth": (20, 40), "module": "m", "face_width": "10*m", "thickness_allowance": ("thin", 0)}
        p.add("mesh", ww.ExternalMesh(bodies=("a", "b"), model=model, **sizes))
        return p

    other = program_of(made(2e-3)).numbers({"m": 3e-3, "thin": -50e-6})
    own = made(3e-3)
    own.parameters["thin"] = -50e-6
    fresh = program_of(own).numbers()
    assert other.data == pytest.approx(fresh.data, rel=1e-9, abs=1e-12)
    # which is not what it was before
    assert np.abs(other.data - program_of(made(2e-3)).numbers().data).max() > 1e3


def test_backlash_of_the_teeth():
    """From the thickness allowance and from the distance of the axes."""
    m = wheels(stiffness=1e8)
    m.meshes["mesh"].thickness_allowance = (-40e-6, -60e-6)
    j = 100e-6 * np.cos(np.radians(20))
    assert Force(m).at(np.zeros(12), np.zeros(12))[2]["gap"] == pytest.approx(j / 2, rel=1e-9)
    m = wheels(stiffness=1e8)
    m.bodies["b"].position = (60.1e-3, 0, 0)
    m.meshes["mesh"].profile_shift = (0.0, 0.0)
    exact = backlash(GearPair.of((20, 40), MODULE, centre_distance=60.1e-3)).transverse
    assert Force(m).at(np.zeros(12), np.zeros(12))[2]["gap"] == pytest.approx(exact / 2, rel=1e-9)


# -- what cannot be


def fails(m: Any, *words: str) -> None:
    with pytest.raises(ww.ModelError) as caught:
        program_of(m() if callable(m) else m)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("method", ["iso", "energy", "beam"])
def test_methods_need_the_shape_of_the_teeth(method):
    m = wheels(stiffness=method)
    m.meshes["mesh"].face_width = 0.0
    fails(m, "meshes.mesh", f"`{method}`", "`face_width`")
    m = wheels(stiffness=method)
    m.meshes["mesh"] = ww.ExternalMesh(bodies=("a", "b"), ratio=2, model=ww.CompliantTeeth(stiffness=method))
    fails(m, f"`{method}`", "no tooth numbers")


def test_faults_of_descriptions():
    fails(lambda: wheels(stiffness=1e8, damping=1, damping_ratio=0.1), "damping is given twice")
    fails(lambda: wheels(stiffness=-1e8), "must be greater than zero")
    fails(lambda: wheels(stiffness="1e8 N*m"), "needs a stiffness")
    fails(lambda: wheels(stiffness=1e8, backlash=-1e-5), "must not be negative")
    fails(lambda: wheels(stiffness={"type": "spline"}), "spline")
    fails(lambda: wheels(stiffness={"type": "table", "phase": (0, 0.5), "value": (1e8,)}), "as many phases")
    fails(
        lambda: ww.WormMesh(
            bodies=("a", "b"), teeth=(1, 40), module=MODULE, model={"type": "compliant", "stiffness": 1}
        ),
        "must be `rigid` for this type",
    )
    varying = {"type": "constant", "value": 1e7, "variation": [{"amplitude": 2e7}]}
    fails(wheels(stiffness=varying), "falls to", "above zero")
    m = wheels(stiffness=1e8)
    m.meshes["mesh"].thickness_allowance = (40e-6, 0)
    fails(m, "jam", "`thickness_allowance`")
    m = pair_of("rack", True, errors=[{"amplitude": 1e-6, "per": "b"}])
    fails(m, "a rack does not turn")
    fails(
        lambda: ww.RackMesh(
            bodies=("a", "b"), teeth=20, holds_distance=True, model={"type": "compliant", "stiffness": 1}
        ),
        "rigid teeth only",
    )


def test_written_and_read_again():
    m = wheels(stiffness={"type": "energy", "harmonics": 3}, backlash="20 um", errors=[{"amplitude": "3 um"}])
    again = ww.loads(m.to_yaml())
    assert again.meshes["mesh"].model == m.meshes["mesh"].model
    short = ww.loads(
        """
bodies:
  a: {type: rotor, inertia: 1e-3}
  b: {type: rotor, inertia: 1e-3, position: [60 mm, 0, 0]}
meshes:
  mesh: {type: external, bodies: [a, b], teeth: [20, 40], model: {type: compliant, stiffness: 4e8 N/m, law: printed}}
"""
    )
    assert short.meshes["mesh"].model.stiffness == ww.GivenStiffness(value=4e8)


@pytest.mark.slow
def test_examples_of_the_guide():
    shown = [text for text in blocks(page("guide/meshes"), "yaml") if "compliant" in text]
    assert len(shown) == 2
    found = [ww.loads(text).assemble() for text in shown]
    # the error closes one side of the backlash
    halves = [float(at["pair.gap"]) + abs(float(at["pair.static_error"])) for at in found]
    # a thickness allowance of 30 um on both wheels, seen along the line of action; and half of 0.2 mm
    assert halves == pytest.approx([30e-6 * np.cos(np.radians(20)), 0.1e-3], rel=1e-9)
