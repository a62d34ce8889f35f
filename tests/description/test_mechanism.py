"""The class users work with."""

import sys
import types

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.description import Component, Description, flatten


def pendulum():
    m = ww.Mechanism("pendulum", parameters={"length": "0.5 m", "twice": "2*length"})
    m.add("bob", ww.Body(mass="1 kg", inertia=(0.01, 0.01, 0.01), position=("length", 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    return m


def test_add_puts_elements_where_they_belong():
    m = pendulum()
    load = m.add("load", ww.Force(body="bob", value=(0, 0, "10*sin(t)")))
    m.add("turn", ww.JointDriver(joint="hinge", value="t"))
    m.add("tip", ww.Frame(body="bob"))
    m.add("more", ww.Component(model=pendulum()))
    assert m.forces["load"] is load
    collections = (m.bodies, m.joints, m.forces, m.drivers, m.frames, m.components)
    assert [list(c) for c in collections] == [["bob"], ["hinge"], ["load"], ["turn"], ["tip"], ["more"]]


@pytest.mark.parametrize(
    ("name", "element", "message"),
    [
        ("bob", ww.Frame(body="bob"), "frames.bob: the name `bob` is taken by bodies.bob"),
        ("length", ww.Frame(body="bob"), "frames.length: the name `length` is taken by parameters.length"),
        ("t", ww.Frame(body="bob"), "frames.t: `t` has a meaning of its own and cannot be a name"),
        ("1x", ww.Frame(body="bob"), "frames.1x: `1x` is not a name"),
        (
            "x",
            ww.Pose(),
            "x: needs a body, joint, mesh, force, driver, state, block, component or frame, but is `Pose`",
        ),
        (
            "x",
            ww.Body,
            "x: needs a body, joint, mesh, force, driver, state, block, component or frame, but is `Body`",
        ),
    ],
)
def test_add_refuses(name, element, message):
    with pytest.raises(ww.ModelError) as caught:
        pendulum().add(name, element)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ww.Body(mas=1), "Body.mas: there is no key `mas` here (did you mean `mass`?)"),
        (lambda: ww.Body(mass=-1, inertia=(1, 1, 1)), "Body.mass: must be greater than zero, but is -1 kg"),
        (lambda: ww.Spherical(bodies=("a", "a"), point=(0, 0, 0)), "Spherical.bodies: connects `a` to itself"),
        (lambda: ww.Mechanism("x", bodies={"b": {"type": "rotr"}}), "Mechanism.bodies.b.type: there is no type `rotr`"),
    ],
)  # fmt: skip
def test_mistakes_in_python_raise_at_once(make, message):
    with pytest.raises(ww.ModelError) as caught:
        make()
    assert message in str(caught.value)


def test_numpy_arrays_and_numbers_are_taken():
    body = ww.Body(
        mass=np.float64(2),
        inertia=np.eye(3),
        position=np.array([1.0, 2.0, 3.0]),
        velocity=[np.int64(1), 0, 0],
    )
    assert body == ww.Body(
        mass=2, inertia=((1, 0, 0), (0, 1, 0), (0, 0, 1)), position=(1, 2, 3), velocity=(1, 0, 0)
    )
    body.position = np.zeros(3)
    assert body.position == (0, 0, 0)
    body.orientation = {"euler_parameters": np.array([1.0, 0, 0, 0])}
    assert body.orientation.euler_parameters == (1, 0, 0, 0)


def test_signals_are_taken():
    """What one model found is where another begins: whole signals, their components, and inside other fields."""
    at = pendulum().assemble()
    bob = ww.Body(mass=1, inertia=(1, 1, 1), position=at["bob.position"])
    assert bob.position == tuple(at["bob.position"].values)
    bob.position = tuple(2 * at["bob.position"])
    assert bob.position == tuple(2 * at["bob.position"].values)
    bob.orientation = {"euler_parameters": at["bob.orientation"]}
    assert bob.orientation.euler_parameters == tuple(at["bob.orientation"].values)
    with pytest.raises(ww.ModelError, match=r"Body\.position: .*Dataset"):
        bob.position = at["bob.position"].to_dataset()


def test_fields_go_by_name():
    with pytest.raises(TypeError, match="Body takes its fields by name: comment, type, mass"):
        ww.Body(3)
    assert ww.Mechanism("a").name == "a"


def test_a_refused_assignment_changes_nothing():
    body = pendulum().bodies["bob"]
    with pytest.raises(ww.ModelError, match=r"Body\.mass: must be greater than zero, but is -1 kg"):
        body.mass = -1
    with pytest.raises(ww.ModelError, match="needs a mass"):
        body.mass = "3 m"
    assert body.mass == 1
    body.mass = "2 kg"
    assert body.mass == 2


def test_with_parameters_makes_a_copy():
    m = pendulum()
    other = m.with_parameters(length="80cm")
    assert type(other) is ww.Mechanism
    assert m.parameters["length"] == 0.5
    assert flatten(other).resolve_parameters() == {"length": 0.8, "twice": 1.6}
    assert m.with_parameters({"twice": 7}, length=1).parameters == {"length": 1.0, "twice": 7.0}


def test_with_parameters_of_components(tmp_path):
    pendulum().save(tmp_path / "pendulum.yaml")
    (tmp_path / "pair.yaml").write_text(
        "components:\n  a: {file: pendulum.yaml}\n  b: {file: pendulum.yaml}\n"
    )
    (tmp_path / "top.yaml").write_text("components:\n  x: {file: pair.yaml}\n  y: {file: pair.yaml}\n")
    top = ww.load(tmp_path / "top.yaml")
    changed = top.with_parameters({"x.a.length": "2 m", "y.b.length": 3})
    lengths = {n: v for n, v in flatten(changed).resolve_parameters().items() if n.endswith("length")}
    assert lengths == {"x.a.length": 2, "x.b.length": 0.5, "y.a.length": 0.5, "y.b.length": 3}
    assert set(flatten(top).resolve_parameters().values()) == {0.5, 1.0}
    pair = ww.load(tmp_path / "pair.yaml").with_parameters({"b.length": 4})
    assert flatten(pair).resolve_parameters()["b.twice"] == 8
    (tmp_path / "elsewhere").mkdir()
    changed.save(tmp_path / "elsewhere" / "changed.yaml")
    again = ww.load(tmp_path / "elsewhere" / "changed.yaml")
    assert flatten(again).resolve_parameters() == flatten(changed).resolve_parameters()


def test_with_parameters_leaves_components_of_the_same_kind_alone():
    pair = Description("pair", components={"a": Component(model=pendulum())})
    top = ww.Mechanism("top", components={"x": Component(model=pair), "y": Component(model=pair)})
    numbers = flatten(top.with_parameters({"x.a.length": 2})).resolve_parameters()
    assert (numbers["x.a.length"], numbers["y.a.length"]) == (2, 0.5)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"lenght": 1}, "parameters.lenght: there is no parameter `lenght` (did you mean `length`?)"),
        ({"length": "3 kg"}, "parameters.length: needs a length (in m), but `3 kg` is a mass"),
        ({"length": "2*x"}, "parameters.length: there is no parameter `x` (in `2*x`)"),
        ({"length": "__import__('os')"}, "there is no function `__import__`"),
        (
            {"length": [1]},
            "parameters.length: needs a number, a quantity such as `50 um` or a formula, but is a list",
        ),
    ],
)
def test_with_parameters_refuses(values, message):
    with pytest.raises(ww.ModelError) as caught:
        pendulum().with_parameters(values)
    assert message in str(caught.value)


def test_unknown_parameters_are_all_reported():
    with pytest.raises(ww.ModelError) as caught:
        pendulum().with_parameters(a=1, b=2)
    assert [problem.path for problem in caught.value.problems] == ["parameters.a", "parameters.b"]


def test_load_save(tmp_path):
    m = pendulum()
    m.save(tmp_path / "p.yaml")
    again = ww.load(tmp_path / "p.yaml")
    assert isinstance(again, ww.Mechanism)
    assert again == m
    assert ww.loads(m.to_yaml()) == m
    assert again.where(("bodies", "bob", "mass")) == f"{tmp_path / 'p.yaml'}:8:11"
    assert again.source_text == m.to_yaml()


def test_a_mechanism_may_be_a_component():
    top = Description("top", components={"p": Component(model=pendulum())})
    assert list(flatten(top).joints) == ["p.hinge"]
    assert type(top.components["p"].model) is ww.Mechanism


@pytest.mark.parametrize(
    ("name", "arguments", "passed"),
    [
        ("check", {}, {"parameters": None}),
        ("assemble", {"far": True}, {"far": True, "time": 0.0, "parameters": None}),
        ("simulate", {"end": "1 s", "rtol": 1e-9}, {"end": "1 s", "rtol": 1e-9}),
        ("kinematics", {}, {"end": None}),
        ("inverse", {"end": 2}, {"end": 2}),
        ("equilibrium", {}, {}),
        (
            "linearise",
            {"frame": "world"},
            {"at": "assembled", "time": 0.0, "at_phase": None, "frame": "world", "parameters": None},
        ),
        ("run", {}, {}),
    ],
)
def test_analyses_are_handed_on(monkeypatch, name, arguments, passed):
    calls = []
    fake = types.ModuleType("wheelwork.analyses")
    setattr(fake, name, lambda mechanism, **options: calls.append((mechanism, options)) or "result")
    monkeypatch.setitem(sys.modules, "wheelwork.analyses", fake)
    m = pendulum()
    assert getattr(m, name)(**arguments) == "result"
    assert calls == [(m, passed)]
