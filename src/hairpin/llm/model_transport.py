"""One role's way to its model: the request as the endpoint takes it, sent once, and what was learnt from a refusal.

No retries and no limits.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import JsonValue

from hairpin.llm.adaptation import Adaptation, Payload
from hairpin.llm.chat_client import DirectChatModel, completion_of
from hairpin.llm.completion import Completion, CompletionRequest
from hairpin.llm.message_layout import Message
from hairpin.llm.model_identity import ModelIdentity
from hairpin.llm.response_reading import RefusedRequestError

_MESSAGE_OF_ROLE: Mapping[str, Callable[..., BaseMessage]] = {
    "system": SystemMessage,
    "user": HumanMessage,
    "assistant": AIMessage,
}


class ModelTransport:
    """Sends the requests of one role.

    Args:
        identity: who the model is.
        connect: returns the chat model; for a model file it starts the server first.
        adaptation: shared with the other roles that the model plays.
        parameters: the user's, sent as they are.
        traced: goes through LangChain's ``ainvoke`` with its callbacks and tracers, which costs a third more.
    """

    def __init__(
        self,
        identity: ModelIdentity,
        *,
        connect: Callable[[], Awaitable[DirectChatModel]],
        adaptation: Adaptation,
        parameters: Mapping[str, JsonValue],
        traced: bool = False,
    ) -> None:
        self.identity = identity
        self._connect = connect
        self._adaptation = adaptation
        self._parameters = parameters
        self._send = _send_traced if traced else _send

    async def prepare(self) -> None:
        """Start what has to run before a request is sent, so that loading counts as nobody's latency.

        Raises:
            ModelSetupError: the model file cannot be loaded.
            ProviderStoppedError: its server does not start.
        """
        await self._connect()

    async def complete(self, request: CompletionRequest) -> Completion:
        """Send ``request``, exactly once.

        Raises:
            CallError: no usable answer. With ``adapted`` the same request, sent anew, goes out differently.
            ModelSetupError: a parameter of the user's is not taken.
            ProviderStoppedError: the model file's server does not run any more.
        """
        model = await self._connect()
        payload = self._adaptation.payload(request, self._parameters)
        try:
            return await self._send(model, payload)
        except RefusedRequestError as error:
            self._adaptation.learn(error, request, payload, self._parameters)
            raise

    def __repr__(self) -> str:
        return f"ModelTransport({self.identity.name!r} at {self.identity.endpoint})"


async def _send(model: DirectChatModel, payload: Payload) -> Completion:
    return await model.complete(payload)


async def _send_traced(model: DirectChatModel, payload: Payload) -> Completion:
    parameters: dict[str, Any] = {name: value for name, value in payload.items() if name != "messages"}
    messages = payload["messages"]
    assert isinstance(messages, list)
    return completion_of(
        await model.ainvoke([_message(item) for item in messages if isinstance(item, dict)], **parameters)
    )


def _message(message: Message) -> BaseMessage:
    return _MESSAGE_OF_ROLE[str(message["role"])](content=message["content"])
