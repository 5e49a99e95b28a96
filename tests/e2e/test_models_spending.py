"""What models cost: every request counts, limits hold, and whatever was driven is judged (B22)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pydantic import JsonValue

from hairpin.app.spending import SpendingLimits
from hairpin.domain.gate import Gate
from hairpin.domain.llm_calls import CallOutcome
from hairpin.domain.outcome import StopReason, Verdict
from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest
from hairpin.testing.role_player import play_roles
from tests.e2e.model_runs import (
    REQUESTS_PER_CONVERSATION,
    SCORE,
    TURN,
    ModelRun,
    form_of,
    in_turn,
    model_at,
    playing,
    run_models,
    scenario_of,
    write_scenario,
)

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

PRICE: JsonValue = {"input": 1.0, "output": 10.0}
ONE_TURN: JsonValue = [{"user": "Guide me to Marienplatz"}]


def used(prompt: int, completion: int) -> dict[str, JsonValue]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def played(request: FakeRequest) -> FakeAnswer:
    """Play, at a thousand tokens a request."""
    return FakeAnswer(play_roles(request), usage=used(900, 100))


async def run_turn_judge(folder: Path, *answers: FakeAnswer, **keys: JsonValue) -> ModelRun:
    """Run one exchange that only a turn judge is asked about, and check that the server has the same account."""
    async with FakeModelServer(*answers, default=played) as server:
        model = model_at(server, price=PRICE, structured_output="json_schema_strict", **keys)
        scenario = scenario_of({"turn_judge": model}, turns=ONE_TURN, oracles=["turn_judge"], checks=[{"regex": "."}])
        run = await run_models(folder, scenario)
        totals = server.totals
    llm = run.summary.llm
    assert (llm.attempts, llm.prompt_tokens, llm.completion_tokens) == (
        totals.n_requests,
        totals.prompt_tokens,
        totals.completion_tokens,
    )
    return run


@pytest.mark.anyio
async def test_the_tokens_of_unusable_answers_are_counted_with_those_of_the_good_one(tmp_path: Path) -> None:
    unusable = FakeAnswer("I would rather not say in JSON.", usage=used(1000, 200))
    run = await run_turn_judge(tmp_path, unusable, unusable, repairs=2)
    assert run.summary.conversations.passed == 1
    assert (run.summary.llm.calls, run.summary.llm.attempts) == (1, 3)
    assert (run.summary.llm.prompt_tokens, run.summary.llm.completion_tokens) == (2900, 500)
    assert run.summary.llm.cost_usd == pytest.approx((2900 * 1 + 500 * 10) / 1e6)
    assert "2,900" in run.html


@pytest.mark.anyio
async def test_an_answer_that_ran_away_is_counted_with_all_its_tokens(tmp_path: Path) -> None:
    run = await run_turn_judge(tmp_path, FakeAnswer.truncated("and so on"), repairs=0)
    assert run.outcomes()[0][0] is StopReason.TRUNCATED
    runaway = FakeAnswer("so on " * 100, finish_reason="length", usage=used(1000, 45_000))
    run = await run_turn_judge(tmp_path, runaway)
    assert run.summary.llm.completion_tokens == 45_000
    assert run.summary.llm.cost_usd == pytest.approx(0.451)


@pytest.mark.anyio
async def test_an_output_cap_is_always_sent(tmp_path: Path) -> None:
    async with FakeModelServer(default=played) as server:
        await run_models(tmp_path, scenario_of({"default": model_at(server, max_output_tokens=777)}))
    for request in server.chat_requests:
        assert isinstance(request.body, dict)
        assert request.body.get("max_completion_tokens", request.body.get("max_tokens")) == 777
    assert len(server.chat_requests) == REQUESTS_PER_CONVERSATION


@pytest.mark.anyio
@pytest.mark.parametrize(
    "limits", [SpendingLimits(max_cost_usd=0.15), SpendingLimits(max_tokens=110_000)], ids=["money", "tokens"]
)
async def test_a_spent_budget_stops_the_run_and_what_was_driven_is_judged(
    tmp_path: Path, limits: SpendingLimits
) -> None:
    async with FakeModelServer(default=played) as server:
        model = model_at(server, price=PRICE, max_output_tokens=200)
        run = await run_models(tmp_path, scenario_of({"default": model}, repeats=12), spending=limits, concurrency=4)
        totals = server.totals
    summary = run.summary
    assert summary.status == "stopped"
    assert "budget" in summary.status_detail
    assert summary.conversations.passed > 0
    assert summary.conversations.inconclusive + summary.conversations.missing > 0
    assert (run.finished.exit_code, run.finished.error) == (0, None), "the gate decides on what there is"
    spent = summary.llm.prompt_tokens + summary.llm.completion_tokens
    assert spent == totals.prompt_tokens + totals.completion_tokens
    assert summary.llm.attempts == totals.n_requests
    if limits.max_tokens is not None:
        assert spent <= limits.max_tokens
    if limits.max_cost_usd is not None:
        assert summary.llm.cost_usd is not None
        assert summary.llm.cost_usd <= limits.max_cost_usd
    for record in run.records:
        if record.exchanges:
            assert record.outcome is not None
            assert record.outcome.judgement.verdict in (Verdict.PASS, Verdict.INCONCLUSIVE)
            assert len(record.scores) == 4, "no conversation that was driven is left unjudged"


@pytest.mark.anyio
async def test_a_budget_that_a_repair_would_pass_sends_it_not_and_counts_it_not(tmp_path: Path) -> None:
    unusable = FakeAnswer("No JSON.", usage=used(9_000, 900))
    async with FakeModelServer(default=playing({TURN: in_turn(*[unusable] * 5)})) as server:
        model = model_at(server, max_output_tokens=200, repairs=5)
        scenario = scenario_of({"turn_judge": model}, turns=ONE_TURN, oracles=["turn_judge"])
        run = await run_models(tmp_path, scenario, spending=SpendingLimits(max_tokens=15_000))
        n_requests = server.totals.n_requests
    assert run.outcomes()[0][0] is StopReason.BUDGET
    assert run.summary.status == "stopped"
    assert run.summary.llm.attempts == n_requests


@pytest.mark.anyio
async def test_a_failed_conversation_fails_the_gate_of_a_stopped_run_too(tmp_path: Path) -> None:
    bad = FakeAnswer(json.dumps({"reasoning": "All wrong.", "score": 0}), usage=used(900, 100))
    async with FakeModelServer(default=lambda request: bad if form_of(request) == SCORE else played(request)) as server:
        model = model_at(server, max_output_tokens=200)
        scenario = scenario_of({"default": model}, repeats=12)
        run = await run_models(tmp_path, scenario, spending=SpendingLimits(max_tokens=110_000), gate=Gate())
    assert run.summary.status == "stopped"
    assert run.summary.conversations.failed > 0
    assert run.finished.exit_code == 1


def test_money_cannot_be_limited_where_no_price_is_known(quick: Cli) -> None:
    with FakeModelServer(default=played) as server:
        write_scenario(quick.folder, scenario_of({"default": model_at(server, model="nobody-knows-it")}))
        done = quick("run", "s.yaml", "--max-cost", "1")
        assert server.requests == ()
    assert done.code == 2
    assert "nobody-knows-it" in done.err
    assert "Traceback" not in done.err
    assert not (quick.folder / "runs").exists()


@pytest.mark.anyio
async def test_a_price_that_nobody_knows_is_shown_as_unknown_and_never_as_nothing(tmp_path: Path) -> None:
    async with FakeModelServer(default=played) as server:
        run = await run_models(tmp_path, scenario_of({"default": model_at(server)}))
    assert run.summary.llm.cost_usd is None
    assert json.loads((run.folder / "summary.json").read_text())["llm"]["cost_usd"] is None
    assert "unknown: 10 requests without a known price" in run.html
    assert {request.cost_usd for request in run.requests} == {None}
    assert {request.outcome for request in run.requests} == {CallOutcome.OK}


def test_an_estimate_runs_nothing(quick: Cli) -> None:
    with FakeModelServer(default=played) as server:
        write_scenario(quick.folder, scenario_of({"default": model_at(server, price=PRICE)}, repeats=7))
        done = quick("run", "s.yaml", "--estimate")
        assert server.requests == ()
    assert done.code == 0
    assert "7 conversations" in done.out
    assert "USD" in done.out
    assert not (quick.folder / "runs").exists()
