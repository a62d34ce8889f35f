"""Optional extras of the package: all that is missing for a piece of work is told at once, before the work."""

from __future__ import annotations

from importlib.util import find_spec

EXTRAS = {
    "SALib": ("SALib", "indices"),
    "zarr": ("Zarr", "studies"),
    "distributed": ("Dask distributed", "cluster"),
    "pyarrow": ("pyarrow", "tables"),
    "fmpy": ("FMPy", "fmu"),
    "OCP": ("Open CASCADE", "cad"),
}
"""Modules: what they are called, and the extra that installs them."""


def need_extras(*modules: str) -> None:
    """ImportError, with the command that installs all of them, where some of these are not there."""
    missing = [EXTRAS[module] for module in modules if find_spec(module) is None]
    if missing:
        names = " and ".join(name for name, _ in missing)
        extras = ",".join(dict.fromkeys(extra for _, extra in missing))
        verb = "is" if len(missing) == 1 else "are"
        raise ImportError(
            f"this needs {names}, which {verb} not installed: pip install 'wheelwork[{extras}]'"
        )
