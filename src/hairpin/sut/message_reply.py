"""A reply put together from messages: which ones belong to it, which one is the last, what they say together.

Pure: it hears nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from hairpin.domain.json_paths import MISSING, parse_text_path, value_at
from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import Match, WebSocketSut
from hairpin.errors import SutError
from hairpin.sut.redaction import Redactor
from hairpin.sut.reply_paths import (
    is_said,
    matches,
    needs_json,
    parse_json,
    reply_of_answer,
    reply_of_text,
    words_of_piece,
)


class MessageReply:
    """The reply of one turn in the making.

    Args:
        spec: what belongs to a reply and what ends it.
        where: who answers, as messages call it.
        redactor: knows what neither messages nor replies may show.

    ``over``: the assistant has said all that it had to say in this turn, a reply or an error.
    """

    def __init__(self, spec: WebSocketSut, *, where: str, redactor: Redactor) -> None:
        self.over = False
        self._spec = spec
        self._where = where
        self._redactor = redactor
        self._pieces: list[str] = []
        self._n_bytes = 0
        self._ended = False
        self._state: Mapping[str, JsonValue] | None = None

    def take(self, message: str | bytes) -> SutReply | None:
        """Return the reply if ``message`` ends it, else ``None``.

        Raises:
            SutError: the assistant said that something is wrong, or what it said is no reply.
        """
        text = self._text_of(message)
        if text is None:
            return None
        answer = _value_of(text)
        self._refuse_error(answer)
        belongs = self._spec.only is None or matches(answer, self._spec.only)
        if belongs:
            self._count(message)
        if self._spec.until is None:
            return self._whole(text) if belongs else None
        last = _is_last(answer, text, self._spec.until)
        if belongs or last:
            self._add(answer, text, speaks=belongs and not (last and not self._spec.until.path))
        return self._joined() if last else None

    def says(self, message: str | bytes, wanted: Match) -> bool:
        """Whether ``message``, which is no part of a reply, says what is waited for. Raises SutError, as ``take``."""
        text = message if isinstance(message, str) else message.decode(errors="replace")
        answer = _value_of(text)
        self._refuse_error(answer)
        return _is_last(answer, text, wanted)

    def _refuse_error(self, answer: JsonValue) -> None:
        if is_said(answer, self._spec.reply.error):
            self.over = True
            reply_of_answer(answer, self._spec.reply, where=self._where, redactor=self._redactor)

    def _text_of(self, message: str | bytes) -> str | None:
        if isinstance(message, str):
            return message
        try:
            return message.decode()
        except UnicodeDecodeError:
            if self._spec.only is not None:
                return None
            raise SutError(
                f"{self._where} sent a binary message of {len(message)} bytes that is not UTF-8; "
                "name the messages of a reply in 'only' if others are not meant for it"
            ) from None

    def _count(self, message: str | bytes) -> None:
        self._n_bytes += len(message.encode() if isinstance(message, str) else message)
        if self._n_bytes > self._spec.max_reply_bytes:
            raise SutError(f"{self._where} sent more than {self._spec.max_reply_bytes} bytes in one reply")

    def _whole(self, text: str) -> SutReply:
        self.over = True
        return reply_of_text(text, self._spec.reply, where=self._where, redactor=self._redactor)

    def _add(self, answer: JsonValue, text: str, *, speaks: bool) -> None:
        """Add what one of several messages says."""
        paths = self._spec.reply
        if speaks and needs_json(paths) and not isinstance(answer, dict | list):
            reply_of_text(text, paths, where=self._where, redactor=self._redactor)  # says what is wrong with it
        if speaks and not paths.text:
            self._pieces.append(text)
        elif speaks and value_at(answer, parse_text_path(paths.text)) is not MISSING:
            self._pieces.append(words_of_piece(answer, paths.text, where=self._where, redactor=self._redactor))
        part = reply_of_answer(
            answer, paths.model_copy(update={"text": "", "error": None}), where=self._where, redactor=self._redactor
        )
        self._ended = self._ended or part.ended
        self._state = part.state if part.state is not None else self._state

    def _joined(self) -> SutReply:
        self.over = True
        if not self._pieces:
            raise SutError(f"{self._where} ended a reply without any text at {self._spec.reply.text!r} in its messages")
        text = self._pieces[-1] if self._spec.full else "".join(self._pieces)
        return self._redactor.clean_reply(SutReply(text=text, ended=self._ended, state=self._state))


def _value_of(text: str) -> JsonValue:
    """Return a message as JSON, or as the text that it is."""
    try:
        return parse_json(text)
    except ValueError:
        return text


def _is_last(answer: JsonValue, text: str, until: Match) -> bool:
    return matches(answer, until) or (not until.path and text in until.equals)
