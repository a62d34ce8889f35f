"""A pair of wheels in tooth contact, driven and braked, to run."""

from typing import Any

import wheelwork as ww

LINEAR = {"type": "linear", "stiffness": 2e8}
HUNT_CROSSLEY = {"type": "hunt_crossley", "factor": 20.0}
INERTIA = (1e-3, 4e-3)
RESISTANCE = 1.0  # N m s/rad, on the gear


def contact_pair(
    *, torque: Any = 20.0, mesh: dict | None = None, speeds: tuple[float, float] = (0.0, 0.0), **model: Any
) -> ww.Mechanism:
    """z 20/40, module 2 mm; torque on the pinion, viscous resistance on the gear."""
    teeth = ww.ContactTeeth(**{"elastic": LINEAR, "viscous": HUNT_CROSSLEY, "phase": 0.0, **model})
    m = ww.Mechanism("pair", kind="planar", gravity=(0, 0))
    m.add("pinion", ww.Body(mass=1, inertia=INERTIA[0], position=(0, 0), angular_velocity=speeds[0]))
    m.add("gear", ww.Body(mass=2, inertia=INERTIA[1], position=(60e-3, 0), angular_velocity=speeds[1]))
    m.add("left", ww.Revolute(bodies=("ground", "pinion"), point=(0, 0)))
    m.add("right", ww.Revolute(bodies=("ground", "gear"), point=(60e-3, 0)))
    sizes = {"teeth": (20, 40), "module": 2e-3, "face_width": 20e-3, **(mesh or {})}
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "gear"), model=teeth, **sizes))
    m.add("drive", ww.Torque(body="pinion", value=torque))
    m.add("drag", ww.Friction(joint="right", viscous=RESISTANCE))
    return m
