"""Speeds at the start behind what gives way: those of the same machine with rigid teeth, shafts and bearings."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses.rolling_start import StartWarning

COMPLIANT = ww.CompliantTeeth(stiffness=1e8)
CONTACT = ww.ContactTeeth(elastic=ww.LinearContact(stiffness=1e8))
TRAINS = (
    "backlash-pair",
    "bevel-wrist",
    "gear-rattle",
    "gear-set",
    "gearbox-shift",
    "helical-reducer",
    "hoist",
    "idle-gear-rattle",
    "mesh-phasing",
    "planetary",
    "planetary-contact",
    "planetary-gearbox",
    "planetary-stage",
    "rv-reducer",
    "shifting-car",
    "steering",
    "worm-lift",
    "yaw-drive",
)
PLAIN = ("gear-set", "helical-reducer", "planetary", "steering")
"""Whose wheels have pitch circles and no teeth, or teeth that flanks in contact do not take."""
OTHERS = ("belt-drive", "chain-drive", "cycloid-drive", "friction-planetary")
"""Whose strands, links, pins and wheels give way."""


def speeds(m):
    at = m.assemble()
    program = at.prepared.program
    return at.state[program.nq : program.nq + program.nv]


def turned(name):
    """An example in which one speed is given, of the first wheel that turns in a joint, or drivers give them."""
    m = ww.load(examples.path(name))
    m.outputs = m.analysis = m.study = None
    m.start = "rolling"
    for body in m.bodies.values():
        for field in ("speed", "velocity", "angular_velocity"):
            if hasattr(body, field):
                setattr(body, field, None)
    for joint in m.joints.values():
        if getattr(joint, "initial", None) is not None:
            joint.initial = None
    if not m.drivers or not np.any(speeds(m)):
        m.drivers.clear()
        wheels = [wheel for mesh in m.meshes.values() for wheel in mesh.bodies]
        for wheel in wheels:
            if isinstance(m.bodies.get(wheel), ww.Rotor):
                m.bodies[wheel].speed = 12.0
                break
            joint = next(
                (j for j in m.joints.values() if wheel in j.bodies and isinstance(j, ww.Revolute)), None
            )
            if joint is not None:
                joint.initial = ww.Initial(w=12.0)
                break
        else:
            m.bodies["input"].angular_velocity = (0, 12, 0)
    return m


def with_teeth(m, model):
    """The same with other teeth, where these have them."""
    for mesh in m.meshes.values():
        if model is None or type(mesh).has_path:
            mesh.model = ww.RigidTeeth() if model is None else model
    return m


@pytest.mark.parametrize("name", TRAINS)
def test_elastic_teeth_start_as_rigid_ones(name):
    """Pairs, racks, planets, several stages, bevel and worm gears beside elastic ones."""
    rigid = speeds(with_teeth(turned(name), None))
    assert np.any(rigid)
    for model in (COMPLIANT, CONTACT) if name not in PLAIN else (COMPLIANT,):
        assert speeds(with_teeth(turned(name), model)) == pytest.approx(rigid, abs=1e-9 * np.abs(rigid).max())


@pytest.mark.parametrize("name", OTHERS)
def test_belts_chains_pins_and_traction_start_as_rigid_ones(name):
    rigid = speeds(with_teeth(turned(name), None))
    assert speeds(turned(name)) == pytest.approx(rigid, abs=1e-9 * np.abs(rigid).max())


def pair(model, **speed):
    m = ww.Mechanism("pair", gravity=(0, 0, 0))
    m.add("pinion", ww.Rotor(inertia=1e-3, speed=speed.get("pinion")))
    m.add("gear", ww.Rotor(inertia=4e-3, position=("60 mm", 0, 0), speed=speed.get("gear")))
    teeth = {"teeth": (20, 40), "module": "2 mm", "face_width": "20 mm"}
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "gear"), model=model, **teeth))
    return m


def of(m, *names):
    at = m.assemble()
    return [float(at[f"{name}.w"]) for name in names]


def test_rest_leaves_what_gives_way():
    m = pair(COMPLIANT, pinion=100)
    assert of(m, "gear") == pytest.approx([-50])
    m.start = "rest"
    assert of(m, "gear") == [0]


def test_a_start_that_strikes_is_said_with_its_speed(tmp_path):
    """Pinion at 100 rad/s, gear at +50: the pitch points at 20 mm and 40 mm move at 2 m/s and -2 m/s."""
    m = pair(COMPLIANT, pinion=100, gear=50)
    with pytest.warns(
        StartWarning, match=r"mesh `mesh` \(`pinion`, `gear`\) move at 4 m/s against each other"
    ):
        m.simulate(end=1e-5, output=1)
    with pytest.warns(StartWarning):
        assert "will strike at the start" in str(m.check())
    m.bodies["gear"].speed = -50
    assert m.check().strikes == []


def test_shafts_ratios_and_bearings_carry_on():
    """A driver turns a pinion at 30 rad/s; behind the gear an elastic shaft, an elastic ratio of 3, a play and a planet
    carrier's pin, whose planet is on an elastic bearing 0.1 m off the axis and goes round with it."""
    m = pair(COMPLIANT)
    m.add("motor", ww.JointDriver(joint="pinion.bearing", value="30*t"))
    for k, name in enumerate(("far", "slow", "last"), 1):
        m.add(name, ww.Rotor(inertia=1e-3, position=("60 mm", 0, 0.1 * k)))
    m.add("shaft", ww.TorsionalSpring(bodies=("gear", "far"), stiffness=1e4))
    m.add("box", ww.Ratio(bodies=("far", "slow"), ratio=3, support="ground", stiffness=1e4))
    m.add("spline", ww.Clearance(bodies=("slow", "last"), play=0.01, stiffness=1e4))
    m.add("planet", ww.Body(mass=0.2, inertia=(1e-4, 1e-4, 2e-4), position=(0.16, 0, 0.3)))
    stiff = {"radial_stiffness": 1e8, "axial_stiffness": 1e8, "tilt_stiffness": 1e4}
    m.add("pin", ww.Bearing(bodies=("last", "planet"), point=(0.16, 0, 0.3), axis=(0, 0, 1), **stiff))
    assert of(m, "gear", "far", "slow", "last") == pytest.approx([-15, -15, -5, -5])
    assert m.assemble()["planet.velocity"].to_numpy() == pytest.approx([0, -0.5, 0], abs=1e-12)


def test_what_cannot_be_met_is_left_out():
    """A spring to ground does not hold back the train that turns it, and speeds that were given are kept."""
    m = pair(COMPLIANT, pinion=100)
    m.add("brake", ww.TorsionalSpring(joint="gear.bearing", stiffness=5.0))
    assert of(m, "gear") == pytest.approx([-50])
    m = ww.Mechanism("shaft", gravity=(0, 0, 0))
    m.add("one", ww.Rotor(inertia=1.0, speed=1.0))
    m.add("two", ww.Rotor(inertia=1.0, speed=0))
    m.add("three", ww.Rotor(inertia=1.0))
    m.add("first", ww.TorsionalSpring(bodies=("one", "two"), stiffness=100.0))
    m.add("second", ww.TorsionalSpring(bodies=("two", "three"), stiffness=100.0))
    assert of(m, "one", "two", "three") == [1, 0, 0]


@pytest.mark.parametrize("engine", ["lanes", "threads"])
def test_each_variant_of_a_study_starts_with_its_own_ratio(engine):
    m = pair(COMPLIANT)
    m.parameters |= {"z": 40, "speed": "100 rad/s", "unit": "1 mm", "d": "(20 + z)*unit"}
    m.meshes["mesh"].teeth = (20, "z")
    m.bodies["pinion"].speed = "speed"
    m.bodies["gear"].position = ("d", 0, 0)
    study = ww.Study(
        m, vary={"speed": [60.0, 100.0], "z": [30, 40]}, measures={"w": "mean(gear.w)"}, end=1e-4
    )
    assert study.run(engine=engine).w.values == pytest.approx(
        np.array([[-40, -30], [-200 / 3, -50]]), rel=1e-9
    )


def test_a_compiled_run_starts_so():
    m = pair(COMPLIANT, pinion=100)
    run = m.compile(end=1e-4, output=4)
    assert run.simulate()["gear.w"].to_numpy() == pytest.approx(-50, rel=1e-9)


def test_plain_wheels_and_elastic_ratios_follow_their_parameters():
    """Radii and a ratio that vary: of teeth and shafts that give way the start depends on them as of rigid ones."""
    m = ww.Mechanism("train", gravity=(0, 0, 0))
    m.parameters |= {"r": "40 mm", "i": 2, "unit": "1 mm", "d": "20*unit + r"}
    m.add("one", ww.Rotor(inertia=1e-3, speed=100))
    m.add("two", ww.Rotor(inertia=1e-3, position=("d", 0, 0)))
    m.add("three", ww.Rotor(inertia=1e-3, position=("d", 0, 0.1)))
    m.add("mesh", ww.ExternalMesh(bodies=("one", "two"), radii=("20 mm", "r"), model=COMPLIANT))
    m.add("box", ww.Ratio(bodies=("two", "three"), ratio="i", support="ground", stiffness=1e4))
    exact = {0.04: [-25, -12.5], 0.05: [-20, -10]}
    for engine, radii in (("lanes", [0.04]), ("threads", [0.04, 0.05])):
        vary = {"r": radii, "i": [2.0, 4.0]}
        table = ww.Study(m, vary=vary, measures={"w": "mean(three.w)"}, end=1e-4).run(engine=engine)
        assert table.w.values == pytest.approx(np.array([exact[r] for r in radii]), rel=1e-9)


def test_a_stiffness_of_zero_carries_nothing():
    m = ww.Mechanism("shaft", gravity=(0, 0, 0))
    m.parameters["k"] = 10.0
    m.add("one", ww.Rotor(inertia=1.0, speed=1.0))
    m.add("two", ww.Rotor(inertia=1.0))
    m.add("spring", ww.TorsionalSpring(bodies=("one", "two"), stiffness="k"))
    for k, speed in ((10.0, 1.0), (0.0, 0.0), (5.0, 1.0)):
        assert float(m.assemble(parameters={"k": k})["two.w"]) == speed


# -- loaded


LADDER = {
    "rigid": ww.RigidTeeth(),
    "compliant": ww.CompliantTeeth(stiffness="energy", damping_ratio=0.15),
    "contact": ww.ContactTeeth(elastic="teeth", viscous=ww.HuntCrossley(factor=8)),
}


def loaded_pair(model, start="loaded", damping=1):
    """20 N m turn the pinion at 100 rad/s; the drag behind an elastic shaft, 0.8 N m s at -50 rad/s, is in balance."""
    m = pair(model, pinion=100)
    m.start = start
    m.meshes["mesh"].thickness_allowance = ("-20 um", "-20 um")
    m.add("load", ww.Rotor(inertia=4e-3, position=("60 mm", 0, 0.1)))
    m.add("shaft", ww.TorsionalSpring(bodies=("gear", "load"), stiffness=1e4, damping=damping))
    m.add("motor", ww.Actuator(joint="pinion.bearing", value="20"))
    m.add("drag", ww.Friction(joint="load.bearing", viscous=0.8))
    return m


@pytest.mark.parametrize("name", LADDER)
def test_a_loaded_start_has_the_loads_of_statics(name):
    """20 N m on 20 mm are 1000 N on the teeth and 40 N m in the shaft; either way round, through the backlash."""
    for sign in (1, -1):
        m = loaded_pair(LADDER[name])
        m.bodies["pinion"].speed = sign * 100
        m.forces["motor"].value = f"{sign}*20"
        at = m.assemble()
        assert float(at["mesh.force.tangential"]) == pytest.approx(sign * 1000, rel=1e-7)
        assert float(at["shaft.torque"]) == pytest.approx(-sign * 40, rel=1e-7)
        assert [float(at[f"{name}.w"]) for name in ("pinion", "gear", "load")] == pytest.approx(
            [sign * 100, -sign * 50, -sign * 50]
        )
        assert np.abs(at.motion.a).max() < 1e-3


def test_out_of_balance_the_train_speeds_up_as_a_whole():
    """30 N m: 10 N m more turn 1e-3 + (4e-3 + 4e-3)/4 kg m^2, of which the teeth carry what is behind them."""
    m = loaded_pair(COMPLIANT)
    m.forces["motor"].value = "30"
    at = m.assemble()
    rate = 10 / (1e-3 + 8e-3 / 4)
    assert at.motion.a[0, 0, 5] == pytest.approx(rate, rel=1e-6)
    assert float(at["mesh.force.tangential"]) == pytest.approx((30 - 1e-3 * rate) / 0.02, rel=1e-6)


@pytest.mark.parametrize("start", ["rolling", "loaded"])
def test_no_start_of_elastic_teeth_is_a_crash(start):
    """1000 N in the end. With the train at rest behind a pinion at 100 rad/s: more than 30 times that."""

    def peak(start):
        run = loaded_pair(LADDER["compliant"], start).simulate(end=5e-3, output=500)
        return np.abs(run["mesh.force.tangential"]).max()

    assert peak("rest") > 30e3
    assert peak(start) < {"rolling": 3000, "loaded": 1200}[start]


def test_a_loaded_start_shares_the_load_between_planets():
    """A pin 30 um behind its place, constant stiffness: the shares stay what they are over many turns, and are those
    of the example's page, 1.81 thirds for planet 1; without a sun bearing each has a third."""
    m = ww.load(examples.path("load-sharing"))
    m.outputs, m.start = None, "loaded"
    for mesh in m.meshes.values():
        mesh.model.offset, mesh.model.errors = 0.0, ()

    def forces(at):
        return np.array([at[f"sun{k}.force.transverse"].to_numpy() for k in (1, 2, 3)])

    start = forces(m.assemble())
    assert 3 * start[0] / start.sum() == pytest.approx(1.81, abs=5e-3)
    run = forces(m.simulate(end=0.02, output=50))
    assert np.ptp(run, axis=1).max() < 2e-4 * start.max()  # the sun goes round with the planets
    m.parameters["sun_bearing"] = "10 N/m"
    free = forces(m.assemble())
    assert free / free.sum() == pytest.approx(1 / 3, rel=1e-3)


def test_at_rest_it_is_the_equilibrium():
    """A train that is held at its end: winding up and falling into place are one."""
    m = loaded_pair(LADDER["compliant"])
    m.bodies["pinion"].speed = None
    m.add("hold", ww.JointDriver(joint="load.bearing", value=0))
    wound, fallen = m.assemble(), m.equilibrium()
    for name in ("pinion", "gear"):
        assert float(wound[f"{name}.angle"]) == pytest.approx(float(fallen[f"{name}.angle"]), abs=1e-12)


def test_modes_about_a_loaded_start_have_the_teeth_pressed():
    """M x'' + K x = 0 of three wheels: 1e8 N/m on the base circles, 1e4 N m/rad in the shaft. Else the teeth stand in
    the middle of their backlash."""
    m = loaded_pair(COMPLIANT, damping=0)
    base, turned = 0.02 * np.cos(np.radians(20)) * np.array([1, 2, 0]), np.array([0, 1, -1])
    K = 1e8 * np.outer(base, base) + 1e4 * np.outer(turned, turned)
    root = 1 / np.sqrt([1e-3, 4e-3, 4e-3])
    exact = np.sqrt(np.linalg.eigvalsh(root[:, None] * K * root)[1:]) / (2 * np.pi)
    assert m.modes().natural_frequencies[1:] == pytest.approx(exact, rel=1e-6)


def test_a_loaded_start_follows_torques_of_variants():
    """What is wound up depends on numbers of forces, which other starts do not."""
    m = loaded_pair(LADDER["compliant"])
    m.parameters["torque"] = 20.0
    m.forces["motor"].value = "torque"
    study = ww.Study(
        m, vary={"torque": [10.0, 20.0, 40.0]}, measures={"first": "mean(mesh.force.tangential)"}, end=1e-7
    )
    found = {engine: study.run(engine=engine)["first"].values for engine in ("lanes", "threads")}
    inertia = 1e-3 + 8e-3 / 4
    exact = [(T - 1e-3 * (T - 20) / inertia) / 0.02 for T in (10, 20, 40)]
    for values in found.values():
        assert values == pytest.approx(exact, rel=1e-4)


def test_an_fmu_fixes_what_its_start_depends_on():
    """Its start is found before it is exported: numbers that it depends on cannot be set in it."""
    from wheelwork.exchange.fmu.model import FmuModel

    def settable(m):
        return FmuModel.of(m, [], None, {}, None, {"end": 1}).settable

    m = loaded_pair(COMPLIANT, "rolling")
    m.parameters |= {"torque": 20.0, "d": "60 mm"}
    m.forces["motor"].value = "torque"
    m.bodies["gear"].position = m.bodies["load"].position = ("d", 0, 0)
    assert settable(m) == ["torque"]
    m.start = "loaded"
    assert settable(m) == []


def test_given_speeds_that_strike_are_kept():
    """Housing, pinion and gear free in space with all spins given: nothing that is left can stop the teeth."""
    m = ww.Mechanism("floating", gravity=(0, 0, 0))
    spins = {"housing": (3, -2, 1), "pinion": (3, -2, 80), "gear": (3, -2, 1)}
    for (name, spin), x in zip(spins.items(), (0.03, 0, 0.06), strict=True):
        m.add(name, ww.Body(mass=1, inertia=(1e-3, 1e-3, 2e-3), position=(x, 0, 0), angular_velocity=spin))
    for name, x in (("pinion", 0), ("gear", 0.06)):
        m.add(f"of-{name}", ww.Revolute(bodies=("housing", name), point=(x, 0, 0), axis=(0, 0, 1)))
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "gear"), teeth=(20, 40), module="2 mm", model=COMPLIANT))
    with pytest.warns(StartWarning, match=r"move at 1\.58 m/s"):
        start = speeds(m)
    m.start = "rest"
    assert start == pytest.approx(speeds(m), abs=1e-12)
