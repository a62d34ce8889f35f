"""The two runs: the arm under torques of its motors, and on a pick-and-place path.

With given torques the arm hangs from the ceiling, as such arms may be mounted. Standing on the floor it is an inverted
pendulum: torques that are functions of time alone, however chosen, let it fall over within a second or two, which is
why such an arm has position control. Hanging, it swings about where the motors hold it.
"""

from __future__ import annotations

import wheelwork as ww
from wheelwork.description.units import parse_quantity

from .assembly import Assembly, tidy
from .drives import add_main_drives
from .links import LINKS, add_axes, add_links, add_payload
from .path import motor_angles, moves
from .ratios import holding_torques
from .sizes import PAYLOAD, Vector
from .wrist import add_bend_drive, add_flange_drive

G = 9.80665
FLOOR: Vector = (0.0, 0.0, -G)
CEILING: Vector = (0.0, 0.0, G)
"""Gravity in the axes of the base, z being the way from the base to the arm."""

SWING = (1.2, 0.8, 0.8, 0.1, 0.15, 0.08)
"""Amplitude of the torque of each motor about the one that holds the arm [N m]."""
PERIOD = (5.0, 3.0, 2.5, 2.0, 1.6, 1.25)
"""Of that torque [s]."""
HELD = (1.0, 1.0, 0.6, 1.0, 0.3, 1.0)
"""Part of the holding torque that the motors give: axes 3 and 5, level at the start, sag to a stable place."""
DRAG = (4e-3, 4e-3, 4e-3, 1.5e-3, 1.5e-3, 1.5e-3)
"""Viscous drag of each motor with its gears [N m s/rad]."""

PARTS = """\
Six-axis industrial arm of the class of the KR 15/2 (reach 1570 mm, payload 15 kg, 222 kg), with every gear between its
motors and its axes: 43 bodies and 95 joints, of which 7 are spur, 3 bevel and 10 internal gear meshes. Castings, motors
and rings are bolted together as CAD has it, by three planes on planes each, so that 48 constraints are redundant.
Axes 1 to 4: a spur pair drives the crank of an eccentric reducer, whose planet rolls in a ring that is held and in one
that is the output. Axes 5 and 6: motors at the back of the arm, shafts through the forearm, bevel gears in the wrist.
"""
WRITTEN = "Written by `python -m builders.robot`.\n"


def robot(name: str, gravity: Vector, comment: str) -> Assembly:
    """The arm with its load, in the start position: upper arm upright, forearm level."""
    mechanism = ww.Mechanism(
        name,
        comment=PARTS + comment + WRITTEN,
        gravity=gravity,
        parameters={"payload_mass": f"{PAYLOAD:g} kg"},
    )
    assembly = Assembly(mechanism, LINKS)
    add_links(assembly)
    add_axes(assembly)
    add_payload(assembly)
    add_main_drives(assembly)
    add_bend_drive(assembly)
    add_flange_drive(assembly)
    return assembly


def under_torques() -> ww.Mechanism:
    """The arm hangs from the ceiling. Its motors hold it, and shake it each with a period of its own."""
    comment = """\
The arm hangs from the ceiling (gravity is along z, away from the base). Each motor gives the torque that holds the arm
in the start position, or for axes 3 and 5 a part of it, so that they sag; and a sine on top.
"""
    assembly = robot("robot", CEILING, comment)
    mechanism = assembly.mechanism
    held = holding_torques(assembly, CEILING)
    for k in range(6):
        axis = k + 1
        for name, number, unit in (
            ("hold", held[k] * HELD[k], "N*m"),
            ("swing", SWING[k], "N*m"),
            ("period", PERIOD[k], "s"),
            ("drag", DRAG[k], "N*m*s/rad"),
        ):
            mechanism.parameters[f"{name}{axis}"] = parse_quantity(f"{tidy(number):.6g} {unit}")
        torque = f"hold{axis} + swing{axis}*sin(2*pi*t/period{axis})"
        rotor = f"rotor{axis}-bearing"
        mechanism.add(f"drive{axis}", ww.Actuator(joint=rotor, value=torque))
        mechanism.add(f"losses{axis}", ww.Friction(joint=rotor, viscous=f"drag{axis}"))
    mechanism.analysis = ww.Simulate(end=10.0, output=2000, formulation="absolute")
    return mechanism


def pick_and_place() -> ww.Mechanism:
    """The arm stands on the floor, and its motors follow the path; inverse dynamics gives their torques."""
    comment = """\
The arm stands on the floor and goes from its start position to a part, carries it over to a slope and comes back. The
motors are driven so that the axes follow cycloids from place to place; inverse dynamics gives the torques it takes.
"""
    mechanism = robot("robot, pick and place", FLOOR, comment).mechanism
    for axis, angle in enumerate(motor_angles(), start=1):
        mechanism.add(f"drive{axis}", ww.JointDriver(joint=f"rotor{axis}-bearing", value=angle))
    last = moves()[-1]
    mechanism.analysis = ww.Inverse(end=last.start + last.duration, output=400)
    return mechanism
