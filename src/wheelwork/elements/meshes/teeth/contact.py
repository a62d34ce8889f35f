r"""Tooth contact: involute flanks that touch on the line of action, every pair of teeth by itself.

After I. Kosenko, I. Gusev, Revised and improved implementation of the spur involute gear dynamical model, 9th Modelica
conference, 2012. As there, a contact is made of four parts that can be exchanged, each in a place of its own:

    geometry      :mod:`.section`: line of action, depth, ends of the path, from the position at hand
    elastic       :mod:`.elastic`: normal force from depth
    viscous       :mod:`.damping`: what the rate of depth adds
    tangential    :mod:`.friction`: friction from the speed of sliding

and :mod:`.flank` puts them together for the pairs of one side of the teeth. Forces act at the contact points.

Data after those of the mesh:

    arc_a          arc rolled by a at the given position                                              m
    computed       :data:`.shape_numbers.NAMES`, then numbers of the elastic law from the shape of the teeth
    given          cos(alpha_0), alpha_0, face width, E*, nu, w_a, coefficient of friction, then numbers of the three
                   laws, and amount and length of each relief

With c_i = (1 - nu_i^2)/E_i of the two wheels, 1/E* = c_a + c_b; w_a = c_a E* is the part of a in the deformation of
the contact, and nu/(1 - nu) the mean of nu_i/(1 - nu_i) in these parts.

Departures from the paper: any number of pairs, internal wheels, racks and helical teeth; which pair a slot follows
comes from the rotation of a and needs no event; the line of action follows the distance of the centres; pairs are in
contact between the tip circles, also while that distance changes; backlash is that of the teeth. Events remain where
flanks touch or part, and where a pressed pair of straight teeth enters or leaves, as there the force jumps.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict

from wheelwork.description.base import Part, between
from wheelwork.description.registry import find
from wheelwork.description.union import ByNameOrType
from wheelwork.description.values import Length, Number
from wheelwork.elements.meshes.teeth.base import ToothModel
from wheelwork.elements.meshes.teeth.contact_signals import contact_signals
from wheelwork.elements.meshes.teeth.damping.none import NoDamping
from wheelwork.elements.meshes.teeth.elastic.teeth import ToothContact
from wheelwork.elements.meshes.teeth.flank import Flank
from wheelwork.elements.meshes.teeth.flank_inputs import ContactLaws, MeshConstants, Relief
from wheelwork.elements.meshes.teeth.friction.coulomb import CoulombFriction
from wheelwork.elements.meshes.teeth.materials import Elasticity, materials_of, per_wheel
from wheelwork.elements.meshes.teeth.mesh_force import (
    MeshBinding,
    MeshForce,
    MeshView,
    check_offset,
    limits,
    own_numbers,
)
from wheelwork.elements.meshes.teeth.shape_numbers import NAMES, shape_numbers, slots_of, teeth_of
from wheelwork.equations.forces import Effect
from wheelwork.equations.mesh_equations import modulo
from wheelwork.equations.tooth_section import FlankShape, RelativeMotion
from wheelwork.lazy import casadi as ca

MOST_SLICES = 200
DEEPEST = 0.05
"""In modules: how deep teeth may be pressed at the given position."""
HELICAL_SLICES = 5


class TipRelief(Part):
    """Material taken from both flanks of a wheel's teeth towards the tip: nothing up to the start, `amount` at the tip.

    Fields:
        wheel: whose tips, `a` or `b`
        amount [m]: at the tip, along the line of action
        length [m]: of the relieved part, along the line of action
        power [1]: 1 for a straight relief, 2 for a parabola
    """

    wheel: Literal["a", "b"]
    amount: Length
    length: Length
    power: Literal[1, 2] = 1
    positive = ("length",)
    not_negative = ("amount",)


class ContactForce(MeshForce):
    """Forces at the points where flanks touch."""

    no_efficiency = "flanks in contact have no `efficiency`; give the coefficient of `friction` between them"

    # -- numbers

    def bind_mesh(self, view: MeshView) -> MeshBinding:
        model, mesh, name, value = view.model, view.placed.element, view.placed.name, view.value
        law, viscous, tangential = model.elastic, model.viscous, model.tangential
        helical = view.geometry.helical
        slices = model.slices or (HELICAL_SLICES if helical else 1)
        pair = teeth_of(view.teeth, name)
        if slices > 1 and pair.face_width <= 0:
            raise ValueError("slices across the face need the `face_width` of the mesh; give it")
        slots, pairs = slots_of(pair, slices), slots_of(pair, 1)

        check_offset(view, view.teeth.backlash(name) / 2, DEEPEST * pair.a.module)
        ahead = value(model.offset) * ca.sqrt(1 + view.numbers["tan_alpha_t"] ** 2)
        data = view.data_with(phase=view.numbers["phase"] - ahead)
        a, b = view.at_rest
        data.append(_arc(view.equations, a, b, view.numbers))
        start = sum(ca.SX(part).numel() for part in data)
        numbers = shape_numbers(view.teeth, name, law, None)
        entries = [ca.SX(x) for x in numbers]
        if model.phase is not None:
            entries[0] = value(model.phase)
        data += entries
        friction = getattr(mesh, "friction", None)
        moduli, ratios = (
            tuple(map(value, per_wheel(x))) for x in (model.youngs_modulus, model.poisson_ratio)
        )
        tangent = view.numbers["tan_alpha_t"]
        data += [
            1 / ca.sqrt(1 + tangent**2),
            ca.atan(tangent),
            value(mesh.face_width),
            *_elasticity(moduli, ratios),
            ca.SX(0) if friction is None else value(friction),
        ]
        own = [one.given(value) for one in (law, viscous, tangential)]
        for given in own:
            data += given
        for relief in model.relief:
            data += [value(relief.amount), value(relief.length)]
        kept = list(range(0 if model.phase is None else 1, len(numbers)))
        return MeshBinding(
            data,
            (
                (law.type, viscous.type, tangential.type if friction is not None else None),
                tuple(map(len, own)),
                len(numbers),
                (slots, pairs),
                slices,
                helical,
                pair.face_width > 0,
                not any(isinstance(x, tuple) for x in (model.youngs_modulus, model.poisson_ratio)),
                tuple((relief.wheel, relief.power) for relief in model.relief),
            ),
            [start + k for k in kept],
            lambda values: shape_numbers(view.teeth_at(values), name, law, (slots, slices, pairs))[kept],
        )

    def phase_place(self, options):
        return own_numbers(options) + 1

    # -- equations

    def effect(self, arguments):
        equations, a, b, x, data = self.mesh(arguments)
        _, types, counts, count, (slots, pairs), slices, helical, known_width, alike, reliefs = (
            arguments.options
        )
        arc_0, numbers, data = data[0], data[1 : 1 + count], data[1 + count :]
        named = dict(zip(NAMES, ca.vertsplit(numbers[: len(NAMES)]), strict=True))
        tau_0, start, end = named.pop("tau"), named["start"], named.pop("end")
        cosine, angle, width, modulus, poisson, part, friction = ca.vertsplit(data[:7])
        if alike:  # one material: written into the equations, where powers of 2 w_a - 1 vanish
            part = ca.SX(0.5)
        own, first = [], 7
        for size in counts:
            own.append(data[first : first + size])
            first += size
        relief = [
            Relief(wheel, data[first + 2 * k], data[first + 2 * k + 1], power)
            for k, (wheel, power) in enumerate(reliefs)
        ]
        laws = ContactLaws(
            find("elastic_laws", types[0]),
            own[0],
            numbers[len(NAMES) :],
            find("damping_laws", types[1]),
            own[1],
            find("friction_laws", types[2] or "coulomb"),
            own[2],
            None if types[2] is None else friction,
        )

        shape = FlankShape(**named, cosine=cosine, angle=angle)
        section = equations.line_of_action(a, b, x, shape)
        pitch, lean = x["pitch"] * cosine, x["tan_beta"] * cosine
        lead = modulo(equations.no_slip(a, b, x).value - x["phase"], x["pitch"]) * cosine
        rolled = (_arc(equations, a, b, x) - arc_0) * cosine + tau_0 * pitch
        # s_A of front and back flanks, r_Ab (alpha_w -+ phi_A) of Kosenko, Gusev, section 3; in place of (2) and of its
        # mirror image for the reversal: by tau_0 the front one is at A of the given position where tau is 0
        turned = section.base * section.turned
        mirror = 2 * (section.base * angle + shape.thick)
        places = rolled + start + turned, mirror - rolled - start + turned
        common = MeshConstants(
            pitch, lean, width, modulus, poisson, part, start, end, slots, slices, pairs, helical
        )
        relative = RelativeMotion.of(a, b, section)
        front, back = (
            Flank(sign, section, relative, lead, place, common, laws, relief)
            for sign, place in zip((1, -1), places, strict=True)
        )
        force, couple = (
            section.vector(u + v) for u, v in ((front.force, back.force), (front.couple, back.couple))
        )
        wrenches = [
            (-force, -ca.cross(a.s, force) - couple),
            (force, ca.cross(a.p - b.body.x, force) + couple),
        ]
        rolling = equations.rolling(a, b, x).rate(a, b)
        in_reach = section.start < section.end  # wheels that stand too far apart do not touch
        deepest = ca.if_else(in_reach, ca.fmax(front.depth, back.depth), 0.0)
        return Effect(
            wrenches,
            potential=front.energy + back.energy,
            signals=contact_signals((front, back), lead, rolling, rolled / pitch, known_width),
            events=[*front.events(), *back.events()],
            teeth=limits(lead / cosine, deepest, x["pitch"], cosine),
        )


class ContactTeeth(Elasticity, ToothModel):
    """Involute flanks in contact, every pair of teeth by itself, on both sides of the teeth. Removes no degree of
    freedom.

    Tips, thickness and backlash of the teeth are those of the mesh; `friction` of the mesh is the coefficient between
    the flanks.

    Fields:
        elastic: law of the force from depth, such as `weber`; `teeth` if left out, which needs `face_width` of the mesh
        viscous: law of what the rate of depth adds, such as `hunt_crossley`; `none` if left out
        tangential: law of how friction follows the speed of sliding; `coulomb` if left out
        slices [1]: into which the face is cut; left out: 1 for straight teeth, 5 for helical ones
        phase [1]: of the mesh at the given position, in mesh cycles; follows from the teeth of all wheels if left out
        offset [m]: by how much wheel a is ahead of b at the given position, along the line of action; 0 is the middle
            of the backlash
        relief: of the tips
    """

    # Laws are gathered when the first one is made, as those of other packages may be among them.
    model_config = ConfigDict(defer_build=True)
    type: Literal["contact"] = "contact"
    elastic: Annotated[Any, ByNameOrType(family="elastic_laws")] = ToothContact()
    viscous: Annotated[Any, ByNameOrType(family="damping_laws")] = NoDamping()
    tangential: Annotated[Any, ByNameOrType(family="friction_laws")] = CoulombFriction()
    slices: int | None = None
    phase: Number | None = None
    offset: Length = 0.0
    relief: tuple[TipRelief, ...] = ()
    ranges: ClassVar = {"slices": between(1, MOST_SLICES)}

    def materials(self, value):
        return materials_of(self, value)

    Equations = ContactForce


def _elasticity(moduli: tuple[ca.SX, ...], ratios: tuple[ca.SX, ...]) -> tuple[ca.SX, ca.SX, ca.SX]:
    """E*, nu and w_a of two wheels."""
    c_a, c_b = ((1 - nu**2) / E for E, nu in zip(moduli, ratios, strict=True))
    w_a = c_a / (c_a + c_b)
    mean = w_a * ratios[0] / (1 - ratios[0]) + (1 - w_a) * ratios[1] / (1 - ratios[1])
    return 1 / (c_a + c_b), mean / (1 + mean), w_a


def _arc(equations, a, b, x) -> ca.SX:
    """Arc rolled by a."""
    return equations.rolling(a, b, x).value + equations.no_slip(a, b, x).value / 2
