from __future__ import annotations

from hairpin.domain.arm import Arm
from hairpin.domain.tally import Standing
from hairpin.reports.campaign_distinct import MOST_FREQUENT, NO_MODEL, distinct_section, diversity_section
from hairpin.reports.campaign_results import Diversity
from tests.analysis.fact_builders import conversation, failure
from tests.reports.sample_campaign import (
    MODES,
    STRATEGIES,
    section,
    shown_rows,
    some_results,
    some_sections,
    table_of,
    titles,
)


def test_a_distinct_failure_has_its_cost() -> None:
    facts = [
        conversation(Standing.FAIL, (0, MODES[0]), index=i, sut="one", active_s=30.0 * (i + 1), cost_usd=0.01)
        for i in range(2)
    ]
    results = some_results(facts, suts=("one",))
    part = distinct_section(results.analysis, results.distinct, titles())
    assert shown_rows(table_of(part, "distinct-costs"))[0] == [
        *("guided", "one", "1", "1", "2", "50.0", "2.0", "60.0", "0.0200", "0.0200")
    ]
    assert shown_rows(table_of(part, "distinct-failures")) == [
        ["Fallback response", "–", "–", "one", "2", "0", "c0001", "30.0"]
    ]


def test_an_arm_with_strategies_is_counted_without_them_too() -> None:
    """The same failure under two strategies is two for the guided arm, and could be but one for the baseline."""
    mode = MODES[0]
    guided = [
        conversation(Standing.FAIL, (0, mode), index=i, sut="one", strategies=(strategy,) * 8)
        for i, strategy in enumerate(STRATEGIES[:2])
    ]
    facts = [*guided, conversation(Standing.FAIL, (0, mode), index=2, sut="one", arm=Arm.BASELINE)]
    results = some_results(facts, suts=("one",))
    table = table_of(distinct_section(results.analysis, results.distinct, titles()), "distinct-costs")
    assert [column.name for column in table.columns[2:4]] == ["Distinct failures", "Without strategy"]
    assert [row[2:4] for row in shown_rows(table)] == [["2", "1"], ["1", "1"]]
    assert "favour the guided arm" in table.note


def test_without_a_model_there_is_no_cost_rather_than_none_of_it() -> None:
    facts = [conversation(Standing.FAIL, (0, MODES[0]), sut="one", cost_usd=0.0)]
    results = some_results(facts, suts=("one",))
    for offline, shown in ((True, "–"), (False, "0.0000")):
        part = distinct_section(results.analysis, results.distinct, titles(), offline=offline)
        table = table_of(part, "distinct-costs")
        assert shown_rows(table)[0][-2:] == [shown, shown]
        assert (NO_MODEL in table.reasons) is offline


def test_kinds_of_targets_are_words() -> None:
    failing = conversation(Standing.FAIL, sut="one").model_copy(
        update={"failures": (failure(0, MODES[0], target_kind="play_media"),)}
    )
    results = some_results([failing], suts=("one",))
    part = distinct_section(results.analysis, results.distinct, titles())
    assert shown_rows(table_of(part, "distinct-failures"))[0][1:3] == ["play media", "–"]


def test_of_many_the_most_frequent_come_first_and_all_are_kept() -> None:
    part = section(some_sections(), "distinct")
    most, whole = table_of(part, "most-frequent-failures"), table_of(part, "distinct-failures")
    assert most.rows == whole.rows[:MOST_FREQUENT]
    assert (most.folded, whole.folded) == (False, True)
    assert len(whole.rows) == len(some_results().distinct)


def test_diversity_has_a_row_for_each_assistant_and_one_for_all() -> None:
    part = section(some_sections(), "diversity")
    unique, clusters = table_of(part, "unique-failures"), table_of(part, "failure-clusters")
    assert [row[0] for row in shown_rows(unique)] == ["clean", "faulty", "all"]
    clean, faulty, together = ([int(cell) for cell in (row[1], row[2], row[4], row[5])] for row in shown_rows(unique))
    assert [a + b for a, b in zip(clean, faulty, strict=True)] == together
    assert len(clusters.rows) == 3
    assert "made-up@1 (float32)" in part.text[0]


def test_diversity_that_was_not_computed_says_why() -> None:
    part = diversity_section(Diversity(reason="no encoder"))
    assert (part.text, part.parts) == (("Not computed: no encoder.",), ())
