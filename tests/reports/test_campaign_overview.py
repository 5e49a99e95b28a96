from __future__ import annotations

from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.tally import Standing
from hairpin.reports.campaign_overview import LEAST_FOR_MAGNITUDE, comparison_section, overview_section
from tests.analysis.fact_builders import conversation
from tests.reports.sample_campaign import (
    a_campaign,
    campaign_facts,
    section,
    shown_rows,
    some_results,
    some_sections,
    table_of,
)

GUIDED = [
    conversation(Standing.FAIL, (1, "a"), (5, "b"), index=i, sut="one", success_score=0.5 + i / 10, active_s=1.0)
    for i in range(3)
]
BASELINE = [
    conversation(Standing.PASS, *[(2, "a")] * (i == 3), index=i, sut="one", arm=Arm.BASELINE, success_score=0.9)
    for i in range(3, 6)
]
HAND: list[ConversationFacts] = [*GUIDED, *BASELINE, conversation(Standing.INVALID, index=6, sut="one")]


def test_every_arm_and_assistant_is_counted_side_by_side() -> None:
    rows = shown_rows(table_of(section(some_sections(), "overview"), "outcomes"))
    assert [row[:2] for row in rows] == [
        ["guided", "all"],
        ["baseline", "all"],
        ["guided", "clean"],
        ["baseline", "clean"],
        ["guided", "faulty"],
        ["baseline", "faulty"],
    ]
    for row in rows:
        planned, *standings = map(int, row[2:8])
        assert planned == sum(standings)


def test_figures_are_those_counted_by_hand() -> None:
    overview = overview_section(some_results(HAND, suts=("one",)).analysis)
    assert shown_rows(table_of(overview, "outcomes")) == [
        ["guided", "one", "4", "0", "3", "0", "1", "0", "100.0 % [43.9, 100.0]"],
        ["baseline", "one", "3", "3", "0", "0", "0", "0", "0.0 % [0.0, 56.1]"],
    ]
    assert shown_rows(table_of(overview, "found")) == [
        [
            "guided",
            "one",
            "0.60 ± 0.10",
            "2.00 ± 0.00",
            "100.0 %",
            "100.0 %",
            "6",
            "1.0 ± 0.0",
            "50.0 %",
            "100.0 %",
            "8.0 ± 0.0",
        ],
        [
            "baseline",
            "one",
            "0.90 ± 0.00",
            "0.33 ± 0.58",
            "33.3 %",
            "0.0 %",
            "1",
            "2.0",
            "100.0 %",
            "100.0 %",
            "8.0 ± 0.0",
        ],
    ]


def test_the_arms_are_compared_in_words_and_figures() -> None:
    comparison = comparison_section(some_results(HAND, suts=("one",)).analysis)
    assert comparison is not None
    (said,) = comparison.text
    assert said.startswith("Against one, guided conversations showed 2.00 against 0.33 failure types per conversation")
    assert "(6.00 times as many)" in said
    assert "Â12 = 1.00 (too few conversations to call it small or large)" in said
    types, score = shown_rows(table_of(comparison, "arms-compared"))
    assert (types[2:5], types[8:]) == (["2.00 ± 0.00", "0.33 ± 0.58", "6.00"], ["1.00", "too few"])
    assert (score[4], score[8]) == ("–", "0.00")
    assert shown_rows(table_of(comparison, "rates-compared"))[0][3].startswith("100.0 % [")


def test_without_a_rated_conversation_the_comparison_says_why_there_is_none() -> None:
    facts = [conversation(Standing.INVALID, index=0, sut="one")]
    comparison = comparison_section(some_results(facts, suts=("one",)).analysis)
    assert comparison is not None
    assert comparison.text == ("The arms cannot be compared: neither arm has a conversation that passed or failed.",)
    one_arm = comparison_section(some_results(GUIDED, suts=("one",)).analysis)
    assert one_arm is not None
    assert one_arm.text[0].endswith(": the baseline arm has no conversation that passed or failed.")


def test_an_effect_of_enough_conversations_has_a_word() -> None:
    facts = [
        conversation(Standing.FAIL, *[(1, "a")] * (arm is Arm.GUIDED), index=i, sut="one", arm=arm)
        for i, arm in enumerate([Arm.GUIDED, Arm.BASELINE] * LEAST_FOR_MAGNITUDE)
    ]
    enough, few = (comparison_section(some_results(some, suts=("one",)).analysis) for some in (facts, facts[:-1]))
    assert enough is not None
    assert few is not None
    assert "Â12 = 1.00 (large)" in enough.text[0]
    assert [shown_rows(table_of(part, "arms-compared"))[0][9] for part in (enough, few)] == ["large", "too few"]


def test_the_guided_arm_comes_first_whatever_the_order_they_ran_in() -> None:
    results = some_results(HAND, suts=("one",), spec=a_campaign(arms=(Arm.BASELINE, Arm.GUIDED)))
    rows = shown_rows(table_of(overview_section(results.analysis), "outcomes"))
    assert [row[0] for row in rows] == ["guided", "baseline"]
    assert [each.scope.arm for each in results.sequences] == [Arm.GUIDED, Arm.BASELINE]


def test_runs_are_told_apart_only_where_there_are_several() -> None:
    assert shown_rows(table_of(section(some_sections(), "overview"), "runs"))[0][:3] == ["guided", "all", "1"]
    single = overview_section(some_results(campaign_facts(24, runs=1)).analysis)
    assert [table.id for table in single.tables] == ["outcomes", "found"]
