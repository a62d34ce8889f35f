"""One type of kernel for all its instances at once.

A CasADi function is mapped over the instances and called through its buffer interface, which reads and writes
NumPy arrays in place: a call costs a microsecond and the operations themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import casadi as ca
import numpy as np

K = TypeVar("K")
U = TypeVar("U")


def dense(
    function: ca.Function, change: Callable[[int, ca.SX], ca.SX] = lambda _, value: value
) -> ca.Function:
    """The function with dense results, each passed through `change(index, result)` first."""
    symbols = function.sx_in()
    results = function.call(symbols)
    changed = [ca.densify(change(k, value)) for k, value in enumerate(results)]
    return ca.Function(function.name(), symbols, changed)


class Batch:
    """Functions with the same arguments, evaluated for `count` instances.

    `arguments[i]` has one row for each instance; `results[name][k]` too (columns of a matrix follow each other).
    """

    def __init__(self, functions: Mapping[str, ca.Function], count: int):
        self.count = count
        sizes: dict[int, int] = {}
        for function in functions.values():
            sizes |= {i: function.numel_in(i) for i in range(function.n_in())}
        self.arguments = [np.zeros((count, sizes[i])) for i in range(len(sizes))]
        self.results: dict[str, list[np.ndarray]] = {}
        self._calls: dict[str, Callable[[], None]] = {}
        self._kept: list[object] = []
        for name, function in functions.items():
            self._add(name, function)

    def _add(self, name: str, function: ca.Function) -> None:
        mapped = function.map(self.count) if self.count > 1 else function
        buffer: Any
        buffer, call = mapped.buffer()
        for i in range(function.n_in()):
            if self.arguments[i].size:
                buffer.set_arg(i, self.arguments[i].data)
        self.results[name] = [np.zeros((self.count, function.numel_out(k))) for k in range(function.n_out())]
        for k, result in enumerate(self.results[name]):
            if result.size:
                buffer.set_res(k, result.data)
        self._calls[name] = call
        self._kept += [mapped, buffer]

    def __call__(self, name: str) -> list[np.ndarray]:
        """Evaluate one function with the arguments as they are; the next call writes over the arrays returned."""
        if self.count:
            self._calls[name]()
        return self.results[name]


def group_by(uses: Sequence[U], key: Callable[[U], K]) -> list[list[tuple[int, U]]]:
    """Uses with their indices, those with the same key together, in the order in which keys appear."""
    groups: dict[K, list[tuple[int, U]]] = {}
    for index, use in enumerate(uses):
        groups.setdefault(key(use), []).append((index, use))
    return list(groups.values())
