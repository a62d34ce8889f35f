"""Geometry of bodies: masses against closed forms, files that are wrong, results that outlive their files."""

import numpy as np
import pytest
import trimesh

import wheelwork as ww
from wheelwork.cli import main
from wheelwork.equations.rotations import rotation
from wheelwork.equations.values import ParameterSymbols
from wheelwork.lazy import casadi as ca
from wheelwork.show.player.film import film, film_before_run

ARM = """
name: arm
parameters: {rho: 2700 kg/m^3}
bodies:
  arm:
    geometry:
      - arm.obj
      - {file: ring.stl, density: 7850 kg/m^3, color: "#cc8844", position: [0.1, 0, 0]}
    density: rho
joints:
  hinge: {type: revolute, bodies: [ground, arm], point: [-0.1, 0, 0], axis: [0, 1, 0]}
frames:
  base: {body: ground, geometry: {shape: {type: box, size: [0.05, 0.05, 0.1]}, position: [-0.1, 0, -0.05]}}
analysis: {type: simulate, end: 0.1 s, output: 11}
"""


def number(value):
    return float(value) if isinstance(value, float) else 2700.0


@pytest.fixture
def folder(tmp_path):
    trimesh.creation.box((200, 30, 20)).export(tmp_path / "arm.obj")
    trimesh.creation.annulus(10, 30, 20, sections=60).export(tmp_path / "ring.stl")
    (tmp_path / "arm.yaml").write_text(ARM)
    return tmp_path


def block(mass, *size):
    a, b, c = size
    return mass / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])


def test_mass_centre_and_inertia_are_those_of_the_pieces(folder):
    body = ww.load(folder / "arm.yaml").bodies["arm"]
    mass, tensor = body.mass_properties(number)
    first = 2700 * 0.2 * 0.03 * 0.02
    ring = trimesh.load(folder / "ring.stl")
    second = 7850 * ring.volume * 1e-9
    assert mass == pytest.approx(first + second, rel=1e-7)
    center = second * 0.1 / (first + second)
    np.testing.assert_allclose(body.center(number), [center, 0, 0], atol=1e-9)
    steiner = [(first, center), (second, 0.1 - center)]
    expected = block(first, 0.2, 0.03, 0.02) + 7850e-15 * np.array(ring.moment_inertia)
    expected += sum(m * d * d for m, d in steiner) * np.diag([0, 1, 1])
    np.testing.assert_allclose(tensor, expected, rtol=1e-6, atol=1e-12)


def test_the_whole_pendulum_swings_as_its_pieces_say(folder):
    """Angular acceleration from rest, level: m g d / (J + m d^2) about the hinge."""
    m = ww.load(folder / "arm.yaml")
    body = m.bodies["arm"]
    mass, tensor = body.mass_properties(number)
    d = body.center(number)[0] + 0.1
    for formulation in ("absolute", "reduced"):
        r = m.simulate(formulation=formulation)
        expected = mass * 9.80665 * d / (tensor[1][1] + mass * d * d)
        assert r.series("arm.angular_acceleration").values[0, 1] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("how", ["turned", "mirrored", "stretched", "shape"])
def test_placement_and_scale(folder, how):
    given = {"file": str(folder / "arm.obj")}
    if how == "turned":  # x to y
        body = ww.Body(
            density=1000, geometry={**given, "orientation": {"axis": (0, 0, 1), "angle": np.pi / 2}}
        )
        size = (0.03, 0.2, 0.02)
    elif how == "mirrored":
        body = ww.Body(density=1000, geometry={**given, "scale": (-1, 1, 1)})
        size = (0.2, 0.03, 0.02)
    elif how == "stretched":
        body = ww.Body(density=1000, geometry={**given, "scale": (1, 2, 3), "unit": "cm"})
        size = (2, 0.6, 0.6)
    else:
        shape = {"type": "box", "size": (0.2, 0.03, 0.02)}
        turned = {"axis": (1, 0, 0), "angle": np.pi / 2}
        body = ww.Body(density=1000, geometry={"shape": shape, "orientation": turned})
        size = (0.2, 0.02, 0.03)
    mass, tensor = body.mass_properties(number)
    assert mass == pytest.approx(1000 * np.prod(size), rel=1e-9)
    np.testing.assert_allclose(tensor, block(mass, *size), atol=1e-12 * mass)
    if how != "shape":
        assert body.geometry[0].surface().moments.volume == pytest.approx(np.prod(size), rel=1e-6)


@pytest.mark.parametrize(
    "quarter",
    [
        {"rodrigues": (0, 0, 1)},  # axis times tan(45 deg)
        {"euler_parameters": (1, 0, 0, 1)},
        {"euler_zxz": (np.pi / 2, 0, 0)},
        {"bryant_xyz": (0, 0, np.pi / 2)},
        {"rotation_vector": (0, 0, np.pi / 2)},
        {"axis": (0, 0, 2), "angle": np.pi / 2},
    ],
)
def test_a_piece_is_turned_however_that_is_spelled(quarter):
    shape = {"type": "box", "size": (0.2, 0.03, 0.02)}
    body = ww.Body(density=1000, geometry={"shape": shape, "orientation": quarter})
    mass, tensor = body.mass_properties(number)
    np.testing.assert_allclose(tensor, block(mass, 0.03, 0.2, 0.02), atol=1e-15)


def test_a_given_mass_holds_and_the_inertia_is_scaled(folder):
    body = ww.Body(mass=2, geometry=str(folder / "arm.obj"))
    mass, tensor = body.mass_properties(number)
    assert mass == 2
    np.testing.assert_allclose(tensor, block(2, 0.2, 0.03, 0.02), atol=1e-12)


def test_a_check_says_how_far_given_masses_differ(folder):
    m = ww.Mechanism("m")
    given = {"mass": 0.5, "inertia": (0.001, 0.002, 0.002), "center_of_mass": (0.05, 0, 0)}
    m.add("arm", ww.Body(**given, density=2700, geometry=str(folder / "arm.obj")))
    first, second, third = m.check().geometry
    assert "its mass is 0.5 kg as given, and 0.324 kg by its geometry (+54.3%)" in first
    assert "its principal moments are 0.001, 0.002, 0.002 kg m^2 as given" in second
    assert "its centre of mass is 50 mm from that of its geometry" in third
    m.bodies["arm"] = ww.Body(density=2700, geometry=str(folder / "arm.obj"))
    assert m.check().geometry == []


def test_wrong_units_are_told_with_numbers(folder):
    trimesh.creation.annulus(1e4, 3e4, 2e4).export(folder / "large.stl")
    words = r"reach over 8.718e.04, as millimetres 87.18 m .STL and OBJ files contain no unit"
    with pytest.raises(ww.ModelError, match=words):
        ww.Body(density=1, geometry=str(folder / "large.stl"))
    m = ww.load(folder / "arm.yaml")
    ring = {"file": str(folder / "ring.stl"), "unit": "m"}
    m.add("wheel", ww.Body(mass=1, inertia=(1, 1, 1), geometry=ring))
    m.add("pin", ww.Revolute(bodies=("ground", "wheel"), point=(0.1, 0, 0), axis=(0, 0, 1)))
    (remark, *_) = m.check().geometry
    assert "`wheel`: `" in remark
    assert "is 87.18 m across, but joints, bodies and wheels around it reach over" in remark
    assert "read as `m`. Give `unit`, or `scale`" in remark


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("ring.stl", "open.stl"), "`open.stl` has no volume to take mass and inertia from: is not closed"),
        (
            ("ring.stl", "rin.stl"),
            r"arm.yaml:8:16: .*rin.stl: there is no such file .did you mean `ring.stl`",
        ),
        (("ring.stl,", "ring.stl, unit: kg,"), "needs a unit of length, such as `mm`, but is `kg`"),
        (("ring.stl,", "ring.stl, scale: 0,"), "needs finite numbers that are not zero"),
        (("#cc8844", "red"), "needs a colour such as"),
        (("    density: rho\n", ""), "the body has no mass .give `density` with the geometry, or `mass`"),
        (("7850 kg/m^3", "-1 kg/m^3"), "must not be negative, but is -1 kg/m"),
        (("7850 kg/m^3", "-rho"), "must not be negative, but is -2700 kg/m"),
        (("file: ring.stl, ", ""), "a piece of geometry is a `file` or a `shape`"),
        (("file: ring.stl", "file: 7"), "needs a text"),
        (("file: ring.stl", "file: ring.stl, content: {surface: x}"), "has a `file` and a `content`"),
        (("file: ring.stl", "content: {surface: AAAA}"), "is not a stored surface"),
        (("file: ring.stl", "content: {surface: eJwDAAAAAAE=, volume: .inf}"), "finite"),
        (("position: [-0.1", "density: 1, position: [-0.1"), "geometry on a frame is for looks only"),
        (("size: [0.05, ", "size: [-0.05, "), "must be greater than zero, but is -0.05 m"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(folder, change, words):
    ring = trimesh.load(folder / "ring.stl")
    trimesh.Trimesh(ring.vertices, ring.faces[1:], process=False).export(folder / "open.stl")
    assert change[0] in ARM
    (folder / "arm.yaml").write_text(ARM.replace(*change))
    with pytest.raises(ww.ModelError, match=words) as error:
        ww.load(folder / "arm.yaml")
    assert all("arm.yaml:" in problem.where for problem in error.value.problems)


def test_looks_need_no_volume(folder):
    ring = trimesh.load(folder / "ring.stl")
    trimesh.Trimesh(ring.vertices, ring.faces[1:], process=False).export(folder / "ring.stl")
    (folder / "arm.yaml").write_text(ARM.replace("7850 kg/m^3", "0"))
    mass, _ = ww.load(folder / "arm.yaml").bodies["arm"].mass_properties(number)
    assert mass == pytest.approx(2700 * 0.2 * 0.03 * 0.02)


def shown(result):
    scene = film(result).scene
    return {(part.name, part.color, len(part.solid.faces)) for part in scene.parts if part.kind == "body"}


@pytest.mark.slow
def test_results_show_geometry_when_its_files_are_gone(folder):
    result = ww.load(folder / "arm.yaml").simulate()
    faces = len(trimesh.load(folder / "ring.stl").faces)
    expected = {("arm", "#2563b8", 12), ("arm", "#cc8844", faces), ("base", "#6d747e", 6)}
    assert shown(result) == expected
    result.save(folder / "r.nc")
    for name in ("arm.obj", "ring.stl", "arm.yaml"):
        (folder / name).unlink()
    again = ww.load_result(folder / "r.nc")
    assert shown(again) == expected
    np.testing.assert_array_equal(again.at([0.05]).series("arm.position").values,
                                  result.at([0.05]).series("arm.position").values)  # fmt: skip


def test_a_changed_file_is_seen_and_an_equal_one_starts_from_the_cache(folder, monkeypatch):
    monkeypatch.setenv("WHEELWORK_CACHE", str(folder / "cache"))

    def end():
        return ww.load(folder / "arm.yaml").simulate().series("arm.w").values[-1, 1]

    first = end()
    assert end() == first
    trimesh.creation.annulus(10, 40, 20).export(folder / "ring.stl")
    assert end() != first


def test_files_are_written_relative_to_the_new_place(folder):
    m = ww.load(folder / "arm.yaml")
    (folder / "sub").mkdir()
    m.save(folder / "sub" / "arm.yaml")
    assert "../ring.stl" in (folder / "sub" / "arm.yaml").read_text()
    assert ww.load(folder / "sub" / "arm.yaml").bodies["arm"].mass_properties(number)[0] == pytest.approx(
        m.bodies["arm"].mass_properties(number)[0]
    )


def test_wheels_that_the_geometry_shows_are_not_drawn_twice(folder):
    m = ww.Mechanism("pair")
    trimesh.creation.cylinder(22, 10).export(folder / "wheel.stl")
    trimesh.creation.cylinder(5, 60).export(folder / "shaft.stl")
    for name, x, file in (("a", 0.0, "wheel.stl"), ("b", 0.04, "shaft.stl")):
        m.add(name, ww.Body(density=7800, geometry=str(folder / file), position=(x, 0, 0)))
        m.add(f"pin-{name}", ww.Revolute(bodies=("ground", name), point=(x, 0, 0), axis=(0, 0, 1)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 20), module=0.002, face_width=0.01))
    scene = film_before_run(m).scene
    assert [part.name for part in scene.parts if part.kind == "wheel"] == ["b z=20"]


def test_planar_mechanisms_take_what_lies_in_their_plane(folder):
    m = ww.Mechanism("plane", kind="planar")
    piece = {"file": str(folder / "arm.obj"), "position": (0.1, 0, 0.3)}
    m.add("arm", ww.Body(density=2700, geometry=piece))
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0)))
    r = m.simulate(0.01)
    mass = 2700 * 0.2 * 0.03 * 0.02
    J = block(mass, 0.2, 0.03, 0.02)[2, 2] + mass * 0.01
    assert r.series("arm.angular_acceleration").values[0] == pytest.approx(
        -mass * 9.80665 * 0.1 / J, rel=1e-6
    )


def test_orientations_in_numbers_are_those_of_the_equations():
    rng = np.random.default_rng(3)
    none = ParameterSymbols({})
    spellings = {"euler_parameters": 4, "euler_zxz": 3, "bryant_xyz": 3, "rotation_vector": 3}
    given = [{name: tuple(rng.normal(size=n))} for name, n in spellings.items()]
    given += [{"axis": tuple(rng.normal(size=3)), "angle": 0.7}, {}]
    for one in given:
        orientation = ww.Orientation(**one)
        np.testing.assert_allclose(
            orientation.matrix(float), np.array(ca.DM(rotation(orientation, none))), atol=1e-14
        )


def test_check_tells_on_the_command_line(folder, capsys):
    (folder / "arm.yaml").write_text(
        ARM.replace("density: rho\n", "density: rho\n    mass: 1 kg\n    inertia: [1, 1, 1]\n")
    )
    assert main(["check", str(folder / "arm.yaml")]) == 0
    assert "Geometry of `arm`: its mass is 1 kg as given" in capsys.readouterr().out
