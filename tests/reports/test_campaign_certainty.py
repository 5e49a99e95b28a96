from __future__ import annotations

from hairpin.domain.tally import Standing
from hairpin.reports.campaign_certainty import sequence_section
from hairpin.reports.tables import Figure
from tests.analysis.fact_builders import conversation
from tests.reports.sample_campaign import shown_rows, some_results, table_of


def test_the_last_interval_is_in_the_table_and_the_path_in_the_figure() -> None:
    verdicts = (Standing.FAIL, Standing.PASS, Standing.INVALID, Standing.FAIL)
    facts = [conversation(standing, index=i, sut="one") for i, standing in enumerate(verdicts)]
    results = some_results(facts, suts=("one",))
    part = sequence_section(results.sequences)
    guided, baseline = shown_rows(table_of(part, "certainty"))
    assert guided[:4] == ["guided", "one", "3", "2"]
    assert guided[4].startswith("66.7 % [")
    assert baseline[2:] == ["0", "0", "–"]
    figure = part.parts[1]
    assert isinstance(figure, Figure)
    assert [row[:3] for row in shown_rows(figure.data)] == [
        ["guided", str(n), str(f)] for n, f in ((1, 1), (2, 1), (3, 2))
    ]
    assert "failure probability" in figure.svg
