"""FMUs in mechanisms: run at samples where they are trusted; archives that are damaged or mean harm are refused."""

import re
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.cli.app import run_app
from wheelwork.engine.compiled_core import level
from wheelwork.exchange.fmu import archive, binary

pytest.importorskip("fmpy")


@pytest.fixture(autouse=True)
def core_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "LEVEL", level())


@pytest.fixture(scope="module")
def lag(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A controller as an FMU: torque' = (40*(5 - w) - torque)/0.01, a lag of a proportional law."""
    before, binary.LEVEL = binary.LEVEL, level()
    m = ww.Mechanism("lag")
    m.parameters["gain"] = 40.0
    m.add("w", ww.State(unit="rad/s"))
    m.add("torque", ww.State(unit="N m", rate="(gain*(5 - w) - torque)/0.01"))
    m.add("rotor", ww.Rotor(inertia=1.0))  # an FMU of a mechanism has a body
    m.analysis = ww.Simulate(end=1.0)
    file = tmp_path_factory.mktemp("fmu") / "lag.fmu"
    ww.write_fmu(m, file, fmi=3, inputs=["w"], outputs=["torque"])
    ww.write_fmu(m, file.with_name("lag2.fmu"), fmi=2, inputs=["w"], outputs=["torque"])
    binary.LEVEL = before
    return file


def machine(file: Path, every: float) -> ww.Mechanism:
    m = ww.Mechanism("machine")
    m.add("rotor", ww.Rotor(inertia=2.0))
    m.add("unit", ww.FmuBlock(file=str(file), every=every, inputs={"w": "rotor.w"}, gives={"torque": 0}))
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, "unit.torque")))
    return m


def whole() -> ww.Mechanism:
    """The same law inside."""
    m = ww.Mechanism("whole")
    m.add("rotor", ww.Rotor(inertia=2.0))
    m.add("torque", ww.State(unit="N m", rate="(40*(5 - rotor.w) - torque)/0.01"))
    m.add("motor", ww.Torque(body="rotor", value=(0, 0, "torque")))
    return m


@pytest.mark.slow
@pytest.mark.parametrize("version", ["lag.fmu", "lag2.fmu"])
def test_a_controller_as_an_fmu_comes_to_the_law_itself_with_the_sample_time(lag: Path, version: str) -> None:
    own = float(whole().simulate(end=0.1, output=10, progress=False)["rotor.w"][-1])
    errors = []
    for every in (1e-3, 5e-4):
        r = machine(lag.with_name(version), every).simulate(end=0.1, output=10, trust=True, progress=False)
        assert r.outcome.good
        errors.append(float(r["rotor.w"][-1]) - own)
    assert abs(errors[1]) < 0.05
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.2)  # of order one in the time between samples


def continuous(file: Path, **states: float) -> ww.Mechanism:
    m = machine(file, 1.0)
    m.control["unit"] = ww.FmuBlock(
        file=str(file),
        inputs={"w": "rotor.w"},
        gives={"torque": 0},
        states=states
        or {
            "state.torque": 0,
            "state.rotor.bearing.angle": 0,
            "state.rotor.bearing.angle.rate": 0,
        },
    )
    return m


def test_a_unit_reads_accelerations_at_samples_and_not_at_every_moment(lag: Path) -> None:
    """The rotor's acceleration is torque over inertia: at a sample that of the torque before it."""
    one, other = machine(lag, 1e-3), machine(lag, 1e-3)
    one.control["unit"].inputs = {"w": "rotor.w + 0.1*rotor.acceleration"}
    other.control["unit"].inputs = {"w": "rotor.w + 0.1*unit.torque/2"}
    one, other = (m.simulate(end=0.05, output=10, trust=True, progress=False) for m in (one, other))
    assert np.ptp(np.asarray(one["unit.torque"])) > 1
    assert np.asarray(one["unit.torque"]) == pytest.approx(np.asarray(other["unit.torque"]), rel=1e-9)
    at_once = continuous(lag)
    at_once.control["unit"].inputs = {"w": "rotor.acceleration"}
    with pytest.raises(ww.ModelError, match=r"control.unit: .*a continuous unit is asked before"):
        at_once.simulate(end=0.1, trust=True)


@pytest.mark.parametrize("version", ["lag.fmu", "lag2.fmu"])
@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_a_continuous_unit_is_the_law_itself(lag: Path, version: str, method: str) -> None:
    """Both runs are good to their tolerances, 1e-8; the torque between steps is that of its moment."""
    own = whole().simulate(end=0.1, output=50, method=method, progress=False)
    r = continuous(lag.with_name(version)).simulate(
        end=0.1, output=50, method=method, trust=True, progress=False
    )
    assert r.outcome.good
    for name, other in (("rotor.w", "rotor.w"), ("unit.torque", "torque"), ("unit.state.torque", "torque")):
        expected = np.asarray(own[other])
        assert np.max(np.abs(np.asarray(r[name]) - expected)) < 1e-6 * np.max(np.abs(expected))
    assert np.allclose(r["unit.w"], r["rotor.w"], rtol=1e-12)
    for k in (0, 20, 50):  # and what the motor does is what the unit says
        assert float(r["rotor.acceleration"][k]) == pytest.approx(float(r["unit.torque"][k]) / 2.0, abs=1e-9)


def test_what_a_continuous_unit_cannot_be_is_said(lag: Path, tmp_path: Path) -> None:
    m = continuous(lag, **{"state.torqe": 0.0})
    with pytest.raises(ww.ModelError, match=r"did you mean `state\.torque`") as error:
        m.simulate(end=0.1, trust=True)
    assert "every state of the FMU, also of `state.rotor.bearing.angle`" in str(error.value)
    for option, words in (
        ({"formulation": "reduced"}, "minimal coordinates"),
        ({"method": "sdirk4"}, "sdirk4"),
    ):
        with pytest.raises(ww.ModelError, match=words):
            continuous(lag).simulate(end=0.1, trust=True, **option)
    with pytest.raises(ww.ModelError, match="belong to a continuous unit"):
        m.control["unit"].every = 1e-3
    ball = tmp_path / "ball.fmu"
    ww.write_fmu(ww.load(examples.path("bouncing-ball")), ball, fmi=2)
    other = ww.Mechanism("other")
    other.add("rotor", ww.Rotor(inertia=1.0))
    output = next(name for name, what in archive.about_fmu(ball).variables.items() if what == "output")
    states = dict.fromkeys(archive.about_fmu(ball).states, 0.0)
    other.add("unit", ww.FmuBlock(file=str(ball), gives={output: 0.0}, states=states))
    with pytest.raises(ww.ModelError, match=r"events of its own \(\d+ indicators\).*give `every`"):
        other.simulate(end=0.1, trust=True)


def test_a_unit_that_waits_for_itself_ends_the_run_with_the_reason(tmp_path: Path) -> None:
    """Its output is twice its input at the same moment, and its input half as much again as its output."""
    m = ww.Mechanism("twice")
    m.add("body", ww.Rotor(inertia=1.0))
    m.add("u", ww.State())
    m.add("y", ww.FormulaBlock(value="2*u + 1"))
    m.analysis = ww.Simulate(end=1.0)
    file = tmp_path / "twice.fmu"
    ww.write_fmu(m, file, fmi=2, inputs=["u"], outputs=["y"])
    for factor, ends in (
        (0.25, True),
        (1.5, False),
    ):  # y = 2 factor y + 1: 2, or further off with every round
        other = ww.Mechanism("other")
        other.add("rotor", ww.Rotor(inertia=1.0))
        states = dict.fromkeys(archive.about_fmu(file).states, 0.0)
        inputs = {"u": f"{factor}*unit.y"}
        other.add("unit", ww.FmuBlock(file=str(file), inputs=inputs, gives={"y": 0.0}, states=states))
        other.add("motor", ww.Torque(body="rotor", value=(0, 0, "unit.y")))
        if ends:
            r = other.simulate(end=0.5, output=5, trust=True, progress=False)
            assert np.allclose(r["rotor.w"], 2 * r.t, rtol=1e-9)
            continue
        with pytest.warns(UserWarning, match="depend on each other at the same moment"):
            r = other.simulate(end=0.5, output=5, trust=True, progress=False)
        assert not r.outcome.good


def spring_as_a_unit(file: Path) -> None:
    """A mass on a spring, given the force on it: outputs depend on inputs at the same moment."""
    m = ww.Mechanism("mass")
    m.add("mass", ww.Rotor(inertia=0.3))
    m.add("push", ww.State(unit="N m"))
    m.add("spring", ww.Torque(body="mass", value=(0, 0, "-20*mass.angle + push")))
    m.analysis = ww.Simulate(end=1.0)
    ww.write_fmu(m, file, fmi=2, inputs=["push"], outputs=["mass.angle", "mass.w", "mass.acceleration"])


def test_two_machines_of_which_one_is_a_unit_are_one_machine(tmp_path: Path) -> None:
    """Coupled by a shaft, whose torque is found here: against the run of both together."""
    spring_as_a_unit(tmp_path / "mass.fmu")
    shaft = "30*(one.angle - {0}.angle) + 0.5*(one.w - {0}.w)"
    whole_machine = ww.Mechanism("both")
    whole_machine.add("one", ww.Rotor(inertia=0.1, speed=3.0))
    half = whole_machine.model_copy(deep=True)
    whole_machine.add("mass", ww.Rotor(inertia=0.3))
    whole_machine.add("back", ww.Torque(body="one", value=(0, 0, f"-({shaft.format('mass')})")))
    whole_machine.add("on", ww.Torque(body="mass", value=(0, 0, f"-20*mass.angle + {shaft.format('mass')}")))
    half.add(
        "unit",
        ww.FmuBlock(
            file=str(tmp_path / "mass.fmu"),
            inputs={"push": shaft.format("unit.mass")},
            gives={"mass.angle": 0, "mass.w": 0},
            states={"state.mass.bearing.angle": 0, "state.mass.bearing.angle.rate": 0},
        ),
    )
    half.add("back", ww.Torque(body="one", value=(0, 0, "-unit.push")))
    own = whole_machine.simulate(end=1.0, output=50, progress=False)
    r = half.simulate(end=1.0, output=50, trust=True, progress=False)
    for ours, theirs in (("one.angle", "one.angle"), ("mass.angle", "unit.mass.angle")):
        expected = np.asarray(own[ours])
        assert np.max(np.abs(np.asarray(r[theirs]) - expected)) < 1e-6 * np.max(np.abs(expected))


@pytest.mark.slow
def test_parameters_of_the_unit_are_set_and_names_are_checked(lag: Path) -> None:
    m = machine(lag, 1e-3)
    m.control["unit"].start = {"gain": 0.0}
    r = m.simulate(end=0.05, output=5, trust=True, progress=False)
    assert float(np.max(np.abs(r["rotor.w"]))) < 1e-12
    m.control["unit"].start = {"gian": 0.0}
    m.control["unit"].inputs["v"] = 1.0
    with pytest.raises(ww.ModelError, match="the FMU has no input `v`") as error:
        m.simulate(end=0.05, trust=True)
    assert "the FMU has no parameter `gian`" in str(error.value)


@pytest.mark.slow
def test_without_trust_nothing_of_it_is_run(lag: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    m = machine(lag, 1e-3)
    with pytest.raises(ww.ModelError, match=r"simulate\(trust=True\)"):
        m.simulate(end=0.05)
    for analysis in (m.equilibrium, m.linearise, m.compile().start):
        with pytest.raises(ww.ModelError, match="which only `simulate` does"):
            analysis()
    assert m.check() is not None
    m.save(tmp_path / "machine.yaml")
    arguments = ["run", str(tmp_path / "machine.yaml"), "--end", "0.01", "-o", str(tmp_path / "r.nc")]
    assert run_app(arguments) == 2
    assert "--trust" in capsys.readouterr().err
    assert run_app([*arguments, "--trust"]) == 0


def test_a_unit_of_another_platform_or_kind_is_refused_with_what_it_has(lag: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.fmu"
    with zipfile.ZipFile(lag) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            new.writestr(name.replace("x86_64-linux/", "x86_64-windows/").replace(".so", ".dll"), text)
    with pytest.raises(ww.ModelError, match=r"has no binary for this platform.*it has `x86_64-windows`"):
        machine(other, 1e-3).simulate(end=0.05, trust=True)
    with zipfile.ZipFile(lag) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "modelDescription.xml":
                lines = text.decode().splitlines()
                text = "\n".join(line for line in lines if "<CoSimulation" not in line).encode()
            new.writestr(name, text)
    with pytest.raises(ww.ModelError, match="is for model exchange, and not for co-simulation"):
        machine(other, 1e-3).simulate(end=0.05, trust=True)
    with pytest.raises(ww.ModelError, match="no such file"):
        machine(tmp_path / "none.fmu", 1e-3).simulate(end=0.05, trust=True)


DESCRIPTION = '<fmiModelDescription fmiVersion="2.0" modelName="m"/>'


def harmful(path: Path, name: str, mode: int = 0, size: int = 10) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("modelDescription.xml", DESCRIPTION)
        entry = zipfile.ZipInfo(name)
        entry.external_attr = mode << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        made.writestr(entry, bytes(size))
    return path


@pytest.mark.parametrize(
    ("name", "mode", "size", "words"),
    [
        ("../outside.txt", 0, 10, "leads outside"),
        ("binaries/../../outside.txt", 0, 10, "leads outside"),
        ("/tmp/outside.txt", 0, 10, "leads outside"),
        ("C:\\outside.txt", 0, 10, "leads outside"),
        ("C:/outside.txt", 0, 10, "leads outside"),
        ("resources/link", stat.S_IFLNK | 0o777, 10, "is a link"),
        ("resources/bomb", 0, 20_000_000, "would be 20000000 bytes"),
        ("modelDescription.xml", 0, 10, "is in it twice"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_archives_that_mean_harm_are_refused(
    name: str, mode: int, size: int, words: str, tmp_path: Path
) -> None:
    file = harmful(tmp_path / "bad.fmu", name, mode, size)
    for look in (archive.about_fmu, archive.unpack):
        with pytest.raises(ww.ModelError, match=words):
            look(file)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.fmu"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"no archive at all", "is a zip archive"),
        (b"", "is a zip archive"),
        ("<a/>", "does not describe one"),
        ("<a", "is not XML"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a/>', "declares a document type"),
        ('<fmiModelDescription fmiVersion="1.0"/>', "is of FMI 1.0"),
        (None, "has no `modelDescription.xml`"),
    ],
)
def test_what_is_no_fmu_is_said(content: bytes | str | None, words: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.fmu"
    if isinstance(content, bytes):
        file.write_bytes(content)
    else:
        with zipfile.ZipFile(file, "w") as made:
            made.writestr("modelDescription.xml" if content is not None else "other.xml", content or "")
    with pytest.raises(ww.ModelError, match=words):
        archive.about_fmu(file)


def test_a_damaged_archive_is_said(lag: Path, tmp_path: Path) -> None:
    content = bytearray(lag.read_bytes())
    for at in range(100, len(content) - 2000, 5000):
        content[at] ^= 0xFF
    file = tmp_path / "damaged.fmu"
    file.write_bytes(content)
    with pytest.raises(ww.ModelError, match="damaged"):
        archive.unpack(file)


def rewritten(file: Path, target: Path, change: Callable[[str], str]) -> Path:
    """An FMU with another description."""
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(target, "w") as out:
        for name in archive.namelist():
            content = archive.read(name)
            described = name == "modelDescription.xml"
            out.writestr(name, change(content.decode()) if described else content)
    return target


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: re.sub("(?i)encoding=.utf-8.", 'encoding="nan"', text), "unknown encoding"),
        (lambda text: text.replace("<ModelStructure>", '<ModelStructure><InitialUnknown dependencies="1"/>'), "FMPy"),
        (lambda text: text.replace('modelIdentifier="', 'modelIdentifier="no'), "FMPy cannot load it .*no"),
        (lambda text: re.sub('instantiationToken="[^"]*"', 'instantiationToken="x"', text), "FMPy cannot load it"),
    ],
)  # fmt: skip
def test_a_damaged_description_is_said(
    lag: Path, tmp_path: Path, change: Callable[[str], str], words: str
) -> None:
    damaged = rewritten(lag, tmp_path / "damaged.fmu", change)
    with pytest.raises(ww.ModelError, match=words) as caught:
        machine(damaged, 1e-3).simulate(end=0.01, trust=True, progress=False)
    assert str(damaged) in str(caught.value)


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_model_without_a_name_is_no_model(name: str, capsys: pytest.CaptureFixture) -> None:
    assert run_app(["fmu", name]) == 2
    assert "is a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    "verb", ["fmu MODEL", "sweep MODEL --parameter drag --from 1 --to 2 --points 2", "plot MODEL a b"]
)
def test_a_file_without_a_name_cannot_be_written(verb: str, capsys: pytest.CaptureFixture) -> None:
    words = [word.replace("MODEL", str(examples.path("drive-line"))) for word in verb.split()]
    assert run_app([*words, "--out", ""]) == 2
    assert "is a folder" in capsys.readouterr().err
