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
    option,
    read_model,
)
from .quantities import in_seconds, parameter_range
from .show import console

Campbell = Annotated[
    str | None, Parameter(name="--campbell", help="Repeat over a range of this parameter, such as a speed.")
]


def modes(
    file: ModelFile,
    /,
    *,
    at: OperatingPoint = "assembled",
    settle: Settle = None,
    at_phase: AtPhase = None,
    frame: Frame = None,
    planets: Annotated[
        list[str],
        option(
            "--planet",
            "A planet, to name the kinds of planetary modes; found from meshes. May be given several times.",
        ),
    ] = [],  # noqa: B006
    campbell: Campbell = None,
    start: Annotated[str | None, Parameter(name="--from", help="First value of the range.")] = None,
    stop: Annotated[str | None, Parameter(name="--to", help="Last value of the range.")] = None,
    points: Annotated[int, Parameter(name="--points", help="Values in the range.")] = 41,
    orders: Annotated[
        list[float],
        option(
            "--order",
            "Order of the excitation, in multiples of the parameter over 2 pi, for critical speeds. May be repeated.",
        ),
    ] = [],  # noqa: B006
    shapes: Annotated[bool, option("--shapes", "Show the shapes too.")] = False,
    picture: Picture = None,
    out: Out = None,
    settings: Settings = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Natural frequencies, damping, mode shapes and where their energy is; with `--campbell` over a speed."""
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
    for path in (out, picture):
        if path is not None:
            console().print(f"written  {path}", markup=False)
    return 0
