"""The same code for graphics processors: PTX, made on any machine, loaded with CuPy where there is a device.

A thread runs one variant after another, in one lane (:mod:`.lane_code`). Making PTX needs neither a device nor NVIDIA's
tools: LLVM writes it, and the driver translates it when it is loaded.
"""

from __future__ import annotations

import re

import numpy as np

from wheelwork.lazy import llvm

from .device_run import DeviceCode
from .lane_code import lane_text
from .lane_program import DeviceShape, LaneProgram
from .lanes import Progress, VariantCode

TRIPLE, PROCESSOR, VERSION = "nvptx64-nvidia-cuda", "sm_70", "+ptx70"
"""Devices from Volta (2017) on."""
CONSTANT = re.compile("0x[0-9A-F]{16}")


def ptx(
    program: LaneProgram,
    method: str,
    shape: DeviceShape | None = None,
    processor: str = PROCESSOR,
    version: str = VERSION,
) -> str:
    """The routine `run` of :mod:`.lane_code` in PTX; without `first`, `last` and `stride`, which threads know."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu=processor, features=version, opt=3)
    module = llvm.parse_assembly(_with_constants_apart(lane_text(program, method, 1, shape or DeviceShape())))
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.slp_vectorization = tuning.loop_vectorization = tuning.loop_unrolling = False
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    return machine.emit_assembly(module)


def _with_constants_apart(text: str) -> str:
    """Constants of sums and products from the device's constant memory: instructions take operands from there.

    Written into the code, each would take two instructions wherever it is used. Those whose lower half is zero do not.
    """
    places: dict[str, int] = {}
    lines: list[str] = []
    count = 0

    def taken(found: re.Match[str]) -> str:
        nonlocal count
        if found.group().endswith("00000000"):
            return found.group()
        count += 1
        k = places.setdefault(found.group(), len(places))
        place = f"getelementptr (double, ptr addrspace(4) @constants, i64 {k})"
        lines.append(f"%apart.{count} = load double, ptr addrspace(4) {place}, align 8, !invariant.load !0")
        return f"%apart.{count}"

    for line in text.splitlines():
        arithmetic = "@llvm.fma" in line or " = f" in line
        lines.append(
            CONSTANT.sub(taken, line) if arithmetic and " = " in line and "fcmp" not in line else line
        )
    values = ", ".join(f"double {value}" for value in places)
    table = f"[{len(places)} x double] [{values}]"
    head = f"@constants = addrspace(4) externally_initialized global {table}" if places else ""
    return "\n".join([head, *lines, "!0 = !{}", ""])


class OnDevice(VariantCode):
    """Code for a graphics processor. Raises NoDevice where there is none.

    All variants are run in one call, which cannot be stopped on the way.
    """

    shape = DeviceShape()

    def _made(self) -> DeviceCode:
        return DeviceCode(ptx(self.program, self.method, self.shape), self.shape.threads)

    def _fill(self, arrays: list[np.ndarray], threads: int | None, progress: Progress | None) -> None:
        del threads  # of this machine
        self.code.run(*arrays)
        if progress is not None:
            out = arrays[3]
            progress(out.shape[1], int(np.count_nonzero(out[0])))
