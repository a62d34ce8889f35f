"""Ratios of automatic transmissions from the numbers of their teeth, by the graph of the gear train.

Speed of the input over that of the output, in each gear. Teeth and ratios are as published; the numbers of teeth of the
planets do not matter and are made to fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from wheelwork.trains import GearTrain, Speeds, TrainGraph, speeds, train_ratio

from ..case import Way, formula_case
from ..finding import Comparison, compare

ATRA = (
    "Transmission Math, part II, technical bulletin 89-30, Automatic Transmission Rebuilders Association, with teeth "
    "and formulas: "
)


def add_stage(train: GearTrain, k: int, sun: int, ring: int) -> None:
    """Sun k, carrier k and ring k turn in ground, one planet in the carrier."""
    for link in ("sun", "carrier", "ring"):
        train.turning("ground", f"{link}{k}")
    pinion = max((ring - sun) // 2, 1)
    train.turning(f"carrier{k}", f"planet{k}", point=(3, k, 0))
    train.external(f"sun{k}", f"planet{k}", (sun, pinion))
    train.internal(f"planet{k}", f"ring{k}", (pinion, ring))


def two_stages(teeth: Sequence[tuple[int, int]], couplings: Sequence[tuple[str, str]]) -> TrainGraph:
    """Planetary stages with (sun, ring) teeth, some of their members on one shaft."""
    train = GearTrain("planetary stages")
    for k, (sun, ring) in enumerate(teeth, start=1):
        add_stage(train, k, sun, ring)
    for a, b in couplings:
        train.fixed(a, b)
    return TrainGraph(train)


def speed(found: Speeds, link: str) -> Fraction:
    """Of a link that is sure to be driven"""
    value = found.of(link)
    if value is None:
        raise ValueError(f"{link} is not driven")
    return value


def direct(graph: TrainGraph, a: str, b: str, output: str) -> Fraction:
    """The ratio when two members are driven together"""
    return 1 / speed(speeds(graph, {a: 1, b: 1}), output)


@formula_case("ford-aod", "Ravigneaux set of the Ford AOD", ATRA + "Ford AOD; reverse from its data sheet")
def ravigneaux(way: Way) -> Iterator[Comparison]:
    """Small sun 30, large sun 36, ring 72; the ring is the output. Large sun and ring mesh with the long pinion, the
    small sun with the short one, the pinions with each other.
    """
    train = GearTrain("Ravigneaux")
    for link in ("small", "large", "carrier", "ring"):
        train.turning("ground", link)
    train.turning("carrier", "long", point=(3, 0, 0))
    train.turning("carrier", "short", point=(2, 1, 0))
    train.external("large", "long", (36, 18))
    train.internal("long", "ring", (18, 72))
    train.external("small", "short", (30, 18))
    train.external("short", "long", (18, 18))
    graph = TrainGraph(train)
    third = direct(graph, "small", "carrier", "ring")
    ratios = {
        "first": (train_ratio(graph, "small", "ring", held=["carrier"]), 2.40),
        "second": (train_ratio(graph, "small", "ring", held=["large"]), 1.47),
        "third": (third, 1.0),
        "fourth": (train_ratio(graph, "carrier", "ring", held=["large"]), 0.667),
        "reverse": (train_ratio(graph, "large", "ring", held=["carrier"]), -2.0),
    }
    for gear, (ours, printed) in ratios.items():
        places = 5e-4 if gear == "fourth" else 5e-3
        yield compare(f"{gear} gear", float(ours), printed, absolute=places, origin="print precision")


@formula_case("thm-440", "Coupled sets of the Hydra-matic 440-T4", ATRA + "THM 440-T4")
def backwards_simpson(way: Way) -> Iterator[Comparison]:
    """Front 26/62, rear 42/74 teeth, each carrier on the other's ring; the output is the rear carrier."""
    graph = two_stages(((26, 62), (42, 74)), (("carrier1", "ring2"), ("carrier2", "ring1")))
    third = direct(graph, "sun1", "carrier1", "carrier2")
    ratios = {
        "first": (train_ratio(graph, "sun1", "carrier2", held=["sun2"]), 2.92),
        "second": (train_ratio(graph, "carrier1", "carrier2", held=["sun2"]), 1.57),
        "third": (third, 1.0),
        "fourth": (train_ratio(graph, "carrier1", "carrier2", held=["sun1"]), 62 / (26 + 62)),
    }
    for gear, (ours, printed) in ratios.items():
        origin, allowed = "print precision", 5e-3
        if gear == "fourth":
            origin, allowed = (
                "rounding; the bulletin's formula 62/(26 + 62), as it prints .74 for its value, .7045",
                1e-12,
            )
        yield compare(f"{gear} gear", float(ours), printed, absolute=allowed, origin=origin)


@formula_case(
    "torqueflite",
    "Simpson set of the Chrysler TorqueFlite",
    "A. Severson, Secrets of the Simpson Gearset (Ate Up With Motor): ratios and their formulas",
)
def simpson(way: Way) -> Iterator[Comparison]:
    """Chrysler TorqueFlite, whose two sets are alike: with x = sun/ring, low is 2 + x, second 1 + x, reverse -1/x.

    Teeth are not published beside the ratios; low fixes x = 0.45, and the others follow.
    """
    graph = two_stages(((9, 20), (9, 20)), (("carrier1", "ring2"), ("sun1", "sun2")))
    for gear, ours, printed in (
        ("low", train_ratio(graph, "ring1", "carrier1", held=["carrier2"]), 2.45),
        ("second", train_ratio(graph, "ring1", "carrier1", held=["sun1"]), 1.45),
        ("third", direct(graph, "ring1", "sun1", "carrier1"), 1.0),
        ("reverse", train_ratio(graph, "sun1", "carrier1", held=["carrier2"]), -2.2),
    ):
        allowed, origin = 1e-12, "rounding; x = 0.45 is taken from the ratio of low"
        if gear == "reverse":
            allowed, origin = (
                0.05,
                "x = 0.45 is known to half a per cent: reverse to 0.025; printed with two digits",
            )
        yield compare(f"{gear} gear", float(ours), printed, absolute=allowed, origin=origin)


SHIFTS = {  # which of the brakes A, B and clutches C, D, E are closed; the published ratio
    "first": ("ABC", 4.6957),
    "second": ("ABE", 3.1304),
    "third": ("BCE", 2.1039),
    "fourth": ("BDE", 1.6667),
    "fifth": ("BCD", 1.2845),
    "sixth": ("CDE", 1.0000),
    "seventh": ("ACD", 0.8392),
    "eighth": ("ADE", 0.6667),
    "reverse": ("ABD", -3.2968),
}


@formula_case(
    "zf-8hp",
    "Eight speeds of the ZF 8HP 70 from four planetary sets",
    "Wikipedia, ZF 8HP transmission, table of teeth and ratios, which cites ZF (2008 pilot series, 8HP 70)",
)
def eight_speeds(way: Way) -> Iterator[Comparison]:
    """Four sets 48/96, 48/96, 69/111, 23/85. Suns 1 and 2, carrier 1 and ring 4, ring 2 and sun 3, ring 3 and sun 4 are
    on common shafts; carrier 2 is the input, carrier 4 the output. Brake A holds suns 1 and 2, B ring 1; clutch C joins
    sun 4 to the input, D carrier 3 to the output, E sun 3 to ring 3.
    """
    teeth = ((48, 96), (48, 96), (69, 111), (23, 85))
    always = [("sun1", "sun2"), ("carrier1", "ring4"), ("ring2", "sun3"), ("ring3", "sun4")]
    joined = {"C": ("sun4", "carrier2"), "D": ("carrier3", "carrier4")}
    held = {"A": "sun1", "B": "ring1"}
    for gear, (closed, printed) in SHIFTS.items():
        graph = two_stages(teeth, [*always, *(joined[c] for c in closed if c in joined)])
        brakes = [held[c] for c in closed if c in held]
        if "E" in closed:
            ours = locked_up(graph, brakes)
        else:
            ours = float(train_ratio(graph, "carrier2", "carrier4", held=brakes))
        yield compare(f"{gear} gear", ours, printed, absolute=5.1e-5, origin="print precision")


def locked_up(graph: TrainGraph, brakes: Sequence[str]) -> float:
    """The ratio at which set 3 turns as one: the slip of clutch E, linear in the speed of the output, is zero."""
    slips = []
    for output in (0, 1):
        found = speeds(graph, {"carrier2": 1, "carrier4": output}, held=brakes)
        slips.append(speed(found, "sun3") - speed(found, "ring3"))
    return float((slips[0] - slips[1]) / slips[0])
