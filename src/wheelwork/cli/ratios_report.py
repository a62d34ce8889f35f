"""What `wheelwork ratios` finds out, before it is printed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from wheelwork import trains
from wheelwork.problems import ModelError
from wheelwork.trains.names import depends_on_position

from .quantities import GivenQuantity


@dataclass(frozen=True)
class MotorAnswer:
    """A motor in the train: what it takes, what it gives.

    peak_torque, steady_torque [N m]; acceleration [rad/s^2]: of the motor with its peak torque
    """

    peak_torque: float
    steady_torque: float
    inertia: trains.ReflectedInertia
    acceleration: float


class RatiosReport:
    """All answers, computed when asked for.

    inputs: in one unit; holds, outputs, actuators: names; loads, motor: torques
    """

    def __init__(
        self,
        graph: trains.TrainGraph,
        inputs: list[GivenQuantity],
        holds: list[str],
        loads: list[GivenQuantity],
        outputs: list[str],
        actuators: list[str],
        motor: GivenQuantity | None,
    ) -> None:
        self.graph, self.holds, self.loads = graph, holds, loads
        self.outputs, self.actuators, self.motor = outputs, actuators, motor
        self.relative = False
        self.inputs = inputs or self._reference()

    def _reference(self) -> list[GivenQuantity]:
        """With one freedom left: one wheel at speed 1, so that speeds are ratios to it."""
        held = trains.speeds(self.graph, {}, self.holds)
        if held.free != 1:
            return []
        self.relative = True
        moving = [link for link in self.graph.moving if held.of(link) is None]
        ends = [link for link in moving if len(self.graph.meshes_of(link)) == 1]
        return [GivenQuantity((ends or moving)[0], Fraction(1), "", 1.0, "")]

    def compute(self) -> None:
        """Everything that can be wrong with the input is found here, before anything is printed."""
        answers = "displacements structure speeds torques power efficiency motor_answer"
        for answer in answers.split():
            getattr(self, answer)

    @property
    def factor(self) -> float:
        """From the unit of the inputs to SI."""
        return self.inputs[0].factor if self.inputs else 1.0

    def unit_of(self, link: str) -> str:
        """Unit in which the speed of a link is shown: the user's where it applies, else SI."""
        rate = self.graph.joint_of(link)
        si = "m/s" if rate is not None and rate.axis.kind == "sliding" else "rad/s"
        first = self.inputs[0] if self.inputs else None
        return first.unit if first is not None and first.unit and first.si_unit == si else si

    def shown(self, link: str, speed: Fraction | None) -> Fraction | float | None:
        """A speed in the unit of its link."""
        first = self.inputs[0] if self.inputs else None
        if speed is None or first is None or self.factor == 1.0 or self.unit_of(link) == first.unit:
            return speed
        return float(speed) * self.factor

    @cached_property
    def mobility(self) -> trains.Mobility:
        return trains.mobility(self.graph)

    @cached_property
    def displacements(self) -> trains.Displacements:
        return trains.displacements(self.graph, self.outputs[0] if self.outputs else None)

    @cached_property
    def structure(self) -> list[list[Fraction]] | None:
        return (
            trains.structure_matrix(self.graph, self.displacements, self.actuators)
            if self.actuators
            else None
        )

    @cached_property
    def structure_formulas(self) -> Any:
        return trains.structure_formulas(self.graph, self.displacements, self.actuators)

    @cached_property
    def speeds(self) -> trains.Speeds | None:
        """For the inputs; None where there are none. A wheel that nothing drives is an error."""
        if not self.inputs:
            return None
        found = trains.speeds(self.graph, {one.name: one.number for one in self.inputs}, self.holds)
        found.check_driven()
        return found

    @cached_property
    def modes(self) -> list[trains.DriveMode]:
        return trains.modes(self.graph) if not self.inputs and not self.holds else []

    @cached_property
    def _si_speeds(self) -> trains.Speeds | None:
        if self.speeds is None or self.factor == 1.0:
            return self.speeds
        given = {one.name: Fraction(one.si) for one in self.inputs}
        return trains.speeds(self.graph, given, self.holds)

    @cached_property
    def torques(self) -> trains.Torques | None:
        if not self.loads:
            return None
        if self._si_speeds is None:
            raise ModelError("torques need speeds: give `--input`")
        return trains.torques(self._si_speeds, {one.name: one.si for one in self.loads}, self.outputs)

    @cached_property
    def power(self) -> trains.PowerFlow | None:
        return None if self.torques is None else trains.power_flow(self.torques)

    @cached_property
    def efficiency(self) -> trains.Efficiency | None:
        """Between the one input and the one load or output; None where there are more."""
        if self.torques is None or len(self.inputs) != 1:
            return None
        ends = [e.name for e in self.torques.externals if e.role in ("load", "output")]
        if len(ends) != 1 or not self.torques.speeds.of(ends[0]):
            return None
        load = next(e.torque for e in self.torques.externals if e.name == ends[0])
        return trains.efficiency(self.graph, self.inputs[0].name, ends[0], self.holds, load or 1.0)

    @cached_property
    def motor_answer(self) -> MotorAnswer | None:
        if self.motor is None:
            return None
        name, peak = self.motor.name, self.motor.si
        inertia = trains.reflected_inertia(self.graph, name, self.holds)
        # A load on the motor's own shaft needs no train to reach it.
        steady = -sum(one.si for one in self.loads if one.name == name)
        others = {one.name: one.si for one in self.loads if one.name != name}
        if others:
            # Losses act against the motion that the peak torque makes.
            way = trains.speeds(self.graph, {name: 1 if peak > 0 else -1}, self.holds)
            steady += next(e.torque for e in trains.torques(way, others).externals if e.role == "input")
        return MotorAnswer(peak, steady, inertia, (peak - steady) / inertia.total)

    @property
    def remarks(self) -> list[str]:
        """What a reader should know."""
        graph, out = self.graph, []
        for a, b, (one, two) in graph.links.locked:
            out.append(f"`{a}` and `{b}` share two axes (`{one}`, `{two}`) and count as one link.")
        out += graph.train.assumptions + graph.train.notes
        if graph.train.left_out:
            named = ", ".join(f"`{name}` ({type})" for name, type in graph.train.left_out.items())
            out.append(f"Left out of the graph: {named}. They may remove further degrees of freedom.")
        if graph.loops:
            out.append(
                "Some joints form loops that are not gears: what depends on them holds at the given position."
            )
        for base in graph.bases:
            if base != graph.links.of["ground"]:
                out.append(f"`{base}` is not tied to ground: speeds of what it carries are relative to it.")
        turned = [link for link in graph.moving if self.inputs and depends_on_position(graph, link)]
        if turned:
            named = ", ".join(f"`{link}`" for link in turned)
            out.append(f"The absolute speed of {named} about its axis is that at the given position.")
        if self.mobility.redundant:
            named = ", ".join(f"`{name}`" for name in self.mobility.redundant)
            out.append(f"These follow from the others, as meshes of further planets do: {named}.")
        if self.torques is not None and self.torques.resting:
            named = ", ".join(f"`{name}`" for name in self.torques.resting)
            out.append(
                f"Torque goes through {named} without rolling: statics leaves friction there open within its limit. "
                "It is taken as none; a simulation has some, by the way in which the gears came to rest."
            )
        return out

    def to_dict(self) -> dict[str, Any]:
        """For machines; fractions as texts beside numbers."""
        graph, found = self.graph, self.displacements
        out: dict[str, Any] = {
            "name": graph.train.name,
            "links": [self._link(link) for link in graph.level],
            "axes": [
                {
                    "label": a.label,
                    "kind": a.kind,
                    "joints": list(a.joints),
                    "links": [a.reference, *a.members],
                }
                for a in graph.axes.values()
            ],
            "gears": [
                {
                    "name": c.name,
                    "type": c.gear.type,
                    "wheels": [c.a, c.b],
                    "sizes": [str(x) for x in c.gear.sizes],
                    "carrier": c.carrier,
                    "ratio": _exact(c.ratio),
                }
                for c in graph.circuits
            ],
            "couplers": [
                {"name": c.name, "factors": {joint: _exact(x) for joint, x in c.factors.items()}}
                for c in graph.train.couplings.values()
            ],
            "mobility": vars(self.mobility) | {"redundant": list(self.mobility.redundant)},
            "displacements": {
                "chain": list(found.chain),
                "coordinates": [rate.name for rate in found.coordinates],
                "angles": [rate.name for rate in found.angles],
                "matrix": [[str(x) for x in row] for row in found.matrix],
                "equations": found.equations(),
            },
            "remarks": self.remarks,
        }
        if self.structure is not None:
            matrix = [[str(x) for x in row] for row in self.structure]
            out["structure"] = {"actuators": self.actuators, "matrix": matrix}
        if self.modes:
            out["modes"] = [vars(m) | {"ratio": _exact(m.ratio)} for m in self.modes]
        if self.torques is not None and self.power is not None:
            out |= self._torques(self.torques, self.power)
        if self.motor_answer is not None:
            answer = self.motor_answer
            out["motor"] = {
                "peak_torque": answer.peak_torque,
                "steady_torque": answer.steady_torque,
                "inertia": answer.inertia.total,
                "inertia_parts": answer.inertia.parts,
                "acceleration": answer.acceleration,
            }
        return out

    def _link(self, link: str) -> dict[str, Any]:
        rate = self.graph.joint_of(link)
        out: dict[str, Any] = {
            "name": link,
            "bodies": self.graph.links.bodies[link],
            "parent": None if rate is None else rate.parent,
            "axis": None if rate is None else rate.axis.label,
            "major": link in self.displacements.chain,
        }
        if self.speeds is not None and rate is not None:
            out["speed"] = _exact(self.shown(link, self.speeds.of(link)))
            out["unit"] = "" if self.relative else self.unit_of(link)
            out["against_parent"] = _exact(self.shown(link, self.speeds.against_parent(link)))
        return out

    def _torques(self, found: trains.Torques, flow: trains.PowerFlow) -> dict[str, Any]:
        both = self.efficiency
        return {
            "externals": [vars(e) | {"power": e.power} for e in found.externals],
            "meshes": [
                {
                    "name": m.circuit.name,
                    "torques": list(m.torques),
                    "force": m.force,
                    "driver": m.driver and {"a": m.circuit.a, "b": m.circuit.b}[m.driver],
                    "rolling_power": m.rolling_power,
                    "loss": m.loss,
                    "shared": m.shared,
                    "power_from": {f.a: f.from_a, f.b: f.from_b, f.carrier: f.from_carrier},
                }
                for m, f in zip(found.meshes, flow.meshes, strict=True)
            ],
            "coupler_efforts": {c.name: c.efforts for c in found.couplings},
            "bearings": [vars(b) for b in flow.bearings],
            "circulations": [{"power": c.power, "way": list(c.way)} for c in flow.circulations],
            "efficiency": found.efficiency,
            "locks_itself": found.locks_itself,
            "backward_efficiency": None if both is None else both.backward,
        }


def _exact(value: Fraction | float | None) -> dict[str, Any] | None:
    if value is None:
        return None
    return {"number": float(value), "fraction": str(value) if isinstance(value, Fraction) else None}
