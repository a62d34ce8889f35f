"""Write the models: `python -m builders.robot [FOLDER]`."""

from __future__ import annotations

import sys
from pathlib import Path

from wheelwork import examples

from .runs import pick_and_place, under_torques

FILES = {"robot.yaml": under_torques, "robot-pick-and-place.yaml": pick_and_place}

if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else examples.path("robot").parent
    for name, make in FILES.items():
        make().save(folder / name)
