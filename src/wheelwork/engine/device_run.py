"""Code in PTX, loaded and run on a graphics processor of NVIDIA's with CuPy; needs nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

BLOCKS = 128
"""For each multiprocessor, at most: threads take further variants when they are done."""
SHARED_FIRST = 9
"""The driver's number for how a multiprocessor divides its fast memory, in percent for what blocks share."""


class NoDevice(Exception):
    """Why nothing can be run on a graphics processor here."""


def cupy() -> Any:
    """The module, where there is a device. Raises NoDevice."""
    try:
        import cupy as module  # type: ignore[import-not-found]  # an extra
    except ImportError:
        raise NoDevice("CuPy is not installed (pip install cupy-cuda12x, or -cuda13x)") from None
    try:
        module.cuda.Device().compute_capability  # noqa: B018  # asks the driver
    except Exception as error:
        raise NoDevice(f"CuPy finds no device: {error}") from None
    return module


class DeviceCode:
    """The routine `run` of a program in PTX.

    threads: in a block, as the code has it
    """

    def __init__(self, ptx: str, threads: int):
        self.threads = threads
        self._cupy = cupy()
        self._module = self._cupy.cuda.function.Module()
        self._module.load(ptx.encode())
        self._run = self._module.get_function("run")
        self._cupy.cuda.driver.funcSetAttribute(self._run.ptr, SHARED_FIRST, 100)

    def run(
        self,
        numbers: np.ndarray,
        starts: np.ndarray,
        corners: np.ndarray,
        out: np.ndarray,
        settings: np.ndarray,
    ) -> None:
        """All variants, a column each; `out` is filled."""
        cp, count = self._cupy, starts.shape[1]
        there = [cp.asarray(np.ascontiguousarray(a, float)) for a in (numbers, starts, corners, out)]
        if not numbers.size:
            there[0] = cp.zeros(1)
        processors = cp.cuda.Device().attributes["MultiProcessorCount"]
        blocks = max(1, min(-(-count // self.threads), BLOCKS * processors))
        arguments = (*there, *map(np.float64, settings), np.int64(count))
        self._run((blocks,), (self.threads,), arguments)
        out[...] = cp.asnumpy(there[3])
