"""The gateway: the only way from a role to a model.

It joins the parts and decides nothing itself: how an answer is asked for and read is ``llm.answers``, when a request
may start and whether it is tried again ``llm.traffic``, what it costs ``llm.budget``, how it is sent ``llm.providers``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Final, Generic, TypeVar

from structlog.typing import FilteringBoundLogger

from hairpin.domain.llm_calls import CallOrigin, CallOutcome, LlmRequest, TokenCounts, stop_reason_of
from hairpin.domain.model_spec import ModelPrice, ModelSpec
from hairpin.domain.panels import PlayerKey, role_of
from hairpin.errors import EndsRunError, ModelSetupError, ProviderStoppedError
from hairpin.llm.answers import ModeMemory, ask_structured, mode_of
from hairpin.llm.budget import Budget, Reservation
from hairpin.llm.completion import CallError, Completion, CompletionRequest, EndpointClosedError, ReadT
from hairpin.llm.model_transport import ModelTransport
from hairpin.llm.prices import request_cost_usd
from hairpin.llm.providers import Providers
from hairpin.llm.response_cache import ResponseCache, cache_key
from hairpin.llm.traffic.call import TrafficCall
from hairpin.llm.traffic.endpoint import EndpointTraffic
from hairpin.llm.traffic.policy import RequestEnd, RequestTiming, TrafficPolicy, strictest_limits
from hairpin.llm.traffic.waiting import Deadline
from hairpin.ports import AnswerT, ChatPrompt, Clock, LlmRequestLog, RoleError

_UNKNOWN: Final = TokenCounts()
_POLICY: Final = TrafficPolicy()
KeyT = TypeVar("KeyT", bound=PlayerKey)


@dataclass(frozen=True, slots=True)
class GatewayTools:
    """What every call of a run works with.

    ``cache``: ``None`` is off; ``policy``: how a troubled endpoint is spared.
    """

    log: LlmRequestLog
    logger: FilteringBoundLogger
    clock: Clock
    new_id: Callable[[], str]
    budget: Budget
    deadline: Deadline
    cache: ResponseCache | None = None
    policy: TrafficPolicy = _POLICY


class Gateway(Generic[KeyT]):
    """The models of one run, each behind ``ports.ChatModel``.

    Args:
        specs: the roles that models play, of a panel the seats.
        prices: of those; ``None`` is unknown.
        providers: the ways to the models; whoever made it closes it.
        tools: shared by all calls.
        rng: for the jitter of retries.
    """

    def __init__(
        self,
        specs: Mapping[KeyT, ModelSpec],
        *,
        prices: Mapping[KeyT, ModelPrice | None],
        providers: Providers,
        tools: GatewayTools,
        rng: Random,
    ) -> None:
        transports = {role: providers.transport(spec) for role, spec in specs.items()}
        self._endpoints = traffic = _traffic(specs, transports, tools, rng)
        modes: dict[tuple[str, str], ModeMemory] = {}
        self.models: dict[KeyT, RoleModel] = {}
        for role, spec in specs.items():
            identity = transports[role].identity
            name = f"{identity.model} at {identity.endpoint}"
            self.models[role] = RoleModel(
                role,
                spec,
                transports[role],
                traffic=traffic[identity.endpoint_key],
                modes=modes.setdefault((identity.endpoint_key, identity.model), ModeMemory(name, tools.logger)),
                price=prices[role],
                tools=tools,
            )

    @property
    def health(self) -> tuple[str, ...]:
        """How its endpoints fare, in words."""
        return tuple(endpoint.words for endpoint in self._endpoints.values())


def _traffic(
    specs: Mapping[KeyT, ModelSpec], transports: Mapping[KeyT, ModelTransport], tools: GatewayTools, rng: Random
) -> dict[str, EndpointTraffic]:
    """Return the traffic of each endpoint, under the strictest limits of the roles that share it."""
    sharing: dict[str, list[KeyT]] = {}
    for role, transport in transports.items():
        sharing.setdefault(transport.identity.endpoint_key, []).append(role)
    return {
        key: EndpointTraffic(
            transports[roles[0]].identity.endpoint,
            strictest_limits(specs[role].limits for role in roles),
            clock=tools.clock,
            rng=rng,
            logger=tools.logger,
            policy=tools.policy,
        )
        for key, roles in sharing.items()
    }


class RoleModel:
    """The model of one role, or of one seat on the panel that plays it."""

    def __init__(
        self,
        player: PlayerKey,
        spec: ModelSpec,
        transport: ModelTransport,
        *,
        traffic: EndpointTraffic,
        modes: ModeMemory,
        price: ModelPrice | None,
        tools: GatewayTools,
    ) -> None:
        self.player = player
        self.role = role_of(player)
        self.spec = spec
        self.transport = transport
        self.modes = modes
        self.price = price
        self.tools = tools
        self.ended: EndsRunError | None = None
        """Why no call of this role can succeed: those that wait for their turn need not find out themselves."""
        self._traffic = traffic

    @property
    def name(self) -> str:
        """Provider and model, as reports call it."""
        return self.transport.identity.name

    async def ask(
        self,
        prompt: ChatPrompt,
        answer: type[AnswerT],
        *,
        origin: CallOrigin,
        check: Callable[[AnswerT], None] | None = None,
    ) -> AnswerT:
        """Ask for one answer (``ports.ChatModel.ask``). Raises RoleError, EndsRunError."""
        n_chars = sum(len(message.text) for message in prompt.stable) + len(prompt.request)
        try:
            with self.tools.budget.reserve(
                self.player, n_chars=n_chars, output_cap=self.spec.max_output_tokens
            ) as reservation:
                call = _Call(self, origin, self._traffic.call(self.tools.deadline), reservation)
                return await ask_structured(call, prompt, answer, spec=self.spec, memory=self.modes, check=check)
        except CallError as error:
            told = self._told(error)
            if isinstance(told, EndsRunError):
                self.ended = told
            raise told from error
        except EndsRunError as error:
            self.ended = error
            raise

    def _told(self, error: CallError) -> RoleError | EndsRunError:
        text = f"{self.name} at {self.transport.identity.endpoint}: {error.detail}"
        if error.outcome is CallOutcome.UNAUTHORISED:
            return ModelSetupError(text)
        if error.outcome.ends_run or isinstance(error, EndpointClosedError):
            return ProviderStoppedError(text)
        return RoleError(stop_reason_of(error.outcome, self.role), self.role, f"{error.outcome}: {text}")


class _Call:
    """One call: makes its requests and accounts for each. Implements ``llm.completion.Complete``."""

    def __init__(self, model: RoleModel, origin: CallOrigin, traffic: TrafficCall, reservation: Reservation) -> None:
        self._model = model
        self._origin = origin
        self._traffic = traffic
        self._reservation = reservation
        self._call_id = model.tools.new_id()
        self._mode = ""
        self._started_at = ""

    async def __call__(self, request: CompletionRequest, read: Callable[[Completion], ReadT]) -> ReadT:
        """Answer from the cache, or send ``request`` until it is answered or given up.

        Raises:
            CallError: no usable answer.
            EndsRunError: another call has found that none can succeed.
        """
        if self._model.ended is not None:
            raise self._model.ended
        self._mode = mode_of(request)
        cache = self._model.tools.cache
        if cache is None:
            return (await self._send(request, read))[1]
        key = self._cache_key(request)
        if (known := await cache.get(key)) is not None:
            # What was usable for the call that stored it need not be for this one, which may check more.
            with suppress(CallError):
                made = read(known)
                await self._record(CallOutcome.FROM_CACHE)
                return made
        completion, made = await self._send(request, read)
        await cache.put(key, completion)
        return made

    def _cache_key(self, request: CompletionRequest) -> str:
        identity = self._model.transport.identity
        return cache_key(
            request,
            endpoint=f"{identity.endpoint} {identity.variant}",
            model=identity.model,
            parameters=self._model.spec.parameters,
            repeat=self._origin.repeat,
            draft=self._origin.draft,
        )

    async def _send(self, request: CompletionRequest, read: Callable[[Completion], ReadT]) -> tuple[Completion, ReadT]:
        made: list[ReadT] = []

        async def send() -> Completion:
            self._reservation.sent()
            self._started_at = self._model.tools.clock.now().isoformat()
            completion = await self._model.transport.complete(request)
            made.append(_read(completion, read))
            return completion

        estimated = self._reservation.estimated_tokens
        while True:
            try:
                completion = await self._traffic.request(send, estimated_tokens=estimated, on_request=self._on_request)
                return completion, made[0]
            except CallError as error:
                if not error.adapted or not self._traffic.requests_left:
                    raise

    async def _on_request(self, number: int, timing: RequestTiming, end: RequestEnd) -> None:
        match end:
            case Completion():
                outcome, detail, answer, tokens = CallOutcome.OK, "", "", end.tokens
            case CallError():
                outcome, detail, answer, tokens = end.outcome, end.detail, end.answer, end.tokens
            case Exception():
                outcome, detail, answer, tokens = CallOutcome.REJECTED, str(end), "", _UNKNOWN
            case _:
                outcome, detail, answer, tokens = CallOutcome.CANCELLED, "", "", _UNKNOWN
        if outcome is CallOutcome.OUT_OF_BUDGET:
            return  # refused before it was sent: there was no request
        self._reservation.settle(tokens, outcome)
        await self._record(outcome, number=number, detail=detail, answer=answer, tokens=tokens, timing=timing)

    async def _record(
        self,
        outcome: CallOutcome,
        *,
        number: int = 0,
        detail: str = "",
        answer: str = "",
        tokens: TokenCounts = _UNKNOWN,
        timing: RequestTiming | None = None,
    ) -> None:
        model, tools = self._model, self._model.tools
        request = LlmRequest(
            call_id=self._call_id,
            number=number,
            origin=self._origin,
            role=model.role,
            endpoint=model.transport.identity.endpoint,
            model=model.transport.identity.model,
            mode=self._mode,
            outcome=outcome,
            detail=detail,
            answer=answer,
            tokens=tokens,
            cost_usd=request_cost_usd(outcome, tokens, model.price),
            queue_wait_ms=1000 * timing.queue_wait_s if timing else 0.0,
            retry_wait_ms=1000 * timing.retry_wait_s if timing else 0.0,
            latency_ms=1000 * timing.latency_s if timing else 0.0,
            started_at=self._started_at,
        )
        tools.logger.debug("llm_request", **_logged(request))
        await tools.log.record_request(request)


def _read(completion: Completion, read: Callable[[Completion], ReadT]) -> ReadT:
    """Return what ``read`` makes of ``completion``; its refusal keeps the tokens that were spent."""
    try:
        return read(completion)
    except CallError as error:
        error.tokens = completion.tokens
        error.answer = error.answer or completion.text
        raise


def _logged(request: LlmRequest) -> dict[str, object]:
    return {
        "call": request.call_id,
        "number": request.number,
        "attempt": request.origin.attempt_id,
        "role": request.role.value,
        "model": request.model,
        "outcome": request.outcome.value,
        "detail": request.detail,
        "prompt_tokens": request.tokens.prompt_tokens,
        "completion_tokens": request.tokens.completion_tokens,
        "cost_usd": request.cost_usd,
        "latency_ms": round(request.latency_ms, 1),
    }
