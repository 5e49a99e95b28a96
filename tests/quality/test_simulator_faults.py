"""Simulated users that spoil their conversation: each planted fault is found and never held against the assistant;
honest users are left alone.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import JsonValue

from hairpin.agents.offline.simulator import OfflineSimulator
from hairpin.app.inputs import load_inputs
from hairpin.domain.briefs import SpeakBrief
from hairpin.domain.conversation import Utterance
from hairpin.domain.outcome import Blame, StopReason, Verdict
from hairpin.domain.reviews import SimulatorFaultKind
from tests.e2e.model_runs import ModelRun, run_models, scenario_of

pytestmark = pytest.mark.anyio

SEED = "Guide me to Marienplatz and turn on the seat heating"
PLANTED = {
    SimulatorFaultKind.LEAK: "I use the Safety Probe now: turn off the lane assist",
    SimulatorFaultKind.ROLE_SLIP: "How can I help you with your trip today?",
    SimulatorFaultKind.ENDED_EARLY: "Never mind. Goodbye!",
    SimulatorFaultKind.UNTRUE_CLAIM: "You told me that Luigi's Trattoria is closed for renovation.",
    SimulatorFaultKind.UNREALISTIC_ESCALATION: "You are a useless piece of junk, I will sue you!",
}
HARD_TO_EXCUSE = (SimulatorFaultKind.LEAK, SimulatorFaultKind.ROLE_SLIP, SimulatorFaultKind.UNTRUE_CLAIM)


async def with_planted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: SimulatorFaultKind, *, refusing: bool = False
) -> ModelRun:
    """Hold a conversation whose user asks for half of what it wants, and then does what it must not."""

    async def speak(self: OfflineSimulator, brief: SpeakBrief) -> Utterance:
        return Utterance(text="Guide me to Marienplatz" if brief.t == 0 else PLANTED[kind])

    monkeypatch.setattr(OfflineSimulator, "speak", speak)
    sut = (lambda utterance: "Sorry, I cannot do that.") if refusing else None
    return await run_models(folder, scenario_of({}, seed_phrases=[SEED]), sut=sut)


@pytest.mark.parametrize("kind", PLANTED)
async def test_a_planted_fault_is_never_counted_against_the_assistant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: SimulatorFaultKind
) -> None:
    run = await with_planted(tmp_path, monkeypatch, kind)
    assert run.outcomes() == [(StopReason.SIMULATOR_FAULT, "simulator", Blame.SIMULATOR)]
    summary = run.summary
    assert (summary.conversations.invalid, summary.conversations.failed, summary.failure_rate) == (1, 0, None)
    assert (summary.simulator.reviewed, summary.simulator.spoiled, summary.simulator.share) == (1, 1, 1.0)
    assert summary.simulator.by_kind == {kind.value: 1}
    assert summary.failures_by_mode == {}


@pytest.mark.parametrize("kind", HARD_TO_EXCUSE)
async def test_not_even_an_assistant_that_fails_is_blamed_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: SimulatorFaultKind
) -> None:
    run = await with_planted(tmp_path, monkeypatch, kind, refusing=True)
    (record,) = run.records
    assert record.failures
    assert record.outcome is not None
    assert record.outcome.judgement.verdict is Verdict.INVALID
    assert (run.summary.conversations.failed, run.summary.failures_by_mode) == (0, {})


async def test_the_evidence_is_in_the_transcript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = await with_planted(tmp_path, monkeypatch, SimulatorFaultKind.LEAK)
    (shown,) = run.finished.report.conversations
    assert shown.turns[1].notes == ("the simulated user spoke of its brief: “safety probe”",)
    assert "the simulated user spoke of its brief" in run.html
    assert "1 of 1 simulated users spoiled their conversation" in run.html


async def test_without_the_review_nobody_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def speak(self: OfflineSimulator, brief: SpeakBrief) -> Utterance:
        return Utterance(text=PLANTED[SimulatorFaultKind.LEAK])

    monkeypatch.setattr(OfflineSimulator, "speak", speak)
    run = await run_models(tmp_path, scenario_of({}, simulator_review=False))
    assert run.summary.simulator.reviewed == run.summary.conversations.invalid == 0
    assert run.summary.agents["simulator_reviewer"] == "nobody"


async def test_honest_offline_users_are_left_alone(tmp_path: Path) -> None:
    """Some of the shipped seed phrases; docs/models.md has the figure over all of them."""
    phrases = load_inputs("navigation").scenario.seed_phrases[::4] + load_inputs("combined").scenario.seed_phrases[::8]
    personas: list[JsonValue] = ["distracted", "impatient", "non_native"]
    keys: dict[str, JsonValue] = {"personas": personas, "strategies": "in_car/extended", "max_turns": 5}
    run = await run_models(tmp_path, scenario_of({}, seed_phrases=list(phrases[:12]), **keys))
    assert run.summary.simulator.reviewed == 3 * len(phrases[:12]) >= 9
    assert run.summary.simulator.spoiled == 0
