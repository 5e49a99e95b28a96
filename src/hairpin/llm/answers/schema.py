"""What an answer type looks like to an endpoint and to a model: JSON schemas, words, and the parts that read it.

Worked out once per type; nothing here sees an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pydantic import BaseModel, JsonValue

from hairpin.domain.model_spec import StructuredMode
from hairpin.llm.answers.nodes import (
    ArrayNode,
    BooleanNode,
    ChoiceNode,
    EitherNode,
    Node,
    NumberNode,
    ObjectNode,
    OptionalNode,
    TextNode,
)

Schema = dict[str, JsonValue]

_N_TYPES: Final = 256
_NAME_CHARS: Final = 64
_NOT_FOR_NAMES: Final = re.compile(r"[^a-zA-Z0-9_-]+")
_STRICT_KEYWORDS: Final = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "description"}
)
"""All that strict mode is sure to take, with every provider that has it."""
_PLAIN_KEYWORDS: Final = _STRICT_KEYWORDS | {
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
}


@dataclass(frozen=True, slots=True)
class AnswerShape:
    """An answer type, ready to be asked for.

    Attributes:
        formats: what to send as ``response_format`` in each mode. Shared by all requests: nobody may change them.
        words: the shape for a model that is not given a schema, with the demand to answer in JSON.
        keys: the names on the top level.
        root: reads a parsed object.
    """

    formats: Mapping[StructuredMode, Mapping[str, JsonValue] | None]
    words: str
    keys: frozenset[str]
    root: ObjectNode


@lru_cache(maxsize=_N_TYPES)
def shape_of(answer: type[BaseModel]) -> AnswerShape:
    """Return the shape of ``answer``, whose keys come in the order in which its fields are declared.

    Raises:
        TypeError: the type has a part that no endpoint is sure to take: free keys, recursion, fixed-length tuples.
    """
    whole = _Inliner(answer).inline()
    root = _node(whole, answer.__name__)
    if not isinstance(root, ObjectNode) or not root.members:
        raise TypeError(f"{answer.__name__}: an answer must be an object with fields")
    words = f"Answer with one JSON object and nothing else. All keys, in this order:\n{root.words('')}"
    return AnswerShape(_formats(answer, whole), words, frozenset(key for key, _ in root.members), root)


def _formats(answer: type[BaseModel], whole: Schema) -> Mapping[StructuredMode, Mapping[str, JsonValue] | None]:
    name = _NOT_FOR_NAMES.sub("_", answer.__name__)[:_NAME_CHARS]
    strict: Schema = {"name": name, "strict": True, "schema": _strict(whole)}
    plain: Schema = {"name": name, "schema": whole}
    return {
        StructuredMode.JSON_SCHEMA_STRICT: {"type": "json_schema", "json_schema": strict},
        StructuredMode.JSON_SCHEMA: {"type": "json_schema", "json_schema": plain},
        StructuredMode.JSON_OBJECT: {"type": "json_object"},
        StructuredMode.TEXT: None,
    }


class _Inliner:
    """Writes out pydantic's schema without references, every key required and none but them allowed."""

    def __init__(self, answer: type[BaseModel]) -> None:
        self._name = answer.__name__
        self._whole: Schema = answer.model_json_schema()
        self._open: list[str] = []

    def inline(self) -> Schema:
        return self._schema({key: value for key, value in self._whole.items() if key != "description"})

    def _schema(self, raw: Schema) -> Schema:
        if "$ref" in raw:
            return self._referenced(raw)
        merged = raw
        for part in _schemas(raw.get("allOf")):
            merged = {**merged, **part}
        schema = {key: value for key, value in merged.items() if key in _PLAIN_KEYWORDS}
        if "const" in merged:
            schema["enum"] = [merged["const"]]
        if options := _schemas(merged.get("anyOf")) or _schemas(merged.get("oneOf")):
            schema["anyOf"] = [self._schema(option) for option in options]
        if merged.get("type") == "array":
            schema["items"] = self._items(merged)
        if merged.get("type") == "object":
            schema |= self._members(merged)
        return schema

    def _referenced(self, raw: Schema) -> Schema:
        reference = str(raw["$ref"])
        if reference in self._open:
            raise TypeError(f"{self._name}: an answer cannot contain itself ({reference})")
        self._open.append(reference)
        definition = _mapping(_mapping(self._whole["$defs"])[reference.rpartition("/")[2]])
        # A type's docstring is for its readers; what a model is to know stands at the field.
        own = {key: value for key, value in definition.items() if key != "description"}
        beside = {key: value for key, value in raw.items() if key != "$ref"}
        schema = self._schema({**own, **beside})
        self._open.pop()
        return schema

    def _items(self, raw: Schema) -> JsonValue:
        if "prefixItems" in raw or "items" not in raw:
            raise TypeError(f"{self._name}: arrays in an answer hold any number of items of one type")
        return self._schema(_mapping(raw["items"]))

    def _members(self, raw: Schema) -> Schema:
        if "properties" not in raw:
            raise TypeError(f"{self._name}: objects in an answer name their keys")
        members = {key: self._schema(_mapping(part)) for key, part in _mapping(raw["properties"]).items()}
        return {"properties": {**members}, "required": [*members], "additionalProperties": False}


def _strict(schema: Schema) -> Schema:
    """Return ``schema`` with the keywords that strict mode takes; bounds of numbers go into the description."""
    strict = {key: value for key, value in schema.items() if key in _STRICT_KEYWORDS}
    told = f"{strict.get('description', '')} ({_bounds(schema)[2:]})".strip() if _bounds(schema) else ""
    if told:
        strict["description"] = told
    if "properties" in strict:
        strict["properties"] = {key: _strict(_mapping(part)) for key, part in _mapping(strict["properties"]).items()}
    if "items" in strict:
        strict["items"] = _strict(_mapping(strict["items"]))
    if "anyOf" in strict:
        strict["anyOf"] = [_strict(option) for option in _schemas(strict["anyOf"])]
    return strict


def _node(schema: Schema, name: str) -> Node:
    """Return the part that reads what ``schema`` describes."""
    if options := _schemas(schema.get("anyOf")):
        return _union(options, name)
    choices = schema.get("enum")
    if isinstance(choices, list):
        return ChoiceNode(tuple(choice for choice in choices if not isinstance(choice, list | dict)))
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _READERS:
        raise TypeError(f"{name}: an answer says of every part what it is; this says {schema or 'nothing'}")
    return _READERS[kind](schema, name)


def _union(options: Sequence[Schema], name: str) -> Node:
    parts = tuple(_node(option, name) for option in options if option.get("type") != "null")
    part = parts[0] if len(parts) == 1 else EitherNode(parts)
    return OptionalNode(part) if len(parts) < len(options) else part


def _object(schema: Schema, name: str) -> Node:
    members = _mapping(schema["properties"])
    return ObjectNode(tuple((key, _node(_mapping(part), f"{name}.{key}")) for key, part in members.items()))


_READERS: Final[Mapping[str, Callable[[Schema, str], Node]]] = {
    "string": lambda schema, _: TextNode(str(schema.get("description", ""))),
    "number": lambda schema, _: NumberNode(whole=False, bounds=_bounds(schema)),
    "integer": lambda schema, _: NumberNode(whole=True, bounds=_bounds(schema)),
    "boolean": lambda _, __: BooleanNode(),
    "array": lambda schema, name: ArrayNode(_node(_mapping(schema["items"]), name)),
    "object": _object,
}


def _bounds(schema: Schema) -> str:
    """Return the bounds of a number in words that continue a phrase, such as ``, at least 0, at most 1``."""
    phrases = {
        "minimum": "at least",
        "exclusiveMinimum": "more than",
        "maximum": "at most",
        "exclusiveMaximum": "less than",
        "multipleOf": "a multiple of",
    }
    return "".join(f", {phrase} {schema[keyword]}" for keyword, phrase in phrases.items() if keyword in schema)


def _mapping(value: JsonValue) -> Schema:
    assert isinstance(value, dict), "pydantic writes an object here"
    return value


def _schemas(value: JsonValue) -> list[Schema]:
    return [_mapping(item) for item in value] if isinstance(value, list) else []
