"""Frequency response of the linear equations.

A small harmonic input u = Re(U exp(i w t)) about an operating point gives small harmonic motions x = N eta,

    (K - w^2 + i w C) eta - B z = Z^T (f_u + i w f_u') U,    (i w - H) z - (H_x + i w H_v) eta = h_u U,

and a signal y = Y_x eta + i w Y_v eta + Y_z z + Y_u U. K, C, N, Z and those of states z of a control are from
`linearise`, exact. The input is

    a parameter        f_u = df/dp: the parameter swings about its value. It must act through forces alone; where it
                       moves a joint or driver its rates would act as well, and it is refused. Where it is in the
                       formula of a control it acts through h_u as well: the reference of a closed loop.
    NAME.error         an error in the coordinate s of an elastic element (length of a spring, angle of a torsional
                       spring, deflection of a mesh: a transmission error): it is without force at s = s_0 + u.
                       f_u = k d, f_u' = c d with d = ds/dx; the element's own stiffness is K_e = k d d^T. Of its own
                       signals those of its force F(s - u, s' - u') have Y_u = -dF/ds and c/k times that by u', its
                       deflection has -1, its static error 1, and its coordinate s has nothing.

Derivatives of signals, and df/dp, are central differences; the change of accelerations and reactions that the input
causes at once comes from the equations of motion with it. Small motions of bodies that turn change their velocities
as `linearise` says; the path coordinates of rolling bodies are among z.

About steady motion, rolling in a circle too, all is seen from the axes from which it is steady: force and signals must
look the same from there at any time, as torques and angles of joints, meshes, what a carrier carries, and forces
between wheel and road do, and forces and speeds along axes of the world do not where these axes turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.analyses.vibration.files import Saved, about, array, counted
from wheelwork.description import Description, ModelError
from wheelwork.lazy import figures
from wheelwork.lazy import xarray as xr
from wheelwork.problems import did_you_mean
from wheelwork.system.matrices import bilateral_rows, full_jacobian, mass_matrix
from wheelwork.system.signals import Signal

from ..along_motions import SMALL, by_position, by_state, by_velocity, difference, values_of
from ..assemble import Assembled
from ..frames import fastest, moves
from ..kinks import check_smooth
from ..linear_equations import Linearised
from ..linearise import about_motion
from ..mesh_cycle import mesh_cycle
from ..operating_point import operating_point
from ..signal_kinks import refuse_kinked_signals
from ..small_motions import carried, turned
from ..steady_rolling import rolls_on, seen_later
from ..tangents import tangent_parts
from .elastic_errors import direct_of_element, error_force, force_by_zero
from .sweep import find_signals

if TYPE_CHECKING:
    from matplotlib.figure import Figure


ALIKE = 1e-2
"""Part by which input and signals may change as seen from what moves steadily, as its equations may."""


@dataclass(frozen=True)
class FrequencyResponse(Saved):
    """Signals per unit of the input: complex amplitudes over frequency."""

    input: str
    frequencies: np.ndarray
    """Hz."""
    signals: tuple[str, ...]
    units: tuple[str, ...]
    values: np.ndarray = field(repr=False)
    """(frequencies, signals), complex: amplitude and phase for an input of amplitude 1 (SI); nan where there is no
    bound to it."""
    linear: Linearised = field(repr=False)
    """The linear equations."""

    def __repr__(self) -> str:
        span = (
            f"{len(self.frequencies)} frequencies from {self.frequencies[0]:g} to {self.frequencies[-1]:g} Hz"
        )
        return f"<response of {', '.join(self.signals)} to {self.input}: {span}>"

    @property
    def at(self) -> Assembled:
        """The operating point."""
        return self.linear.at

    def peaks(self, signal: str, most: int = 8) -> list[int]:
        """Where its amplitude is larger than beside it: places among the frequencies, of the highest such peaks."""
        size = np.abs(self[signal])
        inner = np.flatnonzero((size[1:-1] > size[:-2]) & (size[1:-1] >= size[2:])) + 1
        return sorted(inner[np.argsort(-size[inner])][:most].tolist())

    def __getitem__(self, signal: str) -> np.ndarray:
        """Complex amplitudes of a signal over frequency."""
        if signal not in self.signals:
            known = did_you_mean(signal, self.signals) or str(list(self.signals))
            raise KeyError(f"`{signal}` was not asked for; {known}")
        return self.values[:, self.signals.index(signal)]

    @property
    def dataset(self) -> xr.Dataset:
        """Magnitude and phase over frequency and signal."""
        dims = ("frequency", "signal")
        data = {
            "magnitude": array(np.abs(self.values), dims, ", ".join(dict.fromkeys(self.units)), "amplitude"),
            "phase": array(np.angle(self.values), dims, "rad", "phase against the input"),
        }
        coordinates = {
            "frequency": ("frequency", self.frequencies, {"units": "Hz"}),
            "signal": list(self.signals),
            "unit": ("signal", list(self.units)),
        }
        attributes = (
            about(self.at.prepared, "frequency response") | {"input": self.input} | counted(self.linear)
        )
        return xr.Dataset(data, coords=coordinates, attrs=attributes)

    def plot(self, *, theme: figures.ThemeName = "light") -> Figure:
        """Magnitude and phase over frequency."""
        return figures.frequency_response(self, theme=theme)


def frequency_response(
    description: Description,
    input: str,
    signals: Sequence[str],
    frequencies: Sequence[float] | np.ndarray,
    *,
    at: Assembled | str = "assembled",
    parameters: Mapping[str, Any] | None = None,
    time: float = 0.0,
    settle: float | None = None,
    at_phase: float | None = None,
    frame: str | None = None,
) -> FrequencyResponse:
    """Linear response of signals to a harmonic input at some frequencies [Hz], about an operating point.

    `input` is the name of a parameter through which forces act, or `NAME.error` for an error of motion (m or rad) in an
    elastic element, such as the transmission error of a mesh. `at`, `time`, `settle` and `at_phase` are as for `modes`,
    `frame` as for `linearise`. In motion input and signals must be constant as seen from the axes from which the motion
    is steady, as torques, meshes and deflections in a carrier are: others answer at other frequencies, and are refused.
    """
    state = operating_point(description, at, parameters, time, settle)
    chosen = find_signals(state.prepared, list(signals))
    linear = about_motion(state, frame, at_phase, at == "steady")
    check_smooth(linear)
    force, rate, on_states = _input(linear, input, parameters or {})
    refuse_kinked_signals(linear.held, chosen, linear.basis, linear.speeds)
    if moves(state) and frame != "world":
        _must_look_alike(linear, chosen, input, force, parameters or {}, at_phase)
    return FrequencyResponse(
        input,
        np.asarray(frequencies, float),
        tuple(signal.name for signal in chosen),
        tuple(signal.unit for signal in chosen),
        _solve(
            linear,
            force,
            rate,
            on_states,
            chosen,
            2 * np.pi * np.asarray(frequencies, float),
            input,
            parameters or {},
        ),
        linear,
    )


def _must_look_alike(
    linear: Linearised,
    signals: list[Signal],
    input: str,
    force: np.ndarray,
    parameters: Mapping[str, Any],
    at_phase: float | None,
) -> None:
    """ModelError where input or signals change as seen from where the motion is steady, 1 rad later."""
    at, turning = linear.at, linear.turning
    span = 1 / fastest(at)
    if rolls_on(at):
        later, T = seen_later(at, turning)
    else:
        later, T = carried(at, span, turning), turned(at, turning, span)
    moved = {name: T @ getattr(linear, name) for name in ("basis", "left", "speeds", "ways", "way_speeds")}
    held = replace(linear.held, state=later.state, t=later.t)
    then = replace(linear, at=later, held=held, teeth=mesh_cycle(held, at_phase), **moved)
    frame = f"as seen from {'the world' if not np.any(turning) else linear.frame}"
    hint = "take what turns with these axes (joints, meshes, what the same carrier carries), or `simulate`"
    after = _input(then, input, parameters)[0]
    if _differ(linear.left.T @ force, then.left.T @ after):
        why = f"the force of `{input}` has no constant direction {frame}: it has no constant response"
        raise ModelError(why, path="input", hint=hint)
    now, later_ = (
        np.column_stack(
            [
                *_signal_derivatives(one, signals),
                _direct(one.held, signals, input, f, parameters, True),
            ]
        )
        for one, f in ((linear, force), (then, after))
    )
    values = np.abs(values_of(signals)(linear.held.motion))
    noise = 1e-6 * float(np.max(np.abs(linear.basis), initial=0.0)) * np.maximum(values, 1.0)
    for signal, before, behind, least in zip(signals, now, later_, noise, strict=True):
        if _differ(before, behind, least):
            why = f"`{signal.name}` changes by itself {frame}: it has no constant response"
            raise ModelError(why, path="signals", hint=hint)


def _differ(before: np.ndarray, after: np.ndarray, least: float = 0.0) -> bool:
    size = max(float(np.linalg.norm(before)), float(np.linalg.norm(after)), least)
    return bool(np.linalg.norm(after - before) > ALIKE * size)


def _solve(
    linear: Linearised,
    force: np.ndarray,
    rate: np.ndarray,
    on_states: np.ndarray,
    signals: list[Signal],
    omegas: np.ndarray,
    input: str,
    parameters: Mapping[str, Any],
) -> np.ndarray:
    Z, n = linear.left, len(linear.K)
    by_eta_y, by_rate_y, by_z = _signal_derivatives(linear, signals)
    B, by_eta, by_rate, own = linear.coupling
    c_over_k = float(force @ rate) / max(float(force @ force), 1e-300)
    direct, direct_rate = np.array(
        [_direct(linear.held, signals, input, f, parameters, k == 0) for k, f in enumerate((force, rate))]
    ) + linear.teeth.mean(linear.held, lambda at: direct_of_element(at, signals, input, c_over_k))
    out = np.zeros((len(omegas), len(signals)), complex)
    for k, omega in enumerate(omegas):
        iw = 1j * omega
        dynamic = linear.K - omega**2 * np.eye(n) + iw * linear.C
        whole = np.block([[dynamic, -B], [-by_eta - iw * by_rate, iw * np.eye(len(own)) - own]])
        try:
            both = np.linalg.solve(whole, np.concatenate([Z.T @ (force + iw * rate), on_states]))
        except np.linalg.LinAlgError:  # at an undamped resonance, or at 0 Hz of what is free to move away
            out[k] = np.nan
            continue
        eta, z = both[:n], both[n:]
        out[k] = (by_eta_y + iw * by_rate_y) @ eta + by_z @ z + direct + iw * direct_rate
    return out


def _signal_derivatives(
    linear: Linearised, signals: list[Signal]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """dy by eta, eta' and z, path coordinates last."""
    values, n = values_of(signals), linear.basis.shape[1]

    def columns(at: Assembled) -> np.ndarray:
        by_ways = by_position(at, values, linear.ways, linear.way_speeds)
        by_eta = by_position(at, values, linear.basis, linear.speeds)
        rates = by_velocity(at, values, linear.basis)
        return np.hstack([by_eta, rates, by_state(at, values, linear.control.places), by_ways])

    found = linear.teeth.mean(linear.held, columns)
    return found[:, :n], found[:, n : 2 * n], found[:, 2 * n :]


def _direct(
    at: Assembled,
    signals: list[Signal],
    input: str,
    force: np.ndarray,
    parameters: Mapping[str, Any],
    itself: bool,
) -> np.ndarray:
    """What a unit of the input does to the signals at once, nothing having moved: through accelerations and reactions
    (of the force it causes), and where the input itself is part of a signal (a parameter, an elastic force).
    """
    motion, own = at.motion, itself and input in at.prepared.numbers.parameters
    explicit = _explicit(at, signals, input, parameters) if own else np.zeros(len(signals))
    if not np.any(force):
        return explicit
    a, multipliers = _accelerations(at, force)
    sizes = (float(np.max(np.abs(x), initial=0.0)) for x in (motion.acceleration, a))
    h = SMALL * max(1.0, next(sizes)) / max(next(sizes), 1e-300)
    friction = at.prepared.program.holding(multipliers)

    def shifted(by: float) -> dict[str, Any]:
        return {
            "acceleration": motion.acceleration + by * a,
            "multipliers": motion.multipliers + by * multipliers,
            "friction": motion.friction + by * friction,
        }

    return difference(values_of(signals), motion, h, shifted) + explicit


def _explicit(at: Assembled, signals: list[Signal], input: str, parameters: Mapping[str, Any]) -> np.ndarray:
    """dy/dp with state, accelerations and reactions held."""
    value = at.prepared.numbers.parameters[input]

    def shifted(by: float) -> dict[str, Any]:
        return {"numbers": at.prepared.program.numbers({**parameters, input: value + by})}

    return difference(values_of(signals), at.motion, SMALL * max(1.0, abs(value)), shifted)


def _accelerations(at: Assembled, force: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations and multipliers that a further force causes: M a + G^T lambda = f, G a = 0 (smallest lambda)."""
    program = at.prepared.program
    M = mass_matrix(program, at.prepared.numbers, at.state)
    rows = bilateral_rows(program)
    multipliers = np.zeros(program.rows)
    if not len(rows):
        return np.linalg.solve(M, force), multipliers
    G = full_jacobian(program, at.prepared.engine.constraints(at.t, at.state)[1])[rows]
    inverse = np.linalg.inv(M)
    found = np.linalg.lstsq(G @ inverse @ G.T, G @ inverse @ force, rcond=1e-12)[0]
    multipliers[rows] = found
    return inverse @ (force - G.T @ found), multipliers


def _input(
    linear: Linearised, name: str, parameters: Mapping[str, Any]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """f_u and f_u' on all bodies, and h_u."""
    at = linear.held
    program = at.prepared.program
    if name in at.prepared.numbers.parameters:
        force, on_states = _parameter(linear, name, parameters)
        return force, np.zeros(program.nv), on_states
    element = name.removesuffix(".error")
    parts = [
        part for part in tangent_parts(at.motion, linear.teeth) if part.element == element and not part.load
    ]
    if name.endswith(".error") and parts:
        if linear.control.by_measured.any():
            why = "reads reactions, which an error of motion changes at once: this response is not worked out"
            hint = "take a parameter of a force as the input, or `simulate`"
            raise ModelError(
                f"the control ({', '.join(linear.control.names)}) {why}", path="input", hint=hint
            )
        force, rate = error_force(at, element, parts[0])
        by_wrench = linear.teeth.mean(at, lambda at: force_by_zero(at, element, force))
        return by_wrench, rate, np.zeros(len(linear.states))
    known = [
        *at.prepared.numbers.parameters,
        *(f"{use.name}.error" for use in program.forces if len(use.bodies) > 1),
    ]
    why = f"`{name}` is neither a parameter nor an elastic element with `.error`"
    raise ModelError(why, path="input", hint=did_you_mean(name, known))


def _parameter(linear: Linearised, name: str, parameters: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """df/dp = M da/dp + G^T dlambda/dp, and dh/dp, at the same state."""
    at, places = linear.held, linear.control.places
    prepared = at.prepared
    program, engine = prepared.program, prepared.engine
    value = prepared.numbers.parameters[name]
    h = SMALL * max(1.0, abs(value))
    M = mass_matrix(program, prepared.numbers, at.state)
    found = []
    try:
        for p in (value + h, value - h):
            numbers = program.numbers({**parameters, name: p})
            if np.any(numbers.mass != prepared.numbers.mass) or np.any(
                numbers.inertia != prepared.numbers.inertia
            ):
                _refuse(name, "changes masses; it does not act through forces alone")
            engine.set_numbers(numbers)
            g, G, gamma, nu = engine.constraints(at.t, at.state)
            rates, a, multipliers = engine.derivative(at.t, at.state)
            full = full_jacobian(program, G)
            acts = np.concatenate([M @ a + full.T @ multipliers, rates[places]])
            found.append((acts, np.concatenate([g, gamma, nu, full.ravel()])))
    finally:
        engine.set_numbers(prepared.numbers)
    if np.any(np.abs(found[0][1] - found[1][1]) > 1e-9 * h):
        _refuse(name, "moves a joint, mesh or driver; it does not act through forces alone")
    change = found[0][0] - found[1][0]
    if not np.any(change):
        _refuse(name, "acts through no force or control at the operating point")
    on_ways = np.zeros(linear.ways.shape[1])
    return change[: program.nv] / (2 * h), np.concatenate([change[program.nv :] / (2 * h), on_ways])


def _refuse(name: str, why: str) -> None:
    hint = "take one that a force, torque or actuator is written with"
    raise ModelError(f"the parameter `{name}` {why}", path="input", hint=hint)
