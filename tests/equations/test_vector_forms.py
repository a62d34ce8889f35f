"""Equations in vectors as they are printed, evaluated and compared with the kernels that are solved."""

import casadi as ca
import numpy as np
import pytest

from wheelwork.description.registry import family
from wheelwork.equations.frames import BodyFrame, Marker
from wheelwork.equations.mesh_equations import every_mesh
from wheelwork.show.formulas.vector_forms import DRIVER_FORMS, joint_forms
from wheelwork.show.formulas.vectors import formula
from wheelwork.system.kernels import driver_kernel, joint_kernel
from wheelwork.system.mesh_kernels import MeshKernel

from .mesh_states import GEOMETRIES, mesh_class, placed
from .states import JOINTS, random_marker, random_pair

NAMES = [name for name, (type, _) in GEOMETRIES.items() if not type.endswith(":height")]
TOLERANCE = 1e-11
"""Numbers about 1, some tens of operations."""


def computed(form, values):
    """Values of all definitions of a form."""
    for name, text in form.definitions:
        values[name] = formula(text).value(values)
    return values


def moving_together(pair, rng):
    """The pair on a carrier that moves anyhow, wheels turning in it: the geometry stays closed. Returns twists."""
    linear, turning = rng.normal(size=(2, 3))
    out = []
    for side, record in enumerate((pair.a, pair.b)):
        axes = record[3:12].reshape(3, 3) @ pair.markers[12 * side + 3 : 12 * side + 12].reshape(3, 3)
        s = record[3:12].reshape(3, 3) @ pair.markers[12 * side : 12 * side + 3]
        p = record[:3] + s
        spin = rng.normal() * axes[:, 2] if pair.geometry.senses[side] else np.zeros(3)
        slide = np.zeros(3) if pair.geometry.senses[side] else rng.normal() * axes[:, 0]
        if pair.type in ("worm", "crossed"):
            slide = rng.normal() * axes[:, 2]
        w = turning + spin
        out.append(np.concatenate([linear + np.cross(turning, p) + slide - np.cross(w, s), w]))
    return out


def named(pair):
    """The names of the formulas at a state of the pair."""
    values = {}
    for side, (i, record) in enumerate((("a", pair.a), ("b", pair.b))):
        R, marker = record[3:12].reshape(3, 3), pair.markers[12 * side : 12 * side + 12]
        axes = R @ marker[3:].reshape(3, 3)
        values |= {f"x_{i}": record[:3], f"x_{i}'": record[12:15], f"w_{i}": record[15:18]}
        values |= {f"p_{i}": record[:3] + R @ marker[:3], f"z_{i}": axes[:, 2]}
        values |= {f"e{c}_{i}": axes[:, k] for k, c in enumerate("xyz")}
    x = pair.geometry.extras
    values |= {name: x[name] for name in ("r_a", "r_b") if name in x}
    values["beta"] = np.arctan(x.get("tan_beta", 0.0))
    for i in "ab":
        if f"sin_beta_{i}" in x:
            values[f"beta_{i}"] = np.arctan2(x[f"sin_beta_{i}"], x[f"cos_beta_{i}"])
    n = np.cross(values["z_a"], values["z_b"])
    values["sigma"] = x.get("sign", np.sign(n @ (values["p_b"] - values["p_a"])))
    return values


@pytest.mark.parametrize("name", NAMES)
def test_meshes(name):
    rng = np.random.default_rng(3)
    for _ in range(3):
        pair = placed(name, rng)
        for record, twist in zip((pair.a, pair.b), moving_together(pair, rng), strict=True):
            record[12:] = twist
        form, values = every_mesh()[pair.type].printed(), named(pair)
        computed(form, values)
        kernel = MeshKernel(every_mesh()[pair.type]).constraint
        _, G_a, G_b, gamma, nu = (np.array(part) for part in kernel.full.call(pair.arguments))
        printed = [np.broadcast_to(formula(text).value(values), 3) for text in form.columns]
        assert np.concatenate(printed[:2]) == pytest.approx(G_a[0], abs=TOLERANCE)
        assert np.concatenate(printed[2:]) == pytest.approx(G_b[0], abs=TOLERANCE)
        assert formula(form.gamma).value(values) == pytest.approx(gamma[0, 0], abs=1e3 * TOLERANCE)
        assert nu[0, 0] == 0


@pytest.mark.parametrize("name", [name for name in NAMES if mesh_class(GEOMETRIES[name][0]).wheels_touch])
def test_forces_of_meshes(name):
    """What is printed that the teeth push with is what they push with, whichever flank is loaded."""
    pair = placed(name, np.random.default_rng(5))
    mesh, x = every_mesh()[pair.type], pair.geometry.extras
    form, values = mesh.printed(), named(pair) | x
    computed(form, values)
    values["alpha"] = np.arctan(x.get("tan_alpha_t", x.get("tan_alpha_n", 0.0)))
    values["beta"] = np.arctan(x.get("tan_beta", x.get("tan_spiral", 0.0)))
    a, b = (
        Marker.from_record(BodyFrame.from_record(ca.SX(record)), ca.SX(pair.markers[12 * k : 12 * k + 12]))
        for k, record in enumerate((pair.a, pair.b))
    )
    given = {key: ca.SX(value) for key, value in x.items()}
    directions = mesh.directions(a, b, given)  # N and f of bevel wheels are told in words
    values |= {
        "N": np.array(ca.DM(directions.radial)).ravel(),
        "f": np.array(ca.DM(directions.axial)).ravel(),
    }
    for force in (700.0, -300.0):
        values["lambda"] = force
        pushed = np.array(ca.DM(mesh.tooth_force(a, b, given, ca.SX(force)))).ravel()
        assert formula(form.force).value(values) == pytest.approx(pushed, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_phi_of_meshes_changes_as_the_jacobian_says(name):
    """Only psi changes where the carrier stands still: the printed residual, with psi from the spin of the wheels."""
    rng = np.random.default_rng(4)
    pair = placed(name, rng)
    twists = moving_together(pair, rng)
    for record, twist in zip((pair.a, pair.b), twists, strict=True):
        record[12:] = twist
    form, values = every_mesh()[pair.type].printed(), named(pair)
    computed(form, values)
    speeds = np.concatenate([values["x_a'"], values["w_a"], values["x_b'"], values["w_b"]])
    row = np.concatenate([np.broadcast_to(formula(text).value(values), 3) for text in form.columns])
    step = 1e-6

    def phi(t):
        """The bodies moved on by t, and psi counted from now on."""
        from scipy.spatial.transform import Rotation

        for side, record in enumerate(moved := [pair.a.copy(), pair.b.copy()]):
            turn = Rotation.from_rotvec(t * twists[side][3:]).as_matrix()
            record[:3] += t * twists[side][:3]
            record[3:12] = (turn @ record[3:12].reshape(3, 3)).ravel()
        a, b = pair.a, pair.b
        pair.a, pair.b = moved
        now = named(pair)
        pair.a, pair.b = a, b
        computed(form, now)
        reference = {"a": "b", "b": "a"}
        for i, j in reference.items():
            x, z = now[f"ex_{i}"], now[f"z_{i}"]
            if mesh_class(pair.type).b_is_rack:
                u = -now["ey_b"]
            elif not mesh_class(pair.type).parallel:
                u = now[f"z_{j}"]
            else:
                u = now["l"] if i == "a" else -now["l"]
            now[f"psi_{i}"] = -np.arctan2(u @ np.cross(z, x), u @ x)
        return formula(form.phi).value(now)

    assert (phi(step) - phi(-step)) / (2 * step) == pytest.approx(row @ speeds, abs=1e-7)


def test_printed():
    one = formula("-2 u' . (w_a x z_a)/|l| + tan(beta) (r_a z_a - d)").math()
    assert one.plain == "−2 u̇ · (ω_a × z_a)/|l| + tan β (r_a z_a − d)"
    assert r"\dot{\mathbf{u}} \cdot \frac{\boldsymbol{\omega}_{a} \times \mathbf{z}_{a}}" in one.latex
    with pytest.raises(ValueError, match="is missing"):
        formula("(a + b")


# -- joints


def random_arguments(rng, extras, inputs=0):
    markers = [random_marker(rng), random_marker(rng)]
    data = np.concatenate([*markers, rng.normal(size=extras)])
    return [*random_pair(rng), data, rng.normal(size=inputs), np.zeros(1)]


def at_a_state(arguments, extras, names):
    values = {}
    bodies, data = arguments[:2], arguments[2]
    for side, (i, record) in enumerate(zip("ab", bodies, strict=True)):
        R, marker = record[3:12].reshape(3, 3), data[12 * side : 12 * side + 12]
        axes = R @ marker[3:].reshape(3, 3)
        values |= {f"x_{i}": record[:3], f"x_{i}'": record[12:15], f"w_{i}": record[15:18]}
        values |= {f"p_{i}": record[:3] + R @ marker[:3]}
        values |= {f"e{c}_{i}": axes[:, k] for k, c in enumerate("xyz")}
    return values | dict(zip(names, extras, strict=True))


def rows_of(kernel, arguments):
    return [np.array(part)[: kernel.rows] for part in kernel.full.call(arguments)]


def compared(forms, values, parts, less=0.0):
    """Jacobian and gamma of each row; the position where it has no angle."""
    g, G_a, G_b, gamma, _ = parts
    row = 0
    for form in forms:
        computed(form, values)
        rows = slice(row, row + form.rows)
        if form.rows == 3:
            # columns of S are s x e_k
            values |= {"I": np.eye(3)} | {f"S_{i}": np.cross(values[f"s_{i}"], np.eye(3)).T for i in "ab"}
            columns = [formula(text).value(values) for text in form.columns]
        else:
            columns = [np.broadcast_to(formula(text).value(values), (1, 3)) for text in form.columns]
        assert np.hstack(columns[:2]) == pytest.approx(G_a[rows], abs=TOLERANCE)
        assert np.hstack(columns[2:]) == pytest.approx(G_b[rows], abs=TOLERANCE)
        assert formula(form.gamma).value(values) + less == pytest.approx(
            gamma[rows, 0] if form.rows == 3 else gamma[row, 0], abs=100 * TOLERANCE
        )
        if "theta" not in formula(form.phi).names():
            assert formula(form.phi).value(values) == pytest.approx(
                g[rows, 0] if form.rows == 3 else g[row, 0], abs=TOLERANCE
            )
        row += form.rows
    assert row == len(g)


@pytest.mark.parametrize("kind", JOINTS)
def test_joints(kind):
    rng = np.random.default_rng(5)
    equations = JOINTS[kind]
    kernel = joint_kernel(equations)
    for _ in range(3):
        arguments = random_arguments(rng, len(equations.extras))
        values = at_a_state(arguments, arguments[2][24:], equations.extras)
        compared(joint_forms(family("joints")[kind].printed), values, rows_of(kernel, arguments))


@pytest.mark.parametrize(
    ("coordinate", "kind"), [("angle", "revolute"), ("displacement", "prismatic"), ("distance", "rod")]
)
def test_drivers(coordinate, kind):
    rng = np.random.default_rng(6)
    kernel = driver_kernel(JOINTS[kind], coordinate)
    for _ in range(3):
        arguments = random_arguments(rng, 0, inputs=3)
        values = at_a_state(arguments, [arguments[3][0]], ["y"])
        parts = rows_of(kernel, arguments)
        compared([DRIVER_FORMS[coordinate]], values, parts, less=arguments[3][2])
        assert parts[4][0, 0] == arguments[3][1]
