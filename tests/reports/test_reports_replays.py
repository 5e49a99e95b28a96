"""Replays in every report: counted, shown when asked for, and never as conversations that have no verdict."""

from __future__ import annotations

import json
import re
from xml.etree.ElementTree import fromstring

import pytest

from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.outcome import StopReason
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relation_counts import MetamorphicSummary, RelationCount, RelationTotals
from hairpin.domain.relations import PAPER_ENCODER, AnswerComparison, MetamorphicRelation, MetamorphicSpec
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.summary import summarise
from hairpin.reports.build import build_report
from hairpin.reports.conversation import build_conversation
from hairpin.reports.html import render_html
from hairpin.reports.json_report import json_parts
from hairpin.reports.junit import junit_parts
from hairpin.reports.model import ReportModel, ViolationReport
from hairpin.reports.replays import epsilon_note, replay_words, replayed_line, violation_lines
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


def a_violation(**fields: object) -> ViolationReport:
    usual = {
        "relation": MetamorphicRelation.MR1,
        "words": "unlike",
        "conversation": "c0001.RS.1",
        "t": 2,
        "question": "Who keeps it?",
        "answer": "Anton.",
        "compared_with": "Lucy",
        "origin": "the expected answer",
        "similarity": 0.2,
        "level": 3,
    }
    return ViolationReport.model_validate({**usual, **fields})


def with_violated(records: tuple[ConversationRecord, ...], *found: ViolationReport, note: str = "") -> ReportModel:
    return a_report(records).model_copy(update={"violated": found, "epsilon_note": note})


def test_the_first_violations_have_two_lines_each_and_the_command_that_shows_them() -> None:
    report = with_violated(ONLY_REPLAYS, a_violation())
    assert list(violation_lines(report, width=88)) == [
        "violated relations, 1 of 2, each of another question",
        '  MR1 L3 "Who keeps it?" answered "Anton.", compared with "Lucy"',
        f"    hairpin show {report.location} c0001.RS.1",
    ]
    whole = with_violated(ONLY_REPLAYS, a_violation(), a_violation(level=None))
    first, second, *_ = list(violation_lines(whole, width=88))
    assert (first, second.split(' "')[0]) == ("violated relations", "  MR1 L3")
    assert list(violation_lines(a_report(ONLY_REPLAYS), width=88)) == []


def test_long_texts_of_a_violation_share_the_line_that_short_ones_leave() -> None:
    found = a_violation(answer="Anton keeps a teapot " * 20, question="Who keeps the teapot? " * 20, level=None)
    for width in (60, 88, 200):
        line = list(violation_lines(with_violated(ONLY_REPLAYS, found), width=width))[1]
        assert len(line) <= width
        assert line.endswith(', compared with "Lucy"')
        assert line.count("…") == 2
    assert len(line) > 170


def test_where_conversations_have_verdicts_the_first_violation_is_named_in_one_line() -> None:
    report = with_violated(MIXED, a_violation(), a_violation())
    (line,) = violation_lines(report, width=88)
    assert line == (f'first violated relation: MR1 L3 "Who keeps it?": hairpin show {report.location} c0001.RS.1')
    assert f"\n{line}\n" in run_summary(report)


def test_the_summary_notes_a_threshold_that_belongs_to_another_encoder() -> None:
    text = run_summary(with_violated(ONLY_REPLAYS, a_violation(), note="mind the threshold"), width=88)
    assert "\n\nviolated relations" in text
    assert "\n\nnote: mind the threshold\n" in text
    assert "note:" not in run_summary(a_report(ONLY_REPLAYS))


@pytest.mark.parametrize(
    ("spec", "noted"),
    [
        (MetamorphicSpec(), True),
        (MetamorphicSpec(encoder=EncoderSpec(model="other")), True),
        (MetamorphicSpec(encoder=EncoderSpec(model=PAPER_ENCODER)), False),
        (MetamorphicSpec(comparison=AnswerComparison.LEXICAL), False),
        (MetamorphicSpec(epsilon=0.45), False),
    ],
)
def test_the_paper_s_threshold_is_noted_for_other_encoders_only(spec: MetamorphicSpec, noted: bool) -> None:
    told = epsilon_note(spec)
    assert bool(told) is noted
    assert not noted or told.startswith("ε = 0.6 was found for another encoder")
    assert ("hairpin metamorphic calibrate" in told and "comparison=lexical+embedding" in told) is noted


def test_a_report_with_tables_and_no_arms_ends_in_one_line_end() -> None:
    """Replays have tables and no arms: nothing is shown for these, a blank line neither."""
    report = a_report(ONLY_REPLAYS)
    with_tables = report.model_copy(update={"sections": (run_section(report),)})
    assert run_summary(with_tables) == run_summary(report)
