"""The ways to all models of one run: what roles on one endpoint share, and what is closed in the end.

What is asked, when and how often is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import anyio
import httpx2
from structlog.typing import FilteringBoundLogger

from hairpin.domain.model_spec import AzureModel, CompatibleModel, LocalModel, ModelSpec, OpenAiModel
from hairpin.llm.adaptation import Adaptation
from hairpin.llm.chat_client import DirectChatModel, azure_model, openai_model
from hairpin.llm.endpoint import Endpoint, endpoint_of, local_endpoint
from hairpin.llm.http_transport import EndpointTransport
from hairpin.llm.local_models import LocalAddress, LocalModels
from hairpin.llm.model_identity import OPENAI_ADDRESS, ModelIdentity, address_of, gguf_of, identify
from hairpin.llm.model_transport import ModelTransport
from hairpin.llm.parameters import check_parameters
from hairpin.llm.response_reading import AnswerReader
from hairpin.ports import Clock
from hairpin.sut.redaction import Redactor

Connect = Callable[[], Awaitable[DirectChatModel]]


class Providers:
    """Makes the transports of a run's roles; one connection pool per endpoint, one child process per model file.

    Args:
        environ: where keys are looked up, and nothing else.
        default_gguf: the model file where a scenario names none.
        clock: to which dates in answers are compared.
        logger: told what is learnt of an endpoint.
        traced: requests go through LangChain's ``ainvoke``, for its callbacks and tracers.
        local_log_path: where the logs of model files' servers go; ``None``: nowhere.
    """

    def __init__(
        self,
        *,
        environ: Mapping[str, str],
        default_gguf: Path | None,
        clock: Clock,
        logger: FilteringBoundLogger,
        traced: bool = False,
        local_log_path: Path | None = None,
    ) -> None:
        self._environ = environ
        self._default_gguf = default_gguf
        self._clock = clock
        self._logger = logger
        self._traced = traced
        self._local = LocalModels(log_path=local_log_path)
        self._pools: dict[tuple[str, str | None], httpx2.AsyncClient] = {}
        self._adaptations: dict[tuple[str, str], Adaptation] = {}
        self._redactors: dict[tuple[str, str | None], Redactor] = {}

    def transport(self, spec: ModelSpec) -> ModelTransport:
        """Return the way to the model of ``spec``; nothing is contacted or started yet.

        Raises:
            InvalidInputError: its address is no HTTP address, or a parameter is one that Hairpin sets.
            ModelSetupError: its key is missing, or there is no such model file.
        """
        check_parameters(spec.parameters)
        identity = identify(spec, environ=self._environ, default_gguf=self._default_gguf)
        return ModelTransport(
            identity,
            connect=self._local_connect(spec) if isinstance(spec, LocalModel) else self._remote_connect(spec),
            adaptation=self._adaptation(spec, identity),
            parameters=spec.parameters,
            traced=self._traced,
        )

    def clean(self, text: str) -> str:
        """Return ``text`` without the credentials of any endpoint so far."""
        for redactor in self._redactors.values():
            text = redactor.clean(text)
        return text

    async def aclose(self) -> None:
        """Close the connections of the running loop and end the model servers."""
        with anyio.CancelScope(shield=True):
            for pool in self._pools.values():
                await pool.aclose()
            await self._local.aclose()

    def _adaptation(self, spec: ModelSpec, identity: ModelIdentity) -> Adaptation:
        model = spec.deployment if isinstance(spec, AzureModel) else identity.model
        key = (identity.endpoint_key, model)
        if key not in self._adaptations:
            self._adaptations[key] = Adaptation(
                model=model, where=identity.endpoint, output_cap=_first_cap(spec), logger=self._logger
            )
        return self._adaptations[key]

    def _remote_connect(self, spec: OpenAiModel | AzureModel | CompatibleModel) -> Connect:
        endpoint = endpoint_of(spec, environ=self._environ)
        pool = self._pool((str(address_of(spec)), spec.api_key_env), endpoint)
        model = self._chat_model(spec, endpoint, pool)

        async def connect() -> DirectChatModel:
            return model

        return connect

    def _local_connect(self, spec: LocalModel) -> Connect:
        server = self._local.server(
            gguf_of(spec, self._default_gguf),
            context_tokens=spec.context_tokens,
            n_parallel=spec.limits.concurrency,
        )
        made: dict[str, DirectChatModel] = {}

        async def connect() -> DirectChatModel:
            address = await server.address()
            if address.base_url not in made:
                # A server that came up anew listens elsewhere.
                made.clear()
                made[address.base_url] = self._local_model(spec, address)
            return made[address.base_url]

        return connect

    def _local_model(self, spec: LocalModel, address: LocalAddress) -> DirectChatModel:
        endpoint = local_endpoint(address.base_url, address.api_key)
        return self._chat_model(spec, endpoint, self._pool((address.base_url, None), endpoint))

    def _pool(self, key: tuple[str, str | None], endpoint: Endpoint) -> httpx2.AsyncClient:
        """Return the connections of one address with one key."""
        if key not in self._pools:
            self._redactors[key] = endpoint.redactor
            self._pools[key] = _new_pool(endpoint)
        return self._pools[key]

    def _chat_model(self, spec: ModelSpec, endpoint: Endpoint, pool: httpx2.AsyncClient) -> DirectChatModel:
        reader = AnswerReader(
            redactor=endpoint.redactor,
            clock=self._clock,
            key_variable=endpoint.key_variable,
            named_by_user=isinstance(spec, CompatibleModel),
        )
        timeout_s = spec.limits.timeout_s
        if isinstance(spec, AzureModel):
            return azure_model(
                model=spec.model or spec.deployment,
                endpoint=endpoint.address,
                deployment=spec.deployment,
                api_version=spec.api_version,
                http=pool,
                reader=reader,
                timeout_s=timeout_s,
            )
        model = "local" if isinstance(spec, LocalModel) else spec.model
        return openai_model(model=model, base_url=endpoint.address, http=pool, reader=reader, timeout_s=timeout_s)


def _new_pool(endpoint: Endpoint) -> httpx2.AsyncClient:
    transport = EndpointTransport(credentials=endpoint.credentials, query=endpoint.query)
    return httpx2.AsyncClient(transport=transport, trust_env=False)


def _first_cap(spec: ModelSpec) -> str:
    """Return the name of the output cap that the endpoint most likely takes."""
    openai = isinstance(spec, OpenAiModel | AzureModel)
    openai = openai or (isinstance(spec, CompatibleModel) and spec.base_url.startswith(OPENAI_ADDRESS))
    return "max_completion_tokens" if openai else "max_tokens"
