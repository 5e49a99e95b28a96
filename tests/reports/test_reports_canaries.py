from __future__ import annotations

from fractions import Fraction

import pytest

from hairpin.analysis.corrected_rate import corrected_rate
from hairpin.domain.canary_rates import CanarySummary, CorrectedRate, ErrorRate, ModeErrors, error_rate
from hairpin.domain.canary_words import told
from hairpin.reports.canaries import canary_pairs, canary_section, corrected_words, doubt_of, with_canary_section
from hairpin.reports.glossary import Glossary
from hairpin.reports.model import ReportModel
from hairpin.reports.tables import CellKind, IntervalCell, MissingCell, PercentCell, TextCell
from tests.reports.sample_run import a_report


def errors(wrong: int, n: int) -> ErrorRate:
    return error_rate([Fraction(1)] * wrong + [Fraction(0)] * (n - wrong))


def canaries(failed_good: ErrorRate, passed_bad: ErrorRate, *, failed: int = 4, n: int = 20) -> CanarySummary:
    rate = corrected_rate(failed, n, failed_good=failed_good, passed_bad=passed_bad)
    return told(
        CanarySummary(
            planned=16,
            undecided={},
            good=8,
            bad=8,
            transcripts=16,
            failed_good=failed_good,
            passed_bad=passed_bad,
            made_up=errors(0, 8),
            missed=errors(1, 8),
            by_mode={"context_forgotten": ModeErrors(missed=errors(1, 2), made_up=errors(0, 0))},
            failure_rate=rate,
        )
    )


def reported(found: CanarySummary | None) -> ReportModel:
    report = a_report()
    return report.model_copy(update={"summary": report.summary.model_copy(update={"canaries": found})})


def test_a_run_without_canaries_says_nothing_of_them() -> None:
    report = reported(None)
    assert with_canary_section(report, Glossary()) is report
    assert doubt_of(report.summary) == ""


def test_the_section_comes_first_with_errors_modes_and_rates() -> None:
    report = with_canary_section(reported(canaries(errors(0, 8), errors(2, 8))), Glossary())
    section = report.sections[0]
    assert (section.id, [table.id for table in section.tables]) == (
        "canaries",
        ["canary-errors", "canary-modes", "corrected-failure-rate"],
    )
    by_error = {row[1].text: row for row in section.tables[0].rows if isinstance(row[1], TextCell)}
    passed = by_error["known-bad, passed"][3]
    assert isinstance(passed, IntervalCell)
    assert (passed.share, round(passed.low, 3), round(passed.high, 3)) == (0.25, 0.071, 0.591)
    assert section.tables[1].rows[0][4].kind is CellKind.MISSING
    assert any(paragraph.startswith("The judges pass 25 %") for paragraph in section.text)


def test_the_corrected_rate_stands_beside_the_raw_one() -> None:
    found = canaries(errors(0, 8), errors(2, 8))
    _, raw, corrected = canary_section(reported(found).summary, found, Glossary()).tables[2].rows[0][1:]
    assert raw == PercentCell(share=0.2)
    assert isinstance(corrected, IntervalCell)
    assert corrected.share == pytest.approx(0.2 / 0.75)
    assert canary_pairs(found)[0][1].startswith("26.7 % (95 % interval ")


def test_where_nothing_is_corrected_the_reason_stands_there() -> None:
    found = canaries(errors(8, 8), errors(0, 8))
    cell = canary_section(reported(found).summary, found, Glossary()).tables[2].rows[0][3]
    assert isinstance(cell, MissingCell)
    assert "no better than chance" in cell.reason
    assert canary_pairs(found) == [
        ("corrected", "the judges are no better than chance on canaries: no correction"),
        ("canaries", "16: 8 of 8 known-good failed, 0 of 8 known-bad passed"),
    ]


def test_an_estimate_at_the_end_of_what_is_possible_says_so() -> None:
    clipped = CorrectedRate(raw=0, n=9, sensitivity=0.9, specificity=0.8, rate=0, low=0, high=0.3, clipped=True)
    assert corrected_words(clipped) == "0.0 % (95 % interval 0.0 to 30.0 %, at the end of what is possible)"


def test_the_failure_rate_is_doubted_with_the_reason_only_where_verdicts_are_often_wrong() -> None:
    always_fails, right = canaries(errors(8, 8), errors(0, 8)), canaries(errors(0, 8), errors(0, 8))
    assert doubt_of(reported(right).summary) == ""
    assert doubt_of(reported(always_fails).summary) == (
        "Do not trust the failure rate of this run: more than 10 % of its judges' verdicts on known conversations are"
        " wrong. The judges call every known-good conversation a failure (8 of 8). The turn judge misses the failure in"
        " 12 % of the known-bad conversations (1 of 8, 95 % interval 2 to 47 %)."
    )


def test_each_assistant_has_a_rate_where_there_are_several() -> None:
    report = reported(canaries(errors(0, 8), errors(0, 8)))
    found = report.summary.canaries
    assert found is not None
    assert found.failure_rate is not None
    labels = list(report.summary.suts)
    several = found.model_copy(update={"failure_rates": dict.fromkeys(labels, found.failure_rate)})
    rows = canary_section(report.summary, several, Glossary()).tables[2].rows
    assert [row[0] for row in rows] == [TextCell(text=label) for label in ("all", *labels)]


def test_what_is_not_known_yet_is_said_beside_the_counts() -> None:
    few = canaries(errors(0, 8), errors(0, 0))
    assert few.trusted is None
    assert canary_pairs(few)[1] == (
        "canaries",
        "16: 0 of 8 known-good failed. Only 0 known-bad transcripts were judged: too few to say how often verdicts are"
        " wrong there. The turn judge misses the failure in 12 % of the known-bad conversations (1 of 8, 95 % interval"
        " 2 to 47 %).",
    )
