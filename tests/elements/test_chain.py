"""Roller chains: polygon effect against closed forms and a four-bar linkage, both rungs, slack, pictures, bad input."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.planned import RunWarning
from wheelwork.elements.meshes.chain import ChainMesh
from wheelwork.equations.frames import BodyFrame, Marker
from wheelwork.gears import ChainDrive
from wheelwork.gears.chain import Sprockets
from wheelwork.lazy import casadi as ca
from wheelwork.show.formulas.vectors import formula
from wheelwork.show.scene import make_scene
from wheelwork.system.mesh_kernels import MeshKernel

P, D = 12.7e-3, 0.4
TEXT = """
kind: planar
gravity: [0, 0]
parameters: {load: 5, distance: 0.4, drive: 0}
bodies:
  a: {type: rotor, inertia: 0.01, speed: 10}
  b: {type: rotor, inertia: 0.05, position: [distance, 0]SPEED}
meshes:
  chain: {type: chain, bodies: [a, b], teeth: [17, 38], pitch: 12.7 mm, MORE}
forces:
  brake: {type: actuator, joint: b.bearing, value: -load}
"""
DRIVER = "drivers:\n  shaft: {type: joint, joint: a.bearing, value: 10*t}\n"
LINKS = "model: {type: links, axial_stiffness: 3e6 N, damping: 2000}"


def mechanism(more="tight: left", driven=True, speed=""):
    return ww.loads(TEXT.replace("MORE", more).replace("SPEED", speed) + (DRIVER if driven else ""))


def late(r, name):
    return np.asarray(r[name])[len(r.t) // 2 :]


@pytest.mark.parametrize(("teeth", "distance"), [((6, 7), 0.09), ((11, 30), 0.4), ((40, 17), 0.3)])
def test_strands_are_the_tangents_of_the_polygons(teeth, distance):
    """All other corners lie on one side of a strand."""
    rng = np.random.default_rng(1)
    wheels = Sprockets(teeth, P, distance)
    a, b = rng.uniform(-7, 7, size=(2, 200))
    corners = [
        np.stack(
            [
                k * distance + wheels.circles[k] * np.cos(angle[:, None] + 2 * np.pi * np.arange(z) / z),
                wheels.circles[k] * np.sin(angle[:, None] + 2 * np.pi * np.arange(z) / z),
            ],
            axis=-1,
        )
        for k, (angle, z) in enumerate(zip((a, b), teeth, strict=True))
    ]
    for side in (1, -1):
        strand = wheels.strand(a, b, side)
        along = (strand.at_b - strand.at_a)[:, None]
        for every in corners:
            away = every - strand.at_a[:, None]
            out = side * (along[..., 0] * away[..., 1] - along[..., 1] * away[..., 0])
            assert out.max() < 1e-15  # m^2: no corner beyond the line, to round-off


def test_the_loop_closes_with_whole_links_and_little_slack():
    """Around equal sprockets a chain is 2 d/p + z pitches long where both strands are parallel to the line of centres;
    in general within a hundredth of a pitch of the text-book's length of chain."""
    for teeth, pitches in (((17, 17), 40.0), ((17, 38), 31.5)):
        drive = ChainDrive(teeth, P, pitches * P)
        z_a, z_b = teeth
        length = 2 * pitches + (z_a + z_b) / 2 + ((z_b - z_a) / (2 * np.pi)) ** 2 / pitches
        assert drive.longest == pytest.approx(length, abs=0.02)
        assert 0 <= drive.slack[0] <= drive.slack[1] < 1.1 * P


@pytest.mark.parametrize(("z", "percent"), [(11, 4.05), (17, 1.70), (21, 1.12)])
def test_speed_of_a_strand_swings_by_the_polygon_effect(z, percent):
    """1 - cos(pi/z), as catalogues tabulate it; a strand of 5 m stays parallel to itself to 1e-3 rad."""
    text = (
        TEXT.replace("[17, 38]", f"[{z}, {z + 2}]").replace("MORE", "tight: left").replace("SPEED", "")
        + DRIVER
    )
    r = ww.loads(text).kinematics(end=1, output=2000, parameters={"distance": 5.0})
    speed = np.asarray(r["chain.rolling"])
    assert 100 * (1 - speed.min() / speed.max()) == pytest.approx(percent, abs=0.01)
    assert 1 - speed.min() / speed.max() == pytest.approx(1 - np.cos(np.pi / z), rel=2e-3)


@pytest.fixture(scope="module")
def rigid():
    return mechanism().simulate(end=2, output=1000)


def test_ratio_and_position(rigid):
    """The other way to find the position: a triangle of strand and sprocket in NumPy; nothing adds up over turns, and
    the mean ratio is z_b/z_a."""
    drive = ChainDrive((17, 38), P, D)
    turned = np.asarray(rigid["a.angle"])
    ratios = drive.ratios(turned)
    assert np.asarray(rigid["chain.ratio"]) == pytest.approx(ratios, rel=1e-12)
    assert 10 / np.asarray(rigid["b.w"]) == pytest.approx(ratios, rel=1e-9)
    seats = (np.asarray(rigid["b.angle"]) - drive.seat_of_b(turned)) * 38 / (2 * np.pi)
    assert np.abs(np.angle(np.exp(2j * np.pi * (seats - seats[0])))).max() < 1e-9
    whole = 2 * np.pi / 10  # a turn of a is 17 links
    r = mechanism().kinematics(end=whole, output=50)
    assert r["b.angle"][-1] == pytest.approx(2 * np.pi * 17 / 38, rel=1e-12)


def test_between_hand_overs_it_is_a_four_bar_linkage():
    """Cranks R_a and R_b with a rod of n pitches between the rollers: angles, speeds, and the torque it takes."""
    drive = ChainDrive((17, 38), P, D)
    seats = np.linspace(0, 2 * np.pi / 17, 2000)
    strands = drive.strand(seats, drive.seat_of_b(seats), 1)
    changes = np.flatnonzero(np.abs(np.diff(strands.length)) > P / 2)
    first = changes[np.argmax(np.diff(changes))]
    start, end = seats[first + 1], seats[changes[np.argmax(np.diff(changes)) + 1]]
    A, B = strands.at_a[first + 1], strands.at_b[first + 1]
    text = TEXT.split("meshes:")[0].replace("SPEED", "")
    text += f"""
joints:
  rod: {{type: revolute_revolute, bodies: [a, b], point_a: [{A[0]}, {A[1]}], point_b: [{B[0]}, {B[1]}]}}
forces:
  brake: {{type: actuator, joint: b.bearing, value: -load}}
{DRIVER}"""
    models = ww.loads(text), mechanism(f"seat_angle: {start}")
    linkage, chain = (m.inverse(end=0.1 * (end - start), output=40) for m in models)
    assert np.ptp(np.asarray(chain["chain.ratio"])) > 5e-3
    for name, scale in (("b.angle", 1e-12), ("b.w", 1e-10), ("shaft.torque", 1e-8)):
        assert np.asarray(chain[name]) == pytest.approx(np.asarray(linkage[name]), abs=scale)


def test_forces_loads_and_power(rigid):
    """The pull acts at its arms: b.J alpha = pull c_b - load; power in is pull times speed of the strand."""
    pull, speed = (np.asarray(rigid[f"chain.{name}"]) for name in ("force.tight", "rolling"))
    drive = ChainDrive((17, 38), P, D)
    turned = np.asarray(rigid["a.angle"])
    strand = drive.strand(turned, drive.seat_of_b(turned), 1)
    along = (strand.at_a - strand.at_b) / strand.length[:, None]
    arm = strand.at_b - [D, 0]
    c_b = arm[:, 0] * along[:, 1] - arm[:, 1] * along[:, 0]
    assert 0.05 * np.asarray(rigid["b.acceleration"]) == pytest.approx(pull * c_b - 5, abs=1e-8)
    assert np.asarray(rigid["shaft.torque"]) * 10 == pytest.approx(pull * speed, rel=1e-9)
    assert np.asarray(rigid["chain.power"]) == pytest.approx(pull * speed, rel=1e-12)
    assert np.asarray(rigid["a.bearing.reaction.force.x"]) == pytest.approx(pull * along[:, 0], rel=1e-9)
    assert np.all(np.asarray(rigid["chain.force.slack"]) == 0)
    low, high = drive.slack
    assert np.asarray(rigid["chain.slack"]).min() == pytest.approx(low, abs=1e-7)
    assert np.asarray(rigid["chain.slack"]).max() == pytest.approx(high, abs=1e-7)


@pytest.mark.parametrize(("more", "speed"), [("tight: left", ""), (LINKS, ", speed: 4.43235")])
def test_free_motion_in_both_formulations(more, speed):
    m = mechanism(more, driven=False, speed=speed).with_parameters(load=1)
    runs = [
        m.simulate(end=0.4, output=400, formulation=f, rtol=1e-9, atol=1e-11) for f in ("absolute", "reduced")
    ]
    for name, scale in (("b.angle", 1e-6), ("a.w", 1e-5), ("chain.force.tight", 0.05)):
        assert np.asarray(runs[0][name]) == pytest.approx(np.asarray(runs[1][name]), abs=scale)
    balance = runs[0].energy_balance()
    # with links, what is left is the integral of the losses over the output times
    assert np.abs(balance.remainder).max() < (1e-4 if speed else 1e-8) * balance.scale


def test_the_right_strand_mirrors_the_left():
    """The same drive turning the other way, with its other strand tight."""
    left = mechanism().kinematics(end=0.5, output=100)
    text = TEXT.replace("MORE", "tight: right").replace("SPEED", "") + DRIVER.replace("10*t", "-10*t")
    right = ww.loads(
        text.replace("speed: 10", "speed: -10").replace("value: -load", "value: load")
    ).kinematics(end=0.5, output=100)
    assert np.asarray(right["b.angle"]) == pytest.approx(-np.asarray(left["b.angle"]), abs=1e-12)
    assert np.asarray(right["chain.ratio"]) == pytest.approx(np.asarray(left["chain.ratio"]), rel=1e-12)


def test_a_rigid_chain_that_would_push_warns():
    with pytest.warns(
        RunWarning, match=r"left strand of mesh `chain` would have to push with up to .* N, first at"
    ):
        mechanism().simulate(end=0.1, output=20, parameters={"load": -50})


def test_losses_by_efficiency():
    """In the mean over whole turns of b."""
    end = 2 * np.pi * 38 / 17 / 10
    r = mechanism("efficiency: 0.9").simulate(end=end, output=3800)
    work = np.trapezoid(np.asarray(r["shaft.torque"]) * 10, r.t)
    assert 5 * 2 * np.pi / work == pytest.approx(0.9, rel=1e-3)


# -- links that stretch


def test_pull_and_stretch_of_links():
    """A steady pull swings with the arms: load/c_b, but for the inertia of b; the slack strand carries nothing."""
    r = mechanism(LINKS, speed=", speed: 4.43235").simulate(end=2, output=2000)
    pull, right = late(r, "chain.left.force"), late(r, "chain.right.force")
    exact = mechanism().simulate(end=2, output=2000)
    assert np.all(right == 0)
    assert pull.mean() == pytest.approx(late(exact, "chain.force.tight").mean(), rel=2e-3)
    assert late(r, "chain.left.stretch").mean() == pytest.approx(pull.mean() / (3e6 / (32 * P)), rel=0.05)
    assert late(r, "b.angle") - late(exact, "b.angle") == pytest.approx(0, abs=3e-4)


def test_natural_frequency_of_a_loaded_chain():
    """w^2 = k c_b^2/J_b on the tight strand of a sprocket that is held; the pull adds a little stiffness by geometry,
    which is small beside EA."""
    text = TEXT.replace("MORE", "model: {type: links, axial_stiffness: 3e6 N}").replace("SPEED", "")
    m = ww.loads(text.replace(", speed: 10", "") + DRIVER.replace("10*t", "0"))
    drive = ChainDrive((17, 38), P, D)
    strand = drive.strand(np.zeros(1), drive.seat_of_b(np.zeros(1)), 1)
    along, arm = (strand.at_b - strand.at_a)[0] / strand.length[0], strand.at_b[0] - [D, 0]
    c_b = arm[0] * along[1] - arm[1] * along[0]
    expected = np.sqrt(3e6 / strand.length[0] * c_b**2 / 0.05) / (2 * np.pi)
    assert max(m.modes(at="equilibrium").frequencies) == pytest.approx(expected, rel=2e-3)


def test_modes_of_a_chain_that_is_just_tight_are_refused():
    """It ended in an internal error."""
    with pytest.raises(ww.ModelError, match="chain: at the operating point it has a kink"):
        mechanism(LINKS, speed=", speed: 4.43235").modes()


def test_the_slack_is_lost_motion():
    """A load that turns round swings b back by the slack until the other strand is tight."""
    text = TEXT.replace("MORE", LINKS.replace("2000", "2e4")).replace("SPEED", "").replace(", speed: 10", "")
    text = text.replace("value: -load", 'value: "-load*if(t < 0.5, 1, -1) - 2*b.w"')
    r = ww.loads(text + DRIVER.replace("10*t", "0")).simulate(end=2.5, output=500)
    moved = float(r["b.angle"][-1] - r["b.angle"][90])
    assert float(r["chain.left.force"][90]) > 10 > float(r["chain.right.force"][90])
    assert float(r["chain.right.force"][-1]) > 10 > float(r["chain.left.force"][-1])
    assert moved * ChainDrive((17, 38), P, D).circles[1] == pytest.approx(
        ChainDrive((17, 38), P, D).slack[0], rel=0.02
    )


# -- printed, drawn, refused


def test_printed_vectors_are_the_row():
    rng = np.random.default_rng(2)
    equations = ChainMesh.equations()
    kernel = MeshKernel(equations)
    drive = ChainDrive((17, 38), P, D)
    numbers = {"r_a": 17 * P / (2 * np.pi), "r_b": 38 * P / (2 * np.pi), "circle_a": drive.circles[0]}
    numbers |= {"circle_b": drive.circles[1], "teeth_a": 17.0, "teeth_b": 38.0, "seat_a": 0.1, "seat_b": 0.2}
    numbers |= {"side": -1.0, "slack": 0.0, "pitch": P, "phase": 0.0}
    marker = np.concatenate([np.zeros(3), np.eye(3).ravel()])
    bodies = [np.concatenate([x, np.eye(3).ravel(), rng.normal(size=6)]) for x in ([0, 0, 0], [D, 0.01, 0])]
    data = np.concatenate([marker, marker, [numbers[name] for name in equations.extras]])
    _, G_a, G_b, gamma, _ = (
        np.array(part) for part in kernel.constraint.full.call([*bodies, data, [], [0.0]])
    )
    a, b = (Marker.from_record(BodyFrame.from_record(ca.SX(body)), ca.SX(marker)) for body in bodies)
    angles = np.array(ca.DM(equations.choose(a, b, {k: ca.SX(v) for k, v in numbers.items()}))).ravel()
    values = {"sigma": -1.0}
    for k, (body, name) in enumerate(zip(bodies, "ab", strict=True)):
        values |= {
            f"x_{name}": body[:3],
            f"p_{name}": body[:3],
            f"x_{name}'": body[12:15],
            f"w_{name}": body[15:],
        }
        out = drive.circles[k] * np.array([np.cos(angles[k]), np.sin(angles[k]), 0])
        values[name.upper()] = body[:3] + out
    form = equations.printed()
    for name, text in form.definitions:
        values[name] = formula(text).value(values)
    printed = [np.broadcast_to(formula(text).value(values), 3) for text in form.columns]
    assert np.concatenate(printed) == pytest.approx(np.concatenate([G_a[0], G_b[0]]), abs=1e-12)
    assert formula(form.gamma).value(values) == pytest.approx(gamma[0, 0], rel=1e-10)


def test_links_are_drawn_where_they_are(rigid):
    """All rollers stand a pitch apart and move on without jumps; those on the sprockets are in their seats."""
    scene = make_scene(rigid.motion)
    drive = ChainDrive((17, 38), P, D)
    assert scene.movers == drive.count == 91
    rollers = scene.position[:, 2:]
    apart = np.linalg.norm(rollers - np.roll(rollers, -1, axis=1), axis=2)
    assert apart == pytest.approx(P, rel=1e-9)
    step = np.linalg.norm(
        np.diff(rollers, axis=0), axis=2
    )  # 2 ms at 0.34 m/s; the slack strand sways a little more
    assert 0.5e-3 < step.min() <= step.max() < 1.1e-3
    turned = np.asarray(rigid["a.angle"])[500]
    near = np.linalg.norm(rollers[500], axis=1) < drive.circles[0] + 1e-6
    seats = (np.arctan2(rollers[500, near, 1], rollers[500, near, 0]) - turned) * 17 / (2 * np.pi)
    assert near.sum() >= 7
    assert seats == pytest.approx(np.round(seats), abs=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "MORE",
            "links: 93",
            "so that it has 91 links, but `links` is 93: 93 links go with axes 407.36 to 413.74 mm",
        ),
        ("MORE", "links: 20", "20 links are too few at any distance"),
        ("[17, 38]", "[5, 38]", "sprockets have 6 teeth and more, but `teeth` are 5 and 38"),
        ("[17, 38]", "[17.5, 38]", "needs a whole number, but is `17.5`"),
        ("12.7 mm", "-3 mm", "must be greater than zero, but is -0.003 m"),
        (
            "distance: 0.4",
            "distance: 0.1",
            "the axes are 100 mm apart, but sprockets with pitch circles of radius",
        ),
        ("MORE", "tight: up", "needs `left` or `right`, but is `up`"),
        ("MORE", "roller_diameter: 13 mm", "must be less than the pitch, 12.7 mm, but is 13 mm"),
        ("MORE", "model: compliant", "must be `links` or `rigid`"),
        ("MORE", LINKS.replace("3e6", "-3"), "must be greater than zero, but is -3 N"),
        ("MORE", LINKS.replace("2000", "-2"), "must not be negative, but is -2"),
        ("MORE", LINKS + ", efficiency: 0.9", "has no `efficiency`"),
    ],
)
def test_what_does_not_fit(old, new, words):
    text = TEXT.replace(old, new).replace("MORE", "tight: left").replace("SPEED", "")
    with pytest.raises(ww.ModelError) as caught:
        ww.loads(text).check()
    assert words in str(caught.value)


def test_a_chain_with_nearly_a_link_too_much_cannot_stretch():
    distance = next(d for d in np.linspace(0.4, 0.41, 500) if ChainDrive((17, 38), P, d).slack[1] > 0.96 * P)
    with pytest.raises(ww.ModelError, match=r"nearly a link of 12\.7 mm: move the axes apart"):
        mechanism(LINKS).with_parameters(distance=float(distance)).check()


def test_the_example_pulls_with_both_strands():
    r = ww.load(ww.examples.path("chain-drive")).run(end=1.4, output=1400)
    assert np.asarray(r["chain.left.force"]).max() > 500
    assert np.asarray(r["chain.right.force"]).max() > 1000
    assert np.all(np.minimum(np.asarray(r["chain.left.force"]), np.asarray(r["chain.right.force"])) == 0)
