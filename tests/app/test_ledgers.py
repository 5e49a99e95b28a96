"""The blame ledger of a stored run: in its summary, its report, and beside the conversation, and it adds up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hairpin.app.annotating import annotate
from hairpin.app.stored import open_stored
from hairpin.cli import application
from hairpin.domain.gate import parse_fail_on
from hairpin.reports.files import ReportFormat, report_files
from hairpin.reports.html import render_html
from hairpin.reports.terminal import run_summary, transcript

SCENARIO = """
id: parcels
sut: ./ica.py:answer
turns: [{user: Where is my parcel?, checks: [{contains: parcel}]}]
repeats: 5
oracles: []
"""
ASSISTANT = """
n_calls = 0


def answer(utterance: str) -> str:
    global n_calls
    n_calls += 1
    if n_calls == 3:
        raise ValueError("the parcel service is down")
    return "Your parcel is here." if n_calls % 2 else "What?"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of five: pass, fail, invalid, fail, pass; people contradict two of them and see one more failure."""
    folder = tmp_path_factory.mktemp("ledger")
    (folder / "s.yaml").write_text(SCENARIO)
    (folder / "ica.py").write_text(ASSISTANT)
    arguments = ["run", str(folder / "s.yaml"), "--concurrency", "1", "--out", str(folder / "runs")]
    assert CliRunner().invoke(application, arguments).exit_code == 1
    (directory,) = (folder / "runs").iterdir()
    said = folder / "said.csv"
    said.write_text(
        "conversation,rater,verdict,blame,note,t,mode,holds\n"
        "c0002,ann,pass,,What? is fine,,,\nc0002,ann,,,,0,check_failed,no\n"
        "c0003,ann,,harness,,,,\nc0004,ann,fail,,,,,\nc0004,ann,,,,0,check_failed,yes\n"
        "c0005,ann,,,,0,request_omitted,yes\n"
    )
    annotate(directory, said)
    return directory


def test_the_ledger_adds_up_and_says_whose_word_it_is(run: Path) -> None:
    with open_stored(run) as stored:
        summary = stored.summary()
    counts = summary.conversations
    assert (counts.planned, counts.passed, counts.failed, counts.invalid) == (5, 2, 2, 1)
    assert summary.ledger.rows == 2
    assert summary.ledger.by_blame == {"harness": 1, "user": 1}
    assert summary.ledger.by_reason == {"overridden": 1, "sut_error": 1}
    assert summary.ledger.overridden == 2
    assert json.loads((run / "summary.json").read_text())["ledger"]["overridden"] == 2


def test_every_renderer_shows_who_broke_what(run: Path) -> None:
    with open_stored(run) as stored:
        report = stored.report(parse_fail_on("any"))
        csv = {
            file.path: "".join(file.parts)
            for file in report_files(report, ReportFormat.CSV, stored.conversation_reports)
        }
        told = run_summary(report)
    page = render_html(report)
    assert "Who broke what" in page
    assert "the parcel service is down" in page
    assert "2 = 1 harness + 1 user; 2 by people" in told
    ledger = csv["tables/ledger.csv"].splitlines()
    assert [line.split(",")[0] for line in ledger[1:]] == ['"c0002"', '"c0003"']
    assert '"Hairpin","the assistant"' in ledger[2]
    assert csv["tables/ledger-people-labels.csv"].splitlines()[1].split(",")[1:3] == ["1", "2"]
    assert '"c0005",0,' in csv["tables/ledger-people-missed.csv"]
    assert "tables/ledger-people-blame.csv" in csv


def test_show_says_it_beside_the_verdict_and_the_verdict_stays(run: Path) -> None:
    with open_stored(run) as stored:
        said, clean = transcript(stored.conversation_report("c0002")), transcript(stored.conversation_report("c0004"))
    assert "FAIL: " in said
    assert "no clean verdict, blame the user (by the word of ann" in said
    assert "no clean verdict" not in clean


def test_the_json_report_has_the_rows(run: Path) -> None:
    with open_stored(run) as stored:
        report = stored.report(parse_fail_on("any"))
        (file,) = report_files(report, ReportFormat.JSON, stored.conversation_reports, stored.scored_families)
        rows = [each["ledger"] for each in json.loads("".join(file.parts))["conversations"]]
    assert [row and row["reason"] for row in rows] == [None, "overridden", "sut_error", None, None]


def test_who_said_anything_is_told_also_where_the_run_says_the_same(run: Path) -> None:
    """People who wrote annotations look for them in the report."""
    with open_stored(run) as stored:
        (section,) = [each for each in stored.report(parse_fail_on("any")).sections if each.id == "ledger"]
    assert any(each.startswith("ann said something of 4 conversations") for each in section.text)
