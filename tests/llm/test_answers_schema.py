from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

import pytest
from openai.lib._pydantic import to_strict_json_schema  # what the client library itself would send
from pydantic import BaseModel, Field, JsonValue

from hairpin.domain.model_spec import StructuredMode
from hairpin.llm.answers.schema import shape_of
from tests.llm.verdicts import TurnVerdict, Verdict


def schema(answer: type[BaseModel], mode: StructuredMode) -> dict[str, JsonValue]:
    response_format = shape_of(answer).formats[mode]
    assert response_format is not None
    described = response_format["json_schema"]
    assert isinstance(described, dict)
    found = described["schema"]
    assert isinstance(found, dict)
    return found


def subschemas(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    if isinstance(value, dict):
        yield value
        for key, part in value.items():
            yield from (s for p in part.values() for s in subschemas(p)) if key == "properties" else subschemas(part)  # type: ignore[union-attr]  # properties hold schemas
    elif isinstance(value, list):
        for part in value:
            yield from subschemas(part)


class Bounded(BaseModel):
    """For its readers, not for the model."""

    why: str = Field(description="what you noticed", min_length=3, pattern="^[A-Z]")
    share: float = Field(default=0.5, ge=0, lt=1, description="of the whole")
    single: Literal["only"] = "only"
    inner: Verdict = Field(description="about the whole")
    maybe: Verdict | None = None


def test_strict_schemas_require_every_key_allow_no_other_and_use_no_keyword_that_strict_mode_may_refuse() -> None:
    allowed = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "description"}
    for answer in (TurnVerdict, Bounded):
        for part in subschemas(schema(answer, StructuredMode.JSON_SCHEMA_STRICT)):
            assert part.keys() <= allowed
            if part.get("type") == "object":
                assert part["required"] == list(part["properties"])  # type: ignore[arg-type]  # an object by the line above
                assert part["additionalProperties"] is False


def test_keys_come_in_the_order_of_declaration_so_that_reasoning_precedes_labels() -> None:
    found = schema(TurnVerdict, StructuredMode.JSON_SCHEMA_STRICT)
    assert found["required"] == ["reasoning", "targets", "response", "confidence"]
    assert json.dumps(found).index('"reasoning"') < json.dumps(found).index('"failure"')


def test_a_strict_schema_says_what_the_client_library_would_say() -> None:
    ours = schema(Verdict, StructuredMode.JSON_SCHEMA_STRICT)
    theirs = to_strict_json_schema(Verdict)
    assert ours["required"] == theirs["required"]
    assert ours["properties"]["verdict"]["enum"] == theirs["properties"]["verdict"]["enum"]  # type: ignore[index,call-overload]  # both are objects


def test_bounds_that_strict_mode_cannot_have_are_told_in_words() -> None:
    strict = schema(Bounded, StructuredMode.JSON_SCHEMA_STRICT)["properties"]
    plain = schema(Bounded, StructuredMode.JSON_SCHEMA)["properties"]
    assert isinstance(strict, dict)
    assert isinstance(plain, dict)
    assert strict["share"] == {"type": "number", "description": "of the whole (at least 0, less than 1)"}
    assert plain["share"] == {"type": "number", "description": "of the whole", "minimum": 0, "exclusiveMaximum": 1}
    assert strict["single"] == {"type": "string", "enum": ["only"]}


def test_docstrings_are_not_sent_and_descriptions_of_fields_are() -> None:
    sent = json.dumps(shape_of(Bounded).formats[StructuredMode.JSON_SCHEMA_STRICT])
    assert "for its readers" not in sent.lower()
    assert "bug reports" not in sent
    assert "about the whole" in sent


def test_each_mode_has_its_response_format() -> None:
    formats = shape_of(Verdict).formats
    strict, plain = formats[StructuredMode.JSON_SCHEMA_STRICT], formats[StructuredMode.JSON_SCHEMA]
    assert strict is not None
    assert plain is not None
    assert strict["json_schema"]["strict"] is True  # type: ignore[index,call-overload]  # an object
    assert "strict" not in plain["json_schema"]  # type: ignore[operator]  # an object
    assert formats[StructuredMode.JSON_OBJECT] == {"type": "json_object"}
    assert formats[StructuredMode.TEXT] is None


def test_the_shape_in_words_shows_keys_choices_and_bounds_and_says_json() -> None:
    assert shape_of(TurnVerdict).words == (
        "Answer with one JSON object and nothing else. All keys, in this order:\n"
        "{\n"
        '  "reasoning": <string>,\n'
        '  "targets": [{\n'
        '    "target_id": <string>,\n'
        '    "reasoning": <string>,\n'
        '    "status": -1 | 0 | 1,\n'
        '    "failure": "fallback_response" | "irrelevant_response" | "request_omitted" | "constraint_missed" | null\n'
        "  }, ...],\n"
        '  "response": [{\n'
        '    "mode": "context_forgotten" | "ambiguity_unresolved" | "planning_poor" | "safety_violation",\n'
        '    "evidence": <string>\n'
        "  }, ...],\n"
        '  "confidence": <number, at least 0, at most 1>\n'
        "}"
    )


def test_a_shape_is_worked_out_once() -> None:
    assert shape_of(Verdict) is shape_of(Verdict)


def test_names_of_types_become_names_that_endpoints_take() -> None:
    odd = type("Über[Verdict]" + "x" * 80, (Verdict,), {"__module__": __name__})
    sent = shape_of(odd).formats[StructuredMode.JSON_SCHEMA]
    assert sent is not None
    assert sent["json_schema"]["name"] == "_ber_Verdict_" + "x" * 51  # type: ignore[index,call-overload]  # an object


class Free(BaseModel):
    anything: dict[str, int]


class Recursive(BaseModel):
    children: list[Recursive]


class Pair(BaseModel):
    pair: tuple[int, str]


class Unsaid(BaseModel):
    value: JsonValue


class Empty(BaseModel):
    pass


@pytest.mark.parametrize("answer", [Free, Recursive, Pair, Unsaid, Empty])
def test_types_that_no_endpoint_is_sure_to_take_are_refused(answer: type[BaseModel]) -> None:
    with pytest.raises(TypeError, match=answer.__name__):
        shape_of(answer)
