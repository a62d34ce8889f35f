"""Controls: motions that a text-book knows and files that are as they should be, in every way of running.

Random mechanisms are judged by what holds for any motion, which a library that ignores gravity, moves nothing or reads
another model can meet. These have one right answer, found without Wheelwork: a library that is spoilt in such a way is
wrong here. The tests spoil it and look that it is noticed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from ruamel.yaml import YAML
from scipy.integrate import solve_ivp

from wheelwork import description as ww
from wheelwork import mechanism
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.engine.options import RunOptions
from wheelwork.engine.threads import ThreadError
from wheelwork.mechanism import Mechanism

from .comparing import TIGHT, WAYS
from .fuzz import bundled

RIGHT = 1e-6
"""Of the largest value: far above what steps leave open, far below any mistake."""
GROUPS = ("bodies", "joints", "meshes", "forces", "drivers", "components", "parameters")


@dataclass(frozen=True)
class Control:
    """name: what was looked at; words: what is wrong with it, or nothing."""

    name: str
    words: str = ""

    @property
    def verdict(self) -> str:
        return "wrong" if self.words else "right"


def controls(ways: tuple[str, ...] = ("absolute", "auto", "reduced", "sdirk4", "rk4")) -> Iterator[Control]:
    """Look at all of them; nothing that they do ends in an exception."""
    for look in (stone, pendulum, gears):
        for way in ways:
            yield _looked(f"{look.__name__}, {way}", look, **WAYS[way])
    for look in (files, threads, shared_engine, skipping, materials):
        yield _looked(look.__name__, look)


def _looked(name: str, look: Callable[..., str], **options: Any) -> Control:
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            words = look(**options)
        foreign = [w for w in warned if not w.category.__module__.startswith("wheelwork")]
        if foreign and not words:
            words = f"{foreign[0].category.__name__}: {foreign[0].message}"
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
    return Control(name, words)


def _off(found: Any, right: np.ndarray, what: str) -> str:
    """In words, where a signal is not what it should be."""
    values = np.asarray(found, float)
    size = float(np.max(np.abs(values - right))) if values.shape == right.shape else np.inf
    scale = float(np.max(np.abs(right)))
    return "" if size <= RIGHT * scale else f"{what} is off by {size:.2g} (largest {scale:.2g})"


def _run(m: Mechanism, end: float, options: dict[str, Any]) -> Any:
    own = {"step": end / 2000} if options.get("method") == "rk4" else {}
    return m.simulate(end=end, output=20, progress=False, **{**TIGHT, **options, **own})


def stone(**options: Any) -> str:
    """Falls by g t^2/2."""
    m = Mechanism("stone")
    m.add("stone", ww.Body(mass=2, inertia=(0.1, 0.2, 0.3), position=(0, 0, 10), velocity=(1, 0, 0)))
    r = _run(m, 1.0, options)
    right = np.column_stack([r.t, 0 * r.t, 10 - 9.80665 / 2 * r.t**2])
    return _off(r["stone.position"], right, "the fall")


def pendulum(**options: Any) -> str:
    """Swings as SciPy integrates (J + m l^2) phi'' = -m g l sin(phi)."""
    m = Mechanism("pendulum")
    m.add("bob", ww.Body(mass=2, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    r = _run(m, 1.0, options)
    stiff = 2 * 9.80665 * 0.5 / (0.1 + 2 * 0.5**2)  # from the horizontal, about y: down is positive
    there = solve_ivp(
        lambda t, y: [y[1], stiff * np.cos(y[0])], (0, 1), [0, 0], t_eval=r.t, rtol=1e-11, atol=1e-12
    )
    return _off(r["hinge.angle"], there.y[0], "the swing")


def gears(**options: Any) -> str:
    """20 to 40 teeth under a torque: the inertia of the second counts a quarter."""
    m = Mechanism("gears", gravity=(0, 0, 0))
    m.add("pinion", ww.Rotor(inertia=1e-3))
    m.add("gear", ww.Rotor(inertia=8e-3, position=(0.06, 0, 0)))
    m.add("teeth", ww.ExternalMesh(bodies=("pinion", "gear"), teeth=(20, 40), module=0.002))
    m.add("motor", ww.Actuator(joint="pinion.bearing", value=0.3))
    r = _run(m, 0.5, options)
    rate = 0.3 / (1e-3 + 8e-3 / 4)
    return _off(r["pinion.bearing.w"], rate * r.t, "the pinion") or _off(
        r["gear.bearing.w"], -rate / 2 * r.t, "the gear"
    )


def files() -> str:
    """Every bundled file is read, and what is read has the names that the file has."""
    for name, text in bundled().items():
        written = YAML(typ="safe").load(text)
        read = mechanism.loads(text)
        for group in GROUPS:
            if list(getattr(read, group)) != list(written.get(group) or {}):
                return f"{name}: `{group}` are {list(getattr(read, group))}"
        for body, fields in (written.get("bodies") or {}).items():
            if (
                isinstance(mass := fields.get("mass"), int | float)
                and getattr(read.bodies[body], "mass", mass) != mass
            ):
                return f"{name}: the mass of `{body}` is not {mass}, which is written"
    return ""


def threads() -> str:
    """Two pendulums at once move as one after the other."""

    def swing(speed: float) -> np.ndarray:
        m = Mechanism("pendulum")
        m.add("bob", ww.Body(mass=2, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0)))
        m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
        m.add("brake", ww.Friction(joint="hinge", viscous=speed))
        return m.simulate(end=1, output=20, progress=False)["hinge.angle"].to_numpy()

    drags = (0.1, 0.4)
    alone = [swing(drag) for drag in drags]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(swing, drags))
    return next(
        (words for a, b in zip(alone, together, strict=True) if (words := _off(b, a, "a thread"))), ""
    )


def shared_engine() -> str:
    """One engine from two threads at once: each motion as alone, or a refusal; never another trajectory."""
    m = Mechanism("pendulum")
    m.add("bob", ww.Body(mass=2, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    at = assembled(prepare(m), 0.0)
    engine, options = at.prepared.engine, RunOptions(end=0.5, method="rk4", step=1e-5)

    def swing(speed: float) -> np.ndarray | None:
        state = at.state.copy()
        state[at.prepared.program.nq + 4] = speed
        state[at.prepared.program.nq + 2] = -0.5 * speed
        try:
            return engine.integrate(state, np.linspace(0, 0.5, 6), options).state
        except ThreadError:
            return None

    speeds = (1.0, 3.0)
    alone = [swing(speed) for speed in speeds]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(swing, speeds))
    if any(states is None for states in alone):
        return "an engine refuses the thread that made it"
    pairs = [(b, a) for a, b in zip(alone, together, strict=True) if a is not None and b is not None]
    return next((words for b, a in pairs if (words := _off(b, a, "one engine, two threads"))), "")


def skipping() -> str:
    """Teeth far too soft for their load pass each other: that must be said, not run as if it were nothing."""
    m = _pair(ww.CompliantTeeth(stiffness=1e6), torque=150)
    r = m.simulate(end=0.05, output=20, progress=False)
    return "" if "skip" in r.report else f"teeth of 1e6 N/m under 150 N m: {r.report}"


def materials() -> str:
    """Between teeth of a tenth of the modulus there is less force for the same depth: the wheels give way further."""
    turned = []
    for modulus in (206e9, 20.6e9):
        m = _pair(ww.ContactTeeth(elastic="teeth", youngs_modulus=modulus), torque=20)
        held = m.equilibrium()
        turned.append(abs(float(held["pinion.bearing.angle"])))
    soft, hard = turned[1], turned[0]
    return (
        ""
        if soft > 3 * hard
        else f"steel gives way by {hard:.3g} rad, a tenth of its modulus by {soft:.3g} rad"
    )


def _pair(teeth: Any, torque: float) -> Mechanism:
    """A motor on a pinion whose gear is held by a stiff spring."""
    m = Mechanism("pair", gravity=(0, 0, 0))
    m.add("pinion", ww.Rotor(inertia=1e-3))
    m.add("gear", ww.Rotor(inertia=8e-3, position=(0.06, 0, 0)))
    mesh = {"teeth": (20, 40), "module": 0.002, "face_width": 0.02}
    m.add("teeth", ww.ExternalMesh(bodies=("pinion", "gear"), model=teeth, **mesh))
    m.add("motor", ww.Actuator(joint="pinion.bearing", value=torque))
    m.add("held", ww.TorsionalSpring(joint="gear.bearing", stiffness=1e9, damping=10))
    return m
