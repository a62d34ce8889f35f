"""The JSON Schema: valid, and of the same opinion as the reader."""

from importlib.resources import files

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

from wheelwork.description import load
from wheelwork.description.schema import all_parts, field_texts
from wheelwork.description.source import parse
from wheelwork.description.write import to_data

from .strategies import mechanisms

EXAMPLES = sorted(
    (entry for entry in files("wheelwork.examples").iterdir() if entry.name.endswith(".yaml")),
    key=lambda e: e.name,
)


@pytest.mark.slow
def test_it_is_a_valid_schema(schema):
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.slow
@settings(
    deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(mechanisms())
def test_it_accepts_what_is_written(validator, description):
    validator.validate(to_data(description))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda entry: entry.name)
def test_it_accepts_the_examples(validator, example):
    data, _ = parse(example.read_text(encoding="utf-8"), example.name)
    validator.validate(data)
    assert load(str(example)).bodies or load(str(example)).components


BODY = "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"


@pytest.mark.parametrize(
    "text",
    [
        "bodis: {}",
        "bodies: {b: {masss: 1}}",
        "bodies: {1b: {mass: 1}}",
        "bodies: {b: {type: rotr, inertia: 1}}",
        "bodies: {b: {mass: [1]}}",
        "bodies: {b: {type: rotor}}",
        "bodies: {b: {mass: 1, inertia: [1, 1]}}",
        f"{BODY}joints: {{j: {{bodies: [ground, b], point: [0, 0, 0]}}}}",
        f"{BODY}joints: {{j: {{type: revolute, bodies: [ground], point: [0, 0, 0]}}}}",
        f"{BODY}joints: {{j: {{type: revolute, bodies: [ground, b], point: [0]}}}}",
        f"{BODY}forces: {{f: {{type: force, body: b, value: [1, 2, {{time: [1]}}]}}}}",
        "analysis: {type: simulate}",
        "components: {c: {model: {bodis: {}}}}",
        "kind: plane",
    ],
)
def test_it_refuses_what_the_reader_refuses(validator, text):
    data, _ = parse(text, "m.yaml")
    assert not validator.is_valid(data)


def test_empty_headings_are_fine(validator):
    assert validator.is_valid({"bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}}, "joints": None})


PUBLIC = [
    cls
    for cls in all_parts()
    if "type" in cls.model_fields or cls.__name__ in ("Description", "Pose", "Table")
]


@pytest.mark.parametrize("cls", PUBLIC, ids=lambda cls: cls.__name__)
def test_every_field_is_on_the_data_sheet(cls):
    documented = field_texts(cls)
    fields = {name for name in cls.model_fields if name != "type"}
    assert set(documented) == fields
    for name, (_, meaning) in documented.items():
        assert meaning, f"{cls.__name__}.{name} has no meaning written"


@pytest.mark.slow
def test_every_element_can_be_reached_from_the_top(schema):
    definitions = schema["$defs"]
    missing = [
        cls.__name__ for cls in PUBLIC if cls.__name__ not in definitions and cls.__name__ != "Description"
    ]
    assert missing == []
