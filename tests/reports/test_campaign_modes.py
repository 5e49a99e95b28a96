from __future__ import annotations

from hairpin.domain.arm import Arm
from hairpin.domain.tally import Standing
from hairpin.reports.campaign_modes import profile_section, strategies_section
from hairpin.reports.tables import PercentCell, TextCell
from tests.analysis.fact_builders import conversation
from tests.reports.sample_campaign import MODES, STRATEGIES, shown_rows, some_results, titles

USED = (None, STRATEGIES[0], STRATEGIES[0], STRATEGIES[1])
FACTS = [
    conversation(Standing.FAIL, (1, MODES[0]), (2, MODES[1]), (3, MODES[1]), sut="one", strategies=USED),
    conversation(Standing.PASS, (0, MODES[0]), index=1, sut="one", arm=Arm.BASELINE, strategies=(None,) * 4),
]


def test_the_matrix_shows_each_strategys_uses_by_mode() -> None:
    part = strategies_section(some_results(FACTS, suts=("one",)).analysis, titles())
    assert part is not None
    (table,) = part.tables
    first, second = shown_rows(table)[:2]
    assert first[:5] == ["Fallback Response Probe", "Fallback response", "2", "50.0 %", "50.0 %"]
    assert second[2:5] == ["1", "0.0 %", "100.0 %"]
    assert (first[-2], second[-2]) == ("50.0 % [9.5, 90.5]", "100.0 % [20.7, 100.0]")
    assert shown_rows(table)[-1][:3] == ["no strategy", "nothing", "1"]
    heats = [cell.heat for cell in table.rows[0] if isinstance(cell, PercentCell) and cell.heat is not None]
    assert heats[:2] == [0.5, 0.5]


def test_a_strategy_that_was_never_used_says_so() -> None:
    part = strategies_section(some_results(FACTS, suts=("one",)).analysis, titles())
    assert part is not None
    assert "never used in a rated conversation" in part.tables[0].reasons


def test_the_profile_sets_the_arms_side_by_side() -> None:
    part = profile_section(some_results(FACTS, suts=("one",)).analysis, titles())
    assert part is not None
    (table,) = part.tables
    assert "Of 3 guided and 1 baseline failure instances" in table.note
    rows = {row[0]: row[1:] for row in shown_rows(table)}
    assert rows["Fallback response"] == ["1", "1", "0.33", "100.0 % [20.7, 100.0]", "100.0 % [20.7, 100.0]"]
    assert rows["Irrelevant response"][:3] == ["2", "0", "–"]


def test_every_assistant_has_its_own_after_the_one_of_all() -> None:
    results = some_results()
    strategies, profiles = strategies_section(results.analysis, titles()), profile_section(results.analysis, titles())
    assert strategies is not None
    assert profiles is not None
    assert [table.id for table in strategies.tables] == [
        "strategies-by-mode",
        "strategies-by-mode-1",
        "strategies-by-mode-2",
    ]
    assert [table.folded for table in profiles.tables] == [False, True, True]
    assert isinstance(profiles.tables[0].rows[0][0], TextCell)
