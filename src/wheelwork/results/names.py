"""Signals by name: what one is, its numbers over time, and what to say about a name that does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

import numpy as np

from wheelwork.lazy import dataclass
from wheelwork.problems import did_you_mean, listed

MOST_LISTED = 12


@dataclass(frozen=True)
class SignalInfo:
    """What a signal is.

    name: such as `planet1.w`
    unit: SI
    meaning: in words
    components: of a vector, such as (x, y, z); each can be asked for as `name.x`
    """

    name: str
    unit: str
    meaning: str
    components: tuple[str, ...] = ()


@dataclass(frozen=True)
class Series:
    """A signal over time.

    values: (N,), or (N, components) of a vector
    notes: what a reader should know, by heading
    """

    info: SignalInfo
    values: np.ndarray
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def unit(self) -> str:
        return self.info.unit

    @property
    def components(self) -> tuple[str, ...]:
        return self.info.components

    @property
    def attributes(self) -> dict[str, str]:
        """As labelled arrays have them."""
        return {"units": self.info.unit, "long_name": self.info.meaning, **self.notes}

    def component(self, name: str) -> Series:
        """One component of a vector, by the name of it (`x`)."""
        info, k = self.info, self.components.index(name)
        own = SignalInfo(f"{info.name}.{name}", info.unit, f"{info.meaning}, {name}")
        return Series(own, self.values[:, k], self.notes)

    def columns(self) -> list[Series]:
        """The components of a vector one by one; a number alone."""
        return [self.component(name) for name in self.components] if self.components else [self]


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
