"""What prompts and notebooks show of a pair of gears: a line, and its data sheet."""

from __future__ import annotations

from wheelwork.lazy import gear_sheets
from wheelwork.notebook import grid, short_table

from .involute import GeometryError


class WithSheet:
    """A pair that has a data sheet (:mod:`wheelwork.gears.sheet`)."""

    def _repr_html_(self) -> str:
        """For notebooks."""
        try:
            found = gear_sheets.sheet(self)
        except GeometryError as error:
            return short_table(type(self).__name__, {"no data sheet": error})
        tables = []
        for one in found.tables:
            rows = [(entry.name, entry.symbol, *entry.shown, entry.unit) for entry in one.entries]
            tables.append(grid(one.title, ("", "", *one.columns, ""), rows))
        remarks = {str(k): f"{one.level}: {one.message}" for k, one in enumerate(found.findings or (), 1)}
        return "".join(tables) + (short_table("Findings", remarks) if remarks else "")
