"""Moved: `python docs/make_pictures.py [NAME ...]`; every `*_pictures.py` beside a page is found by itself."""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).parents[1] / "make_pictures.py"), run_name="__main__")
