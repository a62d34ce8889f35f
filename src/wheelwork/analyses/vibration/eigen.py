"""Eigenvalues of eta'' + C eta' + K eta = 0, with and without dissipation, and which belongs to which.

Without dissipation: the symmetric part of K and the skew part of C (gyroscopic terms) are kept, so that the
frequencies of a turning rotor are those of its speed. A skew part of K and a symmetric part of C do work over a cycle
and belong to the damped problem alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy  # which loads its parts when they are used

from ..state_matrix import Coupling, spectrum, state_matrix

ZERO = 1e-6
"""A frequency below this part of the largest one counts as zero: round-off leaves about 1e-8 of a rigid motion."""


@dataclass(frozen=True)
class Eigen:
    """`undamped` (n): i omega, or a growth rate, or 0; `damped` (n, 2): the two eigenvalues that belong to each;
    `vectors` (n, n): a column for each, of length 1; `damped_vectors` likewise, for the first of the two; `others`: the
    eigenvalues that states of a control add.
    """

    undamped: np.ndarray
    damped: np.ndarray
    vectors: np.ndarray
    damped_vectors: np.ndarray
    others: np.ndarray


def eigen(C: np.ndarray, K: np.ndarray, coupling: Coupling | None = None, spin: float = 0.0) -> Eigen:
    """Both sets, sorted by undamped frequency; growing and rigid motions come first.

    coupling: with states of a control, which are held in the undamped problem; the others are the closed loop's
    spin [rad/s]: of the fastest body, beside which slower rates by a factor of 1e6 are round-off if all are
    """
    n = len(K)
    if coupling is None:
        coupling = np.zeros((n, 0)), np.zeros((0, n)), np.zeros((0, n)), np.zeros((0, 0))
    B, by_eta, by_rate, own = coupling
    if not n:
        empty, none = np.zeros((0, 0)), np.zeros(0, complex)
        return Eigen(none, np.zeros((0, 2), complex), empty, empty, np.linalg.eigvals(own).astype(complex))
    # in units of time in which the largest frequency is about 1, so that one tolerance serves
    scale = float(np.sqrt(np.linalg.norm(K, 2)) + np.linalg.norm(C, 2))
    scale = (scale if scale > ZERO * spin else spin) or 1.0
    C, K = C / scale, K / scale**2
    values, vectors = undamped(C, K)
    order = np.lexsort((-np.real(values), np.abs(np.imag(values))))
    values, vectors = values[order], vectors[:, order]
    scaled = (B / scale**2, by_eta / scale, by_rate, own / scale)
    damped, shapes, others = _damped(C, K, values, vectors, scaled)
    return Eigen(scale * values, scale * damped, vectors, shapes, scale * others)


def rolling_eigen(C: np.ndarray, K: np.ndarray, coupling: Coupling, ways: int) -> Eigen:
    """Of rolling bodies in motion: all of their equations are part of their motion, so that the undamped problem is
    the whole one. Eigenvalues that are real come two by two, by size. Vectors go on with the path coordinates, the last
    of the states.
    """
    n, A = len(K), state_matrix(C, K, coupling)
    values = spectrum(A)
    values = values[np.argsort(-np.abs(values), kind="stable")]
    real = np.abs(np.imag(values)) <= ZERO * np.abs(values[:1])
    single = np.real(values[real]).astype(complex)
    pairs = [np.array([value, value.conj()]) for value in values[~real & (np.imag(values) > 0)]]
    pairs += [np.sort(single[k : k + 2])[::-1] for k in range(0, len(single) - 1, 2)]
    others = np.concatenate([*pairs[n:], single[len(single) - len(single) % 2 :]])
    chosen = sorted(pairs[:n], key=lambda pair: (abs(pair[0].imag), -pair[0].real))
    moving = np.r_[:n, len(A) - ways : len(A)]
    vectors = np.array([_eigenvector(A, pair[0])[moving] for pair in chosen]).T
    vectors = vectors / np.maximum(np.linalg.norm(vectors[:n], axis=0), 1e-300)
    undamped = [pair[0] if pair[0].imag else max(pair[0].real, 0.0) for pair in chosen]
    return Eigen(np.array(undamped, complex), np.array(chosen), vectors, vectors, others)


def _eigenvector(A: np.ndarray, value: complex) -> np.ndarray:
    return np.linalg.svd(A - value * np.eye(len(A)))[2][-1].conj()


def undamped(C: np.ndarray, K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """n eigenvalues (i omega, or real) and vectors without dissipation; expects a scaled problem."""
    stiffness, gyroscopic = (K + K.T) / 2, (C - C.T) / 2
    if np.linalg.norm(gyroscopic) < 1e-13:
        squares, vectors = np.linalg.eigh(stiffness)
        squares = np.where(np.abs(squares) < ZERO**2, 0.0, squares)
        return np.sqrt(-squares.astype(complex)), vectors
    n = len(K)
    values, vectors = np.linalg.eig(np.block([[np.zeros((n, n)), np.eye(n)], [-stiffness, -gyroscopic]]))
    moving = np.flatnonzero(np.imag(values) > ZERO)
    # the rest comes in pairs of opposite real numbers, zeros among them
    rest = np.flatnonzero(np.abs(np.imag(values)) <= ZERO)
    rest = rest[np.argsort(-np.real(values[rest]))][: n - len(moving)]
    chosen = np.concatenate([moving, rest])
    picked = values[chosen]
    real = np.where(np.abs(np.real(picked)) < ZERO, 0.0, np.real(picked))
    imaginary = np.where(np.arange(len(chosen)) < len(moving), np.imag(picked), 0.0)
    shapes = vectors[:n, chosen]
    return real + 1j * imaginary, shapes / np.linalg.norm(shapes, axis=0)


def _damped(
    C: np.ndarray, K: np.ndarray, values: np.ndarray, vectors: np.ndarray, coupling: Coupling
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two eigenvalues of the whole problem for each undamped mode, by the likeness of states; and those left over.

    States are compared in a norm like the energy: positions weighed by the root of the stiffness.
    """
    n = len(K)
    alone = not len(coupling[-1])
    if alone and np.linalg.norm(C + C.T) < 1e-13 and np.linalg.norm(K - K.T) < 1e-10:
        pairs = np.column_stack([values, np.where(np.imag(values) > 0, values.conj(), -values)])
        return pairs, vectors, np.zeros(0, complex)
    all_values, all_vectors = np.linalg.eig(state_matrix(C, K, coupling))
    all_values = np.where(np.abs(all_values) < (ZERO if alone else ZERO**2), 0.0, all_values)
    squares, axes = np.linalg.eigh((K + K.T) / 2)
    root = (axes * np.sqrt(np.abs(squares) + ZERO**2)) @ axes.T

    def states(shapes: np.ndarray, rates: np.ndarray) -> np.ndarray:
        out = np.vstack([root @ shapes, shapes * rates])
        return out / np.maximum(np.linalg.norm(out, axis=0), 1e-300)

    found = states(all_vectors[:n], all_values)
    turning = np.flatnonzero(np.imag(all_values) > 1e-9)
    real = np.flatnonzero(np.abs(np.imag(all_values)) <= 1e-9)
    likeness = np.abs(states(vectors, values).conj().T @ found[:, turning])
    # vectors of equal eigenvalues are arbitrary, so the frequency counts as well
    have, want = np.abs(all_values[turning])[None, :], np.abs(values)[:, None]
    rows, columns = scipy.optimize.linear_sum_assignment(
        np.abs(have - want) / (have + want + 1e-300) - likeness
    )
    out, shapes = np.zeros((n, 2), complex), np.array(vectors, complex)
    mine: set[int] = set()
    for k, j in zip(rows, turning[columns], strict=True):
        out[k] = all_values[j], all_values[j].conj()
        shapes[:, k] = all_vectors[:n, j] / np.linalg.norm(all_vectors[:n, j])
        mine |= {int(j), int(np.argmin(np.abs(all_values - all_values[j].conj())))}
    left = np.setdiff1d(np.arange(n), rows)
    if len(left):
        still = np.vstack([root @ vectors[:, left], np.zeros((n, len(left)))])
        moving = np.vstack([np.zeros((n, len(left))), vectors[:, left]])
        both = np.hstack([still / np.maximum(np.linalg.norm(still, axis=0), 1e-300), moving])
        one, other = scipy.optimize.linear_sum_assignment(-np.abs(both.conj().T @ found[:, real]))
        mates: dict[int, list[float]] = {}
        for a, b in zip(one, other, strict=True):
            mates.setdefault(int(left[a % len(left)]), []).append(float(np.real(all_values[real[b]])))
            mine.add(int(real[b]))
        for k, pair in mates.items():
            pair.sort(reverse=True)
            out[k, : len(pair)] = [0.0 if alone and abs(value) < ZERO else value for value in pair]
    return out, shapes, np.delete(all_values, sorted(mine))


def damping_ratio(pair: np.ndarray) -> float:
    """zeta of two eigenvalues: their mean over the root of their product; nan where one is zero or they differ in
    sign (a rigid or a falling motion has none).
    """
    product = float(np.real(pair[0] * pair[1]))
    return float(0.0 - np.real(pair[0] + pair[1]) / 2 / np.sqrt(product)) if product > 0 else float("nan")
