"""The smallest JSON for a schema: what pydantic accepts back, and what is refused."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Literal

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from hairpin.testing import FakeModelServer, FakeRequest, fill_schema, minimal_json


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Leaf(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: Literal["leaf"]
    size: Annotated[float, Field(gt=0.5, lt=3)]


class Answer(BaseModel):
    """Everything that the schemas of answers are made of."""

    model_config = ConfigDict(extra="forbid")

    reasoning: Annotated[str, Field(min_length=20)]
    short: Annotated[str, Field(max_length=2)]
    score: Annotated[int, Field(ge=1, le=2)]
    even: Annotated[int, Field(multiple_of=2, ge=3)]
    below: Annotated[int, Field(lt=0)]
    ratio: Annotated[float, Field(ge=0, le=1)]
    done: bool
    colour: Colour
    leaf: Leaf
    leaves: Annotated[list[Leaf], Field(min_length=2)]
    colours: Annotated[set[Colour], Field(min_length=2)]
    names: Annotated[frozenset[str], Field(min_length=2)]
    pair: tuple[int, str]
    maybe: Leaf | None
    either: int | str
    child: Answer | None
    anything: JsonValue
    optional: str = "left out"


def test_the_smallest_value_is_valid_and_has_nothing_that_may_be_left_out() -> None:
    value = minimal_json(Answer.model_json_schema())
    answer = Answer.model_validate_json(json.dumps(value), strict=True)
    assert (answer.score, answer.even, answer.below, answer.ratio, answer.done) == (1, 4, -1, 0, False)
    assert (answer.maybe, answer.child, answer.leaf.kind, len(answer.leaves)) == (None, None, "leaf", 2)
    assert (sorted(answer.names), answer.short) == (["text 1", "text 2"], "te")
    assert isinstance(value, dict)
    assert "optional" not in value


@given(st.integers(-50, 50), st.integers(0, 50), st.integers(1, 7))
def test_a_number_keeps_its_bounds_and_its_step(low: int, width: int, step: int) -> None:
    schema: dict[str, JsonValue] = {"type": "integer", "minimum": low, "maximum": low + width, "multipleOf": step}
    allowed = [number for number in range(low, low + width + 1) if number % step == 0]
    if allowed:
        assert minimal_json(schema) == min(allowed, key=lambda number: (abs(number), -number))
    else:
        with pytest.raises(ValueError, match="no number is allowed"):
            minimal_json(schema)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": 3}, 3),
        ({"type": ["string", "null"]}, None),
        ({"enum": ["a", None]}, None),
        ({"type": "string", "format": "date"}, "2026-01-01"),
        ({"allOf": [{"type": "object", "required": ["a"]}], "properties": {"a": {"type": "null"}}}, {"a": None}),
        ({"anyOf": [{"type": "string", "pattern": "x"}, {"type": "integer"}]}, 0),
        ({"properties": {}}, {}),
        ({}, None),
        ({"$defs": {"a/b": {"const": 1}}, "$ref": "#/$defs/a~1b"}, 1),
    ],
)
def test_other_keywords(schema: dict[str, JsonValue], value: JsonValue) -> None:
    assert minimal_json(schema) == value


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "string", "pattern": "^x$"}, "a string of pattern '.x.' cannot be made up"),
        ({"$ref": "#/$defs/gone"}, "the schema has no part"),
        ({"$ref": "#"}, "refers to itself without an end"),
        ({"type": "object", "required": ["a"], "properties": {"a": False}}, "accepts nothing"),
        ({"type": "array", "minItems": 2, "uniqueItems": True, "items": {"type": "integer"}}, "different items"),
        ({"type": "tuple"}, "no type of JSON: 'tuple'"),
        ({"type": "number", "minimum": 2, "maximum": 1}, "no number is allowed"),
    ],
)
def test_what_cannot_be_filled_is_refused(schema: dict[str, JsonValue], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        minimal_json(schema)


def asked(*contents: str, response_format: JsonValue = None) -> FakeRequest:
    messages: list[JsonValue] = [{"role": "user", "content": content} for content in contents]
    body: JsonValue = {"messages": messages, "response_format": response_format}
    return FakeRequest("POST", "/v1/chat/completions", "", {}, body, 0.0, number=4)


def test_the_schema_stands_in_the_response_format_or_in_the_prompt() -> None:
    schema: JsonValue = {"type": "object", "properties": {"said": {"type": "string"}}, "required": ["said"]}
    expected = '{"said": "Answer 4."}'
    wanted: JsonValue = {"type": "json_schema", "json_schema": {"name": "a", "strict": True, "schema": schema}}
    assert fill_schema(asked("Hi", response_format=wanted)) == expected
    prompt = f"Reply like {{this}} with JSON of this schema:\n{json.dumps(schema, indent=1)}\nNothing else. {{}}"
    assert fill_schema(asked(prompt, "Hi", response_format={"type": "json_object"})) == expected


def test_without_a_schema_texts_differ_by_the_number_of_the_request() -> None:
    assert fill_schema(asked('{"a": 1}')) == "Answer 4."


@pytest.mark.anyio
async def test_it_answers_for_the_server() -> None:
    schema = Leaf.model_json_schema()
    body = {"response_format": {"type": "json_schema", "json_schema": {"name": "leaf", "schema": schema}}}
    async with (
        FakeModelServer(default=fill_schema) as server,
        aiohttp.ClientSession() as client,
        client.post(f"{server.base_url}/chat/completions", json=body) as response,
    ):
        content = (await response.json())["choices"][0]["message"]["content"]
    assert Leaf.model_validate_json(content).kind == "leaf"
