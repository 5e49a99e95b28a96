"""Which assistant a scenario names, as a value.

Building the adapter is the composition root's work.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from hairpin.domain.base import Value
from hairpin.domain.sut import SutIdentity


class FaultSpec(Value):
    """A seeded fault of an assistant of Hairpin's own.

    It can strike once ``after`` exchanges have passed, with ``probability``, and while every condition of ``when``
    holds; the assistant says which conditions there are.
    """

    id: str
    after: int = Field(default=0, ge=0)
    probability: float = Field(default=1.0, ge=0, le=1)
    when: tuple[str, ...] = ()


class TestbedSut(Value):
    """The reference assistant with these faults on."""

    __test__ = False

    provider: Literal["testbed"] = "testbed"
    faults: tuple[FaultSpec, ...] = ()
    wording: str | None = None


class StorySut(Value):
    """The question answerer over a generated story; without a reference text it is about story number ``story``."""

    provider: Literal["story"] = "story"
    faults: tuple[FaultSpec, ...] = ()
    story: int = Field(default=1, ge=0)


class PythonSut(Value):
    """A Python object: ``./file.py:Name`` beside the scenario, ``package.module:Name`` or an entry point's name.

    ``options`` are keyword arguments to it.
    """

    provider: Literal["python"] = "python"
    reference: str
    folder: str | None = None
    options: Mapping[str, JsonValue] = Field(default_factory=dict)


class RecordedSut(Value):
    """Conversations that were made elsewhere, in a file; their replies are said again, nothing is asked.

    ``end_tokens``: texts that end a conversation, beside the usual ones. ``stored`` is the format of conversations of a
    stored run that are judged again; ``assistants`` says by label who spoke in them.
    """

    provider: Literal["recorded"] = "recorded"
    file: str
    format: Literal["auto", "turns", "openai", "stored"] = "auto"
    end_tokens: tuple[str, ...] = ()
    assistants: Mapping[str, SutIdentity] = Field(default_factory=dict)
    name: str | None = None
    version: str = ""
    strict: bool = False


class _NamedSut(Value):
    """What can be said of every assistant that is reached by configuration; ``name``: how reports call it."""

    name: str | None = None
    version: str = ""
    max_sessions: int | None = Field(default=None, ge=1)


class OpenAiCompatibleSut(_NamedSut):
    """A chat model behind ``{base_url}/chat/completions``; the key is read from the environment variable named.

    ``context``: how the conversation's context is told in the first system message: in words, or as one JSON object
    with ``conversation_id``, ``rng_seed`` and ``context``. ``state``: the path of the side channel in an answer.
    """

    provider: Literal["openai-compatible"] = "openai-compatible"
    base_url: str
    model: str
    system_prompt: str | None = None
    api_key_env: str | None = None
    parameters: Mapping[str, JsonValue] = Field(default_factory=dict)
    context: Literal["text", "json"] = "text"
    state: str | None = None


class LocalSut(Value):
    """A GGUF file served in a child process; without ``gguf`` the environment's HAIRPIN_GGUF is used."""

    provider: Literal["local"] = "local"
    gguf: str | None = None
    system_prompt: str | None = None
    context_tokens: int = Field(default=8192, ge=512)
    parameters: Mapping[str, JsonValue] = Field(default_factory=dict)


class Match(Value):
    """What must stand at ``path``: one of ``equals``; without any, whatever is neither missing, null nor false."""

    path: str
    equals: tuple[JsonValue, ...] = ()


class ReplyPaths(Value):
    """Where a reply's parts are in an answer (``domain.json_paths``).

    ``text``: ``""`` is the whole answer, as text. ``error``: where an answer says that it is none; what stands there
    becomes the assistant's error.
    """

    text: str = ""
    ended: str | None = None
    state: str | None = None
    error: str | None = None


class HttpRequest(Value):
    """A request as a template (``domain.sut_template``); ``body`` is sent as JSON, a text as it is; ``None``: none."""

    url: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "POST"
    headers: Mapping[str, str] = Field(default_factory=dict)
    body: JsonValue = None


class HttpSession(Value):
    """Requests that open and close a session of the assistant's; ``id``: the path of its id in the answer to ``open``.

    Without ``open`` it is in the answer to the first turn, in which ``{session_id}`` is null. Without ``id`` the id is
    Hairpin's own, also in ``open``.
    """

    open: HttpRequest | None = None
    id: str | None = None
    close: HttpRequest | None = None


class HttpStream(Value):
    """An answer that comes in pieces. ``text``: the path of the words in a piece, to be joined.

    ``done``: the piece that ends it, as written; ``until``: what the last piece says. Without either it ends with
    the answer. ``full``: pieces hold all words so far, the last one counts.
    """

    format: Literal["sse", "lines"] = "sse"
    text: str = ""
    done: str | None = "[DONE]"
    until: Match | None = None
    full: bool = False


class HttpPolling(Value):
    """The reply is fetched: ``request``, which may hold ``{answer.…}`` of the first answer, till one says ``until``."""

    request: HttpRequest
    until: Match
    interval_s: float = Field(default=0.5, gt=0)


class HttpSut(_NamedSut):
    """Any assistant behind HTTP, by templates.

    ``retries``: how often a turn is sent again after a lost connection or a status that says "later"; only where a
    turn that is heard twice does no harm (``idempotent_turns``).
    """

    provider: Literal["http"] = "http"
    request: HttpRequest
    reply: ReplyPaths = ReplyPaths()
    session: HttpSession | None = None
    stream: HttpStream | None = None
    poll: HttpPolling | None = None
    idempotent_turns: bool = False
    retries: int = Field(default=0, ge=0, le=10)
    max_reply_bytes: int = Field(default=1024**2, ge=1)


class WebSocketSut(_NamedSut):
    """Any assistant behind a WebSocket: one connection per session.

    Attributes:
        hello: sent when a session opens; ``ready``: the message waited for then.
        send: the message of a turn: a text is sent as it is, all else as JSON.
        only: messages that are part of a reply; others are passed over.
        until: for a reply in several messages: the last one; their texts are joined. ``full``: the last text counts.
    """

    provider: Literal["websocket"] = "websocket"
    url: str
    headers: Mapping[str, str] = Field(default_factory=dict)
    subprotocols: tuple[str, ...] = ()
    hello: JsonValue = None
    ready: Match | None = None
    send: JsonValue = "{utterance}"
    reply: ReplyPaths = ReplyPaths()
    only: Match | None = None
    until: Match | None = None
    full: bool = False
    max_reply_bytes: int = Field(default=1024**2, ge=1)


_PROCESS_LINE: JsonValue = {
    "utterance": "{utterance}",
    "t": "{t}",
    "session_id": "{session_id}",
    "context": "{context}",
    "rng_seed": "{rng_seed}",
}


class ProcessSut(_NamedSut):
    """A program that reads a line per turn from standard input and writes a line per reply to standard output.

    Attributes:
        command: the program and its arguments; relative files are below ``folder``.
        environment: variables added to its environment, as templates: ``{env.NAME}``.
        hello: the first line of a session, which gets no answer; ``bye``: the last.
        send: the line of a turn, as JSON.
        id: where an answer repeats ``{turn_id}``: with it one process serves all sessions; without, each has its own.
    """

    provider: Literal["process"] = "process"
    command: tuple[str, ...] = Field(min_length=1)
    folder: str | None = None
    environment: Mapping[str, str] = Field(default_factory=dict)
    hello: JsonValue = None
    send: JsonValue = Field(default_factory=lambda: _PROCESS_LINE)
    bye: JsonValue = None
    reply: ReplyPaths = ReplyPaths(text="text", ended="ended", state="state", error="error")
    id: str | None = None
    max_reply_bytes: int = Field(default=1024**2, ge=1)


class LangGraphSut(_NamedSut):
    """A compiled LangGraph application in this process: ``./app.py:graph``, or a function that returns one.

    Attributes:
        input: what the graph is invoked with, as a template. Default: the message, or, of a graph without a
            checkpointer, all messages.
        config: its configuration, as a template; default: a thread of its own per session.
        reply: paths in the graph's result; without ``text`` it is the content of the last message.
    """

    provider: Literal["langgraph"] = "langgraph"
    reference: str
    folder: str | None = None
    input: JsonValue = None
    config: Mapping[str, JsonValue] = Field(default_factory=dict)
    reply: ReplyPaths | None = None


SutSpec = Annotated[
    TestbedSut
    | StorySut
    | PythonSut
    | RecordedSut
    | OpenAiCompatibleSut
    | LocalSut
    | HttpSut
    | WebSocketSut
    | ProcessSut
    | LangGraphSut,
    Field(discriminator="provider"),
]
