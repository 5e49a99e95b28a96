"""From messages to exchanges: who spoke when, what is joined, where the conversation ends.

Nothing is lost without a note; which texts mean the end is told by ``EndTokens``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pydantic import JsonValue

from hairpin.domain.conversation import Exchange, UtteranceSource
from hairpin.packs.recording_messages import Message, Side, WrongShapeError

END_OF_CONVERSATION: Final = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")
"""What simulated users of benchmarks say to end a conversation."""

END_OF_TEXT: Final = (
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_turn|>",
    "<end_of_turn>",
    "<|end|>",
    "<|eos|>",
    "<eos>",
    "</s>",
)
"""What models write at the end of each message; they end a conversation only where a user says nothing else."""

_QUOTED: Final = 200
_TURNS_NAMED: Final = 8


@dataclass(frozen=True, slots=True)
class EndTokens:
    """Texts at the end of a message that nobody says. ``more``: further ones that end a conversation."""

    more: tuple[str, ...] = ()

    def cut(self, text: str) -> tuple[str, str | None, bool]:
        """Return ``text`` without such texts at its end, the last of them, and whether one ends the conversation."""
        last: str | None = None
        ends = False
        while token := self._at_end(text):
            last = last or token
            ends = ends or token not in END_OF_TEXT
            text = text.rstrip().removesuffix(token).rstrip()
        return text, last, ends

    def _at_end(self, text: str) -> str | None:
        end, every = text.rstrip(), (*END_OF_CONVERSATION, *self.more, *END_OF_TEXT)
        return next(token for token in every if end.endswith(token)) if end.endswith(every) else None


@dataclass(slots=True)
class Conversation:
    """A conversation that is being put together, message by message."""

    tokens: EndTokens
    exchanges: list[Exchange] = field(default_factory=list)
    _user: list[str] = field(default_factory=list)
    _replies: list[Message] = field(default_factory=list)
    _joined: dict[Side, list[int]] = field(default_factory=lambda: {Side.USER: [], Side.ASSISTANT: []})
    _refused: list[int] = field(default_factory=list)
    _left_out: Counter[str] = field(default_factory=Counter)
    _greeting: list[str] = field(default_factory=list)
    _ended: bool = False
    _ended_by: str = ""
    _closing: bool = False
    _after_end: int = 0
    _unanswered: str | None = None
    _replaced: bool = False

    def add_all(self, messages: Iterable[Message]) -> None:
        """Add every message, and what is still open at the end."""
        for message in messages:
            self._add(message)
        self._close_exchange()
        if not self.exchanges:
            raise WrongShapeError(f"no exchange: {self._why_empty()}")

    def notes(self) -> Iterator[str]:
        """Yield what was left out, joined or cut, in words."""
        if self._greeting:
            yield f"the assistant spoke first, which is no reply: {_quoted(' / '.join(self._greeting))}"
        for side, turns in self._joined.items():
            if turns:
                yield f"several messages of the {side} in a row are one here: {_turns(turns)}"
        if self._refused:
            yield f"the reply is the text of a refusal: {_turns(self._refused)}"
        for what, number in sorted(self._left_out.items()):
            yield f"left out: {number} × {what}"
        if self._replaced:
            yield "characters that no encoding can carry were replaced"
        if self._ended_by:
            yield f"ended by {self._ended_by}"
        if self._after_end:
            yield f"left out: {self._after_end} message{'s' * (self._after_end != 1)} after the end"
        if self._unanswered is not None:
            yield f"the user's last turn got no reply and is left out: {_quoted(self._unanswered)}"

    def _add(self, message: Message) -> None:
        self._replaced = self._replaced or message.replaced
        self._left_out.update(message.left_out)
        if message.text is None:
            if message.side in (Side.SYSTEM, Side.TOOL):
                self._left_out[f"{message.side} message"] += 1
        elif self._ended and not self._may_still_answer(message):
            self._after_end += 1
            self._closing = True
        elif message.side is Side.USER:
            self._add_user(message.text)
        else:
            self._add_reply(message, message.text)

    def _may_still_answer(self, message: Message) -> bool:
        """Whether a message answers what the user said right before the end."""
        return message.side is Side.ASSISTANT and bool(self._user) and not self._closing

    def _add_user(self, said: str) -> None:
        text, token, ends = self.tokens.cut(said)
        if token is not None and not text:
            self._end(token)
            # Whatever follows answers no user.
            self._closing = True
            return
        if self._replies:
            self._close_exchange()
        self._user.append(text)
        if ends:
            self._end(token)

    def _add_reply(self, message: Message, said: str) -> None:
        text, token, ends = self.tokens.cut(said)
        if not self._user:
            self._greeting.append(text)
        else:
            self._replies.append(replace(message, text=text, ended=message.ended or ends))
        if message.ended or ends:
            self._end(token if ends else None)
            self._closing = True

    def _end(self, token: str | None) -> None:
        """Note the end; ``None``: the message itself says so, and needs no note."""
        self._ended, self._ended_by = True, token or ""

    def _close_exchange(self) -> None:
        if not self._replies:
            self._unanswered = "\n".join(self._user) if self._user else self._unanswered
            return
        t, replies = len(self.exchanges), self._replies
        for side, number in ((Side.USER, len(self._user)), (Side.ASSISTANT, len(replies))):
            if number > 1:
                self._joined[side].append(t)
        if any(reply.refused for reply in replies):
            self._refused.append(t)
        self.exchanges.append(_exchange(t, self._user, replies))
        self._user, self._replies = [], []

    def _why_empty(self) -> str:
        if self._unanswered is not None:
            return "the assistant never answers"
        return "the user says nothing" if self._greeting else "nobody says anything"


def _exchange(t: int, user: list[str], replies: list[Message]) -> Exchange:
    states = [reply.state for reply in replies if reply.state is not None]
    metadata: dict[str, JsonValue] = {}
    for reply in replies:
        metadata.update(reply.metadata)
    return Exchange(
        t=t,
        user="\n".join(user),
        assistant="\n".join(reply.text or "" for reply in replies),
        source=UtteranceSource.REPLAYED,
        latency_ms=sum(reply.latency_ms for reply in replies),
        ended=replies[-1].ended,
        state=states[-1] if states else None,
        metadata=metadata,
    )


def as_messages(exchanges: Iterable[Exchange]) -> Iterator[Mapping[str, JsonValue]]:
    """Yield exchanges as the messages from which they are made again."""
    for exchange in exchanges:
        yield {"role": "user", "content": exchange.user}
        reply: dict[str, JsonValue] = {"role": "assistant", "content": exchange.assistant}
        if exchange.state is not None:
            reply["state"] = dict(exchange.state)
        if exchange.metadata:
            reply["metadata"] = dict(exchange.metadata)
        if exchange.latency_ms:
            reply["latency_ms"] = exchange.latency_ms
        if exchange.ended:
            reply["ended"] = True
        yield reply


def _turns(turns: list[int]) -> str:
    named = ", ".join(map(str, turns[:_TURNS_NAMED])) + (" …" if len(turns) > _TURNS_NAMED else "")
    return f"turn{'s' * (len(turns) != 1)} {named}"


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line if len(line) <= _QUOTED else line[: _QUOTED - 1] + '…'}”"
