"""The picture of the page on mesh models: one pair of gears with rigid, compliant and contact teeth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

PAGE = Path(__file__).parent / "mesh-models.md"


def pair_of_the_page() -> Any:
    """The functions that the page defines in its first block."""
    text = PAGE.read_text("utf-8")
    names: dict[str, Any] = {}
    exec(compile(text.split("```python\n")[1].split("```")[0], str(PAGE), "exec"), names)
    return names["pair"], names["MODELS"]


def mesh_models(tools: Any) -> None:
    pair, models = pair_of_the_page()
    runs = {
        name: pair(model).simulate(end=0.2, output=40_000, progress=False) for name, model in models.items()
    }
    colors = {"rigid": tools.INK, "compliant": tools.ORANGE, "contact": tools.BLUE}
    figure = Figure(figsize=(9.5, 7.6), dpi=tools.DOTS, facecolor="white", layout="constrained")
    whole, cycles, pairs, back = figure.subplots(4, 1)
    for panel in (whole, cycles, pairs, back):
        tools.style(panel)
    for name in ("contact", "compliant", "rigid"):
        r = runs[name]
        force = r["teeth.force.tangential"] / 1000
        for panel in (whole, cycles, back):
            thin = panel is whole and name != "rigid"
            panel.plot(r.t, force, color=colors[name], linewidth=0.6 if thin else 1.3, label=name)
    r = runs["contact"]
    for k, color in ((1, tools.TEAL), (2, tools.PURPLE)):
        pairs.plot(
            r.t, r[f"teeth.front.{k}.force.normal"] / 1000, color=color, linewidth=1.2, label=f"pair {k}"
        )
        friction = r[f"teeth.front.{k}.force.friction"] / 100
        pairs.plot(r.t, friction, ":", color=color, linewidth=1.2, label=f"friction {k} [0.1 kN]")
    for panel in (cycles, pairs):
        panel.set_xlim(0.14, 0.146)
    whole.set_ylim(-3, 3)
    cycles.set_ylim(0.6, 1.4)
    pairs.set_ylim(-0.8, 1.9)
    back.set_xlim(0.1495, 0.1545)
    back.set_ylim(-1.8, 1.6)
    tools.title(whole, "tooth force [kN]: start, run, reversal at 0.15 s", "")
    tools.title(cycles, "the same, four mesh cycles", "")
    tools.title(pairs, "`contact`: what the pairs of teeth carry [kN]", "")
    tools.title(back, "tooth force at the reversal [kN]")
    for panel in (whole, pairs):
        tools.legend(panel, loc="upper right", ncols=4)
    tools.save(figure, "mesh-models", tools.GEARS)
