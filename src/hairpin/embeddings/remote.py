"""An encoder that is a server, OpenAI's or one like it: texts go there in batches, vectors come back.

Must not send a blank text, and says no key. Waits as servers ask; runs an event loop of its own while it encodes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import anyio
import httpx2
import numpy as np
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, wait_exponential

from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.model_spec import CompatibleModel
from hairpin.embeddings.remote_answers import BusyServerError, read_failure, read_vectors
from hairpin.embeddings.texts import distinct
from hairpin.embeddings.vectors import unit_rows
from hairpin.errors import EncoderError, InvalidInputError, ModelSetupError, RefusedTextsError
from hairpin.llm.completion import CallError
from hairpin.llm.endpoint import Endpoint, endpoint_of
from hairpin.llm.http_transport import EndpointTransport
from hairpin.ports import EncoderIdentity, FloatMatrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ATTEMPTS: Final = 5
_TIMEOUT_S: Final = 60.0
"""Of one request, until its answer is read."""

_LONGEST_WAIT_S: Final = 60.0
"""A server that asks to wait longer is given up."""

_IN_FLIGHT: Final = 4
_OK: Final = 200
_BACK_OFF: Final = wait_exponential(multiplier=0.5, max=8.0)


class RemoteEncoder:
    """Implements ``ports.Encoder`` over ``{address}/embeddings``. Not for a thread whose event loop runs."""

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        *,
        batch_size: int,
        timeout_s: float = _TIMEOUT_S,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        """``batch_size``: texts per request, of which four may be in flight. ``sleep``: waits between tries."""
        self._endpoint = endpoint
        self._model = model
        self._batch_size = batch_size
        self._timeout_s = timeout_s
        self._sleep = sleep
        self._transport = EndpointTransport(credentials=endpoint.credentials, query=endpoint.query)

    @property
    def identity(self) -> EncoderIdentity:
        """Which vectors it makes, as far as anybody knows: the model's name, and the address instead of a revision."""
        return EncoderIdentity(self._model, self._endpoint.address, "float32")

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """Return (n, d) unit vectors, float32, one per text, in order; (0, 0) for no texts.

        Raises:
            ValueError: a text is blank.
            RefusedTextsError: the server refuses these texts, or makes no vector of one of them.
            EncoderError: it cannot be reached, answers something else, or is still busy after five tries.
        """
        unique, where = distinct(texts)
        if not unique:
            return np.zeros((0, 0), np.float32)
        by_length = sorted(range(len(unique)), key=lambda place: len(unique[place]))
        pieces = [by_length[start : start + self._batch_size] for start in range(0, len(unique), self._batch_size)]
        made = asyncio.run(self._fetch([[unique[place] for place in piece] for piece in pieces]))
        dimensions = sorted({rows.shape[1] for rows in made})
        if len(dimensions) > 1:
            raise EncoderError(
                f"{self.identity}: vectors of {dimensions} numbers for texts of one call; check the server"
            )
        ordered = np.empty((len(unique), dimensions[0]), np.float32)
        for piece, rows in zip(pieces, made, strict=True):
            ordered[piece] = rows
        chosen: FloatMatrix = ordered[where]
        return chosen

    async def _fetch(self, batches: Sequence[list[str]]) -> list[FloatMatrix]:
        """Return the unit vectors of each batch; the first failure ends all."""
        made: dict[int, FloatMatrix] = {}
        failures: list[EncoderError] = []
        waiting = iter(enumerate(batches))

        async def work(scope: anyio.CancelScope) -> None:
            for number, batch in waiting:
                try:
                    made[number] = self._unit(await self._persist(batch), batch)
                except EncoderError as error:
                    failures.append(error)
                    scope.cancel()

        try:
            async with anyio.create_task_group() as tasks:
                for _ in range(min(_IN_FLIGHT, len(batches))):
                    tasks.start_soon(work, tasks.cancel_scope)
        finally:
            await self._transport.aclose()
        if failures:
            raise failures[0]
        return [made[number] for number in range(len(batches))]

    async def _persist(self, texts: list[str]) -> NDArray[np.float64]:
        """Return the numbers of the server; busy servers are asked again."""
        retrying = AsyncRetrying(
            sleep=self._sleep,
            wait=_wait_s,
            stop=stop_after_attempt(_ATTEMPTS),
            retry=retry_if_exception(_may_pass),
            reraise=True,
        )
        try:
            rows: NDArray[np.float64] = await retrying(self._ask, texts)
        except BusyServerError as error:
            raise EncoderError(f"{error}; start the server, or try again later") from error
        return rows

    async def _ask(self, texts: list[str]) -> NDArray[np.float64]:
        content = json.dumps({"model": self._model, "input": texts}).encode()
        request = httpx2.Request("POST", f"{self._endpoint.address}/embeddings", content=content)
        try:
            with anyio.fail_after(self._timeout_s):
                response = await self._transport.handle_async_request(request)
        except TimeoutError as error:
            raise BusyServerError(self._said(f"no answer within {self._timeout_s:g} s")) from error
        except CallError as error:
            kind = BusyServerError if error.outcome.is_transient else EncoderError
            raise kind(self._said(error.detail)) from error
        body = await response.aread()
        if response.status_code != _OK:
            raise self._failure(response.status_code, response.headers, body)
        try:
            return read_vectors(body, len(texts))
        except ValueError as error:
            problem = f"answered {len(texts)} texts with {error}; it must answer as OpenAI's /embeddings does"
        # Outside the handler: the error repeats what the server wrote, perhaps the key.
        raise EncoderError(self._said(problem))

    def _failure(self, status: int, headers: Mapping[str, str], body: bytes) -> EncoderError:
        error = read_failure(status, headers, body, key=self._endpoint.key_variable, now=datetime.now(UTC))
        said = self._said(str(error))
        if isinstance(error, BusyServerError):
            return BusyServerError(said, retry_after_s=error.retry_after_s)
        return type(error)(said)

    def _unit(self, rows: NDArray[np.float64], texts: Sequence[str]) -> FloatMatrix:
        for bad in _without_direction(rows):
            problem = f"its vector of {texts[bad][:40]!r} is zero or not finite, so it has no direction"
            raise RefusedTextsError(self._said(f"{problem}; leave that text out, or take another model"))
        return unit_rows(rows)

    def _said(self, text: str) -> str:
        return self._endpoint.redactor.clean(f"{self.identity}: {text}")


def remote_encoder(spec: EncoderSpec, environ: Mapping[str, str]) -> RemoteEncoder:
    """Return the encoder of a ``spec`` with a base_url; nothing is contacted.

    Raises:
        EncoderError: the address is none, or the environment has no key.
    """
    assert spec.base_url is not None, "only a server has an address"
    model = CompatibleModel(base_url=spec.base_url, model=spec.model, api_key_env=spec.api_key_env)
    try:
        endpoint = endpoint_of(model, environ=environ)
    except (InvalidInputError, ModelSetupError) as error:
        raise EncoderError(f"encoder {spec.model}: {error}") from error
    return RemoteEncoder(endpoint, spec.model, batch_size=spec.batch_size)


def _without_direction(rows: NDArray[np.float64]) -> Iterator[int]:
    lengths = np.linalg.norm(rows, axis=1)
    yield from (int(row) for row in np.flatnonzero(~np.isfinite(lengths) | (lengths == 0)))


def _may_pass(error: BaseException) -> bool:
    if not isinstance(error, BusyServerError):
        return False
    return error.retry_after_s is None or error.retry_after_s <= _LONGEST_WAIT_S


def _wait_s(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome is not None else None
    if isinstance(error, BusyServerError) and error.retry_after_s is not None:
        return error.retry_after_s
    return _BACK_OFF(state)
