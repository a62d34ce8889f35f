"""Cams against calculus and against contacts with known solutions.

1. CasADi's differentiation of the gap with respect to the bodies' coordinates, through the conditions of contact.
2. Differences in time of a gap found without those conditions: the least distance, by minimisation over the curves.
3. Closed solutions: circles are distance joints, a circle or an ellipse under a flat face has a known support function.
"""

from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar
from scipy.spatial.transform import Rotation

import wheelwork as ww
from wheelwork.description.formula import Formula
from wheelwork.equations.cams.outline import FormulaCurve, OutlineCurve, SplineCurve
from wheelwork.equations.cams.spline import Spline
from wheelwork.equations.differentiate import rows_from_residual
from wheelwork.system.cams import CamKernel
from wheelwork.system.kernels import joint_kernel
from wheelwork.system.space import PLANAR, SPATIAL

from .planar_states import by_differentiation, differentiated, planar_marker, quantities, record
from .states import PLANAR_JOINTS, derivatives, random_rotation

TURN = 2 * np.pi


def ellipse() -> FormulaCurve:
    """Half axes a and b, counterclockwise."""
    return FormulaCurve((Formula("a*cos(s)"), Formula("b*sin(s)")), 0.0, TURN, True)


def egg() -> FormulaCurve:
    """A convex outline without symmetry, off its centre."""
    x, y = "0.1 + cos(s) + 0.1*cos(2*s)", "0.9*sin(s) - 0.05*sin(2*s) + 0.03*cos(s)"
    return FormulaCurve((Formula(x), Formula(y)), 0.0, TURN, True)


def spline(count: int = 40) -> SplineCurve:
    s = TURN * np.arange(count) / count
    x, y = 0.1 + np.cos(s) + 0.1 * np.cos(2 * s), 0.9 * np.sin(s) - 0.05 * np.sin(2 * s) + 0.03 * np.cos(s)
    return SplineCurve(np.column_stack([x, y]), True)


class CurveAt:
    """c(s) in numbers, whatever the outline is made of."""

    def __init__(self, outline: OutlineCurve, numbers: np.ndarray):
        self.outline, self.numbers = outline, numbers
        if outline.spline is None:
            s, n = ca.SX.sym("s"), ca.SX.sym("n", outline.numbers)
            self._c = ca.Function("c", [s, n], outline.values(s, n, ca.SX(0, 1))[:1])

    def __call__(self, s: float) -> np.ndarray:
        if self.outline.spline is not None:
            return self.outline.spline.at(np.array(s))[0]
        return np.array(self._c(s, self.numbers)).ravel()

    @property
    def period(self) -> float:
        return self.numbers[1] if self.outline.spline is None else self.outline.spline.period


class Case:
    """A cam between bodies of the plane: how it is called, and the gap by minimisation."""

    def __init__(
        self, name: str, outlines: tuple[OutlineCurve, ...], numbers: list[np.ndarray], own: list[float]
    ):
        self.cam = {"flat": ww.CamFlat.InSpace, "point": ww.CamPoint.InSpace, "cam": ww.CamCam.InSpace}[name](
            outlines
        )
        self.name = name
        self.kernel = CamKernel(self.cam, PLANAR)
        self.curves = [CurveAt(o, n) for o, n in zip(outlines, numbers, strict=True)]
        self.numbers = np.concatenate([own, *numbers])
        self.radius = own[1] if name == "point" else 0.0

    def pieces(self, z: np.ndarray) -> np.ndarray:
        parts = [o.spline.piece(s) for o, s in zip(self.cam.outlines, z, strict=True) if o.spline is not None]
        return np.concatenate([np.zeros(0), *parts])

    def follow(
        self, q: np.ndarray, v: np.ndarray, markers: np.ndarray, z: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """Curve parameters at the contact, and their rates."""
        for _ in range(4):  # each call is given the piece of the spline it ended on
            given = [record(q[:3], v[:3]), record(q[3:], v[3:]), np.concatenate([markers, self.numbers])]
            made = self.kernel.follow.call([ca.DM(x) for x in (*given, self.pieces(z), z)])
            z, rates = (np.array(x).ravel() for x in made)
        return z, rates

    def arguments(self, q: np.ndarray, v: np.ndarray, markers: np.ndarray, z: np.ndarray) -> list:
        return [q, v, np.concatenate([markers, self.numbers]), self.pieces(z), z]

    def gap(self, q: np.ndarray, markers: np.ndarray, z: np.ndarray) -> float:
        """Least distance over the curves, near z; nothing of the cam's equations is used."""
        (pa, Ra), (pb, Rb) = (world(q[3 * k : 3 * k + 3], markers[12 * k : 12 * k + 12]) for k in (0, 1))
        curve = self.curves[0]
        width = 0.05 * curve.period
        if self.name == "cam":
            scale = np.array([c.period for c in self.curves])

            def square(u):
                a, b = (c(s) for c, s in zip(self.curves, z + u * scale, strict=True))
                return np.sum((pb + Rb @ b - pa - Ra @ a) ** 2)

            found = minimize(
                square, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-16}
            )
            return float(np.sqrt(found.fun))
        if self.name == "flat":
            m = self.numbers[0] * Rb[:, 1]
            distance: Callable[[float], float] = lambda s: float(m @ (pb - pa - Ra @ curve(s)))  # noqa: E731
        else:
            distance = lambda s: float(np.linalg.norm(pb - pa - Ra @ curve(s)))  # noqa: E731
        found = minimize_scalar(
            distance, bounds=(z[0] - width, z[0] + width), method="bounded", options={"xatol": 1e-11}
        )
        return float(found.fun) - self.radius


def world(q: np.ndarray, marker: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position and axes of a marker in the plane."""
    c, s = np.cos(q[2]), np.sin(q[2])
    R = np.array([[c, -s], [s, c]])
    return q[:2] + R @ marker[:2], R @ marker[3:12].reshape(3, 3)[:2, :2]


ELLIPSE, EGG = np.array([0.0, TURN, 1.3, 0.8]), np.array([0.0, TURN])
SPLINE = np.array([0.0, spline().spline.period])
CASES = {
    "flat, ellipse": Case("flat", (ellipse(),), [ELLIPSE], [1.0]),
    "flat, egg": Case("flat", (egg(),), [EGG], [1.0]),
    "flat, spline": Case("flat", (spline(),), [SPLINE], [1.0]),
    "point, ellipse": Case("point", (ellipse(),), [ELLIPSE], [1.0, 0.0]),
    "roller, egg": Case("point", (egg(),), [EGG], [1.0, 0.4]),
    "roller, spline": Case("point", (spline(),), [SPLINE], [1.0, 0.4]),
    "two ellipses": Case(
        "cam", (ellipse(), ellipse()), [ELLIPSE, 0.7 * ELLIPSE + [0, 0.3 * TURN, 0, 0]], [1.0]
    ),
    "egg and spline": Case("cam", (egg(), spline()), [EGG, SPLINE], [1.0]),
}
cases = pytest.mark.parametrize("name", CASES)


def random_state(rng: np.random.Generator, case: Case) -> tuple[np.ndarray, ...]:
    """q, v, markers and curve parameters at a contact: outlines about 2 apart, so that the least distance is smooth."""
    markers = np.concatenate([planar_marker(0.3 * rng.normal(size=2), rng.uniform(-3, 3)) for _ in range(2)])
    q, v = np.concatenate([rng.normal(size=3), rng.normal(size=3)]), rng.normal(size=6)
    (pa, _), (pb, _) = (world(q[3 * k : 3 * k + 3], markers[12 * k : 12 * k + 12]) for k in (0, 1))
    direction = rng.uniform(0, TURN)
    if case.name == "flat":  # the face looks at the cam
        direction = q[5] + np.arctan2(markers[18], markers[15]) + np.pi / 2
    q[3:5] += pa + 4 * np.array([np.cos(direction), np.sin(direction)]) - pb
    z = best(case, q, markers)
    z, _ = case.follow(q, v, markers, z)
    return q, v, markers, z


def best(case: Case, q: np.ndarray, markers: np.ndarray) -> np.ndarray:
    """Curve parameters of the nearest pair among many."""
    (pa, Ra), (pb, Rb) = (world(q[3 * k : 3 * k + 3], markers[12 * k : 12 * k + 12]) for k in (0, 1))
    first = case.curves[0]
    s = np.arange(200) / 200 * first.period
    A = np.array([pa + Ra @ first(x) for x in s])
    if case.name == "flat":
        return s[[np.argmax(A @ (case.numbers[0] * Rb[:, 1]))]]
    if case.name == "point":
        return s[[np.argmin(np.sum((A - pb) ** 2, axis=1))]]
    second = case.curves[1]
    t = np.arange(200) / 200 * second.period
    B = np.array([pb + Rb @ second(x) for x in t])
    i, j = np.unravel_index(np.argmin(np.sum((A[:, None] - B[None]) ** 2, axis=2)), (200, 200))
    return np.array([s[i], t[j]])


def states(name: str, count: int) -> list[tuple[np.ndarray, ...]]:
    rng = np.random.default_rng(len(name))
    return [random_state(rng, CASES[name]) for _ in range(count)]


@pytest.mark.slow
@cases
def test_closed_forms_equal_differentiation_by_x_y_phi(name):
    """Newton's method inside the kernel carries first and second derivatives of the curve parameters."""
    case = CASES[name]
    function = by_differentiation(case.kernel, of_time=False)
    for q, v, markers, z in states(name, 10):
        arguments = case.arguments(q, v, markers, z)
        for ours, theirs in zip(
            quantities(case.kernel, arguments), differentiated(function, arguments), strict=True
        ):
            np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-10)


@pytest.mark.slow
@cases
def test_gap_and_its_rates_are_those_of_the_least_distance(name):
    """g, g' = Phi_q v, g'' = -gamma against differences of the least distance, at constant velocities."""
    case = CASES[name]
    for q, v, markers, z in states(name, 3):
        g, G, _, gamma = quantities(case.kernel, case.arguments(q, v, markers, z))

        def gap(t, q=q, v=v, markers=markers, z=z):
            _, rates = case.follow(q, v, markers, z)
            return np.array([case.gap(q + t * v, markers, z + t * rates)])

        assert gap(0.0)[0] == pytest.approx(g[0], abs=1e-12)
        rate, acceleration = derivatives(gap, h=0.02)
        # the minimum is good to 1e-15 (1e-13 in two parameters); over h and h^2 = 4e-4. A spline's third derivative
        # jumps by 0.05 at knots, which the differences reach across.
        smooth = "spline" not in name
        np.testing.assert_allclose(G @ v, rate, rtol=0, atol=1e-7 if smooth else 1e-4)
        np.testing.assert_allclose(-gamma, acceleration, rtol=0, atol=1e-6 if smooth else 1e-2)


@cases
def test_rates_of_the_curve_parameters(name):
    case = CASES[name]
    for q, v, markers, z in states(name, 5):
        _, rates = case.follow(q, v, markers, z)
        found, _ = derivatives(
            lambda t, q=q, v=v, m=markers, z=z: case.follow(q + t * v, v, m, z)[0], h=0.005
        )
        np.testing.assert_allclose(rates, found, rtol=0, atol=1e-6 if "spline" not in name else 1e-3)
        assert np.all(np.abs(rates) > 1e-6)


@cases
def test_exact_jacobian_of_the_equations_of_motion(name):
    case = CASES[name]
    rng = np.random.default_rng(1)
    for q, v, markers, z in states(name, 2):
        multiplier, accelerations = rng.normal(size=4), rng.normal(size=6)
        records = [record(q[k : k + 3], v[k : k + 3]) for k in (0, 3)]
        rest = case.arguments(q, v, markers, z)[2:]
        given = [*records, *rest, multiplier, accelerations]
        stiffness, bottom = (np.array(part) for part in case.kernel.jacobian.call([ca.DM(x) for x in given]))

        def both(y, rest=rest, l=multiplier, a=accelerations):
            _, G, _, gamma = quantities(case.kernel, [y[:6], y[6:], *rest])
            return np.concatenate([G.T @ l[:1], G @ a - gamma])

        y, h = np.concatenate([q, v]), 1e-4
        for column, direction in enumerate(np.eye(12)):
            steps = [both(y + k * h * direction) for k in (-2, -1, 1, 2)]
            rate = (steps[0] - 8 * steps[1] + 8 * steps[2] - steps[3]) / (12 * h)
            if column < 6:
                np.testing.assert_allclose(stiffness[:, column], rate[:6], rtol=0, atol=1e-7)
            np.testing.assert_allclose(bottom[:1, column], rate[6:], rtol=0, atol=1e-7)


# -- in space


SPATIAL_CASES = {
    name: CASES[name]
    for name in ("flat, egg", "point, ellipse", "roller, spline", "two ellipses", "egg and spline")
}


@pytest.mark.parametrize("name", SPATIAL_CASES)
@pytest.mark.parametrize("tilt", [0.0, 0.3])
def test_closed_forms_in_space(name, tilt):
    """Bodies anywhere in space, also with outlines in planes that are not parallel: rows are derivatives of the gap.

    The contact in the plane is carried into space by a rotation; then b is tilted.
    """
    case = CASES[name]
    kernel = CamKernel(case.cam, SPATIAL)
    arguments = kernel._arguments
    none = [ca.SX(0, 1)] * 3
    a, b = (SPATIAL.frame(record) for record in arguments.bodies)

    def residual(frame_a, frame_b, _):
        rows = kernel._rows([frame_a, frame_b], arguments)
        return ca.vertcat(*(row.value for row in rows))

    (row,) = rows_from_residual(residual, a, b, none)
    parts = [row.value, row.a_linear, row.a_angular, row.b_linear, row.b_angular, row.gamma]
    differentiated_row = ca.Function("row", arguments.as_list(), [ca.densify(ca.vertcat(*parts))])
    rng = np.random.default_rng(5)
    for q, v, markers, z in states(name, 3):
        S = random_rotation(rng)
        lean = Rotation.from_rotvec([tilt, -tilt / 2, 0]).as_matrix()
        bodies = []
        for k in (0, 1):
            Rz = Rotation.from_rotvec([0, 0, q[3 * k + 2]]).as_matrix()
            R = S @ (lean if k else np.eye(3)) @ Rz
            bodies.append(
                np.concatenate([S @ [*q[3 * k : 3 * k + 2], 0.2 * k], R.ravel(), rng.normal(size=6)])
            )
        data = np.concatenate([markers, case.numbers])
        for _ in range(6):
            made = kernel.follow.call([ca.DM(x) for x in (*bodies, data, case.pieces(z), z)])
            z = np.array(made[0]).ravel()
        given = [ca.DM(x) for x in (*bodies, data, case.pieces(z), z)]
        g, G_a, G_b, gamma, _ = (np.array(part)[0] for part in kernel.full.call(given))
        found = np.concatenate([g, G_a, G_b, gamma])
        np.testing.assert_allclose(
            found, np.array(differentiated_row.call(given)[0]).ravel(), rtol=0, atol=1e-9
        )
        if tilt == 0:
            flat = quantities(case.kernel, case.arguments(q, v, markers, z))
            assert g[0] == pytest.approx(flat[0][0], abs=1e-12)


# -- closed solutions


def circle(x: float, y: float, r: float) -> FormulaCurve:
    return FormulaCurve((Formula(f"{x} + {r}*cos(s)"), Formula(f"{y} + {r}*sin(s)")), 0.0, TURN, True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cam", "point"])
def test_circles_are_distance_joints(name):
    """Circles of radii 0.5 and 0.3 about (0.2, 0.1) and (-0.1, 0.25) touch where their centres are 0.8 apart."""
    centres = np.array([[0.2, 0.1], [-0.1, 0.25]])
    if name == "cam":
        case = Case("cam", (circle(*centres[0], 0.5), circle(*centres[1], 0.3)), [EGG, EGG], [1.0])
    else:
        centres[1] = 0
        case = Case("point", (circle(*centres[0], 0.5),), [EGG], [1.0, 0.3])
    distance = joint_kernel(PLANAR_JOINTS["distance"], PLANAR)
    rng = np.random.default_rng(2)
    for _ in range(10):
        q, v, markers, z = random_state(rng, case)
        at_centres = markers.reshape(2, 12).copy()
        for k in (0, 1):
            at_centres[k, :2] += at_centres[k, 3:12].reshape(3, 3)[:2, :2] @ centres[k]
        expected = quantities(distance, [q, v, np.r_[at_centres.ravel(), 0.8], np.zeros(0), np.zeros(1)])
        for ours, theirs in zip(
            quantities(case.kernel, case.arguments(q, v, markers, z)), expected, strict=True
        ):
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-11)


def test_an_ellipse_in_its_ring_of_a_circle():
    """Internal contact, b a ring around a: a circle of radius 0.3 in one of radius 1, centres 0.7 - g apart."""
    case = Case("cam", (circle(0, 0, 0.3), circle(0, 0, 1.0)), [EGG, EGG], [1.0])
    still = np.zeros(6)
    markers = np.concatenate([planar_marker(np.zeros(2), 0.0)] * 2)
    for away in (0.3, 0.5, 0.69):
        q = np.array([away, 0, 0.4, 0, 0, -0.2])
        z, _ = case.follow(q, still, markers, np.array([-0.3, 0.3]))
        g = quantities(case.kernel, case.arguments(q, still, markers, z))[0][0]
        assert g == pytest.approx(0.7 - away, abs=1e-13)


@pytest.mark.parametrize("name", ["circle", "ellipse"])
def test_support_function_under_a_flat_face(name):
    """A cam turns by phi under a level face at height y: the gap is y less the support function of the outline.

    Circle of radius r off centre by e: h = e sin(phi) + r. Ellipse: h = sqrt(a^2 sin^2 phi + b^2 cos^2 phi).
    """
    e, r = 0.3, 0.8
    outline, numbers = (circle(e, 0, r), EGG) if name == "circle" else (ellipse(), ELLIPSE)
    case = Case("flat", (outline,), [numbers], [1.0])
    markers = np.concatenate([planar_marker(np.zeros(2), 0.0)] * 2)
    w, a, b = 1.7, ELLIPSE[2], ELLIPSE[3]
    z = np.array([np.pi / 2])
    for phi in np.linspace(0, 9, 40):
        q, v = np.array([0, 0, phi, 0.2, 2.0, 0]), np.array([0, 0, w, 0, 0, 0])
        z, rates = case.follow(q, v, markers, z)
        g, G, _, gamma = quantities(case.kernel, case.arguments(q, v, markers, z))
        s, c = np.sin(phi), np.cos(phi)
        if name == "circle":
            h, slope, second = e * s + r, e * c, -e * s
            assert rates[0] == pytest.approx(-w, abs=1e-12)
        else:
            h = np.sqrt((a * s) ** 2 + (b * c) ** 2)
            slope = (a**2 - b**2) * s * c / h
            second = ((a**2 - b**2) * (c**2 - s**2) - slope**2) / h
        assert g[0] == pytest.approx(2.0 - h, abs=1e-13)
        assert G @ v == pytest.approx(-slope * w, abs=1e-12)
        assert gamma[0] == pytest.approx(second * w**2, abs=1e-11)


# -- splines


def test_a_closed_spline_goes_through_its_points_smoothly_and_around():
    points = np.array([[1.0, 0], [0.3, 0.8], [-0.9, 0.2], [-0.4, -0.7], [0.5, -0.6]])
    curve = Spline.through(points, closed=True)
    np.testing.assert_allclose(curve.at(curve.knots)[0], points, atol=1e-14)
    chords = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    assert curve.period == pytest.approx(chords.sum())
    for knot in curve.knots:
        for left, right in zip(curve.at(knot - 1e-9), curve.at(knot + 1e-9), strict=True):
            np.testing.assert_allclose(left, right, atol=1e-7)
    s = np.linspace(0, curve.period, 50)
    for k in (-2, 3):
        for once, again in zip(curve.at(s), curve.at(s + k * curve.period), strict=True):
            np.testing.assert_allclose(once, again, atol=1e-12)


def test_an_open_spline_of_a_cubic_is_the_cubic():
    x = np.linspace(-1, 2, 7)
    curve = Spline.through(np.column_stack([x, x**3 - x]), closed=False, parameters=x)
    s = np.linspace(-1, 2, 40)
    c, first, second = curve.at(s)
    np.testing.assert_allclose(c, np.column_stack([s, s**3 - s]), atol=1e-13)
    np.testing.assert_allclose(first, np.column_stack([np.ones(40), 3 * s**2 - 1]), atol=1e-12)
    np.testing.assert_allclose(second, np.column_stack([np.zeros(40), 6 * s]), atol=1e-11)


def test_a_spline_of_a_closed_curve_converges_with_the_fourth_power():
    exact, errors = CurveAt(egg(), EGG), []
    for count in (20, 40, 80):
        knots = TURN * np.arange(count + 1) / count
        curve = Spline.through([exact(s) for s in knots[:-1]], closed=True, parameters=knots)
        s = np.linspace(0, TURN, 333)
        errors.append(np.abs(curve.at(s)[0] - [exact(x) for x in s]).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 4, atol=0.3)
