"""`wheelwork ratios FILE`"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wheelwork.description.dimensions import ANGULAR_SPEED, FORCE, SPEED, TORQUE
from wheelwork.description.flatten import flatten
from wheelwork.layout.gear_train import steady_drivers
from wheelwork.problems import ModelError
from wheelwork.trains import TrainGraph, speeds

from .options import Json, ModelFile, Settings, read_model, save_figure
from .quantities import GivenQuantity, read_given
from .ratios_report import RatiosReport
from .ratios_show import show
from .show import console, print_json


def ratios(
    file: ModelFile,
    /,
    *,
    inputs: Annotated[list[str], Parameter("--input")] = [],  # noqa: B006
    holds: Annotated[list[str], Parameter("--hold")] = [],  # noqa: B006
    closed: Annotated[list[str], Parameter("--close")] = [],  # noqa: B006
    loads: Annotated[list[str], Parameter("--load")] = [],  # noqa: B006
    outputs: Annotated[list[str], Parameter("--output")] = [],  # noqa: B006
    actuators: Annotated[list[str], Parameter("--actuator")] = [],  # noqa: B006
    motor: str | None = None,
    graph: Path | None = None,
    fractions: bool = False,
    symbols: bool = False,
    settings: Settings = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Gear trains: graph, carriers, degrees of freedom, ratios, speeds, torques, power flow, efficiency.

    Speeds and torques are about the direction of the joint that carries the body, right-handed. A train of one freedom
    needs no input: the ratios to one of its wheels are shown then.

    Args:
        inputs: Speed of a body about its axis, or of a joint: `--input sun=3000rpm`. May be given several times.
        holds: A body or joint that stands still: `--hold ring`.
        closed: A clutch or brake whose shafts turn as one; others count as open.
        loads: Torque on a body about its axis, or in a joint: `--load arm=-20Nm`; against the motion is a brake.
        outputs: A body whose torque is wanted; the first is the end of the open-loop chain.
        actuators: A body with a motor, for the structure matrix.
        motor: A motor with its peak torque, for its acceleration: `--motor sun=2Nm`.
        graph: Draw the canonical graph: `.svg`, `.png`, `.pdf`.
        fractions: Exact fractions of tooth numbers.
        symbols: Displacement equations in symbols N(i,j).
    """
    mechanism = read_model(file, settings)
    train = mechanism.gear_train(closed)
    _check_has_gears(train, str(file))
    given = read_given(inputs, "--input", (ANGULAR_SPEED, SPEED))
    torques = read_given(loads, "--load", (TORQUE, FORCE))
    motors = read_given([] if motor is None else [motor], "--motor", (TORQUE, FORCE))
    if not given:
        rates = {n: r for n, r in steady_drivers(flatten(mechanism)).items() if n in train.train.pairs}
        # Drivers that leave wheels open do not help: the modes of the train show more.
        if rates and not speeds(train, rates, holds).undriven:
            given = [GivenQuantity(name, rate, "", 1.0, "") for name, rate in rates.items()]
    report = RatiosReport(
        train,
        _in_one_unit(given),
        holds=list(holds),
        loads=torques,
        outputs=list(outputs),
        actuators=list(actuators),
        motor=motors[0] if motors else None,
    )
    report.compute()
    if graph is not None:
        save_figure(train.plot(output=outputs[0] if outputs else None), graph, "--graph")
    if json:
        print_json(report.to_dict())
    else:
        show(report, str(file), fractions=fractions, symbols=symbols)
        if graph is not None:
            console().print(f"\nThe graph is in {graph}.", markup=False)
    return 0


def _check_has_gears(train: TrainGraph, file: str) -> None:
    if not train.circuits and not train.ties and not train.train.swinging:
        hint = (
            "ratios are for mechanisms with gears, racks, belts, ratios, couplers or coupled shafts; see `wheelwork "
            "check`"
        )
        if train.train.left_out:
            named = ", ".join(f"`{name}` ({type})" for name, type in train.train.left_out.items())
            hint = f"{hint}. Left out: {named}"
        raise ModelError("the mechanism has no meshes and no ratios", where=file, path="meshes", hint=hint)


def _in_one_unit(given: list[GivenQuantity]) -> list[GivenQuantity]:
    """Inputs in the unit the user wrote, if it is one for all; else in SI."""
    if len({one.unit for one in given}) <= 1:
        return given
    return [GivenQuantity(one.name, Fraction(one.si), "", 1.0, one.si_unit) for one in given]
