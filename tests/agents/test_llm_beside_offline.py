"""Roles mix freely: what a model found or said is understood by the offline agents, and the other way round."""

from __future__ import annotations

import dataclasses

import pytest
from pydantic import JsonValue

from hairpin.agents.llm.strategist import STRATEGIST_SLOTS, LlmStrategist
from hairpin.agents.llm.target_extractor import EXTRACTOR_SLOTS, LlmTargetExtractor
from hairpin.agents.llm.user_simulator import SIMULATOR_SLOTS, LlmUserSimulator
from hairpin.agents.offline import build_offline_roles
from hairpin.agents.offline.extractor import OfflineExtractor
from hairpin.agents.offline.simulator import OfflineSimulator
from hairpin.agents.offline.turn_judge import OfflineTurnJudge
from hairpin.domain.briefs import ExtractionBrief, SpeakBrief, TurnBrief
from hairpin.domain.outcome import Verdict
from hairpin.domain.sut import SessionStart
from hairpin.domain.targets import Target, TargetStatus, TargetUpdate
from hairpin.domain.users import Context
from hairpin.ports import SutAdapter, SutSession
from tests.agents.banking import (
    BUNDLING,
    MODES,
    NEUTRAL,
    STACKING,
    history,
    language,
    lexicon,
    modes,
    reader,
    rubric,
    turns,
)
from tests.agents.scripted_model import ScriptedModel, line, shipped_prompt
from tests.quality.driving import Setting, drive

pytestmark = pytest.mark.anyio

SEED = "Send 20 euros to Ada and tell me my balance"
SAID = ("What is left on it now?", "Is it on its way?", "And who gets the money?", "How much money do I have?")


class Bank(SutAdapter, SutSession):
    """Answers everything in the same way."""

    async def open(self, start: SessionStart) -> SutSession:
        return self

    async def send(self, utterance: str) -> str:
        return "I sent 20 euros to Ada. Your balance is 90 euros."


def extractor() -> LlmTargetExtractor:
    targets: list[JsonValue] = [
        {"text": "Transfer 20 euros to Ada", "kind": "payment", "constraints": []},
        {"text": "Say the balance", "kind": "transfer", "constraints": ["in euros"]},
    ]
    model = ScriptedModel({"thought": "", "targets": targets})
    return LlmTargetExtractor(model, shipped_prompt("target_extractor", EXTRACTOR_SLOTS))


def simulator() -> LlmUserSimulator:
    lines = [line(SEED), *map(line, SAID)]
    return LlmUserSimulator(ScriptedModel(*lines), shipped_prompt("user_simulator", SIMULATOR_SLOTS))


def strategist() -> LlmStrategist:
    model = ScriptedModel({"thought": "", "strategy": "bundling"}, {"thought": "", "strategy": "none"})
    return LlmStrategist(model, shipped_prompt("strategist", STRATEGIST_SLOTS))


async def judged(target: Target, user: str, reply: str) -> tuple[TargetUpdate, ...]:
    (turn,) = turns((user, reply))
    brief = TurnBrief(history=(), turn=turn, context=Context(), targets=(target,), modes=modes(*MODES))
    judgement = await OfflineTurnJudge(reader()).judge(brief)
    assert judgement.new_targets == ()
    return judgement.updates


async def test_the_offline_judge_finds_a_models_target_by_its_words_whatever_kind_it_has() -> None:
    target = Target(id="g7", text="Transfer 20 euros to Ada", kind="payment")
    (update,) = await judged(target, "Send 20 euros to Ada", "I sent 20 euros to Ada.")
    assert (update.target_id, update.status, update.uttered) == ("g7", TargetStatus.COMPLETED, True)


async def test_the_offline_judge_judges_a_target_it_cannot_read_even_if_its_kind_sounds_known() -> None:
    target = Target(id="g7", text="explain overdraft interest", kind="transfer")
    (update,) = await judged(target, "Could you explain the overdraft interest?", "")
    assert (update.target_id, update.status, update.uttered) == ("g7", TargetStatus.INCOMPLETE, True)
    assert update.failure == "request_omitted"


async def test_the_offline_user_works_towards_a_models_targets() -> None:
    said = history((SEED, "I sent 20 euros to Ada. Your balance is 90 euros."))
    brief = SpeakBrief(
        t=1,
        max_turns=8,
        seed_phrase=SEED,
        context=Context(),
        persona=NEUTRAL,
        history=said,
        targets=(Target(id="g1", text="explain overdraft interest", kind="advice"),),
    )
    assert (await OfflineSimulator(reader()).speak(brief)).text == "Explain overdraft interest."


async def test_a_models_user_is_told_of_the_targets_that_the_offline_extractor_found() -> None:
    phrase = "Send 20 euros to Ada without fees"
    targets = await OfflineExtractor(language()).extract(ExtractionBrief(seed_phrase=phrase, context=Context()))
    brief = SpeakBrief(
        t=1,
        max_turns=8,
        seed_phrase=phrase,
        context=Context(),
        persona=NEUTRAL,
        history=history((phrase, "One moment.")),
        targets=targets,
    )
    assert "send 20 euros to Ada (without fees)" in simulator().prompt(brief).request


@pytest.mark.parametrize("extracted", [True, False])
@pytest.mark.parametrize("simulated", [True, False])
@pytest.mark.parametrize("planned", [True, False])
async def test_a_conversation_completes_whoever_is_played_by_a_model(
    *, extracted: bool, simulated: bool, planned: bool
) -> None:
    offline = build_offline_roles(rubric=rubric(), lexicon=lexicon(), strategies=(STACKING, BUNDLING))
    roles = dataclasses.replace(
        offline,
        extractor=extractor() if extracted else offline.extractor,
        simulator=simulator() if simulated else offline.simulator,
        strategist=strategist() if planned else offline.strategist,
    )
    setting = Setting(seed_phrase=SEED, persona=NEUTRAL, rubric=rubric(), strategies=(STACKING, BUNDLING), max_turns=4)
    driven = await drive(Bank(), roles, setting)
    assert driven.judgement.verdict in (Verdict.PASS, Verdict.FAIL)
    first = driven.targets[0]
    assert (first.id, first.status, first.introduced) == ("g1", TargetStatus.COMPLETED, 0)
