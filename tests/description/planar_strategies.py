"""Hypothesis strategies: planar mechanisms that are valid as descriptions."""

from hypothesis import strategies as st

import wheelwork.description as model

from .strategies import ANGLE, LENGTH, NAMES, POSITIVE, POSITIVE_LENGTH, TEXTS, VALUES, fixed, varying

POINT = st.tuples(LENGTH, LENGTH)
DIRECTION = st.sampled_from([(1, 0), (0, -2), (0.6, 0.8), ("ratio", 1), (1, 1, 0)])
POSES = st.builds(model.Pose, position=POINT, angle=st.one_of(st.none(), ANGLE))
INERTIA = fixed(POSITIVE, ["kg*m^2"])
OUTLINES = st.sampled_from(
    [
        model.PolarOutline(radius="2 + cos(2*s)/(1 + ratio)"),
        model.PolarOutline(radius="30 mm"),
        model.FormulaOutline(x="3*cos(s) + r", y="sin(s)"),
        model.FormulaOutline(x="cos(2*pi*s)", y="2*sin(2*pi*s)", interval=(0, 1)),
        model.PointsOutline(points=[(1, 0), (0, "10 mm"), (-1, 0), ("-0.1 m", -1)]),
    ]
)
BODIES = st.one_of(
    st.builds(
        model.Body,
        mass=fixed(POSITIVE, ["kg", "g"]),
        inertia=INERTIA,
        center_of_mass=POINT,
        position=POINT,
        angle=st.one_of(st.none(), ANGLE),
        velocity=st.tuples(*[fixed(VALUES, ["m/s", "mm/s"])] * 2),
        angular_velocity=fixed(VALUES, ["rpm", "rad/s"]),
    ),
    st.builds(model.Body, shape=st.builds(model.Disc, radius=POSITIVE, thickness=POSITIVE), mass=POSITIVE),
    st.builds(model.Rotor, inertia=INERTIA, position=POINT, angle=ANGLE, speed=fixed(VALUES, ["rpm"])),
)


@st.composite
def joints(draw, bodies):
    a, b = draw(st.permutations(["ground", *bodies]))[:2]
    pair = {"bodies": (a, b), "comment": draw(TEXTS)}
    moving = bodies[0]
    if draw(st.booleans()):
        place = {"frame_a": draw(POSES), "frame_b": draw(POSES)}
        point, line, link, pin, cam, face = place, place, place, place, place, place
    else:
        point = {"point": draw(POINT)}
        line = {**point, "axis": draw(DIRECTION)}
        link = {"point_a": (0, 0), "point_b": ("1 m", draw(LENGTH))}
        pin = {**link, "axis": draw(DIRECTION)}
        cam = {**link, "reference_a": draw(st.one_of(st.none(), DIRECTION))}
        face = {**link, "direction": draw(DIRECTION)}
    curve, other, length = draw(OUTLINES), draw(OUTLINES), draw(POSITIVE_LENGTH)
    slot = model.FormulaOutline(x="s", y="s^2", interval=("-1 rad", 1), closed=False)
    coordinate = draw(st.sampled_from(["x", "y", "angle"]))
    held = draw(st.one_of(st.none(), ANGLE if coordinate == "angle" else LENGTH))
    at = {} if coordinate == "angle" else link
    return draw(
        st.sampled_from(
            [
                lambda: model.Fixed(**pair),
                lambda: model.Revolute(**pair, **point),
                lambda: model.Prismatic(**pair, **line),
                lambda: model.Translational(**pair, **line),
                lambda: model.PointOnLine(**pair, **line),
                lambda: model.Distance(**pair, **link, length=length),
                lambda: model.RevoluteRevolute(**pair, **link),
                lambda: model.RevoluteTranslational(**pair, **pin, distance=held if coordinate == "x" else 0),
                lambda: model.Relative(**pair, **at, coordinate=coordinate, value=held),
                lambda: model.Absolute(body=moving, coordinate=coordinate, value=held),
                lambda: (
                    model.Absolute(body=moving, coordinate="x", **point)
                    if "point" in point
                    else model.Absolute(body=moving, coordinate="y", frame=point["frame_a"])
                ),
                lambda: model.CamFlat(**pair, **face, outline=curve, start=0.5),
                lambda: model.CamCam(**pair, **cam, outline_a=curve, outline_b=other),
                lambda: model.CamPoint(**pair, **cam, outline=slot, radius=length),
            ]
        )
    )()


@st.composite
def forces(draw, bodies):
    body = draw(st.sampled_from(bodies))
    force, torque = varying(["N", "kN"], []), varying(["N*m"], [])
    return draw(
        st.one_of(
            st.builds(model.Force, body=st.just(body), value=st.tuples(force, force), point_in_body=POINT),
            st.builds(model.Torque, body=st.just(body), value=torque),
            st.builds(
                model.Bushing,
                bodies=st.just((body, "ground")),
                frame_a=POSES,
                frame_b=POSES,
                stiffness=st.just((1, "2 N/m")),
                rotational_damping=st.just("3 N*m*s/rad"),
            ),
            st.builds(model.TorsionalSpring, bodies=st.just(("ground", body)), stiffness=POSITIVE),
        )
    )


@st.composite
def drivers(draw, bodies):
    body = draw(st.sampled_from(bodies))
    angle, length = varying(["deg"], []), varying(["mm"], [])
    return draw(
        st.one_of(
            st.builds(model.BodyDriver, body=st.just(body), coordinate=st.just("angle"), value=angle),
            st.builds(
                model.BodyDriver,
                body=st.just(body),
                coordinate=st.just("y"),
                value=length,
                point_in_body=POINT,
            ),
            st.builds(model.RotationDriver, bodies=st.just(("ground", body)), value=angle),
            st.builds(
                model.DistanceDriver,
                bodies=st.just((body, "ground")),
                point_a=st.just((0, 0)),
                point_b=st.just((1, 1)),
                value=st.sampled_from(["2 m", "1 + ratio*t"]),
            ),
        )
    )


@st.composite
def planar_mechanisms(draw, depth=1):
    """A planar description that passes validation."""
    free = iter(draw(st.permutations(NAMES)))

    def some(strategy, most):
        return {next(free): draw(strategy) for _ in range(draw(st.integers(0, most)))}

    bodies = {next(free): draw(BODIES), **some(BODIES, 2)}
    names = list(bodies)
    gravity = draw(st.sampled_from([None, (0, 0), (0, "-1 m/s^2"), ("ratio", 1, 0)]))
    description = model.Description(
        kind="planar",
        **({} if gravity is None else {"gravity": gravity}),
        parameters={"r": "50 mm", "k": "2*r + 1", "ratio": draw(st.floats(0.5, 9))},
        bodies=bodies,
        joints=some(joints(names), 4),
        forces=some(forces(names), 3),
        drivers=some(drivers(names), 2),
        frames=some(st.builds(model.Frame, body=st.sampled_from(names), position=POINT, angle=ANGLE), 2),
    )
    if depth:
        parts = st.builds(
            model.Component,
            model=planar_mechanisms(depth=depth - 1),
            position=POINT,
            angle=st.one_of(st.none(), ANGLE),
            ground=st.sampled_from(["ground", *names]),
        )
        description.components.update(some(parts, 1))
    return description
