"""A comparison in each format says the same, and what must not be overlooked."""

from __future__ import annotations

import csv
import io
import json

from hairpin.reports.cells import count as counted
from hairpin.reports.cells import counts, missing, words
from hairpin.reports.cells import text as worded
from hairpin.reports.comparison import ChangedPart
from hairpin.reports.comparison_text import ComparisonFormat, render_comparison
from hairpin.reports.table_text import table_lines
from hairpin.reports.tables import Table
from tests.reports.test_reports_comparison import SUT_CHANGED, compared, of_one_run

SETTINGS = ChangedPart(part="settings", detail="max_turns", of_assistant=False)
WORSE = ("a", (0, 9), (9, 0))


def test_text_names_runs_changes_counts_tests_and_the_result() -> None:
    text = render_comparison(compared(WORSE, changes=(SUT_CHANGED, SETTINGS)), ComparisonFormat.TEXT, width=200)
    assert "A: runs/one, begun 2026-11-29T17:40:00+00:00, finished; a (a 1)" in text
    assert "The assistant differs in: name and version of a (a 1 → a 2)." in text
    assert "The testing differs, too, in: settings (max_turns). That may explain what was found." in text
    assert "a          guided  B         10       0       9             0        1        0" in text
    assert "100.0 % [70.1, 100.0]" in text
    assert text.endswith("The second run is significantly worse in failed conversations, X.\n")


def test_text_says_what_could_not_be_compared() -> None:
    text = render_comparison(
        compared(("a", (0, 9), (0, 0)), ("b", (0, 2), (2, 0)), changes=()), ComparisonFormat.TEXT, width=200
    )
    assert "Nothing is known to differ in the assistant." in text
    assert "Without a passed or failed conversation in one of the runs: a." in text
    assert "Too few conversations for any difference to be significant: b." in text
    assert "(a) no rated conversation" in text
    nothing = render_comparison(compared(), ComparisonFormat.TEXT, width=200)
    assert nothing.count("The runs have no assistant and arm in common.") == 2


def test_assistants_of_one_run_are_not_called_runs() -> None:
    report = of_one_run(("old → new", (0, 9), (0, 0)))
    text = render_comparison(report, ComparisonFormat.TEXT, width=200)
    assert "Without a passed or failed conversation of one of the assistants: old → new." in text
    assert "A or B" in text
    page = render_comparison(report, ComparisonFormat.MD, width=200)
    assert page.startswith("# ride: two assistants compared\n")


def test_json_holds_it_all_and_is_ascii() -> None:
    text = render_comparison(compared(WORSE), ComparisonFormat.JSON, width=80)
    told = json.loads(text)
    assert text.isascii()
    assert told["schema_version"] == 1
    assert [test["mode"] for test in told["regressions"]] == [None, "x"]
    assert (told["improvements"], told["untested"], told["too_small"]) == ([], [], [])
    assert told["groups"][0]["second"]["failed"] == 9
    assert told["changes"] == [{"part": "sut.a", "detail": "a 1 → a 2", "of_assistant": True}]


def test_csv_has_one_row_per_test() -> None:
    rows = list(csv.DictReader(io.StringIO(render_comparison(compared(WORSE), ComparisonFormat.CSV, width=80))))
    assert [(row["Share of conversations"], row["B"], row["B is"]) for row in rows] == [
        ("failed conversations", "1.0", "worse"),
        ("X", "1.0", "worse"),
    ]


def test_markdown_begins_with_the_result_and_has_both_tables() -> None:
    text = render_comparison(compared(WORSE), ComparisonFormat.MD, width=80)
    assert text.startswith("# ride: two runs compared\n\n**The second run is significantly worse")
    assert "### Conversations" in text
    assert "| a | guided | failed conversations |" in text


def test_a_table_in_columns_shows_foreign_text_on_its_line() -> None:
    table = Table(
        id="t",
        title="T",
        columns=(words("Name", header=True), counts("N")),
        rows=((worded("客户\nx\x1b[1m"), counted(5)), (worded("b"), missing("unknown"))),
    )
    assert table_lines(table) == [
        "T",
        "Name                   N",
        "客户 x<U+001B>[1m      5",
        "b                  – (a)",
        "(a) unknown",
    ]
