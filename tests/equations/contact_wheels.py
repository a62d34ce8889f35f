"""Two wheels in tooth contact that nothing holds, put wherever a test wants them."""

from typing import Any

import numpy as np

import wheelwork as ww
from wheelwork.gears import GearPair, RackPair

from .single_force import Force

MODULE = 2e-3
KINDS = ("external", "internal", "rack")
CENTRE_B = {"external": (60e-3, 0.0), "internal": (-30e-3, 0.0), "rack": (0.0, -20e-3)}
"""At the given position; wheel a is in the origin."""
SIZES: dict[str, Any] = {"face_width": 20e-3, "thickness_allowance": (-40e-6, -60e-6), "dedendum": 1.4}


def free_wheels(planar: bool, a: tuple[float, float], b: tuple[float, float]) -> ww.Mechanism:
    """Two bodies that nothing holds, at these places, without weight."""
    depth, inertia = ((), 1e-3) if planar else ((0.0,), (1e-3, 1e-3, 1e-3))
    m = ww.Mechanism("free", kind="planar" if planar else "spatial", gravity=(0, 0, *depth))
    for name, place in (("a", a), ("b", b)):
        m.add(name, ww.Body(mass=1, inertia=inertia, position=(*place, *depth)))
    return m


def free_pair(
    kind: str, *, planar: bool = True, helix: float = 0.0, mesh: dict | None = None, **model: Any
) -> ww.Mechanism:
    m = free_wheels(planar, (0, 0), CENTRE_B[kind])
    teeth = ww.ContactTeeth(**{"elastic": {"type": "linear", "stiffness": 2e8}, "phase": 0.2, **model})
    sizes = {"module": MODULE * np.cos(helix), "helix_angle": helix, **SIZES, "model": teeth, **(mesh or {})}
    return meshed(m, kind, planar, **sizes)


def meshed(m: ww.Mechanism, kind: str, planar: bool, **sizes: Any) -> ww.Mechanism:
    """With the wheels a, about the origin, and b in mesh."""
    depth = () if planar else (0.0,)
    where: dict[str, Any] = {"point_a": (0, 0, *depth), "point_b": (*CENTRE_B[kind], *depth)}
    if not planar:
        where |= {"axis_a": (0, 0, 1), "axis_b": (0, 0, 1)}
    if kind == "rack":
        where["axis_b"] = (1, 0, *depth)
    mesh, teeth = {
        "rack": (ww.RackMesh, 20),
        "internal": (ww.InternalMesh, (20, 50)),
        "external": (ww.ExternalMesh, (20, 40)),
    }[kind]
    m.add("mesh", mesh(bodies=("a", "b"), teeth=teeth, **sizes, **where))
    return m


def teeth_of(kind: str) -> GearPair | RackPair:
    """The same teeth as `wheelwork.gears` has them, at the given position."""
    from wheelwork.gears import BasicRack, Gear

    rack = BasicRack(dedendum=SIZES["dedendum"])
    allowance = SIZES["thickness_allowance"]
    if kind == "rack":
        return RackPair(
            Gear(20, MODULE, rack=rack, thickness_allowance=allowance[0], face_width=20e-3),
            rack_thickness_allowance=allowance[1],
            rack_face_width=20e-3,
        )
    return GearPair.of(
        (20, 40 if kind == "external" else 50),
        MODULE,
        internal=kind == "internal",
        rack=rack,
        thickness_allowance=allowance,
        face_width=20e-3,
        centre_distance=abs(CENTRE_B[kind][0]),
    )


class Wheels(Force):
    """Wheels in the plane, or in space on parallel axes; poses and velocities of both are (x, y, phi)."""

    def look(self, a: Any, b: Any, twist: Any = None) -> tuple[np.ndarray, dict[str, float]]:
        """Wrenches on a and b and signals with the wheels moved from the given position by a and b."""
        space, state = self.program.space, self.program.coordinates(self.numbers.state)
        q, speeds = np.array(state), np.zeros((2, space.V))
        for k, (x, y, phi) in enumerate((a, b)):
            q[k, :2] += x, y
            if space.V == 3:
                q[k, 2] += phi
            else:
                q[k, 3:] = np.cos(phi / 2), 0, 0, np.sin(phi / 2)  # the wheels are given unturned
        if twist is not None:
            speeds[:, [0, 1, space.V - 1]] = np.asarray(twist, dtype=float).reshape(2, 3)
        arguments = [*space.records(q, speeds), self.data, np.zeros(0), np.zeros(0), 0.0]
        wrench = np.array(self.kernel.wrench(*arguments)).ravel()
        signals = np.array(self.kernel.signals(*arguments)).ravel()
        return wrench, dict(zip(["potential", *self.kernel.signal_names], signals, strict=True))
