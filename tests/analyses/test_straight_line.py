"""Drive lines as one function in machine code: the same derivative and events as the general equations."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.analyses.reduction import reduce
from wheelwork.analyses.reduction.reduce import tables
from wheelwork.analyses.reduction.straight_line import straight_line
from wheelwork.engine.reduced import ReducedSystem


def yaw_drive():
    return ww.load(examples.path("yaw-drive"))


def drive_line():
    return ww.load(examples.path("drive-line"))


def train():
    """Rigid gears: three wheels and a motor with fewer coordinates than wheels; a torque that swings in time."""
    m = ww.Mechanism("train", kind="planar", gravity=(0, 0))
    for k, teeth in enumerate((20, 33, 51)):
        m.add(f"w{k}", ww.Rotor(inertia=1e-3 * (k + 1), position=((0, 53, 137)[k] * 1e-3, 0)))
        if k:
            pair = {"bodies": (f"w{k - 1}", f"w{k}"), "teeth": ((20, 33)[k - 1], teeth), "module": 2e-3}
            m.add(f"mesh{k}", ww.ExternalMesh(**pair))
    m.add("motor", ww.Rotor(inertia=2e-3, position=(0, 0)))
    m.add("shaft", ww.TorsionalSpring(bodies=("w0", "motor"), stiffness=300, damping=0.1))
    m.add("drive", ww.Actuator(joint="motor.bearing", value="3 + sin(40*t)"))
    m.add("drag", ww.Actuator(joint="w2.bearing", value="-0.2*w2.w"))
    return m


def bench():
    """A wheel on a slide along the line of centres, with flanks in contact."""
    return ww.load(examples.path("tooth-contact"))


def hanging(kind="spatial"):
    """A wheel on two slides, one on the other, both with springs; weights; the line of centres turns a little."""
    flat = kind == "planar"
    at = (60e-3, 0) if flat else (60e-3, 0, 0)
    m = ww.Mechanism("hanging", kind=kind, gravity=(1, -9.8) if flat else (1, -9.8, 2))
    body = {"inertia": 1e-3 if flat else (1e-3, 1e-3, 2e-3), "position": at}
    slide = ww.Translational if flat else ww.Prismatic
    m.add("a", ww.Rotor(inertia=1e-3))
    for name, carrier, axis in (("up", "ground", (0, 1, 0)), ("across", "up", (1, 0, 0))):
        m.add(name, ww.Body(mass=2.0, **body))
        m.add(f"on-{name}", slide(bodies=(carrier, name), point=at, axis=axis[: len(at)]))
        spring = f"-2e5*`on-{name}.displacement` - 50*`on-{name}.speed`"
        m.add(f"holds-{name}", ww.Actuator(joint=f"on-{name}", value=spring))
    m.add("b", ww.Body(mass=1.5, **body))
    m.add("bearing", ww.Revolute(bodies=("across", "b"), point=at, **({} if flat else {"axis": (0, 0, 1)})))
    teeth = ww.CompliantTeeth(stiffness=2e7, damping=100.0, backlash=1e-5)
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module=2e-3, model=teeth))
    m.add("drive", ww.Actuator(joint="a.bearing", value="3 + sin(40*t)"))
    m.add("drag", ww.Friction(joint="bearing", viscous=0.1))
    return m


def hanging_in_the_plane():
    return hanging("planar")


def tilted():
    """An axis that is none of the world's: not written as straight-line code."""
    m = ww.Mechanism("tilted", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=1, axis=(1, 2, 3)))
    m.add("drive", ww.Actuator(joint="a.bearing", value=1))
    return m


def made(model):
    at = assembled(prepare(model, method="rk4"), 0.0)
    engine = at.prepared.engine
    reduction = reduce(engine, 0.0, at.state)
    numbers = tables(reduction, engine)
    return at, reduction, numbers, straight_line(reduction, engine, numbers)


@pytest.mark.parametrize("model", [yaw_drive, drive_line, train, bench, hanging, hanging_in_the_plane])
def test_same_derivative(model):
    at, reduction, numbers, added = made(model())
    assert added["direct"]
    systems = [
        ReducedSystem(at.prepared.engine.system, {**numbers, **more}, reduction.rates) for more in ({}, added)
    ]
    start, _ = (system.start(at.state) for system in systems)
    rng = np.random.default_rng(3)
    slides = [not turns for turns in numbers["turning"]]
    for size in (0.0, 1e-3, 10.0):
        step = size * rng.normal(size=len(start))
        step[: len(slides)][slides] *= 1e-3  # no wheel goes through another
        y = start + step
        general, direct = (system.derivative(0.3, y) for system in systems)
        assert direct == pytest.approx(general, rel=1e-9, abs=1e-10 * np.max(np.abs(general)))


@pytest.mark.parametrize("model", [yaw_drive, train, bench, hanging, hanging_in_the_plane])
@pytest.mark.parametrize(
    "method", [{"method": "dopri5", "rtol": 1e-10, "atol": 1e-12}, {"method": "rk4", "step": 2e-5}]
)
def test_same_motion(model, method):
    """Through contacts that open and close, against absolute coordinates; events are located either way."""
    m = model()
    runs = [m.simulate(end=0.05, output=20, formulation=f, **method) for f in ("absolute", "reduced")]
    assert "straight-line" in runs[1].statistics.formulation
    for signal in runs[0].signals:
        if signal.name.endswith((".w", ".angle", ".transverse", ".torque")):
            exact, found = (r[signal.name].to_numpy() for r in runs)
            assert found == pytest.approx(exact, rel=1e-5, abs=1e-6 * max(1.0, np.abs(exact).max())), signal


def test_new_values_need_no_new_code():
    """A torque, a stiffness, and a state far away: one library."""
    at, reduction, numbers, added = made(yaw_drive())
    engine = at.prepared.engine
    engine.set_numbers(at.prepared.program.numbers({"shaft": 3e5, "torque": 500.0, "backlash": 1e-4}))
    other = straight_line(reduction, engine, numbers)
    assert other["direct"] == added["direct"]
    assert not np.array_equal(other["direct_numbers"], added["direct_numbers"])
    engine.set_numbers(at.prepared.numbers)
    run = yaw_drive().simulate(end=0.1, output=2, formulation="reduced")
    again = reduce(engine, 0.0, run.motion.state[-1])
    assert straight_line(again, engine, tables(again, engine))["direct"] == added["direct"]


def test_where_it_does_not_apply():
    assert made(tilted())[3] == {}
    assert made(ww.load(examples.path("double-pendulum")))[3] == {}


def test_a_force_that_is_not_finite_ends_the_run():
    """With a word on where it came from, which takes the frames that straight-line code does without."""
    m = train()
    m.forces["drag"] = ww.Actuator(joint="w2.bearing", value="-sqrt(5 - w2.w)")
    with pytest.warns(match="not finite.* It came from force"):
        r = m.simulate(end=2, output=10, formulation="reduced")
    assert r.outcome.name == "NOT_FINITE"
    assert r["w2.w"].to_numpy().max() < 5
