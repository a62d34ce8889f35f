"""Forward dynamics: time of the accelerations from a state, in minimal coordinates, against Pinocchio and MuJoCo.

All sides get the same tree (`trees.py`) at the same angles and speeds, and must find the same accelerations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

import wheelwork as ww
from wheelwork.examples import path as example_path

from .measure import exponent, per_call
from .model import describe
from .ready import Ready
from .trees import Hinges, hinges, lumped

CHAINS = (6, 20, 43)
EXAMPLES = {"wrist": "bevel-wrist", "robot": "robot"}


class Forward(Ready):
    """A mechanism in minimal coordinates, at random angles and speeds, the same at every call."""

    def __init__(self, mechanism: ww.Mechanism):
        super().__init__(mechanism)
        self.code["code"].best()
        self.general, self.reduced = self.system(self.tables), self.system({**self.tables, **self.code})
        n = len(self.reduction.independent)
        rng = np.random.default_rng(1)
        self.q, self.v = rng.uniform(-1, 1, n), rng.uniform(-1, 1, n)
        self.general.start(self.start, self.v)
        self.y = self.reduced.start(self.start, self.v)
        self.y[:n] = self.q
        self.absolute = self.reduced.absolute(0.0, self.y)[0]
        self.hinges: Hinges = hinges(self.reduction, np.array(self.flat.gravity, float))

    def many(self, times: int) -> None:
        self.reduced.derivative(0.0, self.y, times)

    def many_general(self, times: int) -> None:
        """The same by the equations of any tree, which run until there is code."""
        self.general.derivative(0.0, self.y, times)

    def many_absolute(self, times: int) -> None:
        """The same accelerations in absolute coordinates, with all multipliers."""
        self.engine.repeat_derivative(0.0, self.absolute, times)

    @property
    def a(self) -> np.ndarray:
        n = len(self.q)
        return self.reduced.derivative(0.0, self.y)[n : 2 * n]


def without_loads(name: str) -> ww.Mechanism:
    """An example without its drivers, motors and friction: weight and inertia alone, as the peers have it."""
    mechanism = ww.load(example_path(EXAMPLES[name]))
    mechanism.drivers.clear()
    mechanism.forces.clear()
    mechanism.outputs = mechanism.analysis = None
    return mechanism


def measure(
    chains: tuple[int, ...],
    rounds: int,
    peers: dict[str, Any],
    compile_peers: bool,
    examples: tuple[str, ...] = tuple(EXAMPLES),
) -> dict[str, Any]:
    """Seconds of an evaluation on every side, how far accelerations are apart, and growth with the chain.

    compile_peers: whether the loop around Pinocchio may be compiled, which takes a minute or two the first time
    """
    rows = []
    for name in examples:
        rows.append(_compare(name, Forward(without_loads(name)), rounds, peers, compile_peers))
    for n in chains:
        rows.append(_compare(f"chain of {n}", Forward(describe(n)), rounds, peers, compile_peers))
    result: dict[str, Any] = {"rows": rows}
    of_chains = rows[len(examples) :]
    if len(of_chains) > 1:
        sides = [s for s in of_chains[0]["sides"] if all(s in row["sides"] for row in of_chains)]
        result["exponents"] = {
            side: {
                "all": exponent(chains, [row["sides"][side]["seconds"] for row in of_chains]),
                "local": [
                    exponent((m, n), (a["sides"][side]["seconds"], b["sides"][side]["seconds"]))
                    for (m, a), (n, b) in pairwise(zip(chains, of_chains, strict=True))
                ],
            }
            for side in sides
        }
    return result


def _compare(
    name: str, ours: Forward, rounds: int, peers: dict[str, Any], compile_peers: bool
) -> dict[str, Any]:
    wanted = ours.a
    times: dict[str, float] = {}
    apart: dict[str, float] = {}
    sides = {side: (many, found) for side, many, found in _sides(ours, peers, compile_peers)}
    for _ in range(rounds):
        for side, (many, _) in sides.items():
            times[side] = min(times.get(side, np.inf), per_call(many))
    for side, (_, found) in sides.items():
        if found is not None:
            apart[side] = float(np.abs(found() - wanted).max() / np.abs(wanted).max())
    reduction = ours.reduction
    return {
        "name": name,
        "coordinates": len(reduction.independent),
        "hinges": reduction.tree.rows,
        "bodies": len(reduction.tree.bodies),
        "sides": {
            side: {"seconds": seconds, **({"apart": apart[side]} if side in apart else {})}
            for side, seconds in times.items()
        },
    }


Found = Callable[[], np.ndarray]


def _sides(
    ours: Forward, peers: dict[str, Any], compile_peers: bool
) -> Iterator[tuple[str, Callable[[int], None], Found | None]]:
    """Name, many evaluations, and the accelerations where the equations are the same as ours."""
    yield "ours", ours.many, None
    yield (
        "ours general",
        ours.many_general,
        lambda: ours.general.derivative(0.0, ours.y)[len(ours.q) : 2 * len(ours.q)],
    )
    yield "ours absolute", ours.many_absolute, None
    model, q, v = ours.hinges, ours.q, ours.v
    lumps = lumped(model)
    if pinocchio := peers.get("pinocchio"):
        for world in (False, True):
            convention = "world" if world else "local"
            if compile_peers:
                if model.geared:
                    loop = pinocchio.Loop(model, "geared", q, v, world)
                    yield f"pinocchio geared {convention}", loop.many, _of(loop)
                    tree = pinocchio.Loop(lumps, "aba", q, v, world)
                    yield f"pinocchio aba lumped {convention}", tree.many, None
                loop = pinocchio.Loop(model, "aba", q, v, world)
                yield f"pinocchio aba {convention}", loop.many, None if model.geared else _of(loop)
            yield f"pinocchio aba from Python {convention}", pinocchio.Binding(model, q, v, world).many, None
        empty = Hinges([], np.zeros((0, 0)), [], model.gravity)
        yield "pinocchio call", pinocchio.Binding(empty, q[:0], v[:0], False).many, None
    if mujoco := peers.get("mujoco"):
        loop = mujoco.Loop(model, "all", q, v)
        yield "mujoco", loop.many, _of(loop)
        if model.geared:
            yield "mujoco lumped", mujoco.Loop(lumps, "all", q, v).many, None
        bare = mujoco.Loop(model, "bare", q, v)
        yield "mujoco bare", bare.many, None if model.geared else _of(bare)


def _of(loop: Any) -> Found:
    return lambda: loop.a
