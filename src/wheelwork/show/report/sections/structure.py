"""What the mechanism is: counts, degrees of freedom, redundant constraints, its graph, ratios of its gears."""

from __future__ import annotations

from fractions import Fraction

from wheelwork.analyses import CheckReport
from wheelwork.description import Flat, ModelError
from wheelwork.show.figures.joint_graph import joint_graph, train_of
from wheelwork.show.figures.train_graph import train_graph
from wheelwork.trains import TrainGraph, modes, speeds

from ..html import card, facts, note, picture, section, side_by_side, table
from ..svg import SKETCH, inline

MOST_BODIES = 60
"""In a graph that can be read."""
MOST_ROWS = 30
OPEN = "which counts as open"


def structure(flat: Flat, check: CheckReport | None, pictures: bool = True) -> str:
    train, why = _train(flat)
    parts = [side_by_side(card(facts(_counts(flat, check))), card(_ratios(train)))]
    if train is not None:
        parts.append(side_by_side(card(_gears(train))))
    parts += map(note, why)
    if pictures and len(flat.bodies) + len(flat.rotors) <= MOST_BODIES and flat.bodies:
        figure = joint_graph(flat, theme=SKETCH) if train is None else train_graph(train, theme=SKETCH)
        caption = "Bodies and joints" if train is None else "Graph of the gear train"
        parts.append(picture(inline(figure), caption))
    return section("Structure", *parts)


def _train(flat: Flat) -> tuple[TrainGraph | None, list[str]]:
    """The gear train, if there is one, with what was taken for granted of it, or why its ratios are not known."""
    try:
        train = train_of(flat)
    except ModelError as error:
        return None, [f"Ratios are not known: {problem}" for problem in error.problems[:1]]
    if train is None:
        return None, []
    out = train.train.left_out
    open_ = [name for name, what in out.items() if what.endswith(OPEN)]
    rest = [f"{name} ({what})" for name, what in out.items() if name not in open_]
    left = [f"Count as open: {', '.join(open_)}."] if open_ else []
    left += [f"Left out of the graph: {', '.join(rest)}."] if rest else []
    return train, [*train.train.assumptions, *train.train.notes, *left]


def _counts(flat: Flat, check: CheckReport | None) -> list[tuple[str, str]]:
    rows = [("bodies", str(len(flat.bodies))), ("joints", str(len(flat.joints)))]
    rows += [("gear meshes", str(len(flat.meshes)))] if flat.meshes else []
    if check is None:
        return rows
    rows += [
        ("constraints", str(check.constraint_rows)),
        ("degrees of freedom", check.freedoms),
        ("redundant constraints", _listed(check.redundant)),
        ("bodies not tied to ground", ", ".join(check.loose_bodies)),
        ("drivers", ", ".join(check.drivers)),
        ("forces", ", ".join(check.forces)),
    ]
    return rows


def _listed(names: list[str], most: int = 12) -> str:
    if not names:
        return "none"
    more = f", and {len(names) - most} more" if len(names) > most else ""
    return f"{len(names)}: {', '.join(names[:most])}{more}"


def _ratios(train: TrainGraph | None) -> str:
    """Speeds of the links for one turn of a wheel at an end of the train; of two freedoms, all ways to hold a link."""
    if train is None:
        return ""
    try:
        free = speeds(train, {}).free
        if free == 1:
            ends = [link for link in train.moving if len(train.meshes_of(link)) == 1] or train.moving
            found = speeds(train, {ends[0]: 1})
            rows = [(link, _exact(speed)) for link in train.moving if (speed := found.of(link)) is not None]
            title = f"speed, {ends[0]} at 1"
            return table(["link", title], [list(row) for row in rows[:MOST_ROWS]])
        ways = modes(train)
    except ModelError:
        return ""
    rows = [[way.held, way.driver, way.driven, _exact(way.ratio)] for way in ways[:MOST_ROWS]]
    return table(["held", "from", "to", "ratio"], rows) or note(
        f"The train has {free} freedoms: speeds follow from {free} inputs (`wheelwork ratios`)."
    )


def _gears(train: TrainGraph) -> str:
    rows = [
        [c.name, c.gear.type, c.a, c.b, c.gear.sizes_text, c.carrier, _exact(c.ratio)]
        for c in train.circuits[:MOST_ROWS]
    ]
    more = len(train.circuits) - MOST_ROWS
    return table(["mesh", "type", "a", "b", "teeth", "carrier", "b / a against carrier"], rows) + note(
        f"and {more} more" if more > 0 else ""
    )


def _exact(value: Fraction | float) -> str:
    """Beside a fraction what it comes to."""
    short = f"{float(value):.6g}"
    if isinstance(value, Fraction) and value.denominator != 1 and len(str(value)) <= 15:
        return f"{value} = {short}"
    return short
