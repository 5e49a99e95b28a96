"""What clients send and get, as values: sessions, turns, replies.

It must not know how they travel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar

from pydantic import Field, JsonValue, ValidationError

from hairpin.domain.base import Value
from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.users import Context
from hairpin.testbed.parsing.parser import MAX_CHARS
from hairpin.testbed.server.problems import RequestProblem, not_valid

V = TypeVar("V", bound=Value)


class SpokenMessage(Value):
    """One thing that was said, in the order in which it was said."""

    role: Literal["user", "assistant"]
    content: str


class OpenRequest(Value):
    """What a session opens with; everything has a default."""

    conversation_id: str | None = Field(default=None, min_length=1)
    context: Context = Context()
    rng_seed: int = 0
    history: tuple[SpokenMessage, ...] = ()

    def start(self, *, default_id: str, where: str) -> SessionStart:
        """Return the start of a session; ``default_id`` names a conversation without a name. Raises RequestProblem."""
        return SessionStart(
            conversation_id=self.conversation_id or default_id,
            context=self.context,
            rng_seed=self.rng_seed,
            history=exchanges(self.history, where=f"{where}.history"),
        )


class TurnRequest(Value):
    """What the user says."""

    utterance: str


def parse(body: bytes | str, form: type[V], *, where: str) -> V:
    """Return a JSON text as a value of ``form``; types are not guessed. Raises RequestProblem."""
    try:
        return form.model_validate_json(body, strict=True)
    except ValidationError as error:
        raise not_valid(error, where=where) from error


def bounded(utterance: str, *, where: str) -> str:
    """Return ``utterance``. Raises RequestProblem when it is longer than the testbed reads."""
    if len(utterance) <= MAX_CHARS:
        return utterance
    what = f"the utterance has {len(utterance)} characters, more than {MAX_CHARS}"
    raise RequestProblem(413, what, where=where, hint="say less in one turn")


def exchanges(messages: Sequence[SpokenMessage], *, where: str) -> tuple[Exchange, ...]:
    """Return messages as exchanges; one that got no answer has an empty one, answers in a row are one.

    Raises:
        RequestProblem: an answer before anything was asked.
    """
    found: list[tuple[str, list[str]]] = []
    for index, message in enumerate(messages):
        if message.role == "user":
            found.append((message.content, []))
        elif found:
            found[-1][1].append(message.content)
        else:
            hint = "begin with a message of the user's"
            raise RequestProblem(422, "an answer comes before the first question", where=f"{where}.{index}", hint=hint)
    return tuple(Exchange(t=t, user=user, assistant="\n".join(said)) for t, (user, said) in enumerate(found))


def reply_body(reply: SutReply) -> dict[str, JsonValue]:
    """Return a reply as it is sent: ``text``, ``ended`` and the side channel ``state``."""
    return {"text": reply.text, "ended": reply.ended, "state": None if reply.state is None else dict(reply.state)}


def pieces(text: str) -> list[str]:
    """Return ``text`` word by word, for an answer that comes in pieces; joined they are the text."""
    words: list[str] = []
    start = 0
    for index in range(1, len(text)):
        if text[index - 1].isspace() and not text[index].isspace():
            words.append(text[start:index])
            start = index
    return [*words, text[start:]] if text else []
