"""What to say about a name of a signal that does not exist."""

from __future__ import annotations

from collections.abc import Iterable

from wheelwork.problems import did_you_mean, listed

MOST_LISTED = 12


class UnknownSignal(KeyError):
    """There is no signal of that name; the text names the nearest ones."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = list(known)
        super().__init__(name)

    def __str__(self) -> str:
        own = self._signals_of(self.name)
        if own:
            return f"`{self.name}` is not a signal; it has {listed(own[:MOST_LISTED])}"
        hint = did_you_mean(self.name, self.known)
        return f"there is no signal `{self.name}`" + (f"; {hint}" if hint else f"; {self._neighbours()}")

    def _neighbours(self) -> str:
        """Nothing is spelled alike: show what the element has, or which elements there are."""
        owner = self.name.rpartition(".")[0]
        while owner:
            own = self._signals_of(owner)
            if own:
                return f"`{owner}` has {listed(own[:MOST_LISTED])}"
            owner = owner.rpartition(".")[0]
        owners = list(dict.fromkeys(name.partition(".")[0] for name in self.known))
        return f"signals begin with {listed(owners[:MOST_LISTED])}"

    def _signals_of(self, owner: str) -> list[str]:
        """Whole signals of an element; their components go without saying."""
        whole = set(self.known)
        own = [name for name in self.known if name.startswith(owner + ".")]
        return [name for name in own if name.rpartition(".")[0] not in whole]
