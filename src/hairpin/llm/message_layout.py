"""Laying out messages the way an endpoint takes them, so that a longer prompt still begins like a shorter one.

It knows roles and order, never what the messages say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from hairpin.ports import ChatMessage

Message = dict[str, JsonValue]

_Turn = tuple[str, str]

_GAP = "\n\n"
_OPENING = "(start)"
"""What the user says first where an endpoint wants the user to begin and the prompt has the assistant begin."""


def lay_out(messages: Sequence[ChatMessage], *, system_role: bool = True, alternate: bool = False) -> list[Message]:
    """Return the messages as the request holds them.

    Messages of the user that follow each other are always one, with a blank line between them. Each rule looks only
    backwards, so that what is appended to a prompt changes nothing before it but the end of the last message.

    Args:
        messages: system, user and assistant in any order.
        system_role: whether there is one; else its text begins the next message of the user.
        alternate: system messages only in front and as one, then user and assistant in turn, the user first.
    """
    said: list[_Turn] = [(message.role, message.text) for message in messages]
    turns = said if system_role and not alternate else _without_inner_system(said)
    if not system_role:
        turns = [("user" if role == "system" else role, text) for role, text in turns]
    merged = _merge(turns, {"user", "assistant", "system"} if alternate else {"user"})
    if alternate:
        merged = _begin_with_user(merged)
    return [{"role": role, "content": text} for role, text in merged]


def _without_inner_system(messages: Iterable[_Turn]) -> list[_Turn]:
    """Turn system messages behind the first other message into the user's."""
    opening = True
    turns = []
    for role, text in messages:
        opening = opening and role == "system"
        turns.append(("user" if role == "system" and not opening else role, text))
    return turns


def _merge(turns: Iterable[_Turn], roles: set[str]) -> list[_Turn]:
    merged: list[_Turn] = []
    for role, text in turns:
        if merged and merged[-1][0] == role and role in roles:
            merged[-1] = (role, merged[-1][1] + _GAP + text)
        else:
            merged.append((role, text))
    return merged


def _begin_with_user(turns: list[_Turn]) -> list[_Turn]:
    first = 1 if turns[0][0] == "system" else 0
    if len(turns) > first and turns[first][0] == "assistant":
        turns.insert(first, ("user", _OPENING))
    return turns
