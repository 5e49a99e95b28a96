"""One message of a conversation made elsewhere: whose it is and what it says.

It reads messages as chat services and their logs write them; how messages become exchanges is ``recording_exchanges``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from pydantic import JsonValue

from hairpin.domain.conversation import well_formed


class WrongShapeError(ValueError):
    """A value is no conversation; the text says what is wrong and where."""


class Side(StrEnum):
    """Whose a message is; what is neither the user's nor the assistant's is left out of the conversation."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Message:
    """A message. ``text`` is ``None`` if it holds no words at all, such as a call of a tool.

    Attributes:
        left_out: what of it is no words, each with a name that can be counted: ``tool call``.
        ended: the assistant closed the conversation with it.
    """

    side: Side
    text: str | None
    left_out: tuple[str, ...] = ()
    refused: bool = False
    replaced: bool = False
    ended: bool = False
    state: Mapping[str, JsonValue] | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    latency_ms: float = 0.0


_SIDES: Final[Mapping[str, Side]] = {
    "user": Side.USER,
    "human": Side.USER,
    "assistant": Side.ASSISTANT,
    "bot": Side.ASSISTANT,
    "ai": Side.ASSISTANT,
    "agent": Side.ASSISTANT,
    "gpt": Side.ASSISTANT,
    "model": Side.ASSISTANT,
    "system": Side.SYSTEM,
    "developer": Side.SYSTEM,
    "tool": Side.TOOL,
    "function": Side.TOOL,
}
_ROLE_KEYS: Final = ("role", "from")
_TEXT_KEYS: Final = ("content", "value", "text")
_TEXT_PARTS: Final = frozenset({"text", "input_text", "output_text"})
_CALLS: Final = ("tool_calls", "function_call")
_LONGEST_MS: Final = 1e12


def read_messages(values: object, *, where: str) -> Iterator[Message]:
    """Yield the messages of a list.

    Raises:
        WrongShapeError: it is none, or one of its items, counted from 1, is no message.
    """
    if not isinstance(values, list):
        raise WrongShapeError(f"{where} is {kind_of(values)}, not a list of messages")
    for number, value in enumerate(values, start=1):
        yield _message(value, f"message {number} of {len(values)}")


def kind_of(value: object) -> str:
    """Return what a JSON value is, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
    return "an object"


def shown(value: object) -> str:
    """Return a value of somebody else's for a message, bounded."""
    text = well_formed(repr(value))
    return text if len(text) <= 60 else text[:59] + "…"


def _message(value: object, where: str) -> Message:
    if not isinstance(value, dict):
        raise WrongShapeError(f"{where} is {kind_of(value)}, not an object with role and content")
    side = _side(value, where)
    if side in (Side.SYSTEM, Side.TOOL):
        return Message(side=side, text=None)
    text, left_out = _words(value, side, where)
    clean = None if text is None else well_formed(text)
    calls = sum(_number_of_calls(value.get(key)) for key in _CALLS)
    if side is Side.USER and value.get("state") is not None:
        left_out = (*left_out, "state of the user's")
    common = Message(
        side=side,
        text=clean,
        left_out=(*left_out, *("tool call",) * calls),
        replaced=clean != text,
        refused=side is Side.ASSISTANT and _refusal(value) is not None,
    )
    return common if side is Side.USER else _with_side_channel(common, value, where)


def _side(value: Mapping[str, object], where: str) -> Side:
    key = next((key for key in _ROLE_KEYS if key in value), None)
    if key is None:
        raise WrongShapeError(f"{where} has no role, only {_keys(value)}")
    role = value[key]
    side = _SIDES.get(role.strip().lower()) if isinstance(role, str) else None
    if side is None:
        known = ", ".join(_SIDES)
        raise WrongShapeError(f"{where} has the unknown role {shown(role)}; known: {known}")
    return side


def _keys(value: Mapping[str, object]) -> str:
    return ", ".join(shown(key) for key in list(value)[:6]) or "nothing"


def _words(value: Mapping[str, object], side: Side, where: str) -> tuple[str | None, tuple[str, ...]]:
    """Return what a message says, and what of it is no words."""
    refusal = _refusal(value)
    if side is Side.ASSISTANT and refusal is not None:
        return refusal, ()
    key = next((key for key in _TEXT_KEYS if key in value), None)
    content = value[key] if key is not None else None
    called = any(value.get(call) for call in _CALLS)
    if content is None and called:
        return None, ()
    if key is None:
        raise WrongShapeError(f"{where} has no content, only {_keys(value)}")
    if isinstance(content, str):
        return (None, ()) if called and not content.strip() else (content, ())
    if isinstance(content, list):
        return _parts(content, where)
    if content is None and side is Side.ASSISTANT:
        return "", ()
    raise WrongShapeError(f"{where}: its content is {kind_of(content)}, not a text")


def _refusal(value: Mapping[str, object]) -> str | None:
    """Return the text of a refusal, where there is no other content."""
    refusal = value.get("refusal")
    return refusal if isinstance(refusal, str) and refusal and not value.get("content") else None


def _parts(parts: list[object], where: str) -> tuple[str | None, tuple[str, ...]]:
    texts: list[str] = []
    left_out: list[str] = []
    for part in parts:
        text = _text_of_part(part)
        if text is not None:
            texts.append(text)
        elif isinstance(part, dict) and isinstance(part.get("type"), str):
            left_out.append(f"part of type {shown(part['type'])}")
        else:
            raise WrongShapeError(f"{where}: a part of its content is {kind_of(part)} without a type")
    return ("\n".join(texts) if texts or not parts else None), tuple(left_out)


def _text_of_part(part: object) -> str | None:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return None
    key = "refusal" if part.get("type") == "refusal" else "text"
    text = part.get(key)
    return text if part.get("type") in (*_TEXT_PARTS, "refusal") and isinstance(text, str) else None


def _number_of_calls(calls: object) -> int:
    return len(calls) if isinstance(calls, list) else int(bool(calls))


def _with_side_channel(message: Message, value: Mapping[str, object], where: str) -> Message:
    """Return the assistant's message with its state, its latency and whether it closed the conversation."""
    return replace(
        message,
        ended=value.get("ended") is True,
        state=_object(value, "state", where),
        metadata=_object(value, "metadata", where) or {},
        latency_ms=_latency_ms(value.get("latency_ms"), where),
    )


def _object(value: Mapping[str, object], key: str, where: str) -> Mapping[str, JsonValue] | None:
    found = value.get(key)
    if found is not None and not isinstance(found, dict):
        raise WrongShapeError(f"{where}: its {key} is {kind_of(found)}, not an object")
    return found


def _latency_ms(value: object, where: str) -> float:
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LONGEST_MS:
        raise WrongShapeError(f"{where}: its latency_ms is {shown(value)}, not a number of milliseconds")
    return float(value)
