# ruff: noqa: E501  (messages stand whole, so that they can be searched for)
"""Files that are no descriptions at all, each with the message a user gets."""

import os

import pytest

from wheelwork.model import ModelError, load, loads


def message_of(path):
    with pytest.raises(ModelError) as caught:
        load(path)
    assert len(caught.value.problems) == 1
    return str(caught.value)


def write(folder, data):
    path = folder / "m.yaml"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def test_missing_file_suggests_a_neighbour(tmp_path):
    write(tmp_path, "bodies: {}")
    path = tmp_path / "n.yaml"
    assert message_of(path) == f"{path}: there is no such file (did you mean `m.yaml`?)"


def test_folder(tmp_path):
    assert message_of(tmp_path) == f"{tmp_path}: is a folder, not a file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert message_of(path) == f"{path}: is not an ordinary file"


@pytest.mark.parametrize("data", ["", "\n\n", "# only a comment\n", "---\n"])
def test_empty_file(tmp_path, data):
    message = message_of(write(tmp_path, data))
    assert "is empty" in message


def test_not_utf8(tmp_path):
    path = write(tmp_path, b"name: a\ncomment: gr\xf6\xdfer\n")
    assert message_of(path) == f"{path}: is not UTF-8 text (byte 0xf6 in line 2) (save the file as UTF-8)"


def test_utf16(tmp_path):
    path = write(tmp_path, "name: a".encode("utf-16"))
    assert "is not UTF-8 text" in message_of(path)


def test_byte_order_mark_is_no_problem(tmp_path):
    assert load(write(tmp_path, b"\xef\xbb\xbfname: a\n")).name == "a"


def test_100_megabytes_are_refused_unread(tmp_path):
    path = tmp_path / "m.yaml"
    with path.open("wb") as file:
        file.truncate(100 * 2**20)  # a sparse file: nothing is there to read
    expected = "is too large: a description may have 16 MB, and this file has 100 MB"
    assert message_of(path) == f"{path}: {expected}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bodies:\n\tbob: {}\n", "m.yaml:2:1: is indented with a tab, but YAML wants spaces"),
        ("bodies:\n  bob:\n\tmass: 1\n", "m.yaml:3:1: is indented with a tab, but YAML wants spaces"),
        ("- a\n- b\n", "m.yaml:1:1: needs a mapping with keys such as `bodies` and `joints`, but is a list"),
        ("hello", "m.yaml:1:1: needs a mapping with keys such as `bodies` and `joints`, but is `hello`"),
        ("name: a: b\n", "m.yaml:1:8: is not YAML: mapping values are not allowed here (is a `:` or"),
        ("name: [a\n", "is not YAML: while parsing a flow sequence"),
        ("name: a\n---\nname: b\n", "m.yaml:2:1: a second document begins here; a file holds one mechanism"),
        ("name: `a`\n", "m.yaml:1:7: is not YAML: while scanning for the next token found character '`'"),
        ("name: *a\n", "m.yaml:1:7: is not YAML: found undefined alias"),
        ("name: \x01\n", "m.yaml: is not YAML: unacceptable character #x0001"),
        ("name: &a [*a]\n", "m.yaml:1:7: an anchor refers to itself"),
        ("name: " + "[" * 120 + "]" * 120, "is nested more than 100 levels deep"),
        ("name: " + "[" * 1000 + "]" * 1000, "is nested more than 100 levels deep"),
        ("name: !!python/object/apply:os.getcwd []\n", "the tag `tag:yaml.org,2002:python/object/apply:os.getcwd` is not"),
        ("name: !thing a\n", "m.yaml:1:7: name: the tag `!thing` is not allowed; a description is plain data"),
        ("? [a]\n: 1\n", "a key is a text, not a list or a mapping"),
        ("bodies: {a: {mass: 1}, a: {mass: 2}}\n", "m.yaml:1:24: bodies.a: `a` is here a second time; the first is in line 1"),
    ],
)  # fmt: skip
def test_bad_yaml(text, message):
    with pytest.raises(ModelError) as caught:
        loads(text, file="m.yaml")
    assert message in str(caught.value)


def test_anchor_bomb_is_counted_not_expanded():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)]
    with pytest.raises(ModelError) as caught:
        loads("\n".join(lines), file="m.yaml")
    assert "anchors repeat values until there are " in str(caught.value)
    assert "at most 100000 may be repeated" in str(caught.value)


def test_anchors_are_fine_in_small_numbers():
    text = "bodies:\n  a: &a {mass: 1, inertia: [1, 1, 1]}\n  b: *a\n"
    assert loads(text).bodies["b"].mass == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 1e-3),
        ("0x10", 16),
        ("0o17", 15),
        ("017", 17),
        ("+5", 5),
        (".5", 0.5),
        ("'2 mm'", 0.002),
        ("'7'", 7),
    ],
)
def test_numbers_are_those_of_yaml_1_2(text, value):
    assert loads(f"parameters: {{x: {text}}}").parameters["x"] == value


@pytest.mark.parametrize("text", ["yes", "on", "1:30", "2001-01-01", "1_000"])
def test_texts_that_yaml_1_1_would_change_stay_texts(text):
    assert loads(f"name: {text}").name == text
