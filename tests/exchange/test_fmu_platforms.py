"""Binaries of FMUs for other systems: made by zig, run where this machine can (Wine, QEMU), and looked at elsewhere."""

import importlib.util
import os
import shutil
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import wheelwork as ww
from tests.processes import ran
from wheelwork import examples
from wheelwork.engine import compiler
from wheelwork.engine.machine_code import linked_for
from wheelwork.exchange.fmu import binary

HERE = Path(__file__).parent
WINE = shutil.which("wine64") or shutil.which("/usr/lib/wine/wine64")
QEMU, ARM = (
    shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64"),
    Path("/usr/aarch64-linux-gnu"),
)
zig = pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="needs pip install ziglang")


def test_platforms_have_the_names_of_both_versions() -> None:
    assert [one.folder for one in binary.chosen(["darwin64", "win64", "x86_64-windows"])] == [
        "x86_64-darwin",
        "aarch64-darwin",
        "x86_64-windows",
    ]
    assert binary.chosen(None) == [binary.here()]
    with pytest.raises(ww.ModelError, match=r"there is no platform `win46`.*win64"):
        binary.chosen(["win46"])


def test_without_a_compiler_that_crosses_what_to_install_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    other = "aarch64-linux" if binary.here().processor == "x86_64" else "linux64"
    with pytest.raises(ww.ModelError, match=rf"`{other}.*pip install ziglang"):
        ww.write_fmu(ww.load(examples.path("pendulum")), tmp_path / "no.fmu", platforms=[other])
    assert not (tmp_path / "no.fmu").exists()


def test_libraries_of_macos_are_joined_into_one_file() -> None:
    """Of what Mach-O says: kind of processor and place of each part, which begins at a page and is as it was."""
    parts = [
        struct.pack("<III", 0xFEEDFACF, kind, 3) + bytes([kind & 255]) * 100
        for kind in (0x01000007, 0x0100000C)
    ]
    whole = binary.universal(parts)
    assert struct.unpack_from(">II", whole) == (0xCAFEBABE, 2)
    for k, part in enumerate(parts):
        kind, below, first, size, page = struct.unpack_from(">IIIII", whole, 8 + 20 * k)
        assert struct.unpack_from("<II", part, 4) == (kind, below)
        assert first % (1 << page) == 0
        assert whole[first : first + size] == part


def test_code_for_arm_is_linked_and_keeps_off_the_register_of_the_system() -> None:
    text = "define double @f(double %x) {\n%y = fmul double %x, 0x3FF1F7A3B2C4D5E6\nret double %y\n}\n"
    places, imports, code = linked_for("aarch64", text)
    assert not imports
    words = struct.unpack_from("<8I", code + bytes(32), places["f"])
    address, load = words[0], words[1]  # adrp, ldr: of the constant, which is in the same page here
    assert address >> 24 & 0x9F == 0x90
    assert (address >> 5 & 0x7FFFF) == 0
    at = (load >> 10 & 0xFFF) << 3
    assert struct.unpack_from("<Q", code, at) == (0x3FF1F7A3B2C4D5E6,)


def driven(
    wanted: str, target: str, runner: list[str], tmp_path: Path, name: str = "planetary-gearbox"
) -> float:
    """Outputs of an FMU for another system, run there by a program in C, against our own run."""
    (one,) = binary.chosen([wanted])
    mechanism = ww.load(examples.path(name))
    file = tmp_path / "model.fmu"
    model = ww.write_fmu(mechanism, file, fmi=2, platforms=[wanted], end=0.2, output=40)
    with zipfile.ZipFile(file) as archive:
        archive.extractall(tmp_path)
    (library,) = (tmp_path / "binaries" / one.older).iterdir()
    program = tmp_path / "driver.exe"
    build = ["cc", "-target", target, "-O1", str(HERE / "fmu_driver.c"), "-o", str(program)]
    assert ran(sys.executable, "-m", "ziglang", *build).returncode == 0
    place = f"file:///{'Z:' if wanted == 'win64' else ''}{tmp_path / 'resources'}"
    outputs = [str(k) for k, v in enumerate(model.variables) if v.causality == "output"]
    there = os.environ | {"WINEDEBUG": "-all", "WINEPREFIX": str(tmp_path / "wine")}
    done = ran(*runner, program, library, place, model.token, 40, 0.005, *outputs, env=there)
    assert done.returncode == 0, done.stderr
    found = np.array([[float(x) for x in line.split()] for line in done.stdout.splitlines()])
    own = mechanism.simulate(end=0.2, output=40, progress=False)
    expected = np.array([np.asarray(own[signal.name])[21:] for signal in model.signals]).T
    return float(np.max(np.abs(found - expected) / np.maximum(np.max(np.abs(expected), axis=0), 1e-12)))


@zig
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(WINE is None, reason="needs Wine (apt install wine64)")
def test_the_binary_for_windows_runs_as_our_own_run(tmp_path: Path) -> None:
    """1e-9: sines of another library, over 0.2 s."""
    assert driven("win64", "x86_64-windows-gnu", [WINE or ""], tmp_path) < 1e-9


@zig
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(
    QEMU is None or not ARM.is_dir(), reason="needs QEMU (apt install qemu-user libc6-arm64-cross)"
)
def test_the_binary_for_linux_on_arm_runs_as_our_own_run(tmp_path: Path) -> None:
    runner = [QEMU or "", "-L", str(ARM)]
    assert driven("aarch64-linux", "aarch64-linux-gnu.2.17", runner, tmp_path) < 1e-9


@zig
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_binary_for_macos_has_both_processors_and_every_function(tmp_path: Path) -> None:
    """It cannot be run here."""
    file = tmp_path / "model.fmu"
    ww.write_fmu(ww.load(examples.path("pendulum")), file, fmi=2, platforms=["darwin64"])
    with zipfile.ZipFile(file) as archive:
        (name,) = (one for one in archive.namelist() if one.startswith("binaries/"))
        content = archive.read(name)
    assert name.startswith("binaries/darwin64/")
    assert struct.unpack_from(">II", content) == (0xCAFEBABE, 2)
    kinds = [struct.unpack_from(">IIIII", content, 8 + 20 * k) for k in range(2)]
    assert [kind for kind, *_ in kinds] == [0x01000007, 0x0100000C]  # x86-64, ARM
    for _, _, first, size, _ in kinds:
        part = content[first : first + size]
        assert struct.unpack_from("<I", part)[0] == 0xFEEDFACF
        for function in ("fmi2Instantiate", "fmi2DoStep", "fmi3InstantiateModelExchange", "fmi3DoStep"):
            assert f"_{function}\0".encode() in part


@pytest.mark.slow
@pytest.mark.parametrize("fmi", [2, 3])
def test_a_binary_made_from_the_sources_in_the_archive_is_as_good(fmi: int, tmp_path: Path) -> None:
    """By the list of the description, for a mechanism in the plane."""
    fmpy = pytest.importorskip("fmpy")
    file = tmp_path / "model.fmu"
    mechanism = ww.load(examples.path("planar-four-bar"))
    model = ww.write_fmu(mechanism, file, fmi=fmi, end=0.1, output=10)
    about = fmpy.read_model_description(str(file))
    (build,) = about.buildConfigurations
    (listed,) = build.sourceFileSets
    assert not listed.preprocessorDefinitions  # what it needs is in its text
    with zipfile.ZipFile(file) as archive:
        archive.extractall(tmp_path / "unit")
    (library,) = (tmp_path / "unit" / "binaries").glob("*/*")
    library.unlink()
    sources = [tmp_path / "unit" / "sources" / name for name in listed.sourceFiles]
    compiler.find_compiler().build(sources, library, binary.LEVEL, (), ("-O0",))
    found = fmpy.simulate_fmu(
        str(tmp_path / "unit"), fmi_type="CoSimulation", stop_time=0.1, output_interval=0.01
    )
    own = mechanism.simulate(end=0.1, output=10, progress=False)
    for signal in model.signals:
        expected = np.asarray(own[signal.name])
        assert np.allclose(
            found[signal.name], expected, atol=1e-6 * max(1.0, float(np.max(np.abs(expected))))
        )
