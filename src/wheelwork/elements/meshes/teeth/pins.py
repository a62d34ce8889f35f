r"""Pins that press on what they run in, every pin by itself: lobes of a cycloid disc, or holes of one.

The mesh says where each pin is (`pin_contacts` of its equations): the depth h to which it is pressed into its mate, the
outward normal n of the mate a there, and the pin's centre Q. With the velocities of a and b at Q

    h' = n . (v_a - v_b)
    F = f(h, h') >= 0                      by the laws `elastic` and `viscous`, those of tooth contact
    b is pushed with F n at Q, and a with -F n

All lies in the plane of a's marker. F acts along the line through Q and the place of contact, so that no couple is
left. Stored energy is that of the elastic law. Where a pin begins to touch or ceases to is an event.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.registry import family, find
from wheelwork.description.union import ByNameOrType
from wheelwork.elements.meshes.teeth.base import ToothModel
from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.damping.none import NoDamping
from wheelwork.elements.meshes.teeth.mesh_force import MeshBinding, MeshForce, MeshView, limits
from wheelwork.equations.forces import Effect, at_point
from wheelwork.equations.mesh_equations import SPEEDS, modulo
from wheelwork.lazy import casadi as ca


def pin_slice(depth: ca.SX, rate: ca.SX) -> ContactSlice:
    """What laws see of a pin: the depth and its rate; nothing of gear teeth."""
    zero, one = ca.SX(0), ca.SX(1)
    return ContactSlice(zero, depth, rate, zero, zero, one, zero, None, one, one, one, zero, zero + 0.5, one)


class PinForces(MeshForce):
    """Forces of all pins."""

    stands = True
    no_efficiency = "pins that press on their mates have no `efficiency`; it belongs to the model `rigid`"

    def bind_mesh(self, view: MeshView) -> MeshBinding:
        model, mesh, value = view.model, view.placed.element, view.value
        own = [law.given(value) for law in (model.elastic, model.viscous)]
        data = view.data_with(**mesh.at_start(view))
        for given in own:
            data += given
        types = (model.elastic.type, model.viscous.type)
        return MeshBinding(data, (mesh.pin_count, types, tuple(map(len, own))))

    def effect(self, arguments):
        equations, a, b, x, data = self.mesh(arguments)
        _, count, (elastic_type, viscous_type), (size, _) = arguments.options
        elastic, viscous = find("elastic_laws", elastic_type), find("damping_laws", viscous_type)
        given, damping = data[:size], data[size:]
        nothing = ca.SX(0, 1)

        energy = loss = on_b = turn = ca.SX(0)
        force = couple = ca.SX(3, 1)
        signals, events, deepest, loaded = {}, [], ca.SX(0), ca.SX(0)
        for k, (depth, n, Q) in enumerate(equations.pin_contacts(a, b, x, count)):
            v_a, v_b = (m.body.v + ca.cross(m.body.w, Q - m.body.x) for m in (a, b))
            rate = ca.dot(n, v_a - v_b)
            touches = depth > 0
            at = pin_slice(ca.fmax(depth, 0.0), rate)
            spring = elastic.normal_force(at, given, nothing)
            total = ca.if_else(touches, viscous.total(spring, at, damping), 0.0)
            energy += ca.if_else(touches, elastic.stored_energy(at, given, nothing), 0.0)
            loss += ca.if_else(touches, (total - spring) * rate, 0.0)
            force += total * n
            couple += ca.cross(Q - a.p, total * n)
            deepest, loaded = ca.fmax(deepest, depth), loaded + touches
            on_b = ca.fmax(on_b, total)
            events.append(depth)
            signals[f"pin.{k + 1}.force"] = (total, "N", f"force on pin {k + 1}")
        turn = ca.dot(a.ez, couple)
        lead = modulo(equations.no_slip(a, b, x).value - x["phase"], x["pitch"])
        rolling = equations.rolling(a, b, x).rate(a, b)
        wrenches = [at_point(a.body, a.p, -force), at_point(b.body, a.p, force)]
        wrenches = [(f, t + sign * couple) for (f, t), sign in zip(wrenches, (-1, 1), strict=True)]
        directions = equations.directions(a, b, x)
        return Effect(
            wrenches,
            potential=energy,
            signals={
                "force.tangential": (
                    turn / x["r_a"],
                    "N",
                    "moment of all pins about the axis of a, over its pitch radius",
                ),
                "force.radial": (
                    ca.dot(force, directions.radial),
                    "N",
                    "force of all pins on b, away from a",
                ),
                "force.largest": (on_b, "N", "largest force on a pin"),
                "loaded": (loaded, "1", "number of pins that carry load"),
                "transmission_error": (lead, "m", "arc on the pitch circle by which a is ahead of b"),
                "rolling": (rolling, *SPEEDS["rolling"]),
                "power.loss": (loss, "W", "power lost in the damping of the contacts"),
                **signals,
            },
            events=events,
            teeth=limits(lead, deepest, x["pitch"], ca.SX(1)),
        )


class PinContact(ToothModel):
    """Pins that press on lobes or in holes with clearance, each by itself: load is shared as it comes. Removes no
    degree of freedom.

    Fields:
        elastic: law of the force on a pin from depth: `linear`, or `power` (exponent 10/9 for lines of contact)
        viscous: law of what the rate of depth adds, such as `hunt_crossley`; `none` if left out
    """

    # Laws are gathered when the first one is made, as those of other packages may be among them.
    model_config = ConfigDict(defer_build=True)
    type: Literal["pins"] = "pins"
    needs_path: ClassVar[bool] = False
    elastic: Annotated[Any, ByNameOrType(family="elastic_laws")]
    viscous: Annotated[Any, ByNameOrType(family="damping_laws")] = NoDamping()

    @classmethod
    def suits(cls, mesh: Any) -> bool:
        return mesh.has_pins

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if self.elastic.needs_width:
            laws = (law for law in family("elastic_laws").values() if not law.needs_width)
            known = " or ".join(sorted(f"`{law.model_fields['type'].default}`" for law in laws))
            text = f"must be {known} for pins, but is `{self.elastic.type}`, which needs the flanks of gear teeth"
            yield Issue("elastic", text)

    Equations = PinForces
