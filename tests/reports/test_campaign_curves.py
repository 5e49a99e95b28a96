from __future__ import annotations

import pytest

from hairpin.domain.tally import Standing
from hairpin.reports.campaign_curves import curves_section
from hairpin.reports.tables import Figure, FloatCell, SpreadCell
from tests.analysis.fact_builders import conversation
from tests.reports.sample_campaign import section, some_results, some_sections


def test_there_are_figures_for_all_and_for_each_assistant() -> None:
    part = section(some_sections(), "over-time")
    assert [each.id for each in part.parts] == [
        *("failures-over-time", "distinct-over-time"),
        *("failures-over-time-1", "distinct-over-time-1"),
        *("failures-over-time-2", "distinct-over-time-2"),
    ]


def test_the_numbers_in_a_figure_end_with_what_the_runs_found() -> None:
    facts = [conversation(Standing.FAIL, (0, "a"), index=i, run=i % 2, sut="one", active_s=60.0 * i) for i in range(5)]
    part = curves_section(some_results(facts, suts=("one",)).analysis)
    assert part is not None
    figure = part.parts[0]
    assert isinstance(figure, Figure)
    assert [column.name for column in figure.data.columns] == ["Active time", "guided"]
    last = figure.data.rows[-1][1]
    assert isinstance(last, SpreadCell)
    assert last.mean == 2.5
    for word in ("each run", "mean ± sd over runs", "guided", "Active time (minutes)"):
        assert word in figure.svg


@pytest.mark.parametrize(
    ("last_s", "words", "last"),
    [(25.0, "seconds", 25.0), (240.0, "minutes", 4.0), (14400.0, "hours", 4.0)],
)
def test_time_is_told_in_a_unit_that_fits_the_campaign(last_s: float, words: str, last: float) -> None:
    part = curves_section(
        some_results([conversation(Standing.FAIL, (0, "a"), sut="one", active_s=last_s)], suts=("one",)).analysis
    )
    assert part is not None
    for figure in part.parts:
        assert isinstance(figure, Figure)
        assert f"Active time ({words})" in figure.svg
        time = figure.data.rows[-1][0]
        assert isinstance(time, FloatCell)
        assert time.value == last


def test_without_times_there_is_no_figure() -> None:
    facts = [conversation(Standing.FAIL, (0, "a"), sut="one")]
    assert curves_section(some_results(facts, suts=("one",)).analysis) is None
