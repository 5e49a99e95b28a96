from __future__ import annotations

from hairpin.domain.tally import Standing
from hairpin.reports.campaign_distinct import MOST_FREQUENT, distinct_section, diversity_section
from hairpin.reports.campaign_results import Diversity
from tests.analysis.fact_builders import conversation
from tests.reports.sample_campaign import MODES, section, shown_rows, some_results, some_sections, table_of, titles


def test_a_distinct_failure_has_its_cost() -> None:
    facts = [
        conversation(Standing.FAIL, (0, MODES[0]), index=i, sut="one", active_s=30.0 * (i + 1), cost_usd=0.01)
        for i in range(2)
    ]
    results = some_results(facts, suts=("one",))
    part = distinct_section(results.analysis, results.distinct, titles())
    assert shown_rows(table_of(part, "distinct-costs"))[0] == [
        *("guided", "one", "1", "2", "50.0", "2.0", "60.0", "0.0200", "0.0200")
    ]
    assert shown_rows(table_of(part, "distinct-failures")) == [
        ["Fallback response", "none", "none", "one", "2", "0", "c0001", "30.0"]
    ]


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
