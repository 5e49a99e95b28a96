"""Frozen values as JSON text, exactly.

It must not know what any table holds; which columns stand beside the text is ``store.rows``.

Text is kept whatever it holds. Lone surrogates, which UTF-8 cannot carry, are written as ``\\udXXX`` escapes and come
back as they were; only a high one directly followed by a low one comes back as the single character that they encode.
"""

from __future__ import annotations

import json
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from hairpin.domain.base import Value
from hairpin.errors import StoreError

V = TypeVar("V", bound=Value)


def to_json(value: Value) -> str:
    """Return ``value`` as JSON text without NUL characters and without lone surrogates, whatever its strings hold."""
    try:
        return value.model_dump_json()
    except PydanticSerializationError:
        # Only text that is no valid Unicode gets here, so the slow way is rare.
        return json.dumps(value.model_dump(mode="json"), ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def from_json(kind: type[V], text: str) -> V:
    """Return the value that ``to_json`` wrote.

    Raises:
        ValueError: the text is no JSON, or not of this kind (pydantic's ValidationError is one).
    """
    try:
        return kind.model_validate_json(text)
    except ValidationError:
        # pydantic's parser refuses lone surrogates and nesting beyond 200 levels; Python's reads both.
        return kind.model_validate(json.loads(text))


def stored(kind: type[V], text: str, place: str, table: str) -> V:
    """Return the value in a row of ``table``; ``place`` is what messages call the database.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        return from_json(kind, text)
    except ValueError as error:
        raise StoreError(
            f"{place}: table {table} holds a row that cannot be read: {error}; the database was changed by something "
            "else than Hairpin: restore a copy"
        ) from error


def column_text(text: str) -> str:
    """Return ``text`` as every database can hold it in a text column: NUL and lone surrogates become escapes."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
