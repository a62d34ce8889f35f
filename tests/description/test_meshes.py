# ruff: noqa: E501  (messages stand whole, so that they can be searched for)
"""Meshes in descriptions: what may be written, how it is kept, and what is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wheelwork as ww
from wheelwork.description import (
    BeltMesh,
    BevelMesh,
    CrossedMesh,
    Description,
    ExternalMesh,
    InternalMesh,
    ModelError,
    RackMesh,
    Rotor,
    WormMesh,
    dumps,
    flatten,
    loads,
)
from wheelwork.description.write import to_data

WHEELS = """\
wheelwork: 1
parameters:
  z: 20
bodies:
  a:
    type: rotor
    inertia: 1
  b:
    type: rotor
    inertia: 1
    position: [60 mm, 0, 0]
frames:
  seat: {body: a}
meshes:
"""


def mesh(fields, header=WHEELS):
    return loads(f"{header}  m: {{{fields}}}\n").meshes["m"]


def message_of(fields, header=WHEELS):
    with pytest.raises(ModelError) as caught:
        mesh(fields, header)
    return str(caught.value)


def test_what_is_read_is_written():
    text = """\
wheelwork: 1
bodies:
  pinion:
    type: rotor
    inertia: 1
  wheel:
    type: rotor
    inertia: 1
    position: [60 mm, 0, 0]
meshes:
  pair:
    type: external
    bodies: [pinion, wheel]
    joints: [pinion.bearing, wheel.bearing]
    efficiency: 98 %
    teeth: [20, 40]
    module: 2 mm
    helix_angle: 15 deg
"""
    assert dumps(loads(text)) == text


LENGTHS = st.one_of(st.floats(1e-3, 1.0), st.sampled_from(["12 mm", "2*r"]))
TEETH = st.one_of(st.integers(1, 400), st.just("z"))
BOTH = st.tuples(TEETH, TEETH)
ANGLES = st.one_of(st.floats(-1, 1), st.sampled_from(["15 deg", "z/50"]))
LOSSES = st.sampled_from([{}, {"efficiency": 0.97}, {"friction": "0.05"}, {"efficiency": "98 %"}])
PLACES = st.sampled_from(
    [
        {},
        {"joints": ("a.bearing", "b.bearing")},
        {"point_a": (0, "1 mm", 0), "axis_a": (0, 0, 1)},
        {"frame_a": {"position": (0, 0, "z")}, "frame_b": {}},
    ]
)
PAIRS = st.tuples(PLACES, LOSSES).map(lambda both: {"bodies": ("a", "b"), **both[0], **both[1]})


def make(cls, **fields):
    return st.tuples(PAIRS, st.fixed_dictionaries(fields)).map(lambda both: cls(**both[0], **both[1]))


MESHES = st.one_of(
    make(ExternalMesh, teeth=BOTH, module=LENGTHS, helix_angle=ANGLES),
    make(ExternalMesh, ratio=st.floats(0.1, 10), model=st.just("rigid")),
    make(InternalMesh, radii=st.just(("10 mm", "30 mm")), pressure_angle=st.just("25 deg")),
    make(RackMesh, radius=LENGTHS, holds_distance=st.booleans()),
    make(BevelMesh, teeth=BOTH, module=LENGTHS, face_width=LENGTHS, spiral_angle=ANGLES),
    make(WormMesh, teeth=BOTH, lead_angle=st.just("5 deg"), hand=st.sampled_from(["right", "left"])),
    make(CrossedMesh, teeth=BOTH, helix_angles=st.tuples(ANGLES, ANGLES)),
    st.builds(BeltMesh, bodies=st.just(("a", "b")), radii=st.tuples(LENGTHS, LENGTHS), crossed=st.booleans()),
)


@pytest.mark.slow
@settings(deadline=None)
@given(MESHES)
def test_writing_and_reading_again_changes_nothing(validator, element):
    wheels = {name: Rotor(inertia=1) for name in "ab"}
    description = Description(parameters={"z": 20, "r": "5 mm"}, bodies=wheels, meshes={"m": element})
    text = dumps(description)
    validator.validate(to_data(description))
    assert loads(text) == description
    assert dumps(loads(text)) == text


def test_python_and_yaml_say_the_same():
    m = ww.Mechanism("pair")
    m.add("a", ww.Rotor(inertia=1))
    m.add("b", ww.Rotor(inertia=1, position=("60 mm", 0, 0)))
    m.add("m", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module="2 mm"))
    assert m.meshes["m"] == mesh("type: external, bodies: [a, b], teeth: [20, 40], module: 2 mm")


def test_rigid_is_short_for_its_mapping():
    assert mesh("type: external, bodies: [a, b], ratio: 2, model: rigid") == mesh(
        "type: external, bodies: [a, b], ratio: 2, model: {type: rigid}"
    )


def test_names_are_global_in_a_component():
    inner = WHEELS.replace("\n", "\n      ") + "  m: {type: external, bodies: [seat, b], ratio: z/10}\n"
    inner += "        n: {type: external, bodies: [a, b], ratio: 2, joints: [a.bearing, b.bearing]}\n"
    flat = flatten(loads(f"components:\n  stage:\n    model:\n      {inner}"))
    placed = flat.meshes["stage.m"]
    assert (placed.name, placed.path, placed.element.bodies) == (
        "stage.m",
        "meshes.m",
        ("stage.a", "stage.b"),
    )
    assert placed.element.frame_a is not None  # the attachment frame stands for it
    assert str(placed.element.ratio) == "stage.z/10"
    named = flat.meshes["stage.n"].element
    assert named.joints == ("stage.a.bearing", "stage.b.bearing")


@pytest.mark.parametrize("kind", ["bevel", "worm", "crossed"])
def test_meshes_of_space_have_no_place_in_the_plane(kind):
    header = (
        "kind: planar\nbodies:\n  a: {type: rotor, inertia: 1}\n  b: {type: rotor, inertia: 1}\nmeshes:\n"
    )
    fields = {"bevel": "", "worm": "", "crossed": ", helix_angles: [0.1, 0.2]"}[kind]
    text = message_of(f"type: {kind}, bodies: [a, b], ratio: 2{fields}", header)
    assert f"a `{kind}` mesh is for spatial mechanisms, but this one is planar" in text


def test_axes_are_known_in_the_plane():
    header = (
        "kind: planar\nbodies:\n  a: {type: rotor, inertia: 1}\n  b: {type: rotor, inertia: 1}\nmeshes:\n"
    )
    description = loads(f"{header}  m: {{type: external, bodies: [a, b], ratio: 2, point_b: [1, 0]}}")
    element = flatten(description).meshes["m"].element
    assert (element.axis_a, element.axis_b) == (None, (0, 0, 1))


FAULTS = {
    "no size": ("type: external, bodies: [a, b]", "meshes.m.teeth: the wheels have no size: give `teeth`, `radii` or `ratio`"),
    "not whole": ("type: external, bodies: [a, b], teeth: [20.5, 40]", "meshes.m.teeth[0]: needs a whole number of teeth, at least 1, but is 20.5"),
    "not whole by parameters": ("type: external, bodies: [a, b], teeth: [z/3, 40]", "meshes.m.teeth[0]: needs a whole number of teeth, at least 1, but is 6.66667"),
    "negative ratio": ("type: external, bodies: [a, b], ratio: -2", "meshes.m.ratio: must be greater than zero, but is -2 (the direction in which the wheels turn follows from the type of mesh and the axes)"),
    "negative module": ("type: external, bodies: [a, b], teeth: [20, 40], module: -2 mm", "meshes.m.module: must be greater than zero, but is -0.002 m"),
    "module that is a mass": ("type: external, bodies: [a, b], teeth: [20, 40], module: 2 kg", "meshes.m.module: needs a length (such as `15 mm`), but `2 kg` is a mass"),
    "small ring": ("type: internal, bodies: [a, b], teeth: [40, 20]", "meshes.m.teeth: the ring `b` must be larger than the pinion `a`, but has 20 teeth against 40 (body a is the pinion, body b the ring: exchange them)"),
    "small ring by radius": ("type: internal, bodies: [a, b], radii: [0.04, 0.02]", "the ring `b` must be larger than the pinion `a`, but has a pitch radius of 0.02 m against 0.04 m"),
    "small ring by ratio": ("type: internal, bodies: [a, b], ratio: 0.5", "meshes.m.ratio: must be more than 1 (the ring is larger than the pinion), but is 0.5"),
    "efficiency": ("type: external, bodies: [a, b], ratio: 2, efficiency: 98", "meshes.m.efficiency: must be more than 0 and at most 1, but is 98"),
    "losses twice": ("type: external, bodies: [a, b], ratio: 2, efficiency: 0.98, friction: 0.05", "meshes.m.friction: losses are given twice: by `efficiency` and by `friction` (give one)"),
    "axes twice": ("type: external, bodies: [a, b], ratio: 2, joints: [a.bearing, b.bearing], point_a: [0, 0, 0], axis_a: [0, 0, 1]", "meshes.m.axis_a: the axes are given twice: by `joints` and by `axis_a` (give one or the other)"),
    "frame and joints": ("type: external, bodies: [seat, b], ratio: 2, joints: [a.bearing, b.bearing]", "meshes.m.joints: is placed twice: by the attachment frame `seat`, which `bodies` names, and by `joints`"),
    "frame and the other's point": ("type: external, bodies: [seat, b], ratio: 2, point_b: [0, 0, 0]", "meshes.m.point_b: is placed twice: by the attachment frame `seat`"),
    "backlash twice": ("type: external, bodies: [a, b], teeth: [20, 40], thickness_allowance: [-0.1 mm, 0], model: {type: compliant, backlash: 0.1 mm}", "meshes.m.thickness_allowance: the backlash is given twice"),
    "axis without point": ("type: external, bodies: [a, b], ratio: 2, axis_a: [0, 0, 1]", "meshes.m.axis_a: `point_a` is missing beside `axis_a`"),
    "zero axis": ("type: external, bodies: [a, b], ratio: 2, point_a: [0, 0, 1], axis_a: [0, 0, 0]", "meshes.m.axis_a: must not be zero: it has no direction"),
    "steep helix": ("type: external, bodies: [a, b], ratio: 2, helix_angle: 80 deg", "meshes.m.helix_angle: must be between -60 and 60 deg, but is 80 deg"),
    "pressure angle in degrees": ("type: external, bodies: [a, b], ratio: 2, pressure_angle: 20", "meshes.m.pressure_angle: must be at least 0 and less than 45 deg, but is 1145.92 deg (a bare number is in radians: for degrees write `20 deg`)"),
    "helix angle in degrees": ("type: external, bodies: [a, b], ratio: 2, helix_angle: 20", "meshes.m.helix_angle: must be between -60 and 60 deg, but is 1145.92 deg (a bare number is in radians: for degrees write `20 deg`)"),
    "helix angle by a parameter": ("type: external, bodies: [a, b], ratio: 2, helix_angle: z", "deg (numbers without a unit are in radians)"),
    "itself": ("type: external, bodies: [a, a], ratio: 2", "meshes.m.bodies: connects `a` to itself; a mesh needs two different bodies"),
    "no such joint": ("type: external, bodies: [a, b], ratio: 2, joints: [a.bearing, b.baering]", "meshes.m.joints[1]: there is no joint `b.baering` (did you mean `b.bearing`"),
    "no such body": ("type: external, bodies: [a, c], ratio: 2", "meshes.m.bodies[1]: there is no body or frame `c`"),
    "no such model": ("type: external, bodies: [a, b], ratio: 2, model: rigit", "there is no type `rigit` (did you mean `rigid`?)"),
    "no such type": ("type: spur, bodies: [a, b], ratio: 2", "meshes.m.type: there is no type `spur`"),
    "worm without threads": ("type: worm, bodies: [a, b], radii: [1, 2]", "meshes.m.teeth: `teeth` (threads of the worm, teeth of the wheel) or `ratio` is missing"),
    "lead angle": ("type: worm, bodies: [a, b], ratio: 30, lead_angle: -5 deg", "meshes.m.lead_angle: must be between 0 and 90 deg, but is -5 deg"),
    "no helix angles": ("type: crossed, bodies: [a, b], ratio: 3", "meshes.m.helix_angles: `helix_angles` is missing"),
    "face width alone": ("type: bevel, bodies: [a, b], ratio: 3, face_width: 3 mm", "meshes.m.face_width: `module` or `radii` is missing beside `face_width`"),
    "no pulleys": ("type: belt, bodies: [a, b], teeth: [20, 40]", "meshes.m.radii: the pulleys have no size: give `radii`, or `teeth` and `pitch`"),
    "pitch alone": ("type: belt, bodies: [a, b], radii: [1, 2], pitch: 5 mm", "meshes.m.pitch: `teeth` is missing beside `pitch`"),
    "slack belt": ("type: belt, bodies: [a, b], radii: [1, 2], tension: -5 N", "meshes.m.tension: must not be negative, but is -5 N"),
    "belt with friction": ("type: belt, bodies: [a, b], radii: [1, 2], friction: 0.1", "there is no key `friction` here"),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "expected"), FAULTS.values(), ids=FAULTS.keys())
def test_what_is_refused(fields, expected):
    assert expected in message_of(fields)
