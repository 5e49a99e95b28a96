"""Whether each reply belongs to the utterance before it, within one session.

It says nothing of several sessions; ``isolation`` and ``load`` do.
"""

from __future__ import annotations

from typing import Final

from hairpin.sut.conformance.driving import excerpt
from hairpin.sut.conformance.ground import Check, Ground, Outcome, failed, ok, skipped
from hairpin.sut.conformance.judgement import Place, answers_late
from hairpin.sut.conformance.words import REPEAT

_N_TURNS: Final = 5
_N_FIRSTS: Final = 3


async def check_order(ground: Ground) -> Outcome:
    """Whether replies come in order: by words where the assistant repeats them, else by comparing replies."""
    if ground.profile.repeats_words:
        return await _by_words(ground)
    if ground.profile.comparable:
        return await _by_replies(ground)
    return skipped("the assistant neither repeats a word that it hears nor answers the same words alike")


async def _by_words(ground: Ground) -> Outcome:
    driver = ground.driver
    words = [driver.new_word() for _ in range(_N_TURNS)]
    async with driver.conversation() as conversation:
        for t, word in enumerate(words):
            said = (await conversation.tell(REPEAT, word)).text.casefold()
            earlier = [i for i, other in enumerate(words[:t]) if other in said]
            if word not in said and earlier:
                return failed(
                    f"turn {t} was told “{word}” and answered “{excerpt(said)}”, which answers turn {earlier[-1]}; "
                    "every label of a judge would stand at the wrong turn"
                )
    return ok(f"{_N_TURNS} turns with a word of their own each got that word back, in order")


async def _by_replies(ground: Ground) -> Outcome:
    said = ground.utterances[:_N_FIRSTS]
    replies: dict[Place, str] = {}
    for first, one in enumerate(said):
        for second, other in enumerate(said):
            if first != second:
                replies[first, second] = (await ground.driver.talk([one, other]))[1]
    if answers_late(replies):
        return failed(
            f"what is said second changes nothing in the second reply, what was said first does: after "
            f"“{excerpt(said[0], 40)}” it is “{excerpt(replies[0, 1])}” whatever is asked; replies come a turn late"
        )
    return ok(f"in {len(replies)} sessions of two turns the second reply follows what was said second")


ORDER: Final = Check("order", "answers each turn in its turn", check_order)
