"""The cases, one file for each or for a family; each has a tuple CASES. Add its name to `MODULES` in `runner.py`."""
