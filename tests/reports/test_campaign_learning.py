"""The section on what was learned: which tables there are, and what they say where nothing can be compared."""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.learning import what_was_learned
from hairpin.analysis.learning_model import Learned
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.preference import Preference
from hairpin.domain.tally import Standing
from hairpin.reports.campaign_learning import learning_section
from tests.analysis.fact_builders import conversation
from tests.reports.sample_campaign import shown_rows, table_of, titles

FAIL = Standing.FAIL


def facts(*suts: str) -> list[ConversationFacts]:
    preference = Preference(strategies=("a",), explored=("a",), task_explored=True)
    found: list[ConversationFacts] = []
    for sut in suts:
        for arm, mode in ((Arm.GUIDED, "x"), (Arm.LEARNED, "x"), (Arm.GUIDED, "x"), (Arm.LEARNED, "y")):
            fact = conversation(FAIL, (1, mode), index=len(found), sut=sut, arm=arm, strategies=(None, "a"))
            found.append(fact.model_copy(update={"preference": preference if arm is Arm.LEARNED else None}))
    return found


def learned(of: Sequence[ConversationFacts], *suts: str) -> tuple[Learned, ...]:
    return tuple(what_was_learned(of, sut, strategies=("a",), rng_seed=1) for sut in (None, *suts))


def test_without_a_learned_arm_there_is_no_such_section() -> None:
    assert learning_section((), titles(), confirmed=False) is None


def test_of_one_assistant_nothing_is_shown_twice() -> None:
    found = learning_section(learned(facts("one"), "one"), titles(), confirmed=False)
    assert found is not None
    assert [part.id for part in found.parts] == [
        "learned-discoveries",
        "learned-compared",
        "learned-strategies",
        "learned-tasks",
    ]
    assert found.text[0].startswith(
        "Against one, learned choice found 100.0 distinct failures per 100 conversations and uniform choice 50.0: a "
        "difference of +50.0 ["
    )
    assert "unconfirmed" in found.text[1]
    (row,) = shown_rows(table_of(found, "learned-discoveries"))
    assert row[:4] == ["one", "2", "2", "1"]
    (strategy,) = shown_rows(table_of(found, "learned-strategies"))
    assert strategy[1:] == ["2", "2", "1", "2", "100.0 %", "100.0 %", "2", "0"]
    assert shown_rows(table_of(found, "learned-tasks"))[0][:3] == ["task", "2", "2"]


def test_of_several_assistants_all_together_come_first() -> None:
    found = learning_section(learned(facts("one", "two"), "one", "two"), titles(), confirmed=True)
    assert found is not None
    assert [row[0] for row in shown_rows(table_of(found, "learned-discoveries"))] == ["all", "one", "two"]
    assert found.text[0].startswith("Over all assistants")
    assert "confirmed distinct failures alone" in found.text[1]


def test_without_conversations_of_both_arms_the_reason_is_given() -> None:
    alone = [fact for fact in facts("one") if fact.arm is Arm.LEARNED]
    found = learning_section(learned(alone, "one"), titles(), confirmed=False)
    assert found is not None
    assert found.text[0] == (
        "Learned and uniform choice cannot be compared: no cell has conversations of both arms that passed or failed."
    )
    (row,) = shown_rows(table_of(found, "learned-discoveries"))
    assert row[4:] == ["–"] * 4
