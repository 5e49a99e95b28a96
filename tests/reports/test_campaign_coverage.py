from __future__ import annotations

from hairpin.domain.tally import Standing
from hairpin.reports.campaign_coverage import NEVER, coverage_section
from hairpin.reports.tables import IntegerCell
from tests.analysis.fact_builders import conversation
from tests.reports.sample_campaign import STRATEGIES, shown_rows, some_results, table_of, titles

FACTS = [
    conversation(
        Standing.FAIL, index=0, sut="one", task="navigation", persona="polite", strategies=(None, STRATEGIES[0])
    ),
    conversation(Standing.PASS, index=1, sut="one", task="navigation", persona="polite", strategies=(None,)),
    conversation(Standing.PASS, index=2, sut="one", task="media", persona="impatient", strategies=(None,)),
]


def test_a_grid_counts_conversations_and_says_what_was_never_tried() -> None:
    part = coverage_section(some_results(FACTS, suts=("one",)).analysis, titles())
    grid = table_of(part, "coverage-guided-task-persona")
    assert next(column.name for column in grid.columns) == "Task"
    assert shown_rows(grid) == [["media", "1", "–"], ["navigation", "–", "2"]]
    assert list(grid.reasons) == [NEVER]
    heats = [cell.heat for row in grid.rows for cell in row if isinstance(cell, IntegerCell)]
    assert heats == [0.5, 1.0]


def test_totals_add_up() -> None:
    part = coverage_section(some_results(FACTS, suts=("one",)).analysis, titles())
    for row in shown_rows(table_of(part, "coverage")):
        possible, tried, never = (int(cell.replace(",", "")) for cell in row[2:5])
        assert possible == tried + never


def test_what_was_never_tried_is_listed_by_level() -> None:
    part = coverage_section(some_results(FACTS, suts=("one",)).analysis, titles())
    rows = shown_rows(table_of(part, "never-tried-guided"))
    assert rows[0] != ["media", "Polite", "Fallback Response Probe"]
    assert len({tuple(row) for row in rows}) == len(rows) > 0


def test_an_arm_without_strategies_has_no_grids_of_them() -> None:
    part = coverage_section(some_results().analysis, titles())
    names = [table.id for table in part.tables]
    assert "coverage-guided-task-strategy" in names
    assert not [name for name in names if name.startswith("coverage-baseline") and "strategy" in name]
