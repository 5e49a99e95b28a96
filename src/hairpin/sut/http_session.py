"""One conversation with an assistant behind HTTP: each turn a request, its answer whole, in pieces or fetched later.

What the requests are is ``http_requests``', how they travel ``http_link``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass

from pydantic import JsonValue

from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import HttpStream, ReplyPaths
from hairpin.ports import SutSession
from hairpin.sut.base import SessionGate
from hairpin.sut.http_answers import reply_in, session_id_in
from hairpin.sut.http_link import HttpLink
from hairpin.sut.http_pieces import parser_of
from hairpin.sut.http_polling import Polling
from hairpin.sut.http_requests import RequestTemplate
from hairpin.sut.http_retries import Retries
from hairpin.sut.http_stream import StreamedReply, refuse_whole_answer
from hairpin.sut.templated_session import TemplatedTurns


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """How a turn goes, the same in all sessions.

    Attributes:
        request: what is sent.
        paths: where the parts of a reply are.
        stream: how an answer in pieces is read; ``polling``: how a reply is fetched; at most one of them.
        close: what ends a session, if the assistant has them.
        id_path: where the answer to a first turn tells the id of the session; ``None``: it is known before.
        n_retries: how often a request of a turn may be sent again.
        back_off_s: the wait before that, at first.
    """

    request: RequestTemplate
    paths: ReplyPaths
    stream: HttpStream | None
    polling: Polling | None
    close: RequestTemplate | None
    id_path: str | None
    n_retries: int
    back_off_s: float


class HttpSutSession(SutSession):
    """One session; a turn that fails or is cancelled leaves the history as it was.

    Args:
        plan: how a turn goes.
        link: over which it goes.
        turns: what templates are filled with, and the exchanges so far.
        adapter: how messages call whose session it is.
    """

    def __init__(self, plan: TurnPlan, link: HttpLink, turns: TemplatedTurns, *, adapter: str) -> None:
        self._plan = plan
        self._link = link
        self._turns = turns
        self._gate = SessionGate(adapter)

    async def send(self, utterance: str) -> SutReply:
        """Return the reply; ``metadata`` tells how often requests were sent again, if any was.

        Raises:
            SutConnectionError: no connection.
            SutError: no reply; says why.
            AdapterFaultError: the session is closed, or a value cannot stand where a template puts it.
        """
        self._gate.check_open()
        values = self._turns.next(utterance)
        retries = Retries(self._plan.n_retries, back_off_s=self._plan.back_off_s)
        reply = await self._reply(values, retries)
        if retries.n_again:
            told: dict[str, JsonValue] = {**reply.metadata, "sent_again": retries.n_again}
            reply = reply.model_copy(update={"metadata": told, "retry_wait_ms": retries.waited_ms})
        return self._turns.keep(utterance, reply)

    async def close(self) -> None:
        """Close the session, once, also at the assistant. Raises SutError, SutConnectionError when that fails."""
        self._gate.close()
        if self._plan.close is not None and self._turns.is_named:
            await self._link.ask(self._plan.close.fill(self._turns.session))

    async def _reply(self, values: Mapping[str, JsonValue], retries: Retries) -> SutReply:
        plan = self._plan
        stream = plan.stream
        if stream is not None:
            return await retries.of(lambda: self._streamed(stream, values))
        answer = await retries.of(lambda: self._link.ask(plan.request.fill(values)))
        if plan.id_path is not None and not self._turns.is_named:
            told = session_id_in(answer, plan.id_path, where=plan.request.where, redactor=self._link.redactor)
            self._turns.name(told)
        if plan.polling is not None:
            return await plan.polling.reply(answer, values, self._link, retries, asked=plan.request.where)
        return reply_in(answer, plan.paths, where=plan.request.where, redactor=self._link.redactor)

    async def _streamed(self, stream: HttpStream, values: Mapping[str, JsonValue]) -> SutReply:
        call = self._plan.request.fill(values)
        reply = StreamedReply(
            stream, self._plan.paths, where=call.where, redactor=self._link.redactor, id_path=self._plan.id_path
        )
        parser = parser_of(stream.format)
        async with self._link.exchange(call) as incoming, aclosing(incoming.chunks()) as chunks:
            refuse_whole_answer(incoming.content_type, stream, where=call.where)
            async for chunk in chunks:
                for piece in parser.feed(chunk):
                    reply.take(piece)
                    if reply.is_complete:
                        return self._named(reply)
            for piece in parser.close():
                if not reply.is_complete:
                    reply.take(piece)
            return self._named(reply)

    def _named(self, streamed: StreamedReply) -> SutReply:
        """Return the reply; the id of the session is taken from its pieces if it was not known."""
        reply = streamed.reply()
        if self._plan.id_path is not None and not self._turns.is_named:
            self._turns.name(streamed.session_id())
        return reply
