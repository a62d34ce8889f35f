# ruff: noqa: E501  (messages stand whole, so that they can be searched for)
"""Files that are no descriptions at all, each with the message a user gets."""

import os

import pytest

from wheelwork.description import ModelError, load, loads


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
        ("bodies:\n\tbob: {}\n", "m.yaml:2:1: is indented with a tab, but YAML needs spaces"),
        ("bodies:\n  bob:\n\tmass: 1\n", "m.yaml:3:1: is indented with a tab, but YAML needs spaces"),
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


def component(path):
    return f'components: {{x: {{file: "{path}"}}}}\n'


LONG = "9" * 350


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"bodies: {{a: {{mass: {LONG}}}}}", "bodies.a.mass: needs a finite number, but is `inf`"),
        (f"bodies: {{a: {{mass: -0x{'f' * 350}}}}}", "bodies.a.mass: "),
        (f"bodies: {{a: {{mass: 0x{'f' * 350}}}}}", "bodies.a.mass: needs a finite number, but is `inf`"),
        (f"parameters: {{a: {LONG}}}", "parameters.a: needs a finite number, but is `inf`"),
        (f"analysis: {{type: simulate, end: 1, output: {LONG}}}", "analysis.output: needs a whole number, but is `inf`"),
        ("bodies: {a: {position: [1e160, 0, 0]}}", "bodies.a.position[0]: needs a number of at most 1e+40 (SI units), but is `1e+160`"),
        ("bodies: {a: {position: [1e38 km, 0, 0]}}", "bodies.a.position[0]: needs a number of at most 1e+40 (SI units), but is `1e+41`"),
        ('name: "\\U00110000"', "m.yaml:1:8: is not YAML: there is no such character: the last one is `\\U0010FFFF`"),
        ('name: "\\ud800"', "m.yaml:1:7: name: the text has an unpaired surrogate, `\\ud800`"),
        ('bodies: {"\\udfff": {mass: 1}}', "m.yaml:1:10: bodies: the text has an unpaired surrogate, `\\udfff`"),
        (f"%YAML 1.{'9' * 5000}\n---\nname: a\n", "m.yaml:1:1: is not YAML: there is no such version"),
        ("%YAML 2.0\n---\n%YAML 2.0\n---\nname: a\n", "m.yaml:1:1: is not YAML: "),
        (component("a\\0b.yaml"), "components.x.file: `a\0b.yaml`: is not the name of a file"),
        (component("\\ud800.yaml"), "components.x.file: the text has an unpaired surrogate"),
    ],
    ids=lambda text: text[:40].encode("ascii", "replace").decode().replace("\n", " "),
)  # fmt: skip
def test_numbers_and_characters_that_there_are_not(text, message):
    with pytest.raises(ModelError) as caught:
        loads(text, file="m.yaml")
    said = str(caught.value)
    assert message in said
    said.encode()  # every message can be printed


SHAPED = """\
bodies:
  a: {mass: %s, inertia: [1, 1, 1]}
  b: {density: 7800, shape: {type: box, size: [%s, 1, 1]}}
"""


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        (("1e-300", "1"), "bodies.a.mass: the mass needs 1e-40 to 1e+40 kg, but comes out as 1e-300 kg"),
        (("1", "1e-308"), "bodies.b.shape: the mass needs 1e-40 to 1e+40 kg, but comes out as 7.8e-305 kg"),
        (("1", "5e38"), "bodies.b.shape: the mass needs 1e-40 to 1e+40 kg, but comes out as 3.9e+42 kg"),
        (("big^3", "1"), "bodies.a.mass: needs a number of at most 1e+40 (SI units), but `big^3` comes out as 1e+90"),
    ],
)  # fmt: skip
def test_masses_that_one_cannot_compute_with(numbers, message):
    with pytest.raises(ModelError) as caught:
        loads("parameters: {big: 1e30}\n" + SHAPED % numbers)
    assert message in str(caught.value)
    loads("parameters: {big: 1e30}\n" + SHAPED % ("1e-20", "1e-3"))


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no symbolic links here")
def test_links_in_a_circle(tmp_path):
    for a, b in (("one", "two"), ("two", "one")):
        (tmp_path / f"{a}.yaml").symlink_to(f"{b}.yaml")
    assert "one.yaml: cannot be read: Too many levels of symbolic links" in message_of(tmp_path / "one.yaml")
    said = message_of(write(tmp_path, component("one.yaml")))
    assert said.endswith("components.x.file: `one.yaml`: cannot be read: Too many levels of symbolic links")


@pytest.mark.skipif(not os.path.exists("/proc/kmsg"), reason="no such file here")
def test_a_file_of_the_kernel_that_never_ends(tmp_path):
    """Reading /proc/kmsg waits for the next message; files without a size are not read."""
    said = message_of(write(tmp_path, component("/proc/kmsg")))
    assert "components.x.file: `/proc/kmsg`: " in said


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_as_a_component(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "`pipe`: is not an ordinary file" in message_of(write(tmp_path, component("pipe")))
