from __future__ import annotations

import pytest

from hairpin.agents.llm.reference_answerer import MOST_CHARS, REFERENCE_ANSWERER_SLOTS, UNKNOWN, LlmReferenceAnswerer
from hairpin.domain.briefs import AnswerBrief
from hairpin.domain.llm_calls import CallOrigin, Purpose
from hairpin.ports import InvalidAnswerError
from tests.agents.scripted_model import ScriptedModel, shipped_prompt

pytestmark = pytest.mark.anyio

PROMPT = shipped_prompt("reference_answerer", REFERENCE_ANSWERER_SLOTS)
BRIEF = AnswerBrief(
    reference_text="Alex lives in Bonn.", question="Where does\nAlex live?", language="de", origin=CallOrigin(repeat=2)
)


async def answer(said: str) -> str:
    return await LlmReferenceAnswerer(ScriptedModel({"answer": said}), PROMPT).answer(BRIEF)


async def test_the_answer_comes_back_on_one_line() -> None:
    assert await answer("in \n Bonn") == "in Bonn"


@pytest.mark.parametrize("said", ["unknown", "Unknown.", " UNKNOWN "])
async def test_what_the_story_does_not_tell_is_always_the_same_word(said: str) -> None:
    """Two spellings of it would be two different answers."""
    assert await answer(said) == UNKNOWN


async def test_an_empty_or_a_long_answer_is_sent_back() -> None:
    with pytest.raises(InvalidAnswerError, match="empty"):
        await answer(" . ")
    with pytest.raises(InvalidAnswerError, match=f"{MOST_CHARS} at most"):
        await answer("b" * (MOST_CHARS + 1))


async def test_repeats_are_told_apart_and_the_call_is_marked_as_one_for_replays() -> None:
    model = ScriptedModel({"answer": "Bonn"})
    await LlmReferenceAnswerer(model, PROMPT).answer(BRIEF)
    assert model.origins == [CallOrigin(repeat=2, purpose=Purpose.REPLAY)]


def test_the_story_comes_before_the_question() -> None:
    role = LlmReferenceAnswerer(ScriptedModel(), PROMPT)
    prompt = role.prompt(BRIEF)
    system, story = prompt.stable
    assert "German" in system.text
    assert f'"{UNKNOWN}"' in system.text
    assert "> Alex lives in Bonn." in story.text
    assert "Where does Alex live?" in prompt.request
    assert role.prompt(BRIEF.model_copy(update={"question": "Who?"})).stable == prompt.stable
