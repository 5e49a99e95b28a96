"""A simulated user that stops being one: caught, asked again, never held against the assistant (B10)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from hairpin.domain.outcome import Blame, Role, StopReason
from hairpin.testing import FakeModelServer
from tests.e2e.model_runs import LINE, ModelRun, forms_asked, in_turn, model_at, playing, run_models, scenario_of

pytestmark = pytest.mark.anyio

PHRASE = "My parcel never came."
SLIP = "I'm sorry to hear that! How can I assist you today? Please share your order number."
BOTH_SIDES = "Assistant: Of course.\nUser: thanks"


def said(utterance: str) -> str:
    return json.dumps({"thought": "go on", "utterance": utterance})


async def run_with_lines(folder: Path, *lines: str, then: str | None = None, **keys: JsonValue) -> ModelRun:
    """Run a conversation whose user says these lines, and ``then`` (or something sensible) ever after."""
    answers = in_turn(*map(said, lines)) if then is None else in_turn(*map(said, lines), then=said(then))
    async with FakeModelServer(default=playing({LINE: answers})) as server:
        scenario = scenario_of({"default": model_at(server)}, seed_phrases=[PHRASE], **keys)
        run = await run_models(folder, scenario, sut=lambda utterance: f"I heard: {utterance}")
        assert forms_asked(server)[LINE] == run.summary.llm.by_role["simulator"].attempts
    return run


async def test_a_user_that_plays_the_assistant_once_is_asked_again_and_the_transcript_says_so(tmp_path: Path) -> None:
    run = await run_with_lines(tmp_path, PHRASE, SLIP, "Where is it now?")
    (record,) = run.records
    assert [exchange.user for exchange in record.exchanges] == [PHRASE, "Where is it now?"]
    assert [exchange.regenerations for exchange in record.exchanges] == [0, 1]
    (note,) = record.exchanges[1].notes
    assert "How can I assist you today?" in note
    assert run.summary.regenerations == 1
    assert run.summary.conversations.passed == 1
    assert "How can I assist you today?" in run.html
    assert SLIP not in str([exchange.assistant for exchange in record.exchanges])


@pytest.mark.parametrize(
    ("line", "language"),
    [(SLIP, "en"), (BOTH_SIDES, "en"), ("Wie kann ich Ihnen heute helfen?", "de")],
    ids=["role slip", "both sides", "role slip in German"],
)
async def test_a_user_that_goes_on_playing_the_assistant_ends_as_a_fault_of_the_simulator(
    tmp_path: Path, line: str, language: str
) -> None:
    run = await run_with_lines(tmp_path, PHRASE, then=line, language=language)
    assert run.outcomes() == [(StopReason.SIMULATOR_FAULT, Role.SIMULATOR, Blame.SIMULATOR)]
    (record,) = run.records
    assert [exchange.user for exchange in record.exchanges] == [PHRASE]
    assert record.outcome is not None
    assert record.outcome.stop.detail.count("thrown away") == 3
    assert (run.summary.conversations.failed, run.summary.failure_rate) == (0, None)
    assert run.summary.invalid_by_reason == {"simulator_fault": {"simulator": 1}}
    assert [error.get("type") for error in run.junit.iter("error")] == ["invalid.simulator_fault"]
