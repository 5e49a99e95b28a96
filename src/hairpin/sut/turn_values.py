"""What the placeholders of a request template stand for, in one turn.

Secrets are not among them: ``env`` is added by who sends.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pydantic import JsonValue

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart

SESSION_PLACEHOLDERS: Final = ("conversation_id", "session_id", "rng_seed", "context", "history", "env")
"""Known when a session opens."""

TURN_PLACEHOLDERS: Final = (*SESSION_PLACEHOLDERS, "utterance", "t", "messages", "turn_id")
"""Known in each turn."""


def session_values(start: SessionStart, *, session_id: str) -> dict[str, JsonValue]:
    """Return what is known when a session opens.

    Args:
        start: what it opens with; ``history`` are the exchanges handed over, as chat messages.
        session_id: the assistant's own id of the session, else one made for it.
    """
    return {
        "conversation_id": start.conversation_id,
        "session_id": session_id,
        "rng_seed": start.rng_seed,
        "context": start.context.model_dump(mode="json"),
        "history": chat_messages(start.history),
    }


def turn_values(session: dict[str, JsonValue], history: Iterable[Exchange], utterance: str) -> dict[str, JsonValue]:
    """Return what is known in a turn.

    Args:
        session: the values of the session.
        history: every exchange before this turn; what was handed over included.
        utterance: what the user says now.
    """
    exchanges = tuple(history)
    said = chat_messages(exchanges)
    return {
        **session,
        "history": said,
        "messages": [*said, {"role": "user", "content": utterance}],
        "utterance": utterance,
        "t": len(exchanges),
        "turn_id": f"{session['session_id']}/{len(exchanges)}",
    }


def chat_messages(exchanges: Iterable[Exchange]) -> list[JsonValue]:
    """Return exchanges as ``{role, content}`` messages, the oldest first."""
    said: list[JsonValue] = []
    for exchange in exchanges:
        said += [{"role": "user", "content": exchange.user}, {"role": "assistant", "content": exchange.assistant}]
    return said
