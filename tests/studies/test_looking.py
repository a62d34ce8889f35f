"""Figures, indices, reports and chosen variants of studies."""

from pathlib import Path

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.cli import main
from wheelwork.show.figures.study import study_figure
from wheelwork.show.report import report_page
from wheelwork.studies import indices, load_study

from .test_store import MODEL, made

X = ("x1", "x2", "x3")
ISHIGAMI = "mean(sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1))"


def ishigami(sampling: str, count: int, measure: str = ISHIGAMI):
    """A study that measures a function of its parameters alone."""
    text = MODEL[: MODEL.index("study:")].replace("idle: 1", "x1: 0, x2: 0, x3: 0")
    vary = dict.fromkeys(X, f"{np.pi} uniform")
    given = {"count": count, "sampling": sampling, "end": 0.01, "samples": 2, "method": "rk4", "step": 0.01}
    return ww.Study(ww.loads(text), vary, measures={"y": measure}, **given)


@pytest.mark.slow
def test_indices_of_sobol_are_those_of_the_ishigami_function():
    """T. Ishigami, T. Homma (1990), a = 7, b = 0.1, in closed form."""
    pytest.importorskip("SALib")
    a, b = 7.0, 0.1
    first = np.array([0.5 * (1 + b * np.pi**4 / 5) ** 2, a**2 / 8, 0.0])
    third = b**2 * np.pi**8 * (1 / 18 - 1 / 50)
    variance = first.sum() + third
    table = ishigami("saltelli", 1024).run()
    assert table.sizes["variant"] == 1024 * 5
    found = indices(table, "y")
    assert np.allclose(found["first"], first / variance, atol=0.03)
    assert np.allclose(found["total"], (first + np.array([third, 0, third])) / variance, atol=0.03)
    assert np.var(table.y) == pytest.approx(variance, rel=0.05)
    assert study_figure(table, "y", "indices").axes[0].get_ylabel() == "share of the variance"


@pytest.mark.slow
def test_effects_of_morris_are_those_of_a_linear_function():
    """3 x1 - x2 over a range of 2 pi each: effects 6 pi and -2 pi, the same everywhere."""
    pytest.importorskip("SALib")
    table = ishigami("morris", 8, "mean(3*x1 - x2 + 0*x3)").run()
    assert table.sizes["variant"] == 8 * 4
    found = indices(table, "y")
    assert np.allclose(found["mean_effect"], [6 * np.pi, -2 * np.pi, 0], atol=1e-6)
    assert np.allclose(found["mean_absolute_effect"], [6 * np.pi, 2 * np.pi, 0], atol=1e-6)
    assert np.allclose(found["effect_deviation"], 0, atol=1e-6)
    with pytest.raises(ww.ModelError, match="there is no measure `z`"):
        indices(table, "z")
    with pytest.raises(ww.ModelError, match="indices need a study of its own"):
        indices(ishigami("random", 8).run(), "y")
    with pytest.raises(ww.ModelError, match="goes to the ends of ranges"):
        made(vary={"drag": "0.01 normal"}, count=4, sampling="morris")


@pytest.fixture(scope="module")
def grid():
    return made().run()


@pytest.fixture(scope="module")
def drawn():
    return made(vary={"stiffness": "0.5 normal", "drag": "0.05 uniform"}, count=500).run()


@pytest.mark.slow
def test_a_map_has_the_numbers_at_their_places(grid):
    axis = study_figure(grid, "top").axes[0]
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("drag", "stiffness [N/m]")
    (mesh,) = axis.collections
    assert np.array_equal(mesh.get_array().reshape(40, 50), grid["top"].values)


def test_lines_and_distributions_show_the_data(grid, drawn):
    axis = study_figure(grid, "last", "lines").axes[0]
    assert len(axis.lines) == 8
    assert np.array_equal(axis.lines[0].get_ydata(), grid["last"].values[0])
    axis = study_figure(drawn, "last").axes[0]
    shown = [text.get_text() for text in axis.texts]
    assert [text.split(":")[0] for text in shown] == ["5 %", "50 %", "95 %"]
    assert float(shown[1].split(": ")[1]) == pytest.approx(float(np.median(drawn["last"])), rel=1e-3)
    assert sum(patch.get_height() for patch in axis.patches) == 500


@pytest.mark.parametrize("kind", ["scatter", "parallel"])
def test_every_variant_is_in_the_figure(drawn, kind):
    figure = study_figure(drawn, "last", kind, theme="dark")
    count = {"scatter": lambda c: len(c.get_offsets()), "parallel": lambda c: len(c.get_segments())}[kind]
    assert count(figure.axes[0].collections[0]) == 500


def test_a_figure_that_cannot_be_is_refused(grid, drawn):
    for table, name, kind, said in (
        (drawn, "last", "map", "needs a grid"),
        (grid, "tip", None, "there is no measure `tip`"),
        (grid, "top", "pie", "there is no figure `pie`"),
    ):
        with pytest.raises(ValueError, match=said):
            study_figure(table, name, kind)


@pytest.mark.slow
def test_a_report_has_measures_figures_and_failures(grid):
    page = report_page(grid)
    assert "This part of the report could not be made" not in page
    assert page.count("<figure") >= 4
    assert "greatest(block.position.x)" in page
    assert "2000 variants" in page


@pytest.mark.slow
def test_plot_and_view_of_a_store(tmp_path, monkeypatch, capsys):
    pytest.importorskip("zarr")
    monkeypatch.chdir(tmp_path)
    Path("m.yaml").write_text(MODEL)
    assert main(["study", "m.yaml", "-o", "s.zarr", "--report", "r.html"]) == 0
    assert Path("r.html").read_text().startswith("<!doctype html>")
    assert load_study("s.zarr").top.shape == (40, 50)
    assert main(["plot", "s.zarr", "top", "last", "-o", "p.png"]) == 0
    assert Path("p-top.png").stat().st_size > 5000
    assert main(["plot", "s.zarr", "tip"]) == 2
    assert "there is no measure `tip`. did you mean `top`?" in capsys.readouterr().err
    assert main(["view", "s.zarr", "--variant", "51", "--save", "v.html"]) == 0
    assert "stiffness = 1.20513, drag = 0.108163" in capsys.readouterr().out  # row 1, column 1
    assert Path("v.html").stat().st_size > 10_000
    assert main(["view", "s.zarr", "--variant", "2000", "--save", "v.html"]) == 2
    assert "variants from 0 to 1999" in capsys.readouterr().err
