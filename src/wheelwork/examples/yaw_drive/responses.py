r"""Frequency response of the drive: dynamic transmission error over mesh frequency, for any stiffness of the shafts.

The gear is kept at a speed, teeth excite with their errors and with their varying stiffness. Linear theory sees both as
one error: with k = k_m + dk(t) and the static deflection delta = F/k_m, to first order

    k (u - e) = k_m (u - e') + ...,    e' = e - (dk/k_m) delta

of amplitude E' = E_p - (k_r/2) delta/k_m at mesh frequency, at pinion i ahead by the phase tau_i of its mesh.
Superposing the responses to the errors of all meshes gives

    U_1(w) = E' sum_i H_1i(w) exp(2 pi i (tau_i - tau_1)),    rms = |U_1|/sqrt(2)

with H from `frequency_response`. The nonlinear response is that of `sweep`, up and down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wheelwork.analyses.vibration import Sweep
from wheelwork.mechanism import Mechanism

from .drive import yaw_drive

SIGNAL = "mesh1.transmission_error"
CONTACT = "mesh1.deflection"
HOLD = 2e4
"""Drag with which the nacelle's speed is kept [N m s/rad]: stiff enough for the losses of the vibration, and soft
enough to give the drive no blow when the speed changes."""


@dataclass(frozen=True)
class Response:
    """Of the transmission error of the first mesh, over mesh frequency [Hz]."""

    shaft: float
    """Stiffness of the motors' shafts [N m/rad]."""
    frequencies: np.ndarray
    sweep: Sweep
    linear: np.ndarray
    """rms by linear theory [m]."""
    linear_peak: float
    """Its largest value between the first and the last frequency [m], wherever that is."""
    share: float
    """Part of the strain energy that is in the teeth, of the mode that makes the highest peak."""

    def rms(self, direction: str) -> np.ndarray:
        """Of the sweep, on one way [m]."""
        return self.sweep[SIGNAL]["rms"].sel(direction=direction).to_numpy()

    @property
    def hysteresis(self) -> float:
        """Width of the band in which the upward and downward branches differ [Hz]; each value stands for its step."""
        up, down = self.rms("up"), self.rms("down")
        apart = np.abs(up - down) > 0.05 * np.maximum(up, down).max()
        return float(np.sum(np.gradient(self.frequencies)[apart]))

    @property
    def open(self) -> float:
        """Largest share of time in which the first pinion does not touch the gear."""
        return float(np.nanmax(self.sweep.dataset["open"].to_numpy()))


def steady(shaft: float, law: str = "printed", **parameters: Any) -> Mechanism:
    """The drive kept at a speed, without run-out."""
    return yaw_drive(law=law, run_out=0, start="speed", drag=HOLD, shaft=shaft, **parameters)


def frequency_response(
    shaft: float, frequencies: np.ndarray, *, settle: int = 100, measure: int = 20, **options: Any
) -> Response:
    """The response for one stiffness of the shafts, up and down; `settle` and `measure` in mesh periods."""
    m = steady(shaft)
    options = {"rtol": 1e-6, "atol": 1e-8, **options}
    teeth = m.assemble().prepared.numbers.parameters["gear_teeth"]
    sweep = m.sweep(
        "speed",
        2 * np.pi * np.asarray(frequencies) / teeth,
        signals=[SIGNAL, "mesh1.force.transverse"],
        contacts=[CONTACT],
        frequency="speed*gear_teeth/(2*pi)",
        settle=settle,
        measure=measure,
        samples=32,
        both=True,
        formulation="reduced",
        **options,
    )
    linear, peak, share = linear_response(shaft, frequencies)
    return Response(shaft, np.asarray(frequencies, float), sweep, linear, peak, share)


def linear_response(
    shaft: float, frequencies: np.ndarray, **parameters: Any
) -> tuple[np.ndarray, float, float]:
    """rms of the transmission error by linear theory [m], its largest value between the first and the last frequency,
    and the teeth's share of strain in the mode at that peak.

    A resonance is as narrow as its damping makes it: the peak is looked for about the modes, on a grid of their own.
    """
    given: dict[str, Any] = {**parameters, "stiffness_range": 0}
    m = steady(shaft, law="linear", **given)
    amplitude, phases = shifted_errors(steady(shaft, **parameters))
    pinion, gear = base_radii(m)
    at = m.assemble()
    modes = [mode for mode in m.modes(at=at) if mode.natural_frequency > 0]
    wanted, about = np.asarray(frequencies, float), np.linspace(-2, 2, 33)
    near = np.concatenate([mode.natural_frequency * (1 + mode.damping * about) for mode in modes])
    near = near[(near > wanted.min()) & (near < wanted.max())]
    frequencies = np.concatenate([wanted, near])
    total = np.zeros(len(frequencies), complex)
    for k, phase in enumerate(phases, start=1):
        response = m.frequency_response(f"mesh{k}.error", ["pinion1.angle", "gear.angle"], frequencies, at=at)
        ahead = (
            pinion * response["pinion1.angle"] + gear * response["gear.angle"]
        )  # they turn against each other
        total += amplitude * ahead * np.exp(2j * np.pi * (phase - phases[0]))
    peak = frequencies[int(np.argmax(np.abs(total)))]
    nearest = min(modes, key=lambda mode: abs(mode.natural_frequency - peak))
    share = sum(part for name, part in nearest.strain.items() if name.startswith("mesh"))
    rms = np.abs(total) / np.sqrt(2)
    return rms[: len(wanted)], float(rms.max()), share


def shifted_errors(m: Mechanism) -> tuple[float, list[float]]:
    """E' [m] and the phases of the meshes at the start, in mesh cycles."""
    at = m.assemble()
    p = at.prepared.numbers.parameters
    deflection = p["torque"] / base_radii(m)[0] / p["mesh_stiffness"]
    amplitude = p["pitch_error"] - p["stiffness_range"] / 2 / p["mesh_stiffness"] * deflection
    return amplitude, [float(at[f"mesh{k}.phase"]) for k in range(1, len(m.meshes) + 1)]


def base_radii(m: Mechanism) -> tuple[float, float]:
    """Of pinion and gear [m]."""
    p = m.assemble().prepared.numbers.parameters
    pinion, gear = (
        p[f"{name}_teeth"] * p["module"] / 2 * np.cos(np.radians(20)) for name in ("pinion", "gear")
    )
    return pinion, gear
