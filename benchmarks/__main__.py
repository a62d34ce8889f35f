"""`python -m benchmarks`: measure, print tables, write results/<date>.json and pictures."""

from __future__ import annotations

import argparse
import json
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.console import Console

from . import report

RESULTS = Path(__file__).parent / "results"
SIZES = [2, 6, 20, 43, 150]
PARTS = ("rhs", "steps", "precision", "start", "memory", "sweep", "squeezer", "train", "forward", "yaw")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Speed and memory, beside Exudyn, MuJoCo, Pinocchio and SciPy.",
    )
    parser.add_argument(
        "--quick", action="store_true", help="under 2 minutes; writes nothing unless --out is given"
    )
    parser.add_argument(
        "--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=", ".join(PARTS)
    )
    parser.add_argument(
        "--bodies", nargs="+", type=int, default=SIZES, metavar="N", help="lengths of the chain"
    )
    parser.add_argument("--out", type=Path, help="folder for the results (default: benchmarks/results)")
    parser.add_argument("--show", nargs="?", const="last", metavar="FILE", help="print results made before")
    chosen = parser.parse_args()
    console = Console(width=150) if not Console().is_terminal else Console()
    if chosen.show:
        for path in sorted(RESULTS.glob("*.json")) if chosen.show == "last" else [Path(chosen.show)]:
            report.show(json.loads(path.read_text()), console)
        return
    unknown = [n for n in chosen.bodies if n not in SIZES]
    if unknown:
        parser.error(f"there is a reference for chains of {SIZES} only, not for {unknown}")
    results = measure(chosen.bodies, chosen.only, chosen.quick, console)
    report.show(results, console)
    folder = chosen.out or (None if chosen.quick else RESULTS)
    if folder:
        for path in write(results, folder):
            console.print(f"wrote {path}")


def measure(sizes: list[int], parts: list[str], quick: bool, console: Console) -> dict[str, Any]:
    """All measurements that are asked for."""
    from . import forward, memory, precision, rhs, squeezer, start, steps, sweep, train, yaw
    from .about import about

    peer = _peer("exudyn_chain")
    results: dict[str, Any] = {"about": about(quick)}
    work = {
        "rhs": lambda: rhs.measure(sizes, 2 if quick else 6, peer),
        "steps": lambda: steps.measure(sizes, 2 if quick else 5, peer, 0.3 if quick else 3.0),
        "precision": lambda: precision.measure(
            [n for n in sizes if n == 43] if quick else sizes, 2 if quick else 4, peer, quick
        ),
        "start": lambda: start.measure(1 if quick else 5, peer),
        "memory": lambda: memory.measure(peer),
        "sweep": lambda: sweep.measure(2 if quick else 6),
        "squeezer": lambda: squeezer.measure(2 if quick else 5, _peer("exudyn_squeezer"), quick),
        "train": lambda: train.measure(
            train.SIZES,
            2 if quick else 4,
            _peers(exudyn="exudyn_train", mujoco="mujoco_train"),
            quick,
        ),
        "forward": lambda: forward.measure(
            forward.CHAINS,
            2 if quick else 8,
            _peers(pinocchio="pinocchio_tree", mujoco="mujoco_tree"),
            compile_peers=not quick,
        ),
        "yaw": lambda: yaw.measure(2 if quick else 5, _peer("exudyn_yaw"), quick),
    }
    for name in parts:
        began = time.perf_counter()
        with console.status(f"measuring: {name}"):
            results[name] = work[name]()
        console.print(f"measured {name} in {time.perf_counter() - began:.0f} s", style="dim")
    console.print()
    return results


def write(results: dict[str, Any], folder: Path) -> list[Path]:
    """The numbers as JSON, to four digits, and the pictures; a file of its own for each choice of parts."""
    from .plots import draw

    folder.mkdir(parents=True, exist_ok=True)
    parts = [part for part in PARTS if part in results]
    some = "" if len(parts) == len(PARTS) else "-" + "-".join(parts)
    path = folder / f"{results['about']['date'][:10]}{some}.json"
    path.write_text(json.dumps(_rounded(results), indent=1) + "\n")
    return [path, *draw(results, folder)]


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value


def _peers(**modules: str) -> dict[str, Any]:
    """The modules of those peers that are installed."""
    return {
        peer: import_module(f"{__package__}.peers.{module}")
        for peer, module in modules.items()
        if find_spec(peer)
    }


def _peer(name: str) -> ModuleType | None:
    return import_module(f"{__package__}.peers.{name}") if find_spec("exudyn") else None


if __name__ == "__main__":
    main()
