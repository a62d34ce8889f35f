"""The code of a study for a graphics processor, alone: for a machine that has CuPy and NumPy and nothing else of ours.

`python -m benchmarks.device_kernel pack FILE` writes down, on any machine, the code of the yaw drive in PTX, the
numbers that it is called with, and what lanes of the processor find for the first variants; the code in several shapes
(`SHAPES`: threads of a block, registers, what is in shared memory). `python -m benchmarks.device_kernel run FILE` runs
them where there is a device: difference to the lanes, steps per second, JAX and diffrax beside them where they are
installed. `--variants N --table OUT.json` adds the Monte Carlo of the docs (``docs/guide/yaw_monte_carlo.json``).
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from .yaw_arrays import STEP, by_diffrax, jax_by_hand

FIRST = 64
"""Variants whose results travel with the code."""
SHORT, END = 0.02, 0.2
"""Of runs that are compared, and of those that are timed, s."""
BETWEEN = 200
"""Steps from sample to sample: 1000 samples of 2 s."""
LEVELS = (0.1, 1, 5, 50, 95, 99, 99.9, 99.99)
"""Percentiles of the Monte Carlo that are kept."""
STEPPING, EVENTS = ("y0", "k1", "sum"), ("low", "skip0")
SHAPES: dict[str, dict[str, Any]] = {
    "registers alone": {"threads": 128, "blocks": 0, "shared": ()},
    "registers alone, 3 warps": {"threads": 128, "blocks": 3, "shared": ()},
    "all shared, 2 warps": {"threads": 64, "blocks": 4, "shared": (*STEPPING, *EVENTS, "acc", "before")},
    "start shared, 3 warps": {"threads": 64, "blocks": 6, "shared": ("y0", "k1", *EVENTS, "acc", "before")},
    "steps shared, 3 warps": {"threads": 64, "blocks": 6, "shared": STEPPING},
    "steps and events shared, 3 warps": {"threads": 64, "blocks": 6, "shared": (*STEPPING, *EVENTS)},
    "steps shared, 3.5 warps": {"threads": 64, "blocks": 7, "shared": STEPPING},
    "start, sum, events shared, 4 warps": {"threads": 64, "blocks": 8, "shared": ("y0", "sum", *EVENTS)},
    "start, rates, events shared, 4 warps": {"threads": 64, "blocks": 8, "shared": ("y0", "k1", *EVENTS)},
}
"""Of the code; warps are those that each of the four parts of a multiprocessor holds at once."""
WAVES = 4
"""Variants of a run that is timed, for each thread that the device holds at once."""
REGISTERS, SPILT, SHARED_FIRST = 4, 3, 9
"""The driver's numbers for attributes of code."""


def pack(path: Path) -> None:
    """Code and numbers of the study of :mod:`.study_device`, from a machine that has Wheelwork."""
    from wheelwork.engine.devices import ptx
    from wheelwork.engine.lane_program import DeviceShape

    from .study_device import drive_numbers, study

    made = study(FIRST, SHORT, round(SHORT / STEP / BETWEEN))
    (group,), _ = made._lanes()  # type: ignore[misc]
    every = np.arange(FIRST)
    x, settings = made.variants.values(every), group.settings(made.options, made.span)
    terms = np.vstack([x, np.ones(FIRST)])
    numbers = group.numbers(x, every)
    matrix = np.linalg.lstsq(terms.T, numbers.T, rcond=None)[0].T.round(12)
    if not np.abs(matrix @ terms - numbers).max() < 1e-9 * np.abs(numbers).max():
        raise SystemExit("the numbers of the code are not linear in the parameters")
    starts = group.starts(group.of_place)
    found = group.lanes.run(matrix @ terms, starts, settings)
    drive = drive_numbers()
    data = {
        "ptx": {
            name: (shape["threads"], ptx(group.program, "rk4", DeviceShape(**shape)))
            for name, shape in SHAPES.items()
        },
        "matrix": matrix.tolist(),
        "nominal": [drive[name] for name in made.variants.names],
        "start": starts[:, 0].tolist(),
        "settings": settings,
        "rows": group.program.rows,
        "x": x.tolist(),
        "found": np.vstack([found.state, found.measured]).tolist(),
        "drive": drive,
    }
    path.write_bytes(lzma.compress(json.dumps(data).encode()))


class Packed:
    """What `pack` has written, on a machine with a device."""

    def __init__(self, path: Path):
        import cupy  # pyright: ignore[reportMissingImports]  # on the device

        self.cupy = cupy
        self.data: dict[str, Any] = json.loads(lzma.decompress(path.read_bytes()))

    def code(self, name: str) -> Any:
        """The routine in one of the shapes."""
        module = self.cupy.cuda.function.Module()
        module.load(self.data["ptx"][name][1].encode())
        code = module.get_function("run")
        self.cupy.cuda.driver.funcSetAttribute(code.ptr, SHARED_FIRST, 100)
        return code

    def held(self, code: Any, threads: int) -> int:
        """Threads that the device runs at once."""
        driver, device = self.cupy.cuda.driver, self.cupy.cuda.Device()
        blocks = driver.occupancyMaxActiveBlocksPerMultiprocessor(code.ptr, threads, 0)
        return blocks * threads * device.attributes["MultiProcessorCount"]

    def drawn(self, count: int) -> np.ndarray:
        """Parameters of variants: each 50 N m normal about its own value."""
        nominal = np.array(self.data["nominal"])[:, None]
        return nominal + 50.0 * np.random.default_rng(0).normal(size=(len(nominal), count))

    def run(
        self, code: Any, threads: int, x: np.ndarray, end: float, begin: float = 0.0, between: int = BETWEEN
    ) -> tuple[np.ndarray, float]:
        """Results (rows, variants), and seconds of the code with the way there and back.

        begin: of what is measured, s; between: steps from sample to sample
        """
        cp, data, count = self.cupy, self.data, x.shape[1]
        intervals = round((end - begin) / STEP / between)
        settings = data["settings"] | {"end": end, "begin": begin, "intervals": intervals}
        settings["interval"] = (end - begin) / intervals
        began = time.perf_counter()
        numbers = cp.asarray(np.array(data["matrix"]) @ np.vstack([x, np.ones(count)]))
        starts = cp.asarray(np.repeat(np.array(data["start"])[:, None], count, axis=1))
        corners, out = cp.full((1, count), np.inf), cp.full((data["rows"], count), np.nan)
        blocks = max(1, min(-(-count // threads), 128 * 132))
        arguments = (numbers, starts, corners, out, *map(np.float64, settings.values()), np.int64(count))
        code((blocks,), (threads,), arguments)
        return cp.asnumpy(out), time.perf_counter() - began

    def difference(self, code: Any, threads: int) -> float:
        """To lanes of the processor, the largest, relative to each number's size."""
        wanted = np.array(self.data["found"])
        found, _ = self.run(code, threads, np.array(self.data["x"]), self.data["settings"]["end"])
        size = np.abs(wanted).max(axis=1)
        return float(
            (np.abs(found[-len(wanted) :] - wanted).max(axis=1) / np.where(size > 0, size, 1.0)).max()
        )


def run(path: Path, shapes: Sequence[str], variants: int, table: Path | None, quick: bool) -> None:
    """Print what is found."""
    packed = Packed(path)
    best, chosen = 0.0, None
    print("| shape | registers | bytes spilt | threads at once | steps/s | difference to lanes |", flush=True)
    for name in shapes or packed.data["ptx"]:
        threads, code = packed.data["ptx"][name][0], packed.code(name)
        far, held = packed.difference(code, threads), packed.held(code, threads)
        x, rate = packed.drawn(held * WAVES), 0.0
        for _ in range(2 if quick else 3):
            found, took = packed.run(code, threads, x, END)
            rate = max(rate, found[2].sum() / took)
        registers, spilt = (packed.cupy.cuda.driver.funcGetAttribute(k, code.ptr) for k in (REGISTERS, SPILT))
        print(f"| {name} | {registers} | {spilt} | {held} | {rate:.3e} | {far:.1e} |", flush=True)
        if rate > best:
            best, chosen = rate, (threads, code)
    if not quick:
        for name, one, steps in (("jax", jax_by_hand, 500), ("diffrax", by_diffrax, 200)):
            if find_spec(name):
                rate = one(packed.data["drive"], 2**17, steps)
                print(f"{name}: {rate:.3e} steps/s, ours {best / rate:.1f} times", flush=True)
    if variants and chosen is not None:
        monte_carlo(packed, chosen[1], chosen[0], variants, table)


def monte_carlo(packed: Packed, code: Any, threads: int, variants: int, table: Path | None) -> None:
    """Forces of the first mesh over the second of two seconds: what the page of the docs shows."""
    x = packed.drawn(variants)
    found, seconds = packed.run(code, threads, x, 2.0, 1.0, 50)
    steps = float(found[2].sum())
    print(f"{variants} variants of 2 s: {seconds:.1f} s, {steps / seconds:.3e} steps/s", flush=True)
    intervals = round(1.0 / STEP / 50)
    peak, mean = found[-3], found[-2] / intervals
    about: dict[str, Any] = {
        "variants": variants,
        "reached_end": int(np.count_nonzero(found[0] == 0)),
        "seconds": seconds,
        "steps": steps,
        "pinion_radius": packed.data["drive"]["pinion_radius"],
        "torque_to_mean": float(np.corrcoef(x[0] + x[1], mean)[0, 1]),
    }
    for name, values in (("mean", mean), ("peak", peak), ("factor", peak / mean)):
        counts, edges = np.histogram(values, 120)
        levels = np.percentile(values, LEVELS).tolist()
        about[name] = {"average": float(values.mean()), "deviation": float(values.std())}
        about[name] |= {"percentiles": dict(zip(map(str, LEVELS), levels, strict=True))}
        about[name] |= {"counts": counts.tolist(), "edges": [float(edges[0]), float(edges[-1])]}
    if table is not None:
        table.write_text(json.dumps(about, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["pack", "run"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--variants", type=int, default=0, help="of the Monte Carlo")
    parser.add_argument("--table", type=Path, help="where its results go")
    parser.add_argument("--shape", action="append", default=[], help="one of `SHAPES`, these alone")
    parser.add_argument("--quick", action="store_true", help="without JAX and diffrax")
    given = parser.parse_args()
    if given.what == "pack":
        pack(given.file)
    else:
        run(given.file, given.shape, given.variants, given.table, given.quick)


if __name__ == "__main__":
    main()
