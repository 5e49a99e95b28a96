"""Fetching a reply that is not there at once: asking for it until an answer says that it is.

How long that may take is the runner's to say; the turn's time-out ends it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import anyio
from pydantic import JsonValue

from hairpin.domain.json_paths import MISSING, parse_path, value_at
from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import HttpPolling, ReplyPaths
from hairpin.domain.sut_template import placeholders
from hairpin.errors import SutError
from hairpin.sut.chat_completion import one_line
from hairpin.sut.http_answers import json_of, reply_in
from hairpin.sut.http_client import HttpAnswer
from hairpin.sut.http_link import HttpLink
from hairpin.sut.http_requests import RequestTemplate
from hairpin.sut.http_retries import Retries
from hairpin.sut.reply_paths import as_text, is_said, matches, parse_json

_EMPTY_STATUSES = frozenset({202, 204})


class Polling:
    """How one assistant's replies are fetched.

    The first request goes out at once. "Not yet" is an answer that does not say ``until``, or a 202 or 204 without a
    body; a 404 is an error, for a wrong address would otherwise be asked until the turn's time is up.

    Args:
        polling: the request and what its answer says at the end.
        paths: where the parts of the reply are in that answer.
    """

    def __init__(self, polling: HttpPolling, paths: ReplyPaths) -> None:
        self.request = RequestTemplate(polling.request, accept="application/json")
        self._until = polling.until
        self._interval_s = polling.interval_s
        self._paths = paths
        self._wanted = tuple(_answer_paths(self.request))

    async def reply(
        self, first: HttpAnswer, values: Mapping[str, JsonValue], link: HttpLink, retries: Retries, *, asked: str
    ) -> SutReply:
        """Return the reply.

        Args:
            first: the answer to the turn; what the request takes of it must be in it.
            values: those of the turn.
            link: over which it is fetched.
            retries: of the turn; a fetch may be tried again, which does not send the turn again.
            asked: how messages call who gave ``first``.

        Raises:
            SutError: an answer is an error, or none that can be read.
        """
        filled = {**values, "answer": self._read_first(first, link, asked)}
        while True:
            answer = await retries.of(lambda: link.ask(self.request.fill(filled)))
            if self._is_there(answer, link):
                return reply_in(answer, self._paths, where=self.request.where, redactor=link.redactor)
            await anyio.sleep(self._interval_s)

    def _read_first(self, first: HttpAnswer, link: HttpLink, where: str) -> JsonValue:
        if not self._wanted and self._paths.error is None:
            return None
        answer = json_of(first, where=where, redactor=link.redactor) if self._wanted else _json_or_none(first)
        if is_said(answer, self._paths.error):
            reply_in(
                first, self._paths.model_copy(update={"text": self._paths.error}), where=where, redactor=link.redactor
            )
        for path in self._wanted:
            if value_at(answer, parse_path(path)) in (None, MISSING):
                shown = one_line(link.redactor.clean(as_text(answer)))
                raise SutError(f"{where} answered without {path!r}, which 'poll' takes from it: {shown}")
        return answer

    def _is_there(self, answer: HttpAnswer, link: HttpLink) -> bool:
        """Whether an answer is the last one; an error that it says makes it that."""
        if answer.status in _EMPTY_STATUSES and not answer.body.strip():
            return False
        value = json_of(answer, where=self.request.where, redactor=link.redactor)
        return matches(value, self._until) or is_said(value, self._paths.error)


def _answer_paths(request: RequestTemplate) -> Iterator[str]:
    """Yield the paths that placeholders take from the first answer."""
    for text in request.texts:
        for name in sorted(placeholders(text)):
            if name == "answer" or name.startswith(("answer.", "answer[")):
                yield name.removeprefix("answer").removeprefix(".")


def _json_or_none(answer: HttpAnswer) -> JsonValue:
    try:
        return parse_json(answer.body)
    except ValueError:
        return None
