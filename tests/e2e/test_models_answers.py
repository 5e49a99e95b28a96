"""What judges and users answer in odd ways: the final answer counts, or nobody's verdict does (B01 to B05)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pydantic import JsonValue

from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.outcome import Blame, Role, StopReason, Verdict
from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest
from hairpin.testing.role_player import play_roles
from tests.e2e.model_runs import (
    LINE,
    REQUESTS_PER_CONVERSATION,
    SCORE,
    TURN,
    about,
    forms_asked,
    in_turn,
    model_at,
    outcomes_of,
    playing,
    run_models,
    scenario_of,
)

pytestmark = pytest.mark.anyio

DRAFTED = """<think>Maybe {"reasoning": "turn 0 is bad", "score": 0}? No, turn 1 mends it.</think>

Here is my verdict:
```json
{"reasoning": "Mended in turn 1.", "score": 2}
```
Let me know if you need more."""
FINAL = '{"reasoning": "Mended in turn 1.", "score": 2}'
HALF = '{"reasoning": "Nothing wrong", "score": 2, "remark": "The driver asked for the way, and'
TWO_PHRASES: JsonValue = ["Guide me to Marienplatz", "Find a pharmacy near me"]


def thought_apart(thought: str, text: str) -> FakeAnswer:
    message: JsonValue = {"role": "assistant", "content": text, "reasoning_content": thought}
    usage: JsonValue = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    choice: JsonValue = {"index": 0, "message": message, "finish_reason": "stop"}
    return FakeAnswer(body={"id": "x", "object": "chat.completion", "choices": [choice], "usage": usage})


@pytest.mark.parametrize(
    "answer",
    [DRAFTED, f"<think></think>{FINAL}", thought_apart('{"reasoning": "bad", "score": 0}', FINAL)],
    ids=["draft in the text", "empty thought", "thought in its own field"],
)
async def test_a_judge_that_thinks_first_is_taken_at_its_final_word_without_a_second_call(
    tmp_path: Path, answer: str | FakeAnswer
) -> None:
    async with FakeModelServer(default=playing({SCORE: answer})) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}))
    (record,) = run.records
    assert [(score.score, score.reasoning) for score in record.scores] == [(2, "Mended in turn 1.")] * 4
    assert forms_asked(server)[SCORE] == 4
    assert run.summary.llm.attempts == run.summary.llm.calls == REQUESTS_PER_CONVERSATION
    assert run.summary.conversations.passed == 1


async def test_a_thought_without_an_end_is_no_verdict_and_is_kept_as_it_came(tmp_path: Path) -> None:
    endless = '<think>Maybe {"reasoning": "bad", "score": 0}? Or is it'
    async with FakeModelServer(default=playing({SCORE: in_turn(*[endless] * 8)})) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}))
    assert run.outcomes() == [(StopReason.JUDGE_FAULT, Role.CONVERSATION_JUDGE, Blame.JUDGE)]
    assert run.records[0].scores == ()
    assert {request.answer for request in run.requests if request.outcome is CallOutcome.NO_ANSWER} == {endless}
    assert forms_asked(server)[SCORE] <= 8


async def test_a_verdict_that_was_cut_off_is_asked_for_no_second_time_and_counts_for_nothing(tmp_path: Path) -> None:
    async with FakeModelServer(default=playing({TURN: FakeAnswer.truncated(HALF)})) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}))
    assert run.outcomes() == [(StopReason.TRUNCATED, Role.TURN_JUDGE, Blame.JUDGE)]
    assert forms_asked(server)[TURN] == 1
    assert [request.answer for request in run.requests if request.outcome is CallOutcome.TRUNCATED] == [HALF]
    assert len(run.records[0].exchanges) == 1
    assert run.summary.invalid_by_reason == {"truncated": {"judge": 1}}
    assert run.summary.failure_rate is None
    assert run.finished.exit_code == 3


async def test_a_verdict_that_was_cut_off_is_asked_for_once_more_with_the_larger_limit(tmp_path: Path) -> None:
    cut = in_turn(FakeAnswer.truncated(HALF))
    async with FakeModelServer(default=playing({SCORE: cut})) as server:
        model = model_at(server, max_output_tokens=300, retry_output_tokens=4096)
        run = await run_models(tmp_path, scenario_of({"default": model}))
    assert run.summary.conversations.passed == 1
    caps = [_output_cap(request.body) for request in server.chat_requests]
    assert (caps.count(4096), caps.count(300)) == (1, REQUESTS_PER_CONVERSATION)
    assert outcomes_of(run.requests) == {"ok": REQUESTS_PER_CONVERSATION, "truncated": 1}


def _output_cap(body: object) -> object:
    assert isinstance(body, dict)
    return body.get("max_completion_tokens", body.get("max_tokens"))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Line one\nline two\twith tab", "Line one\nline two\twith tab"),
        (r"Must match \d{4} and C:\temp", None),
    ],
    ids=["raw line break", "bad escape"],
)
async def test_a_verdict_with_raw_control_characters_or_bad_escapes_is_still_read(
    tmp_path: Path, written: str, read: str | None
) -> None:
    async with FakeModelServer(default=playing({SCORE: f'{{"reasoning": "{written}", "score": 2}}'})) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}, repeats=2))
    assert run.summary.conversations.passed == 2
    for record in run.records:
        for score in record.scores:
            assert score.reasoning == read if read else r"\d{4}" in score.reasoning
    assert run.summary.llm.attempts == 2 * REQUESTS_PER_CONVERSATION


@pytest.mark.parametrize(
    ("form", "role", "blame"),
    [(SCORE, Role.CONVERSATION_JUDGE, Blame.JUDGE), (LINE, Role.SIMULATOR, Blame.SIMULATOR)],
)
async def test_a_refusal_is_kept_in_its_own_words_and_is_no_failure_of_the_assistant(
    tmp_path: Path, form: str, role: Role, blame: Blame
) -> None:
    refusal = FakeAnswer(None, refusal="I can't assess this conversation.")
    async with FakeModelServer(default=playing({form: about("pharmacy near me", refusal)})) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}, seed_phrases=TWO_PHRASES))
    assert run.outcomes() == [(StopReason.TURNS_EXHAUSTED, None, None), (StopReason.REFUSED, role, blame)]
    refused = run.records[1].outcome
    assert refused is not None
    assert "I can't assess this conversation." in refused.stop.detail
    asked = {request.call_id for request in run.requests if request.outcome is CallOutcome.REFUSED}
    assert asked
    assert all(request.number == 1 for request in run.requests), "a refusal is not asked again"
    counts = run.summary.conversations
    assert (counts.passed, counts.failed, counts.invalid) == (1, 0, 1)
    assert run.summary.failure_rate == 0
    assert run.summary.invalid_by_reason == {"refused": {blame.value: 1}}
    (suite,) = run.junit
    assert (suite.get("failures"), suite.get("errors")) == ("0", "1")
    assert [error.get("type") for error in suite.iter("error")] == [f"invalid.refused.{blame}"]
    assert "assess this conversation." in run.html


OUT_OF_RANGE = ("95.0", "-1", "1e9", "NaN", "Infinity", "true", '"4/5"', "3")


async def test_scores_out_of_range_make_no_mean_and_change_that_of_the_others_in_nothing(tmp_path: Path) -> None:
    """One conversation is scored well, each of the others with one impossible number."""

    def score(request: FakeRequest) -> str:
        asked = re.search(r"number (\d+) please", str(request.messages))
        return f'{{"reasoning": "ok", "score": {OUT_OF_RANGE[int(asked[1])]}}}' if asked else play_roles(request)

    phrases: JsonValue = ["Guide me to Marienplatz", *(f"Take me to number {n} please" for n in range(8))]
    async with FakeModelServer(default=playing({SCORE: score})) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}, seed_phrases=phrases))
    assert run.outcomes()[1:] == [(StopReason.JUDGE_FAULT, Role.CONVERSATION_JUDGE, Blame.JUDGE)] * 8
    assert {record.scores for record in run.records[1:]} == {()}
    good = run.records[0].outcome
    assert good is not None
    assert good.judgement.verdict is Verdict.PASS
    assert run.summary.mean_success_score == good.judgement.success_score == pytest.approx(0.8)
    assert run.summary.conversations.invalid == run.summary.invalid_by_blame["judge"] == 8
    json.loads((run.folder / "summary.json").read_text(), parse_constant=pytest.fail)


async def test_a_score_out_of_range_is_shown_to_the_judge_once_and_mended(tmp_path: Path) -> None:
    bad = in_turn('{"reasoning": "ok", "score": 95.0}')
    async with FakeModelServer(default=playing({SCORE: bad})) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}))
    assert run.summary.conversations.passed == 1
    assert outcomes_of(run.requests) == {"ok": REQUESTS_PER_CONVERSATION, "invalid_answer": 1}
    (repair,) = [request for request in server.chat_requests if "cannot be used" in request.last_user_text]
    assert repair.messages[-2]["content"] == '{"reasoning": "ok", "score": 95.0}'
