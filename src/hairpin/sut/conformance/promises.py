"""What an adapter says that it takes: a history handed over, a reference text.

What it does not say is not asked for.
"""

from __future__ import annotations

from typing import Final

from hairpin.domain.conversation import Exchange
from hairpin.sut.conformance.basics import N_ALIKE
from hairpin.sut.conformance.driving import Driver, excerpt
from hairpin.sut.conformance.ground import Check, Ground, Outcome, failed, noted, ok, skipped
from hairpin.sut.conformance.judgement import Replies, first_difference
from hairpin.sut.conformance.words import ASK, ASK_REFERENCE, NEUTRAL, REFERENCE, TELL


async def check_history(ground: Ground) -> Outcome:
    """Whether a session that is handed a history goes on as one that lived it."""
    if not ground.driver.adapter.capabilities.accepts_history:
        return skipped("not declared (accepts_history): conversations are replayed from their start")
    recalled = await _recalled(ground.driver)
    if recalled is not None:
        return recalled
    if ground.profile.deterministic:
        return await _lived_and_handed(ground)
    return noted("a history is accepted; whether it is used the replies do not show")


async def _recalled(driver: Driver) -> Outcome | None:
    """Ask for a code word that only the history holds; ``None`` where one who lived it does not say it either."""
    word = driver.new_word()
    async with driver.conversation() as lived:
        lived.owns(word)
        await lived.tell(TELL, word)
        history = lived.exchanges
        said = await lived.say(ASK)
    if said.reply is None or word not in said.text.casefold():
        return None
    async with driver.conversation(history=history) as handed:
        handed.owns(word)
        answer = (await handed.say(ASK)).text
    if word in answer.casefold():
        return ok(f"a code word of the history is known: “{excerpt(answer)}”")
    return failed(
        f"one who lived the conversation answers “{excerpt(said.text)}”, one who is handed it “{excerpt(answer)}”; "
        "accepts_history is declared, but the history is not used"
    )


async def _lived_and_handed(ground: Ground) -> Outcome:
    """Say the same after a lived and a handed history and without any, till a reply shows the difference."""
    driver = ground.driver
    for first in ground.utterances[:2]:
        lived_first = await driver.talk([first])
        history = (Exchange(t=0, user=first, assistant=lived_first[0]),)
        for then in (*ground.utterances[:N_ALIKE], *NEUTRAL[2:4]):
            lived = (await driver.talk([first, then]))[1:]
            handed = await driver.talk([then], history=history)
            if first_difference(lived, handed) is not None:
                return failed(_not_used(first, then, lived, handed, await driver.talk([then])))
            if await driver.talk([then]) != handed:
                return ok(f"after “{excerpt(first, 40)}” one who is handed the history answers as one who lived it")
    return noted("a history is accepted, but no reply depends on what was said before; whether it is used is not seen")


def _not_used(first: str, then: str, lived: Replies, handed: Replies, without: Replies) -> str:
    what = "as without any history" if handed == without else "differently"
    return (
        f"after “{excerpt(first, 40)}”, “{excerpt(then, 40)}” gets “{excerpt(lived[0])}” where it was lived; handed as "
        f"a history it is answered {what}: “{excerpt(handed[0])}”; accepts_history is declared, and conversations "
        "that are continued would go another way"
    )


async def check_reference_text(ground: Ground) -> Outcome:
    """Whether a session opens and answers with a reference text in its context, and knows what it says."""
    driver = ground.driver
    if not driver.adapter.capabilities.takes_reference_text:
        return skipped("not declared (takes_reference_text)")
    word = driver.new_word()
    context = ground.settings.context.model_copy(update={"reference_text": REFERENCE.format(word=word)})
    async with driver.conversation(context=context) as conversation:
        conversation.owns(word)
        answer = (await conversation.say(ASK_REFERENCE)).text
    if word in answer.casefold():
        return ok(f"what the reference text says is known: “{excerpt(answer)}”")
    return noted(f"a reference text is accepted; that it is used the reply does not show: “{excerpt(answer)}”")


HISTORY: Final = Check("history", "takes a history as declared", check_history)
REFERENCE_TEXT: Final = Check("reference_text", "takes a reference text as declared", check_reference_text)
