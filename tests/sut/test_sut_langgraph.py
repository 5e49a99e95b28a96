"""LangGraph applications in this process: real graphs, also inside a run of Hairpin's own graph."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import anyio
import pytest
from langchain_core.runnables import RunnableLambda

import hairpin
from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import LangGraphSut, ReplyPaths
from hairpin.domain.users import Context
from hairpin.errors import AdapterFaultError, SutError, UserError
from hairpin.ports import SutSession
from hairpin.sut import own_task
from hairpin.sut.langgraph import LangGraphAdapter
from tests.patience import SLOWNESS

pytestmark = pytest.mark.anyio

HEAD = """
import asyncio
from typing import Annotated, Any, TypedDict
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from langgraph.checkpoint.memory import MemorySaver
from langgraph.config import get_config
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt

def build(node, state=MessagesState):
    graph = StateGraph(state)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    graph.add_edge("node", END)
    return graph

async def count(state):
    said = [m for m in state["messages"] if m.type == "human"]
    return {"messages": [AIMessage(f"{said[-1].content} ({len(said)} so far, {len(state['messages'])} messages)")]}
"""
LIBRARY_DEFAULTS = (None, 25, 10007)
START = SessionStart(conversation_id="c0001", rng_seed=7)


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path

    def adapter(self, code: str, *, environ: dict[str, str] | None = None, **fields: Any) -> LangGraphAdapter:
        (self.path / "app.py").write_text(HEAD + code, encoding="utf-8")
        fields = {"reference": "./app.py:graph", "folder": str(self.path), **fields}
        return LangGraphAdapter(LangGraphSut(**fields), environ=environ or {})

    async def session(self, code: str, start: SessionStart = START, **fields: Any) -> SutSession:
        return await self.adapter(code, **fields).open(start)

    async def reply(self, code: str, **fields: Any) -> SutReply:
        reply = await (await self.session(code, **fields)).send("Hi")
        assert isinstance(reply, SutReply)
        return reply

    async def error(self, code: str, **fields: Any) -> str:
        with pytest.raises(SutError) as caught:
            await self.reply(code, **fields)
        return str(caught.value)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


async def texts(session: SutSession, *utterances: str) -> list[str]:
    replies = [await session.send(utterance) for utterance in utterances]
    return [reply.text for reply in replies if isinstance(reply, SutReply)]


async def test_a_graph_without_a_checkpointer_gets_all_messages(folder: Folder) -> None:
    session = await folder.session("graph = build(count).compile()")
    assert await texts(session, "one", "two") == ["one (1 so far, 1 messages)", "two (2 so far, 3 messages)"]


async def test_a_graph_with_a_checkpointer_gets_the_new_message_in_a_thread_per_session(folder: Folder) -> None:
    adapter = folder.adapter("graph = build(count).compile(checkpointer=MemorySaver())")
    one, other = await adapter.open(START), await adapter.open(START)
    assert await texts(one, "a", "b") == ["a (1 so far, 1 messages)", "b (2 so far, 3 messages)"]
    assert await texts(other, "c") == ["c (1 so far, 1 messages)"]
    assert await texts(one, "d") == ["d (3 so far, 5 messages)"]


@pytest.mark.parametrize("checkpointer", ["None", "MemorySaver()"])
async def test_a_history_and_the_context_come_first_and_once(folder: Folder, checkpointer: str) -> None:
    adapter = folder.adapter(f"graph = build(count).compile(checkpointer={checkpointer})")
    assert adapter.capabilities.accepts_history
    assert adapter.capabilities.takes_reference_text
    history = (Exchange(t=0, user="before", assistant="yes"),)
    start = SessionStart(conversation_id="c1", context=Context(location="Lyon"), history=history)
    said = await texts(await adapter.open(start), "one", "two")
    assert said == ["one (2 so far, 4 messages)", "two (3 so far, 6 messages)"]


async def test_input_and_configuration_are_templates(folder: Folder) -> None:
    code = """
class State(TypedDict, total=False):
    q: str
    where: str
    a: str
async def node(state):
    own = get_config()["configurable"]
    return {"a": f"{state['q']} in {state['where']} for {own['user']}, {own['key']}: {own['thread_id']}"}
graph = build(node, State).compile()
"""
    fields: dict[str, Any] = {
        "input": {"q": "{utterance}", "where": "{context.location}"},
        "config": {"configurable": {"user": "{conversation_id}", "key": "{env.APP_KEY}", "thread_id": "mine"}},
        "reply": ReplyPaths(text="a", state="where_is", ended="q"),
        "start": SessionStart(conversation_id="c1", context=Context(location="Lyon")),
        "environ": {"APP_KEY": "s3cr3t-key-77"},
    }
    assert await folder.reply(code, **fields) == SutReply(text="Hi in Lyon for c1, ***: mine", ended=True)
    adapter = folder.adapter(code, input="{utterance}")
    assert not adapter.capabilities.accepts_history
    with pytest.raises(UserError, match="environment variable APP_KEY is not set"):
        await folder.reply(code, config=fields["config"])


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("async def graph(): return build(count).compile()", "Hi (1 so far, 1 messages)"),
        ("def graph(): return build(count).compile()", "Hi (1 so far, 1 messages)"),
        ("graph = RunnableLambda(lambda state: 'plain text')", "plain text"),
        ("graph = RunnableLambda(lambda state: AIMessage('a message'))", "a message"),
        ("graph = RunnableLambda(lambda state: [*state['messages'], {'role': 'ai', 'content': 'a dict'}])", "a dict"),
        ("parts = ['Turn ', {'type': 'text', 'text': 'left.'}, {'type': 'image_url', 'image_url': 'x'}]\\n"
         "graph = RunnableLambda(lambda state: {'messages': [AIMessage(parts)]})", "Turn left."),
        ("class Sync:\n    def invoke(self, state, config): return repr(list(config['configurable']))\ngraph = Sync()",
         "['thread_id']"),
    ],
)  # fmt: skip
async def test_whatever_can_be_invoked_answers_with_its_last_message(folder: Folder, code: str, text: str) -> None:
    assert (await folder.reply(code.replace("\\n", "\n"))).text == text


async def test_an_async_maker_is_called_once(folder: Folder) -> None:
    code = "made = []\nasync def graph():\n    made.append(1)\n    return RunnableLambda(lambda state: str(len(made)))"
    adapter = folder.adapter(code)
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(adapter.open, START)
    assert await texts(await adapter.open(START), "Hi") == ["1"]


async def test_parts_of_the_result_are_found_by_their_paths(folder: Folder) -> None:
    code = """
class State(MessagesState, total=False):
    car: dict[str, Any]
async def node(state): return {"messages": [AIMessage("Done.")], "car": {"parked": True, "last": AIMessage("x")}}
graph = build(node, State).compile()
"""
    reply = await folder.reply(code, reply=ReplyPaths(state="car"))
    assert reply.text == "Done."
    assert reply.state is not None
    assert reply.state["parked"] is True
    assert isinstance(reply.state["last"], dict)
    assert reply.state["last"]["content"] == "x"
    assert (await folder.reply(code, reply=ReplyPaths(text="messages[-1].content"))).text == "Done."
    assert (await folder.reply(code, reply=ReplyPaths(text="messages[-1]"))).text == "Done."
    assert (await folder.reply(code, reply=ReplyPaths(text="messages[-1].type"))).text == "ai"
    assert "answered with an error: Done." in await folder.error(code, reply=ReplyPaths(error="messages[-1].content"))


@pytest.mark.parametrize(
    ("node", "reply", "said"),
    [
        ("lambda state: {}", None, "the last one is the user's own"),
        ("lambda state: {'messages': []}", None, "returned no messages (messages)"),
        ("lambda state: 7", None, "returned no messages (int)"),
        (
            "lambda state: {'a': 1}",
            ReplyPaths(text="b"),
            "nothing at 'b', where the reply's text is said to be (it has a)",
        ),
        ("lambda state: {'a': {'b': 1}}", ReplyPaths(text="a"), "has an object instead of a text"),
        ("lambda state: {'a': object()}", ReplyPaths(text="a"), "an object of type object, which is no JSON"),
        (
            "lambda state: {'a': 'x', 's': {'f': float('nan')}}",
            ReplyPaths(text="a", state="s"),
            "nan, which is no JSON",
        ),
        ("lambda state: {'a': 'x', 's': 3}", ReplyPaths(text="a", state="s"), "no object at 'state'"),
    ],
)
async def test_what_is_no_reply_is_the_assistants_error_and_says_why(
    folder: Folder, node: str, reply: ReplyPaths | None, said: str
) -> None:
    code = f"graph = RunnableLambda({node})" if reply or "{}" not in node else f"graph = build({node}).compile()"
    assert said in await folder.error(code, reply=reply)


async def test_a_graph_that_asks_a_person_is_answered_by_the_next_utterance(folder: Folder) -> None:
    code = """
async def node(state):
    first = interrupt("Which city?")
    second = interrupt({"confirm": first})
    return {"messages": [AIMessage(f"{second}: {first}")]}
graph = build(node).compile(checkpointer=MemorySaver())
"""
    session = await folder.session(code)
    assert await session.send("Book a table") == SutReply(text="Which city?", metadata={"interrupted": True})
    assert await session.send("Lyon") == SutReply(text='{"confirm": "Lyon"}', metadata={"interrupted": True})
    assert await session.send("yes") == SutReply(text="yes: Lyon")


async def test_several_questions_at_once_are_all_answered_by_the_next_utterance(folder: Folder) -> None:
    code = """
async def one(state): return {"messages": [AIMessage("1 " + interrupt("One?"))]}
async def two(state): return {"messages": [AIMessage("2 " + interrupt("Two?"))]}
builder = StateGraph(MessagesState)
for name, node in {"one": one, "two": two}.items():
    builder.add_node(name, node); builder.add_edge(START, name); builder.add_edge(name, "end")
builder.add_node("end", lambda state: {"messages": [AIMessage(" ".join(m.content for m in state["messages"][-2:]))]})
graph = builder.compile(checkpointer=MemorySaver())
"""
    assert await texts(await folder.session(code), "Hi", "yes") == ["One?\nTwo?", "1 yes 2 yes"]


OWN_STATE = """
class State(TypedDict, total=False):
    q: str
    parts: list[dict[str, str]]

graph = build(lambda state: {"parts": [{"say": state["q"]}, {"show": "map"}, {"say": "b"}]}, State).compile()
"""


async def test_a_state_of_its_own_without_an_input_is_told_with_the_way_out(folder: Folder) -> None:
    said = await folder.error(OWN_STATE)
    assert said.endswith("; if its state is not a list of messages, set 'input' and 'reply'")
    assert "'input'" in await folder.error("""
async def missing(state):
    return {"messages": [AIMessage(state["question"])]}
graph = build(missing).compile()""")


async def test_texts_of_a_list_in_the_state_are_joined(folder: Folder) -> None:
    reply = await folder.reply(OWN_STATE, input={"q": "{utterance}"}, reply=ReplyPaths(text="parts[*].say"))
    assert reply.text == "Hi\nb"


async def test_what_a_graph_raises_is_told_as_it_is_but_for_secrets(folder: Folder) -> None:
    with pytest.raises(ZeroDivisionError):
        await folder.reply("graph = RunnableLambda(lambda state: 1 / 0)")
    code = "def node(state): raise ValueError('bad s3cr3t-key-77')\ngraph = RunnableLambda(node)"
    fields: dict[str, Any] = {"config": {"configurable": {"k": "{env.K}"}}, "environ": {"K": "s3cr3t-key-77"}}
    assert "raised ValueError: bad ***" in await folder.error(code, **fields)


async def test_a_graph_sees_nothing_of_whoever_asks_it(folder: Folder) -> None:
    """A call in place would inherit the configuration and every context variable."""
    code = "async def node(state):\n    return repr(get_config().get('tags', []))\ngraph = RunnableLambda(node)"
    session = await folder.session(code)

    async def outer(_: object) -> str:
        reply = await session.send("Hi")
        assert isinstance(reply, SutReply)
        return reply.text

    assert await RunnableLambda(outer).ainvoke("x", {"tags": ["ours"], "recursion_limit": 3}) == "[]"


async def cancelled_once(begun: asyncio.Event, session: SutSession) -> None:
    """Send an utterance and cancel it when the graph is at work: the first graph of a process takes long to begin."""
    with anyio.fail_after(30 * SLOWNESS):
        async with anyio.create_task_group() as group:
            group.start_soon(session.send, "Hi")
            await begun.wait()
            group.cancel_scope.cancel()


async def test_a_cancelled_turn_cancels_the_graph_and_its_branches_before_it_returns(folder: Folder) -> None:
    code = """
begun, both, ended = [], asyncio.Event(), []
async def slow(state):
    begun.append(1)
    if len(begun) == 2: both.set()
    try: await asyncio.sleep(60)
    finally:
        await asyncio.sleep(0.05)
        ended.append(1)
builder = StateGraph(MessagesState)
for name in "ab": builder.add_node(name, slow); builder.add_edge(START, name)
graph = builder.compile()
graph.begun, graph.ended = both, ended
"""
    adapter = folder.adapter(code)
    session = await adapter.open(START)
    graph: Any = adapter._source.graph  # what hangs on it is the test's own
    await cancelled_once(graph.begun, session)
    assert graph.ended == [1, 1]


async def test_a_graph_that_ignores_its_cancellation_is_reported_and_the_session_ends(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(own_task.run_alone, "__kwdefaults__", {"grace_s": 0.05, "left": None})
    code = """
begun, stop = asyncio.Event(), asyncio.Event()
async def stubborn(state):
    begun.set()
    while not stop.is_set():
        try: await stop.wait()
        except asyncio.CancelledError: pass
    return {"messages": [AIMessage("late")]}
graph = build(stubborn).compile()
graph.begun, graph.stop = begun, stop
"""
    adapter = folder.adapter(code)
    session = await adapter.open(START)
    graph: Any = adapter._source.graph  # what hangs on it is the test's own
    await cancelled_once(graph.begun, session)
    assert "./app.py:graph ignored its cancellation" in caplog.text
    with pytest.raises(SutError, match="ignored its cancellation and still runs; open a new session"):
        await session.send("Again")
    graph.stop.set()
    await asyncio.sleep(0.05)


async def test_a_closed_session_is_not_used_again(folder: Folder) -> None:
    session = await folder.session("graph = build(count).compile()")
    await session.close()
    with pytest.raises(AdapterFaultError, match="used again"):
        await session.send("Hi")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("graph = 7", "an object of type int is no graph; name a compiled graph"),
        ("graph = build(count)", "an object of type StateGraph is no graph; that graph is not compiled"),
        ("def graph(): return build(count)", "it returned an object of type StateGraph; that graph is not compiled"),
        ("def graph(model): return 1", "it needs arguments that nobody gives: model"),
        ("def graph(): raise KeyError('MODEL')", "making the graph raised KeyError: 'MODEL'"),
        ("other = 1", "has no 'graph'"),
        ("import no_such_module", "no_such_module"),
    ],
)
def test_what_is_no_application_is_the_users_to_mend(folder: Folder, code: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        folder.adapter(code)


async def test_an_async_maker_that_fails_is_told_when_a_session_opens(folder: Folder) -> None:
    adapter = folder.adapter("async def graph(): raise KeyError('MODEL')")
    with pytest.raises(UserError, match="making the graph raised KeyError: 'MODEL'"):
        await adapter.open(START)


def test_says_who_it_is_and_its_version_changes_with_the_file(folder: Folder) -> None:
    adapter = folder.adapter("graph = build(count).compile()")
    assert (adapter.describe().name, adapter.describe().transport) == ("./app.py:graph", "in-process")
    changed = folder.adapter("graph = build(count).compile() # changed")
    assert changed.describe().version != adapter.describe().version
    named = folder.adapter("graph = build(count).compile()", name="app", version="2", max_sessions=3)
    assert (named.describe().name, named.describe().version) == ("app", "2")
    assert named.capabilities.max_sessions == 3


@pytest.mark.parametrize("checkpointer", ["None", "MemorySaver()"])
def test_a_whole_run_drives_an_application_from_inside_hairpins_own_graph(folder: Folder, checkpointer: str) -> None:
    (folder.path / "app.py").write_text(
        f"""{HEAD}
async def node(state):
    assert get_config().get("recursion_limit") in {LIBRARY_DEFAULTS}, "it inherits the limit of Hairpin's own graph"
    return await count(state)
graph = build(node).compile(checkpointer={checkpointer})
"""
    )
    scenario = folder.path / "s.yaml"
    scenario.write_text(
        "id: app\nsut: {provider: langgraph, graph: './app.py:graph'}\noracles: []\nturns:\n"
        "  - {user: one, checks: [{contains: 'one (1 so far, 1 messages)'}]}\n"
        "  - {user: two, checks: [{contains: 'two (2 so far, 3 messages)'}]}\n"
    )
    result = hairpin.run(scenario, out=folder.path / "runs")
    assert result.passed, result.sentence
    assert result.summary.sut is not None
    assert result.summary.sut.transport == "in-process"
