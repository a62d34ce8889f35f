"""What a study takes, refuses, measures and gives."""

from importlib.util import find_spec

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.engine.devices import ptx
from wheelwork.engine.outcome import Outcome
from wheelwork.studies.study import StudyWarning
from wheelwork.studies.variation import read_table, read_variants


def pendulum() -> ww.Mechanism:
    return ww.load(examples.path("pendulum"))


def study(vary: dict, **options: object) -> ww.Study:
    given = {"measures": {"top": "greatest(hinge.angle)"}, "end": 0.2, "samples": 20, **options}
    return ww.Study(pendulum(), vary, **given)


@pytest.mark.slow
def test_results_have_the_parameters_as_dimensions_with_units():
    table = study({"length": ["40 cm", "50 cm"], "mass": [1, 2, 3]}).run()
    assert table.top.dims == ("length", "mass")
    assert table.top.shape == (2, 3)
    assert table.length.values.tolist() == [0.4, 0.5]
    assert table.length.attrs["units"] == "m"
    assert table.top.attrs["units"] == "rad"
    assert np.all(table.outcome == "reached end")
    assert "wheelwork: 1" in table.attrs["model"]
    assert np.ptp(table.top.values, axis=1).max() < 1e-9  # a pendulum does not know its mass
    assert np.ptp(table.top.values, axis=0).min() > 1e-3


@pytest.mark.slow
def test_measures_are_those_of_a_single_run():
    """Against NumPy's on the signals of an ordinary run with the same samples."""
    measures = {
        "least": "least(hinge.w)",
        "swing": "peak_to_peak(hinge.angle)",
        "mean": "mean(hinge.w)",
        "rms": "rms(abs(hinge.w) + 1)",
        "above": "time_above(hinge.angle, 0)",
        "rises": "rises(hinge.angle, 0)",
        "ratio": "greatest(hinge.w)/rms(hinge.w)",
        "last": "last(ball.position.x)",
    }
    table = study({"length": [0.5]}, measures=measures, end=3.0, samples=3000).run(engine="lanes")
    run = pendulum().simulate(3.0, output=3000)
    t, w, angle = run.t, run["hinge.w"].values, run["hinge.angle"].values
    wanted = {
        "least": w.min(),
        "swing": np.ptp(angle),
        "mean": np.trapezoid(w, t) / 3,
        "rms": np.sqrt(np.trapezoid((np.abs(w) + 1) ** 2, t) / 3),
        "above": np.trapezoid(1.0 * (angle > 0), t),
        "rises": np.count_nonzero((angle[:-1] <= 0) & (angle[1:] > 0)),
        "ratio": w.max() / np.sqrt(np.trapezoid(w * w, t) / 3),
        "last": run["ball.position"].values[-1, 0],
    }
    assert wanted["rises"] > 0
    for name, value in wanted.items():
        assert float(table[name][0]) == pytest.approx(value, rel=1e-6, abs=1e-7), name


@pytest.mark.parametrize(
    ("vary", "options", "message"),
    [
        ({"lenght": [1.0]}, {}, "there is no parameter `lenght`"),
        ({"length": "0.5 m to 0.4 m in 3"}, {}, "reversed"),
        ({"length": ["1 kg"]}, {}, "is a mass"),
        ({"length": [0.4, 0.4]}, {}, "the same value twice"),
        ({"length": "0.1 m normal"}, {}, "say how many with `count`"),
        (
            {"length": "0.3 m to 0.4 m in 1000000", "mass": "1 kg to 2 kg in 1000000"},
            {},
            "make 1e+12 variants",
        ),
        ({"mass": [1, -1]}, {}, "with mass = -1"),
        (
            {"length": [0.4]},
            {"measures": {"x": "greatest(hinge.angel)"}},
            "no signal or parameter `hinge.angel`",
        ),
        ({"length": [0.4]}, {"measures": {"x": "hinge.angle"}}, "outside of a measure"),
        (
            {"length": [0.4]},
            {"measures": {"x": "time_above(hinge.angle)"}},
            r"is written `time_above\(signal, level\)`, not `time_above\(hinge.angle\)`",
        ),
        (
            {"length": [0.4]},
            {"measures": {"x": "graetest(hinge.w)"}},
            "no measure or function `graetest`; did you",
        ),
        ({"length": [0.4]}, {"measures": {"length": "last(hinge.w)"}}, "`length` is taken by what varies"),
        ({"length": [0.4]}, {"measures": {"outcome": "last(hinge.w)"}}, "`outcome` is taken by a column"),
        ({"length": [0.4]}, {"sampling": "sobol"}, "leave `sampling` out"),
        ({"length": [0.4]}, {"run_in": 0.3}, "leave nothing to measure"),
        ({"length": [0.4]}, {"samples": 1}, "at least 2"),
        ({}, {}, "nothing varies"),
    ],
)
def test_mistakes_are_refused_before_anything_runs(vary, options, message):
    with pytest.raises(ww.ModelError, match=message.replace("+", r"\+")):
        study(vary, **options)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"measures": ["greatest(pivot.w)"]},
            "measures: needs measures by name, such as .*, but is a list of 1",
        ),
        ({"measures": None}, "measures: needs measures by name"),
        ({"vary": "length"}, "vary: needs values of parameters by name, such as .*, but is `length`"),
        ({"count": "many"}, "count: needs a whole number, but is `many`"),
        ({"table": 5}, "table: needs the name of a CSV file"),
        ({"analysis": 3}, "analysis: needs the name of an analysis"),
        ({"run_in": None}, r"run_in: needs a time, such as .*, but is empty"),
        ({"seed": -1}, "seed: must not be negative, but is -1"),
        ({"vary": {3: [1]}}, "vary: a name is a text, but here it is `3`"),
        ({"measures": {3: "greatest(pivot.w)"}}, "measures: a name is a text, but here it is `3`"),
        ({"mechanism": "pendulum.yaml"}, "mechanism: needs a mechanism, such as `ww.load"),
    ],
)
def test_nonsense_is_refused_with_words(wrong, message):
    given = {"mechanism": pendulum(), "vary": {"length": [0.4, 0.5]}, "measures": {"w": "greatest(pivot.w)"}}
    with pytest.raises(ww.ModelError, match=message):
        ww.Study(**{**given, "end": 0.1, **wrong})


def test_measures_and_values_of_another_study_are_taken():
    first = study({"length": [0.4, 0.5]})
    again = ww.Study(pendulum(), first.vary, measures=first.measures, end=0.1)
    assert (again.wanted.names, again.wanted.texts) == (first.wanted.names, first.wanted.texts)
    assert again.variants.count == 2
    modes = ww.Study(
        pendulum(), {"length": [0.4, 0.5]}, measures={"f": "natural_frequency(1)"}, analysis="modes"
    )
    assert ww.Study(pendulum(), modes.vary, measures=modes.measures, analysis="modes").wanted.names == ("f",)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"threads": 0}, "threads: needs a whole number of at least 1, and is 0"),
        ({"store": 3}, "store: needs the name of a folder, but is `3`"),
        ({"client": "tcp://x:1"}, "client: needs a client of `dask.distributed`, but is `tcp://x:1`"),
    ],
)
def test_what_a_run_cannot_use_is_refused(given, message):
    with pytest.raises(ww.ModelError, match=message):
        study({"length": [0.4]}).run(**given)


def test_a_parameter_that_nothing_depends_on_is_refused():
    mechanism = ww.loads(pendulum().to_yaml().replace("parameters:", "parameters:\n  idle: 1", 1))
    with pytest.raises(ww.ModelError, match="no equation contains the parameter `idle`"):
        ww.Study(mechanism, {"idle": [1, 2]}, measures={"x": "last(hinge.w)"}, end=0.1)


@pytest.mark.slow
def test_a_parameter_that_only_sets_the_start_is_honoured():
    table = ww.Study(
        ww.load(examples.path("spinning-top")),
        {"spin": [140, 154]},
        measures={"w": "last(top.w.z)"},
        end=0.01,
        samples=10,
    ).run(engine="lanes")
    assert float(table.w[1] / table.w[0]) == pytest.approx(1.1, rel=0.02)


def test_random_values_follow_their_distributions():
    nominal = {"a": 2.0, "b": 1.0, "c": 3.0}
    for sampling in ("random", "latin hypercube", "sobol"):
        given = {"a": "0.1 normal", "b": "0.5 uniform", "c": "1 to 100 uniform log"}
        columns = read_variants(given, nominal, {}, 4096, sampling, 1).columns
        assert columns["a"].mean() == pytest.approx(2.0, abs=0.01)
        assert columns["a"].std() == pytest.approx(0.1, rel=0.05)
        assert 0.5 <= columns["b"].min() < 0.51
        assert 1.49 < columns["b"].max() <= 1.5
        assert np.log10(columns["c"]).mean() == pytest.approx(1.0, abs=0.03)


def test_a_table_gives_variants(tmp_path):
    path = tmp_path / "variants.csv"
    path.write_text("length [cm],mass\n40,1\n50,2\n")
    found = study({}, table=path).run()
    assert found.top.dims == ("variant",)
    assert found.length.values.tolist() == [0.4, 0.5]
    path.write_text("length [kg],mass\n40,x\n")
    with pytest.raises(ww.ModelError, match="needs a length"):
        study({}, table=path)
    with pytest.raises(ww.ModelError, match="`x` in the column `mass`"):
        read_table(path)


@pytest.mark.slow
def test_a_variant_that_fails_says_why_and_does_not_stop_the_rest():
    """A fixed step that is too long for the stiffest shaft grows without bound."""
    given = {"measures": {"w": "last(motor.w)"}, "end": 1.0, "samples": 10, "method": "rk4", "step": 2e-3}
    mechanism = ww.load(examples.path("drive-line"))
    made = ww.Study(mechanism, {"shaft1": [1500.0, 1e5]}, **given)
    with pytest.warns(
        StudyWarning, match="1 of 2 variants did not reach the end, the first with shaft1 = 100000"
    ):
        table = made.run(engine="lanes")
    assert table.outcome.values[0] == "reached end"
    assert table.outcome.values[1] in (str(Outcome.UNSTABLE), str(Outcome.NOT_FINITE))
    assert np.isfinite(table.w[0])
    assert np.isnan(table.w[1])
    assert float(table.end_time[1]) < 1.0


def test_what_lanes_do_not_have_runs_in_threads():
    mechanism = ww.load(examples.path("stick-slip"))
    name = next(iter(mechanism.parameters))
    value = float(mechanism.compile().assemble().prepared.numbers.parameters[name])
    given = {"measures": {"e": "last(energy.kinetic)"}, "end": 0.05, "samples": 5}
    made = ww.Study(mechanism, {name: [value, 1.1 * value]}, **given)
    table = made.run()
    assert table.attrs["engine"] == "threads"
    assert "friction" in table.attrs["why_not_lanes"]
    single = mechanism.simulate(0.05, output=5, parameters={name: 1.1 * value})
    assert float(table.e[1]) == pytest.approx(float(single["energy.kinetic"][-1]), rel=1e-9)
    with pytest.raises(ww.ModelError, match="cannot be run in lanes: dry friction"):
        made.run(engine="lanes")


@pytest.mark.slow
def test_code_for_a_graphics_processor_is_made_anywhere_and_a_missing_device_is_said():
    """PTX with one entry, nothing in local memory but what the driver spills, and no call that would need a library."""
    made = study({"length": [0.4, 0.5]}, method="rk4", step=1e-3)
    groups, why = made._lanes()
    assert groups is not None, why
    for method in ("rk4", "dopri5"):
        text = ptx(groups[0].program, method)
        assert text.count(".entry run(") == 1
        assert ".local" not in text
        assert "call" not in text
    if find_spec("cupy") is None:
        with pytest.raises(ww.ModelError, match="CuPy is not installed"):
            made.run(engine="gpu")
    else:
        assert np.array_equal(made.run(engine="gpu").top, made.run(engine="lanes").top)


def test_a_table_that_is_no_table_is_refused(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(b"drag\n" + b'"' + b"1" * 200_000)  # more than a field of a CSV file may have
    with pytest.raises(ww.ModelError, match="is not a CSV file"):
        read_table(path)
    path.write_bytes(b"drag\n\xff\n")
    with pytest.raises(ww.ModelError, match="is not UTF-8 text"):
        read_table(path)
    with pytest.raises(ww.ModelError, match="is not an ordinary file"):
        read_table("/dev/null")
