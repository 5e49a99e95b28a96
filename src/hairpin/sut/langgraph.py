"""LangGraph applications in this process, by configuration.

An application runs apart from the graph that drives Hairpin's conversations, which asks it from inside a node: it sees
no callbacks, configuration or context variables of Hairpin's. The library itself is not imported.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import anyio
from pydantic import JsonValue

from hairpin.domain.sut import SessionStart, SutIdentity, SutReply
from hairpin.domain.sut_spec import LangGraphSut
from hairpin.errors import SutError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.base import SessionGate
from hairpin.sut.chat_completion import one_line
from hairpin.sut.context_message import system_message
from hairpin.sut.environment import environment_values
from hairpin.sut.fault_text import typed_text_of
from hairpin.sut.graph_loading import GraphSource, graph_version
from hairpin.sut.graph_result import interrupts_of, reply_of_result
from hairpin.sut.own_task import run_alone
from hairpin.sut.redaction import Redactor
from hairpin.sut.template_capabilities import capabilities_of
from hairpin.sut.templated_session import TemplatedTurns, filled
from hairpin.sut.threads import run_in_daemon_thread

_DEFAULT_INPUT: Final[JsonValue] = ["{context}", "{messages}"]
"""What the default input can carry."""


class LangGraphAdapter(SutAdapter):
    """Invokes a compiled graph, or any other Runnable, once per turn.

    By default a graph with a checkpointer gets the new message, in a thread of its own per session, and one without
    gets all messages. The context of the conversation comes first, as a system message, if there is any.

    Args:
        spec: the application, its input and configuration, and where its reply is.
        environ: where the variables of ``{env.NAME}`` are looked up, when a session opens.

    Raises:
        InvalidInputError: the application cannot be found or imported, or is none.
        UserError: the function that makes it raised.
    """

    def __init__(self, spec: LangGraphSut, *, environ: Mapping[str, str]) -> None:
        self._spec = spec
        self._environ = environ
        self._source = GraphSource(spec)
        self._loading = anyio.Lock()
        self._templates: list[JsonValue] = [spec.input, dict(spec.config)]
        self._identity = SutIdentity(name=spec.name or spec.reference, version=spec.version or graph_version(spec))
        carried = [_DEFAULT_INPUT] if spec.input is None else []
        self.capabilities = capabilities_of([*self._templates, *carried], max_sessions=spec.max_sessions)

    def describe(self) -> SutIdentity:
        """Return the name given, else the reference; without a version given it is a digest of file and settings."""
        return self._identity

    async def open(self, start: SessionStart) -> SutSession:
        """Open a session; nothing is invoked yet. Raises UserError."""
        env = environment_values(self._templates, self._environ, where=f"sut {self._identity.name}")
        async with self._loading:
            graph = await self._source.load()
        turns = GraphTurns(self._spec, start, env, remembers=self._source.remembers)
        redactor = Redactor(env.values(), spoken=env.values())
        return LangGraphSession(self._spec, graph, turns, name=self._identity.name, redactor=redactor)


class GraphTurns(TemplatedTurns):
    """The turns of one session, and what the application is given in each."""

    def __init__(self, spec: LangGraphSut, start: SessionStart, env: Mapping[str, str], *, remembers: bool) -> None:
        super().__init__(start, env)
        self._input = spec.input
        self._config = spec.config
        self._remembers = remembers
        self._system = system_message(None, start.context)
        self._has_begun = False

    def input_of(self, values: Mapping[str, JsonValue]) -> JsonValue:
        """Return what the application is invoked with in a turn."""
        if self._input is not None:
            return filled(self._input, values)
        said = values["messages"]
        assert isinstance(said, list)
        if self._remembers and self._has_begun:
            return {"messages": said[-1:]}
        context: list[JsonValue] = [{"role": "system", "content": self._system}] if self._system else []
        return {"messages": [*context, *said]}

    def config(self) -> dict[str, Any]:
        """Return the configuration of every turn: what the user wrote, and a thread unless that names one."""
        config = filled(dict(self._config), self.session)
        assert isinstance(config, dict)
        own = config.get("configurable")
        thread = {"thread_id": self.session["session_id"]}
        return {**config, "configurable": {**thread, **(own if isinstance(own, dict) else {})}}

    def keep(self, utterance: str, reply: SutReply) -> SutReply:
        """Add a finished exchange and return its reply."""
        self._has_begun = True
        return super().keep(utterance, reply)


class LangGraphSession(SutSession):
    """One conversation with an application."""

    def __init__(self, spec: LangGraphSut, graph: object, turns: GraphTurns, *, name: str, redactor: Redactor) -> None:
        self._spec = spec
        self._graph = graph
        self._turns = turns
        self._name = name
        self._redactor = redactor
        self._gate = SessionGate(name)
        self._asked: tuple[object, ...] = ()

    async def send(self, utterance: str) -> SutReply:
        """Return the reply; what a graph asked when it interrupted itself is resumed with ``utterance``.

        Raises:
            SutError: the result holds no reply, or an earlier turn still runs although it was cancelled.
            Exception: what the application raised, as it is.
        """
        self._gate.check_open()
        values = self._turns.next(utterance)
        given = _resumed(self._asked, utterance) if self._asked else self._turns.input_of(values)
        result = await self._invoke(given)
        self._asked = interrupts_of(result)
        reply = reply_of_result(result, self._spec.reply, where=self._name, redactor=self._redactor)
        return self._turns.keep(utterance, reply)

    async def close(self) -> None:
        """Close the session, once; what a checkpointer holds of it is left to whoever wrote the application."""
        self._gate.close()

    async def _invoke(self, given: object) -> object:
        call = _asynchronous(self._graph, given, self._turns.config())
        try:
            return await run_alone(call, name=self._name, left=self._break_off)
        except Exception as error:
            text = typed_text_of(error)
            cleaned = self._redactor.clean(text)
            hint = self._hint(error)
            if cleaned == text and not hint:
                raise
            raise SutError(f"{self._name} raised {one_line(cleaned)}{hint}") from (error if cleaned == text else None)

    def _hint(self, error: Exception) -> str:
        """Return the way out for a graph that lacks a key of its state, as it does where that is not messages."""
        if self._spec.input is not None or type(error).__name__ not in ("KeyError", "InvalidUpdateError"):
            return ""
        return "; if its state is not a list of messages, set 'input' and 'reply'"

    def _break_off(self) -> None:
        self._turns.break_off(f"{self._name}: an earlier turn ignored its cancellation and still runs")


async def _asynchronous(graph: object, given: object, config: dict[str, Any]) -> object:
    """Invoke the application; one that can only be invoked synchronously, in a daemon thread."""
    ainvoke: Callable[..., Awaitable[object]] | None = getattr(graph, "ainvoke", None)
    if ainvoke is not None:
        return await ainvoke(given, config)
    invoke: Callable[..., object] = graph.invoke  # type: ignore[attr-defined]  # is_graph has looked
    return await run_in_daemon_thread(invoke, given, config)


def _resumed(asked: tuple[object, ...], utterance: str) -> object:
    """Return the command that answers what a graph asked; several questions at once all get this answer."""
    command = getattr(sys.modules.get("langgraph.types"), "Command", None)
    if command is None:
        raise SutError("the graph interrupted itself, and langgraph.types, which could resume it, is not loaded")
    ids = [getattr(interrupt, "id", None) for interrupt in asked]
    resumed: object = command(resume=dict.fromkeys(ids, utterance) if len(ids) > 1 else utterance)
    return resumed
