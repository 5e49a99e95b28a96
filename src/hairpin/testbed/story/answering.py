"""Answers in words: what is told, that it is not told, or that a question is not clear.

It must not decide what is answered.
"""

from __future__ import annotations

from typing import Final

from hairpin.domain.base import Value
from hairpin.domain.rng import derive_rng_seed
from hairpin.testbed.story.resolving import Query, Resolution, Unclear, facts_for
from hairpin.testbed.story.telling import sentence, with_article
from hairpin.testbed.story.world import KIN, Fact, Relation, Story

_WHOLE: Final = ("{sentence}.", "The story says that {inner}.", "{short}.")
_UNTOLD: Final = ("The story does not say.", "I do not know: the story does not tell.", "That is not told.")
_UNCLEAR: Final = {
    "not_understood": ("I did not understand the question.", "I cannot answer that kind of question.", "Pardon?"),
    "no_earlier_question": ("What about it?", "I do not know what you are asking about.", "What do you mean?"),
    "nobody_meant": ('Who or what is "{word}"?', 'I do not know what you mean by "{word}".', '"{word}"?'),
    "kin_unknown": (
        "The story does not say who {word} is.",
        "I do not know who {word} is.",
        "{word}: not told.",
    ),
}
N_WORDINGS: Final = 3


class Reply(Value):
    """What is said; ``answer`` is its core, ``None`` when the story does not tell or the question is not clear."""

    text: str
    answer: str | None = None


def draw_wording(rng_seed: int) -> int:
    """Return which of the wordings a session speaks in."""
    return derive_rng_seed(rng_seed, "story", "wording") % N_WORDINGS


def reply_to(story: Story, meaning: Resolution, wording: int) -> Reply:
    """Return the reply to a question that means ``meaning``."""
    if isinstance(meaning, Unclear):
        return Reply(text=_UNCLEAR[meaning.why][wording].format(word=meaning.word))
    told = facts_for(story, meaning)
    if not told:
        return Reply(text=_UNTOLD[wording])
    answer = " and ".join(gold(meaning, fact) for fact in told)
    inner = " and ".join(sentence(fact, fact.subject, f"{fact.subject}'s") for fact in told)
    text = _WHOLE[wording].format(sentence=_capital(inner), inner=inner, short=_capital(answer))
    return Reply(text=text, answer=answer)


def gold(query: Query, fact: Fact) -> str:
    """Return the part of ``fact`` that ``query`` wants, as it is said."""
    wanted = {"subject": fact.subject, "value": fact.value, "detail": fact.detail or ""}[query.asks]
    if query.asks == "subject" or query.relation in (Relation.AGE, Relation.DID, *KIN):
        return wanted
    return with_article(wanted) if query.asks == "value" and query.relation is Relation.KEEPS else f"the {wanted}"


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
