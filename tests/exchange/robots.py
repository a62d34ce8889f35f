"""Robots of the kinds that people publish, written anew from tables: as URDF text, and MJCF text.

A row of a table is a joint with its link: name, type, parent link, origin xyz, origin rpy, axis. Masses and moments of
the links come from a random number generator, so that no symmetry hides an error.
"""

# ruff: noqa: E501

import numpy as np

HINGE, TURN, SLIDE, FIX = "revolute", "continuous", "prismatic", "fixed"


def serial(*rows):
    """Each link on the one before."""
    return [(f"j{k}", kind, k, xyz, rpy, axis) for k, (kind, xyz, rpy, axis) in enumerate(rows)]


X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
TABLES = {
    "two_link": serial((HINGE, (0, 0, 0.2), (0, 0, 0), Y), (HINGE, (0, 0, -0.5), (0, 0, 0), Y)),
    "scara": serial(
        (HINGE, (0, 0, 0.4), (0, 0, 0), Z), (HINGE, (0.35, 0, 0), (0, 0, 0), Z),
        (SLIDE, (0.3, 0, 0), (0, 0, 0), (0, 0, -1)), (TURN, (0, 0, 0), (0, 0, 0), Z),
    ),
    "elbow_arm": serial(
        (HINGE, (0, 0, 0.09), (0, 0, 0), Z), (HINGE, (0, 0.14, 0), (0, 1.5708, 0), Y),
        (HINGE, (0, -0.12, 0.42), (0, 0, 0), Y), (HINGE, (0, 0, 0.39), (0, 1.5708, 0), Y),
        (HINGE, (0, 0.09, 0), (0, 0, 0), Z), (HINGE, (0, 0, 0.09), (0, 0, 0), Y), (FIX, (0, 0.08, 0), (0, 0, 1.57), X),
    ),
    "seven_axes": serial(*[
        (HINGE, (0, 0.03 * (k % 2), 0.18), (1.5708 * (-1) ** k, 0, 0.1 * k), Z) for k in range(7)
    ]),
    "stanford": serial(
        (HINGE, (0, 0, 0.4), (0, 0, 0), Z), (HINGE, (0, 0.15, 0), (-1.57, 0, 0), Z), (SLIDE, (0, 0, 0.1), (1.57, 0, 0), Z),
        (TURN, (0, 0, 0.2), (0, 0, 0), Z), (HINGE, (0, 0, 0), (-1.57, 0, 0), Z), (TURN, (0, 0, 0.05), (1.57, 0, 0), Z),
    ),
    "gantry": serial((SLIDE, (0, 0, 1), (0, 0, 0), X), (SLIDE, (0, 0.2, 0), (0, 0, 0), Y), (SLIDE, (0.1, 0, 0), (0.2, 0, 0), Z)),
    "pan_tilt": serial(
        (FIX, (0, 0, 0.1), (0, 0, 0.4), Z), (TURN, (0, 0, 0.05), (0, 0, 0), Z), (FIX, (0.02, 0, 0.04), (0, 0.3, 0), Z),
        (HINGE, (0, 0.02, 0.03), (0, 0, 0), (0.1, 1, -0.2)), (FIX, (0.05, 0, 0), (1.5, 0, 1.5), Z),
    ),
    "gripper": [
        ("wrist", HINGE, 0, (0, 0, 0.1), (0, 0, 0), Z), ("left", SLIDE, 1, (0.01, 0.03, 0.1), (0, 0, 0), Y),
        ("right", SLIDE, 1, (0.01, -0.03, 0.1), (0, 0, 3.1416), Y), ("pad", FIX, 2, (0, 0.01, 0.02), (0.3, 0, 0), Y),
    ],
    "two_arms": [
        ("waist", HINGE, 0, (0, 0, 0.5), (0, 0, 0), Z),
        *[(f"{side}{k}", HINGE, 1 if k == 0 else f"{side}{k - 1}", (0, s * 0.1, 0.1 + 0.05 * k), (s * 0.3, 0.2, 0), (1, s, k))
          for side, s in (("l", 1), ("r", -1)) for k in range(3)],
    ],
    "quadruped": [
        ("trunk", "floating", 0, (0, 0, 0.4), (0, 0, 0), X),
        *[(f"{leg}{k}", HINGE, 1 if k == 0 else f"{leg}{k - 1}", xyz, (0, 0, 0), X if k == 0 else Y)
          for leg, (x, y) in {"fl": (0.2, 0.1), "fr": (0.2, -0.1), "hl": (-0.2, 0.1), "hr": (-0.2, -0.1)}.items()
          for k, xyz in enumerate(((x, y, 0), (0, y / 2, 0), (0, 0, -0.2)))],
    ],
}  # fmt: skip


def inertia(rng):
    """Mass, centre, rotation of the axes, and six moments of a body that could be."""
    points = rng.normal(scale=0.05, size=(8, 3))
    mass = rng.uniform(0.3, 3)
    d = points - points.mean(axis=0)
    tensor = mass * np.mean([x @ x * np.eye(3) - np.outer(x, x) for x in d], axis=0)
    return mass, rng.normal(scale=0.05, size=3), rng.normal(scale=0.4, size=3), tensor


def numbers(values):
    return " ".join(repr(float(x)) for x in values)


def links(table):
    """Names of the links: the root, then one for each joint."""
    return ["base", *(f"{row[0]}_link" for row in table)]


def parent_of(table, row):
    return links(table)[row[2]] if isinstance(row[2], int) else f"{row[2]}_link"


def urdf(name, seed=0, more=""):
    """The robot of a table as URDF text."""
    table, rng = TABLES[name], np.random.default_rng(seed)
    out = [f'<?xml version="1.0"?>\n<robot name="{name}">', '  <link name="base"/>']
    for row, link in zip(table, links(table)[1:], strict=True):
        joint, kind, _, xyz, rpy, axis = row
        mass, center, turn, I = inertia(rng)
        moments = " ".join(
            f'i{a}{b}="{float(I["xyz".index(a), "xyz".index(b)])!r}"'
            for a, b in ("xx", "xy", "xz", "yy", "yz", "zz")
        )
        limit = '<limit lower="-3" upper="3" effort="50" velocity="4"/>' if kind in (HINGE, SLIDE) else ""
        damping = f'<dynamics damping="{rng.uniform(0, 1)!r}"/>' if kind in (HINGE, TURN, SLIDE) else ""
        out += [
            f'  <link name="{link}"><inertial><origin xyz="{numbers(center)}" rpy="{numbers(turn)}"/>',
            f'    <mass value="{mass!r}"/><inertia {moments}/></inertial></link>',
            f'  <joint name="{joint}" type="{kind}"><parent link="{parent_of(table, row)}"/><child link="{link}"/>',
            f'    <origin xyz="{numbers(xyz)}" rpy="{numbers(rpy)}"/><axis xyz="{numbers(axis)}"/>{limit}{damping}</joint>',
        ]  # fmt: skip
    return "\n".join([*out, more, "</robot>\n"])
