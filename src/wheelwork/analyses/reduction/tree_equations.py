r"""Equations of motion of a tree, written for numbers of any type: floats, or numbers that write a program.

Everything is in the axes of each node, with its origin in its joint (:mod:`.local_frames`). First the motion with the
coordinates' accelerations zero: angular velocity w, angular acceleration alpha and acceleration a of the origin, from
ground outward; ground accelerates against the weight. A point x of the node then has the acceleration

    a + K x,    K = alpha~ + w~ w~

and with the mass m, its first moment h and second moments S about the origin, inertia gives

    force  - (m a + K h),   moment  - (h x a + the axial vector of K S)

Two ways lead from these wrenches, and those of the elements, to the accelerations of the coordinates:

`articulated`  where every coordinate is free by itself: Featherstone's articulated bodies (Rigid Body Dynamics
               Algorithms, 2008, sec. 7.3), in proportion to the number of joints;
`composite`    where gears tie coordinates together, or loops: the mass matrix from composite bodies (sec. 6.2), brought
               onto the coordinates by the ratios, B^T M B. Wheels that spin in a node count as a constant angular
               momentum by the coordinates' rates, however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from .joints import StepType
from .local_frames import LocalTree
from .vectors import (
    UNIT,
    ZERO,
    Matrix,
    NodeRotation,
    Rotated,
    Scalar,
    Vector,
    about,
    added,
    cross,
    dot,
    minus,
    plus,
    product,
    symmetric,
    times,
    transposed,
    without,
)


class TreeEquations:
    """A tree at a state.

    tree: its structure; `numbers`: its numbers by name, as arrays or nested lists of any type of number
    u, e, rates: scalar coordinates, Euler parameters of the ball joints (4 each), rates of the coordinates
    sincos: (sine, cosine) of a number
    """

    def __init__(
        self,
        tree: LocalTree,
        numbers: dict[str, Any],
        u: Vector,
        e: Matrix,
        rates: Vector,
        sincos: Callable[[Scalar], tuple[Scalar, Scalar]],
    ):
        self.tree, self.numbers, self.e, self.rates, self.sincos = tree, numbers, e, rates, sincos
        ratio = numbers["ratio"]
        self.q = [dot(row[: tree.scalars], u) for row in ratio]
        self.speed = [dot(row, rates) for row in ratio]
        self.u = u
        self._place()
        self._world: dict[int, tuple[Vector, Matrix, Vector]] = {-1: (ZERO, UNIT, ZERO)}

    # -- motion with the accelerations of the coordinates zero

    def _place(self) -> None:
        tree, given = self.tree, self.numbers
        lift = [-g for g in given["gravity"]] if tree.all_weigh else list(ZERO)
        self.joint: list[NodeRotation | Rotated] = []
        self.arm: list[Vector] = []
        """From the parent's origin to the node's, in the parent."""
        self.w: list[Vector] = []
        self.alpha: list[Vector] = []
        self.a: list[Vector] = []
        self.K: list[Matrix] = []
        still: Matrix = [[0.0] * 3 for _ in range(3)]
        for i, node in enumerate(tree.nodes):
            p = node.parent
            w, alpha, a, K = (
                (self.w[p], self.alpha[p], self.a[p], self.K[p]) if p >= 0 else (ZERO, ZERO, lift, still)
            )
            A, arm, k = given["A"][i], list(given["place"][i]), node.axis
            own: Vector = [0.0] * 3
            if node.type is StepType.BALL:
                joint = Rotated(self._ball(i))
                own = joint.into(
                    times(transposed(self._axes(p)), [self.speed[node.row + c] for c in range(3)])
                )
            elif node.type is StepType.TURN:
                sine, cosine = self.sincos(self.q[node.row] + given["angle"][i])
                joint = NodeRotation(A, k, cosine, sine)
                own[k] = self.speed[node.row]
            else:
                joint = NodeRotation(A, k, 1.0, 0.0)
                arm = plus(arm, [row[k] * self.q[node.row] for row in A])
            turned = joint.into(w)
            w_own = plus(turned, own)
            self.joint.append(joint)
            self.arm.append(arm)
            self.w.append(w_own)
            self.alpha.append(plus(joint.into(alpha), cross(turned, own)))
            there = joint.into(plus(a, times(K, arm)))
            if node.type is StepType.SLIDE:
                along: Vector = [0.0] * 3
                along[k] = 2.0 * self.speed[node.row]
                there = plus(there, cross(w_own, along))
            self.a.append(there)
            self.K.append(_K(w_own, self.alpha[-1]))

    def _axes(self, i: int) -> Matrix:
        """Of the world at the start, in a node: world from node."""
        return UNIT if i < 0 else self.numbers["axes"][i]

    def _ball(self, i: int) -> Matrix:
        """Parent from node of a ball joint, whose Euler parameters are in the axes of the world at the start."""
        node = self.tree.nodes[i]
        e0, *vector = self.e[node.ball]
        x, y, z = times(transposed(self._axes(node.parent)), vector)
        s = 2.0 / (e0 * e0 + x * x + y * y + z * z)
        return [
            [1.0 - s * (y * y + z * z), s * (x * y - e0 * z), s * (x * z + e0 * y)],
            [s * (x * y + e0 * z), 1.0 - s * (x * x + z * z), s * (y * z - e0 * x)],
            [s * (x * z - e0 * y), s * (y * z + e0 * x), 1.0 - s * (x * x + y * y)],
        ]

    def directions(self, i: int) -> Matrix:
        """In the node's axes, what its joint moves along: one direction, or three of a ball joint."""
        node = self.tree.nodes[i]
        if node.type is StepType.BALL:
            return [self.joint[i].into(list(row)) for row in self._axes(node.parent)]
        return [[1.0 if c == node.axis else 0.0 for c in range(3)]]

    @cached_property
    def wrenches(self) -> list[tuple[Vector, Vector]]:
        """Force and moment on each node about its origin, of inertia, spins and weight."""
        given, found = self.numbers, []
        down: list[Vector] = []
        for i, node in enumerate(self.tree.nodes):
            K, a, h = self.K[i], self.a[i], list(given["first"][i])
            S = _full(given["second"][i])
            m = given["mass"][i]
            Kh = times(K, h)
            force = [-(m * x + y) for x, y in zip(a, Kh, strict=True)]
            KS = [dot(K[(c + 2) % 3], S[(c + 1) % 3]) - dot(K[(c + 1) % 3], S[(c + 2) % 3]) for c in range(3)]
            moment = [-(x + y) for x, y in zip(cross(h, a), KS, strict=True)]
            spinning = [dot(row, self.rates) for row in given["momentum"][i]]
            moment = minus(moment, cross(self.w[i], spinning))  # of Chen (4), J_i theta' (w_j . e_i)
            if not self.tree.all_weigh:
                g = down[node.parent] if node.parent >= 0 else list(given["gravity"])
                down.append(self.joint[i].into(g))
                force = plus(force, [given["weight"][i] * x for x in down[i]])
                moment = plus(moment, cross(list(given["weight_first"][i]), down[i]))
            found.append((force, moment))
        return found

    # -- bodies in the world

    def world(self, i: int) -> tuple[Vector, Matrix, Vector]:
        """Position of a node's origin in the world, world from node, and its velocity in the node."""
        if i not in self._world:
            node = self.tree.nodes[i]
            x, R, v = self.world(node.parent)
            w = self.w[node.parent] if node.parent >= 0 else ZERO
            own = self.joint[i].into(plus(v, cross(w, self.arm[i])))
            if node.type is StepType.SLIDE:
                own[node.axis] = own[node.axis] + self.speed[node.row]
            self._world[i] = (plus(x, times(R, self.arm[i])), self.joint[i].after(R), own)
        return self._world[i]

    def body(self, k: int) -> tuple[Vector, Matrix, Vector, Vector]:
        """Position of a body's centre of mass, its axes, velocity and angular velocity, in the world."""
        body, given = self.tree.bodies[k], self.numbers
        x, R, v = self.world(body.node)
        arm = list(given["arm"][k])
        w = self.w[body.node] if body.node >= 0 else ZERO
        v = plus(v, cross(w, arm))
        pose = given["pose"][k]
        if body.row < 0:
            axes = product(R, pose)
        else:
            axis, q = list(given["spin_about"][k]), self.q[body.row]
            w = plus(w, [c * self.speed[body.row] for c in axis])
            if body.axis >= 0:
                # seen from the body, the spin is about one of its axes, in one sense or the other
                along = dot([row[body.axis] for row in pose], axis)
                sine, cosine = self.sincos(along * q + given["turned"][k])
                axes = NodeRotation(pose, body.axis, cosine, sine).after(R)
            else:
                sine, cosine = self.sincos(q)
                axes = product(product(R, about(axis, cosine, sine)), pose)
        return plus(x, times(R, arm)), axes, times(R, v), times(R, w)

    def add_load(self, k: int, force: Vector, torque: Vector, spin_forces: dict[int, Scalar]) -> None:
        """A force at a body's centre of mass and a torque, world axes, onto its node and spin."""
        body = self.tree.bodies[k]
        axis = list(self.numbers["spin_about"][k])
        Rt = transposed(self.world(body.node)[1])
        m = times(Rt, torque)
        if body.row >= 0:
            spin_forces[body.row] = spin_forces.get(body.row, 0.0) + dot(axis, m)
        if body.node >= 0:
            f = times(Rt, force)
            old_force, old_moment = self.wrenches[body.node]
            arm = list(self.numbers["arm"][k])
            self.wrenches[body.node] = plus(old_force, f), plus(plus(old_moment, m), cross(arm, f))

    # -- accelerations of the coordinates, each free by itself

    def articulated(self, spin_forces: dict[int, Scalar]) -> dict[int, Scalar]:
        """By row of the tree."""
        tree, given = self.tree, self.numbers
        L: list[Matrix] = []
        H: list[Matrix] = []
        C: list[Matrix] = []
        for i in range(len(tree.nodes)):
            m, h, S = given["mass"][i], list(given["first"][i]), _full(given["second"][i])
            L.append([[m if r == c else 0.0 for c in range(3)] for r in range(3)])
            H.append([[0.0, h[2], -h[1]], [-h[2], 0.0, h[0]], [h[1], -h[0], 0.0]])
            C.append(_inertia(S))
        f = [list(force) for force, _ in self.wrenches]
        n = [list(moment) for _, moment in self.wrenches]
        out: dict[int, Scalar] = {}
        spins: dict[int, list[int]] = {}
        push: dict[int, Scalar] = {}
        for s, (i, row) in enumerate(tree.spins):
            axis, polar = list(given["spin_axis"][s]), given["polar"][s]
            push[s] = spin_forces.get(row, 0.0)
            if i < 0:
                out[row] = push[s] / polar
                continue
            push[s] = push[s] - polar * dot(axis, self.alpha[i])
            spins.setdefault(i, []).append(s)
            C[i] = without(C[i], [polar * x for x in axis], axis)
            n[i] = minus(n[i], [push[s] * c for c in axis])
        steps: list[list[tuple[int, bool, Vector, Vector, Scalar]]] = [[] for _ in tree.nodes]
        for i in range(len(tree.nodes) - 1, -1, -1):
            node = tree.nodes[i]
            axes = (2, 1, 0) if node.type is StepType.BALL else (node.axis,)
            for k in axes:
                turns = node.type is not StepType.SLIDE
                linear = [row[k] for row in H[i]] if turns else list(L[i][k])
                angular = list(C[i][k]) if turns else list(H[i][k])
                over = 1.0 / (angular[k] if turns else linear[k])
                V, W = [x * over for x in linear], [x * over for x in angular]
                if turns:
                    W[k] = 1.0
                else:
                    V[k] = 1.0
                rho = n[i][k] if turns else f[i][k]
                steps[i].append((k, turns, V, W, rho * over))
                if node.parent < 0 and node.type is not StepType.BALL:
                    break  # nothing goes on to ground
                gone = k if turns else -1
                still = -1 if turns else k
                L[i] = without(L[i], linear, V, still)
                H[i] = [
                    [0.0 if c == gone or r == still else H[i][r][c] - linear[r] * W[c] for c in range(3)]
                    for r in range(3)
                ]
                C[i] = without(C[i], angular, W, gone)
                f[i] = [0.0 if c == still else f[i][c] - V[c] * rho for c in range(3)]
                n[i] = [0.0 if c == gone else n[i][c] - W[c] * rho for c in range(3)]
            p = node.parent
            if p < 0:
                continue
            joint, d = self.joint[i], self.arm[i]
            l, h, c = joint.conjugate_symmetric(L[i]), joint.conjugate(H[i]), joint.conjugate_symmetric(C[i])
            force, moment = joint.out(f[i]), joint.out(n[i])
            # about the parent's origin, d before the child's: H - L d~, C + d~ (H - L d~) - H^T d~
            moved = [minus(h[r], cross(l[r], d)) for r in range(3)]
            columns = [cross(d, [moved[r][k] for r in range(3)]) for k in range(3)]
            rows = [cross([h[r][k] for r in range(3)], d) for k in range(3)]
            L[p] = added(L[p], l)
            H[p] = [plus(H[p][r], moved[r]) for r in range(3)]
            C[p] = added(
                C[p], [[c[r][k] + (columns[k][r] - rows[r][k]) for k in range(r + 1)] for r in range(3)]
            )
            f[p] = plus(f[p], force)
            n[p] = plus(plus(n[p], moment), cross(d, force))
        a: list[Vector] = []
        alpha: list[Vector] = []
        for i, node in enumerate(tree.nodes):
            p, joint = node.parent, self.joint[i]
            linear, angular = (a[p], alpha[p]) if p >= 0 else (ZERO, ZERO)
            linear = joint.into(plus(linear, cross(angular, self.arm[i])))
            angular = joint.into(angular)
            before = list(angular)
            for k, turns, V, W, free in reversed(steps[i]):
                of, by = (angular, W) if turns else (linear, V)
                value = free - dot(V if turns else W, linear if turns else angular)
                for c in range(3):
                    if c != k:
                        value = value - by[c] * of[c]
                if node.type is not StepType.BALL:
                    out[node.row] = value - of[k]
                of[k] = value
            if node.type is StepType.BALL:
                own = times(self._axes(p), joint.out(minus(angular, before)))
                for c in range(3):
                    out[node.row + c] = own[c]
            a.append(linear)
            alpha.append(angular)
            for s in spins.get(i, []):
                out[tree.spins[s][1]] = push[s] / given["polar"][s] - dot(
                    list(given["spin_axis"][s]), angular
                )
        return {row: float(self.tree.sign[row]) * value for row, value in out.items()}

    # -- mass matrix and generalised forces

    def composite(self, spin_forces: dict[int, Scalar]) -> tuple[Matrix, Vector]:
        """M and f of M u'' = f."""
        tree, given, n = self.tree, self.numbers, self.tree.n
        count = len(tree.nodes)
        mass = [given["mass"][i] for i in range(count)]
        first = [list(given["first"][i]) for i in range(count)]
        tensor = [_inertia(_full(given["second"][i])) for i in range(count)]
        spinning = [[list(row) for row in given["momentum"][i]] for i in range(count)]
        force = [list(f) for f, _ in self.wrenches]
        moment = [list(m) for _, m in self.wrenches]
        acting: dict[int, Scalar] = dict(spin_forces)
        M: dict[tuple[int, int], Scalar] = {}
        tied: dict[int, Vector] = {}
        for i in range(count - 1, -1, -1):
            node, joint = tree.nodes[i], self.joint[i]
            turns = node.type is not StepType.SLIDE
            for own, along in enumerate(self.directions(i)):
                row = node.row + own
                acting[row] = dot(along, moment[i] if turns else force[i])
                if turns:
                    tied[row] = [dot(along, [spinning[i][c][j] for c in range(3)]) for j in range(n)]
                    push, twist = cross(along, first[i]), times(tensor[i], along)
                else:
                    push, twist = [mass[i] * x for x in along], cross(first[i], along)
                at = i
                while True:
                    node_at = tree.nodes[at]
                    for other, direction in enumerate(self.directions(at)):
                        if at == i and other > own:
                            continue
                        seen = twist if node_at.type is not StepType.SLIDE else push
                        M[row, node_at.row + other] = dot(direction, seen)
                    if node_at.parent < 0:
                        break
                    push = self.joint[at].out(push)
                    twist = plus(self.joint[at].out(twist), cross(self.arm[at], push))
                    at = node_at.parent
            p = node.parent
            if p < 0:
                continue
            d = self.arm[i]
            h, J = joint.out(first[i]), joint.conjugate_symmetric(tensor[i])
            # J - (h d^T + d h^T - 2 h.d) + m (d.d - d d^T)
            hd = dot(h, d)
            trace = 2.0 * hd + mass[i] * dot(d, d)
            moved = [x + mass[i] * y for x, y in zip(h, d, strict=True)]
            shifted = [
                [
                    trace - (moved[r] * d[c] + d[r] * h[c]) if r == c else -(moved[r] * d[c] + d[r] * h[c])
                    for c in range(r + 1)
                ]
                for r in range(3)
            ]
            tensor[p] = added(added(J, shifted), tensor[p])
            first[p] = plus(first[p], moved)
            mass[p] = mass[p] + mass[i]
            push = joint.out(force[i])
            force[p] = plus(force[p], push)
            moment[p] = plus(plus(moment[p], joint.out(moment[i])), cross(d, push))
            for j in range(n):
                spun = joint.out([spinning[i][c][j] for c in range(3)])
                for c in range(3):
                    spinning[p][c][j] = spinning[p][c][j] + spun[c]
        ratio = given["ratio"]
        f: Vector = [0.0] * n
        for row, value in acting.items():
            for j in range(n):
                f[j] = f[j] + ratio[row][j] * value
        for i in range(count):
            for j in range(n):
                f[j] = f[j] - dot([given["momentum"][i][c][j] for c in range(3)], self.alpha[i])
        total: Matrix = [[given["spun"][r][c] for c in range(n)] for r in range(n)]
        # B^T (M B + 2 C), C: of the spins' momentum on the rows
        halves: dict[int, Vector] = {row: list(of_spins) for row, of_spins in tied.items()}
        for (row, other), value in M.items():
            half = 0.5 * value if row == other else value
            for j in range(n):
                b = ratio[other][j]
                if isinstance(b, float) and b == 0.0:
                    continue
                halves.setdefault(row, [0.0] * n)[j] = halves.setdefault(row, [0.0] * n)[j] + half * b
        for row, values in halves.items():
            for r in range(n):
                b = ratio[row][r]
                if isinstance(b, float) and b == 0.0:
                    continue
                for c in range(n):
                    part = b * values[c]
                    if r == c:
                        total[r][r] = total[r][r] + (part + part)
                    else:
                        low, high = max(r, c), min(r, c)
                        total[low][high] = total[low][high] + part
        for r in range(n):
            for c in range(r):
                total[c][r] = total[r][c]
        return total, f

    # -- how bodies move with the coordinates, for loops that are cut

    def jacobian(self, k: int, length: Callable[[Vector], Scalar]) -> tuple[Matrix, Matrix, Matrix]:
        """Velocity of a body's centre of mass, and its angular velocity, by the rates: rows of three, world axes.

        Third, how large these can be in any position of the joints beyond: a pair for each coordinate.
        """
        tree, n = self.tree, self.tree.n
        body, ratio = tree.bodies[k], self.numbers["ratio"]
        linear: Matrix = [[0.0] * 3 for _ in range(n)]
        angular: Matrix = [[0.0] * 3 for _ in range(n)]
        reach: Matrix = [[0.0, 0.0] for _ in range(n)]
        here = self.body(k)[0]

        def add(row: int, v: Vector, w: Vector, most: Vector) -> None:
            for j in range(n):
                b = ratio[row][j]
                if not (isinstance(b, float) and b == 0.0):
                    linear[j] = plus(linear[j], [b * x for x in v])
                    angular[j] = plus(angular[j], [b * x for x in w])
                    size = length([b])
                    reach[j] = plus(reach[j], [size * x for x in most])

        if body.row >= 0:
            axis = times(self.world(body.node)[1], list(self.numbers["spin_about"][k]))
            add(body.row, ZERO, axis, [0.0, 1.0])
        i = body.node
        while i >= 0:
            node = tree.nodes[i]
            x, R, _ = self.world(i)
            arm = minus(here, x)
            for own, along in enumerate(self.directions(i)):
                a = times(R, along)
                if node.type is StepType.SLIDE:
                    add(node.row + own, a, ZERO, [1.0, 0.0])
                else:
                    add(node.row + own, cross(a, arm), a, [length(arm), 1.0])
            i = node.parent
        return linear, angular, reach

    def bias(self, k: int) -> tuple[Vector, Vector]:
        """Acceleration of a body's centre of mass, and its angular acceleration, with those of the coordinates zero."""
        body, given = self.tree.bodies[k], self.numbers
        if body.node < 0:
            return ZERO, ZERO
        R = self.world(body.node)[1]
        a = times(R, plus(self.a[body.node], times(self.K[body.node], list(given["arm"][k]))))
        if self.tree.all_weigh:
            a = plus(a, list(given["gravity"]))
        alpha = self.alpha[body.node]
        if body.row >= 0:
            axis = [c * self.speed[body.row] for c in given["spin_about"][k]]
            alpha = plus(alpha, cross(self.w[body.node], axis))
        return a, times(R, alpha)


def _K(w: Vector, alpha: Vector) -> Matrix:
    xx, yy, zz = w[0] * w[0], w[1] * w[1], w[2] * w[2]
    xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    return [
        [-(yy + zz), xy - alpha[2], xz + alpha[1]],
        [xy + alpha[2], -(xx + zz), yz - alpha[0]],
        [xz - alpha[1], yz + alpha[0], -(xx + yy)],
    ]


def _full(six: Sequence[Scalar]) -> Matrix:
    xx, yy, zz, xy, xz, yz = six
    return [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]


def _inertia(S: Matrix) -> Matrix:
    """Moments of inertia from second moments."""
    xx, yy, zz = S[0][0], S[1][1], S[2][2]
    return symmetric([[yy + zz], [-S[1][0], xx + zz], [-S[2][0], -S[2][1], xx + yy]])
