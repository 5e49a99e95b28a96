from __future__ import annotations

import pytest
from pydantic import JsonValue

from hairpin.agents.llm.target_extractor import EXTRACTOR_SLOTS, MAX_TARGETS, LlmTargetExtractor
from hairpin.domain.briefs import ExtractionBrief
from hairpin.domain.targets import Target
from hairpin.domain.users import Context
from hairpin.ports import InvalidAnswerError
from tests.agents.scripted_model import ScriptedModel, shipped_prompt

pytestmark = pytest.mark.anyio

PROMPT = shipped_prompt("target_extractor", EXTRACTOR_SLOTS)
BRIEF = ExtractionBrief(
    seed_phrase="Send 20 euros to Ada\nwithout fees", context=Context(location="Bonn"), language="fr"
)


def entry(text: str, kind: str = "transfer", *constraints: str) -> dict[str, JsonValue]:
    return {"text": text, "kind": kind, "constraints": list(constraints)}


async def extract(*entries: dict[str, JsonValue]) -> tuple[Target, ...]:
    model = ScriptedModel({"thought": "", "targets": list(entries)})
    return await LlmTargetExtractor(model, PROMPT).extract(BRIEF)


async def test_targets_get_their_ids_here_and_none_is_uttered() -> None:
    found = await extract(entry("send 20 euros to Ada", "transfer", "without fees"), entry("show the balance", "info"))
    assert found == (
        Target(id="g1", text="send 20 euros to Ada", kind="transfer", constraints=("without fees",)),
        Target(id="g2", text="show the balance", kind="info"),
    )
    assert not any(target.uttered for target in found)


async def test_kinds_are_lower_case_words_and_never_missing() -> None:
    found = await extract(entry("a", " Bank  Transfer "), entry("b", "?"))
    assert [target.kind for target in found] == ["bank transfer", "other"]


async def test_a_target_that_is_named_twice_is_one_with_the_constraints_of_both() -> None:
    found = await extract(entry("Send  it", "x", "soon"), entry("send it.", "y", "Soon!", " ", "to Ada"))
    assert found == (Target(id="g1", text="Send it", kind="x", constraints=("Soon!", "to Ada")),)


async def test_no_target_is_an_answer() -> None:
    assert await extract() == ()


async def test_a_target_without_words_or_far_too_many_targets_are_sent_back() -> None:
    with pytest.raises(InvalidAnswerError, match="no text"):
        await extract(entry(" "))
    with pytest.raises(InvalidAnswerError, match="too many"):
        await extract(*(entry(f"task {n}") for n in range(MAX_TARGETS + 1)))


def test_the_model_sees_phrase_situation_and_language() -> None:
    prompt = LlmTargetExtractor(ScriptedModel(), PROMPT).prompt(BRIEF)
    assert "Send 20 euros to Ada without fees" in prompt.request
    assert "Bonn" in prompt.request
    (system,) = prompt.stable
    assert "French" in system.text
