"""Where it comes from: model, parameters, version; and how to run it again."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path

from ..html import card, facts, section, side_by_side, table


def provenance(
    *,
    name: str,
    file: str,
    version: str,
    date: str,
    model: str,
    parameters: Mapping[str, float],
    units: Mapping[str, str],
) -> str:
    rows = [("model", name or "(no name)"), ("file", file), ("wheelwork", version), ("date", date)]
    values: list[list[str | float]] = [
        [key, float(value), units.get(key, "")] for key, value in parameters.items()
    ]
    return (
        section(
            "Provenance",
            side_by_side(card(facts(rows)), card(table(["parameter", "value", "unit"], values))),
            _again(file, model),
        )
        + f"<footer>Made by Wheelwork {escape(version)}. This file needs no network and no other file.</footer>"
    )


def _again(file: str, model: str) -> str:
    stem = Path(file).name or "model.yaml"
    lines = f"wheelwork run {stem}\nwheelwork view {stem}"
    return (
        '<div class="card again"><h3>How to run it again</h3><p>Save the model, then:</p>'
        f'<pre>{escape(lines)}</pre><p><button id="save" data-name="{escape(stem)}">Save {escape(stem)}</button></p>'
        f'<details><summary>Model, as it was run</summary><pre id="model">{escape(model)}</pre></details></div>'
    )
