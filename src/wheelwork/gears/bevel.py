"""Bevel pairs through virtual spur gears (Tredgold), as ISO 23509 and ISO 10300 do it.

    tan(delta_a) = sin(Sigma) / (z_b/z_a + cos(Sigma)),  delta_b = Sigma - delta_a      pitch cone angles
    d_e = z m_et                     outer pitch diameter, m_et the outer transverse module
    R_e = d_ea / (2 sin(delta_a))    outer cone distance
    R_m = R_e - b/2, m_mt = m_et R_m/R_e, m_mn = m_mt cos(beta_m)                       at the middle of the face
    z_v = z / cos(delta)             teeth of the virtual cylindrical gear on the back cone
    d_v = d_m / cos(delta)           its reference diameter

The virtual pair has the tooth shapes of the middle of the face, so contact ratio, undercut, tip thickness and
stiffness are those of a pair of cylindrical gears with z_v teeth, which need not be whole. Profile shifts are x_a =
-x_b, as the pitch cones of a bevel pair cannot move apart.
"""

from __future__ import annotations

from math import atan2, cos, degrees, pi, sin

from wheelwork.lazy import dataclass

from .basic_rack import ISO_53_A, BasicRack
from .in_notebooks import WithSheet
from .involute import GeometryError
from .pair import GearPair


@dataclass(frozen=True)
class BevelPair(WithSheet):
    """Two bevel gears whose axes cross.

    teeth: z_a, z_b
    outer_module: m_et [m], transverse, at the outer end of the teeth
    face_width: b [m], along the cone
    shaft_angle: Sigma [rad], between the axes
    spiral_angle: beta_m of wheel a at the middle of the face [rad]; 0 for straight teeth
    profile_shift: x_a; wheel b has the opposite
    rack: basic rack, in the normal section
    """

    teeth: tuple[int, int]
    outer_module: float
    face_width: float
    shaft_angle: float = pi / 2
    spiral_angle: float = 0.0
    profile_shift: float = 0.0
    rack: BasicRack = ISO_53_A

    def __post_init__(self) -> None:
        if not 0 < self.shaft_angle < pi:
            raise GeometryError(
                "the axes of a bevel pair must cross at an angle between 0 and 180 deg, but "
                f"{degrees(self.shaft_angle):.4g} deg was given (angles are in radians)"
            )
        if not 0 < self.face_width < self.outer_cone_distance:
            raise GeometryError(
                f"the face width of a bevel pair must lie between 0 and the cone distance of "
                f"{self.outer_cone_distance * 1e3:.4g} mm, but is {self.face_width * 1e3:.4g} mm"
            )

    @property
    def cone_angles(self) -> tuple[float, float]:
        """delta_a, delta_b [rad]"""
        z_a, z_b = self.teeth
        delta = atan2(sin(self.shaft_angle), z_b / z_a + cos(self.shaft_angle))
        return delta, self.shaft_angle - delta

    @property
    def outer_diameters(self) -> tuple[float, float]:
        """d_e [m], pitch diameters at the outer end"""
        return self.teeth[0] * self.outer_module, self.teeth[1] * self.outer_module

    @property
    def outer_cone_distance(self) -> float:
        """R_e [m]"""
        return self.outer_diameters[0] / (2 * sin(self.cone_angles[0]))

    @property
    def mean_cone_distance(self) -> float:
        """R_m [m]"""
        return self.outer_cone_distance - self.face_width / 2

    @property
    def mean_module(self) -> float:
        """m_mn [m], normal, in the middle of the face"""
        return self.outer_module * self.mean_cone_distance / self.outer_cone_distance * cos(self.spiral_angle)

    @property
    def mean_diameters(self) -> tuple[float, float]:
        """d_m [m], pitch diameters in the middle of the face"""
        share = self.mean_cone_distance / self.outer_cone_distance
        return self.outer_diameters[0] * share, self.outer_diameters[1] * share

    @property
    def virtual_teeth(self) -> tuple[float, float]:
        """z_v = z / cos(delta); beyond 90 deg of cone angle the wheel is hollow, and the number negative"""
        (z_a, z_b), (delta_a, delta_b) = self.teeth, self.cone_angles
        return z_a / cos(delta_a), z_b / cos(delta_b)

    @property
    def virtual_pair(self) -> GearPair:
        """The pair of cylindrical gears with the tooth shapes of the middle of the face; its teeth are not whole."""
        z_a, z_b = self.virtual_teeth
        if min(z_a, z_b) <= 0 or max(z_a, z_b) > 1e4:
            raise GeometryError(
                f"a bevel wheel with a cone angle of {degrees(max(self.cone_angles)):.4g} deg is a crown gear or "
                "hollow; it has no virtual spur gear"
            )
        shift = self.profile_shift
        return GearPair.of(
            (z_a, z_b),
            self.mean_module,
            rack=self.rack,
            helix_angle=self.spiral_angle,
            profile_shift=(shift, -shift),
            face_width=self.face_width,
        )
