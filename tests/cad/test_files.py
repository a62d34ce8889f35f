"""Files of solids: volumes and moments against trimesh and closed forms, damaged files with their place."""

import numpy as np
import pytest
import trimesh
from processes import python

from wheelwork import ModelError
from wheelwork.cad import TriangleMesh, step
from wheelwork.cad.read import read_solid
from wheelwork.cad.step import first_fault


def ring():
    made = trimesh.creation.annulus(10, 30, 20)
    made.apply_transform(trimesh.transformations.rotation_matrix(0.7, (1, 2, 3)))
    made.apply_translation([100, 20, 30])
    return made


def exported(mesh, kind):
    data = mesh.export(file_type=kind)
    return data.encode() if isinstance(data, str) else data


@pytest.mark.parametrize("kind", ["stl", "stl_ascii", "obj", "dae", "glb"])
def test_moments_are_those_of_trimesh(kind):
    mesh = ring()
    if kind == "glb":  # its y is up, our z is
        turned = mesh.copy()
        turned.apply_transform(trimesh.transformations.rotation_matrix(-np.pi / 2, (1, 0, 0)))
        data = exported(turned, kind)
    else:
        data = exported(mesh, kind)
    read = read_solid(data, f"ring.{kind.partition('_')[0]}")
    found = read.moments
    assert read.metres == (1.0 if kind in ("glb", "dae") else None)
    # single precision in the files
    assert found.volume == pytest.approx(mesh.volume, rel=1e-6)
    np.testing.assert_allclose(found.center, mesh.center_mass, rtol=1e-6)
    J = np.trace(found.second) * np.eye(3) - found.second
    np.testing.assert_allclose(J, mesh.moment_inertia, atol=1e-6 * np.abs(J).max())


@pytest.fixture(scope="module")
def cylinder(tmp_path_factory):
    """A cylinder of radius 7 and length 20 mm about the line (1, 2, z), as STEP. Open CASCADE takes seconds to load."""
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
    from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
    from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

    file = tmp_path_factory.mktemp("step") / "cylinder.step"
    axes = gp_Ax2(gp_Pnt(1, 2, 3), gp_Dir(0, 0, 1))
    writer = STEPControl_Writer()
    writer.Transfer(BRepPrimAPI_MakeCylinder(axes, 7.0, 20.0).Shape(), STEPControl_AsIs)
    writer.Write(str(file))
    return file


@pytest.mark.slow
def test_step_has_exact_moments(cylinder):
    read = read_solid(cylinder.read_bytes(), str(cylinder))
    V = np.pi * 49 * 20
    assert read.metres == 1e-3
    assert read.moments.volume == pytest.approx(V, rel=1e-12)
    np.testing.assert_allclose(read.moments.center, [1, 2, 13], rtol=1e-12)
    expected = V * np.diag([49 / 4, 49 / 4, 400 / 12])
    np.testing.assert_allclose(read.moments.second, expected, atol=1e-9 * V)
    assert read.mesh.joined().why_open is None
    assert read.mesh.joined().moments.volume == pytest.approx(V, rel=5e-3)  # chords


@pytest.mark.slow
def test_damaged_step_tells_the_line(cylinder):
    lines = cylinder.read_text().splitlines()
    statement = next(k for k, line in enumerate(lines) if "ADVANCED_FACE" in line and line.endswith(";"))
    cases = {
        "cut off": (lines[:40], 40),
        "quotes or brackets do not close": (
            [*lines[:statement], "#999 = CARTESIAN((((',);", *lines[statement + 1 :]],
            statement + 1,
        ),
        "does not begin with": (["hello"], 1),
    }
    for words, (text, line) in cases.items():
        found = first_fault("\n".join(text))
        assert words in found[1]
        assert found[0] == line
    assert first_fault(cylinder.read_text()) == (0, "")
    gone = "\n".join([*lines[:statement], *lines[statement + 1 :]])
    with pytest.raises(ModelError, match=r"gone.step:\d+: is damaged.* is used in .*, but not defined"):
        read_solid(gone.encode(), "gone.step")


@pytest.mark.slow
def test_a_crash_of_open_cascade_is_told_and_harms_nobody(cylinder, monkeypatch, tmp_path):
    worker = tmp_path / "worker.py"
    worker.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    monkeypatch.setattr(step, "_WORKER", worker)
    with pytest.raises(
        ModelError, match=r"Open CASCADE crashed with it .SIGSEGV.; this process is not harmed"
    ):
        read_solid(cylinder.read_bytes(), "bad.step")


@pytest.mark.slow
def test_the_worker_imports_nothing_of_ours(cylinder, tmp_path):
    out = tmp_path / "out.npz"
    done = python("-I", step._WORKER, "read", cylinder, out)
    assert done.returncode == 0
    assert out.is_file()
    assert "wheelwork" not in done.stderr


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"", "a.stl", "is not an STL file: it has 0 bytes"),
        (b"x" * 200, "a.stl", "triangles, which take .* bytes, but it has 200"),
        (b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 1 2\n", "a.stl", "a.stl:4: a corner needs three"),
        (b"solid x\nfacet\nvertex 1 2 3\nvertex 1 2 3\n", "a.stl", "has 1 facets and 2 corners"),
        (b"solid x\nfacet\nvertex 1 2 3\nfacet\n", "a.stl", "a.stl:4: a facet begins before"),
        (exported(trimesh.creation.box(), "stl")[:-1], "a.stl", "says 12 triangles, which take 684 bytes"),
        (b"v 1 2 3\nf 1 2 3\n", "a.obj", "a.obj:2: there is no corner 2, of 1 so far"),
        (b"v 0 0 nan\n", "a.obj", "a.obj:1: a corner needs three finite numbers"),
        (b"v 0 0 0\nf 1 1\n", "a.obj", "a.obj:2: a face needs three corners"),
        (b"v 0 0 0\n", "a.obj", "has no triangles"),
        (b"glTF", "a.glb", "is not a GLB file"),
        (exported(trimesh.creation.box(), "glb")[:-10], "a.glb", "its header says version 2"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]>\n<COLLADA/>', "a.dae", "a.dae:1: declares a document type"),
        (b"<COLLADA/>", "a.dae", "is damaged, or no DAE"),
        (b"x", "a.sat", "needs a name that ends in `.stl`"),
        (b"v 0 0 0\nv 1e30 0 0\nv 0 1 0\nf 1 2 3\n", "a.obj", "numbers go up to 1e"),
    ],
)
def test_damaged_files_are_refused_with_their_place(data, name, words):
    with pytest.raises(ModelError, match=words):
        read_solid(data, name)


def test_surfaces_that_enclose_nothing_say_why():
    box = trimesh.creation.box()
    hole = trimesh.Trimesh(box.vertices, box.faces[1:], process=False)
    assert "3 edges have a triangle on one side only" in read_solid(exported(hole, "stl"), "a.stl").why_none
    inside_out = box.copy()
    inside_out.invert()
    assert (
        "turned inside out: the volume comes out as -1"
        in read_solid(exported(inside_out, "stl"), "a.stl").why_none
    )
    flat = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 1]], process=False)
    assert "encloses a volume of 0 only" in read_solid(exported(flat, "stl"), "a.stl").why_none
    one = box.copy()
    one.faces[0] = one.faces[0][::-1]
    assert "turned opposite to their neighbours" in read_solid(exported(one, "obj"), "a.obj").why_none


@pytest.mark.slow
def test_surfaces_are_thinned_out_and_kept_as_text():
    ball = trimesh.creation.icosphere(6)
    mesh = TriangleMesh(np.array(ball.vertices), np.array(ball.faces))
    thin = mesh.thinned(5000)
    assert 1000 < len(thin.triangles) <= 5000
    assert thin.moments.volume == pytest.approx(mesh.moments.volume, rel=0.02)
    again = TriangleMesh.unpacked(thin.packed())
    assert again.moments.volume == pytest.approx(thin.moments.volume, rel=1e-6)
    assert again.why_open is None


@pytest.mark.parametrize("text", ["", "!!", "AAAA", "eJwDAAAAAAE="])
def test_other_texts_are_no_surfaces(text):
    with pytest.raises(ValueError, match="is not a stored surface"):
        TriangleMesh.unpacked(text)
