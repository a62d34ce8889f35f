"""The ready-made figures that the page about figures shows, each for light and dark screens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from wheelwork import loads
from wheelwork.gears import GearPair
from wheelwork.gears.stiffness import BeamSlices, EnergyMethod, Iso6336
from wheelwork.show.figures import gear_pairs, mesh_stiffness

RUN_UP = """\
wheelwork: 1
name: run-up
bodies:
  shaft: {type: rotor, inertia: 0.02}
  disc: {type: rotor, inertia: 0.02}
forces:
  spring: {type: torsional_spring, bodies: [shaft, disc], stiffness: 2e4 N*m/rad, damping: 0.5 N*m*s/rad}
  ripple: {type: actuator, joint: disc.bearing, value: 3*sin(3*shaft.angle) + sin(8*shaft.angle)}
drivers:
  motor: {type: joint, joint: shaft.bearing, value: 2*pi*(10*t + 15*t^2)}
"""

PAIR = GearPair.of((20, 45), 3e-3, face_width=25e-3)


def both(tools: Any, name: str, draw: Callable[..., Any]) -> None:
    """The same figure in two themes."""
    from matplotlib import pyplot as plt

    folder = tools.STATIC / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        draw(theme=theme).savefig(folder / f"{name}-{theme}.png", dpi=110, metadata={"Software": None})
    plt.close("all")


def figures_of_runs(tools: Any) -> None:
    gearbox, block, transmission = (
        tools.result(n) for n in ("planetary-gearbox", "stick-slip", "automatic-transmission")
    )
    both(
        tools, "signals", lambda **o: block.plot("block.position.x", "block.velocity.x", "rubbing.force", **o)
    )
    for name in ("motion", "energy", "tooth_forces", "reactions", "residuals", "power_flow"):
        both(tools, name, getattr(gearbox.plot, name))
    both(tools, "train-graph", transmission.plot.graph)
    both(tools, "joint-graph", tools.result("squeezer").plot.graph)


def figures_of_gears(tools: Any) -> None:
    methods = {"energy": EnergyMethod(PAIR), "beam slices": BeamSlices(PAIR), "ISO 6336-1": Iso6336(PAIR)}
    both(tools, "mesh-stiffness", lambda **o: mesh_stiffness(methods, 5000.0, **o))
    both(tools, "gear-pair", lambda **o: gear_pairs({"20:45": PAIR}, **o))


def chart_of_the_guide() -> Any:
    """The machine of the page about stability."""
    page = (Path(__file__).parent / "stability.md").read_text(encoding="utf-8")
    return loads(page.partition("```yaml\n")[2].partition("```")[0])


def figures_of_stability(tools: Any) -> None:
    m = chart_of_the_guide()
    both(tools, "stability", m.run(progress=False).plot)
    over = {"speed": np.linspace(1200, 6000, 33) * np.pi / 30, "part": np.linspace(0.0, 0.6, 13)}
    both(tools, "stability-map", m.stability(over=over, progress=False).plot)


def figures_of_vibration(tools: Any) -> None:
    m = tools.model("mesh-phasing")
    both(tools, "modes", m.modes().plot)
    campbell = m.campbell("speed", np.linspace(5, 320, 43), orders=(36, 72))
    both(tools, "campbell", campbell.plot)
    response = m.frequency_response(
        "first.error", ["output.acceleration", "wheel2.acceleration"], np.linspace(10, 2000, 800)
    )
    both(tools, "response", response.plot)
    force = "mesh.force.transverse"
    sweep = tools.model("backlash-pair").sweep(
        "speed",
        np.linspace(250, 700, 46),
        signals=[force],
        frequency="speed/(2*pi)",
        settle=8,
        measure=1,
        samples=800,
        histories=True,
    )
    both(tools, "order-map", lambda **o: sweep.plot_orders(force, most=110, **o))
    run_up = loads(RUN_UP).simulate(end=4, output=16_000)
    shown = {"most": 700, "orders": (3, 8)}
    both(tools, "waterfall", lambda **o: run_up.plot.waterfall("spring.torque", "shaft.angle", **shown, **o))
