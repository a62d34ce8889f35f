"""Both formulations move alike: simulations in minimal and in absolute coordinates of everything that has both.

Errors of the integrations are set to 1e-11 in a step; over the times here, positions then agree to 1e-8 and reactions,
whose sizes are those of the accelerations, to 1e-6 of the largest.
"""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.description import ModelError, flatten
from wheelwork.system.build import build

from .reduced_models import all_models, chain, pair, planetary

MODELS = all_models()
SPANS = {"robot": 0.3, "drive-line": 0.5, "squeezer": 0.02, "falling-cross": 0.5} | {
    "tooth-contact": 0.1, "gear-rattle": 0.02, "planetary-contact": 0.03, "load-sharing": 0.1,
    "robot-pick-and-place": 0.4, "automatic-transmission": 0.3, "cycloid-drive": 0.02, "backlash-pair": 0.3,
}  # fmt: skip
"""s; the squeezer's own is a formula, the others are long or stiff."""
CLOSER = {key: {"rtol": 1e-12, "atol": 1e-13} for key in ("gear-rattle", "controlled-arm", "cvt-bench")}
"""Some outputs of the first are within blows, which rise in 20 us; in the second every sample passes errors on, and in
the third every crossing of the play."""


def both(m, end, **more):
    for formulation in ("absolute", "reduced"):
        settings = {"rtol": 1e-11, "atol": 1e-12, "output": 20, **more}
        r = m.simulate(end=end, formulation=formulation, progress=False, **settings)
        assert r.outcome.good, r.report
        yield r


def assert_same(one, two, positions=1e-8, reactions=1e-6):
    a, b = one.motion, two.motion
    assert a.x == pytest.approx(b.x, abs=positions)
    assert np.max(np.abs(a.R - b.R)) < 10 * positions
    assert a.v == pytest.approx(b.v, abs=100 * positions * max(1.0, np.max(np.abs(a.v))))
    # counted angles, over whole turns
    first = a.program.nq + a.program.nv
    assert a.state[:, first:] == pytest.approx(b.state[:, first:], abs=10 * positions, rel=1e-9)
    unique = [
        row
        for use in a.program.constraints
        if use.name not in one._determinacy.open
        for row in range(use.first_row, use.first_row + use.rows)
    ]
    if unique:
        size = max(1e-6, np.max(np.abs(a.multipliers[:, unique])))
        assert a.multipliers[:, unique] == pytest.approx(b.multipliers[:, unique], abs=reactions * size)


def is_out_of_scope(m):
    """Dry friction, contacts that open and close, and cams need absolute coordinates; everything else must do."""
    program = build(flatten(m))
    return bool(program.frictions or program.contacts or program.follows)


@pytest.mark.slow
@pytest.mark.parametrize("name", examples.names())
def test_examples(name):
    m = ww.load(examples.path(name))
    if is_out_of_scope(m):
        pytest.skip("dry friction, contact or a cam")
    one, two = both(m, SPANS.get(name, 1.0), **CLOSER.get(name, {}))
    assert two.statistics.formulation.startswith("reduced: ")
    assert one.statistics.formulation == "absolute"
    assert_same(one, two)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in MODELS if " on " not in n or n == "loads on wheels"])
def test_models(name):
    one, two = both(MODELS[name], 0.3)
    assert_same(one, two)


@pytest.mark.slow
def test_energy_is_kept():
    m = planetary(3, unbalanced=True)
    r = m.simulate(end=3, output=30, formulation="reduced", rtol=1e-11, atol=1e-12)
    energy = r["energy.total"].to_numpy()
    assert energy == pytest.approx(energy[0], abs=1e-8 * np.ptp(r["energy.kinetic"].to_numpy()))


@pytest.mark.slow
def test_unbalanced_wheel_shakes_its_housing():
    """An unbalanced wheel is a body in the tree: the motion is another one than that of a balanced wheel."""
    balanced, shaking = (
        next(both(pair("external", unbalanced=unbalanced), 0.5)) for unbalanced in (False, True)
    )
    off = np.max(np.abs(balanced["tilt.angle"].to_numpy() - shaking["tilt.angle"].to_numpy()))
    assert off > 1e-3
    assert_same(*both(pair("external", unbalanced=True), 0.5))


def test_gyroscope_precesses():
    """A fast wheel on a level axis, under its weight: precession m g l/(J w), and the spin stays what it is."""
    J, mass, length, w, g = 0.018, 0.7, 0.2, 400.0, 9.81
    rate = mass * g * length / (J * w)
    m = ww.Mechanism("gyroscope", gravity=(0, 0, -g))
    light = {"mass": 1e-6, "inertia": (1e-9, 1e-9, 1e-9)}
    m.add("column", ww.Body(**light, angular_velocity=(0, 0, rate)))
    m.add("arm", ww.Body(**light, angular_velocity=(0, 0, rate)))
    m.add(
        "wheel",
        ww.Body(
            mass=mass,
            inertia=(J, 0.01, 0.01),
            position=(length, 0, 0),
            velocity=(0, rate * length, 0),
            angular_velocity=(w, 0, rate),
        ),
    )
    m.add("turn", ww.Revolute(bodies=("ground", "column"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("nod", ww.Revolute(bodies=("column", "arm"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("spin", ww.Revolute(bodies=("arm", "wheel"), point=(length, 0, 0), axis=(1, 0, 0)))
    r = m.simulate(end=5, output=50, formulation="reduced", rtol=1e-11, atol=1e-12)
    assert len(m.reduced().reduction.tree.spins()) == 1
    # level precession is an exact solution: only J w feels the turning of the column, at a right angle
    assert r["turn.angle"].to_numpy() == pytest.approx(rate * r.t, rel=1e-6)
    assert r["nod.angle"].to_numpy() == pytest.approx(0, abs=1e-6)
    assert r["spin.w"].to_numpy() == pytest.approx(w, rel=1e-9)


def renamed(m, names):
    """The same mechanism under other names, its parts in another order."""
    out = ww.Mechanism(m.name, gravity=m.gravity)

    def new(name):
        return names.get(name, name)

    for collection in ("bodies", "joints", "meshes"):
        parts = list(getattr(m, collection).items())[::-1]
        for name, part in parts:
            change = {"bodies": tuple(map(new, part.bodies))} if collection != "bodies" else {}
            out.add(new(name), part.model_copy(update=change))
    return out


@pytest.mark.slow
def test_names_and_order_do_not_matter():
    m = planetary(3, unbalanced=True)
    parts = [*m.bodies, *m.joints, *m.meshes]
    rng = np.random.default_rng(8)
    names = dict(zip(parts, (f"part-{k}" for k in rng.permutation(len(parts))), strict=True))
    other = renamed(m, names)
    one, two = (
        x.simulate(end=0.5, output=10, formulation="reduced", rtol=1e-11, atol=1e-12) for x in (m, other)
    )
    for body in m.bodies:
        position = one[f"{body}.position"].to_numpy()
        assert two[f"{names[body]}.position"].to_numpy() == pytest.approx(position, abs=1e-8)
    for joint in m.joints:
        assert two[f"{names[joint]}.angle"].to_numpy() == pytest.approx(one[f"{joint}.angle"], abs=1e-7)


@pytest.mark.slow
def test_components_inside_components():
    """A stage of gears, used twice inside a machine that is itself a component."""
    stage = ww.Mechanism("stage", parameters={"teeth": 20})
    stage.add("pinion", ww.Body(mass=0.3, inertia=(1e-4, 1e-4, 2e-4)))
    stage.add("wheel", ww.Body(mass=0.7, inertia=(1e-3, 1e-3, 2e-3), position=("(teeth + 40)*1e-3", 0, 0)))
    stage.add("jp", ww.Revolute(bodies=("ground", "pinion"), point=(0, 0, 0), axis=(0, 0, 1)))
    stage.add(
        "jw", ww.Revolute(bodies=("ground", "wheel"), point=("(teeth + 40)*1e-3", 0, 0), axis=(0, 0, 1))
    )
    stage.add("mesh", ww.ExternalMesh(bodies=("pinion", "wheel"), teeth=("teeth", 40), module=2e-3))
    box = ww.Mechanism("box")
    box.add("first", ww.Component(model=stage))
    box.add("second", ww.Component(model=stage, parameters={"teeth": 16}, position=(0.06, 0, 0.1)))
    m = ww.Mechanism("machine", gravity=(0, 0, 0))
    m.add("box", ww.Component(model=box))
    m.add("shaft", ww.Fixed(bodies=("box.first.wheel", "box.second.pinion")))
    m.add("motor", ww.Actuator(joint="box.first.jp", value="1 - 0.01*`box.first.jp.w`"))
    m.add("brake", ww.Friction(joint="box.second.jw", viscous=0.2))
    r = m.reduced()
    assert r.names == ("box.second.jw.angle",)
    assert r.row("box.first.jp") == pytest.approx(40 / 20 * 40 / 16, rel=1e-12)
    assert_same(*both(m, 0.5))


@pytest.mark.slow
def test_what_is_refused_says_why():
    for name, reason in (
        ("bouncing-ball", "contact `ground-contact` closes and opens"),
        ("worm-lift", "dry friction `thread.friction` may stick"),
        ("cam-follower", "follows a curve"),
    ):
        m = ww.load(examples.path(name))
        with pytest.raises(ModelError, match=reason):
            m.reduced()
    m = ww.load(examples.path("four-bar"))
    with pytest.raises(ModelError, match="closes a loop that is not a gear"):
        m.reduced()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "end", "signals"),
    [
        ("double-pendulum", 0.5, ("lower.position", "upper.w")),
        ("drive-line", 0.05, ("motor.w",)),
        ("four-bar", 0.3, ("coupler.position",)),
        ("yaw-drive", 0.02, ("pinion1.w",)),
        ("geared-satellite", 0.5, ("energy.kinetic",)),
    ],
)
def test_implicit_method(name, end, signals):
    """`sdirk4` in minimal coordinates, with a full Jacobian from differences, against `dopri5` in absolute ones."""
    m = ww.load(examples.path(name))
    exact = m.simulate(end=end, output=10, formulation="absolute", method="dopri5", rtol=1e-11, atol=1e-13)
    found = m.simulate(end=end, output=10, formulation="reduced", method="sdirk4", rtol=1e-9, atol=1e-11)
    assert found.statistics.formulation.startswith("reduced")
    assert found.statistics.newton_iterations > found.statistics.steps
    for signal in signals:
        a, b = exact[signal].to_numpy(), found[signal].to_numpy()
        assert b == pytest.approx(a, abs=1e-6 * max(1.0, np.abs(a).max()))


def test_implicit_method_takes_long_steps_where_it_is_stiff():
    """A damper that settles in microseconds: explicit steps would follow it to the end."""
    m = ww.Mechanism("stiff", kind="planar", gravity=(0, 0))
    for name in ("a", "b"):
        m.add(name, ww.Rotor(inertia=1e-3, position=(0, 0)))
    m.add("damper", ww.TorsionalSpring(bodies=("a", "b"), stiffness=1.0, damping=1e3))
    m.add("drive", ww.Actuator(joint="a.bearing", value="sin(10*t)"))
    r = m.simulate(end=1, output=10, formulation="reduced", method="sdirk4", rtol=1e-7)
    assert r.statistics.steps < 1000  # the damper's rate is 2e6 per second
    t = np.asarray(r.t)
    both = (1 - np.cos(10 * t)) / 10 / 2e-3  # as one rotor; of the torque, b gets its half through the damper
    assert r["b.w"].to_numpy() == pytest.approx(both - np.sin(10 * t) / 2 / 1e3 / 2, abs=2e-5)


@pytest.mark.slow
def test_long_chain():
    """As many coordinates as one likes, in an open tree; with ratios the mass matrix is full, and there is a limit."""
    long = chain(("revolute",) * 70, (False,) * 70)
    one, two = both(long, 0.02, output=2)
    assert_same(one, two)
    assert long.simulate(end=0.001, output=1).statistics.formulation.startswith("reduced: 70 coordinates")


def test_locked():
    m = ww.Mechanism("locked")
    m.add("s", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("a", ww.Revolute(bodies=("ground", "s"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("b", ww.Revolute(bodies=("ground", "s"), point=(1, 0, 0), axis=(0, 0, 1)))
    with pytest.raises(ModelError, match="nothing in it can move"):
        m.reduced()
    assert m.simulate(end=0.1, output=1).outcome.good


@pytest.mark.slow
def test_unbalanced_planets_with_friction_by_load_are_right_to_the_tolerance():
    """Their rows are redundant, and such friction needs all reactions: absolute coordinates were off by 4e-4 rad."""
    m = ww.Mechanism("three unbalanced planets")
    m.add("sun", ww.Body(mass=2, inertia=(2e-3, 2e-3, 3e-3)))
    m.add("carrier", ww.Body(mass=5, inertia=(0.02, 0.02, 0.04)))
    for name in ("sun", "carrier"):
        m.add(f"{name}-bearing", ww.Revolute(bodies=("ground", name), point=(0, 0, 0), axis=(0, 0, 1)))
    for k in range(3):
        name, centre = f"planet{k}", (0.08 * np.cos(2 * np.pi * k / 3), 0.08 * np.sin(2 * np.pi * k / 3), 0)
        body = ww.Body(mass=1, inertia=(1e-3, 1e-3, 1.5e-3), position=centre, center_of_mass=(2e-3, 0, 0))
        m.add(name, body)
        m.add(f"pin{k}", ww.Revolute(bodies=("carrier", name), point=centre, axis=(0, 0, 1)))
        m.add(f"inner{k}", ww.ExternalMesh(bodies=("sun", name), teeth=(20, 20), module=0.004))
        m.add(f"outer{k}", ww.InternalMesh(bodies=(name, "ground"), teeth=(20, 60), module=0.004))
        m.add(f"rub{k}", ww.Friction(joint=f"pin{k}", coefficient=0.05, radius=0.01))
    m.add("drive", ww.Actuator(joint="sun-bearing", value=20))
    m.add("load", ww.Friction(joint="carrier-bearing", viscous=2))
    r = m.simulate(end=0.2, output=50)
    tight = m.simulate(end=0.2, output=50, formulation="reduced", rtol=1e-11, atol=1e-13)
    assert r["carrier-bearing.angle"].values == pytest.approx(tight["carrier-bearing.angle"].values, abs=1e-7)
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-7 * balance.scale
