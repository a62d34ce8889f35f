"""Internal (concave-convex) mesh: a pinion a inside a ring b, on parallel axes, turning the same way.

Position level (Vlasenko, Kasper, (34); their i is the ring, j the pinion):

    g = r_a psi_a - r_b psi_b + tan(beta) l . (r_b z_b - r_a z_a)/(r_b - r_a)

Velocity level, with closed geometry (|l| = r_b - r_a), their (36):

    G^T = (d; (P - x_a) x d; -d; -(P - x_b) x d),   d = t - tan(beta) z_a,   t = z_a x e,   e = -l/|l|

with e from either centre to the contact point. Numbers and markers are those of the external mesh; the ring has the
hand of the pinion. Tooth force on b: F_t t - F_t tan(beta) z_a + |F_t| tan(alpha_t) e; the radial part pushes the ring
outward and the pinion towards the ring's centre.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.elements.meshes.parallel import ParallelEquations, ParallelGears


class InternalMesh(ParallelGears):
    """A pinion inside a ring, on parallel axes, turning the same way. Removes 1 degree of freedom.

    Sized by `teeth` and `module`; or by `radii`; or by `teeth` or `ratio` alone, the radii then following from the
    distance of the axes. That distance is the difference of the pitch radii, or with `profile_shift` at most the one at
    which the shifted teeth just mesh.

    Fields:
        bodies: names of the pinion (a) and the ring (b)
        teeth [1]: of pinion and ring, whole numbers; found where left out
        radii [m]: pitch radii of pinion and ring
        ratio [1]: teeth of the ring over teeth of the pinion, more than 1; the speed of a over that of b
        module [m]: of the normal section: pitch diameter = teeth * module / cos(helix_angle)
        helix_angle [rad]: of the pinion, positive right-handed; the ring has the same hand
        profile_shift [1]: coefficients of pinion and ring; ISO's sign: x > 0 makes teeth thicker on both
        thickness_allowance [m]: of the teeth of pinion and ring, in the normal section; negative makes them thinner
        tip_alteration [1]: of the teeth of pinion and ring, in modules; negative shortens them
        model: of the teeth: `rigid`, `compliant` or `contact`
    """

    type: Literal["internal"] = "internal"
    b_is_ring = True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        for name, noun, unit in (("teeth", "teeth", ""), ("radii", "a pitch radius of", " m")):
            pair = getattr(self, name)
            small, large = (None, None) if pair is None else (value(pair[0]), value(pair[1]))
            if small is not None and large is not None and large <= small:
                text = f"the ring `{self.bodies[1]}` must be larger than the pinion `{self.bodies[0]}`, "
                has = (
                    f"but has {large:g} {noun} against {small:g}"
                    if not unit
                    else f"but has {noun} {large:g}{unit} against {small:g}{unit}"
                )
                yield Issue(name, text + has, "body a is the pinion, body b the ring: exchange them")
        ratio = None if self.ratio is None else value(self.ratio)
        if ratio is not None and 0 < ratio <= 1:
            text = f"must be more than 1 (the ring is larger than the pinion), but is {ratio:g}"
            yield Issue("ratio", text, "body a is the pinion, body b the ring")

    class Equations(ParallelEquations):
        outside = False

        def no_slip(self, a, b, x):
            return self.rolled(a, b, x["r_a"], -x["r_b"], x["tan_beta"])  # (34) and (36)
