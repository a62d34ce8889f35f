# ruff: noqa: E501  (messages stand whole, so that they can be searched for)
"""Mechanisms inside mechanisms: names, parameters, places, files and their errors."""

import pytest

from wheelwork.description import (
    Bearing,
    Body,
    Component,
    Description,
    Fixed,
    Formula,
    Frame,
    ModelError,
    Orientation,
    Pose,
    Revolute,
    Rotor,
    Spherical,
    flatten,
    load,
    loads,
    validate,
)

STAGE = """\
name: stage
parameters:
  ratio: 3
  r: 20 mm
  double: 2*r
bodies:
  planet:
    mass: 1 kg
    inertia: [1, 1, 1]
    position: [double, 0, 0]
  wheel: {type: rotor, inertia: 0.1, speed: 10*ratio}
joints:
  pin: {type: revolute, bodies: [ground, planet], point: [r, 0, 0], axis: [0, 0, 1]}
  socket: {type: spherical, bodies: [ground, planet], frame_a: {position: [r, 0, 0]}, frame_b: {}}
forces:
  load: {type: torque, body: planet, value: [0, 0, -ratio*planet.w*t]}
frames:
  flange: {body: planet, position: [0, 0, r]}
  foot: {body: ground, position: [0, r, 0]}
"""


def write(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder


def errors_of(path):
    with pytest.raises(ModelError) as caught:
        load(path)
    return [str(problem) for problem in caught.value.problems]


def test_names_parameters_and_formulas_are_global(tmp_path):
    write(
        tmp_path,
        stage=STAGE,
        gearbox="""\
parameters: {size: 2, big: size*10 mm}
""".replace("size*10 mm", "size*0.01")
        + """\
components:
  one: {file: stage.yaml}
  two: {file: stage.yaml, parameters: {r: big, ratio: 5}}
forces:
  f: {type: torque, body: two.planet, value: [one.planet.w, two.ratio, 0]}
""",
    )
    flat = flatten(load(tmp_path / "gearbox.yaml"))
    assert list(flat.bodies) == ["one.planet", "one.wheel", "two.planet", "two.wheel"]
    assert set(flat.joints) == {
        f"{s}.{j}" for s in ("one", "two") for j in ("pin", "socket", "wheel.bearing")
    }
    assert flat.bodies["two.planet"].element.position == (Formula("two.double"), 0, 0)
    assert flat.forces["two.load"].element.value[2] == Formula("-two.ratio*two.planet.w*t")
    assert flat.forces["two.load"].element.body == "two.planet"
    assert flat.forces["f"].element.value[:2] == (Formula("one.planet.w"), Formula("two.ratio"))
    assert flat.joints["one.pin"].element.bodies == ("ground", "one.planet")
    assert flat.resolve_parameters() == {
        "size": 2, "big": 0.02, "one.ratio": 3, "one.r": 0.02, "one.double": 0.04,
        "two.ratio": 5, "two.r": 0.02, "two.double": 0.04,
    }  # fmt: skip
    assert flat.resolve_parameters({"size": 3, "one.r": "5 mm"})["two.double"] == pytest.approx(0.06)
    assert flat.resolve_parameters({"one.r": "5 mm"})["one.double"] == pytest.approx(0.01)
    assert flat.parameter_units == {"one.r": "m", "two.r": "m"}


def test_where_points_into_the_right_file(tmp_path):
    write(tmp_path, stage=STAGE, top="components:\n  one: {file: stage.yaml}\n")
    flat = flatten(load(tmp_path / "top.yaml"))
    assert flat.bodies["one.planet"].where == f"{tmp_path / 'stage.yaml'}:7:3"
    assert flat.joints["one.wheel.bearing"].where == f"{tmp_path / 'stage.yaml'}:11:3"
    problem = flat.joints["one.pin"].problem("misfit", inside=("axis",))
    assert str(problem) == f"{tmp_path / 'stage.yaml'}:13:75: joints.pin.axis: misfit"


def test_placement_is_outer_to_inner():
    innermost = Description("c", bodies={"b": Body(mass=1, inertia=(1, 1, 1))})
    middle = Description(
        "b", parameters={"h": 4}, components={"c": Component(model=innermost, position=(0, 0, "h"))}
    )
    turned = Orientation(euler_zxz=("90 deg", 0, 0))
    outer = Description(
        "a", components={"b": Component(model=middle, position=(1, 0, 0), orientation=turned)}
    )
    placed = flatten(outer).bodies["b.c.b"]
    assert placed.placement == (
        Pose(position=(1, 0, 0), orientation=turned),
        Pose(position=(0, 0, Formula("b.h"))),
    )


def test_a_component_that_is_not_moved_adds_no_pose():
    inner = Description("c", bodies={"b": Body(mass=1, inertia=(1, 1, 1))})
    assert flatten(Description("a", components={"c": Component(model=inner)})).bodies["c.b"].placement == ()


def test_ground_of_a_component_may_be_a_body():
    stage = loads(STAGE)
    top = Description("top", bodies={"frame": Body(mass=1, inertia=(1, 1, 1))})
    top.add("stage", Component(model=stage, ground="frame", position=(0, 0, 1)))
    flat = flatten(top)
    place = (Pose(position=(0, 0, 1)),)
    pin, socket, bearing = (flat.joints[f"stage.{name}"] for name in ("pin", "socket", "wheel.bearing"))
    assert pin.element.bodies == ("frame", "stage.planet")
    assert pin.in_world == {}  # placed in the world: nothing is relative to ground
    assert socket.element.bodies == ("frame", "stage.planet")
    assert socket.in_world == {"a": place}
    assert bearing.element.bodies == ("frame", "stage.wheel")
    assert bearing.in_world == {"a": place}
    assert flat.rotors == {"stage.wheel": "stage.wheel.bearing"}


def test_attachment_frames_stand_for_joint_frames():
    top = Description("top", bodies={"tool": Body(mass=1, inertia=(1, 1, 1))})
    top.add("arm", Component(model=loads(STAGE), position=(0, 0, 1)))
    top.add("grip", Frame(body="tool", position=(0, 0, "1 mm")))
    top.add("weld", Fixed(bodies=("arm.flange", "grip")))
    top.add("ball", Spherical(bodies=("arm.foot", "grip")))
    top.add("hinge", Revolute(bodies=("arm.planet", "tool"), point=(0, 0, 0), axis=(0, 0, 1)))
    flat = flatten(top)
    weld = flat.joints["weld"].element
    assert weld.bodies == ("arm.planet", "tool")
    assert weld.frame_a == Pose(position=(0, 0, Formula("arm.r")))
    assert weld.frame_b == Pose(position=(0, 0, 0.001))
    ball = flat.joints["ball"]
    assert ball.element.bodies == ("ground", "tool")
    assert ball.in_world == {"a": (Pose(position=(0, 0, 1)),)}
    hinge = flat.joints["hinge"].element
    assert hinge.bodies == ("arm.planet", "tool")
    assert hinge.frame_a is None


@pytest.mark.parametrize("place", [{"frame_b": Pose()}, {"point": (0, 0, 0), "axis": (0, 0, 1)}])
def test_an_attachment_frame_and_a_second_place_are_refused(place):
    """It was dropped without a word: a bearing began deflected by as far as the frame is from the body's origin."""
    top = Description("top", bodies={"b": Body(mass=1, inertia=(1, 1, 1))})
    top.add("tip", Frame(body="b", position=(0.5, 0, 0)))
    top.add("support", Bearing(bodies=("ground", "tip"), radial_stiffness=1e5, **place))
    with pytest.raises(
        ModelError, match=r"placed twice: by the attachment frame `tip`.*leave out `(frame_b|point)`"
    ):
        flatten(top)


def test_two_frames_of_one_body_are_a_joint_to_itself():
    top = Description("top", bodies={"b": Body(mass=1, inertia=(1, 1, 1))})
    top.add("f", Frame(body="b"))
    top.add("j", Fixed(bodies=("f", "b"), frame_b=Pose()))
    with pytest.raises(ModelError, match="connects `b` to itself"):
        flatten(top)


def test_nested_files_are_found_from_their_own_folder(tmp_path):
    (tmp_path / "parts").mkdir()
    write(tmp_path / "parts", inner=STAGE, middle="components:\n  c: {file: inner.yaml}\n")
    write(tmp_path, top="components:\n  b: {file: parts/middle.yaml}\n")
    assert "b.c.planet" in flatten(load(tmp_path / "top.yaml")).bodies


def test_errors_point_into_the_file_they_are_in(tmp_path):
    write(
        tmp_path,
        stage=STAGE.replace("mass: 1 kg", "mass: 1 m").replace(
            "[ground, planet], point", "[ground, planett], point"
        ),
        top="bodies:\n  x: {mass: -1, inertia: [1, 1, 1]}\ncomponents:\n  one: {file: stage.yaml}\n  two: {file: stage.yaml}\n",
    )
    stage, top = tmp_path / "stage.yaml", tmp_path / "top.yaml"
    assert errors_of(top) == [
        f"{top}:2:13: bodies.x.mass: must be greater than zero, but is -1 kg",
        f"{stage}:8:11: bodies.planet.mass: needs a mass (such as `2 kg`), but `1 m` is a length",
        f"{stage}:13:42: joints.pin.bodies[1]: there is no body or frame `planett` (did you mean `planet`?)",
    ]


def test_errors_in_a_mechanism_written_inside():
    text = "components:\n  c:\n    model:\n      bodies:\n        b: {mass: 1, inertia: [1, 1]}\n"
    with pytest.raises(ModelError) as caught:
        loads(text, file="m.yaml")
    message = "m.yaml:5:31: components.c.model.bodies.b.inertia: needs 3 entries, but has 2"
    assert str(caught.value) == message


def test_numbers_that_are_wrong_only_with_these_parameters():
    inner = "        parameters: {m: 1}\n        bodies:\n          b: {mass: m, inertia: [1, 1, 1]}\n"
    text = f"components:\n  c:\n    parameters: {{m: -2}}\n    model:\n{inner}"
    with pytest.raises(ModelError) as caught:
        loads(text, file="m.yaml")
    assert "bodies.b.mass: must be greater than zero, but is -2 kg" in str(caught.value)
    assert str(caught.value).startswith("m.yaml:7:21: ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("one: {file: stag.yaml}", "top.yaml:2:15: components.one.file: `stag.yaml`: there is no such file (did you mean `stage.yaml`?)"),
        ("one: {file: .}", "components.one.file: `.`: is a folder, not a file"),
        ("one: {}", "components.one.file: a component comes from a `file` or is a `model`: give one of them"),
        ("one: {file: stage.yaml, model: {}}", "components.one.file: a component comes from a `file` or is a `model`"),
        ("one: {file: stage.yaml, ground: nobody}", "components.one.ground: there is no body `nobody`"),
        (
            "one: {file: stage.yaml, parameters: {ration: 3}}",
            "top.yaml:2:40: components.one.parameters.ration: the component has no parameter `ration` (did you mean `ratio`?)",
        ),
        (
            "one: {file: stage.yaml, parameters: {r: 3 kg}}",
            "components.one.parameters.r: needs a length like its default `20 mm`, but `3 kg` is a mass",
        ),
        (
            "one: {file: stage.yaml, parameters: {r: nix}}",
            "components.one.parameters.r: there is no parameter `nix` (in `nix`)",
        ),
        ("one: {file: top.yaml}", "components.one.file: the mechanism would contain itself: top.yaml -> top.yaml"),
        ("one: {file: loop.yaml}", "loop.yaml:2:13: components.c.file: the mechanism would contain itself: top.yaml -> loop.yaml -> top.yaml"),
        (
            "one: {file: stage.yaml}\njoints:\n  j: {type: fixed, bodies: [ground, one.flang]}",
            "joints.j.bodies[1]: there is no body or frame `one.flang` (did you mean `one.flange`?)",
        ),
        (
            "one: {file: stage.yaml}\njoints:\n  j: {type: spherical, bodies: [one.flange, one.planet]}",
            "joints.j: `frame_b` is missing",
        ),
        (
            "one: {file: stage.yaml}\nforces:\n  f: {type: torque, body: one.planet, value: [0, 0, one.planett.w]}",
            "there is no name `one.planett.w` (in `one.planett.w`) (did you mean `one.planet.w`?)",
        ),
    ],
)  # fmt: skip
def test_bad_components(tmp_path, line, message):
    write(tmp_path, stage=STAGE, loop="components:\n  c: {file: top.yaml}\n", top=f"components:\n  {line}\n")
    assert message in "\n".join(errors_of(tmp_path / "top.yaml"))


def test_a_component_that_cannot_be_read_hides_nothing_else(tmp_path):
    write(
        tmp_path,
        top="components:\n  one: {file: nix.yaml}\njoints:\n  j: {type: fixed, bodies: [ground, one.x]}\n  k: {type: fixed, bodies: [ground, y]}\n",
    )
    errors = errors_of(tmp_path / "top.yaml")
    assert len(errors) == 2
    assert "components.one.file" in errors[0]
    assert "there is no body or frame `y`" in errors[1]


def test_python_components_from_files(tmp_path, monkeypatch):
    write(tmp_path, stage=STAGE)
    monkeypatch.chdir(tmp_path)
    top = Description("top", components={"s": Component(file="stage.yaml")})
    assert "s.planet" in flatten(top).bodies
    top = Description("top", components={"s": Component(file="stag.yaml")})
    with pytest.raises(ModelError) as caught:
        flatten(top)
    assert (
        str(caught.value)
        == "components.s.file: `stag.yaml`: there is no such file (did you mean `stage.yaml`?)"
    )


def test_a_mechanism_made_in_python_cannot_contain_itself():
    outer, inner = Description("outer"), Description("inner")
    outer.add("a", Component(model=inner))
    inner.add("b", Component(model=outer))
    with pytest.raises(ModelError) as caught:
        validate(outer)
    assert str(caught.value) == "components.b.model: the mechanism would contain itself"


@pytest.mark.slow
def test_components_that_multiply_are_counted_not_made():
    inner = Description("d0", bodies={"b": Rotor(inertia=1)})
    for i in range(1, 40):
        parts = {name: Component(model=inner) for name in ("x", "y")}
        inner = Description(f"d{i}", components=parts)
    with pytest.raises(ModelError, match="elements; at most 100000 are allowed"):
        validate(inner)


def test_deep_nesting():
    inner = Description("d0", parameters={"m": 1}, bodies={"b": Body(mass="m", inertia=(1, 1, 1))})
    for i in range(1, 60):
        inner = Description(
            f"d{i}", parameters={"m": 1}, components={"c": Component(model=inner, parameters={"m": "m"})}
        )
    flat = flatten(inner)
    name = "c." * 59 + "b"
    assert list(flat.bodies) == [name]
    assert flat.resolve_parameters({"m": 7})["c." * 59 + "m"] == 7
