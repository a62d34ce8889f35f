"""Every figure has labels with units and finite numbers, in every theme, and its text can be read on its paper."""

import base64

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

import wheelwork as ww
from wheelwork import examples
from wheelwork.show.figures.style import THEMES, contrast
from wheelwork.show.player.film import film
from wheelwork.show.player.plots import SignalPlots

pytestmark = pytest.mark.usefixtures("figures_closed")

OF_RESULTS = ["motion", "efforts", "reactions", "tooth_forces", "energy", "residuals", "power_flow", "graph"]
WITHOUT_AXES = {"power_flow", "graph"}


@pytest.fixture(scope="module")
def gearbox():
    return ww.load(examples.path("planetary-gearbox")).simulate(end=1, output=40)


def is_sound(figure, theme: str, bare: bool = False) -> None:
    """Finite numbers; axes with names, units where they have some; text that can be read."""
    look = THEMES[theme]
    assert to_hex(figure.get_facecolor()) == look.paper
    figure.canvas.draw()
    for axis in figure.axes:
        for line in axis.lines:
            assert np.all(np.isfinite(np.asarray(line.get_xydata(), float)))
        texts = [axis.title, axis.xaxis.label, axis.yaxis.label, *axis.texts]
        if axis.get_legend() is not None:
            texts += axis.get_legend().get_texts()
        if axis.axison:
            texts += [*axis.get_xticklabels(), *axis.get_yticklabels()]
        for text in texts:
            if text.get_text():
                # numbers beside edges have the colour of their edge: large enough for 3
                least = 3.0 if bare else 4.5
                assert contrast(to_hex(text.get_color()), look.paper) >= least, text.get_text()
    if not bare:
        labels = [axis.get_ylabel() for axis in figure.axes]
        assert all(label.endswith("]") for label in labels), labels
        assert figure.axes[-1].get_xlabel() == "time [s]"
        limits = [axis.get_xlim() for axis in figure.axes]
        assert limits == [limits[0]] * len(limits), "one time for all"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "theme"), [*((name, "dark") for name in OF_RESULTS), ("energy", "light"), ("efforts", "print")]
)
def test_ready_made(gearbox, name, theme):
    is_sound(getattr(gearbox.plot, name)(theme=theme), theme, name in WITHOUT_AXES)


@pytest.mark.slow
def test_signals_by_name(gearbox):
    figure = gearbox.plot("drum.w", "planet1.w", "sun-planet1.force.normal", theme="dark")
    is_sound(figure, "dark")
    assert [axis.get_ylabel() for axis in figure.axes] == [
        "angular speed [rad/s]",
        "sun-planet1.force.normal [N]",
    ]
    labels = [line.get_label() for line in figure.axes[0].lines]
    assert labels == [f"{body}.w.{c}" for body in ("drum", "planet1") for c in "xyz"], "components of vectors"
    styles = {(line.get_color(), line.get_linestyle()) for line in figure.axes[0].lines}
    assert len(styles) == 6
    np.testing.assert_array_equal(figure.axes[1].lines[0].get_ydata(), gearbox["sun-planet1.force.normal"])


@pytest.mark.slow
def test_saved_on_its_own_paper(gearbox, tmp_path):
    """Also where matplotlib is set up otherwise at the time of saving."""
    import matplotlib as mpl
    from PIL import Image

    figure = gearbox.plot("drum.w", theme="dark")
    with mpl.rc_context({"figure.facecolor": "white", "savefig.dpi": 30}):
        figure.savefig(tmp_path / "x.png")
    assert to_hex(np.array(Image.open(tmp_path / "x.png").getpixel((1, 1))[:3]) / 255) == THEMES["dark"].paper


def test_names_that_do_not_exist(gearbox):
    with pytest.raises(KeyError, match=r"did you mean `sun-planet1\.force\.normal`"):
        gearbox.plot("sun-planet1.force.normale")
    with pytest.raises(ValueError, match="name at least one signal"):
        gearbox.plot()
    with pytest.raises(KeyError, match="there is no joint `pni1`; did you mean `pin1`"):
        gearbox.plot.reactions("pni1")
    with pytest.raises(KeyError, match="there is no mesh `sun-planet`; did you mean `sun-planet"):
        gearbox.plot.tooth_forces("sun-planet")
    with pytest.raises(ValueError, match="no mesh of the mechanism has elastic teeth"):
        gearbox.plot.mesh_stiffness()


def test_what_a_mechanism_lacks_is_said():
    m = ww.Mechanism("stone")
    m.add("stone", ww.Body(mass=1, inertia=(1, 1, 1)))
    r = m.simulate(end=1, output=4)
    for name, why in (
        ("efforts", "nothing drives or loads"),
        ("reactions", "no joints"),
        ("tooth_forces", "no gear meshes"),
        ("residuals", "no constraints"),
        ("power_flow", "no power goes through"),
    ):
        with pytest.raises(ValueError, match=why):
            getattr(r.plot, name)()


def test_events_are_marked_in_every_panel():
    r = ww.load(examples.path("bouncing-ball")).simulate(end=2, output=100)
    impacts = [e.t for e in r.events]
    figure = r.plot("ball.position.z", "ball.velocity.z")
    for axis in figure.axes:
        marks = [line.get_xdata()[0] for line in axis.lines[1:]]
        np.testing.assert_allclose(marks, impacts)
    words = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert f"impact ({len(impacts)})" in words


def test_many_events_remain_apart():
    from wheelwork.engine.engine import Event, EventKind
    from wheelwork.show.figures.panel import MOST_MARKS, mark_events

    events = [Event(t, EventKind.STICK, "x", 0.0) for t in np.linspace(0, 1, 5000)]
    axis = plt.figure().add_subplot()
    mark_events(axis, events, np.array([0.0, 1.0]), THEMES["light"])
    assert len(axis.lines) <= MOST_MARKS + 1
    assert axis.lines[0].get_label() == "stick (5000)"


def test_power_that_is_stored_on_the_way_is_said():
    """A rotor of 2 kg m^2 under 3 N m: after 4 s at 6 rad/s it has 36 J, and took 9 W in the mean; a brake lets it run
    steadily."""
    m = ww.Mechanism("fan", kind="planar", gravity=(0, 0))
    m.add("fan", ww.Rotor(inertia=2))
    m.add("drive", ww.Actuator(joint="fan.bearing", value=3))
    m.add("air", ww.Actuator(joint="fan.bearing", value="-0.001*fan.w"))
    words = m.simulate(end=4).plot.power_flow(0, 4).axes[0].get_title(loc="left")
    assert words.startswith("power, mean from 0 to 4 s; not steady: 8.9")
    assert words.endswith(" W goes into kinetic energy")
    steady = m.with_parameters().model_copy(deep=True)
    steady.bodies["fan"].speed = 3000.0
    assert (
        steady.simulate(end=4).plot.power_flow(0, 4).axes[0].get_title(loc="left")
        == "power, mean from 0 to 4 s"
    )


def test_what_is_always_zero_is_counted_not_drawn():
    """Axial play of floating bearings fills no panel; a machine at rest still has one."""
    r = ww.load(examples.path("helical-reducer")).simulate(end=0.02, output=20)
    axes = r.plot.motion().axes
    assert [axis.get_ylabel() for axis in axes] == ["angle [rad]", "angular speed [rad/s]"]
    (torques,) = r.plot.efforts().axes
    words = [text.get_text() for text in torques.get_legend().get_texts()]
    assert words == ["motor.torque.y", "machine.torque.y", "and 4 at zero"]
    m = ww.Mechanism("rest", kind="planar", gravity=(0, 0))
    m.add("fan", ww.Rotor(inertia=2))
    assert len(m.simulate(end=1).plot.motion().axes) == 2


def test_round_off_is_drawn_as_rest():
    """A train that a coupler locks moves by 1e-16 rad/s; a body that swings by a nanometre is seen to."""
    m = ww.Mechanism("locked", gravity=(0, 0, 0))
    for name, x in (("a", 0.0), ("b", 0.1)):
        m.add(name, ww.Rotor(inertia=1e-2, axis=(0, 0, 1), position=(x, 0, 0)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 30), face_width="20 mm", efficiency=0.95))
    joints = [{"joint": "a.bearing", "factor": 1.0}, {"joint": "b.bearing", "factor": 1.0}]
    m.add("lock", ww.Coupler(joints=joints))
    m.add("drive", ww.Torque(body="a", value=(0, 0, "10*sin(20*t)")))
    m.add("mass", ww.Body(mass=1, inertia=(1, 1, 1), position=(1, 0, 0), velocity=(1e-7, 0, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "mass"), point=(1, 0, 0), axis=(1, 0, 0)))
    m.add("stiff", ww.Actuator(joint="guide", value="-1e4*guide.displacement"))
    r = m.simulate(end=0.2, output=100, rtol=1e-12, atol=1e-16)
    noise = r["a.w"].to_numpy()
    assert 0 < np.max(np.abs(noise)) < 1e-13
    speeds, places = r.plot("a.w", "b.w"), r.plot("mass.position.x", "mass.velocity.x")
    for line in (line for line in speeds.axes[0].lines if len(line.get_ydata()) == len(r.t)):
        assert not np.any(line.get_ydata())
    for axis, name in zip(places.axes, ("mass.position.x", "mass.velocity.x"), strict=True):
        np.testing.assert_array_equal(axis.lines[0].get_ydata(), r[name])
    assert np.ptp(r["mass.position.x"].to_numpy()) == pytest.approx(2e-9, rel=0.05)
    page = SignalPlots(r, film(r)).data("a.w")["values"]
    assert not np.any(np.frombuffer(base64.b64decode(page), "<f4"))
