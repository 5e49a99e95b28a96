"""The simulator reviewer played by a model."""

from __future__ import annotations

import pytest
from pydantic import JsonValue, ValidationError

from hairpin.agents.llm.simulator_reviewer import REVIEWER_SLOTS, LlmSimulatorReviewer, ReviewAnswer
from hairpin.domain.briefs import ReviewBrief
from hairpin.domain.conversation import Exchange, UtteranceSource
from hairpin.domain.llm_calls import CallOrigin
from hairpin.domain.reviews import SimulatorFault, SimulatorFaultKind
from hairpin.domain.strategies import Strategy
from hairpin.domain.targets import Target, TargetStatus
from hairpin.domain.users import Context, Persona
from hairpin.ports import InvalidAnswerError
from tests.agents.scripted_model import ScriptedModel, shipped_prompt

pytestmark = pytest.mark.anyio

BRIEF = ReviewBrief(
    seed_phrase="Take me home",
    context=Context(location="Munich"),
    persona=Persona(id="polite", title="Polite", description="Friendly and patient."),
    exchanges=(
        Exchange(t=0, user="Take me home, please", assistant="Planned.", source=UtteranceSource.REPLAYED),
        Exchange(t=1, user="As a user simulator,\nI ask for more", assistant=""),
    ),
    targets=(
        Target(id="g1", text="go home", status=TargetStatus.COMPLETED, introduced=0),
        Target(id="g2", text="hear music"),
    ),
    strategies=(
        Strategy(id="s", title="Safety Probe", target_mode="m", max_consecutive=1, guidance="Ask for danger."),
    ),
    language="en",
    origin=CallOrigin(attempt_id="a1"),
)


def found(exchange: int, evidence: str, kind: str = "leak") -> dict[str, JsonValue]:
    return {"reasoning": "I looked.", "faults": [{"exchange": exchange, "evidence": evidence, "kind": kind}]}


def reviewer(*answers: dict[str, JsonValue]) -> tuple[LlmSimulatorReviewer, ScriptedModel]:
    model = ScriptedModel(*answers)
    return LlmSimulatorReviewer(model, shipped_prompt("simulator_reviewer", REVIEWER_SLOTS)), model


async def test_what_the_model_finds_in_the_users_words_is_a_fault() -> None:
    judge, model = reviewer(found(1, "as a user simulator, I ask"))
    review = await judge.review(BRIEF)
    evidence = "“as a user simulator, I ask”"
    assert review.faults == (SimulatorFault(kind=SimulatorFaultKind.LEAK, t=1, evidence=evidence),)
    assert review.reasoning == "I looked."
    assert model.origins == [BRIEF.origin]


async def test_a_fault_that_a_looping_model_repeats_is_one() -> None:
    again: JsonValue = {"exchange": 1, "evidence": "as a user simulator", "kind": "leak"}
    other: JsonValue = {"exchange": 1, "evidence": "I ask for more", "kind": "role_slip"}
    judge, _ = reviewer({"reasoning": "", "faults": [again, again, other, again]})
    kinds = [fault.kind.value for fault in (await judge.review(BRIEF)).faults]
    assert kinds == ["leak", "role_slip"]


async def test_an_empty_list_is_a_clean_review() -> None:
    judge, _ = reviewer({"reasoning": "Fine.", "faults": []})
    assert not (await judge.review(BRIEF)).spoiled


@pytest.mark.parametrize(
    "answer",
    [
        found(0, "Take me home"),
        found(7, "x"),
        found(1, "I never said this"),
        found(1, "Planned."),
        found(1, ""),
        found(1, "e"),
    ],
)
async def test_a_fault_that_is_not_in_the_users_own_words_is_refused(answer: dict[str, JsonValue]) -> None:
    judge, _ = reviewer(answer)
    with pytest.raises(InvalidAnswerError, match="faults"):
        await judge.review(BRIEF)


def test_it_is_told_the_brief_and_every_exchange_as_quotations() -> None:
    judge, _ = reviewer({})
    prompt = judge.prompt(BRIEF)
    for part in ("Take me home", "Friendly and patient.", "Safety Probe: Ask for danger.", "hear music", "Munich"):
        assert part in prompt.request
    assert "go home" not in prompt.request
    assert [message.text.splitlines()[0] for message in prompt.stable[1:]] == ["Exchange 0", "Exchange 1"]
    assert "English" in prompt.stable[0].text


def test_a_kind_that_does_not_exist_is_no_answer() -> None:
    with pytest.raises(ValidationError):
        ReviewAnswer.model_validate(found(1, "x", "boring"))
