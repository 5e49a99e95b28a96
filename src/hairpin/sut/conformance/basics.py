"""The first checks: who the assistant says it is, whether it answers, and whether it answers alike twice.

The others stand on what is learnt here.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hairpin.domain.sut import Capabilities, SutIdentity
from hairpin.sut.conformance.driving import Answer, Driver, StepError, excerpt
from hairpin.sut.conformance.ground import Check, Ground, Outcome, failed, noted, ok
from hairpin.sut.conformance.judgement import Replies, first_difference, share_of_equal
from hairpin.sut.conformance.words import REPEAT

N_ALIKE: Final = 4
"""How many sessions hear the same words."""


async def check_description(ground: Ground) -> Outcome:
    """Whether ``describe()`` and ``capabilities`` are what they must be."""
    adapter = ground.driver.adapter
    capabilities: object = adapter.capabilities
    try:
        identity: object = adapter.describe()
    except Exception as error:  # noqa: BLE001  # whatever the adapter raises is a finding
        return failed(f"describe() raised {type(error).__name__}: {error}; a run could not be told from another")
    if not (isinstance(identity, SutIdentity) and identity.name.strip()):
        return failed(f"describe() returned {identity!r:.100}; return a SutIdentity with a name")
    if not isinstance(capabilities, Capabilities):
        return failed(f"capabilities is {type(capabilities).__name__}; set it to Capabilities(…)")
    if adapter.describe() != identity:
        return failed("describe() says something else each time; a run could not be resumed")
    can = _words_of(capabilities)
    return ok(f"{identity.name} {identity.version} ({identity.transport}); {can}".replace("  ", " "))


async def check_answers(ground: Ground) -> Outcome:
    """Whether a session opens and answers; what it learns about replies goes into the profile."""
    driver = ground.driver
    conversation = await driver.open()
    try:
        answers = [await conversation.say(utterance) for utterance in ground.utterances[:3]]
        repeated = await conversation.tell(REPEAT, word := driver.new_word())
    finally:
        await conversation.close()
    ground.profile = replace(
        ground.profile,
        repeats_words=word in _said(repeated).casefold(),
        repeats_all=repeated.utterance in _said(repeated),
        latency_s=statistics.median(answer.latency_s for answer in answers),
    )
    for t, answer in enumerate(answers):
        if answer.reply is None:
            kind = "breaks the contract" if answer.fault else "no reply"
            return failed(f"turn {t}: “{excerpt(answer.utterance)}”: {kind}: {answer.problem}")
    blank = sum(not answer.text.strip() for answer in answers)
    ms = ground.profile.latency_s * 1000
    detail = f"“{excerpt(answers[0].utterance, 40)}” → “{excerpt(answers[0].text)}”; {ms:.0f} ms a turn"
    return noted(f"{blank} of {len(answers)} replies are empty; {detail}") if blank else ok(detail)


async def check_determinism(ground: Ground) -> Outcome:
    """How alike replies to the same words are in fresh sessions with the same random seed."""
    driver, said = ground.driver, ground.utterances[:3]
    runs = [await driver.talk(said) for _ in range(N_ALIKE)]
    share = share_of_equal(runs)
    ground.profile = replace(
        ground.profile, deterministic=share == 1, varied=share == 1 and await _varied(driver, ground.utterances)
    )
    told = f"{N_ALIKE} sessions heard the same {len(said)} utterances: {share:.0%} of the replies are equal"
    if share < 1:
        first = await _never_as_the_first(ground, said, runs)
        if first is not None:
            return noted(f"{told}; {_carried_over(first, runs[0])}")
        return noted(f"{told}; replies are not compared with each other, and a replay may go another way")
    if not ground.profile.varied:
        return noted(f"{told}, but so are those to different words; a reply does not tell what it answers")
    return ok(f"{told}; replies are compared with those given alone")


async def _varied(driver: Driver, utterances: tuple[str, ...]) -> bool:
    """Whether two turns are answered differently when other words are said in them."""
    said = utterances[:N_ALIKE]
    return len({await driver.talk(pair) for pair in zip(said, (*said[1:], said[0]), strict=True)}) > 1


async def _never_as_the_first(ground: Ground, said: tuple[str, ...], runs: Sequence[Replies]) -> Replies | None:
    """Return how new adapters answer their first session, if always alike, and no later session ever so.

    A generator of random numbers that sessions share does that too: it shows that something is carried over, not that
    it does harm.
    """
    if ground.fresh is None:
        return None
    firsts = [await _first_replies(ground, said)]
    while firsts[0] is not None and firsts[0] not in runs and firsts[-1] == firsts[0]:
        if len(firsts) == N_ALIKE + 1:
            return firsts[0]
        firsts.append(await _first_replies(ground, said))
    return None


async def _first_replies(ground: Ground, said: tuple[str, ...]) -> Replies | None:
    driver = await ground.another()
    if driver is None:
        return None
    try:
        return await driver.talk(said)
    except StepError:
        return None
    finally:
        await driver.closed()


def _carried_over(first: Replies, later: Replies) -> str:
    t = first_difference(first, later) or 0
    return (
        "the first session of a new adapter is always answered alike, later ones differently, though they hear the "
        f"same words (turn {t}: “{excerpt(first[t])}”, later “{excerpt(later[t])}”): sessions share something, if only "
        "a counter or a generator of random numbers, and a campaign cannot be repeated"
    )


def _said(answer: Answer) -> str:
    return answer.reply.text if answer.reply is not None else ""


def _words_of(can: Capabilities) -> str:
    parts = [
        "takes a history" if can.accepts_history else "",
        "takes a reference text" if can.takes_reference_text else "",
        "turns may be repeated" if can.idempotent_turns else "",
        f"at most {can.max_sessions} sessions at once" if can.max_sessions else "any number of sessions at once",
    ]
    return ", ".join(part for part in parts if part)


DESCRIPTION: Final = Check("description", "says who it is and what it can do", check_description)
ANSWERS: Final = Check("answers", "opens a session and answers with text", check_answers)
DETERMINISM: Final = Check("determinism", "answers the same words alike (estimate)", check_determinism)
