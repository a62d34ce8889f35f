"""A problem of a description is shown with the user's lines and the message, without the twenty inside Wheelwork."""

import pytest
from processes import python

import wheelwork as ww

SCRIPT = """
import sys
{before}
import wheelwork as ww

def machine():
    m = ww.Mechanism("pair")
    m.add("a", ww.Rotor(inertia=1))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40)))
    return m.{call}

machine()
"""
MESSAGE = "meshes.mesh.bodies[1]: there is no body or frame `b`"


def shown(tmp_path, call: str, before: str = "") -> list[str]:
    """The lines on standard error of a script that is not caught."""
    (tmp_path / "script.py").write_text(SCRIPT.format(call=call, before=before))
    done = python(tmp_path / "script.py")
    assert done.returncode == 1
    return done.stderr.splitlines()


def test_a_script_shows_its_own_lines_and_the_message(tmp_path):
    lines = shown(tmp_path, "simulate(end=1)")
    assert [line.strip() for line in lines if not set(line) <= set(" ^~")][:5] == [
        "Traceback (most recent call last):",
        f'File "{tmp_path}/script.py", line 12, in <module>',
        "machine()",
        f'File "{tmp_path}/script.py", line 10, in machine',
        "return m.simulate(end=1)",
    ]
    assert MESSAGE in lines[-1]


def test_other_errors_are_shown_whole_and_other_hooks_stay(tmp_path):
    lines = shown(tmp_path, "no_such_method()")
    assert "no_such_method" in lines[-1]
    assert shown(tmp_path, "simulate(end=1)", "sys.excepthook = lambda *_: sys.stderr.write('mine')") == [
        "mine"
    ]


def test_notebooks_show_the_same_and_the_error_keeps_its_trace():
    m = ww.Mechanism("pair")
    m.add("a", ww.Rotor(inertia=1))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40)))
    with pytest.raises(ww.ModelError) as caught:
        m.simulate(end=1)
    lines = caught.value._render_traceback_()
    assert sum("File " in line for line in lines) == 1
    assert MESSAGE in lines[-1]
    assert len(caught.traceback) > 5  # for debuggers, which want all of it
