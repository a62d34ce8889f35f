"""Sets of things that belong together (union-find)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Groups(Generic[T]):
    """Items in groups that can be joined; a group goes by its earliest item."""

    def __init__(self, items: Iterable[T]) -> None:
        self._order = {item: k for k, item in enumerate(items)}
        self._above: dict[T, T] = {item: item for item in self._order}

    def of(self, item: T) -> T:
        """The earliest item of the group."""
        while self._above[item] != item:
            self._above[item] = self._above[self._above[item]]
            item = self._above[item]
        return item

    def join(self, a: T, b: T) -> None:
        first, second = sorted((self.of(a), self.of(b)), key=self._order.__getitem__)
        self._above[second] = first

    def groups(self) -> dict[T, list[T]]:
        """Members of each group, in their order, by the earliest of them."""
        found: dict[T, list[T]] = {}
        for item in self._order:
            found.setdefault(self.of(item), []).append(item)
        return found
