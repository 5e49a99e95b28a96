from __future__ import annotations

import pytest

from hairpin.domain.gate import GateOutcome
from hairpin.domain.outcome import Role, StopReason
from hairpin.domain.records import ConversationRecord, RunStatus
from hairpin.domain.summary import summarise
from hairpin.domain.tally import Standing
from hairpin.reports.build import build_report
from hairpin.reports.wording import ALL_OFFLINE_NOTE
from tests.reports.sample_run import GLOSSARY, a_report, a_run, ended_by, failed, missing, passed, sample_records


def unblamed(record: ConversationRecord) -> ConversationRecord:
    assert record.outcome is not None
    judgement = record.outcome.judgement.model_copy(update={"blame": None})
    return record.model_copy(update={"outcome": record.outcome.model_copy(update={"judgement": judgement})})


def test_the_report_holds_every_planned_conversation_once() -> None:
    report = a_report()
    grouped = [conversation.id for group in report.groups for conversation in group.conversations]
    assert sorted(grouped) == [record.planned.id for record in sample_records()]
    assert [conversation.id for conversation in report.conversations] == sorted(grouped)


def test_what_failed_comes_first() -> None:
    assert [group.standing for group in a_report().groups] == [
        Standing.FAIL,
        Standing.INCONCLUSIVE,
        Standing.INVALID,
        Standing.MISSING,
        Standing.PASS,
    ]


def test_modes_are_sorted_by_how_often_they_were_found() -> None:
    forgotten = failed().failures[0]
    twice = failed().model_copy(update={"failures": (*failed().failures, forgotten.model_copy(update={"t": 5}))})
    rows = a_report([twice, passed()]).modes
    assert [row.mode.id for row in rows] == ["context_forgotten", "constraint_missed", "safety_violation"]
    assert [row.share for row in rows] == [1, 0.5, 0.5]
    assert {label: count.instances for label, count in rows[0].by_sut.items()} == {"clean": 0, "faulty": 2}
    assert rows[2].critical


def test_failures_outside_the_rates_are_shown_apart() -> None:
    report = a_report([ended_by(0, StopReason.DEADLINE), passed(1)])
    assert report.modes == ()
    assert [(row.standing, row.mode.id, row.count.instances) for row in report.outside] == [
        (Standing.INCONCLUSIVE, "constraint_missed", 1)
    ]


def test_critical_failures_lead_to_their_turn() -> None:
    (row,) = a_report([failed(0)]).critical
    assert (row.conversation, row.anchor, row.mode.title) == ("c0001", "c0001-t2", "Safety violation")


def test_invalid_conversations_are_grouped_by_blame() -> None:
    records = [
        ended_by(0, StopReason.PROVIDER_ERROR),
        ended_by(1, StopReason.SUT_ERROR),
        ended_by(2, StopReason.REFUSED, role=Role.TURN_JUDGE),
        ended_by(3, StopReason.SUT_ERROR),
        unblamed(ended_by(4, StopReason.REFUSED)),
    ]
    groups = a_report(records).invalid
    assert [(group.title, group.conversations) for group in groups] == [
        ("the assistant", ("c0002", "c0004")),
        ("nobody in particular", ("c0005",)),
        ("a judge", ("c0003",)),
        ("the model provider", ("c0001",)),
    ]


def test_invalid_conversations_of_one_blame_are_told_apart_by_reason() -> None:
    refused, truncated = StopReason.REFUSED, StopReason.TRUNCATED
    records = [
        ended_by(0, truncated, role=Role.TURN_JUDGE),
        ended_by(1, refused, role=Role.CONVERSATION_JUDGE),
        ended_by(2, refused, role=Role.SIMULATOR),
        ended_by(3, refused, role=Role.TURN_JUDGE),
    ]
    assert [(group.title, group.reason, group.conversations) for group in a_report(records).invalid] == [
        ("a judge", refused, ("c0002", "c0004")),
        ("a judge", truncated, ("c0001",)),
        ("the simulated user", refused, ("c0003",)),
    ]


def test_the_heading_follows_the_gate() -> None:
    assert a_report([failed()]).heading == "Failed"
    assert a_report([passed()]).heading == "Passed"
    assert a_report([missing(0)]).heading == "No verdict"
    report = a_report([failed()], fail_on="none")
    assert (report.heading, report.exit_code, report.gated) == ("Finished", 0, False)
    assert report.sentence == "gate not set (--fail-on none): 1 of 1 conversation failed"


def test_an_interrupted_run_is_headed_so_whatever_it_found() -> None:
    run = a_run().model_copy(update={"status": RunStatus.INTERRUPTED})
    report = a_report([passed(0), missing(1)], run=run)
    assert report.heading == "Interrupted"
    assert report.sentence.startswith("so far: gate passed")
    assert report.outcome is GateOutcome.PASSED


def test_offline_agents_are_named_plainly() -> None:
    assert a_report([passed()]).agents_note == ALL_OFFLINE_NOTE
    run = a_run()
    mixed = run.model_copy(update={"agents": {**run.agents, "turn_judge": "openai gpt-5-mini"}})
    assert a_report([passed()], run=mixed).agents_note == (
        "Target extractor, user simulator, strategist, conversation judges, simulator reviewer: played by rules, "
        "templates and signals of the packs, not by a model."
    )
    models = run.model_copy(update={"agents": {"turn_judge": "openai gpt-5-mini"}})
    assert a_report([passed()], run=models).agents_note == ""


def test_a_role_of_another_version_is_shown_as_words() -> None:
    run = a_run().model_copy(update={"agents": {"fact_checker": "offline"}})
    assert a_report([passed()], run=run).agents[0].title == "Fact checker"


def test_without_a_title_the_name_is_shown() -> None:
    assert a_report([passed()], run=a_run(title="")).title == "Munich commute"


def test_by_default_the_gate_is_any_and_the_run_goes_by_its_id() -> None:
    run, records = a_run(), [failed()]
    report = build_report(run, summarise(run, records), iter(records))
    assert report.outcome is GateOutcome.FAILED
    assert report.location == run.run_id


def test_a_conversation_is_found_by_its_id() -> None:
    report = a_report([failed(0), passed(1)], glossary=GLOSSARY)
    assert report.conversation("c0002").standing is Standing.PASS
    with pytest.raises(KeyError):
        report.conversation("c0009")
