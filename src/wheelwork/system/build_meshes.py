"""Gear meshes of a mechanism: their constraints, losses and tooth forces, added to the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.elements.meshes.teeth.mesh_force import MeshBinding, MeshForce, MeshView, at_rest
from wheelwork.equations.forces import Binding
from wheelwork.equations.frames import BodyFrame, Marker
from wheelwork.equations.mesh_equations import MeshEquations
from wheelwork.equations.values import Template
from wheelwork.layout.losses import from_teeth, loss_coefficient
from wheelwork.layout.touching import touching_markers
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass
from wheelwork.problems import ModelError

from .mesh_kernels import MeshKernel
from .uses import ComputedData, ConstraintKind, ElasticMesh, FrictionUse, MeshUse

if TYPE_CHECKING:
    from wheelwork.description import Placed
    from wheelwork.layout.meshes import MeshGeometry
    from wheelwork.layout.teeth import TeethAt

    from .build import _Builder


def build_meshes(builder: _Builder) -> None:
    """Add every mesh. Their phases are those of the given position, where they are not given."""
    _check_phases(builder)
    for name, geometry in builder.layout.meshes.items():
        placed = builder.flat.meshes[name]
        equations, model = geometry.equations, placed.element.model.equations()
        kernel = builder.kernel(
            f"mesh:{equations.type}:{geometry.against}",
            lambda e=equations, c=geometry.against: MeshKernel(e, builder.space, c),
        )
        with builder.errors_of(placed):
            numbers = _numbers(builder, geometry, equations)
        if model is not None:
            with builder.errors_of(placed):
                _check_fit(builder, geometry, equations, numbers)
            turn = turn_of_a(builder, name, geometry, equations)
            view = MeshView(placed, geometry, equations, numbers, builder.layout, turn)
            data, bodies = (
                _force(builder, model, view),
                tuple(builder.index[body] for body in geometry.bodies),
            )
            builder.program.elastic_meshes.append(ElasticMesh(name, kernel.constraint, bodies, data))
            continue
        data = builder.add_data(*geometry.markers, *(numbers[extra] for extra in equations.extras))
        turn = turn_of_a(builder, name, geometry, equations)
        constraint = builder.constrain(
            kernel.constraint, list(geometry.bodies), data, placed, "mesh", turns=() if turn < 0 else (turn,)
        )
        builder.program.meshes.append(MeshUse(name, constraint, kernel, geometry))
        _losses(builder, placed, geometry, kernel, numbers, constraint)


@dataclass(frozen=True)
class TeethForce:
    """The teeth of a mesh as a force, for those who read its signals."""

    law: MeshForce
    binding: Binding
    made: MeshBinding


def _force(builder: _Builder, model: MeshForce, view: MeshView) -> int:
    """A mesh whose teeth are a force; returns where its data start."""
    with builder.errors_of(view.placed):
        binding, made = model.binding(view)
    builder.teeth[view.placed.name] = TeethForce(model, binding, made)
    first = builder.add_force(view.placed, model, binding)
    if made.recompute is not None and made.computed:
        indices = [first + k for k in made.computed]
        builder.program.computed.append(ComputedData(indices, made.recompute))
    return first


def turn_of_a(builder: _Builder, name: str, geometry: MeshGeometry, equations: MeshEquations) -> int:
    """The turn of wheel a against the body that carries both wheels, which is -phi_a, or against b; -1 where it is not
    counted."""
    if geometry.counted is None:
        return -1
    if geometry.against == "mate":
        bodies, markers = geometry.bodies, geometry.markers
        return builder.registry.add_turn(
            name, [bodies[1], bodies[0]], (markers[1], markers[0]), of_rotors=False
        )
    a, b = (
        Marker.from_record(at_rest(builder.layout, body), record)
        for body, record in zip(geometry.bodies, geometry.markers, strict=True)
    )
    phi = equations.angle_of_a(a, b)
    x = a.ex * ca.cos(phi) + a.ey * ca.sin(phi)
    carrier = builder.layout.bodies[geometry.counted].marker_at(a.p, ca.horzcat(x, ca.cross(a.ez, x), a.ez))
    markers = (carrier, geometry.markers[0])
    return builder.registry.add_turn(name, [geometry.counted, geometry.bodies[0]], markers, of_rotors=False)


def _numbers(builder: _Builder, geometry: MeshGeometry, equations: MeshEquations) -> dict[str, ca.SX]:
    """Numbers of the mesh with its phase: the raw residual at the given position, or where the given points touch."""
    return {
        **geometry.numbers,
        "phase": _raw(builder, geometry, equations, touching_markers(builder.layout, geometry)),
    }


def _raw(
    builder: _Builder,
    geometry: MeshGeometry,
    equations: MeshEquations,
    markers: Sequence[ca.SX] | None = None,
) -> ca.SX:
    """The raw residual at the given position, or with other markers there."""
    names = tuple(geometry.numbers)
    frames = [at_rest(builder.layout, body) for body in geometry.bodies]
    key = f"phase:{equations.type}:{geometry.helical}:{geometry.holds_distance}:{geometry.against}:{names}"
    template = builder.kernel(key, lambda: Template(_phase(equations, geometry.against, names)))
    records = [
        part
        for frame, r in zip(frames, markers or geometry.markers, strict=True)
        for part in (frame.x, frame.R, r)
    ]
    (phase,) = template(*records, *geometry.numbers.values())
    return phase


def _check_phases(builder: _Builder) -> None:
    """Two meshes that give one wheel different teeth contradict each other."""
    seen: dict[tuple[str, int], tuple[str, np.ndarray]] = {}
    for name, geometry in builder.layout.meshes.items():
        with builder.errors_of(builder.flat.meshes[name]):
            directions = builder.layout.teeth.given_teeth(name)
        if directions is None:
            continue
        for wheel, tooth in zip(zip(geometry.bodies, geometry.teeth, strict=True), directions, strict=True):
            other, there = seen.setdefault(wheel, (name, tooth))
            if wheel[1]:
                turned = float(np.arctan2(np.linalg.norm(np.cross(tooth, there)), tooth @ there))
                tooth_to_tooth, unit = 2 * np.pi / wheel[1], (180 / np.pi, "deg")
            else:  # a rack
                turned = float(builder.layout.teeth.number(geometry.axes[1]) @ (tooth - there))
                tooth_to_tooth = float(builder.layout.teeth.number(geometry.numbers["pitch"])[0])
                unit = 1e3, "mm"
            off = turned - tooth_to_tooth * round(turned / tooth_to_tooth)
            if abs(off) > 1e-6 * tooth_to_tooth:
                apart, whole = (f"{abs(x) * unit[0]:.4g} {unit[1]}" for x in (off, tooth_to_tooth))
                text = f"its `phase` has the teeth of `{wheel[0]}` {apart} from where that of `{other}` has"
                hint = f"they must agree but for whole teeth, of {whole}"
                raise ModelError(builder.flat.meshes[name].problem(text, hint, ("phase",)))


def _check_fit(
    builder: _Builder, geometry: MeshGeometry, equations: MeshEquations, numbers: Mapping[str, ca.SX]
) -> None:
    """Teeth that are a force have no constraint that would bring them to their phase: they must be there."""
    mesh = geometry.mesh
    if getattr(mesh, "phase", None) is None:
        return
    number, teeth = builder.layout.teeth.number, builder.layout.teeth
    name = next(n for n, g in builder.layout.meshes.items() if g is geometry)
    pitch, cosine = (
        float(number(x)[0]) for x in (numbers["pitch"], 1 / ca.sqrt(1 + numbers["tan_alpha_t"] ** 2))
    )
    off = float(number(_raw(builder, geometry, equations) - numbers["phase"])[0])
    off -= pitch * np.floor(off / pitch + 0.5)
    given = getattr(mesh.model, "backlash", None)
    half = (teeth.backlash(name) if given is None else teeth.value(name, given)) / 2
    if abs(off) * cosine > half + 1e-9 * pitch:
        raise ValueError(
            f"with this `phase` the teeth run into each other at the given position: a tooth of `{mesh.bodies[0]}` is "
            f"{abs(off) * 1e3:.4g} mm beside the middle of a space of `{mesh.bodies[1]}`, and the backlash leaves "
            f"{half / cosine * 1e3:.4g} mm. {_what_to_turn(builder, geometry, off)}"
        )


def _what_to_turn(builder: _Builder, geometry: MeshGeometry, off: float) -> str:
    """How to bring wheel b to its phase, which the row is off by [m]."""
    number, mesh, body = builder.layout.teeth.number, geometry.mesh, geometry.bodies[1]
    if mesh.b_is_rack:  # which lags behind the row: it moves along the marker's x by it
        along = builder.layout.in_world(body, geometry.markers[1]).axes[:, 0]
        way = off * float(np.sign(number(along) @ number(geometry.axes[1])))
        return f"Move `{body}` by {way * 1e3:.4g} mm along its pitch line"
    turn = np.degrees(off / float(number(geometry.numbers["r_b"])[0]))
    return f"Turn `{body}` by {'-' if mesh.b_is_ring != (turn > 0) else ''}{abs(turn):.4g} deg about the axis"


def _phase(equations: MeshEquations, against: str, names: Sequence[str]) -> Callable[..., list[ca.SX]]:
    """Of the places and axes of the two bodies, the markers in them, and the numbers of the mesh."""

    def phase(*parts: ca.SX) -> list[ca.SX]:
        zero = ca.SX(3, 1)
        a, b = (
            Marker.from_record(BodyFrame(x, R, zero, zero), record)
            for x, R, record in (parts[:3], parts[3:6])
        )
        numbers = {**dict(zip(names, parts[6:], strict=True)), "phase": ca.SX(0)}
        raw = equations.raw(a, b, numbers)
        if against == "mate":
            numbers["phase"] = raw
            return [equations.unwrapped_by_mate(a, b, numbers, ca.SX(0))[0]]
        return [raw]

    return phase


def _losses(
    builder: _Builder,
    placed: Placed[Any],
    geometry: MeshGeometry,
    kernel: MeshKernel,
    numbers: dict[str, ca.SX],
    constraint: int,
) -> None:
    """Coulomb friction in the mesh: against rolling, or along the teeth where these slide at the pitch point."""
    mesh = placed.element
    value, equations = builder.layout.place(placed).value, kernel.equations

    def coefficient_of(at: TeethAt) -> ca.SX | None:
        return loss_coefficient(mesh, placed.name, equations, numbers, value, at)

    with builder.errors_of(placed):
        coefficient = coefficient_of(builder.layout.teeth)
    if coefficient is None:
        return
    friction = kernel.friction(equations.slides)
    row = builder.constrain(
        builder.kernel(friction.key, lambda: friction),
        list(geometry.bodies),
        builder.program.constraints[constraint].data,
        placed,
        "friction of mesh",
        name=f"{placed.name}.friction",
        kind=ConstraintKind.FRICTION,
    )
    data = builder.add_data(0.0, coefficient, 1.0)
    if from_teeth(mesh, equations):

        def recomputed(values: Mapping[str, float]) -> np.ndarray:
            at = builder.layout.teeth_at(values)
            return at.number(coefficient_of(at))

        builder.program.computed.append(ComputedData([data + 1], recomputed))
    builder.program.frictions.append(
        FrictionUse(f"{placed.name}.friction", constraint, row, data, data, None, "displacement")
    )
