"""Test seeds and source conversations with everything filled in that a test of derivation does not care about."""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.domain.conversation import Exchange
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context

QUESTIONS = (
    ("Who wrote the letter?", "Ada"),
    ("When was Ada born?", "1815"),
    ("Where did Ada move?", "to Bonn"),
    ("Did Ada meet the king?", "yes"),
)


def a_seed(
    questions: Sequence[tuple[str, str | None]] = QUESTIONS, *, seed_id: str = "d1", story: str | None = "A story."
) -> TestSeed:
    """Return a test seed of (question, gold answer or None)."""
    return TestSeed(
        id=seed_id,
        context=Context(reference_text=story),
        questions=tuple(
            SeedQuestion(text=text, answers=() if answer is None else (answer,)) for text, answer in questions
        ),
    )


def a_source(
    seed: TestSeed, *, answered: int | None = None, index: int = 2, rng_seed: int = 7, answer: str = "answer {}"
) -> ConversationRecord:
    """Return the source conversation of ``seed`` with so many questions answered, all of them by default."""
    asked = tuple(ReplayedQuestion(text=text, index=j) for j, text in enumerate(seed.texts))
    return ConversationRecord(
        planned=PlannedConversation(
            index=index,
            id=f"c{index + 1:04d}",
            sut="mine",
            seed_phrase=None,
            persona="neutral",
            context=seed.context,
            repeat=0,
            max_turns=len(asked),
            rng_seed=rng_seed,
            replay=Replay(method=Method.RBT, test_seed=seed.id, questions=asked),
        ),
        exchanges=exchanges(seed.texts[:answered], answer),
    )


def exchanges(questions: Sequence[str], answer: str = "answer {}") -> tuple[Exchange, ...]:
    """Return exchanges of ``questions`` with numbered answers."""
    return tuple(Exchange(t=t, user=text, assistant=answer.format(t)) for t, text in enumerate(questions))
