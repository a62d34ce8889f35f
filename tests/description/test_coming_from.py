"""Every line of the page "Coming from other programs" is put into a machine and run."""

import re
from pathlib import Path

import pytest

import wheelwork as ww

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "coming-from.md"
if not PAGE.is_file():
    pytest.skip("no documentation beside the tests", allow_module_level=True)
SHAFTS = """
bodies:
  a: {type: rotor, inertia: 0.1, speed: 1}
  b: {type: rotor, inertia: 0.2}
"""
BODIES = """
bodies:
  one: {mass: 1, inertia: [0.1, 0.1, 0.1]}
  two: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [0.3, 0, 0]}
  three: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [0, 1, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, one], point: [0, 0, 0], axis: [0, 0, 1]}
  slide: {type: prismatic, bodies: [ground, three], point: [0, 1, 0], axis: [1, 0, 0]}
"""
COLLECTIONS = {"rotor": "bodies", "body": "bodies", "joint": "drivers"} | {
    name: "joints"
    for name in (
        [
            "revolute",
            "prismatic",
            "cylindrical",
            "universal",
            "spherical",
            "rod",
            "fixed",
            "screw",
            "constant_velocity",
            "point_on_plane",
            "rolling_wheel",
        ]
    )
}


def lines():
    """What stands in the last column, with the section it is in."""
    section = ""
    for line in PAGE.read_text().splitlines():
        section = line[3:] if line.startswith("## ") else section
        match = re.search(r"\| `(\{.*\})` \|$", line)
        if match:
            yield pytest.param(section, match[1], id=f"{section}: {match[1][:40]}")


@pytest.mark.parametrize(("section", "element"), list(lines()))
def test_the_line_works(section, element):
    shafts = "Rotational" in section or "Simscape" in section
    kind = re.search(r"type: (\w+)", element)
    collection = "frames" if kind is None else COLLECTIONS.get(kind[1], "forces")
    base = SHAFTS if shafts else BODIES
    if f"{collection}:" in base:
        text = base.replace(f"{collection}:\n", f"{collection}:\n  tried: {element}\n")
    else:
        text = f"{base}\n{collection}:\n  tried: {element}\n"
    assert ww.loads(f"wheelwork: 1\n{text}").simulate(end=0.01).outcome.good


def test_there_are_many_lines():
    assert len(list(lines())) > 35
