"""Pairs of wheels of every type, as they are shown."""

from __future__ import annotations

from typing import Any

import numpy as np

import wheelwork as ww

M = 2e-3
Y, Z = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def pair(mesh: Any, point_b: Any, axis_b: Any = Z, point_a: Any = (0, 0, 0)) -> ww.Mechanism:
    """Two wheels in a housing."""
    m = ww.Mechanism("pair")
    for name, point, axis in (("a", point_a, Z), ("b", point_b, axis_b)):
        at = tuple(float(x) for x in point)
        m.add(name, ww.Body(mass=1, inertia=(1, 1, 1), position=at))
        m.add(f"{name}-bearing", ww.Revolute(bodies=("ground", name), point=at, axis=axis))
    m.add("mesh", mesh)
    return m


def rack() -> ww.Mechanism:
    m = ww.Mechanism("rack")
    m.add("a", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add(
        "b",
        ww.Body(mass=1, inertia=(1, 1, 1), shape=ww.Box(size=(0.09, 0.016, 0.02)), position=(0, -0.02, 0)),
    )
    m.add("bearing", ww.Revolute(bodies=("ground", "a"), point=(0, 0, 0), axis=Z))
    m.add("slide", ww.Prismatic(bodies=("ground", "b"), point=(0, -0.02, 0), axis=(1, 0, 0)))
    m.add("mesh", ww.RackMesh(bodies=("a", "b"), teeth=20, module=M, face_width=16e-3))
    return m


def all_pairs() -> dict[str, tuple[ww.Mechanism, float, float]]:
    """Model, yaw and pitch by name."""
    both, beta = {"bodies": ("a", "b"), "module": M}, np.radians(25)
    steep = np.radians((50.0, 40.0))
    helical = (17 + 29) * M / 2 / np.cos(beta)
    crossed = M / 2 * (16 / np.cos(steep[0]) + 22 / np.cos(steep[1]))
    return {
        "external, helical": (
            pair(
                ww.ExternalMesh(teeth=(17, 29), helix_angle=beta, face_width=18e-3, **both), (helical, 0, 0)
            ),
            -1.2,
            0.75,
        ),
        "internal": (
            pair(ww.InternalMesh(teeth=(18, 47), face_width=14e-3, **both), (29 * M / 2, 0, 0)),
            -1.2,
            0.85,
        ),
        "rack": (rack(), -1.2, 0.95),
        "bevel": (
            pair(
                ww.BevelMesh(teeth=(16, 27), face_width=11e-3, **both),
                (0.02, 0, 0),
                (1.0, 0.0, 0.0),
                (0, 0, 0.04),
            ),
            -0.55,
            0.45,
        ),
        "worm": (
            pair(ww.WormMesh(teeth=(2, 31), diameter=20e-3, **both), (10e-3 + 31 * M / 2, 0, 0), Y),
            -0.9,
            0.3,
        ),
        "crossed, 90 deg": (
            pair(ww.CrossedMesh(teeth=(16, 22), helix_angles=tuple(steep), **both), (crossed, 0, 0), Y),
            -0.9,
            0.35,
        ),
    }


def tooth_solids(tools: Any) -> None:
    """All types, three in a row."""
    from wheelwork.show.player.film import film_of_motion
    from wheelwork.show.player.render import Painter

    figure = tools.Figure(figsize=(9.5, 6.2), dpi=tools.DOTS, facecolor="white")
    for k, (name, (m, yaw, pitch)) in enumerate(all_pairs().items()):
        axes = figure.add_axes((k % 3 / 3, 0.5 - k // 3 / 2, 1 / 3, 0.5))
        box = axes.get_window_extent()
        painter = Painter(
            film_of_motion(m.assemble().motion), (round(box.width), round(box.height)), yaw=yaw, pitch=pitch
        )
        axes.imshow(painter.picture(0.0), interpolation="none", aspect="auto")
        axes.set_axis_off()
        axes.text(0.03, 0.95, name, transform=axes.transAxes, color=tools.INK, fontsize=9, va="top")
    tools.save(figure, "tooth-solids", tools.GEARS)
