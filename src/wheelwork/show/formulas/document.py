"""A mechanism's equations as a document (:mod:`.blocks`), which renderers turn into text, Markdown, LaTeX or HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wheelwork.equations.vector_form import NO_SLIP, VectorForm
from wheelwork.expressions.symbols import Rank, Symbol
from wheelwork.expressions.tree import symbols_of

from .blocks import Array, Block, Grid, Heading, Lines, Name, Paragraph, Piece, number, shown
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
from .vectors import formula, symbol

if TYPE_CHECKING:
    from .bodies import NamedNumber
    from .constraint import ConstraintEquations
    from .equations import Equations
    from .load import LoadEquations


def _spelt(symbol: Symbol) -> Math:
    expression = shown(symbol)
    return Math(str(expression), expression.latex(), expression.mathml())


# -- the whole


def whole(equations: Equations, full: bool = False, element: str | None = None) -> Iterator[Block]:
    """All blocks; of one element only, if it is named."""
    written_out = equations.planar or full
    if element is not None:
        found = equations[element]
        if found in equations.loads:
            yield from load(found, written_out)  # type: ignore[arg-type]
            return
        yield from constraint(found, written_out)  # type: ignore[arg-type]
        if not equations.planar:
            yield Paragraph(_SYMBOLS_IN_SPACE if full else _VECTORS)
        return
    yield Heading(1, (equations.name or "Equations",))
    yield from _bodies(equations)
    yield from _count(equations)
    if not equations.planar and equations.constraints:
        yield Paragraph(_SYMBOLS_IN_SPACE if full else _VECTORS)
    for entry in equations.constraints:
        yield from constraint(entry, written_out)
    yield from _motion(equations, full)


_SYMBOLS_IN_SPACE: tuple[Piece, ...] = (
    "In world axes: ", letter("s"), " is the arm from a body's centre of mass to the point of the joint, ", letter("f"),
    ", ", letter("g"), ", ", letter("h"), " are the x, y and z axes of the joint's frame in the body, ", letter("d"),
    " leads from the point on body a to that on body b.",
)  # fmt: skip
_VECTORS: tuple[Piece, ...] = (
    "Everything is in world axes. Body a or b has the centre of mass ", symbol("x"), ", the angular velocity ",
    symbol("w"), " and, at the element, the point ", symbol("p"), " = ", formula("x + s").math(), ", which moves with ",
    symbol("p'"), " = ", formula("x' + w x s").math(), "; ground does not move. The axes ", symbol("ex"), ", ",
    symbol("ey"), ", ", symbol("ez"), " of the element's frame, and the axis ", symbol("z"), " of a wheel, are fixed "
    "in their body: the rate of each is ", symbol("w"), " × it. From point to point leads ", symbol("d"), " (of a "
    "joint) or ", symbol("l"), " (of a mesh) ", "= ", formula("p_b - p_a").math(), "; ", symbol("I"),
    " is the unit matrix, ", symbol("S"), " that of the cross product with ", symbol("s"), ".",
)  # fmt: skip


def _bodies(equations: Equations) -> Iterator[Block]:
    yield Heading(2, ("Bodies",))
    planar = equations.planar
    columns = (("",), ("body",), (M_, " [kg]"), (J_, " [kg m²]" if planar else " principal [kg m²]"))
    rows = []
    for k, b in enumerate(equations.bodies):
        moments = [float(b.inertia_value[2, 2])] if planar else b.principal
        listed = tuple(_listed([number(j) for j in moments]))
        rows.append(((str(k + 1),), (Name(b.name),), (number(b.mass_value),), listed))
    yield Grid(columns, tuple(rows), right=(0, 2, 3) if planar else (0, 2))
    if planar:
        text = " of its centre of mass, and its angle "
        yield Paragraph(("Coordinates of a body: ", X, " and ", Y, text, ANGLE, ", which counts turns."))
    else:
        text = "Velocities of a body: that of its centre of mass and its angular velocity "
        yield Paragraph((text, OMEGA, ", in world axes."))


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
    first = f"{rows} equation{'s' if rows != 1 else ''} "
    if equations.planar:
        yield Paragraph((
            first, put(PHI, "(", q_, ", ", letter("t"), ")", " = ", "0"), f" for {columns} coordinates: by count that "
            f"{says}. Velocities follow from ", put(PHI_Q, " ", dotted(q_), " = ", NU), ", accelerations from ",
            put(PHI_Q, " ", dotted(q_, 2), " = ", GAMMA), ".",
        ))  # fmt: skip
    else:
        yield Paragraph((
            first, put(PHI, " = ", "0"), f" for {columns} velocities: by count that {says}. Velocities ",
            put(V_, " = ", "(", dotted(X), ", ", OMEGA, ")"), " follow from ", put(PHI_Q, " ", V_, " = ", NU),
            ", accelerations from ", put(PHI_Q, " ", dotted(V_), " = ", GAMMA), "; ", PHI_Q,
            " is the transformed Jacobian.",
        ))  # fmt: skip


# -- one constraint


def constraint(entry: ConstraintEquations, written_out: bool) -> Iterator[Block]:
    letter = (f"{entry.letter}  ",) if entry.letter and entry.kind != "driver" else ()
    kind = f"{entry.type} {entry.element.printed_noun}" if entry.kind == "joint" else entry.kind
    touched = [Name(body) for body in entry.bodies]
    sides = ("", "") if entry.planar else (" (a)", " (b)")
    ends: Sequence[Piece] = (touched[0], sides[0], " and ", touched[-1], sides[1])
    if entry.is_relation:
        ends = [piece for body in touched for piece in (", ", body)][1:]
    heading = (*letter, Name(entry.name), f": {kind} of ", *ends)
    if entry.kind == "driver":
        between = (" of ", touched[0], " and ", touched[1]) if entry.element.is_between else ()
        heading = (Name(entry.name), ": driver", *between)
    yield Heading(3, heading)
    if entry.what:
        yield Paragraph((entry.what,))
    if not written_out:
        yield from entry.relation() if entry.is_relation else _in_vectors(entry)
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
    if entry.is_cam:  # the rates of curve parameters may be long, and have been printed in vectors
        rates = {symbol.rate() for symbol in entry.parameters}
        definitions = [(s, e) for s, e in definitions if s not in rates or len(str(e)) < LONGEST_RATE]
    yield from _where(definitions, entry.constants, entry.numbers_shown)
    if entry.kind == "mesh":
        force = numbered(LAMBDA, first)
        text = " is the tangential force of the teeth; besides, they push the wheels apart, in proportion to its size."
        yield Paragraph((force, text))


def _in_vectors(entry: ConstraintEquations) -> Iterator[Block]:
    """Phi, the transformed Jacobian, nu and gamma in vectors, with what is behind the names."""
    forms = entry.vector_forms
    if not forms:  # a cam
        yield Paragraph((entry.vector_form,))
        yield Paragraph((f"{len(entry.rows)} equation: {', '.join(entry.rows)}.",))
        return
    numbers: list[str] = []
    first = entry.first_row + 1
    for form in forms:
        last = first + form.rows - 1
        numbers.append(str(first) if last == first else f"{first}–{last}")
        first = last + 1
    is_mesh = entry.kind == "mesh"
    lines: list[tuple[Math, tuple[Piece, ...]]] = []
    for k, form in zip(numbers, forms, strict=True):
        if is_mesh:
            whole = "g - g_0" if entry.is_counted else "g - g_0 - pitch floor((g - g_0)/pitch + 1/2)"
            lines += [
                (numbered(PHI, k), (formula(whole).math(), " = 0")),
                (letter("g"), (formula(form.phi).math(),)),
            ]
        elif form.phi == "0":
            lines.append((numbered(PHI, k), ("no equation of positions: it holds speeds alone",)))
        else:
            lines.append((numbered(PHI, k), (formula(form.phi).math(), " = 0")))
    yield Lines(tuple(lines))
    moving = [k for k in range(4) if entry.bodies[k // 2] != "ground"]
    heads = [symbol(name) for name in ("x_a'", "w_a", "x_b'", "w_b")]
    yield Grid(
        ((PHI_Q,), *((heads[j],) for j in moving)),
        tuple(
            ((k,), *((formula(form.columns[j]).math(),) for j in moving))
            for k, form in zip(numbers, forms, strict=True)
        ),
    )
    gammas = [
        (numbered(GAMMA, k), (formula(form.gamma).math(),)) for k, form in zip(numbers, forms, strict=True)
    ]
    if entry.kind == "driver":
        value, rate, second = entry.prescribed
        yield Lines(((NU, (symbol("y'"),)), (gammas[0][0], (*gammas[0][1], " + ", symbol("y''")))))
        yield Lines(((symbol("y"), (value,)), (symbol("y'"), (rate,)), (symbol("y''"), (second,))))
    else:
        yield Lines(((NU, (number(0.0),)), *gammas))
    yield from _names_of(entry)
    if is_mesh:
        yield from _tooth_force(entry, forms[0])


KNOWN = {
    *["s_a", "s_b", "p_a'", "p_b'", "d_", "l", "l'", "z_a'", "z_b'"],
    *(f"e{c}_{i}'" for c in "xyz" for i in "ab"),
}
"""Names that are explained once for all elements."""


def _names_of(entry: ConstraintEquations) -> Iterator[Block]:
    """What is behind the names of an element's formulas, and what they mean."""
    forms = entry.vector_forms
    definitions = {
        name: text
        for form in forms
        for name, text in form.definitions
        if name not in KNOWN and (name, text) not in _PLAIN
    }
    lines: list[tuple[Math, tuple[Piece, ...]]] = [
        (symbol(name), (formula(text).math(),)) for name, text in definitions.items()
    ]
    texts = (text for form in forms for text in (form.phi, *form.columns, form.gamma, form.force) if text)
    used = set().union(*(formula(text).names() for text in (*texts, *definitions.values())))
    for name, constant in entry.own_numbers.items():
        shown_as = _NUMBERS.get(name) or (name if name in used else None)
        if (
            shown_as is not None
            and not (name == "pitch" and entry.is_counted)
            and (constant.value or "tan" not in name)
        ):
            lines.append((formula(shown_as).math(), _value(constant)))
    yield from _with(lines)
    legend = {names: text for form in forms for names, text in form.legend}
    if legend:
        pieces: list[Piece] = []
        for names, text in legend.items():
            pieces += [
                "; " if pieces else "",
                *_listed([symbol(name) for name in names.split(", ")]),
                f": {text}",
            ]
        yield Paragraph((*pieces, "."))


_PLAIN = {("d", "p_b - p_a"), ("d'", "p_b' - p_a'")}
_NUMBERS = {
    "r_a": "r_a", "r_b": "r_b", "tan_beta": "tan(beta)", "tan_spiral": "tan(beta)", "tan_alpha_t": "tan(alpha)",
    "tan_alpha_n": "tan(alpha)", "pitch": "pitch", "phase": "g_0", "sign": "sigma", "length": "length",
    "offset": "offset", "lead": "lead", "sin_beta_a": "sin(beta_a)", "sin_beta_b": "sin(beta_b)",
}  # fmt: skip
"""Numbers of elements as formulas have them, where that is not their own name."""


def _tooth_force(entry: ConstraintEquations, form: VectorForm) -> Iterator[Block]:
    multiplier, force = numbered(LAMBDA, entry.first_row + 1), form.force
    if not force:
        yield Paragraph((multiplier, f" is {form.multiplier}."))
        return
    if " tan(beta) f" in force and not entry.own_numbers["tan_spiral"].value:
        force = force.partition(" - lambda tan(beta) f")[0]
    yield Paragraph((
        multiplier, f" is {form.multiplier} b with ", formula(force).math(), " at ", symbol("P"),
        ", and a with the opposite; the part with ", symbol("d"), " is that of the constraint.",
    ))  # fmt: skip
    if form.columns == NO_SLIP:
        text = "The Jacobian is eq. 28 of Vlasenko and Kasper, which holds where other joints keep the axes."
        yield Paragraph((text,))


def _side(letter: Math, formulas: Formulas, first: int) -> Lines:
    if formulas.is_zero:
        return Lines(((letter, (number(0.0),)),))
    return Lines(tuple((numbered(letter, first + k), (cell,)) for k, cell in enumerate(formulas)))


def _where(
    definitions: Sequence[tuple[Symbol, Expression]], constants: Sequence[NamedNumber], numbers_shown: bool
) -> Iterator[Block]:
    lines: list[tuple[Math, tuple[Piece, ...]]] = [(_spelt(s), (value,)) for s, value in definitions]
    if not numbers_shown:
        lines += [(_spelt(c.symbol), _value(c)) for c in constants]
    yield from _with(lines)


def _with(lines: Sequence[tuple[Math, tuple[Piece, ...]]]) -> Iterator[Block]:
    """What names stand for."""
    if lines:
        yield Paragraph(("with",))
        yield Lines(tuple(lines))


LONGEST_FORMULA = 44
"""Letters of a number's formula in a legend; for a longer one there is only its value."""
LONGEST_RATE = 400
"""Letters of the rate of a curve parameter."""


def _value(constant: NamedNumber) -> tuple[Piece, ...]:
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
    diagonal = put(letter("M"), " = ", letter("diag", r"\mathrm{diag}"), "(", M_, ", ", M_, ", ", J_, ")")
    yield Paragraph((
        put(letter("M"), " ", dotted(q_, 2), " + ", REACTION, " = ", Q_), " with ", diagonal,
        " of each body; written out, with a multiplier ", LAMBDA, " for each equation:",
    ))  # fmt: skip
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
    reaction = put("(", REACTION, ")")
    turning = put(
        J_, " ", dotted(OMEGA), " + ", OMEGA, " × ", J_, " ", OMEGA, " + ", under(reaction, OMEGA), " = ", T_
    )
    yield Paragraph((
        "For each body ", put(M_, " ", dotted(X, 2), " + ", under(reaction, X), " = ", F_), " and ", turning,
        ", with ", put(J_, " = ", R_, " ", letter("J′", "J'"), " ", transposed(R_)),
        " about the centre of mass; force ", F_, " and torque ", T_, " are those of gravity and of the forces below.",
    ))  # fmt: skip
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
        for text in entry.law:
            yield Paragraph((text,))
        return
    lines = []
    for body, cells in zip(entry.bodies, entry.Q.cells, strict=True):
        for component, cell in zip(entry.components, cells, strict=True):
            if not cell.is_zero:
                left = Symbol("Q", entry.body_name(body), entry.name, component, rank=Rank.RATE)
                lines.append((_spelt(left), (cell,)))
    if lines:
        yield Lines(tuple(lines))
    yield from _with([(_spelt(s), (value,)) for s, value in entry.definitions])
