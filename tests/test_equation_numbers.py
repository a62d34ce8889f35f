"""Numbers of the papers' equations stand at the code that is the equation, so that a search for (28) finds it.

A number in a file's first docstring alone does not count: it has to be where the equation is computed.
"""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "wheelwork"

VLASENKO_KASPER = {
    "equations/rows.py": "3",
    "engine/core/kkt.hpp": "4",
    "elements/meshes/parallel.py": "5 17 28 34 36",
    "equations/mesh_rows.py": "8 15 18 20 21 22 23 24 25 26 27",
    "equations/frames.py": "23",
    "layout/meshes/sizes.py": "12 13 14",
    "elements/meshes/bevel.py": "28 32 33",
    "elements/meshes/rack.py": "15 37 39 40 41",
}
CHEN = {
    "trains/graph.py": "1",
    "trains/carriers.py": "2",
    "trains/displacement.py": "1 3 13",
    "engine/core/reduced_mass.hpp": "3 4 6 12",
    "engine/core/reduced_wrenches.hpp": "4 12",
    "analyses/reduction/tree_equations.py": "4",
    "analyses/reduction/dynamics.py": "5 6 10 12 13",
    "analyses/free_body/edges.py": "14 15 16 17",
    "analyses/free_body/loads.py": "18 19",
    "analyses/free_body/balance.py": "18 19",
}
HAUG = {
    "elements/meshes/parallel.py": "3.4.2 3.4.3 3.4.4",
    "layout/touching.py": "3.4.2",
}
KOSENKO_GUSEV = {"elements/meshes/parallel.py": "1", "elements/meshes/teeth/flank.py": "3 4"}
BAI = {
    "engine/core/spatial_body.hpp": "1.1 1.2",
    "engine/core/rotations.hpp": "1.2",
    "engine/core/kkt.hpp": "1.6 1.12 1.13 1.14 1.15 1.17 1.18",
    "equations/rotations.py": "1.9",
    "engine/core/load_dependent.hpp": "1.19 1.20",
    "engine/core/switching.hpp": "1.21 1.22",
    "trains/ratios.py": "2.1 2.2 2.4 2.5 2.7",
    "trains/motor.py": "2.9 2.10 2.11 2.12",
    "gears/stiffness/beam_slices.py": "3.5",
    "elements/meshes/teeth/compliant.py": "3.1 3.3 3.4",
    "elements/meshes/teeth/mesh_force.py": "3.1 3.2",
}
PAPERS = {
    "Vlasenko, Kasper": VLASENKO_KASPER,
    "Chen": CHEN,
    "Haug": HAUG,
    "Kosenko, Gusev": KOSENKO_GUSEV,
    "Bai": BAI,
}


@pytest.mark.parametrize(
    ("paper", "file", "number"),
    [
        (paper, file, number)
        for paper, files in PAPERS.items()
        for file, numbers in files.items()
        for number in numbers.split()
    ],
)
def test_the_number_stands_at_the_code(paper, file, number):
    text = (SOURCE / file).read_text()
    if file.endswith(".py"):
        text = re.sub(r'\Ar?""".*?"""', "", text, count=1, flags=re.DOTALL)
    assert f"({number})" in text, f"{paper} ({number}) is not in {file}"
    assert re.search(paper, (SOURCE / file).read_text()), f"{file} does not name {paper}"
