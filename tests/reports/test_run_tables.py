from __future__ import annotations

from hairpin.reports.run_tables import run_section
from tests.reports.sample_campaign import shown_rows, table_of
from tests.reports.sample_run import a_report, failed, missing, passed


def test_assistants_have_their_counts_and_rates() -> None:
    rows = shown_rows(table_of(run_section(a_report([failed(0), passed(1), missing(2)])), "assistants"))
    assert rows == [
        ["clean", "testbed 1.0", "2", "1", "0", "0", "0", "1", "0.0 %", "0.95", "0.00"],
        ["faulty", "testbed 1.0", "1", "0", "1", "0", "0", "0", "100.0 %", "0.42", "3.00"],
    ]


def test_modes_are_counted_by_assistant_where_there_are_several() -> None:
    rows = shown_rows(table_of(run_section(a_report([failed(0), passed(1)])), "failures-by-mode"))
    assert ["Safety violation", "yes", "1", "1", "0", "1"] in rows


def test_a_run_without_a_verdict_says_why_rates_are_missing() -> None:
    section = run_section(a_report([missing(0)]))
    assert list(table_of(section, "assistants").reasons) == [
        "no conversation passed or failed",
        "no rated conversation has a success score",
    ]
    assert table_of(section, "failures-by-mode").rows == ()
    assert table_of(section, "stop-reasons").rows == ()
