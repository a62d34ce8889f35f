"""Colours of figures can be told from their paper and from each other, also by eyes that lack a kind of cone."""

from itertools import combinations

import numpy as np
import pytest

from wheelwork.show.figures.style import DASHES, THEMES, contrast, luminance, styled

# Severe deficiencies (protanopia, deuteranopia, tritanopia) in linear RGB: Machado, Oliveira, Fernandes, A
# physiologically-based model for simulation of color vision deficiency, IEEE TVCG 15 (2009), table 1, severity 1.0.
EYES = {
    "usual": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(color: str) -> np.ndarray:
    c = np.array([int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(color: str, eye: np.ndarray) -> np.ndarray:
    """CIE L*a*b*, white D65."""
    x = XYZ @ np.clip(eye @ linear(color), 0, 1) / np.array([0.9505, 1, 1.089])
    f = np.where(x > 0.008856, np.cbrt(x), 7.787 * x + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_contrast_of_known_colours():
    """WCAG 2.1: black on white has 21, #767676 on white just more than 4.5."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert luminance("#ff0000") == pytest.approx(0.2126)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_text_and_lines_stand_out(theme):
    for text in (theme.ink, theme.soft):
        assert contrast(text, theme.paper) >= 4.5
        assert contrast(text, theme.fill) >= 4.5
    for color in theme.series:
        assert contrast(color, theme.paper) >= 3


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_colours_are_told_apart(theme, eye):
    """Distances in L*a*b* of 10 and more are seen at a glance; the first six have 20 for every eye."""
    for one, other in combinations(theme.series[:6], 2):
        assert np.linalg.norm(lab(one, EYES[eye]) - lab(other, EYES[eye])) > 20
    for one, other in combinations(theme.series, 2):
        assert np.linalg.norm(lab(one, EYES[eye]) - lab(other, EYES[eye])) > 15


def test_lines_differ_in_dashes_too():
    assert len(set(DASHES)) == len(DASHES) >= max(len(theme.series) for theme in THEMES.values())


def test_theme_is_left_where_it_was():
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    with styled("dark"):
        assert mpl.rcParams["axes.facecolor"] == THEMES["dark"].paper
    assert dict(mpl.rcParams) == before
    with (
        pytest.raises(ValueError, match="there is no theme `drak`; take `light`, `dark`, `print`"),
        styled("drak"),
    ):  # type: ignore[arg-type]
        pass
