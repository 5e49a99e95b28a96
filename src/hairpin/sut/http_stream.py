"""One reply out of a streamed answer: which pieces hold words, and which one ends it.

Pure: pieces come from ``http_pieces``, connections are ``http_client``'s.
"""

from __future__ import annotations

from pydantic import JsonValue

from hairpin.domain.json_paths import MISSING, parse_path, parse_text_path, value_at
from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import HttpStream, ReplyPaths
from hairpin.errors import SutError
from hairpin.sut.chat_completion import one_line
from hairpin.sut.http_answers import id_at
from hairpin.sut.http_pieces import Piece
from hairpin.sut.redaction import Redactor
from hairpin.sut.reply_paths import (
    UnreadableJsonError,
    index_hint,
    is_said,
    json_trouble,
    matches,
    parse_json,
    reply_of_answer,
    words_of_piece,
)

ACCEPTED = {"sse": "text/event-stream", "lines": "application/x-ndjson"}
"""What is asked for, by format."""


def refuse_whole_answer(content_type: str, stream: HttpStream, *, where: str) -> None:
    """Refuse an answer that is no stream although one is configured. Raises SutError.

    Lines come under many types; events have one of their own, and a page or one JSON value is none of them.
    """
    whole = {"sse": ("application/json", "text/html"), "lines": ("text/html", "text/event-stream")}[stream.format]
    if content_type in whole:
        raise SutError(
            f"{where} answered with {content_type}, which is no stream of format {stream.format!r}; ask it for one in"
            " 'body' or 'headers', or mend or remove 'stream'"
        )


class StreamedReply:
    """The reply while it comes.

    A piece without words adds none. A piece that is ``done`` ends the reply: its data, or the name of its event written
    ``event: end``. An event called ``error``, and a piece with something at ``paths.error``, is an error. The end and
    the state may be in any piece; the last state counts.

    Args:
        stream: where the words of a piece are, and what ends the reply.
        paths: where the other parts of the reply are; its ``text`` is not looked at.
        where: who answers.
        redactor: knows what neither messages nor replies may show.
        id_path: where a piece tells the id of the session; ``None``: none does.
    """

    def __init__(
        self, stream: HttpStream, paths: ReplyPaths, *, where: str, redactor: Redactor, id_path: str | None = None
    ) -> None:
        self._stream = stream
        self._paths = paths.model_copy(update={"text": ""})
        self._where = where
        self._redactor = redactor
        self._words: list[str] = []
        self._has_words = False
        self._has_ended = False
        self._with_state: JsonValue = None
        self._id_path = id_path
        self._session_id: str | None = None
        self._first: Piece | None = None
        self.is_complete = False

    def take(self, piece: Piece) -> None:
        """Take the next piece. Raises SutError when it is an error, or no JSON where paths look into it."""
        self._first = self._first or piece
        if piece.event == "error":
            raise self._error(f"broke off with an error: {piece.data}")
        if self._stream.done is not None and self._stream.done in (piece.data.strip(), f"event: {piece.event}"):
            self.is_complete = True
            return
        value = self._value(piece)
        if is_said(value, self._paths.error):
            reply_of_answer(value, self._paths, where=self._where, redactor=self._redactor)
        self._take_words(piece, value)
        if self._id_path is not None and self._session_id is None:
            self._session_id = id_at(value, self._id_path)
        self._has_ended = self._has_ended or is_said(value, self._paths.ended)
        if self._paths.state is not None and value_at(value, parse_path(self._paths.state)) is not MISSING:
            self._with_state = value
        self.is_complete = self._stream.until is not None and matches(value, self._stream.until)

    def reply(self) -> SutReply:
        """Return the reply when the answer is complete or has ended.

        Raises:
            SutError: it ended before the piece that ends it, no piece had words, or the state is no object.
        """
        if not self.is_complete and self._ends:
            raise self._error(f"broke off: the stream ended before {' or '.join(self._ends)}, as 'stream' expects it")
        if not self._has_words and self._stream.text:
            first = self._first.data if self._first else "nothing"
            hint = index_hint(self._value(self._first), self._stream.text) if self._first else ""
            raise self._error(
                f"streamed no piece with {self._stream.text!r}, where 'stream.text' looks{hint}; first: {first}"
            )
        said = self._words[-1:] if self._stream.full else self._words
        whole = self._joiner.join(said)
        reply = reply_of_answer(self._with_state, self._paths, where=self._where, redactor=self._redactor, whole=whole)
        return reply.model_copy(update={"ended": self._has_ended})

    def session_id(self) -> str:
        """Return the id of the session that a piece told. Raises SutError when none did."""
        if self._session_id is None:
            raise self._error(f"streamed no piece with an id of the session at {self._id_path!r}, as 'session.id' says")
        return self._session_id

    def _take_words(self, piece: Piece, value: JsonValue) -> None:
        path = self._stream.text
        if not path:
            self._words.append(piece.data)
        elif value_at(value, parse_text_path(path)) is not MISSING:
            self._has_words = True
            self._words.append(words_of_piece(value, path, where=self._where, redactor=self._redactor))

    def _value(self, piece: Piece) -> JsonValue:
        if not self._needs_json or not piece.data.strip():
            return None
        try:
            return parse_json(piece.data)
        except ValueError as error:
            if not self._stream.text:
                return None
            if isinstance(error, UnreadableJsonError):
                raise self._error(f"streamed {json_trouble(error)}: {piece.data}") from None
            end = "; if that ends the stream, write it in 'stream.done'"
            raise self._error(f"streamed a piece that is no JSON: {piece.data}", end) from None

    @property
    def _needs_json(self) -> bool:
        paths = (self._paths.ended, self._paths.state, self._paths.error, self._id_path)
        return bool(self._stream.text) or self._stream.until is not None or any(path is not None for path in paths)

    @property
    def _ends(self) -> list[str]:
        """What may end the reply, in words."""
        stream = self._stream
        ends = [] if stream.until is None else [f"a piece whose {stream.until.path!r} says so"]
        return ends + ([] if stream.done is None else [repr(stream.done)])

    @property
    def _joiner(self) -> str:
        return "\n" if self._stream.format == "lines" and not self._stream.text else ""

    def _error(self, text: str, hint: str = "") -> SutError:
        """Clean before the cut: it may leave half of a credential."""
        return SutError(f"{self._where} {one_line(self._redactor.clean(text))}{hint}")
