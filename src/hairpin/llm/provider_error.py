"""What a provider says in an error, in whatever shape it says it: status, codes, message, the parameters it names.

What follows from it is ``llm.error_reading``.
"""

from __future__ import annotations

import json
from typing import Final

from pydantic import JsonValue

from hairpin.domain.base import Value
from hairpin.llm.json_body import JsonObject, excerpt, json_object, object_at, text_at

_CODE_KEYS: Final = ("code", "type", "status", "reason")
_MAX_MESSAGE: Final = 16 * 1024


class ProviderError(Value):
    """An error as the provider put it.

    Attributes:
        status: HTTP status; of an error inside a 200 the number that it gives as its code, ``None`` when it gives none.
        codes: its codes and types in lower case, inner ones too.
        message: its words, whole: unbounded lines, credentials and all.
        names: the parameters that it names as fields, outermost part only (``response_format.type`` is the first one).
        is_json: whether it came as a JSON object.
        failed_answer: what the model wrote, where the server says that it is not the JSON that was asked for.
    """

    status: int | None
    codes: tuple[str, ...] = ()
    message: str
    names: tuple[str, ...] = ()
    is_json: bool = True
    failed_answer: str = ""


def provider_error(status: int, body: bytes) -> ProviderError:
    """Read an answer whose status is an error."""
    found = json_object(body)
    if found is None:
        return ProviderError(status=status, message=excerpt(body), is_json=False)
    return _read(found, status)


def error_within(found: JsonObject) -> ProviderError | None:
    """Return the error that an answer with status 200 holds, in itself or in its first choice."""
    choices = found.get("choices")
    for place in (found, choices[0] if isinstance(choices, list) and choices else None):
        if isinstance(place, dict) and place.get("error"):
            return _read(place, None)
    return None


def _read(found: JsonObject, status: int | None) -> ProviderError:
    error = next((found[key] for key in ("error", "detail", "errors") if found.get(key)), found)
    if isinstance(error, list) and error:
        return ProviderError(status=status, message=_join_problems(error), names=_located(error))
    if not isinstance(error, dict):
        return ProviderError(status=status, message=str(error)[:_MAX_MESSAGE])
    return ProviderError(
        status=_status_of(error) if status is None else status,
        codes=_codes_of(error),
        message=_message_of(error),
        names=_root(text_at(error, "param")),
        failed_answer=text_at(error, "failed_generation"),
    )


def _status_of(error: JsonObject) -> int | None:
    """Return the HTTP status that the error itself gives, as number or text."""
    for key in ("code", "status", "status_code"):
        text = text_at(error, key)
        if text.isascii() and text.isdigit() and 400 <= int(text) <= 599:
            return int(text)
    return None


def _codes_of(error: JsonObject) -> tuple[str, ...]:
    inner = object_at(error, "innererror") or object_at(error, "inner_error")
    metadata = object_at(error, "metadata")
    found = [text_at(place, key).lower() for place in (error, inner, metadata) for key in _CODE_KEYS]
    return tuple(dict.fromkeys(code for code in (*found, text_at(metadata, "error_type").lower()) if code))


def _message_of(error: JsonObject) -> str:
    """Return the message; where a relay passes on the words of another provider, these too."""
    message = next((text_at(error, key) for key in ("message", "msg", "detail", "error") if text_at(error, key)), "")
    relayed = text_at(object_at(error, "metadata"), "raw")
    words = ": ".join(part for part in (message, relayed) if part)
    return (words or json.dumps(error, ensure_ascii=False))[:_MAX_MESSAGE]


def _root(path: str) -> tuple[str, ...]:
    root = path.replace("[", ".").split(".")[0].strip("'\"` ")
    return (root,) if root else ()


def _join_problems(problems: list[JsonValue]) -> str:
    """Put a list of validation problems, as FastAPI and pydantic give them, into words."""
    words = [
        f"{'.'.join(_path_of(problem))}: {text_at(problem, 'msg') or text_at(problem, 'message')}"
        if isinstance(problem, dict)
        else str(problem)
        for problem in problems
    ]
    return "; ".join(words)[:_MAX_MESSAGE]


def _located(problems: list[JsonValue]) -> tuple[str, ...]:
    paths = [_path_of(problem) for problem in problems]
    return tuple(dict.fromkeys(path[0] for path in paths if path))


def _path_of(problem: JsonValue) -> list[str]:
    location = problem.get("loc") if isinstance(problem, dict) else None
    path = [str(step) for step in location] if isinstance(location, list) else []
    return path[1:] if path[:1] == ["body"] else path
