"""`wheelwork modes FILE`"""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from .modes_show import show_campbell, show_modes
from .options import (
    AtPhase,
    Frame,
    Json,
    ModelFile,
    OperatingPoint,
    Out,
    Picture,
    Settings,
    Settle,
    kept,
    read_model,
)
from .quantities import in_seconds, parameter_range
from .show import say_written


def modes(
    file: ModelFile,
    /,
    *,
    at: OperatingPoint = "assembled",
    settle: Settle = None,
    at_phase: AtPhase = None,
    frame: Frame = None,
    planets: Annotated[list[str], Parameter("--planet")] = [],  # noqa: B006
    campbell: str | None = None,
    start: Annotated[str | None, Parameter("--from")] = None,
    stop: Annotated[str | None, Parameter("--to")] = None,
    points: int = 41,
    orders: Annotated[list[float], Parameter("--order")] = [],  # noqa: B006
    shapes: bool = False,
    picture: Picture = None,
    out: Out = None,
    settings: Settings = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Natural frequencies, damping, mode shapes and where their energy is; with `--campbell` over a speed.

    Args:
        planets: A planet, to name the kinds of planetary modes; found from meshes. May be given several times.
        campbell: Repeat over a range of this parameter, such as a speed.
        start: First value of the range.
        stop: Last value of the range.
        points: Values in the range.
        orders: Order of the excitation, in multiples of the parameter over 2 pi, for critical speeds. May be repeated.
        shapes: Show the shapes too.
    """
    mechanism = read_model(file, settings)
    given: dict[str, Any] = {
        "at": at,
        "planets": planets or None,
        "settle": None if settle is None else in_seconds(settle, "--settle"),
        "at_phase": at_phase,
        "frame": frame,
    }
    if campbell is None:
        found: Any = mechanism.modes(**given)
    else:
        values = parameter_range(mechanism, campbell, start, stop, points)
        found = mechanism.campbell(campbell, values, orders=orders, **given)
    if not kept(found, out, picture, json):
        return 0
    if campbell is None:
        show_modes(found, str(file), shapes)
    else:
        show_campbell(found, str(file))
    say_written(out, picture)
    return 0
