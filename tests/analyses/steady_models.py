"""Machines that turn steadily, with what is known of their small motions."""

import numpy as np

import wheelwork as ww
from wheelwork.validation.cases import lin_parker


def slider(k, speed=50.0, m=0.4, r=0.2):
    """A bob on a slide of a hub that is driven; its spring balances the bob at r."""
    s, turn = ww.Mechanism("slider", gravity=(0, 0, 0)), {"angular_velocity": (0, 0, speed)}
    s.add("hub", ww.Body(mass=1, inertia=(0.1, 0.1, 0.1), **turn))
    s.add("bob", ww.Body(mass=m, inertia=(1e-4, 1e-4, 1e-4), position=(r, 0, 0), **turn))
    s.add("bearing", ww.Revolute(bodies=("ground", "hub"), point=(0, 0, 0), axis=(0, 0, 1)))
    s.add("slide", ww.Prismatic(bodies=("hub", "bob"), point=(0, 0, 0), axis=(1, 0, 0)))
    ends = {"point_a": (-0.8, 0, 0), "point_b": (r, 0, 0), "free_length": r + 0.8 - m * speed**2 * r / k}
    s.add("spring", ww.Spring(bodies=("hub", "bob"), stiffness=k, **ends))
    s.add("drive", ww.JointDriver(joint="bearing", value=f"{speed}*t"))
    return s


def rotor(J, speed, tilt, h=0.5, far=1000.0):
    """A disc on a ball joint, held upright by springs so long that they do not change their direction."""
    m = ww.Mechanism("rotor", gravity=(0, 0, 0))
    m.add("disk", ww.Body(mass=4, inertia=J, angular_velocity=(0, 0, speed)))
    m.add("ball", ww.Spherical(bodies=("ground", "disk"), point=(0, 0, 0)))
    for axis, (dx, dy), k in (("x", (1, 0), tilt[1]), ("y", (0, 1), tilt[0])):
        ends = {"point_a": (-far * dx, -far * dy, h), "point_b": (0, 0, h), "free_length": far}
        m.add(f"post-{axis}", ww.Spring(bodies=("ground", "disk"), stiffness=k / h**2, **ends))
    return m


def stage(speed):
    """Lin and Parker's planetary stage, its carrier at `speed`."""
    m, r = lin_parker.stage(), lin_parker.RADIUS
    spin = {
        "carrier": 1.0,
        "ring": 0.0,
        "sun": 1 + r["ring"] / r["sun"],
        "planet": 1 - r["ring"] / r["planet"],
    }
    for name, b in m.bodies.items():
        (x, y), kind = b.position[:2], name.rstrip("123")
        v = (-speed * y, speed * x) if kind == "planet" else (0.0, 0.0)
        turn = {"velocity": v, "angular_velocity": speed * spin[kind]}
        m.bodies[name] = ww.Body(mass=b.mass, inertia=b.inertia, position=(x, y), **turn)
    return m


def governor(m=0.8, l=0.3, J=0.02, w=9.0, g=9.81, ball=1e-9):
    """Two balls of m/2 on arms that swing on a free shaft, at the angle at which they balance."""
    s, beta = ww.Mechanism("governor", gravity=(0, 0, -g)), np.arccos(g / (l * w * w))
    turn = {"angular_velocity": (0, 0, w)}
    s.add("shaft", ww.Body(mass=1, inertia=(J, J, J), **turn))
    s.add("bearing", ww.Revolute(bodies=("ground", "shaft"), point=(0, 0, 0), axis=(0, 0, 1)))
    for name, side in (("left", -1), ("right", 1)):
        x = side * l * np.sin(beta)
        s.add(
            name,
            ww.Body(
                mass=m / 2,
                inertia=(ball,) * 3,
                position=(x, 0, -l * np.cos(beta)),
                velocity=(0, w * x, 0),
                **turn,
            ),
        )
        s.add(f"{name}-arm", ww.Revolute(bodies=("shaft", name), point=(0, 0, 0), axis=(0, 1, 0)))
    I, S, C = J + m * l**2 * np.sin(beta) ** 2, np.sin(beta), np.cos(beta)
    return s, (
        w * S * np.sqrt(1 + 4 * m * l**2 * C**2 / I),
        w * S,
    )  # both balls together, and one against the other


def absorber(J=0.05, m=0.6, a=0.2, l=0.05, w=80.0):
    """A pendulum on a free rotor: w sqrt(a/l (1 + m (a + l)^2/J))."""
    s, turn = ww.Mechanism("absorber", kind="planar", gravity=(0, 0)), {"angular_velocity": w}
    s.add("rotor", ww.Body(mass=1, inertia=J, **turn))
    s.add("bob", ww.Body(mass=m, inertia=1e-9, position=(a + l, 0), velocity=(0, w * (a + l)), **turn))
    s.add("bearing", ww.Revolute(bodies=("ground", "rotor"), point=(0, 0)))
    s.add("hinge", ww.Revolute(bodies=("rotor", "bob"), point=(a, 0)))
    return s, w * np.sqrt(a / l * (1 + m * (a + l) ** 2 / J))
