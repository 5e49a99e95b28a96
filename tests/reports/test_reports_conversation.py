from __future__ import annotations

import pytest
from pydantic import JsonValue

from hairpin.domain.outcome import Role, StopReason, Verdict
from hairpin.domain.records import ConversationRecord
from hairpin.domain.tally import Standing
from hairpin.reports.conversation import build_conversation, verdict_reason
from hairpin.reports.model import ConversationReport
from hairpin.reports.terminal import transcript
from tests.reports.sample_run import (
    CHECKED,
    GLOSSARY,
    a_run,
    ended_by,
    failed,
    missing,
    outcome,
    passed,
    planned,
    scripted,
)


def report_of(record: ConversationRecord, *, titled: bool = True, scored: bool = True) -> ConversationReport:
    return build_conversation(a_run(scored=scored), record, glossary=GLOSSARY if titled else None, location="runs/x y")


def reason(record: ConversationRecord) -> str:
    return verdict_reason(record, threshold=0.75)


def test_failures_stand_on_their_turn_with_strategy_and_evidence() -> None:
    turns = report_of(failed()).turns
    assert [len(turn.failures) for turn in turns] == [0, 1, 1, 1, 0, 0, 0, 0]
    (missed,) = turns[1].failures
    assert (missed.mode.title, missed.target, missed.critical) == (
        "Constraint missed",
        "a vegetarian restaurant on the way",
        False,
    )
    assert missed.strategy is not None
    assert missed.strategy.title == "Constraint Stacking"
    assert missed.aimed
    assert turns[2].failures[0].critical


def test_every_turn_says_which_strategy_shaped_it_and_what_it_aims_at() -> None:
    turns = report_of(failed()).turns
    assert turns[0].strategy is None
    assert turns[3].strategy is not None
    assert turns[3].aims_at is not None
    assert (turns[3].strategy.id, turns[3].aims_at.id) == ("context_recall", "context_forgotten")


def test_a_failure_by_another_strategy_was_not_aimed_at() -> None:
    record = failed()
    elsewhere = record.failures[0].model_copy(update={"strategy": "safety_probe"})
    (found,) = report_of(record.model_copy(update={"failures": (elsewhere,)})).failures
    assert not found.aimed


def test_failing_modes_come_in_the_order_of_turns_with_the_first_evidence() -> None:
    again = failed().failures[1].model_copy(update={"t": 5, "evidence": "later"})
    record = failed().model_copy(update={"failures": (*failed().failures, again)})
    report = report_of(record)
    assert [(found.mode.id, found.turns) for found in report.failing_modes] == [
        ("constraint_missed", (1, 5)),
        ("safety_violation", (2,)),
        ("context_forgotten", (3,)),
    ]
    assert report.failing_modes[0].evidence.startswith("vegetarian")
    assert report.first_failure_t == 1
    assert report.critical


def test_an_empty_reply_is_a_turn_without_an_answer() -> None:
    turn = report_of(failed()).turns[4]
    assert (turn.assistant, turn.answered) == ("", False)


def test_ids_without_a_title_are_shown_as_words() -> None:
    report = report_of(failed(), titled=False)
    assert report.persona.title == "Polite"
    assert report.turns[1].failures[0].mode.title == "Constraint missed"
    assert [row.dimension.title for row in report.score.dimensions] == ["Adherence", "Context", "Plan", "Safety"]


def test_c_is_shown_with_its_parts() -> None:
    score = report_of(failed()).score
    assert score.value == 0.42
    assert [(row.dimension.id, row.score, row.weight) for row in score.dimensions] == [
        ("adherence", 1, 1),
        ("context", 0, 1),
        ("plan", 2, 1),
        ("safety", 0, 2),
    ]
    assert [(row.completed, row.total) for row in score.ratios] == [(1, 3), (1, 4), (1, 2)]


def test_a_missing_dimension_is_shown_as_missing() -> None:
    record = failed().model_copy(update={"scores": failed().scores[:2]})
    assert [row.score for row in report_of(record).score.dimensions] == [1, 0, None, None]


def test_dimensions_that_nobody_asked_for_are_not_shown() -> None:
    assert report_of(scripted(), scored=False).score.dimensions == ()
    assert report_of(ended_by(0, StopReason.PROVIDER_ERROR)).score.dimensions == ()


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (passed(), "C 0.95 reaches the threshold 0.75"),
        (failed(), "C 0.42 is below the threshold 0.75"),
        (scripted(), "a check failed at turn 1"),
        (missing(0), "it was not started"),
        (missing(0, attempts=1), "it was interrupted before a verdict"),
        (ended_by(0, StopReason.INTERRUPTED), "it was interrupted before a verdict"),
        (ended_by(0, StopReason.DEADLINE), "the time was up before it could end"),
        (ended_by(0, StopReason.SUT_ERROR), "the assistant broke off with an error: what happened by sut_error"),
        (
            ended_by(0, StopReason.REFUSED, role=Role.TURN_JUDGE),
            "a model refused to do its work (a judge is to blame): what happened by refused",
        ),
    ],
)
def test_every_standing_has_its_reason(record: ConversationRecord, words: str) -> None:
    assert reason(record) == words


def test_low_score_and_failed_checks_are_both_named() -> None:
    checks = (CHECKED, CHECKED.model_copy(update={"t": 0}))
    record = failed().model_copy(update={"failures": checks})
    assert reason(record) == "C 0.42 is below the threshold 0.75 and checks failed at turns 1, 0"


def test_a_pass_without_a_score_rests_on_the_checks() -> None:
    record = passed().model_copy(update={"outcome": outcome(Verdict.PASS, StopReason.SCRIPT_EXHAUSTED)})
    assert reason(record) == "no check failed"


def test_an_undefined_c_says_so() -> None:
    end = outcome(Verdict.INCONCLUSIVE, StopReason.TURNS_EXHAUSTED, note="C is undefined: nothing is left to score")
    assert reason(failed().model_copy(update={"outcome": end})) == "C is undefined: nothing is left to score"


@pytest.mark.parametrize("stop", StopReason)
def test_every_stop_reason_has_words(stop: StopReason) -> None:
    report = report_of(ended_by(0, stop))
    assert report.stop is not None
    assert report.stop.words
    assert report.reason


def test_the_utterance_that_got_no_reply_is_kept() -> None:
    report = report_of(ended_by(0, StopReason.SUT_ERROR))
    assert report.standing is Standing.INVALID
    assert report.pending_utterance == "And then?"


def test_the_command_names_the_run_and_the_conversation() -> None:
    assert report_of(failed()).show_command == "hairpin show 'runs/x y' c0001"


@pytest.mark.parametrize(("identifier", "anchor"), [("c0001", "c0001"), ('x" onload="', "i7"), ("", "i7")])
def test_anchors_need_no_escaping(identifier: str, anchor: str) -> None:
    record = ConversationRecord(planned=planned(7).model_copy(update={"id": identifier}))
    assert report_of(record).anchor == anchor


def test_the_opening_is_what_was_said_first_or_last_tried() -> None:
    assert report_of(scripted()).opening == scripted().exchanges[0].user
    unheard = outcome(Verdict.INVALID, StopReason.SUT_UNREACHABLE, pending="Hello?")
    record = ConversationRecord(planned=planned(0, seed_phrase=None), outcome=unheard)
    assert report_of(record).opening == "Hello?"
    assert report_of(ConversationRecord(planned=planned(0, seed_phrase=None))).opening == ""


def test_what_changed_in_the_side_channel_stands_on_the_turn_that_changed_it() -> None:
    record = failed()
    states: list[dict[str, JsonValue] | None] = [{"heat": 20}, {"heat": 22}, None, {"heat": 23}, {"heat": 23}]
    exchanges = tuple(
        exchange.model_copy(update={"state": states[exchange.t] if exchange.t < len(states) else None})
        for exchange in record.exchanges
    )
    turns = report_of(record.model_copy(update={"exchanges": exchanges})).turns
    changes = [[(change.before, change.now) for change in turn.state_changes] for turn in turns[:5]]
    assert changes == [[], [(20, 22)], [], [], []]


def test_a_recording_is_called_as_in_its_file() -> None:
    record = passed()
    recorded = record.planned.model_copy(update={"recording": "call 7", "seed_phrase": None})
    report = report_of(record.model_copy(update={"planned": recorded}))
    assert (report.recording, report.seed_phrase) == ("call 7", None)
    assert "recording" in transcript(report)
