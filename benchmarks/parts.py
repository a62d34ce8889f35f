"""The parts of `./wheelwork-dev bench`: what each measures, beside whom, and why a program is not in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

CHAINS = [2, 6, 20, 43, 150]
"""Lengths of the chain for which there is a reference."""
INSTALL = {"exudyn": "exudyn", "mujoco": "mujoco", "pinocchio": "pin", "scipy": "scipy"}
"""Peers, by the name they are imported with: how pip calls them."""
TITLES = {"exudyn": "Exudyn", "mujoco": "MuJoCo", "pinocchio": "Pinocchio", "scipy": "SciPy"}

NO_TIME = "has no time integration of its own; its accelerations are in `forward`"
SOFT = "not measured: closes loops and gears by soft constraints, whose error is not that of the method"


@dataclass(frozen=True)
class Part:
    """A benchmark. `measure(peers, quick)` gets the modules of those of its peers that are installed."""

    name: str
    what: str
    measure: Callable[[dict[str, Any], bool], Any]
    peers: dict[str, str] = field(default_factory=dict)
    """Program and its module in `peers/`; "" for one that our side's module imports itself."""
    without: dict[str, str] = field(default_factory=dict)
    """Program and why it is not in this part."""
    in_quick: bool = True
    """Whether `--quick` has it where no parts are named."""

    def run(self, quick: bool) -> Any:
        return self.measure(
            {peer: _module(name) for peer, name in self.peers.items() if installed(peer)}, quick
        )

    @property
    def missing(self) -> list[str]:
        return [peer for peer in self.peers if not installed(peer)]


def installed(peer: str) -> bool:
    return find_spec(peer) is not None


def remedy(peer: str) -> str:
    """What to do about one that is missing."""
    return f'not installed: pip install {INSTALL[peer]} (all of them: pip install "wheelwork[bench]")'


def _module(name: str) -> Any:
    return import_module(f".peers.{name}", __package__) if name else None


def _of(module: str) -> Any:
    """A module of this package, when it is wanted: those that measure load the whole of Wheelwork."""
    return import_module(f".{module}", __package__)


PARTS = {
    part.name: part
    for part in (
        Part(
            "rhs",
            "chain of rods: one evaluation of the right-hand side",
            lambda peers, quick: _of("rhs").measure(CHAINS, 2 if quick else 4, peers.get("exudyn")),
            {"exudyn": "exudyn_chain"},
            {"mujoco": "in `forward`", "pinocchio": "in `forward`"},
        ),
        Part(
            "steps",
            "chain of rods: one step of each method",
            lambda peers, quick: _of("steps").measure(
                [6, 43] if quick else CHAINS, 2 if quick else 4, peers.get("exudyn"), 0.2 if quick else 1.0
            ),
            {"exudyn": "exudyn_chain"},
            {"mujoco": "in `precision`", "pinocchio": NO_TIME},
        ),
        Part(
            "precision",
            "chain of rods: time against error",
            lambda peers, quick: _of("precision").measure(
                [43] if quick else [6, 43, 150], 2 if quick else 3, peers, quick
            ),
            {"exudyn": "exudyn_chain", "mujoco": "mujoco_chain"},
            {"pinocchio": NO_TIME},
        ),
        Part(
            "squeezer",
            "Andrews' squeezer, planar, closed loops: time against error",
            lambda peers, quick: _of("squeezer").measure(1 if quick else 4, peers.get("exudyn"), quick),
            {"exudyn": "exudyn_squeezer"},
            {"mujoco": SOFT, "pinocchio": NO_TIME},
        ),
        Part(
            "sweep",
            "planar linkages: positions a second of a driven crank",
            lambda peers, quick: _of("sweep").measure(2 if quick else 5),
            {"scipy": ""},
            dict.fromkeys(("exudyn", "mujoco", "pinocchio"), "not measured: made for motion from forces"),
        ),
        Part(
            "train",
            "trains of meshed wheels: one step, and time at equal error",
            lambda peers, quick: _of("train").measure(
                (7, 50) if quick else (2, 7, 20, 50), 1 if quick else 3, peers, quick
            ),
            {"exudyn": "exudyn_train", "mujoco": "mujoco_train"},
            {"pinocchio": NO_TIME},
        ),
        Part(
            "forward",
            "geared wrist, robot, chains: accelerations from a state",
            lambda peers, quick: _of("forward").measure(
                (43,) if quick else (6, 20, 43), 1 if quick else 5, peers, compile_peers=not quick
            ),
            {"pinocchio": "pinocchio_tree", "mujoco": "mujoco_tree"},
            {"exudyn": "has no call for accelerations that is made for speed; see `rhs`"},
        ),
        Part(
            "yaw",
            "yaw drive, four pinions, backlash: steps per second, and time at equal error",
            lambda peers, quick: _of("yaw").measure(1 if quick else 4, peers.get("exudyn"), quick),
            {"exudyn": "exudyn_yaw", "scipy": ""},
            {"mujoco": "not measured: backlash only as soft limits of tendons", "pinocchio": NO_TIME},
        ),
        Part(
            "teeth",
            "tooth contact: test bench at equal error, planetary stage against real time",
            lambda peers, quick: _of("teeth").measure(1 if quick else 3, quick),
            {"scipy": ""},
            {
                "exudyn": "has no involute flanks in contact",
                "mujoco": "has no involute flanks in contact",
                "pinocchio": NO_TIME,
            },
        ),
        Part(
            "growth",
            "trains up to 1000 wheels, chains up to 1000 rods: time, time until ready and memory, exponents",
            lambda peers, quick: _of("growth").measure(list(peers), quick),
            {"exudyn": "", "mujoco": ""},
            {"pinocchio": "in `forward`, up to 43 rods"},
        ),
        Part(
            "whole",
            "whole tasks in new processes: from an empty cache, from a full one, again; peak memory",
            lambda peers, quick: _of("whole").measure(list(peers), quick),
            {"exudyn": "", "mujoco": "", "scipy": ""},
            {"pinocchio": NO_TIME},
        ),
        Part(
            "study",
            "studies: lanes, tooth contact, a map, the first variant, Dask, memory; a device where there is one",
            lambda peers, quick: _of("study").measure(quick),
            {"scipy": ""},
            dict.fromkeys(("exudyn", "mujoco", "pinocchio"), "know no teeth in batches"),
            in_quick=False,
        ),
        Part(
            "start",
            "what a user waits for: tasks in new processes, empty and full cache; further runs; a run with report",
            lambda peers, quick: _of("start").measure(list(peers), quick),
            {"exudyn": "exudyn_chain"},
            {"mujoco": "in `whole`", "pinocchio": NO_TIME, "scipy": "in `whole`"},
            in_quick=False,
        ),
        Part(
            "memory",
            "memory while compiling (with the compiler) and while running",
            lambda peers, quick: _of("memory").measure(peers.get("exudyn")),
            {"exudyn": "exudyn_chain"},
            in_quick=False,
        ),
    )
}  # fmt: skip
