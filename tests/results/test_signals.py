"""Signals of a result by name: values, labels, units, and what is said about wrong names."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.results import UnknownSignal

from .conftest import INERTIA, LENGTH, MASS, G


def test_vector_has_labels_and_unit(swing):
    position = swing["bob.position"]
    assert position.dims == ("time", "component")
    assert list(position["component"].values) == ["x", "y", "z"]
    assert position.attrs["units"] == "m"
    assert position.attrs["long_name"] == "position of the body frame"
    assert position["time"].attrs == {"units": "s", "long_name": "time"}
    assert position.sel(component="y")[0] == pytest.approx(LENGTH)
    np.testing.assert_allclose(np.linalg.norm(position, axis=1), LENGTH, rtol=1e-9)


def test_component_is_the_column_of_the_vector(swing):
    z = swing["bob.position.z"]
    assert z.dims == ("time",)
    assert z.name == "bob.position.z"
    np.testing.assert_array_equal(z, swing["bob.position"].sel(component="z"))


def test_euler_parameters_have_their_own_dimension(swing):
    orientation = swing["bob.orientation"]
    assert orientation.dims == ("time", "euler_parameter")
    assert list(orientation["euler_parameter"].values) == ["w", "x", "y", "z"]


def test_times_are_those_asked_for(swing):
    np.testing.assert_allclose(swing.t, np.linspace(0, 2, 201), atol=1e-15)


def test_speed_at_the_bottom_is_that_of_free_fall(swing):
    # (m l^2 + J) w^2 / 2 = m g l (1 - cos), with the centre of mass a height l lower
    w_bottom = np.sqrt(2 * MASS * G * LENGTH / (MASS * LENGTH**2 + INERTIA))
    assert np.abs(swing["hinge.w"]).max() == pytest.approx(w_bottom, rel=1e-4)  # grid of 0.01 s


def test_dataset_holds_every_signal_with_units(swing):
    assert list(swing.dataset.data_vars) == [s.name for s in swing.signals]
    assert {"hinge.angle", "energy.total", "bob.w", "hinge.reaction.force"} <= set(swing.dataset.data_vars)
    for name, array in swing.dataset.data_vars.items():
        assert array.attrs["units"], name
        assert array.attrs["long_name"], name
    assert swing.dataset.attrs["title"] == "pendulum"
    assert swing.dataset.attrs["outcome"] == "REACHED_END"


def test_signals_tell_unit_and_meaning(swing):
    (w,) = [s for s in swing.signals if s.name == "hinge.w"]
    assert (w.unit, w.meaning, w.components) == ("rad/s", "rate of the joint angle", ())
    assert "bob.position" in swing.names
    assert "bob.position.x" in swing.names
    assert "bob.position.q" not in swing.names
    assert "bob.w.x" in swing
    assert "bob.w.q" not in swing


def test_outputs_of_the_description_choose_what_is_kept(pendulum):
    m = ww.loads(pendulum.to_yaml() + "outputs: [hinge.angle, bob.position.z]\n")
    r = m.simulate(end=0.1, output=2)
    assert list(r.dataset.data_vars) == ["hinge.angle", "bob.position.z"]
    assert r.names == ["hinge.angle", "bob.position.z"]
    assert r["energy.total"].shape == (3,), "others can still be asked for"


def test_outcome_and_report(swing):
    assert swing.outcome.good
    assert swing.report == "t = 2 s: reached the end"
    assert swing.statistics.steps > 10
    assert swing.events == []
    assert repr(swing) == "<Result of 'pendulum': simulate, 201 times, t = 2 s: reached the end>"


def test_failed_run_keeps_what_it_has(pendulum):
    r = pendulum.simulate(end=2, max_steps=20)
    assert not r.outcome.good
    assert r.outcome.name == "TOO_MANY_STEPS"
    assert "`max_steps`" in r.report
    assert 0 < r.t[-1] < 2
    assert np.isfinite(r["bob.position"]).all()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bob.positon.z", "there is no signal `bob.positon.z`; did you mean `bob.position.z`"),
        ("hinge.anlge", "did you mean `hinge.angle`"),
        ("bob", "`bob` is not a signal; it has `bob.position`, `bob.orientation`, `bob.velocity`, `bob.w`"),
        ("bob.zzzzzzzz", "there is no signal `bob.zzzzzzzz`; `bob` has `bob.position`"),
        ("qqqq", "signals begin with `bob`, `hinge`, `energy`, `momentum` and `constraints`"),
    ],
)
def test_unknown_name_gets_the_nearest(swing, name, message):
    with pytest.raises(UnknownSignal) as caught:
        swing[name]
    assert isinstance(caught.value, KeyError)
    assert message in str(caught.value)


def test_every_step_stored_gives_each_time_once(pendulum):
    r = pendulum.simulate(end=0.5, output=5, store_steps=True)
    assert len(r.t) > 6
    assert np.all(np.diff(r.t) > 0)
    assert r.dataset.sizes["time"] == len(r.t)
