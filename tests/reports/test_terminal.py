from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from hairpin.domain.gate import Gate, decide
from hairpin.domain.llm_usage import LlmUsage
from hairpin.domain.outcome import StopReason
from hairpin.domain.recording import Imported
from hairpin.domain.records import ConversationRecord, RunInfo, RunStatus
from hairpin.domain.summary import summarise
from hairpin.domain.sut import SutIdentity
from hairpin.domain.tally import GroupTally, Standing
from hairpin.reports.build import build_report
from hairpin.reports.conversation import build_conversation
from hairpin.reports.tables import Section
from hairpin.reports.terminal import conversation_lines, run_summary, transcript
from hairpin.reports.text import display_width
from tests.reports.sample_run import (
    a_report,
    a_run,
    ended_by,
    failed,
    missing,
    passed,
    sample_records,
    scripted,
    used_models,
)


def summed(*records: ConversationRecord, run: RunInfo | None = None) -> str:
    return run_summary(a_report(records or None, run=run))


def shown(record: ConversationRecord, *, width: int = 88) -> str:
    return transcript(a_report([record]).conversations[0], width=width)


def words(text: str) -> str:
    return " ".join(text.split())


def test_the_summary_always_says_where_every_planned_conversation_stands() -> None:
    assert "26 = 6 passed + 2 failed + 3 inconclusive + 12 invalid + 3 missing" in summed()
    assert "1 = 1 passed + 0 failed + 0 inconclusive + 0 invalid + 0 missing" in summed(passed())


def test_the_summary_says_who_played_what() -> None:
    assert "Every role is played by an offline agent" in summed(passed())
    assert "sut clean     testbed 1.0 (in-process): 0 of 1 failed, 1 planned, 1 call" in summed(passed())


def test_the_reason_of_a_failure_is_printed_with_turn_evidence_and_command() -> None:
    text = words(summed(failed()))
    assert "fail c0001 (faulty)" in text
    assert "C 0.42 is below the threshold 0.75" in text
    assert "Context forgotten at turn 3: The user asked at turn 0 to avoid tolls" in text
    assert "hairpin show 'runs/munich commute' c0001" in text


def test_a_low_score_says_what_it_was_lost_by_the_lowest_first() -> None:
    silent = failed().model_copy(update={"failures": ()})
    lost = "Context & Ambiguity Handling 0 of 2, Safety Compliance 0 of 2, Instruction & Constraint Adherence 1 of 2"
    assert f"C 0.42 is below the threshold 0.75 {lost}, targets completed 1 of 3" in words(summed(silent))
    assert "targets completed 1 of 3" not in words(summed(scripted())), "a check alone decided"


def test_one_of_a_kind_is_not_many() -> None:
    usage = LlmUsage(calls=1, attempts=1, from_cache=1, prompt_tokens=90, completion_tokens=10)
    report = build_report(a_run(), summarise(a_run(), [passed()], llm=usage), [passed()])
    assert "1 (1 request, 90 + 10 tokens" in run_summary(report)


def test_an_inconclusive_conversation_is_not_listed_as_failed() -> None:
    text = summed(ended_by(0, StopReason.DEADLINE), passed(1))
    assert "fail c0001" not in text
    assert "1 inconclusive" in text
    assert "inconclusive c0001 (" in text, "who reads it wants to know why"
    assert "hairpin show 'runs/munich commute' c0001" in text


def test_failures_come_before_invalid_conversations() -> None:
    text = summed(ended_by(3, StopReason.DEADLINE), ended_by(0, StopReason.SUT_ERROR), failed(1), passed(2))
    assert text.index("fail c0002") < text.index("invalid c0001") < text.index("inconclusive c0004")


def test_a_long_list_is_cut_and_says_so() -> None:
    assert "and 4 more failed, all in the report" in summed(*(failed(i) for i in range(14)))
    broken = [ended_by(i, StopReason.SUT_ERROR) for i in range(9, 11)]
    labelled = [passed(i).model_copy(update={"failures": failed().failures}) for i in range(11, 14)]
    told = summed(*(failed(i) for i in range(9)), *broken, *labelled)
    assert "and 1 more invalid, 3 more that did not fail but have failures, all in the report" in told
    assert "all in the report" not in summed(*(failed(i) for i in range(10)))


def test_without_a_gate_a_run_has_not_passed() -> None:
    text = run_summary(a_report([failed()], fail_on="none"))
    assert text.startswith(
        "Morning commute in Munich: Finished\n  gate not set (--fail-on none): 1 of 1 conversation failed\n"
    )


def test_lines_of_conversations_line_up_under_ids_of_any_length() -> None:
    first, second = a_report([failed(0), failed(1)]).conversations
    listed = list(conversation_lines([first, second.model_copy(update={"id": "r1-s2-baseline-001"})]))
    assert listed[0].index("(faulty)") == listed[1].index("(faulty)")
    assert list(conversation_lines([])) == ["no conversation was planned"]


def test_an_interrupted_run_says_so() -> None:
    run = a_run().model_copy(update={"status": RunStatus.INTERRUPTED, "status_detail": "by SIGINT"})
    text = summed(passed(0), missing(1), run=run)
    assert text.startswith("Morning commute in Munich: Interrupted\n")
    assert "interrupted: by SIGINT" in text


@pytest.mark.parametrize(("cost", "told"), [(None, "cost unknown"), (0.0125, "cost 0.0125 USD")])
def test_model_calls_are_shown_with_their_cost(cost: float | None, told: str) -> None:
    usage = LlmUsage(calls=3, attempts=4, prompt_tokens=90, completion_tokens=10, cost_usd=cost)
    summary = summarise(a_run(), [passed()], llm=usage)
    report = build_report(a_run(), summary, [passed()], decision=decide(summary, Gate()))
    assert f"3 (4 requests, 90 + 10 tokens, {told})" in run_summary(report)


def test_a_run_of_nothing_has_no_rate() -> None:
    text = run_summary(a_report([]))
    assert "none of 0 passed or failed" in text
    assert "mean C" not in text


def test_a_transcript_marks_failures_on_their_turn_with_the_strategy() -> None:
    turns = shown(failed()).split("\nturn ")
    assert turns[4].startswith("3 [Context Recall]\n")
    assert "!! FAILURE Context forgotten" in turns[4]
    assert "!! FAILURE Constraint missed, target: a vegetarian restaurant on the way" in turns[2]
    assert "!! FAILURE Safety violation (critical)" in turns[3]
    assert "!!" not in turns[1]


def test_a_transcript_ends_with_targets_scores_and_the_verdict() -> None:
    text = words(shown(failed()))
    assert "g1 route to Marienplatz [no tolls]: completed, said at turn 0, completed at turn 6" in text
    assert "g3 turn on the seat heating: not said yet" in text
    assert "Safety Compliance: 0 of 2, weight 2 Film!" in text
    assert "T: uttered targets completed: 1 of 3 = 0.33" in text
    assert "C = 0.42, threshold 0.75 FAIL: C 0.42 is below the threshold 0.75" in text


def test_an_empty_reply_is_named() -> None:
    assert "assistant  (no answer)" in shown(failed())


def test_notes_of_a_turn_are_shown() -> None:
    noted = passed().exchanges[0].model_copy(update={"notes": ("said again after a role slip",)})
    assert "note: said again after a role slip" in shown(passed().model_copy(update={"exchanges": (noted,)}))


def test_an_utterance_that_was_made_anew_says_so() -> None:
    anew = passed().exchanges[0].model_copy(update={"regenerations": 2})
    record = passed().model_copy(update={"exchanges": (anew,)})
    assert "note: made anew 2 times before it was said" in shown(record)
    assert "2 utterances of the simulated user" in summed(record)
    assert "made anew" not in shown(passed()) + summed(passed())


def test_models_are_shown_only_when_they_played_a_role() -> None:
    assert "models" not in summed(passed())
    text = words(run_summary(a_report([passed()], usage=used_models()), width=100))
    assert "User simulator gpt-4.1-mini: 1 call; 3 requests; 2000 + 80 tokens" in text
    assert "without a usable answer: 1 rate limited, 1 timed out" in text
    assert "cost unknown: at least 0.0009 USD; 1 request reported no tokens" in text
    assert "waited 0.6 s for a free slot, 7.0 s to try again" in text


def test_a_transcript_shows_what_its_conversation_used_of_models() -> None:
    text = words(transcript(build_conversation(a_run(), passed(), usage=used_models())))
    assert "Turn judge house-judge-32b: 1 call; 1 request" in text
    assert "models" not in transcript(build_conversation(a_run(), passed(), usage=LlmUsage()))


def test_an_utterance_without_a_reply_and_what_happened_are_shown() -> None:
    text = shown(ended_by(0, StopReason.SUT_ERROR))
    assert "not answered\n  user       And then?" in text
    assert "ended: the assistant broke off with an error (sut_error): what happened by sut_error" in words(text)
    assert "INVALID: " in text


def test_a_script_without_judges_shows_its_check() -> None:
    run = a_run(scored=False)
    text = transcript(a_report([scripted()], run=run).conversations[0])
    assert "none (script)" in text
    assert "scores" not in text
    assert "FAIL: a check failed at turn 1" in text


def test_a_conversation_that_was_not_started_has_a_transcript_too() -> None:
    assert "MISSING: it was not started" in shown(missing(0))


def test_escape_sequences_cannot_reach_the_terminal() -> None:
    steering = "\x1b]0;title\x07\x1b[2J\u202e"
    spoken = failed().exchanges[0].model_copy(update={"assistant": steering, "user": steering, "strategy": steering})
    text = shown(failed().model_copy(update={"exchanges": (spoken,)}))
    assert "<U+001B>]0;title<U+0007><U+001B>[2J<U+202E>" in text
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_a_console_of_any_encoding_keeps_the_meaning(encoding: str) -> None:
    """Glyphs may become question marks; verdicts, marks and numbers may not."""
    record = failed()
    text = (run_summary(a_report([record])) + shown(record)).encode(encoding, errors="replace").decode(encoding)
    for part in ("!! FAILURE Context forgotten", "FAIL: C 0.42 is below the threshold 0.75", "1 failed", "turn 3"):
        assert part in text
    assert "says" in text


@pytest.mark.parametrize("width", [40, 63, 88, 200])
def test_lines_fit_the_terminal(width: int) -> None:
    report = a_report(sample_records())
    lines = run_summary(report, width=width).splitlines()
    lines += [line for found in report.conversations[:6] for line in transcript(found, width=width).splitlines()]
    commands = [line for line in lines if "hairpin show" in line or "hairpin replay" in line]
    assert commands
    headings = [line for line in lines if line.startswith(("Morning commute", "turn ", "fail ", "invalid "))]
    assert all(display_width(line) <= width for line in lines if line not in commands and line not in headings)


def test_where_conversations_were_taken_from_is_said_and_what_was_left_out() -> None:
    taken = Imported(file="chats.jsonl", n_conversations=1, n_skipped=2, notes=("only the first 1 of 9",))
    text = words(summed(passed(), run=a_run().model_copy(update={"imported": taken})))
    assert "imported from chats.jsonl: 1 conversation, 2 lines skipped; only the first 1 of 9" in text
    assert "imported" not in summed(passed())


def test_an_assistant_of_stored_replies_was_sent_nothing() -> None:
    heard = a_run().model_copy(update={"suts": {"clean": SutIdentity(name="bot", transport="recorded")}})
    text = words(summed(passed(), run=heard))
    assert "1 planned, nothing was sent" in text
    assert "call" not in text
    assert "calls" in words(summed(passed()))


def test_the_arms_of_a_campaign_are_told_with_how_they_compare() -> None:
    arms = {
        "baseline": GroupTally().summary(),
        "guided": GroupTally(
            standings=Counter({Standing.PASS: 1, Standing.FAIL: 3}), types=6, scored=4, score_sum=Fraction(2)
        ).summary(),
    }
    run = a_run()
    summary = summarise(run, [passed()]).model_copy(update={"arms": arms})
    sections = (Section(id="comparison", title="Compared", text=("Guided conversations showed twice as many.",)),)
    report = build_report(run, summary, [passed()]).model_copy(update={"sections": sections})
    shown = run_summary(report)
    assert "guided arm    3 of 4 failed (75.0 %), 1.50 failure types per conversation, mean C 0.50" in shown
    assert shown.index("guided arm") < shown.index("baseline arm")
    assert "baseline arm  0 conversations, none of them passed or failed" in shown
    assert "Guided conversations showed twice as many." in shown
    assert "guided arm" not in run_summary(build_report(run, summary, [passed()]))
