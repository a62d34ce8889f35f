"""Links: bodies that are rigid with each other, whether by a fixed joint or because two joints leave no motion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

from .axes import same_line, size_of
from .train import GearTrain, Pair

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


# -- links: bodies that are rigid with each other, whether by a fixed joint or because two joints leave no motion


class Links:
    """Which bodies are one link, and which joints are one axis.

    names: links, each named by the earliest of its bodies, in the order of the bodies
    bodies: members of each link
    of: link of each body
    coaxial: sets of joints about one axis that hang together through links: joints which turn about the same line and
        share a link do so for ever, since that line is fixed in the link
    locked: links that were found rigid because they share joints about two different axes, with the names of these
    size [m]: of the train, for what counts as one line
    """

    def __init__(self, train: GearTrain) -> None:
        self.size = size_of(pair.axis for pair in train.pairs.values())
        self.locked: list[tuple[str, str, tuple[str, str]]] = []
        groups = Groups(train.bodies)
        for a, b in train.rigid:
            groups.join(a, b)
        while True:
            self.of = {body: groups.of(body) for body in train.bodies}
            self.coaxial = self._coaxial(train)
            rigid = self._shared_twice()
            if rigid is None:
                break
            self.locked.append(rigid)
            groups.join(rigid[0], rigid[1])
        self.bodies = groups.groups()
        self.names = list(self.bodies)

    def ends(self, pair: Pair) -> tuple[str, str]:
        """The two links of a joint."""
        return self.of[pair.links[0]], self.of[pair.links[1]]

    def members(self, pairs: list[Pair]) -> list[str]:
        """Links that some joints touch, in the order of the joints."""
        return list(dict.fromkeys(link for pair in pairs for link in self.ends(pair)))

    def _coaxial(self, train: GearTrain) -> list[list[Pair]]:
        # A joint between two bodies of one link has nothing to say.
        pairs = [pair for pair in train.pairs.values() if self.ends(pair)[0] != self.ends(pair)[1]]
        groups = Groups(pair.name for pair in pairs)
        at: dict[str, list[Pair]] = defaultdict(list)
        for pair in pairs:
            for link in self.ends(pair):
                for other in at[link]:
                    if self._one_axis(pair, other):
                        groups.join(pair.name, other.name)
                at[link].append(pair)
        return [[train.pairs[name] for name in names] for names in groups.groups().values()]

    def _one_axis(self, a: Pair, b: Pair) -> bool:
        if a.kind != b.kind:
            return False
        # Along a direction the place does not matter.
        return same_line(a.axis, b.axis, self.size if a.kind == "turning" else float("inf"))

    def _shared_twice(self) -> tuple[str, str, tuple[str, str]] | None:
        """Two links that turn against each other about two axes at once: they cannot."""
        met: dict[tuple[str, str], str] = {}
        for pairs in self.coaxial:
            members = sorted(self.members(pairs))
            for k, a in enumerate(members):
                for b in members[k + 1 :]:
                    if (a, b) in met:
                        return a, b, (met[a, b], pairs[0].name)
                    met[a, b] = pairs[0].name
        return None
