"""The first gearbox of the documentation: its pieces are a file that runs, and its numbers are so."""

import numpy as np
import pytest
from pages import DOCS, blocks, page

import wheelwork as ww

PAGE = "gearbox-from-nothing"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("gearbox")
    (out / "gearbox.yaml").write_text("".join(blocks(page(PAGE), "yaml")), encoding="utf-8")
    return out


def test_the_code_prints_what_the_page_shows(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    run, closer = blocks(page(PAGE))
    names = {"__name__": "page"}
    exec(compile(run, PAGE, "exec"), names)
    assert capsys.readouterr().out == blocks(page(PAGE), "text")[1]
    exec(compile(closer.replace("end=0.1", "end=0.01"), PAGE, "exec"), names)
    assert (folder / "teeth.png").stat().st_size > 5000


def test_loads_of_bearings_are_those_of_levers(folder):
    """The output shaft by hand: the tooth force at 100 mm, the weights of its parts, bearings at 15 and 135 mm."""
    r = ww.load(folder / "gearbox.yaml").run()
    tangential = float(r["stage2.force.tangential"][-1])
    assert abs(tangential) == pytest.approx(330 / (53 * 3e-3 / 2), rel=1e-6)
    steel, g = 7850 * np.pi / 4, 9.80665
    parts = (  # diameter, bore, width, place of the middle
        (0.045, 0, 0.15, 0.075),
        (0.04, 0, 0.06, 0.18),
        (0.159, 0.045, 0.04, 0.1),
        (0.14, 0.04, 0.04, 0.185),
    )
    down = [(steel * (d**2 - b**2) * w * g, at) for d, b, w, at in parts]
    right = sum(weight * (at - 0.015) for weight, at in down) / 0.12 + abs(tangential) * 0.085 / 0.12
    assert r["output.right.reaction.force.z"][-1] == pytest.approx(right, rel=1e-6)


def test_the_map_has_its_corners_where_the_page_says(folder):
    m = ww.load(folder / "gearbox.yaml")
    plan = ww.Study.described(m)
    assert plan.run is not None
    ends = []
    for beta, x1 in ((-20, 0.035), (20, 0.065)):
        r = m.with_parameters(beta=f"{beta} deg", x1=x1).run()
        ends.append(
            float(np.hypot(r["middle.right.reaction.force.y"], r["middle.right.reaction.force.z"])[-1])
        )
    assert ends == pytest.approx([3274, 3811], abs=0.6)


def test_the_mistake_of_the_page(folder):
    text = (folder / "gearbox.yaml").read_text().replace("right: {at: 135 mm}", "right: {at: 235 mm}", 1)
    with pytest.raises(ww.ModelError, match=r"which ends at 0\.15 m, but at 0\.235 m") as caught:
        ww.loads(text).check()
    line = caught.value.problems[0].where.split(":")[-2]
    assert f"gearbox.yaml:{line}:" in blocks(page(PAGE), "text")[0]


def test_pictures_are_made():
    code = (DOCS / "gearbox_pictures.py").read_text()
    assert all(f'"{name}"' in code for name in ("gearbox-from-nothing", "gearbox-map"))
