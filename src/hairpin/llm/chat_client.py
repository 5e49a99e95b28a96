"""Chat models of langchain-openai whose asynchronous path sends the payload as it is and reads the answer itself.

No retries, no limits, no adaptation. Skipped on purpose, because each costs more than the request itself: the SDK's
transformation of every message, its response models, LangChain's hop to a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final, Protocol, TypeVar

import anyio
import httpx2
import openai
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import InputTokenDetails, OutputTokenDetails, UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from langchain_openai.chat_models.base import BaseChatOpenAI
from pydantic import PrivateAttr

from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.llm.completion import CallError, Completion
from hairpin.llm.response_reading import HttpAnswer

_PATH: Final = "/chat/completions"
_NO_KEY: Final = "added-when-sent"
"""The SDK wants a key; the real one is the transport's alone."""

_UNNAMED: Final = frozenset({"model", "messages"})


class Reader(Protocol):
    """Makes a completion of an answer."""

    def read(self, answer: HttpAnswer, *, sent: Collection[str]) -> Completion:
        """Return it. Raises CallError."""
        ...


class _DirectPath(BaseChatOpenAI):
    """What both models share. Use ``ainvoke`` like any chat model's, or ``complete`` with a ready payload."""

    _reader: Reader = PrivateAttr()
    _timeout_s: float = PrivateAttr()

    async def complete(self, payload: dict[str, Any]) -> Completion:
        """Send ``payload`` once and return what came back.

        Raises:
            CallError: no usable answer, or none within the deadline of the whole request.
        """
        with anyio.move_on_after(self._timeout_s):
            answer = await self._post(payload)
            return self._reader.read(answer, sent=payload.keys() - _UNNAMED)
        raise CallError(CallOutcome.TIMED_OUT, f"no whole answer within {self._timeout_s:g} s")

    async def _post(self, payload: dict[str, Any]) -> HttpAnswer:
        try:
            response = await self.root_async_client.post(_PATH, cast_to=httpx2.Response, body=payload)
        except openai.APIStatusError as error:
            response = error.response
        return HttpAnswer.model_construct(status=response.status_code, headers=response.headers, body=response.content)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002  # LangChain passes it to all models
        **kwargs: Any,
    ) -> ChatResult:
        payload = self._get_request_payload(messages, stop=stop, **kwargs)
        message = message_of(await self.complete(payload))
        return ChatResult(generations=[ChatGeneration(message=message)], llm_output={"model_name": self.model_name})

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError("this model is asynchronous: use ainvoke")

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        # Not ChatOpenAI's own: it renames the output cap, which not every server takes under the new name.
        payload = BaseChatOpenAI._get_request_payload(self, input_, stop=stop, **kwargs)
        if not payload.get("stream"):
            payload.pop("stream", None)
        return payload


class DirectChatOpenAI(_DirectPath, ChatOpenAI):
    """A model behind ``{base_url}/chat/completions``."""


class DirectAzureChatOpenAI(_DirectPath, AzureChatOpenAI):
    """A deployment on Azure."""


DirectChatModel = DirectChatOpenAI | DirectAzureChatOpenAI

ModelT = TypeVar("ModelT", bound=_DirectPath)


def openai_model(
    *, model: str, base_url: str, http: httpx2.AsyncClient, reader: Reader, timeout_s: float
) -> DirectChatOpenAI:
    """Return the model at ``base_url``, which holds no credentials; ``http`` adds them."""
    client = openai.AsyncOpenAI(**_sdk_settings(http), base_url=base_url)
    return _made(DirectChatOpenAI, _ignoring_environment(client), reader, timeout_s, model=model, base_url=base_url)


def azure_model(
    *,
    model: str,
    endpoint: str,
    deployment: str,
    api_version: str,
    http: httpx2.AsyncClient,
    reader: Reader,
    timeout_s: float,
) -> DirectAzureChatOpenAI:
    """Return the deployment at ``endpoint``, which holds no credentials; ``http`` adds them."""
    client = openai.AsyncAzureOpenAI(
        **_sdk_settings(http), azure_endpoint=endpoint, azure_deployment=deployment, api_version=api_version
    )
    return _made(
        DirectAzureChatOpenAI,
        _ignoring_environment(client),
        reader,
        timeout_s,
        model=model,
        azure_endpoint=endpoint,
        azure_deployment=deployment,
        api_version=api_version,
        openai_api_base=None,
        azure_ad_token=None,
    )


def _sdk_settings(http: httpx2.AsyncClient) -> dict[str, Any]:
    return {"api_key": _NO_KEY, "admin_api_key": "", "http_client": http, "max_retries": 0, "timeout": None}


def _ignoring_environment(client: openai.AsyncOpenAI) -> openai.AsyncOpenAI:
    client.organization = client.project = None
    return client


def _made(
    kind: Callable[..., ModelT], client: openai.AsyncOpenAI, reader: Reader, timeout_s: float, **settings: Any
) -> ModelT:
    made = kind(
        api_key=_NO_KEY,
        root_async_client=client,
        async_client=client.chat.completions,
        # Given, so that no synchronous client is made, which would read the machine's certificates for nothing.
        root_client=client,
        client=client.chat.completions,
        max_retries=0,
        openai_proxy=None,
        organization=None,
        http_socket_options=(),
        use_responses_api=False,
        cache=False,
        **settings,
    )
    made._reader, made._timeout_s = reader, timeout_s
    return made


def message_of(completion: Completion) -> AIMessage:
    """Return ``completion`` as LangChain's message."""
    extra = {"reasoning_content": completion.reasoning} if completion.reasoning else {}
    return AIMessage(
        content=completion.text,
        additional_kwargs=extra,
        response_metadata={"finish_reason": completion.finish_reason, "tokens": completion.tokens.model_dump()},
        usage_metadata=_usage_of(completion.tokens),
    )


def completion_of(message: AIMessage) -> Completion:
    """Return the completion that ``message_of`` made ``message`` of."""
    return Completion(
        text=str(message.content),
        reasoning=message.additional_kwargs.get("reasoning_content", ""),
        finish_reason=message.response_metadata["finish_reason"],
        tokens=TokenCounts(**message.response_metadata["tokens"]),
    )


def _usage_of(tokens: TokenCounts) -> UsageMetadata | None:
    """Return LangChain's usage, which knows no unknown: ``None`` unless both sums are known."""
    prompt, completion = tokens.prompt_tokens, tokens.completion_tokens
    if prompt is None or completion is None:
        return None
    return UsageMetadata(
        input_tokens=prompt,
        output_tokens=completion,
        total_tokens=prompt + completion,
        input_token_details=InputTokenDetails(cache_read=tokens.cached_prompt_tokens or 0),
        output_token_details=OutputTokenDetails(reasoning=tokens.reasoning_tokens or 0),
    )
