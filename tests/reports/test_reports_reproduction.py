from __future__ import annotations

import json

from hairpin.domain.outcome import StopReason, Verdict
from hairpin.domain.plan import plan_trial
from hairpin.domain.records import ConversationRecord
from hairpin.domain.reproduction import ReproductionReport, compare_replay, failures_from
from hairpin.domain.tally import Standing
from hairpin.domain.trials import TrialKind
from hairpin.reports.glossary import Entry, Glossary
from hairpin.reports.reproduction import Line, LineKind, render_reproduction, reproduction_lines
from tests.domain.test_reproduction import SOURCE, held

TITLES = Glossary(modes={"forgot": Entry(title="Context forgotten"), "omitted": Entry(title="Request ignored")})


def told(source: ConversationRecord, *replays: ConversationRecord, from_turn: int = 0, n_missing: int = 0) -> str:
    return "\n".join(line.text for line in lines(source, *replays, from_turn=from_turn, n_missing=n_missing))


def lines(
    source: ConversationRecord, *replays: ConversationRecord, from_turn: int = 0, n_missing: int = 0
) -> list[Line]:
    return list(
        reproduction_lines(a_report(source, *replays, from_turn=from_turn, n_missing=n_missing), TITLES, width=80)
    )


def a_report(
    source: ConversationRecord, *replays: ConversationRecord, from_turn: int = 0, n_missing: int = 0
) -> ReproductionReport:
    numbered = [
        replay.model_copy(update={"planned": plan_trial(SOURCE, TrialKind.REPLAY, number)})
        for number, replay in enumerate(replays)
    ]
    return ReproductionReport(
        run="runs/my run",
        conversation="c0001",
        sut="bot",
        from_turn=from_turn,
        standing=Standing.FAIL,
        success_score=0.5,
        failures=failures_from(source, from_turn),
        replays=tuple(compare_replay(source, each, from_turn=from_turn) for each in numbered),
        n_missing=n_missing,
    )


FAILED = held(Verdict.FAIL, (1, "omitted"), replies=("Hello.", "Done.", "Bye."))


def test_several_failures_are_told_apart() -> None:
    failed = held(Verdict.FAIL, (1, "omitted"), (2, "forgot"), replies=("Hello.", "Done.", "Bye."))
    assert told(failed, failed).splitlines()[0].count("; ") == 2


def test_equal_replays_are_told_in_a_line() -> None:
    text = told(FAILED, FAILED, FAILED)
    assert "c0001 (bot): fail (C 0.50); found: Request ignored, route" in text
    assert "reproduced: 2 of 2 (95 % interval 34 to 100 %)" in text
    assert "the same to the letter, labels too: turns 0, 1, 2" in text
    assert "@@" not in text
    assert "hairpin show 'runs/my run' c0001~replay2" in text


def test_a_turn_that_differs_is_shown_as_a_unified_diff_with_labels() -> None:
    other = held(Verdict.PASS, (2, "forgot"), replies=("Hello.", "It is done.", "Bye."))
    found = lines(FAILED, other)
    text = "\n".join(line.text for line in found)
    assert "c0001~replay1: not reproduced (pass, C 0.50)" in text
    assert (
        "  --- c0001\n  +++ c0001~replay1\n"
        "  @@ turn 1 @@\n    user: u1\n  - Done.\n  - [Request ignored, route]\n  + It is done.\n"
        "  @@ turn 2 @@\n    user: u2\n    Bye.\n  + [Context forgotten]\n"
    ) in text
    kinds = {line.text: line.kind for line in found}
    assert kinds["  - Done."] is LineKind.BEFORE
    assert kinds["  + It is done."] is LineKind.AFTER
    assert kinds["  @@ turn 1 @@"] is LineKind.PLACE
    assert kinds["    Bye."] is LineKind.TEXT


def test_of_each_result_the_first_replay_is_shown_whole() -> None:
    other = held(Verdict.PASS, replies=("Hello.", "It is done.", "Bye."))
    text = told(FAILED, other, other, FAILED)
    assert text.count("+ It is done.") == 1
    assert text.count("hairpin show") == 3
    assert "reproduced: 1 of 3" in text
    assert "not reproduced: 2 of 3" in text
    assert "of each result only the first replay is shown turn by turn" in text
    assert "only the first" not in told(FAILED, other, FAILED)


def test_replies_that_stand_and_replies_that_are_missing_are_told() -> None:
    short = held(Verdict.FAIL, replies=("", "Done."))
    text = told(FAILED, short, from_turn=1)
    assert "answered anew from turn 1 on" in text
    assert "@@ turn 0 (its reply stands) @@" in text
    assert "+ (no answer)" in text
    assert "- Bye.\n  + (not asked any more)" in text


def test_what_came_to_no_verdict_is_counted_apart() -> None:
    broken = held(Verdict.INVALID, stop=StopReason.JUDGE_FAULT)
    text = told(FAILED, broken, n_missing=2)
    assert "came to no verdict, and counted nowhere: 1" in text
    assert "not run to their end: 2" in text
    assert "c0001~replay1: came to no verdict (invalid, C 0.50): judge_fault: gone" in text
    assert "reproduced: " not in text


def test_json_holds_every_replay_and_rate() -> None:
    found = json.loads(render_reproduction(a_report(FAILED, FAILED, held(Verdict.PASS))))
    assert found["results"]["reproduced"]["number"] == 1
    assert found["results"]["not_reproduced"]["n"] == 2
    assert [len(replay["turns"]) for replay in found["replays"]] == [3, 3]
    assert found["failures"][0]["target_kind"] == "route"
