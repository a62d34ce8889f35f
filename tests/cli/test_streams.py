"""Standard output that is closed or full, and names of files that are not UTF-8."""

import json
import os
import sys
from pathlib import Path

import pytest
from processes import ran

from .conftest import PENDULUM

pytestmark = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")


def shell(folder: Path, command: str):
    """A command line in which WW is our command."""
    (folder / "pendulum.yaml").write_text(PENDULUM)
    line = command.replace("WW", f"{sys.executable} -m wheelwork")
    done = ran("sh", "-c", line, cwd=folder)
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        ("WW info pendulum.yaml >&-", 0, ""),
        ("WW info pendulum.yaml --json >&- 2>&- <&-", 0, ""),
        ("WW info nowhere.yaml >&-", 2, "there is no such file"),
        ("WW schema | true", 0, ""),
    ],
)
def test_closed_streams(tmp_path, command, code, words):
    done = shell(tmp_path, command)
    assert done.returncode == code
    assert words in done.stderr
    assert words or not done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device here")
@pytest.mark.parametrize("command", ["WW info pendulum.yaml", "WW info pendulum.yaml --json", "WW schema"])
def test_full_standard_output(tmp_path, command):
    done = shell(tmp_path, f"{command} >/dev/full")
    assert done.returncode == 2
    assert done.stderr.split("\n")[1].strip() == "no space left on device"
    assert len(done.stderr.strip().split("\n")) == 2


@pytest.mark.slow
def test_a_file_name_that_is_not_utf_8(tmp_path):
    """Every byte but `/` may be in a name; it is read, run and shown all the same."""
    folder = os.fsencode(tmp_path)
    try:
        Path(os.fsdecode(folder + b"/caf\xe9.yaml")).write_text(PENDULUM)
    except OSError:
        pytest.skip("the file system takes only UTF-8")
    done = shell(tmp_path, "WW run caf*.yaml --json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["files"] == ["caf\udce9-run/result.nc", "caf\udce9-run/report.html"]
    report = Path(os.fsdecode(folder + b"/caf\xe9-run/report.html")).read_text(encoding="utf-8")
    assert "caf\\udce9.yaml" in report
    done = shell(tmp_path, "WW info cafe.yaml")
    assert "did you mean `caf\\udce9.yaml`?" in done.stderr
