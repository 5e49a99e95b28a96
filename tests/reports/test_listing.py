from __future__ import annotations

import html5lib

from hairpin.domain.outcome import StopReason
from hairpin.domain.summary import summarise
from hairpin.domain.tally import Standing
from hairpin.reports.build import build_report
from hairpin.reports.html import render_html
from hairpin.reports.json_report import json_parts
from hairpin.reports.junit import junit_parts
from hairpin.reports.model import ReportModel
from hairpin.reports.shown import Limits
from hairpin.reports.terminal import run_summary
from tests.reports.sample_run import GLOSSARY, a_report, a_run, ended_by, failed, passed
from tests.reports.whole_reports import json_of, junit_of

RECORDS = [failed(0), *(passed(i) for i in range(1, 6)), *(ended_by(i, StopReason.SUT_ERROR) for i in range(6, 9))]


def a_big_report(*, shown: int = 2, listed: int = 3) -> ReportModel:
    run = a_run()
    limits = Limits(shown=shown, listed=listed)
    return build_report(
        run, summarise(run, RECORDS), RECORDS, glossary=GLOSSARY, location="runs/big one", limits=limits
    )


def text_of(report: ReportModel) -> str:
    root = html5lib.parse(render_html(report), namespaceHTMLElements=False)
    return " ".join(" ".join(root.itertext()).split())


def test_groups_count_all_whatever_is_shown() -> None:
    groups = {group.standing: group for group in a_big_report().groups}
    assert {where: group.number for where, group in groups.items()} == {
        Standing.FAIL: 1,
        Standing.INVALID: 3,
        Standing.PASS: 5,
    }
    told = {where: (len(g.conversations), len(g.listed), g.n_counted_only) for where, g in groups.items()}
    assert told == {Standing.FAIL: (1, 0, 0), Standing.INVALID: (1, 2, 0), Standing.PASS: (0, 1, 4)}


def test_the_report_says_what_is_not_shown_and_how_to_see_it() -> None:
    note = a_big_report().shown_note
    assert note.startswith("2 of 9 conversations are shown with their transcripts")
    assert "3 more are listed in a line each and 4 more are only counted." in note
    assert "hairpin show 'runs/big one' ID" in note
    assert a_report().shown_note == ""


def test_the_page_shows_lists_and_counts() -> None:
    text = text_of(a_big_report())
    assert a_big_report().shown_note in text
    assert "2 more in a line each" in text
    assert "And 4 more that are only counted here." in text


def test_links_to_what_is_not_shown_are_plain_ids() -> None:
    report = a_big_report(shown=0)
    assert [row.anchor for row in report.critical] == [None]
    assert [row.anchor for row in report.invalid[0].rows] == [None] * 3
    page = render_html(report)
    assert 'href="#c0001' not in page
    assert "c0001, turn 2" in page


def test_the_terminal_counts_those_it_does_not_show() -> None:
    text = run_summary(a_big_report(), max_findings=1)
    assert "and 3 more invalid; hairpin show 'runs/big one' lists them" in text


def test_json_and_junit_of_a_big_run_hold_every_conversation() -> None:
    whole, big = a_big_report(shown=100), a_big_report()
    assert "".join(json_parts(big, whole.conversations)) == json_of(whole)
    of_label = "".join(junit_parts(big, lambda label: [c for c in whole.conversations if c.sut == label]))
    assert of_label == junit_of(whole)


def test_what_the_assistant_broke_off_is_listed_with_the_command_that_says_it_again() -> None:
    report = a_big_report(shown=9)
    (group,) = report.invalid
    assert [row.replay_command for row in group.rows] == [
        f"hairpin replay 'runs/big one' {row.id}" for row in group.rows
    ]
    assert all(row.replay_command in text_of(report) for row in group.rows)
    assert group.rows[0].replay_command in run_summary(report)
    judge_broke = [ended_by(0, StopReason.JUDGE_FAULT)]
    other = build_report(a_run(), summarise(a_run(), judge_broke), judge_broke, glossary=GLOSSARY)
    assert "hairpin replay" not in text_of(other) + run_summary(other)
