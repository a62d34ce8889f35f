"""Print the numbers of the page: `python -m wheelwork.examples.yaw_drive`."""

from __future__ import annotations

import numpy as np

from . import frequency_response, load_sharing

SHAFTS = (2e5, 5e5, 1e6, 1e7)
FREQUENCIES = np.linspace(20, 90, 71)
UNEQUAL = (200.0, -200.0, 100.0, -100.0)


def main() -> None:
    print(
        "shafts [N m/rad]   strain in the teeth   largest rms [um]: linear, sweep   open    hysteresis [Hz]"
    )
    for shaft in SHAFTS:
        found = frequency_response(shaft, FREQUENCIES)
        both = np.maximum(found.rms("up"), found.rms("down"))
        print(
            f"{shaft:12.0f} {found.share:20.2f} {1e6 * found.linear_peak:22.0f} {1e6 * np.nanmax(both):14.0f}"
            f" {found.open:10.0%} {found.hysteresis:12.0f}"
        )
    for name, extra in (("equal", (0.0,) * 4), ("unequal", UNEQUAL)):
        found = load_sharing(extra)
        print(f"\n{name} torques [N m]     ", *(f"{x:8.0f}" for x in found.torques))
        print("mean share [%]           ", *(f"{100 * x:8.3f}" for x in found.shares))
        print("of the torques [%]       ", *(f"{100 * x / found.torques.sum():8.3f}" for x in found.torques))
        print("rms about the mean [N]   ", *(f"{x:8.0f}" for x in found.swing))
        print("largest in the start [N] ", *(f"{x:8.0f}" for x in found.peaks))


if __name__ == "__main__":
    main()
