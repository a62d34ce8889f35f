"""Sections of the report: structure, ratios, loads with times, energy balance, warnings."""

import re

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.results.energy import EnergyWarning
from wheelwork.show.report import report_page
from wheelwork.show.report.sections.loads import largest

from .words import text_of


def test_structure_and_ratios(gearbox_page):
    text = text_of(gearbox_page)
    assert "degrees of freedom 1 by rank, -1 by count" in text
    assert re.search(r"redundant constraints 2: \S+, \S+", text)
    assert "link speed, motor at 1" in text
    assert "drum 1/5 = 0.2" in text, "1 + 72/18 = 5"
    assert "sun-planet1 external motor planet1 18:27 drum -2/3 = -0.666667" in text
    assert "Graph of the gear train" in text


def test_largest_loads_with_their_times(gearbox, gearbox_page):
    text = text_of(gearbox_page)
    force = np.linalg.norm(gearbox["pin1.reaction.force"].to_numpy(), axis=1)
    size, when = largest(gearbox, force)
    assert size == force.max()
    assert gearbox.t[np.argmax(force)] == when
    assert re.search(rf"pin1 {size:.5g} {when:.5g} ", text)
    tooth = np.abs(gearbox["sun-planet1.force.tangential"].to_numpy())
    assert re.search(rf"sun-planet1 {tooth.max():.5g} {gearbox.t[np.argmax(tooth)]:.5g} ", text)


def test_what_carries_nothing_is_named_once(gearbox_page):
    """What rounding leaves is no load, and has no time: 4e-6 N of 207 N in the bearing of a balanced carrier."""
    text = text_of(gearbox_page)
    assert re.search(r"without load: [\w, -]*carrier-bearing", text)
    rows = loads_of(gearbox_page)
    assert not {"carrier-bearing", "sun-bearing"} & rows.keys()
    heads = gearbox_page[gearbox_page.index('id="loads"') :].split("</tr>")[0]
    assert "radial [N]" in heads
    assert "axial [N]" not in heads


def test_energy_balance_and_power_flow(gearbox, gearbox_page):
    text = text_of(gearbox_page)
    work = gearbox.energy_balance().work["drive"][-1]
    assert f"work of drive {work:.5g}" in text
    assert "not accounted for" in text
    assert "Power flow, mean of the last fifth of the run" in text


def test_names_in_notes_are_code_and_open_clutches_dotted():
    r = ww.load(examples.path("gearbox-shift")).simulate(end=0.01, output=10)
    page = report_page(r)
    assert "<code>wheelwork ratios</code>" in page
    assert "`" not in re.sub("<(script|pre|details).*?</\\1>", "", page, flags=re.DOTALL)
    assert "Count as open: clutch, dogs-1, dogs-2, synchroniser, counter-brake." in text_of(page)
    graph = page[page.index("Graph of the gear train") :].split("</figure>")[0]
    assert graph.count("stroke-dasharray: 1.6 2.64") == 6, "five of them, and the legend"


def test_warnings(gearbox_page):
    text = text_of(gearbox_page)
    assert "2 constraints follow from others." in text
    assert "interference" not in text


@pytest.mark.slow
def test_the_same_thing_is_said_once():
    """Teeth of the ring at their full height strike the fillets of all planets."""
    m = ww.load(examples.path("planetary-gearbox"))
    for k in (1, 2, 3):
        m.meshes[f"planet{k}-ring"].tip_alteration = (0, 0)
    text = text_of(report_page(m.simulate(end=0.01, output=2, progress=False)))
    assert "planet1-ring, planet2-ring, planet3-ring, fillet interference:" in text
    assert text.count("fillet interference") == 1


def test_no_warnings_where_nothing_is_wrong(page):
    assert "Warnings" not in text_of(page)


@pytest.mark.slow
def test_coarse_outputs_are_named(tmp_path):
    """A spring swings many times between outputs: works are told from the steps, and cannot be without them."""
    m = ww.Mechanism("ringing", gravity=(0, 0, 0))
    m.add("mass", ww.Body(mass=1, inertia=(1, 1, 1), position=(0.1, 0, 0), velocity=(1, 0, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "mass"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("damper", ww.Actuator(joint="guide", value="-1e4*guide.displacement - guide.speed"))
    r, words = m.simulate(end=1, output=7), "are not accounted for: the outputs are too coarse"
    r.save(tmp_path / "ringing.nc")
    assert words not in text_of(report_page(r))
    with pytest.warns(EnergyWarning):
        assert words in text_of(report_page(ww.load_result(tmp_path / "ringing.nc")))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["modes", "campbell", "response", "stability", "sweep"])
def test_vibration(kind):
    m = ww.load(examples.path("drive-line"))
    parameter = next(iter(m.parameters))
    if kind == "modes":
        found = m.modes()
        frequency = next(mode.natural_frequency for mode in found if mode.natural_frequency > 0)
        words = [f"{frequency:.5g}", "Shapes", "Where the energy is"]
    elif kind == "campbell":
        found = m.campbell(parameter, m_range(m, parameter))
        words = ["Campbell diagram", "No order meets a mode", parameter]
    elif kind == "response":
        found = m.frequency_response("shaft.error", ["fan.w"], np.linspace(1, 60, 60))
        words = ["Frequency response", "Peaks", "fan.w"]
    elif kind == "stability":
        found = m.stability(over={parameter: m_range(m, parameter)})
        words = ["Stability chart", "No motion grows", parameter]
    else:
        found = m.sweep(parameter, m_range(m, parameter)[:2], signals=["fan.w"], settle=0.05, measure=0.05)
        words = ["Response curves", "values of " + parameter]
    page = report_page(found)
    text = text_of(page)
    assert all(word in text for word in words), words
    assert "drive line" in text.lower()
    assert page.count("<svg") >= 1


def m_range(m: ww.Mechanism, name: str) -> np.ndarray:
    from wheelwork.description import flatten

    value = flatten(m).resolve_parameters({})[name]
    return value * np.array([0.9, 1.0, 1.1])


def test_other_things_have_no_report():
    with pytest.raises(TypeError, match="needs what an analysis found"):
        report_page(42)


def loads_of(text: str) -> dict[str, list[str]]:
    """Rows of the tables of loads, by their first cell."""
    part = text[text.index('id="loads"') :].split("</section>")[0]
    rows = re.findall(r"<tr><td>(.*?)</td>(.*?)</tr>", part)
    return {name: re.findall(r"<td[^>]*>(.*?)</td>", rest) for name, rest in rows}


@pytest.mark.slow
def test_radial_and_axial_loads_of_bearings():
    """The middle shaft of the bundled reducer by hand, in steady motion: 4126.4 N across at bearing B; A, a ball
    joint, takes the difference of the two thrusts, 765.2 - 476.8 N, along the axis that the meshes give."""
    m = ww.load(examples.path("helical-reducer"))
    m.parameters["start"] = "120 rad/s"
    page = report_page(m.simulate(end=0.01, output=2))
    rows = loads_of(page)
    force, _, radial, axial = map(float, rows["middle-B"][:4])
    assert radial == force == pytest.approx(4126.4, rel=1e-4)
    assert axial == 0
    force, _, radial, axial = map(float, rows["middle-A"][:4])
    assert axial == pytest.approx(765.2 - 476.8, rel=1e-3)
    assert np.hypot(radial, axial) == pytest.approx(force, rel=1e-4)
    first = rows["first"]
    assert float(first[4]) == pytest.approx(476.8, rel=1e-3) or float(first[4]) == pytest.approx(
        765.2, rel=1e-3
    )


@pytest.mark.slow
def test_bushings_are_bearings():
    """1 kg on a bushing with its axis level: its weight across the axis, pulled with 5 N along; nothing is loose."""
    m = ww.Mechanism("bushing", gravity=(0, 0, -9.81))
    m.add("wheel", ww.Body(mass=1, inertia=(0.01,) * 3))
    stiff = {"stiffness": (1e5,) * 3, "damping": (300,) * 3, "rotational_stiffness": (1e3, 1e3, 0)}
    m.add("bearing", ww.Bushing(bodies=("ground", "wheel"), point=(0, 0, 0), axis=(1, 0, 0), **stiff))
    m.add("pull", ww.Force(body="wheel", value=(5, 0, 0)))
    m.add("moon", ww.Body(mass=1, inertia=(0.01,) * 3, affected_by_gravity=False))
    r = m.simulate(end=2, output=200)
    assert float(r["bearing.force.radial"][-1]) == pytest.approx(9.81, rel=1e-6)
    assert float(r["bearing.force.axial"][-1]) == pytest.approx(-5, rel=1e-6)
    page = report_page(r)
    assert "joint or bushing" in page
    force, _, radial, axial = map(float, loads_of(page)["bearing"][:4])
    assert radial == pytest.approx(float(np.max(r["bearing.force.radial"])), rel=1e-4)
    assert axial == pytest.approx(float(np.max(np.abs(r["bearing.force.axial"]))), rel=1e-4)
    assert force >= radial
    assert "No joint, bearing or bushing ties these bodies to ground: moon." in text_of(page)


@pytest.mark.slow
def test_teeth_in_contact_have_their_pairs():
    """How many, and what one pair carries: all of it while it is alone."""
    r = ww.load(examples.path("tooth-contact")).simulate(end=0.01, output=20)
    pairs, total = np.asarray(r["teeth.pairs"]), np.asarray(r["teeth.force.normal"])
    count, force, when, *_ = loads_of(report_page(r))["teeth"]
    assert count == f"{pairs.min():g} to {pairs.max():g}"
    k = int(np.argmin(np.abs(r.t - float(when))))
    assert pairs[k] == 1
    assert float(force) == pytest.approx(total[k], rel=1e-4)


@pytest.mark.slow
def test_the_largest_force_of_a_pin():
    r = ww.load(examples.path("cycloid-drive")).simulate(end=0.03, output=60)
    page = report_page(r)
    most = np.asarray(r["ring1.force.largest"]).max()
    assert "largest of a pin [N]" in page
    assert f"{most:.5g}" in loads_of(page)["ring1"]


@pytest.mark.slow
def test_a_belt_has_strands_and_no_normal_force():
    m = ww.Mechanism("belt", gravity=(0, 0, 0))
    for name, at in (("a", 0.0), ("b", 0.5)):
        m.add(name, ww.Body(mass=1, inertia=(0.01,) * 3, position=(at, 0, 0)))
        m.add(f"bearing-{name}", ww.Revolute(bodies=("ground", name), point=(at, 0, 0), axis=(0, 0, 1)))
    m.add("belt", ww.BeltMesh(bodies=("a", "b"), radii=(0.05, 0.08), tension=50))
    page = report_page(m.simulate(end=0.01, output=2))
    assert "tight strand [N]" in page
    assert "normal [N]" not in page
    assert loads_of(page)["belt"][0] == "50"
