"""Efficiencies of planetary trains from those of their meshes.

H. W. Müller, Epicyclic Drive Trains, Wayne State University Press, 1982: with the basic ratio i_0 = -z_ring/z_sun and
the basic efficiency eta_0 (carrier at rest), ring held,

    sun drives      eta = (1 - i_0 eta_0)/(1 - i_0)
    carrier drives  eta = (1 - i_0)/(1 - i_0/eta_0)

H. Matsuki, K. Nagano, Y. Fujimoto, Bilateral drive gear, IEEE/ASME Trans. Mechatronics 24 (2019) 2661-2673: a 3K train
of sun s, stepped planet p_1 p_2, held ring r_1 and driven ring r_2, with I_1 = r_1/s, I_2 = r_1 p_2/(p_1 r_2) < 1 and
efficiencies a, b, c of the meshes s-p_1, p_1-r_1, p_2-r_2,

    i = (1 + I_1)/(1 - I_2)
    eta forward = (1 + a b I_1)(1 - I_2)/((1 + I_1)(1 - b c I_2))
    eta backward = (1 + I_1) a (b c - I_2)/(c (a b + I_1)(1 - I_2)),  which is self-locking where this is negative
"""

from __future__ import annotations

from collections.abc import Iterator

from wheelwork.trains import GearTrain, TrainGraph, efficiency

from ..case import Way, formula_case
from ..finding import Comparison, compare

EXACT = "closed form; rounding"


@formula_case(
    "planetary-efficiency",
    "Efficiencies of a planetary stage",
    "H. W. Müller, Epicyclic Drive Trains, Wayne State University Press, 1982: formulas",
)
def planetary(way: Way) -> Iterator[Comparison]:
    """Sun 40, planet 20, ring 80 teeth; each mesh keeps 0.9 or 0.99 of the power"""
    for mesh in (0.9, 0.99):
        train = GearTrain("planetary")
        for link in ("sun", "carrier", "ring"):
            train.turning("ground", link)
        train.turning("carrier", "planet", point=(3, 0, 0))
        train.external("sun", "planet", (40, 20), efficiency=mesh)
        train.internal("planet", "ring", (20, 80), efficiency=mesh)
        graph, i0, eta0 = TrainGraph(train), -2.0, mesh**2
        found = efficiency(graph, "sun", "carrier", ["ring"])
        name = f"meshes of {mesh:g}, ring held"
        expected = (1 - i0 * eta0) / (1 - i0)
        yield compare(f"{name}, sun drives", found.forward, expected, relative=1e-12, origin=EXACT)
        expected = (1 - i0) / (1 - i0 / eta0)
        yield compare(f"{name}, carrier drives", found.backward, expected, relative=1e-12, origin=EXACT)
        found = efficiency(graph, "sun", "ring", ["carrier"])
        both = [found.forward, found.backward]
        name = f"meshes of {mesh:g}, carrier held"
        yield compare(f"{name}, both ways", both, [eta0, eta0], relative=1e-12, origin=EXACT)


@formula_case(
    "3k-efficiency",
    "Ratio and efficiencies of 3K (Wolfrom) trains",
    "Matsuki, Nagano, Fujimoto, IEEE/ASME Trans. Mechatronics 24 (2019) 2661-2673: formulas",
)
def three_k(way: Way) -> Iterator[Comparison]:
    """Three trains, of ratios 76, 40.2 and 213; the last one is self-locking with the poorer meshes"""
    for teeth in ((12, 24, 60, 21, 57), (18, 27, 72, 22, 67), (18, 27, 72, 26, 71)):
        for losses in ((0.98, 0.99, 0.985), (0.995, 0.997, 0.997)):
            yield from _three_k(teeth, losses)


def _three_k(teeth: tuple[int, ...], losses: tuple[float, float, float]) -> Iterator[Comparison]:
    s, p1, r1, p2, r2 = teeth
    a, b, c = losses
    train = GearTrain("3K")
    for link in ("sun", "carrier", "ring2"):
        train.turning("ground", link)
    train.turning("carrier", "planet", point=(3, 0, 0))
    train.external("sun", "planet", (s, p1), name="sun-planet", efficiency=a)
    train.internal("planet", "ground", (p1, r1), name="planet-ring1", efficiency=b)
    train.internal("planet", "ring2", (p2, r2), name="planet-ring2", efficiency=c)
    found = efficiency(TrainGraph(train), "sun", "ring2")
    I1, I2 = r1 / s, r1 * p2 / (p1 * r2)
    name = f"{'/'.join(map(str, teeth))} teeth, meshes of {a:g}, {b:g}, {c:g}"
    ratio = (1 + I1) / (1 - I2)
    yield compare(f"{name}: ratio", found.ratio, ratio, relative=1e-12, origin=EXACT)
    expected = (1 + a * b * I1) * (1 - I2) / ((1 + I1) * (1 - b * c * I2))
    yield compare(f"{name}: forward", found.forward, expected, relative=1e-9, origin=EXACT)
    expected = max((1 + I1) * a * (b * c - I2) / (c * (a * b + I1) * (1 - I2)), 0.0)
    yield compare(f"{name}: backward", found.backward, expected, relative=1e-9, origin=EXACT)
