"""Frequency responses: magnitude and phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .style import Theme, ThemeName, beside, stacked, styled, with_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.analyses.vibration import FrequencyResponse


def frequency_response(response: FrequencyResponse, *, theme: ThemeName | Theme = "light") -> Figure:
    """Magnitude (logarithmic) and phase over frequency."""
    with styled(theme) as look:
        figure, (top, below) = stacked(look, 2, 2.4, height_ratios=[2, 1])
        for k, name in enumerate(response.signals):
            label = with_unit(name, response.units[k])
            top.semilogy(response.frequencies, np.abs(response.values[:, k]), label=label)
            below.plot(response.frequencies, np.degrees(np.angle(response.values[:, k])))
        top.set_ylabel(f"amplitude per unit of {response.input}")
        below.set_ylabel("phase [deg]")
        below.set_xlabel("frequency [Hz]")
        below.set_yticks(range(-180, 181, 90))
        for axis in (top, below):
            axis.margins(x=0)
        beside(top)
    return figure
