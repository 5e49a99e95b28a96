"""Whatever a user hands over becomes an adapter, or the message says what to hand over instead."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity, SutReply
from hairpin.errors import AdapterFaultError, InvalidInputError, UserError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.base import TextAdapter
from hairpin.sut.callables import adapter_of, source_digest
from hairpin.sut.openai_compatible import OpenAiCompatibleAdapter

pytestmark = pytest.mark.anyio

START = SessionStart(conversation_id="c0001", rng_seed=5)
EARLIER = Exchange(t=0, user="before", assistant="yes")


def with_utterance(utterance: str) -> str:
    return f"{utterance}!"


async def with_utterance_async(utterance: str) -> str:
    return f"{utterance}! (async)"


def with_start(utterance: str, start: SessionStart) -> str:
    return f"{utterance} in {start.conversation_id}"


def with_history(utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
    return f"{utterance} in {start.conversation_id} after {[exchange.user for exchange in history]}"


def with_named_options(utterance: str, start: SessionStart | None = None, history: object = None) -> str:
    return f"{utterance} {start is not None} {history is not None}"


def with_other_options(utterance: str, temperature: float = 0.2) -> str:
    return f"{utterance} at {temperature}"


def with_anything(*args: object, **kwargs: object) -> str:
    return f"{args} {kwargs}"


class Answering:
    def __call__(self, utterance: str) -> str:
        return f"object: {utterance}"


class Ica(TextAdapter):
    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return f"text adapter: {utterance}"


class Session(SutSession):
    def __init__(self) -> None:
        self.closed = 0

    async def send(self, utterance: str) -> str:
        return f"session: {utterance}"

    async def close(self) -> None:
        self.closed += 1


class Full(SutAdapter):
    capabilities = Capabilities(max_sessions=3)

    def describe(self) -> SutIdentity:
        return SutIdentity(name="full", version="1.2", transport="bus")

    async def open(self, start: SessionStart) -> SutSession:
        return Session()


async def ask(obj: object, utterance: str = "hi", start: SessionStart = START) -> str:
    adapter = adapter_of(obj, name="mine")
    session = await adapter.open(start)
    reply = await session.send(utterance)
    await session.close()
    await adapter.aclose()
    assert isinstance(reply, SutReply)
    return reply.text


@pytest.mark.parametrize(
    ("obj", "answer"),
    [
        (with_utterance, "hi!"),
        (with_utterance_async, "hi! (async)"),
        (with_start, "hi in c0001"),
        (with_history, "hi in c0001 after ['before']"),
        (with_named_options, "hi True True"),
        (with_other_options, "hi at 0.2"),
        (with_anything, "('hi',) {}"),
        (functools.partial(with_start, start=START), "hi in c0001"),
        (str.upper, "HI"),
        (Answering, "object: hi"),
        (Answering(), "object: hi"),
        (Answering().__call__, "object: hi"),
        (Ica, "text adapter: hi"),
        (Ica(), "text adapter: hi"),
        (Full, "session: hi"),
        (lambda: Full(), "session: hi"),
        (lambda: with_utterance, "hi!"),
    ],
)
async def test_what_answers_becomes_an_adapter(obj: object, answer: str) -> None:
    assert await ask(obj, start=START.model_copy(update={"history": (EARLIER,)})) == answer


class NeedsArguments(Ica):
    def __init__(self, url: str, *, port: int) -> None:
        self.url = url


class FailsToBuild(Ica):
    def __init__(self) -> None:
        raise OSError("no such device")


class Exits(Ica):
    def __init__(self) -> None:
        raise SystemExit(3)


class OnlyReply:
    def reply(self, utterance: str) -> str:
        return utterance


class OnlyOpen:
    def open(self, start: SessionStart) -> Session:
        return Session()


class WrongCapabilities(Full):
    capabilities = 3  # type: ignore[assignment]  # that is what is tested


class WrongDescription(Full):
    def describe(self) -> SutIdentity:
        return "full"  # type: ignore[return-value]  # that is what is tested


class FailingDescription(Full):
    def describe(self) -> SutIdentity:
        raise KeyError("NAME")


class OfTheUser(BaseException):
    def __str__(self) -> str:
        raise ValueError("no text")


class ExitingDescription(Full):
    def describe(self) -> SutIdentity:
        raise SystemExit(9)


class UnprintableDescription(Full):
    def describe(self) -> SutIdentity:
        raise OfTheUser


class UnprintableConstructor(Ica):
    def __init__(self) -> None:
        raise OfTheUser


class Interrupted(Full):
    def describe(self) -> SutIdentity:
        raise KeyboardInterrupt


def takes_four(utterance: str, start: object, history: object, model: object) -> str:
    return ""


def takes_keyword(utterance: str, *, api: object) -> str:
    return ""


async def async_factory() -> Ica:
    return Ica()


@pytest.mark.parametrize(
    ("obj", "said"),
    [
        (None, "mine: None is no adapter; give a function"),
        ("text", "mine: an object of type str is no adapter"),
        (str, "mine: an object of type str is no adapter"),
        (OnlyReply, "mine: an object of type OnlyReply is no adapter; subclass hairpin.TextAdapter"),
        (Session(), "mine: an object of type Session is no adapter; that is a session"),
        (
            OnlyOpen,
            "mine: an object of type OnlyOpen has no capabilities and no describe and no aclose; subclass hairpin.Sut",
        ),
        (NeedsArguments, r"mine: NeedsArguments cannot be made without arguments \(it needs url, port\)"),
        (FailsToBuild, "mine: making the adapter raised OSError: no such device"),
        (Exits, "mine: making the adapter raised SystemExit: 3"),
        (WrongCapabilities, "mine: capabilities is an object of type int; set it to hairpin.Capabilities"),
        (WrongDescription, r"mine: describe\(\) returned an object of type str"),
        (FailingDescription, r"mine: describe\(\) raised KeyError: 'NAME'"),
        (ExitingDescription, r"mine: describe\(\) raised SystemExit: 9"),
        (UnprintableDescription, r"mine: describe\(\) raised OfTheUser$"),
        (UnprintableConstructor, r"mine: making the adapter raised OfTheUser$"),
        (takes_four, "mine: it needs arguments that nobody gives: model"),
        (takes_keyword, "mine: it needs arguments that nobody gives: api"),
        (async_factory, "mine: it takes no argument and is async"),
        (lambda: None, "mine: None is no adapter"),
    ],
)
def test_what_cannot_answer_is_refused_with_the_way_out(obj: object, said: str) -> None:
    with pytest.raises(UserError, match=said):
        adapter_of(obj, name="mine")


def test_whoever_presses_ctrl_c_while_an_adapter_is_made_is_obeyed() -> None:
    with pytest.raises(KeyboardInterrupt):
        adapter_of(Interrupted, name="mine")


def test_the_error_of_a_constructor_is_kept_as_the_cause() -> None:
    with pytest.raises(UserError) as caught:
        adapter_of(FailsToBuild, name="mine")
    assert isinstance(caught.value.__cause__, OSError)


@pytest.mark.parametrize("obj", [with_utterance, Ica, Ica(), functools.partial(with_utterance)])
def test_the_version_is_a_digest_of_the_source_file(obj: object) -> None:
    assert adapter_of(obj, name="mine").describe() == SutIdentity(name="mine", version=source_digest(with_start))


def test_a_version_of_its_own_is_kept_in_front_of_the_digest() -> None:
    expected = SutIdentity(name="full", version=f"1.2+{source_digest(Full)}", transport="bus")
    assert adapter_of(Full, name="mine").describe() == expected
    assert adapter_of(Full, name="mine").capabilities.max_sessions == 3


def test_the_version_changes_when_the_file_does(tmp_path: Path) -> None:
    def digest_of(text: str) -> str:
        file = tmp_path / "ica.py"
        file.write_text(text, encoding="utf-8")
        names: dict[str, Any] = {}
        exec(compile(text, str(file), "exec"), names)
        return source_digest(names["answer"])

    one = digest_of("def answer(utterance): return 'one'")
    assert one
    assert digest_of("def answer(utterance): return 'two'") != one


@pytest.mark.parametrize("obj", [len, eval("lambda utterance: utterance")])
def test_what_has_no_source_file_has_no_version(obj: Callable[..., object]) -> None:
    assert adapter_of(obj, name="mine").describe() == SutIdentity(name="mine")


def test_hairpins_own_adapters_are_taken_as_they_are() -> None:
    from hairpin.domain.sut_spec import OpenAiCompatibleSut

    own = OpenAiCompatibleAdapter(OpenAiCompatibleSut(base_url="http://127.0.0.1:9/v1", model="m"), environ={})
    assert adapter_of(own, name="mine") is own


def with_a_loop_of_its_own(utterance: str) -> str:
    async def think() -> str:
        await asyncio.sleep(0)
        return utterance.upper()

    return asyncio.run(think())


def test_a_function_with_an_event_loop_of_its_own_serves_several_loops_and_threads() -> None:
    """One adapter, two runs in a row, then two at once in two threads (B12)."""

    def run(utterance: str) -> str:
        return anyio.run(ask, with_a_loop_of_its_own, utterance)

    assert [run("one"), run("two")] == ["ONE", "TWO"]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(run, ["three", "four"])) == ["THREE", "FOUR"]


async def test_conversations_go_on_while_a_synchronous_function_blocks() -> None:
    """The first can only be answered after the second was."""
    gate = threading.Event()

    def answer(utterance: str) -> str:
        if utterance == "first":
            gate.wait(30)
        gate.set()
        return utterance

    adapter = adapter_of(answer, name="mine")
    first, second = await adapter.open(START), await adapter.open(START)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(first.send, "first")
        assert await second.send("second") == SutReply(text="second")


async def test_a_function_of_a_wrong_type_is_named() -> None:
    session = await adapter_of(lambda utterance: None, name="mine").open(START)
    with pytest.raises(AdapterFaultError, match="mine returned None instead of a str"):
        await session.send("hi")


def test_an_adapter_without_a_usable_reply_is_refused_before_anything_is_asked() -> None:
    class Forgot(TextAdapter):
        pass

    class Short(TextAdapter):
        async def reply(self, utterance: str) -> str:  # type: ignore[override]  # the mistake under test
            return utterance

    for adapter, said in ((Forgot, "does not override reply"), (Short, "cannot be called so")):
        with pytest.raises(InvalidInputError, match=said) as caught:
            adapter_of(adapter, name="./mine.py:Ica")
        assert "def reply(self, utterance, start, history)" in str(caught.value)
        assert "./mine.py:Ica" in str(caught.value)
