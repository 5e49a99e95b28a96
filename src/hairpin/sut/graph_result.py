"""Reading a reply out of what a LangGraph application returned.

It knows its objects by what they have (``content``, ``model_dump``), so that the library need not be there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import date, time
from enum import Enum
from pathlib import PurePath
from typing import Final
from uuid import UUID

from pydantic import JsonValue

from hairpin.domain.json_paths import MISSING, Each, Missing, TextPath, parse_path, parse_text_path
from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import ReplyPaths
from hairpin.errors import SutError
from hairpin.sut.chat_completion import one_line
from hairpin.sut.redaction import Redactor
from hairpin.sut.reply_paths import as_text, reply_of_answer, storable

INTERRUPT: Final = "__interrupt__"
_USERS: Final = frozenset({"human", "user"})
_MAX_DEPTH: Final = 200


def interrupts_of(result: object) -> tuple[object, ...]:
    """Return what a graph that stopped to ask a person wants to know; empty when it ran to its end."""
    found = result.get(INTERRUPT) if isinstance(result, Mapping) else None
    return tuple(found) if isinstance(found, Sequence) and not isinstance(found, str) else ()


def reply_of_result(result: object, paths: ReplyPaths | None, *, where: str, redactor: Redactor) -> SutReply:
    """Return the reply in ``result``.

    Without a path of the text it is the content of the last message; of a graph that stopped to ask, its questions.

    Raises:
        SutError: there is none, or what stands at a path is of a kind that no reply can hold.
    """
    paths = paths or ReplyPaths()
    asked = interrupts_of(result)
    try:
        answer: dict[str, JsonValue] = {
            name: _json_at(result, path)
            for name, path in (("error", paths.error), ("ended", paths.ended), ("state", paths.state))
            if path is not None
        }
        answer["text"] = _questions(asked) if asked else _text(result, paths.text)
    except ValueError as error:
        raise SutError(f"{where} {one_line(redactor.clean(str(error)))}") from None
    reply = reply_of_answer(answer, _PATHS, where=where, redactor=redactor)
    return reply.model_copy(update={"metadata": {**reply.metadata, "interrupted": True}}) if asked else reply


def to_json(value: object, *, depth: int = 0) -> JsonValue:
    """Return ``value`` as JSON: messages and other models as what they hold.

    Raises:
        ValueError: it holds something that is no data; names its type.
    """
    if depth > _MAX_DEPTH:
        raise ValueError("holds values nested too deeply")
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, bool | int | str):
        return storable(value)
    if isinstance(value, float):
        return _finite(value)
    if isinstance(value, date | time | UUID | PurePath):
        return str(value)
    plain = _plain(value)
    if isinstance(plain, Mapping):
        return {str(storable(str(key))): to_json(item, depth=depth + 1) for key, item in plain.items()}
    if isinstance(plain, Sequence | set | frozenset) and not isinstance(plain, bytes | bytearray):
        return [to_json(item, depth=depth + 1) for item in plain]
    raise ValueError(f"holds an object of type {type(value).__name__}, which is no JSON")


_PATHS: Final = ReplyPaths(text="text", ended="ended", state="state", error="error")


def _finite(value: float) -> float:
    if value - value != 0:
        raise ValueError(f"holds {value}, which is no JSON")
    return value


def _plain(value: object) -> object:
    """Return a model or dataclass as the mapping of its fields; anything else as it is."""
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return dump()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return value


def _json_at(result: object, path: str) -> JsonValue:
    found = _at(result, parse_path(path))
    return None if isinstance(found, Missing) else to_json(found)


def _at(result: object, path: TextPath) -> object:
    """Return what stands at ``path``; only what it leads through must be data."""
    node = result
    for n, step in enumerate(path, start=1):
        plain = _plain(node)
        if isinstance(step, Each):
            return _in_each(plain, path[n:])
        if isinstance(step, str):
            if not isinstance(plain, Mapping) or step not in plain:
                return MISSING
            node = plain[step]
        elif isinstance(plain, Sequence) and not isinstance(plain, str) and -len(plain) <= step < len(plain):
            node = plain[step]
        else:
            return MISSING
    return node


def _in_each(items: object, rest: TextPath) -> object:
    """Return the texts in the items of a list, joined by line breaks."""
    if not isinstance(items, Sequence) or isinstance(items, str):
        return MISSING
    found = [_at(item, rest) for item in items]
    texts = [to_json(_content(item)) for item in found if item is not None and not isinstance(item, Missing)]
    return "\n".join(as_text(text) for text in texts)


def _text(result: object, path: str) -> JsonValue:
    if not path:
        return _last_words(result)
    found = _at(result, parse_text_path(path))
    if isinstance(found, Missing):
        has = (
            f"it has {', '.join(map(str, plain))}" if isinstance(plain := _plain(result), Mapping) else "it is no state"
        )
        raise ValueError(f"returned nothing at {path!r}, where the reply's text is said to be ({has})")
    return _content(found) if _is_message(found) or isinstance(found, list) else to_json(found)


def _last_words(result: object) -> JsonValue:
    """Return the content of the last message: of a state, of a list of messages, or of a message or text itself."""
    if isinstance(result, str):
        return result
    if _is_message(result):
        return _content(result)
    messages = _at(result, ("messages",)) if not isinstance(result, list | tuple) else result
    if not isinstance(messages, list | tuple) or not messages:
        has = ", ".join(str(key) for key in result) if isinstance(result, Mapping) else type(result).__name__
        raise ValueError(f"returned no messages ({has}); say in 'reply' where the text is")
    last = messages[-1]
    if _field(last, "type") in _USERS or _field(last, "role") in _USERS:
        raise ValueError("added no message: the last one is the user's own; say in 'reply' where the text is")
    return _content(last)


def _is_message(value: object) -> bool:
    return not isinstance(value, type) and (
        hasattr(value, "content") or (isinstance(value, Mapping) and "content" in value)
    )


def _content(message: object) -> JsonValue:
    """Return the text of a message; of one in parts, that of its text parts."""
    content = _field(message, "content") if _is_message(message) else message
    if isinstance(content, list | tuple):
        return "".join(_part_text(part) for part in content)
    return to_json(content)


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return part
    text = _field(part, "text")
    return text if isinstance(text, str) else ""


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _questions(asked: Sequence[object]) -> str:
    return "\n".join(as_text(to_json(_field(interrupt, "value"))) for interrupt in asked)
