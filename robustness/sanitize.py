"""The core under the sanitizers of addresses and undefined behaviour, on bundled examples: `./wheelwork-dev sanitize`.

It is compiled with warnings as errors, then run in a process of its own, which the first fault ends. Python and the
emitted kernels are not looked at, only what the core itself reads and writes.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import wheelwork as ww
from wheelwork import examples
from wheelwork.engine import compiled_core
from wheelwork.engine.compiler import SPACES, find_compiler, sources
from wheelwork.exchange.fmu.variables import VariableKind

FLAGS = ("-O1", "-g1", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
ENDS = {
    "pendulum": 0.3, "four-bar": 0.1, "squeezer": 0.005, "n-four-bar": 0.1, "planetary": 0.2,
    "planetary-gearbox": 0.02, "backlash-pair": 0.005, "tooth-contact": 1e-4, "worm-lift": 0.05, "yaw-drive": 0.002,
    "cam-follower": 0.1, "stick-slip": 1.0, "bouncing-ball": 1.0, "robot": 0.005,
    "belt-drive": 0.01, "chain-drive": 0.01, "cycloid-drive": 0.002, "friction-planetary": 0.01,
    "gearbox-shift": 0.01, "controlled-arm": 0.02, "shifting-car": 0.005, "geared-tricycle": 0.01,
}  # fmt: skip
"""Trees, loops, redundant joints, hubs, every model of teeth, friction, clutches, cams, impacts, what rolls, blocks of
a control, in space and plane; in seconds."""
WAYS: tuple[dict[str, Any], ...] = (
    {"formulation": "absolute"},
    {"formulation": "reduced"},
    {"formulation": "absolute", "method": "sdirk4"},
)


def build(folder: Path) -> Path:
    """Both cores into a folder; returns the library that has to be loaded before any other."""
    compiler, level = find_compiler(), compiled_core.level()
    asked = [*compiler.command, "-print-file-name=libasan.so"]
    first = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    if not first.is_absolute():
        raise SystemExit(f"the sanitizers need g++ with its libasan, and this is {compiler.version}")
    for space, defines in SPACES.items():
        compiler.build(sources(), folder / f"{space}.so", level, defines, FLAGS)
    return first


def run(folder: Path) -> None:
    """All examples in all ways there are for them, driven ones too, and two at once."""
    compiled_core._path = lambda space: folder / f"{space}.so"
    for name, end in ENDS.items():
        done = []
        for way in WAYS:
            m = ww.load(examples.path(name))
            if m.analysis is None or m.analysis.type != "simulate":
                done.append(m.run(end=end, output=20, progress=False).report[:40])
                break
            try:
                result = m.run(end=end, output=3, progress=False, **way)
                done.append(f"{result.statistics.steps} steps")
            except ww.ModelError:
                done.append("refused")  # as there: dry friction in minimal coordinates
        print(f"{name}: {', '.join(done)}", flush=True)
    with ThreadPoolExecutor(2) as pool:
        ends = pool.map(lambda k: ww.load(examples.path("pendulum")).simulate(0.1 + k, output=3), range(2))
        print("two threads:", ", ".join(f"{r.statistics.steps} steps" for r in ends))
    for formulation in ("absolute", "reduced"):
        in_pieces(formulation)
        for kind in (0, 1):
            as_fmu(folder, formulation, kind)


def measuring() -> ww.Mechanism:
    """A pendulum that runs into a stop; its control reads a reaction in rates, at samples and in a condition."""
    m = ww.Mechanism("pendulum", kind="planar")
    m.parameters["torque"] = 0.0
    m.add("arm", ww.Body(mass=2, inertia=0.1, position=(0.5, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0)))
    m.add("lag", ww.TransferFunction(input="hinge.reaction.force.x", numerator=(1,), denominator=(0.05, 1)))
    m.add("law", ww.Sampled(every=0.05, memory={"u": 0}, update={"u": "0.05*hinge.reaction.force.y"}))
    shear = {"leave": "whole", "enter": "sheared", "when": "hinge.reaction.force.y > 50"}
    m.add("pin", ww.StateMachine(modes=("whole", "sheared"), transitions=(shear,)))
    m.add("motor", ww.Actuator(joint="hinge", value="0.05*lag - 0.1*law - 2*pin.sheared*hinge.w + torque"))
    m.add("end", ww.Stop(joint="hinge", lower=-1.2, restitution=0.3))
    m.analysis = ww.Simulate(end=1.0, output=20)
    return m


def in_pieces(formulation: str) -> None:
    """A run that is left and gone on with, set, saved and restored."""
    s = measuring().compile().start(formulation=formulation)
    s.advance(0.23, output=3)
    saved = s.save()
    s.set("torque", 1.0)
    s.advance(0.71, output=3)
    s.restore(saved)
    s.advance(1.0, output=3)
    print(f"in pieces, {formulation}: {s.steps} steps")


def as_fmu(folder: Path, formulation: str, kind: int) -> None:
    """An instance whose binary is the core at hand, for model exchange (kind 0) or co-simulation (1)."""
    library, file = ctypes.CDLL(str(folder / "planar.so")), folder / f"{formulation}.fmu"
    model = ww.write_fmu(measuring(), file, fmi=2, outputs=["hinge.angle", "lag"], formulation=formulation)
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder / "fmu")
    library.fmi2Instantiate.restype = ctypes.c_void_p
    place, count = (folder / "fmu" / "resources").as_uri().encode(), len(model.continuous)
    made = library.fmi2Instantiate(b"one", kind, model.token.encode(), place, None, 0, 0)
    instance, size = ctypes.c_void_p(made), ctypes.c_size_t
    # joints that may come to their stops have no derivatives in co-simulation
    known = [k for k, v in enumerate(model.variables) if kind == 0 or v.kind != VariableKind.RATE]
    everything = (ctypes.c_uint * len(known))(*known)
    values, room = (ctypes.c_double * len(everything))(), (ctypes.c_double * 64)()
    info, flags, saved = (ctypes.c_double * 8)(), (ctypes.c_int * 2)(), ctypes.c_void_p()
    good = [library.fmi2ExitInitializationMode(instance)]
    for k in range(10):
        good.append(library.fmi2GetReal(instance, everything, size(len(everything)), values))
        if kind == 1:
            good.append(library.fmi2DoStep(instance, ctypes.c_double(0.05 * k), ctypes.c_double(0.05), 1))
        else:
            good.append(library.fmi2SetTime(instance, ctypes.c_double(0.05 * k)))
            good.append(library.fmi2GetContinuousStates(instance, room, size(count)))
            good.append(library.fmi2SetContinuousStates(instance, room, size(count)))
            good.append(library.fmi2CompletedIntegratorStep(instance, 1, flags, ctypes.byref(flags, 4)))
            good.append(library.fmi2NewDiscreteStates(instance, info))
        good.append(library.fmi2GetFMUstate(instance, ctypes.byref(saved)))
    good.append(library.fmi2SetFMUstate(instance, saved))
    library.fmi2FreeFMUstate(instance, ctypes.byref(saved))
    library.fmi2FreeInstance(instance)
    print(
        f"FMU, {formulation}, {'co-simulation' if kind else 'model exchange'}: {good.count(0)} of {len(good)} calls"
    )
    if any(good):
        raise SystemExit("an FMU did not do what it was asked for")


def main() -> int:
    if len(sys.argv) > 1:
        run(Path(sys.argv[1]))
        return 0
    with tempfile.TemporaryDirectory(prefix="wheelwork-") as name:
        first = build(Path(name))
        settings = {"LD_PRELOAD": str(first), "ASAN_OPTIONS": "detect_leaks=0"}
        command = [sys.executable, "-m", "robustness.sanitize", name]
        return subprocess.run(command, env=os.environ | settings).returncode


if __name__ == "__main__":
    sys.exit(main())
