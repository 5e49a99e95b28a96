"""An OpenAI-compatible HTTP server on a real socket that answers as scripted and remembers what it was asked.

It is no model: it understands nothing of what it is sent.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from types import TracebackType
from typing import Final, Self

import anyio
import anyio.from_thread
from aiohttp import StreamReader, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http import RawRequestMessage
from pydantic import JsonValue

from hairpin.testing.delivery import break_connection, deliver
from hairpin.testing.embedding_answers import embed_texts
from hairpin.testing.received import Ending, FakeRequest
from hairpin.testing.request_log import RequestLog, ServerTotals
from hairpin.testing.routes import Route, route_of
from hairpin.testing.scripted_answers import DEFAULT_USAGE, Answer, Answerer, FakeAnswer, echo

_SHUTDOWN_S: Final = 0.1
_MAX_REQUEST_BYTES: Final = 64 * 1024 * 1024


class _StoppingError(Exception):
    """The server stops while a request waits."""


class FakeModelServer:
    """Serves completions, vectors and ``GET /v1/models`` as OpenAI does, on 127.0.0.1 and a free port.

    Azure's paths are served too: give clients ``azure_endpoint``. Use it as a context manager: ``async with`` serves on
    the running event loop, ``with`` on a thread of its own::

        with FakeModelServer("Hello", FakeAnswer.error(503, "busy")) as server:
            call(server.base_url)       # answers "Hello"
            call(server.base_url)       # answers status 503
            call(server.base_url)       # nothing is scripted any more: answers "You said: …"
            assert server.requests[0].last_user_text == "Hi"

    Args:
        script: answers to the first requests for a completion, in order of arrival.
        default: what answers once the script is used up.
        models: the ids that ``GET /v1/models`` lists.
        count_usage: completions that name no usage of their own report one counted from characters.
        embed: what answers requests for vectors once ``script_embeddings`` is used up.
    """

    def __init__(
        self,
        *script: Answer | Answerer,
        default: Answer | Answerer = echo,
        models: Iterable[str] = ("fake",),
        count_usage: bool = False,
        embed: Answer | Answerer = embed_texts,
    ) -> None:
        self._script = deque(script)
        self._default = default
        self._embedding_script: deque[Answer | Answerer] = deque()
        self._embed = embed
        self._models = tuple(models)
        self._count_usage = count_usage
        self._log = RequestLog()
        self._errors: list[Exception] = []
        self._stopping: anyio.Event | None = None
        self._port: int | None = None
        self._runner: web.ServerRunner | None = None

    @property
    def azure_endpoint(self) -> str:
        """Where an Azure client finds it, ``http://127.0.0.1:<port>``; stays readable after it has stopped."""
        if self._port is None:
            raise RuntimeError("the server has not been started; use it as a context manager")
        return f"http://127.0.0.1:{self._port}"

    @property
    def base_url(self) -> str:
        """Where an OpenAI client finds it, ``http://127.0.0.1:<port>/v1``; stays readable after it has stopped."""
        return f"{self.azure_endpoint}/v1"

    @property
    def requests(self) -> tuple[FakeRequest, ...]:
        """All requests so far, in order of arrival."""
        return self._log.requests

    @property
    def chat_requests(self) -> tuple[FakeRequest, ...]:
        """The requests for a completion, in order of arrival."""
        return self._log.chat_requests

    @property
    def embedding_requests(self) -> tuple[FakeRequest, ...]:
        """The requests for vectors, in order of arrival."""
        return tuple(request for request in self._log.requests if route_of(request) is Route.EMBEDDINGS)

    @property
    def totals(self) -> ServerTotals:
        """What became of the requests for a completion so far, in sums."""
        return self._log.totals()

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

    def script_embeddings(self, *answers: Answer | Answerer) -> None:
        """Let ``answers`` answer the next requests for vectors: errors and bodies; a text would be a completion."""
        self._embedding_script.extend(answers)

    def early_requests(self, *, grace_s: float = 0.0) -> tuple[FakeRequest, ...]:
        """Return the requests that came although a ``Retry-After`` in seconds, sent before, had not passed yet.

        ``grace_s``: how long after such an answer requests may still come that were already under way.
        """
        return self._log.early_requests(grace_s)

    def wait_for_requests_sync(self, n_requests: int, *, timeout_s: float = 10.0) -> None:
        """Block until ``n_requests`` have arrived in all; not on the loop that serves. Raises TimeoutError."""
        self._log.wait_sync(lambda: self._log.n_requests >= n_requests, timeout_s)

    async def wait_for_requests(self, n_requests: int, *, timeout_s: float = 10.0) -> None:
        """Wait until ``n_requests`` have arrived in all. Raises TimeoutError."""
        await self._log.wait(lambda: self._log.n_requests >= n_requests, timeout_s)

    def wait_until_idle_sync(self, *, timeout_s: float = 10.0) -> None:
        """Block until no request is in flight; not on the loop that serves. Raises TimeoutError."""
        self._log.wait_sync(lambda: self._log.in_flight == 0, timeout_s)

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
        self._stopping = anyio.Event()
        # handler_cancellation tells the handler that its client is gone.
        server = web.Server(
            self._handle, request_factory=_request, handler_cancellation=True, access_log=None, keepalive_timeout=75.0
        )
        self._runner = web.ServerRunner(server, shutdown_timeout=_SHUTDOWN_S)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, backlog=1024)
        await site.start()
        self._port = self._runner.addresses[0][1]

    async def _stop(self) -> None:
        if self._stopping is not None:
            self._stopping.set()
        if self._runner is not None:
            await self._runner.cleanup()

    def _raise_script_errors(self) -> None:
        if self._errors:
            raise self._errors[0]

    async def _handle(self, http: web.BaseRequest) -> web.StreamResponse:
        request = FakeRequest(
            method=http.method,
            path=http.path,
            query=http.query_string,
            headers=http.headers,
            body=_parsed(await http.read()),
            received_at=anyio.current_time(),
        )
        route = route_of(request)
        self._log.arrived(request, for_completion=route is Route.CHAT)
        try:
            return await deliver(http, request, await self._answer(request, route), self._pause)
        except _StoppingError:
            break_connection(http)
            request.ending = Ending.SERVER_STOPPED
            await anyio.sleep_forever()
            raise
        except BaseException:
            self._lost(request)
            raise
        finally:
            self._log.left(request)

    def _lost(self, request: FakeRequest) -> None:
        """Note that the answer did not get out whole, unless the script meant it so."""
        if request.ending in (None, Ending.ANSWERED):
            stopping = self._stopping is not None and self._stopping.is_set()
            request.ending = Ending.SERVER_STOPPED if stopping else Ending.CLIENT_GONE
            request.answered_at = request.usage = None

    async def _pause(self, delay_s: float) -> None:
        assert self._stopping is not None
        with anyio.move_on_after(delay_s):
            await self._stopping.wait()
            raise _StoppingError

    async def _answer(self, request: FakeRequest, route: Route | FakeAnswer) -> FakeAnswer:
        if isinstance(route, FakeAnswer):
            return route
        if route is Route.MODELS:
            return FakeAnswer(body={"object": "list", "data": [_model_entry(name) for name in self._models]})
        if route is Route.EMBEDDINGS:
            script, default = self._embedding_script, self._embed
        else:
            script, default = self._script, self._default
        answer = script.popleft() if script else default
        try:
            made = await _made(answer, request)
        except Exception as error:  # noqa: BLE001  # the test's own mistake: raised when the server is left
            self._errors.append(error)
            return FakeAnswer.error(500, f"the scripted answer raised {error!r}")
        return self._with_usage(FakeAnswer(text=made) if isinstance(made, str) else made)

    def _with_usage(self, answer: FakeAnswer) -> FakeAnswer:
        if self._count_usage and answer.usage is DEFAULT_USAGE:
            return replace(answer, usage="counted")
        return answer


async def _made(answer: Answer | Answerer, request: FakeRequest) -> Answer:
    if not callable(answer):
        return answer
    made = answer(request)
    return await made if inspect.isawaitable(made) else made


def _request(
    message: RawRequestMessage,
    payload: StreamReader,
    protocol: web.RequestHandler,
    writer: AbstractStreamWriter,
    task: asyncio.Task[None],
) -> web.BaseRequest:
    """Make a request with room for long prompts."""
    loop = asyncio.get_running_loop()
    return web.BaseRequest(message, payload, protocol, writer, task, loop, client_max_size=_MAX_REQUEST_BYTES)


def _parsed(raw: bytes) -> JsonValue:
    try:
        body: JsonValue = json.loads(raw) if raw else None
    except ValueError:
        return raw.decode(errors="replace")
    return body


def _model_entry(name: str) -> JsonValue:
    return {"id": name, "object": "model", "created": 0, "owned_by": "hairpin"}
