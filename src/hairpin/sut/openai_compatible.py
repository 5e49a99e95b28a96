"""Assistants behind an OpenAI-compatible chat endpoint: the session is the list of messages.

No retries and no redirects: what the server does is what is tested.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from hairpin.domain.conversation import Exchange
from hairpin.domain.fingerprint import digest
from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity, SutReply
from hairpin.domain.sut_spec import OpenAiCompatibleSut, ReplyPaths
from hairpin.domain.users import Context
from hairpin.errors import InvalidInputError, SutError, UserError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.base import SessionGate
from hairpin.sut.chat_completion import NoReplyError, json_object, one_line, reply_of
from hairpin.sut.context_message import context_object, system_message
from hairpin.sut.http_client import HttpAnswer, HttpClients, LostConnectionError
from hairpin.sut.redaction import Redactor, basic_credentials, http_url, keys_of, public_part, secrets_of
from hairpin.sut.reply_paths import reply_of_answer

Message = dict[str, str]

_OWN_PARAMETERS: Final = {
    "messages": "Hairpin writes the messages",
    "model": "it has a field of its own",
    "stream": "answers are read whole",
}


class OpenAiCompatibleAdapter(SutAdapter):
    """Speaks to ``{base_url}/chat/completions``.

    Args:
        spec: address, model, system prompt, name of the variable with the key, and parameters, sent as they are; how
            the context is told, and where an answer has its state.
        environ: where the key is looked up, when a session opens.

    Raises:
        InvalidInputError: the address is no HTTP address, or a parameter is one that Hairpin sets.
    """

    def __init__(self, spec: OpenAiCompatibleSut, *, environ: Mapping[str, str]) -> None:
        _refuse_own_parameters(spec.parameters)
        base = http_url(spec.base_url, where="base_url")
        self._spec = spec
        self._environ = environ
        self._url = (base.with_path(base.path.rstrip("/") + "/chat/completions", keep_query=True)).with_user(None)
        self._login = basic_credentials(base) if base.user or base.password else None
        self._url_secrets = secrets_of(base)
        self._url_keys = keys_of(base)
        self._identity = SutIdentity(
            name=spec.name or spec.model, version=spec.version or _version(spec), transport="openai-compatible"
        )
        self._clients = HttpClients()
        self.capabilities = Capabilities(
            accepts_history=True, takes_reference_text=True, idempotent_turns=True, max_sessions=spec.max_sessions
        )

    def describe(self) -> SutIdentity:
        """Return the name given, else the model; without a version given it is a digest of prompt and parameters."""
        return self._identity

    async def open(self, start: SessionStart) -> SutSession:
        """Open a session; nothing is sent yet.

        Raises:
            UserError: the key's environment variable is missing, empty or no key.
        """
        key = self._api_key()
        keys = [key] if key else []
        redactor = Redactor((*self._url_secrets, *keys), spoken=(*self._url_keys, *keys))
        return ChatSession(self, start, headers=self._headers(key), redactor=redactor)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._clients.aclose()

    async def complete(self, messages: list[Message], *, headers: dict[str, str], redactor: Redactor) -> SutReply:
        """Ask for a completion once; a reply that repeats a key or password has ``***`` in its place.

        Raises:
            SutConnectionError: no connection.
            SutError: any other answer than a reply; in the provider's own short words, without credentials.
        """
        body: dict[str, object] = {"model": self._spec.model, "messages": messages, **self._spec.parameters}
        try:
            answer = await self._clients.post_json(self._url, body, headers)
        except LostConnectionError as error:
            # What is no HTTP is quoted, and may repeat what was sent.
            raise LostConnectionError(redactor.clean(str(error))) from None
        try:
            return self._with_state(redactor.clean_reply(reply_of(answer)), answer, redactor)
        except NoReplyError as error:
            # No cause: the provider's words may hold what it was sent, credentials too.
            raise SutError(f"{self._where} answered with {one_line(redactor.clean(str(error)))}") from None

    def first_messages(self, start: SessionStart) -> list[Message]:
        """Return the messages that a session begins with: prompt and context, then the history handed over.

        In words the context follows the prompt, in one system message. As JSON it is a system message of its own, the
        first of all, and nothing but the object ``{"conversation_id": …, "rng_seed": …, "context": …}``.
        """
        context = start.context if self._spec.context == "text" else Context()
        system = [told] if (told := system_message(self._spec.system_prompt, context)) else []
        if self._spec.context == "json":
            system.insert(0, context_object(start))
        messages = [{"role": "system", "content": text} for text in system]
        return messages + [message for exchange in start.history for message in _messages_of(exchange)]

    def _with_state(self, reply: SutReply, answer: HttpAnswer, redactor: Redactor) -> SutReply:
        """Return ``reply`` with what stands at the path of the state in the body. Raises SutError: it is no object."""
        if self._spec.state is None:
            return reply
        paths = ReplyPaths(state=self._spec.state)
        found = reply_of_answer(json_object(answer), paths, where=self._where, redactor=redactor, whole="")
        return reply.model_copy(update={"state": found.state})

    def _api_key(self) -> str | None:
        variable = self._spec.api_key_env
        if variable is None:
            return None
        key = self._environ.get(variable, "").strip()
        if not key:
            raise UserError(f"environment variable {variable} is not set; it must hold the key for {self._where}")
        if not (key.isascii() and key.isprintable()):
            raise UserError(f"environment variable {variable} holds characters that no key has; set it anew")
        if self._login is not None:
            raise UserError(f"{self._where} has both a user name in base_url and a key in {variable}; remove one")
        return key

    def _headers(self, key: str | None) -> dict[str, str]:
        if key is not None:
            return {"Authorization": f"Bearer {key}"}
        return {"Authorization": f"Basic {self._login}"} if self._login is not None else {}

    @property
    def _where(self) -> str:
        return public_part(self._url)

    def __repr__(self) -> str:
        return f"OpenAiCompatibleAdapter({self._spec.model!r} at {self._where})"


class ChatSession(SutSession):
    """One conversation as a list of messages; a turn that fails leaves the list as it was."""

    def __init__(
        self, adapter: OpenAiCompatibleAdapter, start: SessionStart, *, headers: dict[str, str], redactor: Redactor
    ) -> None:
        self._adapter = adapter
        self._messages = adapter.first_messages(start)
        self._headers = headers
        self._redactor = redactor
        self._gate = SessionGate(repr(adapter))

    async def send(self, utterance: str) -> SutReply:
        """Return the model's reply. Raises SutConnectionError, SutError, AdapterFaultError."""
        self._gate.check_open()
        asked: list[Message] = [*self._messages, {"role": "user", "content": utterance}]
        reply = await self._adapter.complete(asked, headers=self._headers, redactor=self._redactor)
        self._messages = [*asked, {"role": "assistant", "content": reply.text}]
        return reply

    async def close(self) -> None:
        """Close the session, once; the server holds nothing of it."""
        self._gate.close()


def _refuse_own_parameters(parameters: Mapping[str, JsonValue]) -> None:
    for name, why in _OWN_PARAMETERS.items():
        if name in parameters:
            raise InvalidInputError(f"{name!r} cannot be set: {why}", where="parameters", hint=f"remove {name!r}")


def _messages_of(exchange: Exchange) -> tuple[Message, Message]:
    return {"role": "user", "content": exchange.user}, {"role": "assistant", "content": exchange.assistant}


def _version(spec: OpenAiCompatibleSut) -> str:
    parts: list[object] = [spec.system_prompt, dict(spec.parameters)]
    if spec.context != "text":
        parts.append(spec.context)
    return digest(json.dumps(parts, sort_keys=True, ensure_ascii=False))[:16]
