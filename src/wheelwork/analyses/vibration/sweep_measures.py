r"""What is read off a sweep of gears: dynamic factor, regions of contact loss, regimes of impact, order spectra.

dynamic factor   max |F|/|mean F| of a tooth force at each value; the mean is the static load, because in a steady
                 motion accelerations have no mean
contact loss     neighbouring values at which a contact is open for part of the time
regime           of teeth, by which flanks touch (signal NAME.side): 0 always the same, 1 one flank is left for part
                 of the time (single-sided impact), 2 both flanks are struck (double-sided impact); after A.
                 Kahraman, R. Singh, Journal of Sound and Vibration 142(1):49-75, 1990
order spectrum   amplitudes of all orders that fit the measured span, 1/periods apart: Fourier sums over whole periods,
                 so that lines do not leak
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.lazy import xarray as xr

if TYPE_CHECKING:
    from .sweep_result import Sweep

REGIMES = ("contact", "single-sided impact", "double-sided impact")


@dataclass(frozen=True)
class ContactLoss:
    """Neighbouring values of the parameter at which a contact is open for part of the time."""

    contact: str
    direction: str
    first: float
    last: float
    share: float
    """Of time without contact, the largest among them."""


def dynamic_factor(sweep: Sweep, force: str) -> xr.DataArray:
    """max |F|/|mean F| (direction, value); nan where the mean is nothing beside the swing."""
    found = sweep[force]
    mean, least, greatest = (abs(found[name]) for name in ("mean", "least", "greatest"))
    largest = greatest.where(greatest > least, least)
    out = (largest / mean).where(mean > 1e-9 * largest)
    return out.assign_attrs(units="1", long_name=f"dynamic factor of {force}").rename("dynamic_factor")


def contact_loss(sweep: Sweep, contact: str | None = None) -> list[ContactLoss]:
    """Where contacts are lost, way by way; `contact`: one of those that the sweep watched (`contacts=`)."""
    if "open" not in sweep.dataset:
        raise ValueError("needs contacts to be watched: sweep(..., contacts=['mesh.side'])")
    known = [str(name) for name in sweep.dataset["contact"].to_numpy()]
    if contact is not None and contact not in known:
        raise KeyError(f"`{contact}` was not watched; there are {known}")
    out = []
    for name in known if contact is None else [contact]:
        for way in sweep.dataset["direction"].to_numpy():
            share = sweep.dataset["open"].sel(direction=way, contact=name).to_numpy()
            lost = np.flatnonzero(share > 0)
            for part in np.split(lost, np.flatnonzero(np.diff(lost) > 1) + 1):
                if len(part):
                    first, last = (float(sweep.values[part[k]]) for k in (0, -1))
                    out.append(ContactLoss(name, str(way), first, last, float(share[part].max())))
    return out


def regimes(sweep: Sweep, side: str) -> xr.DataArray:
    """0, 1 or 2 (see `REGIMES`) by the signal NAME.side of a mesh (direction, value); nan where not reached."""
    found = sweep[side]
    least, greatest = found["least"], found["greatest"]
    number = (least != greatest).astype(float) + ((least < 0) & (greatest > 0)).astype(float)
    out = number.where(np.isfinite(least))
    return out.assign_attrs(long_name="0 contact, 1 single-sided, 2 double-sided impact").rename("regime")


def order_spectra(sweep: Sweep, signal: str, direction: str = "up", most: float = 10.0) -> xr.DataArray:
    """Amplitudes (value, order) up to the order `most`; needs `histories=True` and a `frequency`."""
    if "history" not in sweep.dataset or "section" not in sweep.dataset:
        raise ValueError("needs the samples of whole periods: sweep(..., histories=True, frequency=...)")
    found = sweep[signal].sel(direction=direction)
    x = found["history"].to_numpy()
    periods, count = sweep.dataset.sizes["period"], x.shape[1]
    amplitude = 2 / count * np.abs(np.fft.rfft(x, axis=1))
    amplitude[:, 0] /= 2
    orders = np.arange(amplitude.shape[1]) / periods
    kept = orders <= most
    unit = str(found["unit"].item())
    return xr.DataArray(
        amplitude[:, kept],
        dims=(sweep.parameter, "order"),
        coords={sweep.parameter: sweep.dataset[sweep.parameter], "order": orders[kept]},
        name=signal,
        attrs={"units": unit, "long_name": f"amplitude of {signal}"},
    )
