"""Cams in formulas: with the curve parameters s as symbols, and the outlines as c(s), c'(s), c''(s).

Where the contact is, F(s, q) = 0, is found by iteration; with s from there the row is a formula like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca

from wheelwork.equations.cams.outline import FormulaCurve, OutlineCurve
from wheelwork.equations.frames import MARKER_RECORD, Marker
from wheelwork.expressions.polynomial import Atom, Function, Polynomial
from wheelwork.expressions.symbols import Rank, Symbol
from wheelwork.system.cams import CamKernel
from wheelwork.system.motion import Motion, evaluate
from wheelwork.system.uses import ConstraintUse

from .bodies import SymbolTable, unknown
from .expression import Named, Reading, read


class _WrittenCam(OutlineCurve):
    """A curve whose point and derivatives are symbols."""

    key = "written"
    numbers = inputs = 0

    def __init__(self, values: list[ca.SX], closed: bool):
        self._values = values
        self.closed = closed

    def values(self, s: ca.SX, numbers: ca.SX, inputs: ca.SX) -> list[ca.SX]:
        return self._values

    def number_values(self, place: Any) -> list[Any]:
        raise NotImplementedError

    def samples(self, place: Any, count: int) -> tuple[ca.SX, ca.SX, ca.SX]:
        raise NotImplementedError


@dataclass(frozen=True)
class CamWriting:
    """The row of a cam in symbols."""

    outputs: list[ca.SX]
    """g, columns of a, columns of b, gamma, nu."""
    named: list[Named]
    outlines: dict[Symbol, Polynomial]
    """What the outlines are, where they are given by formulas."""


def parameters_of(use: ConstraintUse, letter: str) -> list[Symbol]:
    """Curve parameters."""
    kernel = use.kernel
    assert isinstance(kernel, CamKernel)
    words = ("",) if kernel.cam.followed == 1 else ("a", "b")
    return [Symbol("s", letter, axis=word, rank=Rank.DERIVED) for word in words]


def curve_symbols(s: Symbol) -> list[list[Symbol]]:
    """c, c', c'' of the curve with parameter s, each x and y."""
    return [
        [Symbol("c", s.of, s.axis, axis, primes=order, rank=Rank.DERIVED) for axis in "xy"]
        for order in range(3)
    ]


def write_cam(use: ConstraintUse, cast: SymbolTable, letter: str, frames: list[Marker]) -> CamWriting:
    kernel = use.kernel
    assert isinstance(kernel, CamKernel)
    cam = kernel.cam
    symbols = parameters_of(use, letter)
    curves = []
    for symbol, outline in zip(symbols, cam.outlines, strict=True):
        values = [ca.vertcat(*(cast.add(one, unknown) for one in pair)) for pair in curve_symbols(symbol)]
        curves.append(_WrittenCam(values, outline.closed))
    s = ca.vertcat(*(cast.add(symbol, unknown) for symbol in symbols))
    start = 2 * MARKER_RECORD
    numbers = [ca.SX(round(float(cast.data[start])))]  # the side, 1 or -1
    for k in range(1, cam.own_numbers):
        numbers.append(cast.constant(Symbol("r", letter), start + k, "radius", "m"))
    contact = type(cam)(tuple(curves)).contact(
        frames[0], frames[1], ca.vertcat(*numbers), ca.SX(0, 1), s, rounds=0
    )
    row, columns = contact.row, kernel.space.columns
    outputs = [row.value, columns(row.a_linear, row.a_angular).T, columns(row.b_linear, row.b_angular).T]
    bodies = [cast.names.body(body) for body in (use.a, use.b)]
    named = _vectors(curves, symbols, frames, s, bodies, cam.follower == "face")
    named += [Named(symbol.rate(), contact.rates[k]) for k, symbol in enumerate(symbols)]
    return CamWriting(
        [*outputs, row.gamma, ca.SX(row.nu)], named, _outlines(cam.outlines, symbols, cast, cam.own_numbers)
    )


def _vectors(
    curves: list[_WrittenCam],
    symbols: list[Symbol],
    frames: list[Marker],
    s: ca.SX,
    bodies: list[str],
    flat: bool,
) -> list[Named]:
    """In world axes: tangent t, bend b and normal n of the outlines, the gap e, and arms s of the point of contact."""

    def named(letter: str, symbol: Symbol, vector: ca.SX) -> list[Named]:
        names = (Symbol(letter, symbol.of, symbol.axis, axis, rank=Rank.DERIVED) for axis in "xyz")
        return [Named(name, vector[i]) for i, name in enumerate(names)]

    out, points = [], []
    for k, (curve, symbol) in enumerate(zip(curves, symbols, strict=True)):
        at = curve.on(frames[k], s[k], ca.SX(0, 1), ca.SX(0, 1))
        out += named("t", symbol, at.tangent) + named("b", symbol, at.bend) + named("n", symbol, at.normal)
        out.append(Named(Symbol("t", symbol.of, symbol.axis, rank=Rank.DERIVED), at.length))
        points.append(at.point)
    other = points[1] if len(points) > 1 else frames[1].p
    out += named("e", Symbol("e", symbols[0].of), other - points[0])
    touching = points[0] if flat else other
    for body, frame in zip(bodies, frames, strict=True):
        if body:
            out += named("s", Symbol("s", body, axis=symbols[0].of), touching - frame.body.x)
    return out


def with_outlines(reading: Reading, outlines: dict[Symbol, Polynomial]) -> Reading:
    """With what the outlines are in front of the other definitions, as far as they occur."""
    seen = reading.every_atom
    found = {symbol: value for symbol, value in outlines.items() if symbol in seen}
    return Reading(reading.outputs, {**found, **reading.definitions})


def _outlines(
    outlines: tuple[OutlineCurve, ...], symbols: list[Symbol], cast: SymbolTable, first: int
) -> dict[Symbol, Polynomial]:
    out: dict[Symbol, Polynomial] = {}
    place = 2 * MARKER_RECORD + first
    for outline, s in zip(outlines, symbols, strict=True):
        if isinstance(outline, FormulaCurve):
            column = ca.SX.sym("s")
            numbers = ca.SX.sym("n", outline.numbers)
            written = [
                Polynomial.number(cast.data[place + k]) if formula is None else formula
                for k, formula in enumerate(cast.formulas[place : place + outline.numbers])
            ]
            pairs = [
                (column, Polynomial.atom(s)),
                *((numbers[k], written[k]) for k in range(outline.numbers)),
            ]
            values = outline.values(column, numbers, ca.SX(0, 1))
            tables = read(values, pairs).outputs
            for order, pair in enumerate(curve_symbols(s)):
                for k, symbol in enumerate(pair):
                    out[symbol] = _within_one_turn(tables[order][k][0])
        place += outline.numbers
    return out


def _within_one_turn(value: Polynomial) -> Polynomial:
    """Without the whole turns that bring s of a closed curve into its range."""
    turns: dict[Atom, Polynomial] = {
        atom: Polynomial.number(0.0)
        for atom in value.atoms()
        if isinstance(atom, Function) and atom.name in ("floor", "round")
    }
    return value.replaced(turns) if turns else value


def cam_values(use: ConstraintUse, index: int, letter: str, motion: Motion) -> dict[Symbol, float]:
    """Curve parameters at the contact next to those of a state, and points of the curves there."""
    kernel = use.kernel
    assert isinstance(kernel, CamKernel)
    arguments = motion.constraint_arguments(index)
    parameters = evaluate(kernel.follow, arguments)[0][:, 0]
    numbers, pieces = arguments[2][2 * MARKER_RECORD :, 0], arguments[3][:, 0]
    out: dict[Symbol, float] = {}
    parts = kernel.cam.parts(ca.SX(ca.DM(numbers)), ca.SX(ca.DM(pieces)).reshape((3, -1)))
    for s, value, (outline, own, piece) in zip(parameters_of(use, letter), parameters, parts, strict=True):
        out[s] = float(value)
        found = outline.values(ca.SX(float(value)), own, piece)
        for pair, column in zip(curve_symbols(s), found, strict=True):
            out |= {symbol: float(ca.DM(ca.SX(column)[k])) for k, symbol in enumerate(pair)}
    return out
