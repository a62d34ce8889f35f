"""Commands in the documentation are ones that there are: verbs, their options, and jobs of `./wheelwork-dev`."""

import re
from functools import cache
from pathlib import Path

import pytest

from wheelwork.cli.app import VERBS, make_app

ROOT = Path(__file__).parents[1]
TEXTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXTS = [text for text in TEXTS if not {"_build", "generated", "jupyter_execute"} & set(text.parts)]
COMMAND = re.compile(r"(?:`|\$ )wheelwork ([a-z]\w*)((?:[^`\n\\]|\\\n)*)")
JOB = re.compile(r"(?:`|\$ |^)\./wheelwork-dev ([a-z]\w*)", re.MULTILINE)


@cache
def options(verb: str) -> frozenset[str]:
    arguments = make_app(verb)[verb].assemble_argument_collection()
    return frozenset(name for argument in arguments for name in (*argument.names, *argument.negatives))


def wrong(text: str) -> list[str]:
    """Commands in a text that there are not."""
    out = []
    for verb, rest in COMMAND.findall(text):
        asked = set(re.findall(r"(?<!\S)--[a-z][a-z-]*", rest)) - {"--help"}
        known = options(verb) if verb in VERBS else None
        out += [verb] if known is None else [f"{verb} {option}" for option in sorted(asked - known)]
    return out


@pytest.mark.slow
def test_verbs_and_their_options_are_there():
    found = {str(text.relative_to(ROOT)): wrong(text.read_text(encoding="utf-8")) for text in TEXTS}
    assert {name: some for name, some in found.items() if some} == {}
    assert wrong("`wheelwork runs m.yaml`\n$ wheelwork plot m-run \\\n  --graph\n") == [
        "runs",
        "plot --graph",
    ]


def test_jobs_are_there():
    known = set(re.findall(r"^    \./wheelwork-dev (\w+)", (ROOT / "wheelwork-dev").read_text("utf-8"), re.M))
    asked = {job for text in TEXTS for job in JOB.findall(text.read_text(encoding="utf-8"))}
    assert asked <= known
    assert asked >= {"test", "docs"}


@pytest.mark.parametrize("verb", VERBS)
def test_the_page_of_the_command_line_has_every_verb(verb):
    page = (ROOT / "docs" / "guide" / "command-line.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `wheelwork {verb}\b", page, re.MULTILINE)


def test_the_page_of_the_command_line_names_options_that_there_are():
    page = (ROOT / "docs" / "guide" / "command-line.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<=`)--[a-z][a-z-]*", page)) - {"--help"}
    assert named <= frozenset().union(*map(options, VERBS))
    assert options("run") >= {"--end", "--resume", "--no-report"}  # these are found
