"""Impacts by balance of momentum with Newton's restitution (Bai, eq. 1.21-1.22).

Contacts that touch and approach get the normal speed -e times what it was, or come to rest if that is less
than the rest speed; joints keep their speeds; closed contacts stay closed unless they would have to pull
and part faster than their rest speed;
sticking joints are free to move, because friction forces are finite and an impact takes no time. All at once:

    v+ = v - M^-1 G^T S^-1 (G v - wanted)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wheelwork.equations.program import Kind

from ..engine import EventKind
from .projection import correct_velocity
from .system import System

TOUCHES = 1e-9
"""Gap (m) below which a contact touches."""

PULLS = 1e-14
"""Impulse (N s) from which on a contact would pull."""

Note = Callable[[float, EventKind, int, float], None]


class Impacts:
    """The contacts with impact of a system."""

    def __init__(self, system: System, note: Note):
        self.system = system
        self._note = note
        self.constraint = np.array([use.constraint for use in system.program.contacts], int)
        self.row = system.first_row[self.constraint]
        self._carries_impulse = np.array(
            [use.kind is not Kind.FRICTION for use in system.program.constraints], bool
        )

    def touching(self, speed: float) -> np.ndarray:
        """Open contacts that touch and whose speed is below `speed`, in the state last prepared."""
        s = self.system
        still = s.speeds()[self.row] < speed
        return np.flatnonzero(~s.holds[self.constraint] & (s.g[self.row] <= TOUCHES) & still)

    def collide(self, t: float, y: np.ndarray, approaches: float) -> tuple[np.ndarray, bool]:
        """The state after the impacts at hand, and whether there were any."""
        s = self.system
        if not len(self.constraint):
            return y, False
        s.prepare(t, y)
        hitting = [int(k) for k in self.touching(-approaches)]
        resting = [int(k) for k in np.flatnonzero(s.holds[self.constraint])]
        before = s.holds.copy()
        let_go: list[int] = []
        held: list[int] = []
        while hitting:
            after, impulses, rests = self._balance(t, y, before, hitting, [*resting, *held])
            pulled = [(float(impulses[self.row[k]]), k) for k in [*hitting, *resting]]
            worst, k = max(pulled)
            if worst > PULLS:
                (hitting if k in hitting else resting).remove(k)
                if before[self.constraint[k]]:
                    let_go.append(k)
                continue
            slow = [k for k in let_go if s.speeds()[self.row[k]] <= s.data[s.program.contacts[k].data + 1]]
            if slow:  # let go, they would only come back at once
                held += slow
                let_go = [k for k in let_go if k not in slow]
                continue
            holds = before.copy()
            holds[self.constraint[hitting]] = rests
            holds[self.constraint[let_go]] = False
            s.set_active(holds)
            for k, stays in zip(hitting, rests, strict=True):
                kind = EventKind.REST if stays else EventKind.IMPACT
                self._note(t, kind, k, -float(impulses[self.row[k]]))
            for k in let_go:
                self._note(t, EventKind.RELEASE, k, 0.0)
            return after, True
        s.set_active(before)
        return y, False

    def _balance(
        self, t: float, y: np.ndarray, before: np.ndarray, hitting: list[int], resting: list[int]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """State after the impact, impulses, and which of the contacts that hit stay."""
        s = self.system
        holds = before & self._carries_impulse
        holds[self.constraint] = False
        holds[self.constraint[[*hitting, *resting]]] = True
        s.set_active(holds)
        s.prepare(t, y)
        change = s.speeds()
        rows = self.row[hitting]
        law = np.array([s.program.contacts[k].data for k in hitting])
        rebound = -s.data[law] * change[rows]
        rests = ~(rebound > s.data[law + 1])
        change[rows] -= np.where(rests, 0.0, rebound)
        after, impulses = correct_velocity(s, y, change)
        return after, impulses, rests
