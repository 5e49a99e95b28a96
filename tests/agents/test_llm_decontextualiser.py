from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.agents.llm.decontextualiser import DECONTEXTUALISER_SLOTS, LlmDecontextualiser
from hairpin.domain.briefs import RewriteBrief
from hairpin.domain.llm_calls import CallOrigin, Purpose
from hairpin.ports import InvalidAnswerError
from tests.agents.scripted_model import ScriptedModel, shipped_prompt

pytestmark = pytest.mark.anyio

PROMPT = shipped_prompt("decontextualiser", DECONTEXTUALISER_SLOTS)
STORY = "Alex lives in Bonn. Bob is his uncle."
EARLIER = ("Who is Alex?", "Where does he live?")


def brief(
    question: str = "How old is he?", *, earlier: tuple[str, ...] = EARLIER, story: str | None = STORY
) -> RewriteBrief:
    return RewriteBrief(
        reference_text=story, earlier=earlier, question=question, language="fr", origin=CallOrigin(repeat=3)
    )


async def rewrite(said: str, question: str = "How old is he?") -> str:
    return await LlmDecontextualiser(ScriptedModel({"topic": "Alex", "question": said}), PROMPT).rewrite(
        brief(question)
    )


async def test_the_models_words_come_back_on_one_line() -> None:
    assert await rewrite("How old\n is  Alex?") == "How old is Alex?"


async def test_a_question_that_stands_alone_comes_back_letter_by_letter() -> None:
    """A change of case or punctuation would make two equal questions differ."""
    assert await rewrite("Who is  alex", "who is Alex?") == "who is Alex?"


async def test_with_nothing_before_it_and_no_story_no_model_is_asked() -> None:
    model = ScriptedModel()
    assert await LlmDecontextualiser(model, PROMPT).rewrite(brief(earlier=(), story=None)) == "How old is he?"
    assert model.asked == []


async def test_a_first_question_is_asked_about_for_the_story_may_say_who_is_meant() -> None:
    model = ScriptedModel({"topic": "Alex", "question": "How old is Alex?"})
    assert await LlmDecontextualiser(model, PROMPT).rewrite(brief(earlier=())) == "How old is Alex?"


@pytest.mark.parametrize(
    ("said", "question", "what"),
    [
        (" ?", "How old is he?", "is empty"),
        ("He is 42 years old.", "How old is he?", "asks nothing"),
        ("from 2000 to 2005", "when", "asks nothing"),
        ("How old is Alex? " + "He lives in Bonn. " * 20, "How old is he?", "at most"),
        ("Where does he live?", "And the uncle?", "questions before"),
    ],
)
async def test_what_is_no_rewrite_is_sent_back_with_a_reason(said: str, question: str, what: str) -> None:
    with pytest.raises(InvalidAnswerError, match=what):
        await rewrite(said, question)


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("Tell me more about lung cancer.", "Tell me more about it."),
        ("When was the bridge built", "when"),
        ("How old is Alex", "How old is he?"),
        ("何歳ですか？", "彼は？"),
        ("Where does Alex live?", "where?"),
        ("Who is Alex?", "Who is he?"),
    ],
)
async def test_a_rewrite_may_be_a_request_and_need_not_end_in_a_question_mark(said: str, question: str) -> None:
    assert await rewrite(said, question) == said


@given(st.text(min_size=1).filter(str.strip))
async def test_any_question_may_come_back_as_it_is(question: str) -> None:
    model = ScriptedModel({"topic": "", "question": question})
    asked = brief(question)
    if any(character.isalnum() for character in question):
        assert await LlmDecontextualiser(model, PROMPT).rewrite(asked) == question


async def test_repeats_are_told_apart_and_the_call_is_marked_as_one_for_replays() -> None:
    model = ScriptedModel({"topic": "Alex", "question": "How old is Alex?"})
    await LlmDecontextualiser(model, PROMPT).rewrite(brief())
    assert model.origins == [CallOrigin(repeat=3, purpose=Purpose.REPLAY)]


def test_the_story_comes_first_then_the_questions_before_then_the_one_to_rewrite() -> None:
    role = LlmDecontextualiser(ScriptedModel(), PROMPT)
    prompt = role.prompt(brief())
    system, story = prompt.stable
    assert "French" in system.text
    assert "> Alex lives in Bonn." in story.text
    assert prompt.request.index("1. Who is Alex?") < prompt.request.index("2. Where does") < prompt.request.index("old")
    assert role.prompt(brief("Who?", earlier=())).stable == prompt.stable
