"""A plane finite-element model of a tooth on its wheel, to judge the methods for mesh stiffness by.

Nine-node quadrilaterals on two structured grids that share the nodes under the tooth: the body, a ring between bore and
root circle (between root circle and outside, for a ring gear), and one tooth with its generated outline. The bore (the
outside of a ring gear) is held. A normal force acts on a node of the flank; what is measured is how far the tooth's
middle line moves along the force, where the force's line crosses it. The pit that a point force digs into the surface
is left out that way; Weber's formula for the contact, from the surface down to the middle line, puts it back.
"""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import splu

from wheelwork.gears.gear import Gear
from wheelwork.gears.outline import half_tooth
from wheelwork.gears.stiffness.material import Material
from wheelwork.gears.stiffness.tooth import ToothLoad, load_on

GAUSS = np.sqrt(0.6) * np.array([-1.0, 0.0, 1.0])
WEIGHT = np.array([5.0, 8.0, 5.0]) / 9


def _shapes(x: float, y: float) -> np.ndarray:
    """Derivatives (2, 9) of the shape functions of the nine-node element, nodes in rows of three."""

    def line(t: float) -> tuple[np.ndarray, np.ndarray]:
        return np.array([t * (t - 1) / 2, 1 - t * t, t * (t + 1) / 2]), np.array([t - 0.5, -2 * t, t + 0.5])

    (n_x, d_x), (n_y, d_y) = line(x), line(y)
    return np.array([np.outer(n_y, d_x).ravel(), np.outer(d_y, n_x).ravel()])


class ToothModel:
    """A wheel with one tooth.

    bore: radius that is held [m]: inside the root circle, or outside it for a ring
    wide: plane strain, else plane stress
    size: elements across the tooth; the other numbers follow
    """

    def __init__(self, gear: Gear, material: Material, bore: float, wide: bool = False, size: int = 12):
        self.gear = gear
        half = half_tooth(gear, 200, 120)
        # -- the tooth: rows of nodes from root to tip, each between the two flanks
        outline = np.concatenate((half.fillet[:-1], half.flank))
        xy = outline[:, :1] * np.column_stack((np.cos(outline[:, 1]), np.sin(outline[:, 1])))
        arc = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))))
        rows = 2 * 2 * size + 1
        s = np.linspace(0, arc[-1], rows)
        radius, angle = np.interp(s, arc, outline[:, 0]), np.interp(s, arc, outline[:, 1])
        across = np.sin(np.linspace(-np.pi / 2, np.pi / 2, 2 * size + 1))  # finer at the flanks
        r = np.broadcast_to(radius[:, None], (rows, 2 * size + 1))
        theta = angle[:, None] * across
        # -- the body: the tooth's columns, then round to the other side, ever wider
        count = 2 * 3 * size
        rest = half.root_angle + (np.pi - half.root_angle) * np.linspace(0, 1, count + 1)[1:] ** 2.2
        around = np.concatenate((-rest[-2::-1], half.root_angle * across, rest))  # the seam appears once
        depth = np.linspace(0, 1, 2 * 2 * size + 1) ** 1.8
        root = gear.root_diameter / 2
        body_r = root + (bore - root) * depth
        nodes_t = rows * (2 * size + 1)
        self.rows, self.columns = rows, 2 * size + 1
        tooth_id = np.arange(nodes_t).reshape(rows, -1)
        body_id = np.full((len(body_r), len(around)), -1)
        start = count - 1
        body_id[0, start : start + 2 * size + 1] = tooth_id[0]
        free = body_id < 0
        body_id[free] = nodes_t + np.arange(free.sum())
        total = nodes_t + int(free.sum())
        points = np.zeros((total, 2))
        points[tooth_id] = np.stack((r * np.cos(theta), r * np.sin(theta)), axis=-1)
        grid = body_r[:, None, None] * np.stack((np.cos(around), np.sin(around)), axis=-1)
        points[body_id[free]] = grid[free]
        ring = np.concatenate((body_id[:, -1:], body_id), axis=1)  # closed at the seam
        elements = np.concatenate((self._elements(tooth_id), self._elements(ring)))
        stiffness = _assemble(points, elements, material, wide)
        held = np.unique(body_id[-1])
        keep = np.setdiff1d(np.arange(total), held)
        self.freedom = np.full(2 * total, -1)
        moving = np.sort(np.concatenate((2 * keep, 2 * keep + 1)))
        self.freedom[moving] = np.arange(len(moving))
        self.solve = splu(stiffness[moving][:, moving].tocsc()).solve
        self.points, self.tooth = points, tooth_id

    @staticmethod
    def _elements(nodes: np.ndarray) -> np.ndarray:
        out = []
        for i in range(0, nodes.shape[0] - 2, 2):
            for j in range(0, nodes.shape[1] - 2, 2):
                out.append(nodes[i : i + 3, j : j + 3].ravel())
        return np.array(out)

    def compliance(self, curvatures: np.ndarray) -> np.ndarray:
        """Compliance [m^2/N] for unit width at contacts with these curvatures [m], without the contact's own."""
        out = []
        for rho in np.atleast_1d(curvatures):
            load, direction, moved = self._pushed(float(rho))
            middle = self.tooth[:, self.columns // 2]
            height = (self.points[middle, 0] - self.gear.root_diameter / 2) * (
                -1 if self.gear.internal else 1
            )
            at = [np.interp(load.lever, height, moved[middle, k]) for k in (0, 1)]
            out.append(direction @ np.array(at))
        return np.array(out)

    def coupling(self, curvature: float, other: float, pitches: int) -> float:
        """Compliance [m^2/N] for unit width: how far the contact at `other` on a tooth that stands `pitches` further on
        would move along its own normal, when the tooth of the model is loaded at `curvature`.

        That tooth is not in the model; it goes along rigidly with the piece of root circle it would stand on.
        """
        gear = self.gear
        _, _, moved = self._pushed(curvature)
        turn = pitches * 2 * np.pi / gear.teeth
        radius, angle = np.hypot(*self.points.T), np.arctan2(self.points[:, 1], self.points[:, 0])
        root = half_tooth(gear).root_angle
        seat = (np.abs(radius - gear.root_diameter / 2) < 1e-9) & (np.abs(angle - turn) < root)
        places, moves = self.points[seat], moved[seat]
        centre = places.mean(axis=0)
        x, y = (places - centre).T
        rows = np.concatenate(
            (
                np.column_stack((np.ones(len(x)), np.zeros(len(x)), -y)),
                np.column_stack((np.zeros(len(x)), np.ones(len(x)), x)),
            )
        )
        (u, v, w), *_ = np.linalg.lstsq(rows, np.concatenate((moves[:, 0], moves[:, 1])), rcond=None)
        load = load_on(gear, other)
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        point = rotation @ [gear.root_diameter / 2 + float(load.lever), 0.0] - centre
        direction = rotation @ [-np.sin(load.angle), -np.cos(load.angle)]
        return float(direction @ [u - w * point[1], v + w * point[0]])

    def _pushed(self, curvature: float) -> tuple[ToothLoad, np.ndarray, np.ndarray]:
        """Load, direction of a unit force at the contact, and displacements (nodes, 2) under it.

        The force is put on the two flank nodes beside the contact, so that it does the right work.
        """
        flank = self.tooth[:, -1]
        load = load_on(self.gear, curvature)
        radius = np.hypot(self.gear.base_diameter / 2, curvature)
        radii = np.hypot(*self.points[flank].T)
        near = np.sort(np.argsort(np.abs(radii - radius))[:2])
        part = (radius - radii[near[0]]) / (radii[near[1]] - radii[near[0]])
        sign = 1.0 if self.gear.internal else -1.0
        direction = np.array([sign * np.sin(load.angle), -np.cos(load.angle)])
        force = np.zeros(2 * len(self.points))
        for node, share in ((flank[near[0]], 1 - part), (flank[near[1]], part)):
            force[2 * node : 2 * node + 2] += share * direction
        moved = np.zeros(2 * len(self.points))
        inside = self.freedom >= 0
        moved[inside] = self.solve(force[inside])
        return load, direction, moved.reshape(-1, 2)


def _assemble(points: np.ndarray, elements: np.ndarray, material: Material, wide: bool) -> coo_array:
    e, nu = material.youngs_modulus, material.poisson_ratio
    if wide:
        e, nu = e / (1 - nu**2), nu / (1 - nu)
    law = e / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    xy = points[elements]
    matrices = np.zeros((len(elements), 18, 18))
    for i, x in enumerate(GAUSS):
        for j, y in enumerate(GAUSS):
            local = _shapes(x, y)
            jacobian = np.einsum("da,eac->edc", local, xy)
            gradient = np.linalg.solve(jacobian, np.broadcast_to(local, (len(elements), 2, 9)))
            strain = np.zeros((len(elements), 3, 18))
            strain[:, 0, 0::2], strain[:, 1, 1::2] = gradient[:, 0], gradient[:, 1]
            strain[:, 2, 0::2], strain[:, 2, 1::2] = gradient[:, 1], gradient[:, 0]
            area = np.abs(np.linalg.det(jacobian)) * WEIGHT[i] * WEIGHT[j]
            matrices += np.einsum("e,eki,kl,elj->eij", area, strain, law, strain, optimize=True)
    freedom = np.stack((2 * elements, 2 * elements + 1), axis=-1).reshape(len(elements), 18)
    rows = np.repeat(freedom, 18, axis=1).ravel()
    columns = np.tile(freedom, (1, 18)).ravel()
    n = 2 * len(points)
    return coo_array((matrices.ravel(), (rows, columns)), shape=(n, n)).tocsr()
