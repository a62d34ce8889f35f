"""Signals by name: what one is, and its numbers over time."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from wheelwork.lazy import dataclass


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
