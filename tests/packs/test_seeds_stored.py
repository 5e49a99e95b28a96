"""Any stored conversation is a test seed: its user's words, in its own context."""

from __future__ import annotations

import pytest

from hairpin.domain.conversation import Exchange
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context
from hairpin.packs.seed_records import NoSeedError
from hairpin.packs.seeds_stored import stored_seed

MUNICH = Context(location="Munich", reference_text="A story.")
PLANNED = PlannedConversation(
    index=0, id="c0001", sut="s", seed_phrase="Go", persona="p", context=MUNICH, repeat=0, max_turns=8, rng_seed=1
)


def said(*texts: str) -> ConversationRecord:
    exchanges = tuple(Exchange(t=t, user=text, assistant="Yes.") for t, text in enumerate(texts))
    return ConversationRecord(planned=PLANNED, exchanges=exchanges)


def test_the_words_of_the_user_are_asked_in_the_same_context() -> None:
    assert stored_seed(said("Go", "And there?", "Go"), "demo-1") == TestSeed(
        id="c0001",
        origin="run demo-1",
        context=MUNICH,
        questions=(SeedQuestion(text="Go"), SeedQuestion(text="And there?"), SeedQuestion(text="Go")),
    )


def test_a_conversation_in_which_nothing_was_said_is_none() -> None:
    with pytest.raises(NoSeedError, match="nothing was said in it"):
        stored_seed(said(), "demo-1")


def test_a_turn_in_which_the_user_said_nothing_cannot_be_asked() -> None:
    with pytest.raises(NoSeedError, match="the user says nothing at t = 1"):
        stored_seed(said("Go", " "), "demo-1")
