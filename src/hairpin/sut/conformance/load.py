"""Many sessions at once: whether as many work as the adapter says, and whether each gets its own replies.

It measures no speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import anyio

from hairpin.sut.conformance.driving import Answer, Conversation, Driver, StepError, excerpt
from hairpin.sut.conformance.ground import Check, Ground, Outcome, failed, noted, ok, skipped
from hairpin.sut.conformance.judgement import Place, owner_of
from hairpin.sut.conformance.words import REPEAT

MAX_TRIED: Final = 64
"""Of more sessions than this that an adapter says it takes, no more are opened."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What one session says: a word, something, another word."""

    words: tuple[str, str]
    utterance: str

    @property
    def sentences(self) -> tuple[str, ...]:
        return (REPEAT.format(word=self.words[0]), self.utterance, REPEAT.format(word=self.words[1]))


async def check_max_sessions(ground: Ground) -> Outcome:
    """Whether as many sessions as the adapter says work at once."""
    limit = ground.driver.adapter.capabilities.max_sessions
    if limit is None:
        return skipped("no limit is declared; --sessions at once are tried under load")
    n_wanted = min(limit, MAX_TRIED)
    opened: list[Conversation] = []
    try:
        problem = await _opened(ground.driver, n_wanted, opened)
        answers = await _at_once(opened, [ground.utterances[0]] * len(opened))
    finally:
        for conversation in opened:
            await conversation.close()
    mute = [a for a in answers if a.reply is None]
    ground.works_at_once = len(opened) - len(mute)
    if problem:
        return failed(f"max_sessions is {limit}, but {problem}; lower max_sessions, or a run breaks under load")
    if mute:
        return failed(f"max_sessions is {limit}, but {len(mute)} of {n_wanted} got no reply: {mute[0].problem}")
    return ok(f"{n_wanted} sessions were open at once and each was answered")


async def check_load(ground: Ground) -> Outcome:
    """Whether sessions that talk at the same time each get their own replies, and those of this turn."""
    if ground.failed("isolation"):
        return skipped("sessions are not kept apart even one after the other")
    n_wanted = _n_sessions(ground)
    if n_wanted < 2:
        return skipped("only one session at a time works")
    driver, before = ground.driver, len(ground.driver.leaks)
    plans = [_planned(ground, index) for index in range(n_wanted)]
    alone = await _each_alone(driver, plans) if ground.profile.deterministic else {}
    heard = await _all_at_once(driver, plans)
    for place, answer in heard.items():
        if answer.reply is None:
            return failed(f"{_where(place)} of {n_wanted} at once got no reply: {answer.problem}")
    leaks = driver.leaks[before:]
    if leaks:
        return failed(f"{n_wanted} sessions at once: {leaks[0]}; replies reach the wrong conversation")
    different = [place for place, expected in alone.items() if heard[place].text != expected]
    misplaced = _misplaced_words(ground, plans, heard) or _misplaced_replies(alone, heard, different)
    if misplaced:
        return failed(f"{n_wanted} sessions at once: {misplaced}; replies reach the wrong conversation or turn")
    if different:
        place = different[0]
        return noted(
            f"{n_wanted} sessions at once: {_where(place)} got “{excerpt(heard[place].text)}”, alone it was "
            f"“{excerpt(alone[place])}”; it is nobody else's reply, so load itself changes replies"
        )
    if not (ground.profile.comparable or ground.profile.repeats_words):
        return noted(f"{n_wanted} sessions at once all got replies, but nothing in a reply tells whose it is")
    return ok(f"{n_wanted} sessions at once, {len(plans[0].sentences)} turns each: every reply belongs where it came")


def _n_sessions(ground: Ground) -> int:
    limits = (ground.settings.n_sessions, ground.driver.adapter.capabilities.max_sessions, ground.works_at_once)
    return min(limit for limit in limits if limit is not None)


def _planned(ground: Ground, index: int) -> _Plan:
    words = ground.driver.new_word(), ground.driver.new_word()
    return _Plan(words=words, utterance=ground.utterances[index % len(ground.utterances)])


async def _opened(driver: Driver, n_wanted: int, opened: list[Conversation]) -> str:
    """Open sessions into ``opened``; return why there are fewer than wanted, else ``""``."""
    for index in range(n_wanted):
        try:
            opened.append(await driver.open())
        except StepError as error:
            return f"with {index} open, {error}"
    return ""


async def _at_once(conversations: Sequence[Conversation], utterances: Sequence[str]) -> list[Answer]:
    answers: dict[int, Answer] = {}

    async def say(index: int) -> None:
        answers[index] = await conversations[index].say(utterances[index])

    async with anyio.create_task_group() as tasks:
        for index in range(len(conversations)):
            tasks.start_soon(say, index)
    return [answers[index] for index in range(len(conversations))]


async def _each_alone(driver: Driver, plans: Sequence[_Plan]) -> dict[Place, str]:
    alone: dict[Place, str] = {}
    for index, plan in enumerate(plans):
        async with driver.conversation() as conversation:
            _own(conversation, plan)
            for t, sentence in enumerate(plan.sentences):
                alone[index, t] = (await conversation.say(sentence)).text
    return alone


async def _all_at_once(driver: Driver, plans: Sequence[_Plan]) -> dict[Place, Answer]:
    opened: list[Conversation] = []
    heard: dict[Place, Answer] = {}

    async def talk(index: int) -> None:
        for t, sentence in enumerate(plans[index].sentences):
            heard[index, t] = await opened[index].say(sentence)

    try:
        problem = await _opened(driver, len(plans), opened)
        if problem:
            raise StepError(problem)
        for conversation, plan in zip(opened, plans, strict=True):
            _own(conversation, plan)
        async with anyio.create_task_group() as tasks:
            for index in range(len(plans)):
                tasks.start_soon(talk, index)
    finally:
        for conversation in opened:
            await conversation.close()
    return dict(sorted(heard.items()))


def _own(conversation: Conversation, plan: _Plan) -> None:
    for word in plan.words:
        conversation.owns(word)


def _misplaced_words(ground: Ground, plans: Sequence[_Plan], heard: dict[Place, Answer]) -> str:
    """Return where a word that the session itself said came back in another turn, else ``""``."""
    if not ground.profile.repeats_words:
        return ""
    for index, plan in enumerate(plans):
        first, last = plan.words
        for t, own, other in ((0, first, last), (2, last, first)):
            said = heard[index, t].text.casefold()
            if own not in said:
                kind = f"repeats “{other}” of another turn" if other in said else "does not repeat its word"
                return f"{_where((index, t))} was told “{own}” and {kind}: “{excerpt(said)}”"
    return ""


def _misplaced_replies(alone: dict[Place, str], heard: dict[Place, Answer], different: Sequence[Place]) -> str:
    """Return which of the ``different`` replies is one that another session or turn gets alone, else ``""``."""
    for place in different:
        got = heard[place].text
        owner = owner_of(got, alone, place=place)
        if owner is not None:
            return f"{_where(place)} got “{excerpt(got)}”: that is the reply of {_where(owner)}"
    return ""


def _where(place: Place) -> str:
    return f"session {place[0] + 1}, turn {place[1]}"


MAX_SESSIONS: Final = Check("max_sessions", "works with as many sessions at once as it says", check_max_sessions)
LOAD: Final = Check("load", "gives each session its own replies under load", check_load)
