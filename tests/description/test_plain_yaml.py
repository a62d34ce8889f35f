"""Plain YAML read quickly says what ruamel says, to the last position; what is not plain is left to ruamel."""

import random
from pathlib import Path

import pytest

from wheelwork import ModelError, examples
from wheelwork.description.plain_yaml import PlainYaml
from wheelwork.description.source import DEEPEST, parse, parse_any, scalar

PLAIN = {
    "comments": "# first\n\na: 1 # one\n  # deeper\nb: -2e-3   \n\n# last\n",
    "words": "a: some words, with [brackets]\nb: it's\nc: 'it is'\nd: \"2\"\ne: .5\nf: -x\ng: a - b\nh: 3 µ·m²\n",
    "nothing": "a: null\nb: [Null]\n",
    "lists": "a:\n- 1\n- - 2\n  - 3\n- b: 4\n  c: 5\n-   d: 6\n    e: [7]\nf:\n  - g: 8\n",
    "brackets": "a: [1, [2, 3], {b: 4, c: [x y, 'z']}, []]\nd: {}\ne:\n  [1, 2,\n   3]\nf: {g: 1,\n h: 2} # end\n",
    "literal": "a: |\n  one\n    two\n\n  three # no comment\n\nb:\n  c: |\n      x\n  d: 1\n",
    "below": "a: # said below\n  b: 1\nc:\n  [1,\n  2]\nd:\n  # here\n  - 1\n",
}
MORE = {
    "anchor": "a: &x [1]\nb: *x\n",
    "folded": "a: >\n  one\n  two\n",
    "two lines": "a: one\n  two\n",
    "escape": 'a: "\\u00b5m"\n',
    "quoted quote": "a: 'it''s'\n",
    "quoted key": '"a": 1\n',
    "tag": "a: !!str 1\n",
    "merge": "a: {b: 1}\nc:\n  <<: {b: 2}\n",
    "document": "---\na: 1\n",
    "carriage return": "a: 1\r\nb: 2\r\n",
    "comma at the end": "a: [1, 2,]\n",
    "pair in a list": "a: [b: 1]\n",
    "no space": "a: {b:1}\n",
    "comment in brackets": "a: [1, # one\n  2]\n",
    "no value": "a:\nb: 1\n",
    "no value at the end": "a: 1\nb:\n",
    "no end of the last line": "a: |\n  one",
    "chomped": "a: |-\n  one\n",
    "one line in brackets": "a: [b\n  c]\n",
}
WRONG = {
    "twice": "a: 1\na: 2\n",
    "twice in brackets": "a: {b: 1, b: 2}\n",
    "two values": "a: b: c\n",
    "indentation": "a:\n    b: 1\n  c: 2\n",
    "too deep": "a: " + "[" * (DEEPEST + 1) + "1" + "]" * (DEEPEST + 1) + "\n",
    "tab": "a:\n\tb: 1\n",
    "not closed": "a: [1, 2\nb: 3\n",
    "closed by another": "a: [1, 2}\n",
    "a list": "- 1\n- 2\n",
    "nothing": "# nothing\n",
    "control character": "a: \x07\n",
    "literal not indented": "a: |\none\n",
    "less in a literal": "a: |\n    one\n  two\n",
}


def plain(text):
    read = PlainYaml(text, scalar, DEEPEST)
    return None if read.data is None else (read.data, read.values, read.keys)


def by_ruamel(text):
    data, source = parse_any(text, "file.yaml")
    return data, source.values, source.keys


def same(text):
    """What both say of it; the texts of numbers tell 1 from 1.0 and from true."""
    mine, theirs = plain(text), by_ruamel(text)
    assert mine is not None
    assert repr(mine[0]) == repr(theirs[0])
    assert mine[1:] == theirs[1:]


@pytest.mark.parametrize("name", PLAIN)
def test_plain_texts_are_read_here_and_mean_the_same(name):
    same(PLAIN[name])


@pytest.mark.parametrize("name", MORE)
def test_more_than_plain_is_left_to_ruamel(name):
    assert plain(MORE[name]) is None
    assert repr(parse(MORE[name], "file.yaml")[0]) == repr(by_ruamel(MORE[name])[0])


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_by_those_who_know_all_of_yaml(name):
    assert plain(WRONG[name]) is None
    with pytest.raises(ModelError):
        parse(WRONG[name], "file.yaml")


@pytest.mark.parametrize("name", examples.names())
def test_bundled_models_mean_the_same(name):
    text = Path(examples.path(name)).read_text(encoding="utf-8")
    if plain(text) is None:
        assert "&" in text  # the only thing in any of them that is not plain
    else:
        same(text)


PIECES = [
    *("a", "b", "key: ", "k: ", "x:", ": ", ":", "- ", "-", "1", "2.5e-3", "-7", "~", "true", "word", "'q'", '"q"'),
    *("[", "]", "{", "}", ", ", ",", "[1, 2]", "{c: 3}", " # c\n", "# c\n", "#", "|\n", "|", ">", "&x ", "*x", "!t "),
    *("\n", "\n", "\n", "\n  ", "\n  ", "\n    ", "\n ", "  ", " ", "\n\n", "?", "%", "'", '"', "\\", "---\n", "m²"),
]  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_accepted_means_the_same(seed):
    """Texts put together by chance, most of which are no YAML: none that is read here means something else there."""
    chance, accepted = random.Random(seed), 0
    for _ in range(1500):
        text = "".join(["k: ", *chance.choices(PIECES, k=chance.randint(1, 9)), "\n"])
        if plain(text) is not None:
            accepted += 1
            same(text)
    assert accepted > 50
