"""Teeth that the load pushes past each other: when, by closed solution; how many, by the angles of the wheels; nowhere
without a word."""

import warnings

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.part import joined
from wheelwork.analyses.simulate import RunWarning
from wheelwork.engine.engine import EventKind, RunOptions
from wheelwork.engine.outcome import Outcome

MODULE, ALPHA, BETA = 2e-3, np.radians(20), np.radians(15)
PITCH = np.pi * MODULE
R1, R2, I1, I2 = 0.02, 0.04, 1e-3, 1e-2
BASE = R1 * np.cos(ALPHA)
K = 1e6
M_E = 1 / (np.cos(ALPHA) ** 2 * (R1**2 / I1 + R2**2 / I2))


def pair(torque, model=None, kind="planar", **mesh):
    """20 and 40 teeth, pressed together by balanced torques."""
    n = 2 if kind == "planar" else 3
    m = ww.Mechanism("pair", kind=kind, gravity=(0, 0, 0)[:n])
    m.add("pinion", ww.Rotor(inertia=I1))
    m.add("wheel", ww.Rotor(inertia=I2, position=(R1 + R2, 0, 0)[:n]))
    m.add("drive", ww.Actuator(joint="pinion.bearing", value=torque))
    m.add("load", ww.Actuator(joint="wheel.bearing", value=2 * torque))
    model = ww.CompliantTeeth(stiffness=K, backlash=0) if model is None else model
    given = {"teeth": (20, 40), "module": MODULE, "face_width": 20e-3, **mesh}
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "wheel"), model=model, **given))
    return m


def ring_and_pinion():
    m = ww.Mechanism("ring", kind="planar", gravity=(0, 0))
    m.add("pinion", ww.Rotor(inertia=I1, position=(0.02, 0)))
    m.add("ring", ww.Rotor(inertia=I2))
    m.add("drive", ww.Actuator(joint="pinion.bearing", value=100))
    m.add("load", ww.Actuator(joint="ring.bearing", value=-200))
    mesh = {"teeth": (20, 40), "module": MODULE, "model": ww.CompliantTeeth(stiffness=K)}
    m.add("mesh", ww.InternalMesh(bodies=("pinion", "ring"), **mesh))
    return m


def rack_and_pinion():
    m = ww.Mechanism("rack", kind="planar", gravity=(0, 0))
    m.add("pinion", ww.Rotor(inertia=I1, position=(0, R1)))
    m.add("rack", ww.Body(mass=2, inertia=1))
    m.add("slide", ww.Prismatic(bodies=("ground", "rack"), point=(0, 0), axis=(1, 0)))
    m.add("drive", ww.Actuator(joint="pinion.bearing", value=100))
    m.add("load", ww.Force(body="rack", value=(-5000, 0)))
    teeth = ww.CompliantTeeth(stiffness=K)
    m.add("mesh", ww.RackMesh(bodies=("pinion", "rack"), teeth=20, module=MODULE, model=teeth))
    return m


@pytest.mark.parametrize("torque", [60.0, 150.0])
def test_when_they_skip(torque):
    """From rest u = F/k (1 - cos(w t)) with w^2 = k/m_e, until wheel a is half a pitch ahead."""
    far = PITCH / 2 * np.cos(ALPHA) * K / (torque / BASE)
    exact = np.arccos(1 - far) / np.sqrt(K / M_E)
    with pytest.warns(RunWarning, match=r"the teeth of mesh `mesh` skipped.*`stiffness`.*`skipping: count`"):
        r = pair(torque).simulate(end=0.1, output=50)
    assert r.outcome is Outcome.TEETH_SKIPPED
    assert not r.outcome.good
    assert r.t[-1] == pytest.approx(exact, rel=1e-7)
    (skip,) = [event for event in r.events if event.kind is EventKind.SKIPPED]
    assert (skip.element, skip.size) == ("mesh", 1.0)
    assert skip.t == r.t[-1]
    # an eighth of the pitch deep before that
    (deep,) = [event for event in r.events if event.kind is EventKind.DEEP]
    assert deep.t == pytest.approx(np.arccos(1 - far / 4) / np.sqrt(K / M_E), rel=1e-7)


WAYS = [
    {"formulation": "absolute"},
    {"formulation": "reduced"},
    {"method": "rk4", "step": 2e-6},
    {"method": "sdirk4", "rtol": 1e-7},
]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=lambda way: " ".join(map(str, way.values())))
def test_how_many_skip(way, tmp_path):
    """As many as the angles of the wheels say, whatever solves the equations; also from a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        r = pair(100.0).simulate(**{"end": 0.01, "output": 100, "skipping": "count", **way})
    assert r.outcome is Outcome.REACHED_END
    ahead = (R1 * r["pinion.angle"].to_numpy() + R2 * r["wheel.angle"].to_numpy()) / PITCH
    assert np.array_equal(r["mesh.skipped"].to_numpy(), np.floor(ahead + 0.5))
    assert r["mesh.skipped"].to_numpy()[-1] >= 3
    assert "teeth skipped, first at t = " in r.report
    r.save(tmp_path / "r.nc")
    again = ww.Result.load(tmp_path / "r.nc")
    assert np.array_equal(again.at(r.t)["mesh.skipped"], r["mesh.skipped"])


@pytest.mark.parametrize("law", ["elastic", "printed", "linear"])
def test_every_law(law):
    with pytest.warns(RunWarning, match="skipped"):
        r = pair(100.0, ww.CompliantTeeth(stiffness=K, law=law)).simulate(end=0.1)
    assert r.outcome is Outcome.TEETH_SKIPPED


HELICAL = {"kind": "spatial", "helix_angle": BETA, "module": MODULE * np.cos(BETA)}
SOFT = ww.ContactTeeth(elastic=ww.LinearContact(stiffness=K))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "sign"),
    [
        (lambda: pair(100.0, SOFT), 1),
        (lambda: pair(-100.0, SOFT), -1),
        (ring_and_pinion, 1),
        (rack_and_pinion, 1),
        pytest.param(lambda: pair(100.0, SOFT, **HELICAL), 1, marks=pytest.mark.slow),
    ],
    ids=["contact", "contact, back flanks", "internal", "rack", "helical contact"],
)
def test_every_mesh(made, sign, request):
    with pytest.warns(RunWarning, match="the teeth of mesh `mesh` skipped"):
        r = made().simulate(end=0.1)
    assert r.outcome is Outcome.TEETH_SKIPPED
    assert r["mesh.skipped"].to_numpy()[-1] == sign
    # half a pitch along the transverse line of action, whose angle has tan(alpha)/cos(beta)
    alpha = np.arctan(np.tan(ALPHA) / np.cos(BETA)) if "helical" in request.node.name else ALPHA
    error = r["mesh.transmission_error"].to_numpy()[-1]
    assert abs(error) == pytest.approx(PITCH / 2 * np.cos(alpha), rel=1e-5)


@pytest.mark.slow
def test_too_deep_to_mean_anything():
    """20 N m deflect the teeth by F/k = 1.06 mm, more than a quarter of their thickness, 0.74 mm."""
    deflection, limit = 20 / BASE / K, PITCH / 8 * np.cos(ALPHA)
    assert limit < deflection < 2 * limit
    m = pair(20.0, ww.CompliantTeeth(stiffness=K, damping_ratio=0.7))
    with pytest.warns(RunWarning, match="reached the end, but the teeth of mesh `mesh` were pressed"):
        r = m.simulate(end=0.1)
    assert r.outcome is Outcome.TEETH_TOO_DEEP
    assert r["mesh.deflection"].to_numpy()[-1] == pytest.approx(deflection, rel=1e-3)
    for gives in (m.equilibrium, lambda: m.modes(settle=0.1)):
        with pytest.raises(ww.ModelError, match="pressed into each other by more than a quarter"):
            gives()
    m = pair(10.0, ww.CompliantTeeth(stiffness=K, damping_ratio=0.7))
    assert m.simulate(end=0.1).outcome is Outcome.REACHED_END
    assert m.equilibrium()["mesh.deflection"] == pytest.approx(deflection / 2, rel=1e-9)
    with pytest.raises(ww.ModelError, match="no equilibrium was found: the teeth of mesh `mesh` skip"):
        pair(100.0).equilibrium()


def test_start_inside_each_other():
    teeth = ww.CompliantTeeth(stiffness=K, offset=PITCH / 2)
    with pytest.raises(ww.ModelError, match=r"`offset` puts the teeth .* into each other"):
        pair(0.0, teeth).simulate(end=1e-3)


def test_sweep_at_parametric_resonance():
    """Stuck teeth whose stiffness swings at twice the natural frequency: without damping the motion grows and grows. A
    sweep says so instead of measuring teeth that jump."""
    natural = np.sqrt(K / M_E)
    teeth = ww.CompliantTeeth(
        stiffness={"type": "constant", "value": K, "variation": [{"amplitude": 0.8 * K}]},
        law="linear",
        offset=1e-4,
    )
    m = pair(0.0, teeth)
    m.parameters["speed"] = 100.0
    m.bodies["pinion"].speed, m.bodies["wheel"].speed = ww.Formula("speed"), ww.Formula("-speed/2")
    speed = 2 * natural / 20  # of the pinion, at which teeth come at twice the natural frequency
    # the first value has not settled: nothing is damped
    sweeping = {"signals": ["mesh.transmission_error"], "settle": 40, "measure": 4, "restart": True}
    with pytest.warns(RunWarning, match=r"stopped at speed = .*the teeth of mesh `mesh` were pressed"):
        s = m.sweep("speed", [2.5 * speed, speed], frequency="20*speed/(2*pi)", rtol=1e-6, **sweeping)
    rms = s["mesh.transmission_error"]["rms"].to_numpy()[0]
    assert rms[0] < 1e-3
    assert np.isnan(rms[1])


def test_sweep_of_the_load():
    """It stops where teeth skip, or counts them."""
    m = pair(1.0, ww.CompliantTeeth(stiffness=K, damping_ratio=0.7))
    m.parameters["torque"] = 1.0
    m.forces["drive"].value, m.forces["load"].value = ww.Formula("torque"), ww.Formula("2*torque")
    sweeping = {"signals": ["mesh.deflection", "mesh.skipped"], "settle": 4e-3, "measure": 1e-3}
    with pytest.warns(RunWarning, match=r"stopped at torque = 100: .*the teeth of mesh `mesh` skipped"):
        s = m.sweep("torque", [5.0, 100.0], **sweeping)
    assert np.isnan(s["mesh.deflection"]["mean"].to_numpy()[0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not settled
        s = m.sweep("torque", [5.0, 100.0], skipping="count", **sweeping)
    counted = s.dataset["skipped"].to_numpy()[0]
    assert counted[0] == 0
    assert counted[1] == s["mesh.skipped"]["greatest"].to_numpy()[0, 1] > 0


def test_driven_into_each_other():
    """Both wheels driven, one a tenth of a turn behind the other in the end."""
    m = pair(0.0)
    m.forces.pop("drive"), m.forces.pop("load")
    m.add("a", ww.JointDriver(joint="pinion.bearing", value="t"))
    m.add("b", ww.JointDriver(joint="wheel.bearing", value="-0.49*t"))
    # 0.02 t on the pitch line of b less 0.0196 t: an eighth of the pitch after 1.96 s
    with pytest.warns(RunWarning, match=r"press the teeth of mesh `mesh` .* first at t = 1.97 s"):
        m.inverse(end=3.0, output=300)


@pytest.mark.parametrize(("step", "told"), [(2e-3, False), (5e-2, True)])
def test_fixed_steps_over_ideal_teeth(step, told):
    """5 rad in a step: wheels in space arrive at any tooth; said, where teeth may have jumped."""
    m = ww.Mechanism("pair", gravity=(0, 0, 0))
    m.add("pinion", ww.Rotor(inertia=I1, speed=100))
    m.add("wheel", ww.Rotor(inertia=I2, position=(R1 + R2, 0, 0), speed=-50))
    m.add("drive", ww.Actuator(joint="pinion.bearing", value="0.5*sin(30*t)"))
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "wheel"), teeth=(20, 40), module=MODULE))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        r = m.simulate(end=1, output=20, method="rk4", step=step, formulation="absolute")
    jumped = abs(float(r["pinion.angle"][-1] + 2 * r["wheel.angle"][-1])) > 1e-6
    assert jumped is told
    assert any("mesh `mesh` may jump undetected" in str(one.message) for one in said) is told


def test_parts_of_a_run_keep_their_teeth():
    """A run that was taken up again: teeth that were too deep before count."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        prepared = pair(20.0, ww.CompliantTeeth(stiffness=K, damping_ratio=0.7)).assemble().prepared
    grid, y = np.linspace(0, 0.01, 11), prepared.numbers.state
    runs = [prepared.engine.integrate(y, grid, RunOptions(end=end)) for end in (0.01, 1e-4)]
    assert [run.report.outcome for run in runs] == [Outcome.TEETH_TOO_DEEP, Outcome.REACHED_END]
    whole = joined(*runs, "stop")
    assert whole.report.outcome is Outcome.TEETH_TOO_DEEP
    assert "mesh `mesh`: teeth pressed too deep" in whole.report.text.replace("M", "m")
    assert joined(*runs, "count").report.outcome is Outcome.REACHED_END


@pytest.mark.parametrize(
    ("teeth", "offset", "allowed"), [(None, 2.5, True), (None, 3.2, False), (1, 0.7, True), (1, 0.9, False)]
)
def test_no_depth_is_too_deep_without_tooth_numbers(teeth, offset, allowed):
    """A spring on a pinion of radius 1 m: phi'' = -k phi, as far as half a turn; teeth end at an eighth of a pitch."""
    m = ww.Mechanism("spring", kind="planar", gravity=(0, 0))
    m.add("wheel", ww.Rotor(inertia=5))
    model = ww.CompliantTeeth(stiffness=2e3, law="linear", offset=offset)
    rack = {"point_b": (0, -1), "axis_b": (1, 0), "radius": 1, "teeth": teeth, "pressure_angle": 0}
    m.add("mesh", ww.RackMesh(bodies=("wheel", "ground"), model=model, **rack))
    if not allowed:
        with pytest.raises(ww.ModelError, match="`offset` puts the teeth"):
            m.assemble()
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        r = m.simulate(end=0.5, output=10)
    assert r.outcome is Outcome.REACHED_END
    exact = offset * np.cos(20 * r.t)
    assert r["mesh.transmission_error"].to_numpy() == pytest.approx(exact, abs=1e-5)
