"""From CasADi functions to LLVM's intermediate language.

The instruction tape of a CasADi SX function is walked once. A product that is used once, in a sum, is fused with it
here, by a rule of our own: compilers that choose by themselves choose differently at each level, and digits differ.

A function `f` becomes ``void f(ptr in, ptr out)``, from pointers to pointers as in CasADi's own C interface: `in[k]`
and `out[k]` are dense columns of argument and result k, each entry of as many doubles as there are lanes. Entries of
results that are structurally zero are not written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from wheelwork.lazy import casadi as ca

from .functions import definitions, quick_sincos
from .guards import Guard, guarded
from .ir import Value, Writer, symbol

Rule = Callable[[Writer, Value, Value], Value]


def _truth(w: Writer, condition: Value) -> Value:
    return w.select(condition, 1.0, 0.0)


def _sign(w: Writer, a: Value) -> Value:
    return w.select(a < 0.0, -1.0, w.select(a > 0.0, 1.0, a))


def _power(w: Writer, a: Value, b: Value) -> Value:
    if b.text == w.constant(0.5).text:
        # unlike the square root, the power of minus zero is plus zero, and that of minus infinity plus infinity
        return w.intrinsic("sqrt", w.select(a.equals(-float("inf")), float("inf"), a + 0.0))
    return w.call("pow", a, b)


BINARY: dict[int, Rule] = {
    ca.OP_ADD: lambda w, a, b: a + b,
    ca.OP_SUB: lambda w, a, b: a - b,
    ca.OP_MUL: lambda w, a, b: a * b,
    ca.OP_DIV: lambda w, a, b: a / b,
    ca.OP_POW: _power,
    ca.OP_CONSTPOW: _power,
    ca.OP_LT: lambda w, a, b: _truth(w, a < b),
    ca.OP_LE: lambda w, a, b: _truth(w, a <= b),
    ca.OP_EQ: lambda w, a, b: _truth(w, a.equals(b)),
    ca.OP_NE: lambda w, a, b: _truth(w, a.differs(b)),
    ca.OP_AND: lambda w, a, b: _truth(w, a.differs(0.0) & b.differs(0.0)),
    ca.OP_OR: lambda w, a, b: _truth(w, a.differs(0.0) | b.differs(0.0)),
    ca.OP_COPYSIGN: lambda w, a, b: w.intrinsic("copysign", a, b),
    ca.OP_FMIN: lambda w, a, b: w.intrinsic("minnum", a, b),
    ca.OP_FMAX: lambda w, a, b: w.intrinsic("maxnum", a, b),
    ca.OP_ATAN2: lambda w, a, b: w.call("atan2", a, b),
    ca.OP_HYPOT: lambda w, a, b: w.call("hypot", a, b),
    ca.OP_IF_ELSE_ZERO: lambda w, a, b: w.select(a.differs(0.0), b, 0.0),
}
UNARY: dict[int, Callable[[Writer, Value], Value]] = {
    ca.OP_ASSIGN: lambda w, a: a,
    ca.OP_NEG: lambda w, a: -a,
    ca.OP_SQ: lambda w, a: a * a,
    ca.OP_TWICE: lambda w, a: a + a,
    ca.OP_INV: lambda w, a: 1.0 / a,
    ca.OP_SQRT: lambda w, a: w.intrinsic("sqrt", a),
    ca.OP_FLOOR: lambda w, a: w.intrinsic("floor", a),
    ca.OP_CEIL: lambda w, a: w.intrinsic("ceil", a),
    ca.OP_FABS: lambda w, a: w.absolute(a),
    ca.OP_SIGN: _sign,
    ca.OP_NOT: lambda w, a: _truth(w, a.equals(0.0)),
}
CALLS = {
    ca.OP_SIN: "sin",
    ca.OP_COS: "cos",
    ca.OP_TAN: "tan",
    ca.OP_EXP: "exp",
    ca.OP_EXPM1: "expm1",
    ca.OP_LOG: "log",
    ca.OP_LOG1P: "log1p",
    ca.OP_SINH: "sinh",
    ca.OP_COSH: "cosh",
    ca.OP_TANH: "tanh",
    ca.OP_ASIN: "asin",
    ca.OP_ACOS: "acos",
    ca.OP_ATAN: "atan",
}
"""Functions of one argument in :mod:`.functions`."""


class Tape:
    """The instructions of a function in single-assignment form.

    terms: for each instruction the numbers of those whose values it takes
    places: argument and entry of inputs, result and entry of outputs
    offsets: of each result, where its entries are in a dense column
    sources: as `terms`, but a sum takes the factors of the product that is fused with it
    written: the instructions that become text, in order: all but fused products
    guards: by the first of their instructions, which follow each other in `written` (:mod:`.guards`)
    """

    def __init__(
        self,
        name: str,
        operations: list[int],
        terms: list[tuple[int, ...]],
        places: dict[int, tuple[int, int]],
        constants: dict[int, float],
        offsets: list[list[int]],
    ):
        self.name, self.operations, self.terms = name, operations, terms
        self.places, self.constants, self.offsets = places, constants, offsets
        uses = [0] * len(operations)
        for sources in terms:
            for s in sources:
                uses[s] += 1
        self.fused = {
            k: product
            for k, op in enumerate(self.operations)
            if op in (ca.OP_ADD, ca.OP_SUB)
            for product in [self._product_in(k, uses)]
            if product is not None
        }
        self.sources = [self._sources(k) for k in range(len(self.operations))]
        hidden = set(self.fused.values())
        shown = [k for k in range(len(self.operations)) if k not in hidden]
        self.written, self.guards = guarded(self.operations, self.sources, shown)
        angles = [
            {s[0] for s, o in zip(self.sources, self.operations, strict=True) if o == op}
            for op in (ca.OP_SIN, ca.OP_COS)
        ]
        self.angles = angles[0] & angles[1]

    @classmethod
    def of(cls, function: ca.Function) -> Tape:
        """The tape of a CasADi function."""
        operations = [function.instruction_id(k) for k in range(function.n_instructions())]
        terms: list[tuple[int, ...]] = []
        places: dict[int, tuple[int, int]] = {}
        constants: dict[int, float] = {}
        current: dict[int, int] = {}
        for k, op in enumerate(operations):
            taken: tuple[int, ...] = ()
            if op == ca.OP_CONST:
                constants[k] = function.instruction_constant(k)
            elif op == ca.OP_INPUT:
                which, entry = function.instruction_input(k)
                places[k] = (which, entry)
            else:
                taken = tuple(current[place] for place in function.instruction_input(k))
            terms.append(taken)
            target = function.instruction_output(k)
            if op == ca.OP_OUTPUT:
                places[k] = (target[0], target[1])
            else:
                current[target[0]] = k
        offsets = []
        for k in range(function.n_out()):
            pattern = function.sparsity_out(k)
            rows, columns = pattern.get_triplet()
            offsets.append([c * pattern.size1() + r for r, c in zip(rows, columns, strict=True)])
        return cls(function.name(), operations, terms, places, constants, offsets)

    def pieces(self) -> list[list[int]]:
        """The written instructions, no more in a piece than are translated quickly; no guard is cut."""
        cuts: list[list[int]] = [[]]
        end = 0
        for place, k in enumerate(self.written):
            if place < end:
                continue
            guard = self.guards.get(k)
            whole = [k] if guard is None else guard.written
            end = place + len(whole)
            if cuts[-1] and len(cuts[-1]) + len(whole) > LONGEST:
                cuts.append([])
            cuts[-1] += whole
        return cuts

    def _product_in(self, k: int, uses: list[int]) -> int | None:
        """Which term of a sum is written with it: the second, if that is a product used once, else the first."""
        for term in reversed(self.terms[k]):
            if self.operations[term] in (ca.OP_MUL, ca.OP_SQ) and uses[term] == 1:
                return term
        return None

    def _sources(self, k: int) -> tuple[int, ...]:
        product = self.fused.get(k)
        if product is None:
            return self.terms[k]
        a, b = self.terms[k]
        factors = self.terms[product]
        return (*(factors if len(factors) == 2 else factors * 2), a if product == b else b)

    def write(
        self,
        w: Writer,
        instructions: Sequence[int],
        values: dict[int, Value],
        read: Callable[[int, int], Value],
        store: Callable[[int, int, Value], None],
    ) -> None:
        """The text of some instructions. `values` has what they take from earlier ones, and gets theirs.

        `read(argument, entry)` and `store(result, entry, value)` say where data is.
        """
        both: dict[int, tuple[Value, Value]] = {}
        following = iter(instructions)
        for k in following:
            guard = self.guards.get(k)
            if guard is None:
                self._write(w, k, values, both, read, store)
                continue
            for _ in guard.written[1:]:
                next(following)
            self._write_guard(w, guard, values, read, store)

    def _write_guard(
        self,
        w: Writer,
        guard: Guard,
        values: dict[int, Value],
        read: Callable[[int, int], Value],
        store: Callable[[int, int, Value], None],
    ) -> None:
        own = set(guard.written)
        for k in guard.written:  # what comes from outside has to be there on both ways
            for s in self.sources[k]:
                if s not in own:
                    _ = values[s]
        holds = values[guard.condition].differs(0.0)
        name = w.name()[1:]
        before, begin, end, after = (f"{place}.{name}" for place in ("before", "begin", "end", "after"))
        w.lines += [f"br label %{before}", f"{before}:"]
        w.lines += [f"br i1 {w.anywhere(holds).text}, label %{begin}, label %{after}", f"{begin}:"]
        both: dict[int, tuple[Value, Value]] = {}
        for k in guard.written:
            if (
                w.lanes == 1
                and self.operations[k] == ca.OP_IF_ELSE_ZERO
                and self.sources[k][0] == guard.condition
            ):
                values[k] = values[self.sources[k][1]]
            else:
                self._write(w, k, values, both, read, store)
        chosen = [values[k] for k in guard.selections]
        w.lines += [f"br label %{end}", f"{end}:", f"br label %{after}", f"{after}:"]
        T, zero = w.double.text, w.constant(0.0).text
        found = {}  # phis stand before all else
        for k, x in zip(guard.selections, chosen, strict=True):
            joined = f"phi {T} [ {zero}, %{before} ], [ {x.text}, %{end} ]"
            found[k] = w.line(joined, w.double)
        for k, x in found.items():  # one by one: a value that crosses into another piece is saved
            values[k] = x

    def _write(
        self,
        w: Writer,
        k: int,
        values: dict[int, Value],
        both: dict[int, tuple[Value, Value]],
        read: Callable[[int, int], Value],
        store: Callable[[int, int, Value], None],
    ) -> None:
        op, sources = self.operations[k], self.sources[k]
        if op == ca.OP_OUTPUT:
            which, entry = self.places[k]
            store(which, self.offsets[which][entry], values[sources[0]])
        elif op == ca.OP_INPUT:
            values[k] = read(*self.places[k])
        elif op == ca.OP_CONST:
            values[k] = w.constant(self.constants[k])
        elif k in self.fused:
            values[k] = self._sum(w, k, *(values[s] for s in sources))
        elif op in (ca.OP_SIN, ca.OP_COS) and (w.quick or sources[0] in self.angles):
            angle = sources[0]
            if angle not in both:
                both[angle] = (quick_sincos if w.quick else _sine_and_cosine)(w, values[angle])
            values[k] = both[angle][op == ca.OP_COS]
        else:
            values[k] = self._single(w, op, [values[s] for s in sources])

    def _sum(self, w: Writer, k: int, p: Value, q: Value, other: Value) -> Value:
        """p q + other, or the difference of the two, rounded once."""
        if self.operations[k] == ca.OP_SUB:
            second = self.fused[k] == self.terms[k][1]
            p, other = (-p, other) if second else (p, -other)
        return w.fma(p, q, other)

    def _single(self, w: Writer, op: int, arguments: list[Value]) -> Value:
        if op in CALLS:
            return w.call(CALLS[op], *arguments)
        rule = BINARY.get(op) or UNARY.get(op)
        if rule is None:
            raise NotImplementedError(f"no machine code for CasADi operation {op} in {self.name}")
        return rule(w, *arguments)


def _sine_and_cosine(w: Writer, angle: Value) -> tuple[Value, Value]:
    T = w.double.text
    w.called.add("sincos")
    pair = w.line(f"call {{ {T}, {T} }} @{symbol('sincos', w.lanes)}({T} {angle.text})", w.double)
    sine, cosine = (w.line(f"extractvalue {{ {T}, {T} }} {pair.text}, {k}", w.double) for k in (0, 1))
    return sine, cosine


LONGEST = 1500
"""Instructions in one piece of a function: the time to compile grows with their square."""


class _TapePiece:
    """The text of a run of instructions; what crosses from one piece to another travels in the work array."""

    def __init__(self, lanes: int, quick: bool):
        self.w = Writer(lanes, quick)
        self.T = self.w.double.text
        self._columns: dict[tuple[str, int], str] = {}

    def _place(self, array: str, entry: int) -> str:
        return self.w.line(f"getelementptr {self.T}, ptr {array}, i64 {entry}", self.w.double).text

    def _column(self, side: str, which: int) -> str:
        if (side, which) not in self._columns:
            place = self.w.line(f"getelementptr ptr, ptr %{side}, i64 {which}", self.w.double)
            self._columns[side, which] = self.w.line(f"load ptr, ptr {place.text}", self.w.double).text
        return self._columns[side, which]

    def load(self, array: str, entry: int) -> Value:
        return self.w.line(f"load {self.T}, ptr {self._place(array, entry)}, align 8", self.w.double)

    def save(self, array: str, entry: int, value: Value) -> None:
        self.w.lines.append(f"store {self.T} {value.text}, ptr {self._place(array, entry)}, align 8")

    def read(self, which: int, entry: int) -> Value:
        return self.load(self._column("in", which), entry)

    def store(self, which: int, entry: int, value: Value) -> None:
        self.save(self._column("out", which), entry, value)


class _Crossing(dict[int, Value]):
    """Values of a piece: those of earlier ones are loaded where needed, those that later ones need saved at once."""

    def __init__(self, piece: _TapePiece, slots: dict[int, int]):
        super().__init__()
        self._piece, self._slots = piece, slots

    def __missing__(self, k: int) -> Value:
        value = self._piece.load("%work", self._slots[k])
        super().__setitem__(k, value)
        return value

    def __setitem__(self, k: int, value: Value) -> None:
        super().__setitem__(k, value)
        if k in self._slots:
            self._piece.save("%work", self._slots[k], value)


Text = tuple[str, set[str], set[str]]
"""A function's text, the functions of :mod:`.functions` that it calls, and its declarations."""


def function_texts(function: ca.Function | Tape, lanes: int, quick: bool = False) -> list[Text]:
    """The text of a function: of its pieces, if it is long, and of that which calls them."""
    tape = function if isinstance(function, Tape) else Tape.of(function)
    name = tape.name
    cuts = tape.pieces()
    made_in = {k: number for number, cut in enumerate(cuts) for k in cut}
    crossing: dict[int, int] = {}
    for number, cut in enumerate(cuts):
        for k in cut:
            for s in tape.sources[k]:
                if made_in[s] != number:
                    crossing.setdefault(s, len(crossing))
    texts: list[Text] = []
    for number, cut in enumerate(cuts):
        piece = _TapePiece(lanes, quick)
        tape.write(piece.w, cut, _Crossing(piece, crossing), piece.read, piece.store)
        head = f"define void @{name}(ptr %in, ptr %out) {{"
        if len(cuts) > 1:
            head = f"define void @{name}.{number}(ptr %in, ptr %out, ptr %work) noinline {{"
        text = "\n".join([head, *piece.w.lines, "ret void", "}"])
        texts.append((text, piece.w.called, piece.w.declared))
    if len(cuts) > 1:
        calls = [f"call void @{name}.{k}(ptr %in, ptr %out, ptr %work)" for k in range(len(cuts))]
        work = f"%work = alloca {Writer(lanes).double.text}, i64 {max(1, len(crossing))}, align 64"
        whole = [f"define void @{name}(ptr %in, ptr %out) {{", work, *calls, "ret void", "}"]
        texts.append(("\n".join(whole), set(), set()))
    return texts


def module_text(
    texts: Sequence[Text], lanes: int, elsewhere: Sequence[str] = (), inline: bool = False
) -> str:
    """A module with these functions and what they call, each where it is called if `inline`."""
    helpers, declared = definitions(set().union(*(called for _, called, _ in texts)), lanes)
    declared = declared.union(elsewhere, *(needed for *_, needed in texts))
    if inline:
        helpers = [
            text if "noinline" in text else text.replace(") {", ") alwaysinline {", 1) for text in helpers
        ]
    return "\n\n".join(["\n".join(sorted(declared)), *helpers, *(text for text, *_ in texts), ""])


def emit(functions: Sequence[ca.Function | Tape], lanes: int = 1) -> str:
    """A module with all functions and what they call; each function once."""
    return module_text([text for function in functions for text in function_texts(function, lanes)], lanes)


def emit_apart(functions: Sequence[ca.Function | Tape]) -> Iterator[str]:
    """The same as several modules, none of which takes long to translate."""
    for function in functions:
        *pieces, last = function_texts(function, 1)
        for text in pieces:
            yield module_text([text], 1)
        heads = [
            text.partition("{")[0].replace("define", "declare").replace("noinline", "") for text, *_ in pieces
        ]
        yield module_text([last], 1, heads)
