"""What the pages about gears show is so: code runs, sheets and messages are as printed, numbers of the table hold."""

import re
from pathlib import Path

import numpy as np
import pytest
from pages import DOCS, blocks, page

from wheelwork.cli import main
from wheelwork.gears import GearPair, findings
from wheelwork.gears.stiffness import BeamSlices, EnergyMethod, Iso6336

GUIDE, METHOD = page("guide/gear-geometry"), page("methods/mesh-stiffness")


@pytest.mark.parametrize("text", [GUIDE, METHOD], ids=["guide", "method"])
def test_code_runs_and_comments_hold(text):
    """Statements run in order; a comment that begins with a number is the value of its line."""
    names: dict = {}
    for code in blocks(text):
        exec(code, names)
        for line in code.splitlines():
            shown = re.match(r"^(\S.*?)\s{2,}# (-?[\d.]+)", line)
            if shown and "=" not in shown[1]:
                digits = len(shown[2].partition(".")[2])
                value = eval(shown[1], names)
                value = np.degrees(value[0]) if isinstance(value, tuple) else value
                assert value == pytest.approx(float(shown[2]), abs=0.51 * 10**-digits)


def test_sheet_as_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("drive.yaml").write_text(blocks(GUIDE, "yaml")[0])
    assert main(["gears", "drive.yaml"]) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    shown = blocks(GUIDE, "text")[0].splitlines()[1:-1]
    assert printed[: len(shown)] == shown


def test_message_as_printed():
    shown = blocks(GUIDE, "text")[1].replace("\n", " ").strip()
    found = findings(GearPair.of((12, 40), 3e-3), ("pinion", "gear"))[0]
    assert f"{found.level}, {found.kind}: {found.message}" == shown


def test_numbers_of_the_comparison():
    pair = GearPair.of((30, 60), 3e-3, face_width=30e-3)
    two = (pair.path.lower_single_contact - pair.path.start) / pair.path.base_pitch / 2
    models = {
        "`BeamSlices`, 200 N/mm": BeamSlices(pair),
        '`BeamSlices(local="constant")`': BeamSlices(pair, local="constant"),
        "`EnergyMethod(coupled=False)`": EnergyMethod(pair, coupled=False),
        "`EnergyMethod`": EnergyMethod(pair),
    }
    for name, model in models.items():
        row = [line for line in METHOD.splitlines() if line.startswith(f"| {name} |")][-1]
        shown = [float(cell) for cell in row.split("|")[2:5]]
        values = [model.pair_stiffness(pair.path.pitch_point), model.mesh_stiffness(two), model.cycle().mean]
        assert shown == pytest.approx([value / 30e6 for value in values], abs=0.051)
    assert "| ISO 6336-1 | 13.8 | | 21.2 |" in METHOD
    iso = Iso6336(pair)
    assert (iso.single / 1e9, iso.mean / 1e9) == pytest.approx((13.8, 21.2), abs=0.051)


def test_pictures_are_made_by_the_build():
    makers = [file.read_text("utf-8") for file in DOCS.glob("*/*_pictures.py")]
    for text in (GUIDE, METHOD):
        for name in re.findall(r"\(/_static/gears/([\w-]+)\.png\)", text):
            assert any(f'"{name}", tools.GEARS' in maker for maker in makers), name
