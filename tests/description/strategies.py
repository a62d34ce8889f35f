"""Hypothesis strategies: mechanisms that are valid as descriptions, whatever they would do as machines."""

from hypothesis import strategies as st

import wheelwork.description as model

PARAMETERS = ("r", "k", "ratio")
NAMES = [
    "arm", "bob", "sun-planet", "x", "Y2", "no", "on", "null", "true", "e1", "inf", "nan", "type", "bodies", "a-b-c",
    "A0", "w_1", "n", "y", "Off", "t2", "pin", "sine", "gear", "ring-1",
]  # fmt: skip
VALUES = st.one_of(
    st.integers(-1000, 1000),
    st.floats(-1e6, 1e6).map(lambda x: round(x, 9)),
    st.sampled_from([1e-90, -1.5e30, 1 / 3]),
)
POSITIVE = st.floats(1e-3, 1e6)  # of a ball of 1e-9 m the inertia is no number one can compute with
TEXTS = st.text(max_size=20)


def quantity(number, units):
    return st.tuples(number, st.sampled_from(units)).map(lambda pair: f"{pair[0]!r} {pair[1]}")


def fixed(number, units):
    """A number, a quantity in one of the units, or a formula of parameters that is positive where numbers must be."""
    formulas = st.sampled_from(["2*ratio", "ratio^2 + 1", "if(ratio < 1, 2, ratio)", "max(ratio, 1, pi)"])
    return st.one_of(number, quantity(number, units), formulas)


LENGTH = fixed(VALUES, ["mm", "m", "um", "inch"])
POSITIVE_LENGTH = fixed(POSITIVE, ["mm", "m"])
ANGLE = fixed(VALUES, ["deg", "rad", "rev"])
POINT = st.tuples(LENGTH, LENGTH, LENGTH)
AXIS = st.sampled_from([(0, 0, 1), (1, 0, 0), (0.6, 0.8, 0), ("ratio", 1, 0), (0, -2, 1e-3)])
INERTIA = st.one_of(
    st.just((1.0, 2.0, 2.5)),
    st.just(("2 kg*m^2", "3 kg m2", 4)),
    st.just(((2, 0.1, 0), (0.1, 3, 0), (0, 0, "3 + ratio/10"))),
)


@st.composite
def orientations(draw):
    angles = st.tuples(ANGLE, ANGLE, ANGLE)
    return draw(
        st.one_of(
            st.just(model.Orientation()),
            st.builds(model.Orientation, euler_zxz=angles),
            st.builds(model.Orientation, bryant_xyz=angles),
            st.builds(model.Orientation, rotation_vector=angles),
            st.builds(model.Orientation, euler_parameters=st.just((0.5, 0.5, -0.5, 0.5))),
            st.builds(model.Orientation, axis=AXIS, angle=ANGLE),
        )
    )


POSES = st.builds(model.Pose, position=POINT, orientation=orientations())


@st.composite
def shapes(draw):
    size = st.floats(0.5, 10)
    axis = st.sampled_from("xyz")
    return draw(
        st.one_of(
            st.builds(model.Cylinder, radius=size, length=POSITIVE_LENGTH, axis=axis),
            st.builds(model.Disc, radius=size, thickness=size, axis=axis),
            st.builds(model.Tube, outer_radius=st.floats(2, 3), inner_radius=st.floats(0.1, 1), length=size),
            st.builds(model.Box, size=st.tuples(size, size, size)),
            st.builds(model.Sphere, radius=POSITIVE_LENGTH),
            st.builds(
                model.GearBlank, pitch_radius=st.floats(5, 6), face_width=size, bore_radius=st.floats(0, 1)
            ),
            st.builds(
                model.GearBlank,
                pitch_radius=st.floats(5, 6),
                face_width=size,
                hub_radius=st.just("20 mm"),
                hub_length=size,
            ),
        )
    )


BODIES = st.one_of(
    st.builds(
        model.Body,
        mass=fixed(POSITIVE, ["kg", "g"]),
        inertia=INERTIA,
        center_of_mass=POINT,
        position=POINT,
        orientation=orientations(),
        velocity=st.tuples(*[fixed(VALUES, ["m/s", "mm/s"])] * 3),
        angular_velocity=st.tuples(*[fixed(VALUES, ["rpm", "rad/s"])] * 3),
        affected_by_gravity=st.booleans(),
        comment=TEXTS,
    ),
    st.builds(model.Body, shape=shapes(), density=fixed(POSITIVE, ["kg/m^3", "g/cm^3"])),
    st.builds(
        model.Rotor,
        inertia=fixed(POSITIVE, ["kg*m^2"]),
        angle=ANGLE,
        speed=fixed(VALUES, ["rpm"]),
        position=POINT,
    ),
)


def tables(units):
    steps = st.lists(st.floats(0.01, 1), min_size=2, max_size=30)
    values = st.one_of(VALUES, quantity(VALUES, units))

    def table(drawn):
        times, value, interpolation = drawn
        total, at = 0.0, []
        for step in times:
            total += step
            at.append(total)
        return model.Table(time=at, value=[value] * len(at), interpolation=interpolation)

    return st.tuples(steps, values, st.sampled_from(["smooth", "linear"])).map(table)


def varying(units, signals):
    formulas = ["10*sin(2*pi*5*t)", "ratio*t", "if(t < 1, 0, ratio)", *signals]
    return st.one_of(fixed(VALUES, units), st.sampled_from(formulas), tables(units))


@st.composite
def joints(draw, bodies):
    a, b = draw(st.permutations(["ground", *bodies]))[:2]
    pair = {"bodies": (a, b), "comment": draw(TEXTS)}
    if draw(st.booleans()):
        place = {"frame_a": draw(POSES), "frame_b": draw(POSES)}
        point, line, two, link = place, place, place, place
    else:
        point = {"point": draw(POINT)}
        line = {**point, "axis": draw(AXIS)}
        two = {**point, "axis": (1, 0, 0), "axis2": (0, 0, 3)}
        link = {"point_a": (0, 0, 0), "point_b": ("1 m", draw(LENGTH), 0)}
    length = draw(st.one_of(st.none(), POSITIVE_LENGTH))
    hinge = {} if "frame_a" in link else {"axis": (0, 0, 1)}
    return draw(
        st.sampled_from(
            [
                lambda: model.Fixed(**pair),
                lambda: model.Fixed(**pair, **point),
                lambda: model.Spherical(**pair, **point),
                lambda: model.Revolute(**pair, **line),
                lambda: model.Prismatic(**pair, **line),
                lambda: model.Cylindrical(**pair, **line),
                lambda: model.Screw(**pair, **line, lead="5 mm"),
                lambda: model.Planar(**pair, **line),
                lambda: model.PointOnLine(**pair, **line),
                lambda: model.PointOnPlane(**pair, **line),
                lambda: model.Universal(**pair, **two),
                lambda: model.Distance(**pair, **link, length=length),
                lambda: model.Rod(**pair, **link, length=length),
                lambda: model.RevoluteSpherical(**pair, **link, **hinge, length=length),
            ]
        )
    )()


@st.composite
def forces(draw, bodies, joints):
    body = draw(st.sampled_from(bodies))
    signal = f"`{body}.w`" if "-" in body else f"{body}.w"
    force, torque = varying(["N", "kN"], [f"-20*({signal}/10.5)^2"]), varying(["N*m"], [signal])
    choices = [
        st.builds(model.Force, body=st.just(body), value=st.tuples(force, force, force), point_in_body=POINT),
        st.builds(
            model.Torque, body=st.just(body), value=st.tuples(torque, torque, torque), frame=st.just("body")
        ),
        st.builds(
            model.Spring,
            bodies=st.just(("ground", body)),
            point_a=POINT,
            point_b=POINT,
            stiffness=fixed(POSITIVE, ["N/m", "N/mm"]),
            damping=fixed(POSITIVE, ["N*s/m"]),
            free_length=st.one_of(st.none(), POSITIVE_LENGTH),
        ),
        st.builds(
            model.Bushing,
            bodies=st.just((body, "ground")),
            frame_a=POSES,
            frame_b=POSES,
            stiffness=st.just((1, "2 N/m", "ratio")),
        ),
        st.builds(
            model.TorsionalSpring,
            bodies=st.just(("ground", body)),
            axis=AXIS,
            stiffness=fixed(POSITIVE, ["N*m/rad", "N*m/deg"]),
        ),
        st.builds(
            model.Contact,
            a=st.builds(model.ContactSphere, body=st.just(body), radius=POSITIVE_LENGTH),
            b=st.builds(model.ContactPlane, normal_in_body=AXIS),
            law=st.one_of(
                st.builds(model.Restitution, coefficient=st.floats(0, 1)),
                st.builds(model.Compliant, stiffness=st.just("1e9 N/m^1.5"), exponent=st.just(1.5)),
            ),
        ),
    ]
    turning = [name for name, joint in joints.items() if isinstance(joint, model.Revolute)]
    if turning:
        joint = st.sampled_from(turning)
        curve = model.MotorCurve(speed=(0, "3000 rpm"), torque=("5 N*m", 0))
        choices += [
            st.builds(model.Actuator, joint=joint, value=torque),
            st.builds(model.Friction, joint=joint, viscous=POSITIVE, coulomb=fixed(POSITIVE, ["N*m"])),
            st.builds(model.Motor, joint=joint, curve=st.just(curve), command=varying(["%"], ["t"])),
        ]
    return draw(st.one_of(choices))


@st.composite
def drivers(draw, bodies, joints):
    length = varying(["mm"], [])
    choices = [
        st.builds(
            model.BodyDriver, body=st.sampled_from(bodies), coordinate=st.sampled_from("xyz"), value=length
        )
    ]
    turning = [name for name, joint in joints.items() if isinstance(joint, model.Revolute)]
    if turning:
        choices.append(
            st.builds(model.JointDriver, joint=st.sampled_from(turning), value=varying(["deg"], []))
        )
    return draw(st.one_of(choices))


ANALYSES = st.one_of(
    st.none(),
    st.builds(
        model.Simulate,
        end=fixed(POSITIVE, ["s", "ms"]),
        output=st.integers(1, 10**6),
        stabilisation=st.one_of(
            st.just(model.Projection()),
            st.builds(model.Baumgarte, alpha=POSITIVE),
            st.builds(model.AugmentedLagrangian, omega=quantity(POSITIVE, ["rad/s"])),
            st.just(model.NoStabilisation()),
        ),
    ),
    st.builds(model.Kinematics, end=POSITIVE),
    st.builds(model.Inverse, end=POSITIVE),
    st.builds(model.Equilibrium, tolerance=POSITIVE),
    st.just(model.Assemble()),
)


@st.composite
def mechanisms(draw, cls=model.Description, depth=1):
    """A description that passes validation: names are distinct and references lead somewhere."""
    free = iter(draw(st.permutations(NAMES)))

    def some(strategy, most):
        return {next(free): draw(strategy) for _ in range(draw(st.integers(0, most)))}

    bodies = {next(free): draw(BODIES), **some(BODIES, 3)}
    made = some(joints(list(bodies)), 4)
    description = cls(
        name=draw(TEXTS),
        comment=draw(TEXTS),
        gravity=draw(st.sampled_from([(0, 0, -9.80665), (0, 0, 0), (0, "-1 m/s^2", "ratio")])),
        parameters={"r": "50 mm", "k": "2*r + 1", "ratio": draw(st.floats(0.5, 9))},
        bodies=bodies,
        joints=made,
        forces=some(forces(list(bodies), made), 4),
        drivers=some(drivers(list(bodies), made), 2),
        frames=some(
            st.builds(
                model.Frame,
                body=st.sampled_from(["ground", *bodies]),
                position=POINT,
                orientation=orientations(),
            ),
            2,
        ),
        analysis=draw(ANALYSES),
        outputs=draw(st.one_of(st.none(), st.just((f"{next(iter(bodies))}.w", "*.position.x")))),
    )
    if depth:
        inner = mechanisms(depth=depth - 1)
        parts = st.builds(
            model.Component,
            model=inner,
            parameters=st.one_of(st.just({}), st.just({"r": "2*k", "ratio": 3})),
            position=POINT,
            orientation=orientations(),
            ground=st.sampled_from(["ground", *bodies]),
        )
        description.components.update(some(parts, 1))
    return description
