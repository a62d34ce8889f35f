"""Modes: which joints stick or slide, which contacts are open or closed, and how they change.

Each mode has a value that is positive while it lasts:

    sliding joint     rate of its coordinate in the direction of sliding
    sticking joint    largest friction less the friction needed
    joint that gave way   its friction is at the limit, as in sliding, but others that stick still hold it; lasts until
                      an event of those
    open contact      gap
    closed contact    pushing force
    kinks of forces   whatever the force says; there a change of either sign counts

A mode that begins on the edge (a joint that has just broken loose, a ball that has just left the ground) has
a value of zero or, by round-off, less. It ends when its value falls below that for good: see `worse` in
:class:`Readings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wheelwork.equations.forces.base import EventType

from ..engine import EventKind
from .impact import Impacts
from .projection import derivative_on_manifold
from .system import System

AT_REST = 1e-9
"""Rate of a joint coordinate (rad/s or m/s) below which the joint sticks at the start."""

STILL_MOVES = 1e-11
REVERSED = 1e-8
APPROACHES = 1e-10
"""Speed (m/s) from which on a touching contact counts as approaching."""

ROUNDS = 60


@dataclass(frozen=True)
class Readings:
    """Values of all modes at one time, and whether each is clearly past its end."""

    values: np.ndarray
    worse: np.ndarray
    types: np.ndarray
    """:class:`EventType` of the values that forces give, which come first."""

    def ended(self, before: Readings) -> np.ndarray:
        """Which modes ended between `before` and now."""
        ended = (self.values <= 0) & ((before.values > 0) | self.worse)
        k = slice(0, len(self.types))
        rises = (before.values[k] < 0) & (self.values[k] >= 0) & (self.types == EventType.KINK)
        crossed = rises | ((before.values[k] > 0) & (self.values[k] <= 0))
        ended[k] = np.where(self.types == EventType.SKIP, np.abs(self.skipped(before)) > 0.5, crossed)
        return ended

    def skipped(self, before: Readings) -> np.ndarray:
        """By how much the values that forces give fell."""
        k = len(self.types)
        return before.values[:k] - self.values[:k]


class Switching:
    """The modes of a system, kept in its `holds` and its friction's `slip`."""

    def __init__(self, system: System):
        self.system, self.friction = system, system.friction
        program = system.program
        self.kinks = program.events
        types = [(kind, use.name) for use in program.forces for kind in use.kernel.event_types]
        self.types = np.array([kind for kind, _ in types], int)
        self._owners = [name for _, name in types]
        self.deep: dict[int, str] = {}
        """Meshes whose teeth were pressed too deep, by the index of the value that told it."""
        self.gave_way = np.zeros(self.friction.count, bool)
        self.log: list[tuple[float, float, float, float]] = []
        self._impacts = Impacts(system, self.note)
        self._contact = self._impacts.constraint
        self._contact_row = self._impacts.row
        self.any = self.kinks + self.friction.count + len(self._contact) > 0
        kinks = bool(np.any(self.types == EventType.KINK))
        self.any_modes = kinks or self.friction.count + len(self._contact) > 0
        """Whether there are any besides the limits of teeth."""
        self.samples = 4 if self.friction.count + len(self._contact) else 1
        """In how many places a step is looked at, so that a short contact or a short slide is not stepped over."""

    def note(self, t: float, kind: EventKind, index: int, size: float = 0.0) -> None:
        self.log.append((t, float(kind), float(index), size))

    def read(self, t: float) -> Readings:
        """All values; needs the system's derivative at (t, y) first."""
        s, friction = self.system, self.friction
        kinks = np.zeros(self.kinks)
        for group in s.forces:
            if group.has_events:
                group.gather(t + s.inputs.origin, s.records, s.inputs.values, s.counted)
                kinks[group.events] = group.batch("event")[0]
        slip = friction.slip
        needed = np.abs(s.multipliers[friction.row])
        slides = slip != 0
        along = np.where(self.gave_way, 1.0, slip * friction.rates())
        limits = friction.limits() * friction.ratio if friction.count else np.zeros(0)
        noise = self._round_off()
        joints = np.where(slides, along, limits - needed + noise)
        joints_worse = np.where(slides, along < -STILL_MOVES, _exceeds(needed, limits, noise))
        closed = s.holds[self._contact]
        push, gap = -s.multipliers[self._contact_row], s.g[self._contact_row]
        approaches = s.speeds()[self._contact_row] < -APPROACHES
        contacts = np.where(closed, push, gap)
        return Readings(
            np.concatenate([kinks, joints, contacts]),
            np.concatenate(
                [np.zeros(self.kinks, bool), joints_worse, np.where(closed, push < 0, approaches)]
            ),
            self.types,
        )

    def note_teeth(self, t: float, before: Readings, now: Readings) -> str:
        """Teeth that skipped between two readings, and teeth that are pressed too deep for the first time; the name of
        a mesh whose teeth skipped."""
        moved, name = now.skipped(before), ""
        for k in np.flatnonzero((self.types == EventType.SKIP) & (np.abs(moved) > 0.5)):
            self.note(t, EventKind.SKIPPED, int(k), float(np.sign(moved[k])))
            name = name or self._owners[k]
        for k in np.flatnonzero((self.types == EventType.DEEP) & (now.values[: len(self.types)] <= 0)):
            if k not in self.deep:
                self.note(t, EventKind.DEEP, int(k))
                self.deep[int(k)] = self._owners[k]
        return name

    # -- finding modes

    def start(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
        """Modes that fit the state at the start; the state, its derivative, and whether such modes were found."""
        s = self.system
        s.derivative(t, y)
        rates = self.friction.rates()
        self.gave_way[:] = False
        for k in range(self.friction.count):
            self._set_slip(k, 0 if abs(rates[k]) < AT_REST else int(np.sign(rates[k])))
        holds = s.holds.copy()
        approaching = self._impacts.touching(-APPROACHES)
        holds[self._contact[np.setdiff1d(self._impacts.touching(APPROACHES), approaching)]] = True
        s.set_active(holds)
        return self.settle(t, y)

    def settle(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
        """Change modes until they fit the state: impacts first, then contacts that pull, then friction."""
        friction = self.friction
        broke_loose = set(np.flatnonzero(self.gave_way).tolist())
        slid = (friction.slip != 0) & ~self.gave_way
        dy = y
        for _ in range(ROUNDS + 4 * friction.count):
            y, hit = self._impacts.collide(t, y, APPROACHES)
            if hit:
                self._after_impact(t, y)
            y, dy = derivative_on_manifold(self.system, t, y)
            if self._release(t) or hit:
                continue
            if self._settle_friction(broke_loose):
                continue
            if friction.count:
                self._note_changes(t, slid)
            return y, dy, True
        return y, dy, False

    def _note_changes(self, t: float, slid: np.ndarray) -> None:
        """Which joints gave way but are held by others, and which began or ceased to slide."""
        friction = self.friction
        for k, rate in enumerate(friction.rates()):
            at_rest = friction.slip[k] != 0 and abs(rate) <= REVERSED
            self.gave_way[k] = at_rest and self._held_by_others(k)
            slides = friction.slip[k] != 0 and not self.gave_way[k]
            if slides != slid[k]:
                self.note(t, EventKind.SLIDE if slides else EventKind.STICK, k)

    def _held_by_others(self, k: int) -> bool:
        """Whether a joint that does not stick is held by others that do. (At a dead centre a joint cannot move either,
        but goes on.)"""
        return bool(np.any(self.friction.slip == 0)) and self.system.is_held(self.friction.row[k])

    def _release(self, t: float) -> bool:
        """Open the contact that pulls most."""
        s = self.system
        pull = np.where(s.holds[self._contact], s.multipliers[self._contact_row], 0.0)
        if not (pull > 0).any():
            return False
        k = int(np.argmax(pull))
        holds = s.holds.copy()
        holds[self._contact[k]] = False
        s.set_active(holds)
        self.note(t, EventKind.RELEASE, k)
        return True

    # -- friction

    def _set_slip(self, k: int, direction: int) -> None:
        self.friction.slip[k] = direction
        holds = self.system.holds.copy()
        holds[self.friction.constraint[k]] = direction == 0
        self.system.set_active(holds)

    def _after_impact(self, t: float, y: np.ndarray) -> None:
        """An impact moves joints that stuck: friction forces are finite and carry no impulse."""
        if not self.friction.count:
            return
        self.system.prepare(t, y)
        for k, rate in enumerate(self.friction.rates()):
            if self.friction.slip[k] == 0 and abs(rate) > REVERSED:
                self._set_slip(k, int(np.sign(rate)))

    def _round_off(self) -> float:
        """What multipliers are wrong by: of bearings under weight beside a mesh that carries nothing, for instance."""
        s = self.system
        largest = float(np.max(np.abs(s.multipliers[s.active]), initial=0.0))
        return (1e-11 if s.factor.regular else 1e-7) * largest

    def _settle_friction(self, broke_loose: set[int]) -> bool:
        """Change the first joint whose mode does not fit."""
        friction = self.friction
        if not friction.count:
            return False
        rates, accelerations = friction.rates(), friction.accelerations()
        limits = friction.limits() * friction.ratio
        for k in range(friction.count):
            slip, rate = friction.slip[k], rates[k]
            if slip == 0:
                needed = self.system.multipliers[friction.row[k]]
                if _exceeds(abs(needed), limits[k], self._round_off()):
                    self._set_slip(k, 1 if needed > 0 else -1)
                    broke_loose.add(k)
                    return True
            elif slip * rate <= STILL_MOVES:
                # an event is located to 1e-10 s: what a hard brake overshoots in that time is no reversal
                if abs(rate) > max(REVERSED, 1e-9 * abs(accelerations[k])):
                    self._set_slip(k, -slip)
                elif k in broke_loose and (slip * accelerations[k] > 0 or self._held_by_others(k)):
                    continue
                else:
                    self._set_slip(k, 0)
                return True
        return False


def _exceeds(needed: Any, limit: Any, noise: float) -> Any:
    """By more than round-off."""
    return needed - limit > 1e-12 * (needed + limit) + noise
