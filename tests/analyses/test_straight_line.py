"""The right-hand side as one function in machine code: the same derivative and events as the general equations."""

import importlib
import math
import time

import casadi as ca
import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.analyses.reduction import reduce
from wheelwork.analyses.reduction.angles import Angles
from wheelwork.analyses.reduction.local_frames import local_tree
from wheelwork.analyses.reduction.reduce import tables
from wheelwork.analyses.reduction.straight_line import straight_line
from wheelwork.analyses.reduction.tree_equations import TreeEquations
from wheelwork.analyses.reduction.vectors import Factor
from wheelwork.engine.graph import Graph
from wheelwork.engine.reduced import ReducedSystem
from wheelwork.system.attitude import rotation_matrices

from .reduced_models import all_models, chain

of_straight_line = importlib.import_module("wheelwork.analyses.reduction.straight_line")
MODELS = all_models()
LOOPS = (
    "bricard", "delta-robot", "four-bar", "n-four-bar", "planar-slider-crank", "quick-return", "squeezer", "steering",
)  # fmt: skip


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


def pushed_apart(kind="spatial"):
    """The same with rigid teeth: their force moves the wheel."""
    m = hanging(kind)
    m.meshes["mesh"] = ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module=2e-3)
    return m


def pushed_apart_in_the_plane():
    return pushed_apart("planar")


def tilted():
    """An axis that is none of the world's."""
    m = ww.Mechanism("tilted", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=1, axis=(1, 2, 3)))
    m.add("drive", ww.Actuator(joint="a.bearing", value=1))
    return m


def made(model, **options):
    at = assembled(prepare(model, method="rk4"), 0.0)
    engine = at.prepared.engine
    reduction = reduce(engine, 0.0, at.state, constrained=options.get("cut_loops", False), **options)
    numbers = tables(reduction, engine)
    return at, reduction, numbers, straight_line(reduction, engine, numbers)


def states(at, reduction, numbers, system):
    """The start, and states near and far from it; loops stay closed."""
    start = system.start(at.state)
    rng, balls = np.random.default_rng(3), reduction.tree.balls
    slides = [not turns for turns in numbers["turning"]]
    for size in (0.0, 1e-3, 10.0):
        step = size * rng.normal(size=len(start))
        step[: len(slides)][slides] *= 1e-3  # no wheel goes through another
        if reduction.cuts:
            step[: len(start) - len(reduction.rates)] = 0.0
        y = start + step
        for b in range(balls):
            e = slice(reduction.scalars + 4 * b, reduction.scalars + 4 * b + 4)
            y[e] /= np.linalg.norm(y[e])
        yield y


def both(at, reduction, numbers, added):
    """The general equations and the code."""
    engine = at.prepared.engine
    systems = [ReducedSystem(engine.system, {**numbers, **more}, reduction.rates) for more in ({}, added)]
    for system in systems:
        system.start(at.state)
    return systems


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        *(yaw_drive, drive_line, train, bench, hanging, hanging_in_the_plane, tilted),
        *(pushed_apart, pushed_apart_in_the_plane, *MODELS, *LOOPS),
    ],
    ids=lambda model: model if isinstance(model, str) else model.__name__,
)
def test_same_derivative(model):
    """Every joint and mesh, either way round; wheels that spin in moving carriers; slides; balls; loops."""
    if isinstance(model, str):
        m = MODELS[model] if model in MODELS else ww.load(examples.path(model))
    else:
        m = model()
    at, reduction, numbers, added = made(m, cut_loops=True)
    assert added["direct"]
    general, direct = both(at, reduction, numbers, added)
    for y in states(at, reduction, numbers, general):
        exact, found = general.derivative(0.3, y), direct.derivative(0.3, y)
        assert found == pytest.approx(exact, rel=1e-9, abs=1e-10 * np.max(np.abs(exact)))


@pytest.mark.slow
@pytest.mark.parametrize("name", examples.names())
def test_every_example_has_code(name):
    """But for those whose friction goes with reactions; in minimal coordinates, which all of them have."""
    *_, added = made(ww.load(examples.path(name)), cut_loops=True)
    assert bool(added) is (name not in ("converter-drive", "stick-slip", "worm-lift"))


def floats(tree):
    """The numbers of a tree as floats."""
    return {name: np.asarray(values).tolist() for name, values in tree.numbers.items()}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_random_trees_by_floats_by_casadi_and_by_machine_code(seed):
    """The same equations with three types of number; articulated bodies beside the mass matrix."""
    rng = np.random.default_rng(seed)
    types = ("revolute", "prismatic", "universal", "cylindrical", "planar", "spherical")
    chosen = tuple(rng.choice(types, 5))
    m = chain(chosen, tuple(rng.random(5) < 0.5), seed=seed)
    m.gravity = (0.0, 3.0, -9.81)
    at, reduction, numbers, added = made(m)
    general, direct = both(at, reduction, numbers, added)
    tree = local_tree(reduction, at.prepared.engine)
    *_, y = states(at, reduction, numbers, general)
    first = tree.scalars + 4 * reduction.tree.balls
    u, e, rates = y[: tree.scalars], y[tree.scalars : first], y[first : first + tree.n]
    wanted = general.derivative(0.0, y)[first : first + tree.n]
    close = pytest.approx(wanted, rel=1e-9, abs=1e-10 * np.max(np.abs(wanted)))
    assert direct.derivative(0.0, y)[first : first + tree.n] == close

    def equations(u, e, rates, sincos):
        return TreeEquations(tree, floats(tree), u, e, rates, sincos)

    by_floats = equations(
        u.tolist(), e.reshape(-1, 4).tolist(), rates.tolist(), lambda x: (math.sin(x), math.cos(x))
    )
    by_row = by_floats.articulated({})
    assert np.array([by_row[row] for row in reduction.independent]) == close
    M, f = by_floats.composite({})
    assert np.array(Factor(M).solve(f)) == close
    symbols = [ca.SX.sym("x", size) for size in (len(u), len(e), len(rates))]
    split = [ca.vertsplit(x) if x.numel() else [] for x in symbols]
    turns = [split[1][4 * b : 4 * b + 4] for b in range(len(e) // 4)]
    by_casadi = equations(split[0], turns, split[2], lambda x: (ca.sin(x), ca.cos(x)))
    by_row = by_casadi.articulated({})
    function = ca.Function("f", symbols, [ca.vertcat(*(by_row[row] for row in reduction.independent))])
    assert np.array(function(u, e, rates)).ravel() == close


@pytest.mark.slow
def test_bodies_are_where_the_tree_puts_them():
    """Poses and velocities of the equations against those of the tree in NumPy."""
    at, reduction, _, _ = made(chain(("universal", "spherical", "planar"), (False, True, False)))
    tree = local_tree(reduction, at.prepared.engine)
    rng = np.random.default_rng(5)
    u, e, rates = rng.normal(size=tree.scalars), rng.normal(size=4), rng.normal(size=tree.n)
    of = TreeEquations(
        tree, floats(tree), u.tolist(), [e.tolist()], rates.tolist(), lambda x: (math.sin(x), math.cos(x))
    )
    ball = next(i for i, node in enumerate(reduction.tree.nodes) if node.ball >= 0)
    B = reduction.B
    x, R, J = reduction.tree.place(B[:, : tree.scalars] @ u, {ball: rotation_matrices(e / np.linalg.norm(e))})
    for k in range(len(x)):
        place, axes, v, w = of.body(k)
        assert np.array(place) == pytest.approx(x[k], abs=1e-12)
        assert np.array(axes) == pytest.approx(R[k], abs=1e-12)
        assert np.array([*v, *w]) == pytest.approx(J[k] @ B @ rates, abs=1e-12)
        linear, angular, reach = of.jacobian(k, lambda a: math.sqrt(sum(x * x for x in a)))
        assert pytest.approx(J[k] @ B, abs=1e-12) == np.hstack([linear, angular]).T
        assert np.all(np.linalg.norm(linear, axis=1) <= np.array(reach)[:, 0] + 1e-12)


def test_numbers_that_write_programs():
    """What is known vanishes, what is done twice is done once, and what nothing needs is left out."""
    graph = Graph()
    x, y, p = graph.input(0, 0), graph.input(0, 1), graph.input(1, 0, given=True)
    assert [x * 0.0, x - x] == [0.0, 0.0]
    assert [(x + 0.0).index, (1.0 * x).index, (0.0 - (-x)).index] == [x.index] * 3
    assert (x * y).index == (y * x).index
    assert graph.apply(ca.OP_SQRT, x * x).index == graph.apply(ca.OP_FABS, x).index
    assert graph.operations[graph.apply(ca.OP_SQRT, x * y).index] == ca.OP_SQRT
    x / (y + 3.0)  # nobody takes it
    before, after = graph.programs("f", [[x * (2.0 * p) + (-y), x / (p * p)], [5.0]], 1)
    assert [ca.OP_DIV in program.operations for program in (before, after)] == [True, False]
    assert [after.operations.count(op) for op in (ca.OP_MUL, ca.OP_NEG, ca.OP_ADD)] == [2, 0, 0]
    assert sorted(set(after.places.values())) == [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "model", [yaw_drive, train, bench, hanging, hanging_in_the_plane, pushed_apart, pushed_apart_in_the_plane]
)
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


@pytest.mark.slow
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


def test_where_it_does_not_apply(monkeypatch):
    """Code that would be too long; and friction that depends on reactions."""
    assert made(ww.load(examples.path("stick-slip")), cut_loops=True)[3] == {}
    monkeypatch.setattr(of_straight_line, "LONGEST", 10)
    assert made(train())[3] == {}


def test_code_that_says_something_else_is_not_used(monkeypatch):
    """As a look at three states finds."""
    composite = TreeEquations.composite

    def wrong(self, spin_forces):
        M, f = composite(self, spin_forces)
        return M, [1.001 * x for x in f]

    monkeypatch.setattr(of_straight_line, "_reader", lambda: "another")
    monkeypatch.setattr(TreeEquations, "composite", wrong)
    assert made(drive_line())[3] == {}


def test_long_code_is_made_beside_the_run_for_the_next_one(monkeypatch):
    """`auto` does not wait for it; both runs say the same."""
    monkeypatch.setattr(importlib.import_module("wheelwork.analyses.planned"), "SHORT", 0)
    monkeypatch.setattr(of_straight_line, "_reader", lambda: f"{time.time()}")  # in no cache
    m = train()
    general = m.simulate(end=0.05, output=10)
    assert general.statistics.formulation.startswith("reduced")
    assert "straight-line" not in general.statistics.formulation
    *_, code = prepare(m).program.once("straight-line code", dict).values()  # other tests run such trains too
    code.best()
    straight = m.simulate(end=0.05, output=10)
    assert "straight-line" in straight.statistics.formulation
    for name in ("motor.w", "w2.w"):
        assert straight[name].to_numpy() == pytest.approx(general[name].to_numpy(), rel=1e-9)


def test_angles_of_which_there_are_none():
    """Wheels on springs in a housing that flies: their line of centres is any, and atan2 stays atan2."""
    graph = Graph()
    x, y = graph.input(1, 0), graph.input(1, 1)
    sine, cosine = graph.apply(ca.OP_SIN, x), graph.apply(ca.OP_COS, x)
    angles = Angles(graph, np.array([2.0]))
    p = graph.input(3, 0, given=True)
    turned = angles.atan2(p * sine, p * cosine)
    assert graph.operations[turned.index] == ca.OP_ADD  # x + atan2(0, p)
    for odd in (angles.atan2(sine / (1.0 - cosine), 1.0), angles.atan2(p * sine, p * cosine + y)):
        assert graph.operations[odd.index] == ca.OP_ATAN2


def test_a_formula_keeps_the_turns_of_its_atan2():
    """What a formula says is taken at its word: its angle jumps at half a turn."""
    m = ww.Mechanism("wheel", gravity=(0, 0, 0))
    m.add(
        "arm",
        ww.Body(
            mass=1,
            inertia=(1, 1, 1),
            position=(0.3, 0.1, 0),
            velocity=(-0.8, 2.4, 0),
            angular_velocity=(0, 0, 8),
        ),
    )
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("push", ww.Actuator(joint="hinge", value="-0.5*atan2(arm.position.y, arm.position.x)"))
    runs = [m.simulate(end=1.0, output=50, formulation=f) for f in ("absolute", "reduced")]
    absolute, reduced = (r["hinge.w"].to_numpy() for r in runs)
    assert "straight-line" in runs[1].statistics.formulation
    assert np.ptp(absolute) > 0.1
    assert reduced == pytest.approx(
        absolute, abs=1e-4
    )  # steps over a jump; without it the speed would be 0.3 less


def test_a_force_that_is_not_finite_ends_the_run():
    """With a word on where it came from, which takes the frames that straight-line code does without."""
    m = train()
    m.forces["drag"] = ww.Actuator(joint="w2.bearing", value="-sqrt(5 - w2.w)")
    with pytest.warns(match="not finite.* It came from force"):
        r = m.simulate(end=2, output=10, formulation="reduced")
    assert r.outcome.name == "NOT_FINITE"
    assert r["w2.w"].to_numpy().max() < 5
