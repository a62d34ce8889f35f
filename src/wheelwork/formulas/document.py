"""A mechanism's equations as a document: headings, sentences, equations, tables. Renderers turn it into text,
Markdown, LaTeX or HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .formulas import Expression, Formulas
from .notation import (
    ANGLE,
    F_,
    GAMMA,
    J_,
    LAMBDA,
    M_,
    NU,
    OMEGA,
    PHI,
    PHI_Q,
    Q_,
    R_,
    REACTION,
    T_,
    V_,
    Math,
    X,
    Y,
    dotted,
    letter,
    numbered,
    put,
    q_,
    transposed,
    under,
)
from .polynomial import Polynomial
from .symbols import Rank, Symbol
from .tree import symbols_of
from .words import closed_forms

if TYPE_CHECKING:
    from .bodies import Constant
    from .constraint import ConstraintEquations
    from .equations import Equations
    from .load import LoadEquations


@dataclass(frozen=True)
class Name:
    """The name of an element or body, as it is in the model."""

    text: str


Piece = str | Math | Name | Expression
"""Part of a sentence."""


@dataclass(frozen=True)
class Heading:
    level: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Paragraph:
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Lines:
    """left = right, one below the other."""

    lines: tuple[tuple[Math, tuple[Piece, ...]], ...]


@dataclass(frozen=True)
class Array:
    """left = matrix, with headings over its columns; `block` says how many columns belong together."""

    left: Math
    formulas: Formulas
    block: int
    first: int = 1
    """Number of the equation of the first row."""


@dataclass(frozen=True)
class Grid:
    """A table of texts and short formulas; `right` lists columns of numbers."""

    columns: tuple[tuple[Piece, ...], ...]
    rows: tuple[tuple[tuple[Piece, ...], ...], ...]
    right: tuple[int, ...] = ()


Block = Heading | Paragraph | Lines | Array | Grid


def shown(symbol: Symbol) -> Expression:
    return Expression(Polynomial.atom(symbol))


def number(value: float) -> Expression:
    return Expression(Polynomial.number(value))


def _spelt(symbol: Symbol) -> Math:
    expression = shown(symbol)
    return Math(str(expression), expression.latex(), expression.mathml())


# -- the whole


def whole(equations: Equations, full: bool = False, element: str | None = None) -> Iterator[Block]:
    """All blocks; of one element only, if it is named."""
    if element is not None:
        found = equations[element]
        yield from load(found) if found in equations.loads else constraint(found, True)  # type: ignore[arg-type]
        return
    written_out = equations.planar or full
    yield Heading(1, (equations.name or "Equations",))
    yield from _bodies(equations)
    yield from _count(equations)
    if full and not equations.planar:
        yield Paragraph(_SYMBOLS_IN_SPACE)
    for entry in equations.constraints:
        yield from constraint(entry, written_out)
    if not written_out:
        yield from _closed_forms(equations)
    yield from _motion(equations, full)


_SYMBOLS_IN_SPACE: tuple[Piece, ...] = (
    "In world axes: ", letter("s"), " is the arm from a body's centre of mass to the point of the joint, ", letter("f"),
    ", ", letter("g"), ", ", letter("h"), " are the x, y and z axes of the joint's frame in the body, ", letter("d"),
    " leads from the point on body a to that on body b.",
)  # fmt: skip


def _closed_forms(equations: Equations) -> Iterator[Block]:
    """Jacobian and gamma of each kind of equation that occurs, in vectors."""
    found = closed_forms(
        [*(e.vector_form for e in equations), *(e.what for e in equations if e.kind == "driver")]
    )
    if found:
        yield Heading(3, ("Jacobian and right-hand side of each kind of equation",))
        text = (
            "In world axes: p is the point of a joint on body a or b, s its arm from the centre of mass, v and ω are "
            "the body's velocities, ex, ey, ez the axes of the joint's frame; u and w are any of these axes, "
            "d = p_b − p_a, centripetal is ω × (ω × s)."
        )
        yield Paragraph((text,))
        for line in found:
            yield Paragraph((line,))


def _bodies(equations: Equations) -> Iterator[Block]:
    yield Heading(2, ("Bodies",))
    if equations.planar:
        columns = (("",), ("body",), (M_, " [kg]"), (J_, " [kg m²]"))
        rows = tuple(
            (
                (str(k + 1),),
                (Name(b.name),),
                (number(b.mass_value),),
                (number(float(b.inertia_value[2, 2])),),
            )
            for k, b in enumerate(equations.bodies)
        )
        yield Grid(columns, rows, right=(0, 2, 3))
        text = " of its centre of mass, and its angle "
        yield Paragraph(("Coordinates of a body: ", X, " and ", Y, text, ANGLE,
                         ", which counts turns."))  # fmt: skip
        return
    columns = (("",), ("body",), (M_, " [kg]"), (J_, " principal [kg m²]"))
    rows = tuple(
        (
            (str(k + 1),),
            (Name(b.name),),
            (number(b.mass_value),),
            tuple(_listed([number(j) for j in b.principal])),
        )
        for k, b in enumerate(equations.bodies)
    )
    yield Grid(columns, rows, right=(0, 2))
    yield Paragraph(
        (
            "Velocities of a body: that of its centre of mass and its angular velocity ",
            OMEGA,
            ", in world axes.",
        )
    )


def _listed(pieces: Sequence[Piece]) -> Iterator[Piece]:
    for k, piece in enumerate(pieces):
        if k:
            yield ", "
        yield piece


def _count(equations: Equations) -> Iterator[Block]:
    rows, columns = equations.shape
    left = columns - rows
    yield Heading(2, ("Constraints",))
    says = (
        f"leaves {left} degree{'s' if left != 1 else ''} of freedom"
        if left >= 0
        else f"is {-left} more than there are: some follow from others"
    )
    yield Paragraph(
        (
            f"{rows} equation{'s' if rows != 1 else ''} ",
            put(PHI, "(", q_, ", ", letter("t"), ")", " = ", "0"),
            f" for {columns} coordinates: by count that {says}. Velocities follow from ",
            put(PHI_Q, " ", dotted(q_), " = ", NU),
            ", accelerations from ",
            put(PHI_Q, " ", dotted(q_, 2), " = ", GAMMA),
            ".",
        )
        if equations.planar
        else (
            f"{rows} equation{'s' if rows != 1 else ''} ",
            put(PHI, " = ", "0"),
            f" for {columns} velocities: by count that {says}. Velocities ",
            put(V_, " = ", "(", dotted(X), ", ", OMEGA, ")"),
            " follow from ",
            put(PHI_Q, " ", V_, " = ", NU),
            ", accelerations from ",
            put(PHI_Q, " ", dotted(V_), " = ", GAMMA),
            "; ",
            PHI_Q,
            " is the transformed Jacobian.",
        )
    )


# -- one constraint


def constraint(entry: ConstraintEquations, written_out: bool) -> Iterator[Block]:
    letter = (f"{entry.letter}  ",) if entry.letter and entry.kind != "driver" else ()
    noun = "constraint" if entry.type in ("absolute", "relative") else entry.kind
    kind = f"{entry.type} {noun}" if entry.kind == "joint" else entry.kind
    touched = [Name(body) for body in entry.bodies]
    sides = ("", "") if entry.planar else (" (a)", " (b)")
    heading = (
        *letter,
        Name(entry.name),
        f": {kind} of ",
        touched[0],
        sides[0],
        " and ",
        touched[1],
        sides[1],
    )
    if entry.kind == "driver":
        between = (" of ", touched[0], " and ", touched[1]) if entry.type in ("distance", "rotation") else ()
        heading = (Name(entry.name), ": driver", *between)
    yield Heading(3, heading)
    if entry.what:
        yield Paragraph((entry.what,))
    if not written_out:
        yield from _in_vectors(entry)
        return
    if entry.is_cam:
        yield Paragraph((f"The curve parameters s are found where F = 0: {entry.vector_form}.",))
    first = entry.first_row + 1
    lines = [(numbered(PHI, first + k), (cell, " = 0")) for k, cell in enumerate(entry.phi)]
    yield Lines(tuple(lines))
    yield Array(PHI_Q, entry.jacobian, entry.columns_of_a_body, first)
    yield _side(NU, entry.nu, first)
    yield _side(GAMMA, entry.gamma, first)
    definitions = entry.definitions
    if entry.is_cam:  # the rates of curve parameters may be long, and have been told in vectors
        rates = {symbol.rate() for symbol in entry.parameters}
        definitions = [(s, e) for s, e in definitions if s not in rates or len(str(e)) < LONGEST_RATE]
    yield from _where(definitions, entry.constants, entry.numbers_shown)
    if entry.kind == "mesh":
        force = numbered(LAMBDA, first)
        text = " is the tangential force of the teeth; besides, they push the wheels apart, in proportion to its size."
        yield Paragraph((force, text))


def _in_vectors(entry: ConstraintEquations) -> Iterator[Block]:
    """The equations as the data sheet has them."""
    if entry.kind == "driver":
        value, rate = entry.prescribed
        left = put(
            PHI, " = ", letter(entry.rows[0], rf"\text{{{entry.rows[0]}}}"), " − ", letter("u"), " = ", "0"
        )
        yield Paragraph((left, ", with the coordinate's row of the joint;"))
        yield Lines(((letter("u"), (value,)), (NU, (rate,))))
        return
    if entry.vector_form:
        yield Paragraph((entry.vector_form,))
    count = len(entry.rows)
    note = f"{count} equation{'s' if count != 1 else ''}: {', '.join(entry.rows)}."
    yield Paragraph((note,))


def _side(letter: Math, formulas: Formulas, first: int) -> Lines:
    if formulas.is_zero:
        return Lines(((letter, (number(0.0),)),))
    return Lines(tuple((numbered(letter, first + k), (cell,)) for k, cell in enumerate(formulas)))


def _where(
    definitions: Sequence[tuple[Symbol, Expression]], constants: Sequence[Constant], numbers_shown: bool
) -> Iterator[Block]:
    lines: list[tuple[Math, tuple[Piece, ...]]] = [(_spelt(s), (value,)) for s, value in definitions]
    if not numbers_shown:
        lines += [(_spelt(c.symbol), _value(c)) for c in constants]
    if lines:
        yield Paragraph(("with",))
        yield Lines(tuple(lines))


LONGEST_FORMULA = 44
"""Letters of a number's formula in a legend; for a longer one there is only its value."""
LONGEST_RATE = 400
"""Letters of the rate of a curve parameter."""


def _value(constant: Constant) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    if constant.formula is not None:
        formula = Expression(constant.formula)
        if symbols_of(formula.tree) and len(str(formula)) <= LONGEST_FORMULA:
            pieces += [formula, " = "]
    pieces.append(number(constant.value))
    if constant.unit not in ("", "1"):
        pieces.append(f" {constant.unit}")
    return tuple(pieces)


# -- motion


def _motion(equations: Equations, full: bool) -> Iterator[Block]:
    yield Heading(2, ("Equations of motion",))
    if not equations.planar:
        yield from _motion_in_space(equations, full)
        return
    yield Paragraph(
        (
            put(letter("M"), " ", dotted(q_, 2), " + ", REACTION, " = ", Q_),
            " with ",
            put(letter("M"), " = ", letter("diag", r"\mathrm{diag}"), "(", M_, ", ", M_, ", ", J_, ")"),
            " of each body; written out, with a multiplier ",
            LAMBDA,
            " for each equation:",
        )
    )
    for k, body in enumerate(equations.bodies):
        lines = [
            (Math(str(left), left.latex(), left.mathml()), (right,)) for left, right in equations.newton(k)
        ]
        yield Paragraph((Name(body.name),))
        yield Lines(tuple(lines))
    yield from _gravity(equations)
    for entry in equations.loads:
        yield from load(entry)
    yield from _others(equations)


def _motion_in_space(equations: Equations, full: bool) -> Iterator[Block]:
    yield Paragraph(
        (
            "For each body ",
            put(M_, " ", dotted(X, 2), " + ", under(put("(", REACTION, ")"), X), " = ", F_),
            " and ",
            put(
                J_,
                " ",
                dotted(OMEGA),
                " + ",
                OMEGA,
                " × ",
                J_,
                " ",
                OMEGA,
                " + ",
                under(put("(", REACTION, ")"), OMEGA),
                " = ",
                T_,
            ),
            ", with ",
            put(J_, " = ", R_, " ", letter("J′", "J'"), " ", transposed(R_)),
            " about the centre of mass; force ",
            F_,
            " and torque ",
            T_,
            " are those of gravity and of the forces below.",
        )
    )
    yield from _gravity(equations)
    for entry in equations.loads:
        yield from load(entry, full)
    yield from _others(equations)


def _gravity(equations: Equations) -> Iterator[Block]:
    found: dict[Symbol, float] = {}
    for body in equations.bodies:
        found |= dict(body.gravity)
    if found and not equations.numbers_shown:
        yield Lines(tuple((_spelt(s), (number(v), " m/s²")) for s, v in found.items()))


def _others(equations: Equations) -> Iterator[Block]:
    for name, text in equations.others:
        yield Heading(3, (Name(name),))
        yield Paragraph((text,))


def load(entry: LoadEquations, written_out: bool = True) -> Iterator[Block]:
    on = tuple(_listed([Name(body) for body in entry.bodies]))
    yield Heading(3, (Name(entry.name), f": {entry.type.replace('_', ' ')}", *((" on ", *on) if on else ())))
    if entry.what:
        yield Paragraph((entry.what,))
    if not written_out or not entry.can_be_written:
        if entry.law:
            yield Paragraph((entry.law,))
        return
    lines = []
    for body, cells in zip(entry.bodies, entry.Q.cells, strict=True):
        for component, cell in zip(entry.components, cells, strict=True):
            if not cell.is_zero:
                left = Symbol("Q", entry.body_name(body), entry.name, component, rank=Rank.RATE)
                lines.append((_spelt(left), (cell,)))
    if lines:
        yield Lines(tuple(lines))
    definitions = [(_spelt(s), (value,)) for s, value in entry.definitions]
    if definitions:
        yield Paragraph(("with",))
        yield Lines(tuple(definitions))
