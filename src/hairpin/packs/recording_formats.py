"""Which JSON values are conversations: the formats ``turns`` and ``openai``.

It finds the messages and what is said of the conversation as a whole; messages are read by ``recording_messages``.

``turns``: ``{"turns": […]}``, also called ``messages``, ``conversation`` or ``conversations``, or a bare list.
``openai``: ``{"messages": […]}``, or a request and its response: ``{"request": {"messages": …}, "response":
{"choices": …}}``, where either may lie in a ``body``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import ValidationError

from hairpin.domain.conversation import well_formed
from hairpin.domain.users import Context
from hairpin.packs.file_formats import ContextForm
from hairpin.packs.recording_messages import WrongShapeError, kind_of, shown

RecordingFormat = Literal["turns", "openai"]

_LISTS: Final = ("turns", "messages", "conversation", "conversations")
_IDS: Final = ("id", "conversation_id", "dialogue_id", "session_id", "thread_id", "custom_id")
_EXCHANGE_KEYS: Final = ("request", "response", "body", "choices")
_LONGEST_ID: Final = 200


@dataclass(frozen=True, slots=True)
class Found:
    """Where the messages of one conversation are, and what else is said of it.

    Attributes:
        where: how messages of errors call the list.
        from_request: it is one request with its response, so that the next line may be the same conversation, longer.
        id: ``None``: it has none.
    """

    format: RecordingFormat
    messages: object
    where: str
    from_request: bool = False
    id: str | None = None
    context: Context | None = None
    notes: tuple[str, ...] = ()


def find_conversation(value: object, format_: Literal["auto", "turns", "openai"]) -> Found:
    """Return where the conversation is in a JSON value.

    Raises:
        WrongShapeError: there is none of this format.
    """
    if isinstance(value, list) and format_ != "openai":
        return Found(format="turns", messages=value, where="the line")
    if not isinstance(value, dict):
        raise WrongShapeError(f"{kind_of(value)}, not an object that holds a conversation")
    used = format_ if format_ != "auto" else _detected(value)
    messages, where, from_request = _openai(value) if used == "openai" else _turns(value)
    context, notes = _context(value.get("context"))
    return Found(
        format=used,
        messages=messages,
        where=where,
        from_request=from_request,
        id=_id(value),
        context=context,
        notes=(*_own_notes(value), *notes),
    )


def _detected(value: Mapping[str, object]) -> RecordingFormat:
    if any(key in value for key in ("turns", "conversation", "conversations")):
        return "turns"
    return "openai" if "messages" in value or any(key in value for key in _EXCHANGE_KEYS) else "turns"


def _turns(value: Mapping[str, object]) -> tuple[object, str, bool]:
    key = next((key for key in _LISTS if key in value), None)
    if key is None:
        raise WrongShapeError(f"it has none of {', '.join(_LISTS)}, only {_keys(value)}")
    return value[key], repr(key), False


def _openai(value: Mapping[str, object]) -> tuple[object, str, bool]:
    if "messages" in value and not any(key in value for key in _EXCHANGE_KEYS):
        return value["messages"], "'messages'", False
    request = _inner(value, "request")
    response = _inner(value, "response")
    if request is None:
        request = value if "messages" in value else _inner(value, "body")
    asked = None if request is None else request.get("messages")
    if asked is None:
        what = "it holds a response without its request" if response is not None else "it has no messages"
        raise WrongShapeError(f"{what}; what the user said is in the request's messages")
    if not isinstance(asked, list):
        raise WrongShapeError(f"the request's messages are {kind_of(asked)}, not a list of messages")
    return [*asked, *_answers(value if response is None else response)], "'messages'", True


def _inner(value: Mapping[str, object], key: str) -> Mapping[str, object] | None:
    """Return the object at ``key``, or the one in its ``body``."""
    found = value.get(key)
    if not isinstance(found, dict):
        return None
    body = found.get("body")
    return body if isinstance(body, dict) else found


def _answers(response: Mapping[str, object]) -> list[object]:
    """Return the first choice's message; of several choices the user saw one."""
    choices = response.get("choices")
    if choices is None or choices == []:
        return []
    first = choices[0] if isinstance(choices, list) else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(message, dict):
        raise WrongShapeError("its response has choices, but the first one holds no message")
    return [{"role": "assistant", **message}]


def _id(value: Mapping[str, object]) -> str | None:
    for key in _IDS:
        found = value.get(key)
        if isinstance(found, str) and found.strip():
            return " ".join(well_formed(found).split())[:_LONGEST_ID]
        if isinstance(found, int) and not isinstance(found, bool):
            return shown(found)
    return None


def _own_notes(value: Mapping[str, object]) -> tuple[str, ...]:
    notes = value.get("notes")
    if isinstance(notes, list) and all(isinstance(note, str) for note in notes):
        return tuple(well_formed(note) for note in notes)
    return ()


def _context(value: object) -> tuple[Context | None, tuple[str, ...]]:
    """Return the context as far as it is one of ours, and notes on what is not."""
    if value is None:
        return None, ()
    if not isinstance(value, dict):
        return None, (f"left out: its context, which is {kind_of(value)}",)
    known: dict[str, object] = {}
    notes: list[str] = []
    for key, inner in value.items():
        try:
            ContextForm.model_validate({key: inner})
        except ValidationError:
            notes.append(f"left out: {shown(key)} of its context, {shown(inner)}")
        else:
            known[key] = well_formed(inner) if isinstance(inner, str) else inner
    context = Context.model_validate(known)
    return (context if context != Context() else None), tuple(notes)


def _keys(value: Mapping[str, object]) -> str:
    return ", ".join(shown(key) for key in list(value)[:8]) or "nothing"
