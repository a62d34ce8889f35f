"""The gallery of the documentation shows every example, and makes again what has changed, and only that."""

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from processes import ran

from wheelwork import examples

from .bundled import model, result

EXT = Path(__file__).parents[2] / "docs" / "ext"

pytestmark = pytest.mark.skipif(not EXT.is_dir(), reason="no documentation beside the tests")


@pytest.fixture
def gallery(monkeypatch):
    monkeypatch.syspath_prepend(str(EXT))
    import gallery

    yield gallery
    for name in ("gallery", "pictures"):
        sys.modules.pop(name, None)


def test_every_example_has_a_page(gallery):
    assert set(gallery.shown_on()) == set(examples.names())


@pytest.mark.slow
def test_entry_of_a_small_model(gallery, tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, "FOLDER", tmp_path)
    entry = gallery.make("pendulum")
    assert entry["title"] == "pendulum"
    assert entry["words"] == "A ball on a massless arm, let go from level."
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(entry["files"])
    assert (tmp_path / "pendulum.png").read_bytes().startswith(b"\x89PNG")
    assert 'class="player"' in (tmp_path / "pendulum.html").read_text()
    numbers = dict(entry["numbers"])
    assert numbers["degrees of freedom"] == "1"
    # at the bottom the weight, and twice that for the turn, less what the ball's own inertia (r = 4 cm) keeps
    largest = 9.80665 * (1 + 2 / (1 + 0.4 * (0.04 / 0.5) ** 2))
    assert numbers["largest reaction"].startswith(f"{largest:.4g} N in `hinge`")
    app = SimpleNamespace(wheelwork_gallery={"pendulum": entry})
    source = ["# Pendulum\n\ntext\n\n## What is tested\n\nmore\n"]
    gallery.add_films(app, "examples/pendulum", source)
    assert source[0].index("## In motion") < source[0].index('data-page="../_static/gallery/pendulum.html"')
    assert source[0].index("| degrees of freedom | 1 |") < source[0].index("## What is tested")
    other = ["## What is tested\n"]
    gallery.add_films(app, "guide/results", other)
    assert other == ["## What is tested\n"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "nearer"), [("trailer", True), ("bouncing-ball", False), ("four-bar", False)]
)
def test_a_machine_that_travels_far_is_shown_where_it_is(gallery, name, nearer):
    """The card of a car would else show a speck on its way; a ball alone needs its way to be seen."""
    found = result(name)
    film = gallery._film(found, model(name))
    shown = gallery._nearer(film, found, 0.35 * film.end)
    assert (shown is not film) == nearer


def test_comments_do_not_count_as_changes(gallery):
    meaning = sys.modules["pictures"]._meaning
    assert meaning('"""Old."""\nx = 1  # why\n') == meaning('"""New words."""\n\nx = 1\n')
    assert meaning("x = 1\n") != meaning("x = 2\n")


def test_a_change_of_what_draws_counts(gallery, tmp_path, monkeypatch):
    pictures = sys.modules["pictures"]
    monkeypatch.setattr(pictures, "DRAWS", [tmp_path])
    file, keys = tmp_path / "wheels.py", []
    for source in ("x = 1\n", "x = 1  # a comment\n", "x = 2\n"):
        file.write_text(source)
        pictures.fingerprint.cache_clear()
        keys.append((gallery.key_of("pendulum"), pictures.key_of(pictures.files()[0])))
    assert keys[0] == keys[1]
    assert not set(keys[1]) & set(keys[2])


def test_a_change_of_a_component_counts(gallery):
    """The delta robot has its arms from a file of their own."""
    arm = examples.path("delta-arm").read_text(encoding="utf-8")
    assert arm in sys.modules["pictures"].model_text("delta-robot")


def test_what_the_build_makes_is_not_in_the_repository():
    """Else a build would change it: nothing in docs that git ignores is tracked."""
    root = EXT.parents[1]
    if not (root / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no clone")
    listed = ran("git", "ls-files", "--cached", "--ignored", "--exclude-standard", "docs", cwd=root)
    assert listed.stdout == ""
