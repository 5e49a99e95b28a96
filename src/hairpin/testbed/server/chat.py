"""The OpenAI-compatible transport: a request holds the whole conversation, the server keeps nothing.

Of the answers before it reads no more than the assistant does: the state is rebuilt from what the user said.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, Literal

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from hairpin.domain.base import Value
from hairpin.domain.sut import SessionStart, SutIdentity, SutReply
from hairpin.domain.users import Context
from hairpin.ports import SutAdapter
from hairpin.testbed.server.problems import RequestProblem, json_answer, json_bytes, not_valid
from hairpin.testbed.server.sessions import open_session, said
from hairpin.testbed.server.wire import SpokenMessage, bounded, exchanges, parse, pieces

UNNAMED: Final = "chat"
"""The conversation of requests that do not say of which conversation they are."""

_DONE: Final = b"data: [DONE]\n\n"


class TextPart(Value):
    """A part of a message; other kinds than text are for models that see and hear."""

    type: Literal["text"]
    text: str


class ChatMessage(BaseModel):
    """A message as clients send it; what else they say of it is not for us."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    role: Literal["system", "developer", "user", "assistant"]
    content: str | tuple[TextPart, ...]

    @property
    def text(self) -> str:
        """The words."""
        return self.content if isinstance(self.content, str) else "".join(part.text for part in self.content)


class ChatRequest(Value):
    """A request for a completion; parameters of sampling mean nothing to an assistant that samples nothing."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: str
    messages: tuple[ChatMessage, ...] = Field(min_length=1)
    stream: bool = False


class StartMessage(Value):
    """What the first system message may say, as one JSON object."""

    conversation_id: str = UNNAMED
    rng_seed: int = 0
    context: Context = Context()


class ChatRoutes:
    """``/v1/chat/completions`` and ``/v1/models``.

    Args:
        adapter: the assistant; a session is opened and closed in each request.
        identity: its name is the model's.
    """

    def __init__(self, adapter: SutAdapter, identity: SutIdentity) -> None:
        self._adapter = adapter
        self._model = identity.name

    def routes(self) -> tuple[web.RouteDef, ...]:
        """Return what is served."""
        return (web.post("/v1/chat/completions", self._complete), web.get("/v1/models", self._models))

    async def _models(self, _: web.Request) -> web.Response:
        entry = {"id": self._model, "object": "model", "created": 0, "owned_by": "hairpin"}
        return json_answer({"object": "list", "data": [entry]})

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        wanted = parse(await request.read(), ChatRequest, where="body")
        if wanted.model != self._model:
            hint = f"write {self._model!r}"
            raise RequestProblem(404, f"there is no model {wanted.model[:80]!r}", where="body.model", hint=hint)
        start, utterance = conversation(wanted.messages)
        session = await open_session(self._adapter, start, where="body.messages.0")
        try:
            reply = await said(session, utterance)
        finally:
            await session.close()
        answer_id = f"chatcmpl-{len(start.history)}"
        if wanted.stream:
            return await self._streamed(request, reply, answer_id)
        return json_answer(self._answer(reply, answer_id))

    def _answer(self, reply: SutReply, answer_id: str) -> dict[str, JsonValue]:
        message: JsonValue = {"role": "assistant", "content": reply.text}
        choice: JsonValue = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return {**self._head(answer_id, "chat.completion"), "choices": [choice], **_beside(reply)}

    async def _streamed(self, request: web.Request, reply: SutReply, answer_id: str) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
        await response.prepare(request)
        head = self._head(answer_id, "chat.completion.chunk")
        await response.write(_event({**head, "choices": [_delta({"role": "assistant", "content": ""})]}))
        for piece in pieces(reply.text):
            await response.write(_event({**head, "choices": [_delta({"content": piece})]}))
        await response.write(_event({**head, "choices": [_delta({}, finished="stop")], **_beside(reply)}))
        await response.write(_DONE)
        await response.write_eof()
        return response

    def _head(self, answer_id: str, kind: str) -> dict[str, JsonValue]:
        return {"id": answer_id, "object": kind, "created": 0, "model": self._model}


def conversation(messages: Sequence[ChatMessage]) -> tuple[SessionStart, str]:
    """Return the start of the session that ``messages`` tell of, history and all, and what the user says last.

    Raises:
        RequestProblem: the last message is too long or not the user's, or the first system message says what it may
            not.
    """
    where = "body.messages"
    if messages[-1].role != "user":
        what = f"the last message is of the {messages[-1].role}"
        raise RequestProblem(422, what, where=f"{where}.{len(messages) - 1}", hint="let the user speak last")
    utterance = bounded(messages[-1].text, where=f"{where}.{len(messages) - 1}.content")
    first = next((index for index, m in enumerate(messages) if m.role in ("system", "developer")), None)
    told = StartMessage() if first is None else _start(messages[first].text, where=f"{where}.{first}.content")
    spoken = [SpokenMessage(role=m.role, content=m.text) for m in messages if m.role in ("user", "assistant")]
    history = exchanges(spoken[:-1], where=where)
    return SessionStart(**dict(told), history=history), utterance


def _start(text: str, *, where: str) -> StartMessage:
    """Read the first system message: one JSON object; anything else is a prompt, which nobody here follows."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return StartMessage()
    if not isinstance(value, dict):
        return StartMessage()
    try:
        return StartMessage.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise not_valid(error, where=where) from error


def _beside(reply: SutReply) -> dict[str, JsonValue]:
    """Return what an answer has beside what all such servers say."""
    return {"ended": reply.ended, "state": None if reply.state is None else dict(reply.state)}


def _delta(delta: dict[str, JsonValue], *, finished: str | None = None) -> JsonValue:
    return {"index": 0, "delta": delta, "finish_reason": finished}


def _event(body: JsonValue) -> bytes:
    return b"data: " + json_bytes(body) + b"\n\n"
