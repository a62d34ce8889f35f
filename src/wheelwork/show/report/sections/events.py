"""Impacts, sticking and sliding, teeth that skip, one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..html import card, note, section, table

if TYPE_CHECKING:
    from wheelwork.results import Result

MOST = 200
IMPACTS = ("IMPACT", "REST")
"""Events that have an impulse."""


def events(result: Result) -> str:
    found = result.events
    rows: list[list[str | float]] = [
        [float(e.t), e.kind.name.lower(), e.element, float(e.size) if e.kind.name in IMPACTS else ""]
        for e in found[:MOST]
    ]
    more = f"and {len(found) - MOST} more" if len(found) > MOST else ""
    body = card(table(["time [s]", "what", "where", "impulse [N s]"], rows) + note(more)) if rows else ""
    return section(f"Events ({len(found)})", body, name="events")
