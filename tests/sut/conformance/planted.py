"""Assistants for the conformance kit: four that are in order, and many with one fault each.

They are adapters as users write them; none knows the kit.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Callable
from contextlib import suppress

import anyio

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import Capabilities, SessionStart, SutReply
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.base import TextAdapter

WORK_S = 0.005
"""How long a turn takes."""
CANCELLABLE_S = 0.05
"""How long one takes that is to be caught before its end, also by a slow machine."""

_SENTENCES = (
    "Certainly.",
    "One moment, please.",
    "I can do that.",
    "That is not possible today.",
    "Which one?",
    "Done.",
)


def sentence_for(*said: str) -> str:
    """Return what a deterministic assistant says to ``said``: another sentence for other words."""
    digest = hashlib.sha256("\x1f".join(said).encode()).digest()
    return f"{_SENTENCES[digest[0] % len(_SENTENCES)]} My number is {digest[1]}-{digest[2]}."


class Deterministic(TextAdapter):
    """In order: the reply follows from everything that was said in the session."""

    capabilities = Capabilities(accepts_history=True, takes_reference_text=True)

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        await anyio.sleep(WORK_S)
        return sentence_for(*(exchange.user for exchange in history), utterance)


class RandomOne(TextAdapter):
    """In order: says anything at all."""

    def __init__(self) -> None:
        self._random = random.Random(7)

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        await anyio.sleep(WORK_S)
        return self._random.choice(_SENTENCES)


class Echo(TextAdapter):
    """In order: repeats what it hears."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        await anyio.sleep(WORK_S)
        return f"You said: {utterance}"


def plain_echo(utterance: str) -> str:
    """In order: a function, without waiting."""
    return f"You said: {utterance}"


class Attentive(TextAdapter):
    """In order: knows every code word of the session's history and reference text."""

    capabilities = Capabilities(accepts_history=True, takes_reference_text=True, max_sessions=3)

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        heard = " ".join([start.context.reference_text or "", *(exchange.user for exchange in history)])
        return f"You said: {utterance} Before that I heard: {heard or 'nothing'}"


class OneSharedSession(TextAdapter):
    """One conversation for everybody: knows what anybody said last."""

    def __init__(self) -> None:
        self._last = "nothing"

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        before, self._last = self._last, utterance
        return f"{utterance}? Before that I heard: {before}"


class OneSharedCount(TextAdapter):
    """One conversation for everybody, and no word of it is ever repeated."""

    def __init__(self) -> None:
        self._n_turns = 0

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        self._n_turns += 1
        return f"{sentence_for(utterance)} This is turn {self._n_turns}."


class CarriesOver(TextAdapter):
    """Lets the last thing said in the session before change the next; the wording is drawn by chance."""

    _random = random.Random(3)

    def __init__(self) -> None:
        self._before: dict[str, str] = {}
        self._last = ""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        before = self._before.setdefault(start.conversation_id, self._last)
        self._last = utterance
        wording = self._random.choice(["", " Anything else?"]) if len(history) % 2 else ""
        return sentence_for(before, utterance) + wording


class LeaksFromTheThird(TextAdapter):
    """Keeps two sessions apart, but lets every later one hear what the one before said last."""

    def __init__(self) -> None:
        self._known: list[str] = []
        self._last: dict[str, str] = {}

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        if start.conversation_id not in self._known:
            self._known.append(start.conversation_id)
        self._last[start.conversation_id] = utterance
        number = self._known.index(start.conversation_id)
        leaked = self._last[self._known[number - 1]] if number > 1 else "nothing"
        return f"You said: {utterance} I also remember: {leaked}"


class SwallowsCancellation(TextAdapter):
    """Answers although its turn was given up."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        try:
            await anyio.sleep(CANCELLABLE_S)
        except asyncio.CancelledError:
            return "It was nothing."
        return sentence_for(utterance)


class RenamesCancellation(TextAdapter):
    """Raises an error of its own when its turn is given up."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        try:
            await anyio.sleep(CANCELLABLE_S)
        except asyncio.CancelledError as error:
            raise ValueError("interrupted") from error
        return sentence_for(utterance)


class KeepsCancellationToItself(TextAdapter):
    """Asks a task of its own, which answers although it is cancelled."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return await asyncio.get_running_loop().create_task(_stubborn(utterance))


class IgnoresCancellation(TextAdapter):
    """Asks a task of its own that never ends once it is cancelled; till ``released``, for tests must end."""

    released = False

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return await asyncio.get_running_loop().create_task(self._deaf(utterance))

    async def _deaf(self, utterance: str) -> str:
        ends_s = anyio.current_time() + CANCELLABLE_S
        while anyio.current_time() < ends_s:
            try:
                await asyncio.sleep(0.001)
            except asyncio.CancelledError:
                await self._wait_for_ever()
        return sentence_for(utterance)

    async def _wait_for_ever(self) -> None:
        while not IgnoresCancellation.released:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.01)


async def _stubborn(utterance: str) -> str:
    ends_s = anyio.current_time() + CANCELLABLE_S
    cancelled = False
    while anyio.current_time() < ends_s:
        try:
            await asyncio.sleep(0.001)
        except asyncio.CancelledError:
            ends_s += 0 if cancelled else 0.4
            cancelled = True
    return sentence_for(utterance)


class Reorders(TextAdapter):
    """Gives the replies of turns that overlap in the order in which they end, not to who asked."""

    def __init__(self, make: Callable[[str], str]) -> None:
        self._make = make
        self._waiting: list[tuple[anyio.Event, list[str]]] = []

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        mine: tuple[anyio.Event, list[str]] = (anyio.Event(), [])
        self._waiting.append(mine)
        await anyio.sleep(WORK_S)
        newest = self._waiting.pop()
        newest[1].append(self._make(utterance))
        newest[0].set()
        await mine[0].wait()
        return mine[1][0]


def reordering_echo() -> Reorders:
    """Return one that repeats."""
    return Reorders(lambda utterance: f"You said: {utterance}")


def reordering_deterministic() -> Reorders:
    """Return one that does not repeat."""
    return Reorders(sentence_for)


class EchoHearsOneKilobyte(TextAdapter):
    """Hears the first kilobyte of what is said, and repeats it."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return f"You said: {utterance[:1024]}"


class HearsOneKilobyte(TextAdapter):
    """Hears the first kilobyte of what is said."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return sentence_for(utterance[:1024])


class SaysOneKilobyte(TextAdapter):
    """Cuts what it says after a kilobyte."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return f"You said: {utterance}"[:1024]


class AnswersLate(TextAdapter):
    """Answers what was said the turn before."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return sentence_for(history[-1].user) if history else "Welcome."


class LosesAccents(TextAdapter):
    """Repeats what it hears as far as Latin-1 goes."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return f"You said: {utterance.encode('latin-1', 'replace').decode('latin-1')}"


class FailsWithoutWords(TextAdapter):
    """Never answers when nothing is said."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        if not utterance:
            await anyio.sleep_forever()
        return sentence_for(utterance)


class IgnoresHistory(Deterministic):
    """Declares that it takes a history, and begins anew."""

    async def reply(self, utterance: str, start: SessionStart, history: tuple[Exchange, ...]) -> str:
        return await super().reply(utterance, start, history[len(start.history) :])


class _Session(SutSession):
    async def send(self, utterance: str) -> SutReply | str:
        await anyio.sleep(WORK_S)
        return sentence_for(utterance)


class _CloseHangs(_Session):
    async def close(self) -> None:
        await anyio.sleep_forever()


class CloseHangs(SutAdapter):
    """Its sessions never close."""

    async def open(self, start: SessionStart) -> SutSession:
        return _CloseHangs()


class CloseEndsAll(SutAdapter):
    """Its sessions share a connection that the first close ends."""

    def __init__(self) -> None:
        self.closed = False

    async def open(self, start: SessionStart) -> SutSession:
        self.closed = False
        return _SharesConnection(self)


class _SharesConnection(_Session):
    def __init__(self, adapter: CloseEndsAll) -> None:
        self._adapter = adapter

    async def send(self, utterance: str) -> SutReply | str:
        if self._adapter.closed:
            raise ConnectionResetError("the connection is closed")
        return await super().send(utterance)

    async def close(self) -> None:
        self._adapter.closed = True


class _AnswersInTurn(SutSession):
    """Replies arrive on a line of their own, whether or not somebody still waits for them."""

    def __init__(self, make: Callable[[str], str]) -> None:
        self._make = make
        self._line: asyncio.Queue[str] = asyncio.Queue()

    async def send(self, utterance: str) -> SutReply | str:
        asyncio.get_running_loop().call_later(WORK_S, self._line.put_nowait, self._make(utterance))
        return await self._line.get()

    async def close(self) -> None:
        return


class LateReplies(SutAdapter):
    """Gives the reply of a turn that was given up to the next turn."""

    def __init__(self, make: Callable[[str], str]) -> None:
        self._make = make

    async def open(self, start: SessionStart) -> SutSession:
        return _AnswersInTurn(self._make)


def late_echo() -> LateReplies:
    """Return one that repeats."""
    return LateReplies(lambda utterance: f"You said: {utterance}")


def late_deterministic() -> LateReplies:
    """Return one that does not repeat."""
    return LateReplies(sentence_for)


class LiesAboutSessions(SutAdapter):
    """Says that it takes eight sessions, and takes four."""

    capabilities = Capabilities(max_sessions=8)

    def __init__(self) -> None:
        self.n_open = 0

    async def open(self, start: SessionStart) -> SutSession:
        if self.n_open >= 4:
            raise RuntimeError("all lines are busy")
        self.n_open += 1
        return _Counted(self)


class _Counted(_Session):
    def __init__(self, adapter: LiesAboutSessions) -> None:
        self._adapter = adapter

    async def close(self) -> None:
        self._adapter.n_open -= 1


class NeedsItsTask(SutAdapter):
    """In order: a session holds a task group from ``open`` to ``close``, which only one and the same task may do."""

    async def open(self, start: SessionStart) -> SutSession:
        session = _HoldsGroup()
        await session.group.__aenter__()
        return session


class _HoldsGroup(_Session):
    def __init__(self) -> None:
        self.group = anyio.create_task_group()

    async def close(self) -> None:
        await self.group.__aexit__(None, None, None)


class LeavesTasks(SutAdapter):
    """Starts a task for each session and never ends it."""

    def __init__(self) -> None:
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self, start: SessionStart) -> SutSession:
        self.tasks.append(asyncio.get_running_loop().create_task(_keep_alive()))
        return _Session()


async def _keep_alive() -> None:
    await anyio.sleep_forever()


class ReturnsNumbers(SutAdapter):
    """Answers with what is no text."""

    async def open(self, start: SessionStart) -> SutSession:
        return _Numbers()


class _Numbers(SutSession):
    async def send(self, utterance: str) -> SutReply | str:
        return 42  # type: ignore[return-value]  # that is the fault
