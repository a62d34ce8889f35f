"""Values between output times.

Between two stored states everything needed for high order is at hand: position, velocity and acceleration at both ends.

- Centres of mass: the quintic that meets x, x', x'' at both ends; velocity and acceleration are its derivatives.
  Error of x: h^6/46080 times the sixth derivative.
- Orientation: the rotation about the axis of the angular velocity is split off first, e = r * d, so that a wheel may
  turn many times between two outputs; the Euler parameters d of what remains get the quintic.
- Multipliers and friction forces: the cubic through the four nearest outputs.

Events (impact, stick, slip) make velocities or accelerations jump. A run keeps the states on both sides of these
(`RecordedMotion.sides`), which are nodes as the outputs are, and no polynomial runs from one side to the other. Across
a jump whose sides were not kept (a sample of a controller, files of older versions) none does either: before it the
motion goes on from the left end with constant acceleration, after it the right end is followed back in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wheelwork.engine.recorded import RecordedMotion
from wheelwork.lazy import dataclass
from wheelwork.system.attitude import quaternion_product
from wheelwork.system.motion import Motion
from wheelwork.system.space import PLANAR

CLOSE = 1e-9
"""Of the whole time: jumps that are no further from each other, or from an output, are at one moment."""
OUT_OF_PROPORTION = 1e4
"""Speed that an acceleration would give in an output interval, over the speeds there are."""
NEIGHBOURS = 4
"""Stored moments on either side that what is between two may depend on."""


def motion_at(
    given: RecordedMotion, times: np.ndarray, jumps: Sequence[float] = (), samples: Sequence[float] = ()
) -> Motion:
    """The motion at other times, all within those it has.

    times: (N,) s
    jumps: times at which velocities or accelerations may jump
    samples: times at which accelerations and elements' own states may jump, but no velocities
    """
    nodes = _Nodes.all_of(given).around(times)
    motion, program = nodes.motion, given.program
    close = CLOSE * (given.t[-1] - given.t[0])
    # an event at the very start has no other side: the first output is behind it
    later, sampled = (np.unique([x for x in those if x > given.t[0] + close]) for those in (jumps, samples))
    where = _Places(nodes, times, _without_sides(later, nodes, close), sampled, close)
    if program.space is PLANAR:  # the angle is a coordinate like the others
        keep = list(PLANAR.velocities)
        q, v, a = _smooth((motion.q, motion.v[:, :, keep], motion.a[:, :, keep]), where)
    else:
        x, v, a = _smooth((motion.x, motion.v[:, :, :3], motion.a[:, :, :3]), where)
        e, w, alpha = _rotation(motion, where)
        q, v, a = (np.concatenate(parts, axis=2) for parts in ((x, e), (v, w), (a, alpha)))
    state = np.empty((len(times), program.n))
    state[:, : program.nq] = q.reshape(len(times), -1)
    state[:, program.nq : program.nq + program.nv] = v.reshape(len(times), -1)
    state[:, program.nq + program.nv :] = _turns(motion, where)
    efforts = [a.reshape(len(times), -1), *map(where.local_cubic, (motion.multipliers, motion.friction))]
    if len(given.sides):  # an output at the very time of an event is as the run has shown it
        output = np.minimum(np.searchsorted(given.t, times), given.count - 1)
        same = given.t[output] == times
        own = (given.state, given.acceleration, given.multipliers, given.friction)
        for made, stored in zip((state, *efforts), own, strict=True):
            made[same] = stored[output[same]]
    return motion.other(times, state, efforts)


@dataclass(frozen=True)
class _Nodes:
    """Stored moments between which polynomials run.

    motion: outputs and sides of events in their order
    stretch: of each, how many events are before it
    least [s]: what is shorter has too few digits for a polynomial of high order
    sides [s]: times of the sides among them, in pairs
    """

    motion: RecordedMotion
    stretch: np.ndarray
    least: float
    sides: np.ndarray

    @staticmethod
    def all_of(motion: RecordedMotion) -> _Nodes:
        if not len(motion.sides):  # nothing is solved or merged that is not needed
            return _Nodes(motion, np.zeros(motion.count, int), _least(motion), np.zeros(0))
        return motion.once("nodes", lambda: _nodes_of(motion))

    def around(self, times: np.ndarray) -> _Nodes:
        """Only those that matter, where few times are wanted of a long run; its ends are kept."""
        reach, count = np.arange(-NEIGHBOURS, NEIGHBOURS + 2), self.motion.count
        if len(times) * len(reach) >= count:
            return self
        left = np.searchsorted(self.motion.t, times, side="right") - 1
        near = np.clip((left[:, None] + reach).ravel(), 0, count - 1)
        chosen = np.unique([0, count - 1, *near])
        return _Nodes(self.motion.moments(chosen), self.stretch[chosen], self.least, self.sides)


def _nodes_of(motion: RecordedMotion) -> _Nodes:
    sides = _proportionate(motion)
    # outputs from one side of an event to the other say nothing that these do not
    apart = np.searchsorted(sides.t[::2], motion.t, side="right") == np.searchsorted(sides.t[1::2], motion.t)
    outputs = np.flatnonzero(apart)
    t = np.append(motion.t[outputs], sides.t)
    order = np.argsort(t, kind="stable")
    behind = np.append(np.zeros(len(outputs), int), np.arange(len(sides.t)) % 2)[order]

    def merged(of_outputs: np.ndarray, of_sides: np.ndarray) -> np.ndarray:
        return np.concatenate([of_outputs[outputs], of_sides])[order]

    names = ("acceleration", "multipliers", "friction")
    efforts = [merged(getattr(motion, name), getattr(sides, name)) for name in names]
    whole = motion.other(t[order], merged(motion.state, sides.state), efforts)
    return _Nodes(whole, np.cumsum(behind), _least(motion), sides.t)


def _least(motion: RecordedMotion) -> float:
    return min(1e-6, 0.01 / motion.count) * float(motion.t[-1] - motion.t[0])


def _proportionate(motion: RecordedMotion) -> RecordedMotion:
    """The sides of events, but for those at a singular position: there accelerations are out of all proportion to the
    speeds of the outputs around, and reactions have no value."""
    sides, program = motion.on_sides, motion.program
    speeds = np.max(np.abs(motion.state[:, program.nq : program.nq + program.nv]), axis=1, initial=0.0)
    # of both sides together: a machine at rest before may move after
    before = np.maximum(np.searchsorted(motion.t, sides.t[::2]) - 1, 0)
    after = np.minimum(np.searchsorted(motion.t, sides.t[1::2], "right"), motion.count - 1)
    largest = np.max(np.abs(sides.acceleration), axis=1, initial=0.0).reshape(-1, 2).max(axis=1)
    lasting = motion.t[after] - motion.t[before]
    sound = largest * lasting <= OUT_OF_PROPORTION * np.maximum(speeds[before], speeds[after])
    return sides.moments(np.flatnonzero(np.repeat(sound, 2)))


def _without_sides(jumps: np.ndarray, nodes: _Nodes, close: float) -> np.ndarray:
    """Those of which the states on both sides are not among the nodes."""
    before, after = nodes.sides[::2], nodes.sides[1::2]
    if not len(after):
        return jumps
    k = np.searchsorted(after, jumps - close)
    inside = (k < len(after)) & (before[np.minimum(k, len(after) - 1)] <= jumps + close)
    return jumps[~inside]


class _Places:
    """Where the wanted times lie among the stored ones."""

    def __init__(
        self, stored: _Nodes, times: np.ndarray, jumps: np.ndarray, samples: np.ndarray, close: float
    ):
        self.stored, self.times = stored, times
        self.nodes = nodes = stored.motion.t
        last = max(len(nodes) - 2, 0)
        self.left = np.clip(np.searchsorted(nodes, times, side="right") - 1, 0, last)
        self.right = np.minimum(self.left + 1, len(nodes) - 1)
        width = nodes[self.right] - nodes[self.left]
        self.h = np.where(width > 0, width, 1.0)
        self.since = times - nodes[self.left]
        """Time since the left end, s."""
        self.until = times - nodes[self.right]
        """Time since the right end, negative."""
        self.close = close
        # behind a sample at the left end all is smooth, but the acceleration at the sample is that from before it
        low, high = nodes[self.left], nodes[self.right] + close
        begins, inside = (_within(samples, low, low + 5 * close), _within(samples, low + 5 * close, high))
        self.behind_sample = begins & ~inside & ~_within(jumps, low - close, high)
        self.jumps = jumps = np.unique(np.concatenate([jumps, samples]))
        first = np.searchsorted(jumps, nodes[self.left] - close)
        end = np.searchsorted(jumps, nodes[self.right] + close, side="right")
        self.broken = end > first
        """Whether there is a jump in the interval or at its ends."""
        self.late = np.zeros(len(times))
        """In such an interval: 0 before its first jump, 1 after its last, between them a ramp."""
        if len(jumps):
            low = jumps[np.minimum(first, len(jumps) - 1)]
            high = jumps[np.maximum(end - 1, 0)]
            ramp = (times - low) / np.where(high > low, high - low, 1.0)
            self.late = np.where(times >= high, 1.0, np.where(times <= low, 0.0, np.clip(ramp, 0.0, 1.0)))
            self.late[self.until == 0.0] = 1.0
            self.late[self.since == 0.0] = 0.0
        # from one side of an event to the other there is nothing but what comes after it; in intervals too short for
        # polynomials both ends have their share
        across = stored.stretch[self.left] != stored.stretch[self.right]
        short = self.h <= stored.least
        self.late = np.where(across, self.since > 0, np.where(short, self.since / self.h, self.late))
        self.behind_sample &= ~(across | short)
        self.broken = (self.broken & ~self.behind_sample) | across | short
        self.stretch = np.where(
            across & (self.since > 0), stored.stretch[self.right], stored.stretch[self.left]
        )

    def local_cubic(self, values: np.ndarray) -> np.ndarray:
        """(N, columns): the cubic through the four nearest outputs with no jump between; a line beyond them."""
        out = np.empty((len(self.times), values.shape[1]))
        if not values.shape[1]:
            return out
        parts = len(self.jumps) + 1  # of each stretch between events whose sides are known
        part_of_node = self.stored.stretch * parts + np.searchsorted(self.jumps, self.nodes, side="right")
        if len(self.jumps):  # a state at the very jump belongs to neither side
            near = np.abs(self.nodes[:, None] - self.jumps[None, :]).min(axis=1) <= self.close
            part_of_node[near] = -1
        part_of_time = self.stretch * parts + np.searchsorted(self.jumps, self.times, side="right")
        for part in np.unique(part_of_time):
            wanted = part_of_time == part
            nodes = np.flatnonzero(part_of_node == part)
            nodes = nodes[np.diff(self.nodes[nodes], prepend=-np.inf) > self.stored.least]
            if not len(nodes):
                nearest = np.where(self.late[wanted] < 0.5, self.left[wanted], self.right[wanted])
                out[wanted] = values[nearest]
                continue
            t, known = self.times[wanted], self.nodes[nodes]
            inside = (t >= known[0]) & (t <= known[-1])
            piece = np.empty((len(t), values.shape[1]))
            piece[inside] = _lagrange(known, values[nodes], t[inside], 4)
            piece[~inside] = _lagrange(known, values[nodes], t[~inside], 2)
            out[wanted] = piece
        exact = self.since == 0.0
        out[exact] = values[self.left[exact]]
        exact = self.until == 0.0
        out[exact] = values[self.right[exact]]
        return out


def _within(times: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether any of some times lies in an interval, for many of these."""
    return np.searchsorted(times, high, side="right") > np.searchsorted(times, low)


def _lagrange(nodes: np.ndarray, values: np.ndarray, times: np.ndarray, points: int) -> np.ndarray:
    points = min(points, len(nodes))
    start = np.clip(np.searchsorted(nodes, times) - points // 2, 0, len(nodes) - points)
    out = np.zeros((len(times), values.shape[1]))
    for i in range(points):
        weight = np.ones(len(times))
        for j in range(points):
            if i != j:
                weight *= (times - nodes[start + j]) / (nodes[start + i] - nodes[start + j])
        out += weight[:, None] * values[start + i]
    return out


Jet = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Value, first and second derivative."""


def _quintic(start: Jet, end: Jet, h: np.ndarray, since: np.ndarray) -> Jet:
    """The quintic with given value and two derivatives at both ends of an interval h, `since` after its start."""
    p0, v0, a0 = start[0], h * start[1], h * h * start[2]
    p1, v1, a1 = end[0], h * end[1], h * h * end[2]
    dp, dv, da = p1 - p0 - v0 - a0 / 2, v1 - v0 - a0, a1 - a0
    c3, c4, c5 = 10 * dp - 4 * dv + da / 2, -15 * dp + 7 * dv - da, 6 * dp - 3 * dv + da / 2
    s = since / h
    value = p0 + s * (v0 + s * (a0 / 2 + s * (c3 + s * (c4 + s * c5))))
    first = v0 + s * (a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))
    second = a0 + s * (6 * c3 + s * (12 * c4 + s * 20 * c5))
    return value, first / h, second / (h * h)


def _from_the_other_end(start: Jet, end: Jet, h: np.ndarray) -> np.ndarray:
    """Second derivative at the start with which the quintic is a quartic, which needs none there."""
    difference = end[0] - start[0] - h * start[1]
    return (12 * difference - 6 * h * (end[1] - start[1])) / h**2 + end[2]


def _onward(jet: Jet, since: np.ndarray) -> Jet:
    """Constant acceleration."""
    p, v, a = jet
    return p + since * (v + since * a / 2), v + since * a, a + 0 * since


def _smooth(jet: Jet, where: _Places) -> Jet:
    """Coordinates, velocities and accelerations, each (N, bodies, 3)."""
    x, v, a = jet
    left, right = ((x[k], v[k], a[k]) for k in (where.left, where.right))
    smooth = _between(where, left, right)
    if not where.broken.any():
        return smooth
    return _around_jumps(
        where, smooth, _onward(left, _shaped(where.since)), _onward(right, _shaped(where.until))
    )


def _between(where: _Places, start: Jet, end: Jet) -> Jet:
    """The quintic from one node to the next; behind a sample the quartic."""
    h, behind = _shaped(where.h), _shaped(where.behind_sample)
    if behind.any():
        start = (start[0], start[1], np.where(behind, _from_the_other_end(start, end, h), start[2]))
    return _quintic(start, end, h, _shaped(where.since))


def _shaped(values: np.ndarray) -> np.ndarray:
    """One number for each wanted time, ready to multiply what all bodies have at these times."""
    return values[:, None, None]


def _around_jumps(where: _Places, smooth: Jet, before: Jet, after: Jet) -> Jet:
    weight, broken = _shaped(where.late), _shaped(where.broken)
    value, first, second = (
        np.where(broken, (1 - weight) * early + weight * late, unbroken)
        for unbroken, early, late in zip(smooth, before, after, strict=True)
    )
    return value, first, second


# -- rotation


def _conjugate(q: np.ndarray) -> np.ndarray:
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def _pure(vector: np.ndarray) -> np.ndarray:
    return np.concatenate([np.zeros((*vector.shape[:-1], 1)), vector], axis=-1)


class _TurningFrame:
    """Euler parameters seen from a frame that turns about a fixed axis n: e = r d with r = exp(n theta / 2).

    theta' is the cubic that meets the angular velocity and acceleration along n at both ends of an interval h.
    """

    def __init__(self, w0: np.ndarray, w1: np.ndarray, a0: np.ndarray, a1: np.ndarray, h: np.ndarray):
        size0, size1 = (np.linalg.norm(w, axis=-1, keepdims=True) for w in (w0, w1))
        faster, size = np.where(size0 >= size1, w0, w1), np.maximum(size0, size1)
        axis = np.where(size > 0, faster / np.where(size > 0, size, 1.0), 0.0)
        self.h, self.axis = h, _pure(axis)
        self.v0, self.v1, self.a0, self.a1 = (
            np.sum(x * axis, axis=-1, keepdims=True) for x in (w0, w1, a0, a1)
        )

    def _angle(self, since: np.ndarray) -> Jet:
        h, s = self.h, since / self.h
        v0, a0, v1, a1 = self.v0, h * self.a0, self.v1, h * self.a1
        c2, c3 = 3 * (v1 - v0) - 2 * a0 - a1, 2 * (v0 - v1) + a0 + a1
        angle = h * s * (v0 + s * (a0 / 2 + s * (c2 / 3 + s * c3 / 4)))
        return angle, v0 + s * (a0 + s * (c2 + s * c3)), (a0 + s * (2 * c2 + s * 3 * c3)) / h

    def seen(self, jet: Jet, since: np.ndarray) -> Jet:
        """d, d', d'' from e, e', e''."""
        return self._turned(jet, *(-part for part in self._angle(since)))

    def world(self, jet: Jet, since: np.ndarray) -> Jet:
        """e, e', e'' from d, d', d''."""
        return self._turned(jet, *self._angle(since))

    def _turned(self, jet: Jet, angle: np.ndarray, rate: np.ndarray, growth: np.ndarray) -> Jet:
        """r e and its derivatives: r' = n theta'/2 r, r'' = (n theta''/2 - theta'^2/4) r."""
        e, de, dde = jet
        r = self.axis * np.sin(angle / 2)
        r[..., 0] = np.cos(angle[..., 0] / 2)
        n_r = quaternion_product(self.axis, r)
        dr, ddr = rate / 2 * n_r, growth / 2 * n_r - rate**2 / 4 * r
        return (
            quaternion_product(r, e),
            quaternion_product(dr, e) + quaternion_product(r, de),
            quaternion_product(ddr, e) + 2 * quaternion_product(dr, de) + quaternion_product(r, dde),
        )


def _euler_parameter_jet(e: np.ndarray, w: np.ndarray, alpha: np.ndarray) -> Jet:
    """e, e' = w e / 2, e'' = (alpha e + w e') / 2."""
    de = quaternion_product(_pure(w), e) / 2
    return e, de, (quaternion_product(_pure(alpha), e) + quaternion_product(_pure(w), de)) / 2


def _angular_jet(jet: Jet) -> Jet:
    """Unit Euler parameters, angular velocity and acceleration."""
    e, de, dde = jet
    square = np.sum(e * e, axis=-1, keepdims=True)
    w = 2 * quaternion_product(de, _conjugate(e))[..., 1:] / square
    alpha = (
        2 * quaternion_product(dde, _conjugate(e))[..., 1:] / square
        - 2 * w * np.sum(e * de, axis=-1, keepdims=True) / square
    )
    return e / np.sqrt(square), w, alpha


def _rotation(motion: Motion, where: _Places) -> Jet:
    """Euler parameters, angular velocity and acceleration, (N, bodies, 4 or 3)."""
    e, w, alpha = motion.e, motion.v[:, :, 3:], motion.a[:, :, 3:]
    left, right = (_euler_parameter_jet(e[k], w[k], alpha[k]) for k in (where.left, where.right))
    h, behind = _shaped(where.h), _shaped(where.behind_sample)
    zero, begins = np.zeros_like(h), alpha[where.left]
    if behind.any():
        found = 2 * (w[where.right] - w[where.left]) / h - alpha[where.right]
        begins = np.where(behind, found, begins)
    spin = _TurningFrame(w[where.left], w[where.right], begins, alpha[where.right], h)
    start, end = spin.seen(left, zero), spin.seen(right, h)
    # e and -e are the same orientation: take the one that is near
    sign = np.where(np.sum(start[0] * end[0], axis=-1, keepdims=True) < 0, -1.0, 1.0)
    end = (sign * end[0], sign * end[1], sign * end[2])
    smooth = _angular_jet(spin.world(_between(where, start, end), _shaped(where.since)))
    if not where.broken.any():
        return smooth
    sides = []
    for jet, k, time in ((left, where.left, where.since), (right, where.right, where.until)):
        steady = _TurningFrame(w[k], w[k] + h * alpha[k], alpha[k], alpha[k], h)
        sides.append(steady.world(_onward(steady.seen(jet, zero), _shaped(time)), _shaped(time)))
    before, after = (_angular_jet(side) for side in sides)
    same = np.where(np.sum(before[0] * after[0], axis=-1, keepdims=True) < 0, -1.0, 1.0)
    mixed = _around_jumps(where, smooth, before, (same * after[0], after[1], after[2]))
    return mixed[0] / np.linalg.norm(mixed[0], axis=-1, keepdims=True), mixed[1], mixed[2]


def _turns(motion: Motion, where: _Places) -> np.ndarray:
    """Counted angles and followed parameters (N, z).

    They only tell which turn it is, or which contact is the nearest; the angle itself comes from the orientations.
    """
    program = motion.program
    angle = motion.state[:, program.nq + program.nv :]
    if not angle.shape[1]:
        return np.zeros((len(where.times), 0))
    rates = [motion.turn(k)[1] for k in range(len(program.turns))]
    rates += [rate for follow in program.follows for rate in motion.following(follow)]
    rates += list(motion.state_rates())
    rate = np.stack(rates, axis=1)
    held = np.isnan(rate).any(axis=0)
    rate = np.where(held, 0.0, rate)
    p0, p1, h = angle[where.left], angle[where.right], where.h[:, None]
    v0, v1, s = h * rate[where.left], h * rate[where.right], where.since[:, None] / h
    behind = where.behind_sample[:, None]
    v0 = np.where(behind, 2 * (p1 - p0) - v1, v0)
    p0 = np.where(held & behind & (s > 0), p1, p0)
    d = p1 - p0
    smooth = np.where(held, p0, p0 + s * (v0 + s * (3 * d - 2 * v0 - v1 + s * (v0 + v1 - 2 * d))))
    late, until = where.late[:, None], where.until[:, None] / h
    return np.where(where.broken[:, None], (1 - late) * (p0 + s * v0) + late * (p1 + until * v1), smooth)
