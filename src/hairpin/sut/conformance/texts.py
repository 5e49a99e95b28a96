"""Texts that are hard to carry: all of Unicode, very long ones, none at all, and replies that are cut.

What a text means to the assistant is its own affair; whether it arrives whole is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hairpin.sut.conformance.driving import Answer, Driver, StepError, excerpt
from hairpin.sut.conformance.ground import Check, Ground, Outcome, failed, noted, ok, skipped
from hairpin.sut.conformance.judgement import common_prefix, round_limit
from hairpin.sut.conformance.words import HARD_TEXTS, REPEAT, filler

LONG_BYTES: Final = 10_000
_SIZES: Final = (250, 500, 1_000, 2_000, 4_000, 8_000)


async def check_unicode(ground: Ground) -> Outcome:
    """Whether every text is taken, and comes back as it was where the assistant repeats it."""
    problems: list[str] = []
    for kind, text in HARD_TEXTS.items():
        async with ground.driver.conversation() as conversation:
            answer = await conversation.say(text)
            after = await conversation.say(ground.utterances[0])
        problem = _carried(answer, after, repeats=ground.profile.repeats_all)
        if problem:
            problems.append(f"{kind}: {problem}")
    if problems:
        return failed(f"{'; '.join(problems)}; users say such things, and the assistant would be blamed")
    if ground.profile.repeats_all:
        return ok(f"{len(HARD_TEXTS)} hard texts came back unchanged")
    return ok(f"{len(HARD_TEXTS)} hard texts were answered; whether they arrive unchanged its replies do not show")


def _carried(answer: Answer, after: Answer, *, repeats: bool) -> str:
    if answer.reply is None:
        return f"{answer.utterance!a} got no reply: {answer.problem}"
    if after.reply is None:
        return f"after {answer.utterance!a} the session was lost: {after.problem}"
    if repeats and answer.utterance not in answer.text:
        at = common_prefix(answer.utterance, _from_start(answer.text, answer.utterance))
        return f"{answer.utterance!a} came back as {answer.text!a}, different from character {at + 1} on"
    return ""


def _from_start(said: str, utterance: str) -> str:
    """Return the part of ``said`` that repeats ``utterance``, from where it begins."""
    at = said.find(utterance[:4])
    return said[max(at, 0) :]


async def check_long_utterance(ground: Ground) -> Outcome:
    """Whether 10 kB are taken and heard to the end."""
    driver = ground.driver
    word = driver.new_word()
    async with driver.conversation() as conversation:
        conversation.owns(word)
        answer = await conversation.say(f"{filler(LONG_BYTES)}{REPEAT.format(word=word)}")
        if answer.reply is None:
            return failed(f"an utterance of {LONG_BYTES:,} bytes got no reply: {answer.problem}")
        if (after := await conversation.say(ground.utterances[0])).reply is None:
            return failed(f"after an utterance of {LONG_BYTES:,} bytes the session was lost: {after.problem}")
    if ground.profile.repeats_all and answer.utterance not in answer.text:
        return _cut(answer)
    if word in answer.text.casefold():
        return ok(f"{LONG_BYTES:,} bytes were heard to the last word, which came back")
    if ground.profile.repeats_words:
        heard = await _heard_up_to(driver)
        return failed(f"the last word of {LONG_BYTES:,} bytes is not heard; {heard}; what users add last is lost")
    if ground.profile.comparable:
        return await _end_matters(ground)
    return ok(f"{LONG_BYTES:,} bytes were answered; whether to the last word its replies do not show")


def _cut(answer: Answer) -> Outcome:
    limit = round_limit(answer.text)
    if limit is not None:
        return skipped(f"the reply is cut at exactly {limit}, so it cannot show what was heard")
    start = answer.text.find(answer.utterance[:40])
    n_heard = common_prefix(answer.utterance, answer.text[start:]) if start >= 0 else 0
    return failed(
        f"of {len(answer.utterance):,} characters the first {n_heard:,} came back and the end did not; the utterance "
        "is cut, and what users add last is lost"
    )


async def _heard_up_to(driver: Driver) -> str:
    for size in _SIZES:
        async with driver.conversation() as conversation:
            conversation.owns(word := driver.new_word())
            said = await conversation.say(f"{filler(size)}{REPEAT.format(word=word)}")
        if said.reply is None or word not in said.text.casefold():
            return f"one after {size:,} bytes is not heard either"
    return f"one after {_SIZES[-1]:,} bytes is"


async def _end_matters(ground: Ground) -> Outcome:
    """Compare a long text with and without a question at its end, and a short one likewise."""
    driver, bare = ground.driver, await _only(ground.driver, filler(LONG_BYTES))
    for question in ground.utterances:
        if await _only(driver, filler(LONG_BYTES) + question) != bare:
            return ok(f"a question after {LONG_BYTES:,} bytes changes the reply: “{excerpt(question)}” is heard")
    for question in ground.utterances:
        if await _is_heard(driver, question, after_bytes=1):
            where = await _deaf_from(driver, question)
            return failed(
                f"“{excerpt(question)}” changes the reply after one sentence, but not {where}; the utterance is cut, "
                "and what users add last is lost"
            )
    return ok(f"{LONG_BYTES:,} bytes were answered; no question after them changes the reply “{excerpt(bare)}”")


async def _deaf_from(driver: Driver, question: str) -> str:
    for size in _SIZES:
        if not await _is_heard(driver, question, after_bytes=size):
            return f"after {size:,} bytes"
    return f"after {LONG_BYTES:,} bytes"


async def _is_heard(driver: Driver, question: str, *, after_bytes: int) -> bool:
    text = filler(after_bytes)
    return await _only(driver, text + question) != await _only(driver, text)


async def _only(driver: Driver, utterance: str) -> str:
    return (await driver.talk([utterance]))[0]


async def check_long_replies(ground: Ground) -> Outcome:
    """Whether replies come whole: one that is exactly as long as a round limit was cut there."""
    if not ground.profile.repeats_all:
        return skipped("the assistant does not repeat what it hears, so it cannot be made to say much")
    replies: list[str] = []
    for size in (LONG_BYTES, LONG_BYTES + 77):
        answer = await _answer(ground.driver, filler(size))
        replies.append(answer.text)
    cut = _same_limit(replies)
    if cut is not None:
        return failed(f"two replies that should be longer are exactly {cut} long; replies are cut there")
    return ok(f"replies of {max(map(len, replies)):,} characters come whole")


def _same_limit(replies: Sequence[str]) -> str | None:
    limits = {round_limit(reply) for reply in replies}
    return limits.pop() if len(limits) == 1 else None


async def _answer(driver: Driver, utterance: str) -> Answer:
    async with driver.conversation() as conversation:
        return await conversation.say(utterance)


async def check_empty(ground: Ground) -> Outcome:
    """Whether nothing at all is answered, or refused in order."""
    async with ground.driver.conversation() as conversation:
        answer = await conversation.say("")
        after = await conversation.say(ground.utterances[0])
    if answer.timed_out:
        return failed(f"an empty utterance is neither answered nor refused: {answer.problem}")
    if answer.fault:
        return failed(f"an empty utterance breaks the contract: {answer.problem}")
    if after.reply is None:
        try:
            await ground.driver.talk([ground.utterances[0]])
        except StepError as error:
            return failed(f"after an empty utterance no session answers any more: {error}")
        return noted(f"after an empty utterance the session is lost: {after.problem}")
    said = "answered" if answer.reply is not None else f"refused ({answer.problem})"
    return ok(f"an empty utterance is {said}, and the session goes on")


UNICODE: Final = Check("unicode", "carries all of Unicode", check_unicode)
LONG_UTTERANCE: Final = Check("long_utterance", "hears 10 kB to the end", check_long_utterance)
LONG_REPLIES: Final = Check("long_replies", "gives long replies whole", check_long_replies)
EMPTY: Final = Check("empty", "copes with an empty utterance", check_empty)
