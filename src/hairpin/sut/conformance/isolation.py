"""Whether sessions know nothing of each other: by comparing with what is answered alone, and by code words.

Sessions take turns here, none overlaps; ``load`` asks many at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hairpin.sut.conformance.basics import N_ALIKE
from hairpin.sut.conformance.driving import Conversation, Driver, excerpt
from hairpin.sut.conformance.ground import Check, Ground, Outcome, failed, ok
from hairpin.sut.conformance.judgement import Replies, first_difference, order_effect
from hairpin.sut.conformance.words import ASK, REPEAT, TELL

N_CROSSED: Final = 5
"""How often each order of sessions is tried where replies differ by chance: chance alone agrees in 1 of 2⁹ turns."""

_RUINS: Final = "conversations of a campaign would change each other"


async def check_isolation(ground: Ground) -> Outcome:
    """Whether what is said in one session shows in another: interleaved, later, and in which order they were held."""
    told = await _code_words(ground.driver)
    if ground.driver.leaks:
        leak = ground.driver.leaks[0]
        return failed(f"{leak}; {_RUINS}")
    found = await _sticky(ground) or ("" if ground.profile.deterministic else await _crossed(ground))
    if found:
        return failed(f"{found}; {_RUINS}")
    told = "; ".join(part for part in (told, ground.no_other) if part)
    return await _compared(ground, told) if ground.profile.deterministic else ok(told)


async def _code_words(driver: Driver) -> str:
    """Tell two interleaved sessions a code word each and ask for it in both and in two later ones."""
    first, second = await driver.open(), await driver.open()
    try:
        for conversation in (first, second):
            await conversation.tell(TELL, driver.new_word())
        for conversation in (first, second):
            await conversation.tell(REPEAT, driver.new_word())
        for conversation in (first, second, first):
            await conversation.say(ASK)
    finally:
        await first.close()
        await second.close()
    for _ in range(2):
        async with driver.conversation() as later:
            await later.say(ASK)
            await later.tell(REPEAT, driver.new_word())
    return f"sessions {first.number} and {second.number} took turns, 2 followed: no code word of one came up in another"


async def _compared(ground: Ground, told: str) -> Outcome:
    """Interleave two sessions, and let a third follow; each must be answered as it is alone, as the first of all."""
    driver, said = ground.driver, ground.utterances
    one, other = said[:3], tuple(reversed(said))[:3]
    alone = {True: await driver.talk(one), False: await driver.talk(other)}
    first, second = await driver.open(), await driver.open()
    try:
        replies = await _interleaved((first, one), (second, other))
    finally:
        await first.close()
        await second.close()
    again = (await driver.talk(one), await driver.talk(one), await driver.talk(other))
    pairs = (
        (f"session {first.number}, beside session {second.number}", alone[True], replies[0], one),
        (f"session {second.number}, beside session {first.number}", alone[False], replies[1], other),
        ("a session after others", alone[True], again[0], one),
        ("a session after one with the same words", alone[True], again[1], one),
        ("a session after others", alone[False], again[2], other),
    )
    for where, expected, got, words in pairs:
        t = first_difference(expected, got)
        if t is not None:
            return failed(
                f"{where}: turn {t} “{excerpt(words[t], 40)}” got “{excerpt(got[t])}”, alone it was "
                f"“{excerpt(expected[t])}”; {_RUINS}"
            )
    return ok(f"{told}; each got the replies that it gets alone")


async def _interleaved(*parts: tuple[Conversation, Sequence[str]]) -> list[Replies]:
    replies: list[list[str]] = [[] for _ in parts]
    for turn in zip(*(words for _, words in parts), strict=True):
        for (conversation, _), heard, utterance in zip(parts, replies, turn, strict=True):
            heard.append((await conversation.say(utterance)).text)
    return [tuple(heard) for heard in replies]


async def _sticky(ground: Ground) -> str:
    """Say the same in new adapters after sessions that said different things; return what shows that it matters.

    Where replies differ by chance, it is said often in each: what stays equal in one and differs between two, does so
    because of what was said first.
    """
    if ground.fresh is None:
        return ""
    said, n_times = ground.utterances[:N_ALIKE], 1 if ground.profile.deterministic else N_CROSSED
    for target in said[:2]:
        heard: dict[str, str] = {}
        for before in said:
            reply = await _settled(ground, before, target, n_times=n_times) if before != target else None
            if reply is None:
                continue
            other = next((words for words, text in heard.items() if text != reply), None)
            if other is not None:
                return _depends(target, (other, heard[other]), (before, reply), n_times)
            heard[before] = reply
    return ""


async def _settled(ground: Ground, before: str, target: str, *, n_times: int) -> str | None:
    """Return the reply to ``target`` in a new adapter after a session said ``before``; ``None`` if replies differ."""
    driver = await ground.another()
    if driver is None:
        return None
    try:
        await driver.talk([before])
        first = await driver.talk([target])
        for _ in range(n_times - 1):
            if await driver.talk([target]) != first:
                return None
        return first[0]
    finally:
        await driver.closed()


async def _crossed(ground: Ground) -> str:
    """Say the same after two different sessions, again and again; return what shows that it matters, else ``""``."""
    said = ground.utterances
    before, target = (said[1:3], said[-2:]), said[:1]
    groups: tuple[list[Replies], list[Replies]] = ([], [])
    for _ in range(N_CROSSED):
        for earlier, group in zip(before, groups, strict=True):
            await ground.driver.talk(earlier)
            group.append(await ground.driver.talk(target))
        if order_effect(*groups) is None:
            return ""
    (one,), (other,) = groups[0][0], groups[1][0]
    return _depends(target[0], (before[0][-1], one), (before[1][-1], other), N_CROSSED)


def _depends(target: str, one: tuple[str, str], other: tuple[str, str], n_times: int) -> str:
    return (
        f"“{excerpt(target, 40)}” gets “{excerpt(one[1])}” whenever a session before said “{excerpt(one[0], 40)}”, and "
        f"“{excerpt(other[1])}” whenever it said “{excerpt(other[0], 40)}” (tried {n_times} times each)"
    )


ISOLATION: Final = Check("isolation", "keeps sessions apart", check_isolation)
