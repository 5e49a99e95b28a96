"""An OpenAI-compatible HTTP server on a real socket that answers as scripted and remembers what it was asked.

It is no model: it understands nothing of what it is sent.
"""

from __future__ import annotations

import inspect
import json
import math
from collections import deque
from collections.abc import Iterable
from types import TracebackType
from typing import Self

import anyio
import anyio.from_thread
from aiohttp import web
from pydantic import JsonValue

from hairpin.testing.request_log import RequestLog
from hairpin.testing.scripted_answers import Answer, Answerer, FakeAnswer, FakeRequest, echo

_SHUTDOWN_S = 0.1
_CHAT = "/v1/chat/completions"
_MODELS = "/v1/models"


class FakeModelServer:
    """Serves ``POST /v1/chat/completions`` and ``GET /v1/models`` on 127.0.0.1 and a free port.

    Use it as a context manager: ``async with`` serves on the running event loop, ``with`` on a thread of its own::

        with FakeModelServer("Hello", FakeAnswer.error(503, "busy")) as server:
            call(server.base_url)       # answers "Hello"
            call(server.base_url)       # answers status 503
            call(server.base_url)       # nothing is scripted any more: answers "You said: …"
            assert server.requests[0].last_user_text == "Hi"

    Args:
        script: answers to the first requests for a completion, in order of arrival.
        default: what answers once the script is used up.
        models: the ids that ``GET /v1/models`` lists.
    """

    def __init__(
        self, *script: Answer | Answerer, default: Answer | Answerer = echo, models: Iterable[str] = ("fake",)
    ) -> None:
        self._script = deque(script)
        self._default = default
        self._models = tuple(models)
        self._log = RequestLog()
        self._errors: list[Exception] = []
        self._stopping = False
        self._port: int | None = None
        self._runner: web.AppRunner | None = None

    @property
    def base_url(self) -> str:
        """Where an OpenAI client finds it, ``http://127.0.0.1:<port>/v1``; stays readable after it has stopped."""
        if self._port is None:
            raise RuntimeError("the server has not been started; use it as a context manager")
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def requests(self) -> tuple[FakeRequest, ...]:
        """All requests so far, in order of arrival."""
        return self._log.requests

    @property
    def chat_requests(self) -> tuple[FakeRequest, ...]:
        """The requests for a completion, in order of arrival."""
        return tuple(request for request in self._log.requests if request.path == _CHAT)

    @property
    def in_flight(self) -> int:
        """How many requests wait for their answer now."""
        return self._log.in_flight

    @property
    def peak_in_flight(self) -> int:
        """The most requests that ever waited at the same time."""
        return self._log.peak_in_flight

    def script(self, *answers: Answer | Answerer) -> None:
        """Add answers to the end of the script."""
        self._script.extend(answers)

    def wait_for_requests_sync(self, n_requests: int, *, timeout_s: float = 10.0) -> None:
        """Block until ``n_requests`` have arrived in all; not on the loop that serves. Raises TimeoutError."""
        self._log.wait_sync(lambda: len(self._log.requests) >= n_requests, timeout_s)

    async def wait_for_requests(self, n_requests: int, *, timeout_s: float = 10.0) -> None:
        """Wait until ``n_requests`` have arrived in all. Raises TimeoutError."""
        await self._log.wait(lambda: len(self._log.requests) >= n_requests, timeout_s)

    async def wait_until_idle(self, *, timeout_s: float = 10.0) -> None:
        """Wait until no request is in flight: each is answered, or its client is gone. Raises TimeoutError."""
        await self._log.wait(lambda: self._log.in_flight == 0, timeout_s)

    async def __aenter__(self) -> Self:
        await self._start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with anyio.CancelScope(shield=True):
            await self._stop()
        if error is None:
            self._raise_script_errors()

    def __enter__(self) -> Self:
        portal = anyio.from_thread.start_blocking_portal()
        self._portal = portal.__enter__()
        self._portal_exit = portal.__exit__
        self._portal.call(self._start)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self._portal.call(self._stop)
        finally:
            self._portal_exit(None, None, None)
        if error is None:
            self._raise_script_errors()

    async def _start(self) -> None:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._handle)
        # handler_cancellation tells the handler that its client is gone.
        self._runner = web.AppRunner(
            app, handler_cancellation=True, shutdown_timeout=_SHUTDOWN_S, access_log=None, keepalive_timeout=75.0
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self._port = self._runner.addresses[0][1]

    async def _stop(self) -> None:
        self._stopping = True
        if self._runner is not None:
            await self._runner.cleanup()

    def _raise_script_errors(self) -> None:
        if self._errors:
            raise self._errors[0]

    async def _handle(self, http: web.Request) -> web.StreamResponse:
        request = await _logged(http)
        self._log.arrived(request)
        try:
            answer = await self._answer(request)
            await _delay(answer.delay_s)
            response = web.Response(
                status=answer.status,
                body=answer.payload(model=_model_of(request)),
                content_type=answer.content_type,
                headers=dict(answer.headers),
            )
            await response.prepare(http)
            await response.write_eof()
            request.answered_at, request.status = anyio.current_time(), answer.status
            return response
        finally:
            request.client_gone = request.answered_at is None and not self._stopping
            self._log.left(request)

    async def _answer(self, request: FakeRequest) -> FakeAnswer:
        if (request.method, request.path) == ("GET", _MODELS):
            return FakeAnswer(body={"object": "list", "data": [_model_entry(name) for name in self._models]})
        if (request.method, request.path) != ("POST", _CHAT):
            return FakeAnswer.error(404, f"no such route: {request.method} {request.path}")
        answer = self._script.popleft() if self._script else self._default
        try:
            made = await _made(answer, request)
        except Exception as error:  # noqa: BLE001  # the test's own mistake: raised when the server is left
            self._errors.append(error)
            return FakeAnswer.error(500, f"the scripted answer raised {error!r}")
        return FakeAnswer(text=made) if isinstance(made, str) else made


async def _made(answer: Answer | Answerer, request: FakeRequest) -> Answer:
    if not callable(answer):
        return answer
    made = answer(request)
    return await made if inspect.isawaitable(made) else made


async def _logged(http: web.Request) -> FakeRequest:
    raw = await http.text()
    return FakeRequest(
        method=http.method,
        path=http.path,
        query=http.query_string,
        headers=dict(http.headers),
        body=_parsed(raw),
        received_at=anyio.current_time(),
    )


def _parsed(raw: str) -> JsonValue:
    try:
        body: JsonValue = json.loads(raw) if raw else None
    except ValueError:
        return raw
    return body


async def _delay(delay_s: float) -> None:
    if math.isinf(delay_s):
        await anyio.sleep_forever()
    await anyio.sleep(delay_s)


def _model_of(request: FakeRequest) -> str:
    return str(request.body.get("model", "fake")) if isinstance(request.body, dict) else "fake"


def _model_entry(name: str) -> JsonValue:
    return {"id": name, "object": "model", "created": 0, "owned_by": "hairpin"}
