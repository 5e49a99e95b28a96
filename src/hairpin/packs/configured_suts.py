"""Assistants reached by configuration, from the form in which they are written to their specification.

It checks nothing: the forms do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hairpin.domain.sut_spec import (
    HttpPolling,
    HttpRequest,
    HttpSession,
    HttpStream,
    HttpSut,
    LangGraphSut,
    Match,
    ProcessSut,
    ReplyPaths,
    WebSocketSut,
)
from hairpin.packs.functions import is_file_reference
from hairpin.packs.sut_formats import (
    HttpForm,
    HttpSessionForm,
    HttpStreamForm,
    LangGraphForm,
    MatchForm,
    PollRequestForm,
    ProcessForm,
    ReplyForm,
    SessionRequestForm,
    WebSocketForm,
)

_REQUEST = {"url", "method", "headers", "body"}


def http_sut(form: HttpForm) -> HttpSut:
    """Return the specification of an assistant behind HTTP."""
    return HttpSut(
        **_named(form),
        request=HttpRequest(**form.model_dump(include=_REQUEST)),
        reply=_reply(form.reply),
        session=_session(form.session) if form.session else None,
        stream=_stream(form.stream) if form.stream else None,
        poll=_poll(form.poll) if form.poll else None,
        idempotent_turns=form.idempotent_turns,
        retries=form.retries,
        max_reply_bytes=form.max_reply_bytes,
    )


def websocket_sut(form: WebSocketForm) -> WebSocketSut:
    """Return the specification of an assistant behind a WebSocket."""
    return WebSocketSut(
        **_named(form),
        **form.model_dump(include={"url", "headers", "subprotocols", "hello", "send", "full", "max_reply_bytes"}),
        ready=_match(form.ready),
        reply=_reply(form.reply),
        only=_match(form.only),
        until=_match(form.until),
    )


def process_sut(form: ProcessForm, folder: Path) -> ProcessSut:
    """Return the specification of a program; it runs in ``folder``."""
    given = form.model_dump(
        include={"command", "environment", "hello", "send", "bye", "id", "max_reply_bytes"}, exclude_unset=True
    )
    reply = {} if form.reply is None else {"reply": _reply(form.reply)}
    return ProcessSut(**_named(form), **given, **reply, folder=str(folder))


def langgraph_sut(form: LangGraphForm, folder: Path) -> LangGraphSut:
    """Return the specification of a LangGraph application."""
    return LangGraphSut(
        **_named(form),
        reference=form.graph,
        folder=str(folder) if is_file_reference(form.graph) else None,
        input=form.input,
        config=form.config,
        reply=None if form.reply is None else _reply(form.reply),
    )


def _named(form: HttpForm | WebSocketForm | ProcessForm | LangGraphForm) -> dict[str, Any]:
    return form.model_dump(include={"name", "version", "max_sessions"})


def _reply(form: str | ReplyForm) -> ReplyPaths:
    return ReplyPaths(text=form) if isinstance(form, str) else ReplyPaths(**form.model_dump())


def _match(form: MatchForm | None) -> Match | None:
    if form is None:
        return None
    if form.equals is None:
        return Match(path=form.path)
    return Match(path=form.path, equals=tuple(form.equals) if isinstance(form.equals, list) else (form.equals,))


def _request(form: SessionRequestForm | None) -> HttpRequest | None:
    return None if form is None else HttpRequest(**form.model_dump())


def _session(form: HttpSessionForm) -> HttpSession:
    return HttpSession(open=_request(form.open), id=form.id, close=_request(form.close))


def _stream(form: HttpStreamForm) -> HttpStream:
    return HttpStream(**form.model_dump(exclude={"until"}), until=_match(form.until))


def _poll(form: PollRequestForm) -> HttpPolling:
    until = _match(form.until)
    assert until is not None
    request = HttpRequest(**form.model_dump(include=_REQUEST))
    return HttpPolling(request=request, until=until, interval_s=form.interval_s)
