"""Constraint forces link by link: bearing wrenches and tooth forces from free-body balances (Chen, section 3).

For a link that is cut free, with the forces F_e and torques T_e of its edges, its loads F, T and its motion (Chen (18),
(19)):

    sum F_e = m a - F                               force
    sum (r_e x F_e + T_e) = J alpha + w x J w - T   moment about a point of the link

An edge with the constraint rows G and multipliers lambda gives the wrench -G^T lambda: of a turning pair three forces
and two torques (14), (15); of a gear pair one number, the tangential force F_t at the pitch point, together with what
pushes the wheels apart (Chen (16) for spur wheels, (17) for bevel wheels; other meshes see their own data sheets):

    spur    F_t t + |F_t| tan(alpha) r                                t tangential, r from wheel to wheel
    bevel   F_t t + |F_t| tan(alpha) (cos(delta) r + sin(delta) k)    k along the wheel's axis, delta its cone angle

|F_t| makes the equations linear on either side of zero only, and the pull of a belt's strands is its tension until the
slack one hangs loose; which piece holds is found by trying. The order in which links are balanced comes from the graph
(:mod:`wheelwork.trains.forces`), with at most six equations at a time where that can be.

The motion is all that is taken from a simulation, in whichever coordinates it was made: positions, velocities,
accelerations, and the sizes of dry friction and contacts. The multipliers of the equations in absolute coordinates are
not looked at, so that one is a check of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.description import ModelError, Problem
from wheelwork.layout import layout_of
from wheelwork.problems import listed
from wheelwork.results import Result
from wheelwork.system.motion import Motion
from wheelwork.system.uses import ConstraintKind
from wheelwork.trains.displacement import open_loop_chain
from wheelwork.trains.forces import SolutionOrder
from wheelwork.trains.graph import TrainGraph
from wheelwork.trains.links import Links
from wheelwork.trains.mobility import mobility
from wheelwork.trains.train import GROUND, GearTrain

from .free_body import Balance
from .free_body.edges import ActuatorEdge

if TYPE_CHECKING:
    import xarray as xr


LEFT_OVER = 1e-6
"""Part of the largest force that may be left in equations that should hold by themselves."""


@dataclass(frozen=True)
class LinkForces:
    """Forces of all joints, meshes and drivers, and the order in which they were found.

    Signals go by the names they have in results: `forces["z3.reaction.force"]`,
    `forces["link11-link4.force.tangential"]`, `forces["drive5.torque"]`.

    order: the steps, link by link
    inside: further steps, body by body, for joints between the bodies of one link
    open: joints inside links whose forces statics does not tell, such as bolts that hold two bodies more than once
    left_over [1]: error of the equations that were not needed, beside the largest force, at each time
    efforts [N m or N]: of the actuators that were asked for, over time
    result: the motion with these forces, as a result
    """

    order: SolutionOrder
    inside: SolutionOrder
    open: tuple[str, ...]
    left_over: np.ndarray
    efforts: dict[str, np.ndarray]
    result: Result

    def __getitem__(self, name: str) -> xr.DataArray:
        for owner in self.open:
            if name.startswith(f"{owner}."):
                text = "the bodies it holds are held by others as well"
                raise KeyError(f"the force of `{owner}` is statically indeterminate: {text}")
        return self.result[name]

    def table(self) -> str:
        """The order of the solution as text."""
        return self.order.table()


def link_forces(result: Result) -> LinkForces:
    """Constraint forces of a motion, link by link.

    A mechanism whose forces between links are statically indeterminate is a `ModelError` that names them. Forces of
    joints inside a link (bodies bolted together) that are left open are listed in the outcome.
    """
    return balanced(result.motion, result.provenance)


def balanced(motion: Motion, provenance: Any, actuators: Sequence[str] = ()) -> LinkForces:
    """The same for a motion as arrays; `actuators`: joints in which an effort acts that is to be found as well."""
    train = layout_of(motion.program.flat).gear_train
    link_of = Links(train).of
    balance = Balance(motion, actuators)
    order = balance.solve(link_of, _chain(train))
    if order.open:
        raise ModelError(_indeterminate(order, train))
    left_over = _left_over(balance, link_of)
    inside = balance.solve({name: name for name in (GROUND, *motion.program.bodies)})
    efforts = (motion.acceleration, _multipliers(motion, balance), motion.friction)
    known = motion.other(motion.t, motion.state, efforts)
    efforts = {
        edge.joint: balance.found[edge.name][:, 0]
        for edge in balance.edges.values()
        if isinstance(edge, ActuatorEdge)
    }
    opened = tuple(edge.name for edge in inside.open)
    return LinkForces(order, inside, opened, left_over, efforts, Result(provenance, known))


def _multipliers(motion: Motion, balance: Balance) -> np.ndarray:
    out = np.full_like(motion.multipliers, np.nan)
    for use in motion.program.constraints:
        rows = slice(use.first_row, use.first_row + use.rows)
        if use.kind is not ConstraintKind.BILATERAL:
            out[:, rows] = motion.multipliers[:, rows]
        elif use.name in balance.found:
            out[:, rows] = balance.found[use.name]
    return out


def _chain(train: GearTrain) -> tuple[str, ...]:
    """The open-loop chain of a gear train; nothing for a mechanism that is none."""
    if not train.gears:
        return ()
    try:
        return open_loop_chain(TrainGraph(train))
    except ModelError:  # such as a wheel without a carrier: no matter for forces
        return ()


def _left_over(balance: Balance, link_of: dict[str, str]) -> np.ndarray:
    """Equations that were not needed must hold: else the motion is not one of this mechanism under its loads."""
    links, left = balance.left_over(link_of)
    size = np.maximum(balance.size, max(1e-3 * float(np.nanmax(balance.size, initial=0.0)), 1e-300))
    relative = np.nan_to_num(left / size[:, None])  # nan: at a singular position
    if float(relative.max(initial=0.0)) > LEFT_OVER:
        moment, link = np.unravel_index(int(np.argmax(relative)), relative.shape)
        text = (
            f"the forces on `{links[link]}` do not balance at t = {balance.motion.t[moment]:g} s: "
            f"{left[moment, link]:.3g} N or N m are left"
        )
        raise ModelError(text, hint="the motion must be one under the mechanism's own loads")
    return relative.max(axis=1, initial=0.0)


def _indeterminate(order: SolutionOrder, train: GearTrain) -> Problem:
    links = sorted({link for edge in order.open for link in edge.links if link != GROUND})
    unknowns = sum(edge.unknowns for edge in order.open)
    text = (
        f"the forces of {listed(edge.name for edge in order.open)} are statically indeterminate: {unknowns} unknowns "
        f"in the balances of {listed(links)}"
    )
    try:
        repeated = mobility(TrainGraph(train)).redundant if train.gears else ()
    except ModelError:
        repeated = ()
    if repeated:
        follow = "follow" if len(repeated) > 1 else "follows"
        text += (
            f"; {listed(repeated)} {follow} from other gear pairs, so that these can share the load in any "
        )
        text += "proportion"
    hint = (
        "the reactions of the result itself are the smallest ones that balance; for others make parts elastic"
    )
    return Problem(text, hint=hint)
