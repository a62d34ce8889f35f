r"""Where the teeth of all wheels stand, so that teeth in mesh do not run into each other: for all types of mesh.

:mod:`wheelwork.layout.phases` hands places of teeth on from wheel to wheel on parallel axes; here are meshes
of the other types in its terms. With z_i the axes of the markers, e_i from the wheel's axis to the pitch
point, and rho_i = r_i cos(beta_i) (beta = 0 for bevel wheels) a tooth of wheel a at the place s, in the section in
which both wheels have the same pitch p, is at the angle s/rho_a about z_a from e_a; a tooth of b at -(s + p/2)/rho_b
about z_b from e_b; of a ring at (s + p/2)/rho_b.

A wheel has one plane of reference, and a helix turns its section by `slope` times the height over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wheelwork.layout.phases import MeshAtStart, angle_about, places_of_teeth, turned_about

from .drawn_meshes import DrawnMesh


@dataclass(frozen=True)
class AnyMeshAtStart(MeshAtStart):
    """A mesh of any type at the given position.

    axes: z_a, z_b; outwards: e_a, e_b; radii: rho_a, rho_b
    offsets: angle about z_i from the mesh's plane to the wheel's plane of reference [rad]; of a rack along it [m]
    """

    axes: tuple[np.ndarray, np.ndarray]
    outwards: tuple[np.ndarray, np.ndarray]
    offsets: tuple[float, float]

    def tooth(self, side: int, place: float) -> np.ndarray:
        arc = place if side == 0 else self._sense * (place + self.pitch / 2)
        if self._is_rack(side):
            return self.point + (arc + self.offsets[1]) * self.forward
        return turned_about(self.axes[side], self.outwards[side], arc / self.radii[side] + self.offsets[side])

    def in_plane_of_wheel(self, side: int, tooth: np.ndarray) -> np.ndarray:
        """A tooth of the mesh's plane as it is in the wheel's plane of reference."""
        if self._is_rack(side):
            return tooth + self.offsets[1] * self.forward
        return turned_about(self.axes[side], tooth, self.offsets[side])

    def place(self, side: int, tooth: np.ndarray) -> float:
        if self._is_rack(side):
            arc = float(self.forward @ (tooth - self.point)) - self.offsets[1]
        else:
            angle = angle_about(self.axes[side], self.outwards[side], tooth) - self.offsets[side]
            arc = self.radii[side] * angle
        return (arc if side == 0 else self._sense * arc - self.pitch / 2) % self.pitch

    def _is_rack(self, side: int) -> bool:
        return side == 1 and self.b_is_rack

    @property
    def _sense(self) -> int:
        return 1 if self.b_is_ring or self.b_is_rack else -1


def at_start(site: DrawnMesh, wheels: tuple[int, int], offsets: tuple[float, float]) -> AnyMeshAtStart:
    """A mesh whose wheels go by their numbers in a list."""
    a, b = site.wheels
    axes = a.turned[:, 2], b.turned[:, 2]
    outwards = tuple(
        _outward(axis, side.centre, site.contact) for axis, side in zip(axes, site.wheels, strict=True)
    )
    return AnyMeshAtStart(
        site.mesh.b_is_ring,
        ((str(wheels[0]), a.teeth), (str(wheels[1]), b.teeth)),
        axes[0],
        outwards[0],
        site.contact,
        (a.radius * float(np.cos(a.helix)), b.radius * float(np.cos(b.helix))),
        site.pitch,
        axes,
        (outwards[0], outwards[1]),
        offsets,
    )


def _outward(axis: np.ndarray, centre: np.ndarray, point: np.ndarray) -> np.ndarray:
    arm = point - centre
    arm = arm - axis * (axis @ arm)
    length = float(np.linalg.norm(arm))
    return arm / length if length > 0 else arm


def teeth_of_wheels(
    meshes: Sequence[AnyMeshAtStart],
    names: Sequence[str],
    given: dict[str, float],
    known: dict[str, np.ndarray],
) -> tuple[dict[str, np.ndarray], list[str]]:
    """The direction (of a rack the point) of a tooth of each wheel in the world, and meshes that do not fit the others.

    given: places that are known, by name [m]; known: directions of teeth that are, by wheel
    """
    by_name = dict(zip(names, meshes, strict=True))
    wheels = {wheel for mesh in meshes for wheel in mesh.wheels}
    places = places_of_teeth(
        by_name, given, {wheel: known[wheel[0]] for wheel in wheels if wheel[0] in known}
    )
    teeth = dict(known)
    unfit = []
    for name, place in places.items():
        mesh = by_name[name]
        for side in (0, 1):
            wheel = mesh.wheels[side][0]
            tooth = teeth.setdefault(wheel, mesh.tooth(side, place))
            off = (mesh.place(side, tooth) - place + mesh.pitch / 2) % mesh.pitch - mesh.pitch / 2
            if wheel in known:
                continue  # the mechanism is assembled into this phase
            if abs(off) > 1e-3 * mesh.pitch and name not in unfit:
                unfit.append(name)
    return teeth, unfit
