"""Replays in every report: counted, shown when asked for, and never as conversations that have no verdict."""

from __future__ import annotations

import json
import re
from xml.etree.ElementTree import fromstring

import pytest

from hairpin.domain.outcome import StopReason
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relation_counts import MetamorphicSummary, RelationCount, RelationTotals
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.summary import summarise
from hairpin.reports.build import build_report
from hairpin.reports.conversation import build_conversation
from hairpin.reports.html import render_html
from hairpin.reports.json_report import json_parts
from hairpin.reports.junit import junit_parts
from hairpin.reports.model import ReportModel
from hairpin.reports.replays import replay_words, replayed_line
from hairpin.reports.run_tables import run_section
from hairpin.reports.terminal import conversation_lines, run_summary, transcript
from tests.reports.sample_campaign import shown_rows, table_of
from tests.reports.sample_run import GLOSSARY, a_run, failed, passed, replayed

ASKED = (ReplayedQuestion(text="Who?", index=0),)
FOUND = RelationTotals(
    by_relation={MetamorphicRelation.MR1: RelationCount(checks=9, violations=2, not_applicable=1)}, levels={3: 2}
)
MIXED = (failed(0), passed(1), replayed(7, "c0001"), replayed(8, "c0002", reason=StopReason.SUT_ERROR))
ONLY_REPLAYS = (replayed(0), replayed(7, "c0001"))


def a_report(records: tuple[ConversationRecord, ...]) -> ReportModel:
    summary = summarise(a_run(), records, relations=FOUND)
    return build_report(a_run(), summary, records, glossary=GLOSSARY)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"method": Method.RBT}, "test seed s 1 as it is (RBT)"),
        ({"method": Method.MORTAR, "kind": "RS", "source": "c0003"}, "MORTAR RS of c0003 (test seed s 1)"),
        ({"method": Method.NULL, "source": "c0003", "execution": 2}, "NULL, number 3 of c0003 (test seed s 1)"),
    ],
)
def test_what_a_conversation_is_replayed_for_is_said_in_a_line(fields: dict[str, object], words: str) -> None:
    replay = Replay.model_validate({"test_seed": "s\n1", "questions": ASKED, **fields})
    assert replay_words(replay) == words


def test_what_was_replayed_and_what_came_of_it_is_said_in_a_line() -> None:
    counted = MetamorphicSummary(sources=3, replays=12, follow_ups=9, MR1=RelationCount(checks=4, violations=1))
    assert replayed_line(counted) == "9 follow-ups of 3 conversations, 1 of 4 relation checks violated"
    one = MetamorphicSummary(
        sources=1,
        replays=1,
        follow_ups=1,
        missing=2,
        broken_by_reason={"sut_error": 1},
        MR4=RelationCount(checks=1, not_applicable=5),
    )
    assert replayed_line(one) == (
        "1 follow-up of 1 conversation, 0 of 1 relation check violated; "
        "besides 1 broke off, 2 missing, 5 checks not applicable"
    )


def test_a_report_counts_and_shows_conversations_and_not_replays() -> None:
    report = a_report(MIXED)
    assert report.n_conversations == 2
    assert [conversation.id for conversation in report.conversations] == ["c0001", "c0002"]
    assert sum(group.number for group in report.groups) == 2
    assert report.invalid == ()


def test_the_terminal_says_what_was_replayed_in_a_line() -> None:
    text = run_summary(a_report(MIXED), width=120)
    line = (
        "2 follow-ups of 2 conversations, 2 of 9 relation checks violated; besides 1 broke off, 1 check not applicable"
    )
    assert f"replayed {line}" in " ".join(text.split())
    assert "2 = 1 passed + 1 failed" in text


def test_a_run_of_nothing_but_replays_says_nothing_of_verdicts() -> None:
    text = run_summary(a_report(ONLY_REPLAYS))
    assert "2 of 9 relation checks violated (MR1 2 of 9)" in text
    assert "failure rate" not in text
    assert "planned" not in text
    page = render_html(a_report(ONLY_REPLAYS))
    assert "Failures by mode" not in page
    assert "All were replayed and have no verdict" in page
    assert ">Passed<" not in page
    assert ">Follow-ups<" in page


def test_of_replays_alone_it_is_told_what_each_assistant_was_asked() -> None:
    broken, unasked = replayed(8, "c0002", reason=StopReason.SUT_ERROR), replayed(9, "c0003", reason=None)
    section = run_section(a_report((*ONLY_REPLAYS, broken, unasked)))
    assert [table.id for table in section.tables] == ["assistants"]
    assert shown_rows(table_of(section, "assistants"))[0] == ["clean", "testbed 1.0", "1", "2", "1", "1", "8"]
    page = render_html(a_report((*ONLY_REPLAYS, broken, unasked)))
    (row,) = re.findall(r"<tr>\s*<th scope=.row.><bdi>clean</bdi>.*?</tr>", page, re.DOTALL)
    assert re.findall(r"<td class=.num.>(\d+)</td>", row) == ["1", "2", "1", "1", "8"]


def test_beside_conversations_replays_do_not_change_their_tables() -> None:
    assert [table.id for table in run_section(a_report(MIXED)).tables] == [
        "assistants",
        "failures-by-mode",
        "stop-reasons",
    ]


def test_the_page_says_what_was_replayed_beside_the_conversations() -> None:
    page = render_html(a_report(MIXED))
    assert "2 follow-ups of 2 conversations, 2 of 9 relation checks violated" in page
    assert "Failures by mode" in page


def test_a_run_without_replays_does_not_speak_of_them() -> None:
    report = build_report(a_run(), summarise(a_run(), MIXED[:2]), MIXED[:2], glossary=GLOSSARY)
    assert "replayed" not in run_summary(report)
    assert "replayed:" not in render_html(report)


def test_a_replay_is_no_test_case() -> None:
    reports = [build_conversation(a_run(), record) for record in MIXED]
    text = "".join(junit_parts(a_report(MIXED), lambda sut: (each for each in reports if each.sut == sut)))
    cases = [case.get("name") or "" for case in fromstring(text).iter("testcase")]
    assert [name.partition(" ")[0] for name in cases] == ["c0002", "c0001"]
    assert fromstring(text).get("tests") == "2"


def test_the_json_report_holds_replays_as_what_they_are() -> None:
    reports = [build_conversation(a_run(), record) for record in MIXED]
    data = json.loads("".join(json_parts(a_report(MIXED), reports)))
    assert [each["standing"] for each in data["conversations"]] == ["fail", "pass", "replayed", "replayed"]
    assert data["conversations"][2]["replay"]["source"] == "c0001"


def test_a_follow_up_is_shown_with_what_it_is_for_and_without_a_verdict() -> None:
    text = transcript(build_conversation(a_run(), MIXED[2]))
    assert "MORTAR RS of c0001 (test seed story 7)" in text
    assert "REPLAYED: no verdict; relations compare its answers" in text
    assert text.count("\n  user ") == 2


def test_a_replay_that_broke_off_says_why() -> None:
    text = transcript(build_conversation(a_run(), MIXED[3]))
    assert "REPLAYED: no verdict; the assistant broke off with an error: connection reset" in " ".join(text.split())


def test_a_list_of_conversations_names_replays_as_such() -> None:
    reports = [build_conversation(a_run(), record) for record in MIXED]
    lines = list(conversation_lines(reports))
    assert lines[2].split()[:2] == ["c0001.RS.1", "replayed"]


def test_a_replay_without_an_outcome_is_missing() -> None:
    report = build_conversation(a_run(), replayed(7, "c0001", reason=None))
    assert report.standing_words == "missing"
