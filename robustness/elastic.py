"""Random gear trains whose teeth give way: springs along the line of action, or flanks in contact, of any material."""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork import description as ww

from .trains import MODULE, housing, spin
from .workshop import Workshop

MODULI = (206e9, 206e9, 105e9, 70e9, 10e9, 3e9)
"""Pa; steel, bronze, aluminium, two plastics."""
FACE = 0.02  # m


def elastic(w: Workshop) -> None:
    """One or two pairs, each with teeth of one kind and of one or two materials; loads on both ends."""
    carrier = housing(w)
    axis, place = w.direction(), np.zeros(3)
    first = parent = w.wheel(place, axis, 0.03)
    w.hinge(carrier, first, place, axis)
    for _ in range(int(w.rng.integers(1, 3))):
        across = np.cross(axis, w.rng.normal(size=3))
        across /= np.linalg.norm(across)
        teeth = (int(w.rng.integers(20, 40)), int(w.rng.integers(20, 40)))
        mesh: type[Any] = ww.ExternalMesh
        if w.chance(0.25):
            mesh, teeth = ww.InternalMesh, (teeth[0], teeth[0] + teeth[1])
        away = sum(teeth) if mesh is ww.ExternalMesh else teeth[1] - teeth[0]
        place = place + MODULE * away / 2 * across
        wheel = w.wheel(place, axis, MODULE * teeth[1] / 2)
        w.hinge(carrier, wheel, place, axis)
        # some backlash: where flanks just touch at the start, rounding tells which of them do
        thinner = tuple(float(x) for x in -w.rng.uniform(1e-5, 5e-5, size=2))
        fields: dict[str, Any] = {
            "teeth": teeth,
            "module": MODULE,
            "face_width": FACE,
            "thickness_allowance": thinner,
        }
        w.m.add(f"mesh{len(w.places)}", mesh(bodies=(parent, wheel), model=_teeth(w), **fields))
        parent = wheel
    spin(w, first, axis, 3.0)
    spin(w, parent, axis, 3.0)


def _teeth(w: Workshop) -> ww.CompliantTeeth | ww.ContactTeeth:
    """A model of teeth, on one flank at the start or within the backlash."""
    moduli = (w.pick(MODULI), w.pick(MODULI))
    modulus: Any = moduli if w.chance(0.5) else moduli[0]
    if w.chance(0.4):
        touching: Any = w.pick(
            [ww.ToothContact(), ww.ToothContact(method="beam"), ww.JohnsonContact(), ww.WeberContact()]
        )
        viscous: Any = w.pick([ww.NoDamping(), ww.HuntCrossley(factor=float(w.rng.uniform(0.1, 2.0)))])
        return ww.ContactTeeth(elastic=touching, viscous=viscous, youngs_modulus=modulus)
    stiffness = w.pick([ww.IsoStiffness, ww.EnergyStiffness, ww.BeamStiffness])(youngs_modulus=modulus)
    law = w.pick(["contact", "elastic", "linear"])
    # with `contact` a damper's force jumps as teeth strike, which tight explicit steps may not pass
    damping = 0.0 if law == "contact" else float(w.rng.uniform(0, 0.1))
    return ww.CompliantTeeth(stiffness=stiffness, damping_ratio=damping, law=law)
