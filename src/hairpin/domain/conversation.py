"""What is said: exchanges and utterances.

It must not judge; ``domain.failures`` and ``domain.targets`` hold what judges say.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from enum import StrEnum

from pydantic import Field, JsonValue

from hairpin.domain.base import Value


class UtteranceSource(StrEnum):
    """Who wrote a user turn."""

    REPLAYED = "replayed"
    SCRIPTED = "scripted"
    SIMULATED = "simulated"


class Utterance(Value):
    """A user turn u_t, with the strategy that shaped it (``None``: unguided) and notes for the transcript.

    ``regenerations``: how often the simulator's text was thrown away and asked for anew before this one.
    """

    text: str
    source: UtteranceSource = UtteranceSource.SIMULATED
    strategy: str | None = None
    notes: tuple[str, ...] = ()
    regenerations: int = Field(default=0, ge=0)


class Exchange(Value):
    """One user utterance and the reply, (u_t, a_t), t from 0. An empty reply is a reply: ``''``.

    ``latency_ms`` is the time of the request that was answered; ``retry_wait_ms``: what earlier tries of it took.
    """

    t: int = Field(ge=0)
    user: str
    assistant: str
    source: UtteranceSource = UtteranceSource.SIMULATED
    strategy: str | None = None
    latency_ms: float = Field(default=0.0, ge=0)
    retry_wait_ms: float = Field(default=0.0, ge=0)
    ended: bool = False
    state: Mapping[str, JsonValue] | None = None
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()
    regenerations: int = Field(default=0, ge=0)


_OUTER_PUNCTUATION = " .,;:!?\"'“”„‘’‚«»‹›¡¿。、؟،"


def normalise(text: str) -> str:
    """Return ``text`` for comparison: NFKC, case-folded, white space collapsed, outer punctuation gone."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return folded.strip(_OUTER_PUNCTUATION)


def well_formed(text: str) -> str:
    """Return ``text`` with lone surrogates, which no encoding can carry, as U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def is_repetition(exchanges: Sequence[Exchange], *, window: int = 3) -> bool:
    """Whether u and a are both equal, normalised, in the last ``window`` exchanges (design, section 2)."""
    if len(exchanges) < window:
        return False
    last = exchanges[-window:]
    return len({(normalise(e.user), normalise(e.assistant)) for e in last}) == 1


class DialogueTurn(Value):
    """What a judge sees of an exchange: the words, and nothing of how they came about.

    ``state``: what the side channel said after the reply, as JSON, where judges may see it.
    """

    t: int = Field(ge=0)
    user: str
    assistant: str
    state: str | None = None


def dialogue(exchanges: Sequence[Exchange], *, state: bool = False) -> tuple[DialogueTurn, ...]:
    """Return the words alone, without strategies, sources or notes (no judge may see those).

    ``state``: with what the assistant's side channel said after each reply.
    """
    return tuple(
        DialogueTurn(t=e.t, user=e.user, assistant=e.assistant, state=_state_text(e) if state else None)
        for e in exchanges
    )


def _state_text(exchange: Exchange) -> str | None:
    return None if exchange.state is None else json.dumps(dict(exchange.state), ensure_ascii=False, sort_keys=True)
