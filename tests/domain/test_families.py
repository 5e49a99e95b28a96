"""A family joins what belongs together, as values that never change."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from hairpin.domain.families import Family
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import ContextCheck, ContextFinding, ContextReason, Derivation
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context

SEED = TestSeed(id="s1", questions=(SeedQuestion(text="Who?"),))


def a_source() -> ConversationRecord:
    planned = PlannedConversation(
        index=0,
        id="c0001",
        sut="sut",
        seed_phrase=None,
        persona="neutral",
        context=Context(),
        repeat=0,
        max_turns=1,
        rng_seed=1,
    )
    return ConversationRecord(planned=planned)


def test_a_source_of_which_nothing_could_be_derived_is_a_family_of_one() -> None:
    family = Family(derivation=Derivation(source="c0001", test_seed=SEED), source=a_source())
    assert (family.follow_ups, family.context_checks) == ((), ())


def test_a_family_comes_back_from_json_and_does_not_change() -> None:
    finding = ContextFinding(equivalent=True, reason=ContextReason.SAME_PREFIX)
    family = Family(
        derivation=Derivation(source="c0001", test_seed=SEED, follow_ups=("c0001.RS.1",)),
        source=a_source(),
        context_checks=(ContextCheck(conversation="c0001.RS.1", position=0, index=0, finding=finding),),
    )
    assert Family.model_validate_json(family.model_dump_json()) == family
    with pytest.raises(ValidationError, match="frozen"):
        family.follow_ups = ()  # type: ignore[misc]  # that it is refused is the point
