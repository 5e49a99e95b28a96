"""Driving an assistant step by step: every step ends in bounded time, and what went wrong is data.

It must not judge; the checks do.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import anyio

from hairpin.domain.conversation import Exchange
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.users import Context
from hairpin.errors import AdapterFaultError, SutConnectionError, UserError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.base import as_reply
from hairpin.sut.conformance.patience import KeptSession, LateError, Patience
from hairpin.sut.conformance.report import ConformanceSettings
from hairpin.sut.conformance.words import code_word
from hairpin.sut.fault_text import typed_text_of

_SHOWN: Final = 300
_GIVEN_UP_S: Final = 1.0
"""How long is waited at least for a step that was cancelled, before it is left behind."""

_HUNG_CLOSE_S: Final = 0.02
"""How long later sessions are given to close once one did not: the kit would wait for each of them."""


class StepError(Exception):
    """A step of a check was not possible: no session could be opened, or no reply came where one is needed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one utterance. ``reply`` is ``None`` when there is a ``problem``.

    Attributes:
        timed_out: whether the problem is that nothing came in time.
        fault: whether the problem is a broken contract: a reply of a wrong type, a closed session.
    """

    utterance: str
    reply: SutReply | None
    problem: str = ""
    timed_out: bool = False
    fault: bool = False
    latency_s: float = 0.0

    @property
    def text(self) -> str:
        """The words of the reply. Raises StepError when there is none."""
        if self.reply is None:
            raise StepError(f"“{excerpt(self.utterance)}” got no reply: {self.problem}")
        return self.reply.text


@dataclass(frozen=True, slots=True)
class Leak:
    """A code word that one conversation was told and another said."""

    word: str
    teller: int
    hearer: int
    text: str

    def __str__(self) -> str:
        return f"session {self.hearer} said “{excerpt(self.text)}”: only session {self.teller} was told “{self.word}”"


@dataclass(slots=True, eq=False)
class Conversation:
    """An open session, with what was said in it. ``number`` counts the sessions of the kit from 1."""

    driver: Driver
    kept: KeptSession
    session: SutSession
    number: int
    answers: list[Answer] = field(default_factory=list)

    async def say(self, utterance: str, *, timeout_s: float | None = None) -> Answer:
        """Send ``utterance``; whatever comes of it is an answer.

        Raises:
            SutConnectionError, UserError: the assistant cannot be asked, where nothing was answered before.
        """
        driver = self.driver
        driver.n_turns += 1
        limit_s = driver.settings.timeout_s if timeout_s is None else timeout_s
        answer = await driver.sent(self, utterance, limit_s)
        driver.replied |= answer.reply is not None
        self.answers.append(answer)
        driver.look_for_leaks(self.number, answer)
        return answer

    async def tell(self, sentence: str, word: str) -> Answer:
        """Say ``sentence`` with a code word in place of ``{word}``; from now on it is this session's."""
        self.owns(word)
        return await self.say(sentence.format(word=word))

    def owns(self, word: str) -> None:
        """Let ``word`` be one that this session may say."""
        self.driver.owners.setdefault(word, []).append(self.number)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was said and answered, as a history. Raises StepError when a reply is missing."""
        return tuple(Exchange(t=t, user=a.utterance, assistant=a.text) for t, a in enumerate(self.answers))

    async def close(self) -> str:
        """Close the session; return what went wrong, ``""`` if nothing did."""
        driver = self.driver
        driver.forget(self)
        if driver.close_ignores_cancellation:
            await self.kept.abandon()
            return "close is not called any more: it never came back from an earlier session"
        limit_s = _HUNG_CLOSE_S if driver.close_hangs else driver.settings.close_timeout_s
        problem, late = await _problem_of(self.kept.closed(limit_s), limit_s)
        if late is not None:
            driver.close_hangs = True
            driver.close_ignores_cancellation |= late.hung
            problem = f"{_LATE} {driver.settings.close_timeout_s:g} s"
        return problem


class Driver:
    """Opens sessions of one adapter and keeps account of what was said to whom."""

    def __init__(self, adapter: SutAdapter, settings: ConformanceSettings, *, patience: Patience | None = None) -> None:
        self.adapter = adapter
        self.settings = settings
        self.patience = patience or Patience(max(settings.close_timeout_s, _GIVEN_UP_S))
        self.owners: dict[str, list[int]] = {}
        self.leaks: list[Leak] = []
        self.n_sessions = 0
        self.n_turns = 0
        self.replied = False
        self.close_hangs = False
        self.close_ignores_cancellation = False
        self._n_words = 0
        self._open: list[Conversation] = []

    def new_word(self) -> str:
        """Return a code word that was not used before."""
        self._n_words += 1
        return code_word(self.settings.rng_seed, str(self._n_words))

    async def open(self, *, history: Sequence[Exchange] = (), context: Context | None = None) -> Conversation:
        """Open a session.

        Raises:
            StepError: it could not be opened.
            SutConnectionError, UserError: it never will be, where no session was open before.
        """
        self.n_sessions += 1
        number = self.n_sessions
        start = SessionStart(
            conversation_id=f"check-{number:04d}",
            context=self.settings.context if context is None else context,
            rng_seed=self.settings.rng_seed,
            history=tuple(history),
        )
        kept = KeptSession(lambda: self.adapter.open(start), self.patience, name=f"check: session {number}")
        conversation = Conversation(self, kept, await self._opened(kept, number), number)
        self._open.append(conversation)
        return conversation

    async def _opened(self, kept: KeptSession, number: int) -> SutSession:
        try:
            return await kept.opened(self.settings.timeout_s)
        except (SutConnectionError, UserError) as error:
            if number == 1:
                raise
            raise StepError(f"session {number} could not be opened: {error_text(error)}") from error
        except asyncio.CancelledError as error:
            if is_cancelled():
                raise
            raise StepError("open raised CancelledError although nothing was cancelled") from error
        except LateError as error:
            raise StepError(
                f"session {number} could not be opened: not within {self.settings.timeout_s:g} s{_and_hangs(error)}"
            ) from error
        except (Exception, SystemExit) as error:
            raise StepError(f"session {number} could not be opened: {error_text(error)}") from error

    @asynccontextmanager
    async def conversation(
        self, *, history: Sequence[Exchange] = (), context: Context | None = None
    ) -> AsyncIterator[Conversation]:
        """Open a session and close it, whatever happens. Raises StepError."""
        opened = await self.open(history=history, context=context)
        try:
            yield opened
        finally:
            with anyio.CancelScope(shield=True):
                await opened.close()

    async def talk(self, utterances: Sequence[str], *, history: Sequence[Exchange] = ()) -> tuple[str, ...]:
        """Say ``utterances`` in a session of their own and return the replies' words. Raises StepError."""
        async with self.conversation(history=history) as conversation:
            return tuple([(await conversation.say(utterance)).text for utterance in utterances])

    def look_for_leaks(self, number: int, answer: Answer) -> None:
        """Note every code word in a reply that its session was never told."""
        if answer.reply is None:
            return
        text = answer.reply.text
        where = f"{text} {json.dumps(answer.reply.state, ensure_ascii=False)}" if answer.reply.state else text
        for word, owners in self.owners.items():
            if number not in owners and word in where.casefold():
                self.leaks.append(Leak(word=word, teller=owners[0], hearer=number, text=where))

    async def sent(self, conversation: Conversation, utterance: str, timeout_s: float) -> Answer:
        """Send ``utterance`` in an open session; see ``Conversation.say``."""
        session, started_s = conversation.session, anyio.current_time()
        try:
            name = f"check: send of session {conversation.number}"
            said = await self.patience.of(lambda: session.send(utterance), timeout_s, name=name)
            reply = as_reply(said, adapter="send")
        except asyncio.CancelledError:
            if is_cancelled():
                raise
            return Answer(utterance, None, "it raised CancelledError although nothing was cancelled")
        except AdapterFaultError as error:
            return Answer(utterance, None, error_text(error), fault=True)
        except LateError as error:
            return Answer(utterance, None, f"nothing within {timeout_s:g} s{_and_hangs(error)}", timed_out=True)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever the assistant raises is data
            if not self.replied:
                _refuse_unreachable(error)
            return Answer(utterance, None, error_text(error))
        return Answer(utterance, reply, latency_s=anyio.current_time() - started_s)

    def forget(self, conversation: Conversation) -> None:
        """Take note that a session is being closed."""
        if conversation in self._open:
            self._open.remove(conversation)

    async def closed(self) -> str:
        """Close what sessions are left, and the adapter; return what went wrong with that, ``""`` if nothing did."""
        while self._open:
            await self._open[-1].close()
        limit_s = self.settings.close_timeout_s
        closing = self.patience.of(self.adapter.aclose, limit_s, name="check: aclose of the adapter")
        return (await _problem_of(closing, limit_s))[0]


_LATE: Final = "did not end within"


async def _problem_of(ending: Awaitable[object], limit_s: float) -> tuple[str, LateError | None]:
    """Await the end of something, shielded; return what went wrong, ``""`` if nothing did."""
    try:
        with anyio.CancelScope(shield=True):
            await ending
    except asyncio.CancelledError:
        if is_cancelled():
            raise
        return "raised CancelledError although nothing was cancelled", None
    except LateError as error:
        return f"{_LATE} {limit_s:g} s{_and_hangs(error)}", error
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever the assistant raises is data
        return f"raised {error_text(error)}", None
    return "", None


def _and_hangs(error: LateError) -> str:
    return ", and it ignores that it is cancelled" if error.hung else ""


def _refuse_unreachable(error: BaseException) -> None:
    if isinstance(error, SutConnectionError | UserError):
        raise error
    if isinstance(error, ConnectionError):
        raise SutConnectionError(f"the assistant cannot be reached: {error_text(error)}") from error


def error_text(error: BaseException) -> str:
    """Return an error in one bounded line."""
    line = " ".join(typed_text_of(error).split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def excerpt(text: str, n_shown: int = 70) -> str:
    """Return the beginning of ``text`` in one line."""
    line = " ".join(text.split()) or "(no answer)"
    return line if len(line) <= n_shown else f"{line[: n_shown - 1]}…"


def is_cancelled() -> bool:
    """Whether this task is being cancelled from outside."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
