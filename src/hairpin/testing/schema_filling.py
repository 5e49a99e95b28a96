"""The smallest value that a JSON schema accepts, and the answerer that serves it to whatever a request asks for.

It knows the schemas that chat models are given; what it cannot fill it refuses, naming the keyword.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Final

from pydantic import JsonValue

from hairpin.testing.received import FakeRequest
from hairpin.testing.scripted_answers import Answer

Schema = Mapping[str, JsonValue]

_MAX_DEPTH: Final = 32
_FORMATS: Final[Mapping[str, str]] = {
    "date": "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "email": "a@example.org",
    "uri": "http://127.0.0.1/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def fill_schema(request: FakeRequest) -> Answer:
    """Answer with the smallest JSON that the request's schema accepts, so that every role can be run.

    The schema is that of ``response_format``, else one that stands in a message. Texts carry the request's number, so
    that no two answers are alike; a request without a schema is answered by such a text alone.
    """
    text = f"Answer {request.number}."
    schema = _response_schema(request) or _schema_in_messages(request)
    return text if schema is None else json.dumps(minimal_json(schema, text=text), ensure_ascii=False)


def minimal_json(schema: Schema, *, text: str = "text") -> JsonValue:
    """Return the smallest value that ``schema`` accepts: required keys alone, shortest lists, null where allowed.

    Args:
        schema: a JSON schema, with ``$ref`` to its own parts.
        text: for strings that are free; cut or padded to the length allowed.

    Raises:
        ValueError: a string with a pattern, a schema without an end, or one that accepts nothing.
    """
    return _Filler(schema, text).fill(dict(schema), 0)


class _Filler:
    def __init__(self, root: Schema, text: str) -> None:
        self._root = root
        self._text = text

    def fill(self, schema: JsonValue, depth: int) -> JsonValue:
        """Return a value for ``schema``, which stands ``depth`` below the whole."""
        if depth > _MAX_DEPTH:
            raise ValueError("the schema refers to itself without an end")
        if not isinstance(schema, dict):
            return self._for_boolean(schema)
        for key in ("const", "default"):
            if key in schema:
                return schema[key]
        choices = schema.get("enum")
        if isinstance(choices, list) and choices:
            return None if None in choices else choices[0]
        if isinstance(reference := schema.get("$ref"), str):
            return self.fill(self._referenced(reference), depth + 1)
        if isinstance(parts := schema.get("allOf"), list):
            return self.fill(_merged(schema, [self._resolved(part) for part in parts]), depth + 1)
        for key in ("anyOf", "oneOf"):
            if isinstance(branches := schema.get(key), list):
                return self._first_possible(branches, depth)
        return self._of_type(schema, depth)

    def _for_boolean(self, schema: JsonValue) -> JsonValue:
        if schema is True:
            return None
        raise ValueError(f"the schema accepts nothing: {schema!r}")

    def _referenced(self, reference: str) -> JsonValue:
        found: JsonValue = dict(self._root)
        for step in reference.removeprefix("#").strip("/").split("/") if reference != "#" else ():
            name = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, dict) or name not in found:
                raise ValueError(f"the schema has no part {reference!r}")
            found = found[name]
        return found

    def _resolved(self, schema: JsonValue) -> JsonValue:
        reference = schema.get("$ref") if isinstance(schema, dict) else None
        return self._referenced(reference) if isinstance(reference, str) else schema

    def _first_possible(self, branches: list[JsonValue], depth: int) -> JsonValue:
        """Return null if a branch is null, else what the first branch allows that can be filled."""
        if {"type": "null"} in branches:
            return None
        refused: list[str] = []
        for branch in branches:
            try:
                return self.fill(branch, depth + 1)
            except ValueError as error:
                refused.append(str(error))
        raise ValueError("; ".join(dict.fromkeys(refused)) or "the schema accepts nothing: no branches")

    def _of_type(self, schema: Schema, depth: int) -> JsonValue:
        match _type_of(schema):
            case "null":
                return None
            case "boolean":
                return False
            case "integer":
                return _number(schema, whole=True)
            case "number":
                return _number(schema, whole=False)
            case "string":
                return self._string(schema)
            case "array":
                return self._array(schema, depth)
            case "object":
                return self._object(schema, depth)
            case unknown:
                raise ValueError(f"no type of JSON: {unknown!r}")

    def _string(self, schema: Schema) -> str:
        if "pattern" in schema:
            raise ValueError(f"a string of pattern {schema['pattern']!r} cannot be made up; script the answer")
        known = _FORMATS.get(str(schema.get("format")))
        if known is not None:
            return known
        longest = _count(schema, "maxLength")
        return self._text.ljust(_count(schema, "minLength") or 0, ".")[:longest]

    def _array(self, schema: Schema, depth: int) -> list[JsonValue]:
        firsts = schema.get("prefixItems")
        items: list[JsonValue] = [self.fill(first, depth + 1) for first in firsts] if isinstance(firsts, list) else []
        shortest = _count(schema, "minItems") or 0
        if schema.get("uniqueItems") is True and shortest > 1:
            return [*items, *self._different(schema.get("items", True), shortest - len(items))]
        items += [self.fill(schema.get("items", True), depth + 1) for _ in range(shortest - len(items))]
        return items

    def _different(self, schema: JsonValue, n_items: int) -> list[JsonValue]:
        """Return ``n_items`` different values: of an enum its first, else texts that are numbered."""
        inner = self._resolved(schema)
        choices = inner.get("enum") if isinstance(inner, dict) else None
        if isinstance(choices, list) and len(choices) >= n_items:
            return choices[:n_items]
        if isinstance(inner, dict) and _type_of(inner) == "string":
            return [f"{self._string(inner)} {number}" for number in range(1, n_items + 1)]
        raise ValueError("a list of different items can only be made up of texts and of enums; script the answer")

    def _object(self, schema: Schema, depth: int) -> dict[str, JsonValue]:
        properties, required = schema.get("properties"), schema.get("required")
        known = properties if isinstance(properties, dict) else {}
        names = [str(name) for name in required] if isinstance(required, list) else []
        return {name: self.fill(known.get(name, True), depth + 1) for name in names}


def _type_of(schema: Schema) -> JsonValue:
    named = schema.get("type")
    if isinstance(named, list):
        return "null" if "null" in named or not named else named[0]
    if named is None:
        return "object" if "properties" in schema else "array" if "items" in schema else "null"
    return named


def _merged(schema: Schema, parts: list[JsonValue]) -> dict[str, JsonValue]:
    """Return ``schema`` with the keywords of its ``allOf``; properties and required names are joined."""
    merged: dict[str, JsonValue] = {}
    for part in ({key: value for key, value in schema.items() if key != "allOf"}, *parts):
        for key, value in part.items() if isinstance(part, dict) else ():
            before = merged.get(key)
            if isinstance(before, dict) and isinstance(value, dict):
                merged[key] = before | value
            elif isinstance(before, list) and isinstance(value, list) and key == "required":
                merged[key] = [*before, *(name for name in value if name not in before)]
            else:
                merged[key] = value
    return merged


def _count(schema: Schema, key: str) -> int | None:
    value = schema.get(key)
    return int(value) if isinstance(value, int | float) else None


def _number(schema: Schema, *, whole: bool) -> int | float:
    """Return the allowed number that is nearest to 0."""
    low, high = _bounds(schema, whole=whole)
    step = schema.get("multipleOf")
    unit: float = step if isinstance(step, int | float) and step > 0 else 1 if whole else 0
    value = min(max(0.0, low), high)
    if unit:
        value = (math.ceil if value == low else math.floor)(value / unit) * unit
    if not low <= value <= high:
        raise ValueError(f"no number is allowed: {dict(schema)}")
    return int(value) if whole else value


def _bounds(schema: Schema, *, whole: bool) -> tuple[float, float]:
    def bound(key: str, otherwise: float) -> float:
        value = schema.get(key)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else otherwise

    low, high = bound("minimum", -math.inf), bound("maximum", math.inf)
    above, below = bound("exclusiveMinimum", -math.inf), bound("exclusiveMaximum", math.inf)
    if whole:
        return max(low, math.floor(above) + 1 if math.isfinite(above) else above), min(
            high, math.ceil(below) - 1 if math.isfinite(below) else below
        )
    return max(low, math.nextafter(above, math.inf)), min(high, math.nextafter(below, -math.inf))


def _response_schema(request: FakeRequest) -> Schema | None:
    """Return the schema that ``response_format`` holds."""
    wanted = request.body.get("response_format") if isinstance(request.body, dict) else None
    holder = wanted.get("json_schema") if isinstance(wanted, dict) else None
    schema = holder.get("schema") if isinstance(holder, dict) else None
    return schema if isinstance(schema, dict) else None


def _schema_in_messages(request: FakeRequest) -> Schema | None:
    """Return the last JSON schema of an object that stands in a message's text."""
    for message in reversed(request.messages):
        content = message.get("content")
        found = [*_schemas_in(content)] if isinstance(content, str) else []
        if found:
            return found[-1]
    return None


def _schemas_in(text: str) -> Iterator[Schema]:
    decoder, start = json.JSONDecoder(), text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except ValueError:
            end = start + 1
        else:
            if isinstance(value, dict) and isinstance(value.get("properties"), dict):
                yield value
        start = text.find("{", end)
