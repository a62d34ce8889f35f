r"""Angles in straight-line code: atan2 of a turning direction is the angle itself.

Angles of wheels against lines of centres, and against each other, are atan2 of sines and cosines in the elements, which
know only frames. About fixed axes, with lines of centres that rest,

    atan2(p sin(phi) + q cos(phi), p cos(phi) - q sin(phi)) = phi + atan2(q, p)      (but for whole turns)

and elements do not depend on whole turns, at which atan2 itself jumps. So no sine is left of the motion of the wheels.
The same holds where a slide moves a wheel along the line of centres (not through the other wheel).
"""

from __future__ import annotations

import itertools

import casadi as ca
import numpy as np

MOST_ANGLES = 2
"""Bodies whose angles an element compares."""
NEAR = 1e-3
"""Ways of slides with which it is tried whether a line of centres keeps its direction [m]."""


class Angles:
    """Angles of the bodies, with symbols for their sines and cosines."""

    def __init__(self, phi: list[ca.SX], parameters: ca.SX, values: np.ndarray):
        self.phi, self.parameters, self.values = phi, parameters, values
        self.sine, self.cosine = ca.SX.sym("s", len(phi)), ca.SX.sym("k", len(phi))

    def written(self, found: ca.SX) -> ca.SX:
        """An expression without the symbols."""
        phi = ca.vertcat(*self.phi)
        return ca.substitute(found, ca.vertcat(self.sine, self.cosine), ca.vertcat(ca.sin(phi), ca.cos(phi)))

    def unwound(self, found: ca.SX) -> ca.SX:
        """The same with atan2 of a turning direction replaced by the angle itself; see the module's docstring."""
        symbols = ca.vertcat(ca.SX(0, 1), *ca.symvar(found))
        function = ca.Function("f", [symbols], [ca.densify(found)])
        work: dict[int, ca.SX] = {}
        out = ca.SX(found.numel(), 1)
        for k in range(function.n_instructions()):
            op, sources = function.instruction_id(k), function.instruction_input(k)
            targets = function.instruction_output(k)
            if op == ca.OP_OUTPUT:
                out[targets[1]] = work[sources[0]]
            elif op == ca.OP_INPUT:
                work[targets[0]] = symbols[sources[1]]
            elif op == ca.OP_CONST:
                work[targets[0]] = ca.SX(function.instruction_constant(k))
            elif op == ca.OP_ATAN2:
                work[targets[0]] = self._angle(work[sources[0]], work[sources[1]])
            elif len(sources) == 2:
                work[targets[0]] = ca.SX.binary(op, work[sources[0]], work[sources[1]])
            else:
                work[targets[0]] = ca.SX.unary(op, work[sources[0]])
        return out

    def _angle(self, over: ca.SX, under: ca.SX) -> ca.SX:
        """atan2(over, under), as a sum of angles and a number where it is that: found by trying some positions."""
        pair = ca.vertcat(over, under)
        own = [k for k in range(len(self.phi)) if ca.depends_on(pair, self._pair(k))]
        inner = ca.vertcat(ca.SX(0, 1), *(self._pair(k) for k in own))
        others = [x for x in ca.symvar(pair) if not ca.depends_on(ca.vertcat(self.parameters, inner), x)]
        if not own or len(own) > MOST_ANGLES:
            return ca.atan2(over, under)
        slides = ca.vertcat(ca.SX(0, 1), *others)
        function = ca.Function("f", [inner, self.parameters, slides], [ca.atan2(over, under)])
        rng = np.random.default_rng(0)
        tries = [np.zeros(len(own)), *rng.uniform(-np.pi, np.pi, (4, len(own)))]
        ways = [np.zeros(len(others)), *rng.uniform(-NEAR, NEAR, (4, len(others)))]
        pairs = [np.column_stack([np.sin(phi), np.cos(phi)]).ravel() for phi in tries]
        found = [float(function(at, self.values, way)) for at, way in zip(pairs, ways, strict=True)]
        for signs in itertools.product((1.0, -1.0), repeat=len(own)):
            apart = [x - found[0] - np.dot(signs, phi) for x, phi in zip(found[1:], tries[1:], strict=True)]
            if all(abs(np.sin(x / 2)) < 1e-9 for x in apart):
                rest = ca.substitute(
                    ca.atan2(over, under),
                    ca.vertcat(inner, slides),
                    ca.SX([*pairs[0].tolist(), *ways[0].tolist()]),
                )
                return rest + sum((sign * self.phi[k] for sign, k in zip(signs, own, strict=True)), ca.SX(0))
        return ca.atan2(over, under)

    def _pair(self, k: int) -> ca.SX:
        return ca.vertcat(self.sine[k], self.cosine[k])
