from __future__ import annotations

import pytest

from hairpin.agents.llm.question_writer import QUESTION_WRITER_SLOTS, LlmQuestionWriter
from hairpin.domain.briefs import QuestionBrief
from hairpin.domain.llm_calls import CallOrigin, Purpose
from hairpin.domain.prompts import RolePrompt
from hairpin.errors import InvalidInputError
from hairpin.metamorphic.qaasker import QaaskerRelation
from hairpin.ports import InvalidAnswerError, WrittenQuestion
from tests.agents.scripted_model import ScriptedModel, shipped_prompt

pytestmark = pytest.mark.anyio

PROMPT = shipped_prompt("question_writer", QUESTION_WRITER_SLOTS)


def brief(kind: QaaskerRelation = QaaskerRelation.WH_TO_WH, *, story: str | None = "Ada moved.") -> QuestionBrief:
    return QuestionBrief(
        reference_text=story,
        earlier=("Who is Ada?",),
        question="Where did Ada move?",
        answer="Bonn",
        kind=kind.value,
        origin=CallOrigin(repeat=3),
    )


async def write(question: str, answer: str, kind: QaaskerRelation = QaaskerRelation.WH_TO_WH) -> WrittenQuestion | None:
    model = ScriptedModel({"statement": "Ada moved to Bonn.", "question": question, "answer": answer})
    return await LlmQuestionWriter(model, PROMPT).write(brief(kind))


async def test_question_and_answer_come_back_on_one_line() -> None:
    assert await write("Who moved\n to Bonn?", " Ada ") == WrittenQuestion(
        question="Who moved to Bonn?", expected="Ada"
    )


async def test_a_yes_no_question_must_be_answered_with_yes_whatever_the_model_says() -> None:
    found = await write("Did Ada move to Bonn?", "Bonn", QaaskerRelation.WH_TO_POLAR)
    assert found == WrittenQuestion(question="Did Ada move to Bonn?", expected="yes")


async def test_in_other_languages_words_are_not_looked_at() -> None:
    model = ScriptedModel({"statement": "Ada zog nach Bonn.", "question": "Wohin zog sie?", "answer": "Bonns"})
    german = brief().model_copy(update={"language": "de"})
    found = await LlmQuestionWriter(model, PROMPT).write(german)
    assert found == WrittenQuestion(question="Wohin zog sie?", expected="Bonns")


async def test_no_question_is_an_answer() -> None:
    assert await write(" ", "") is None


@pytest.mark.parametrize(
    ("question", "answer", "kind", "what"),
    [
        ("where did Ada move", "Bonn", QaaskerRelation.WH_TO_WH, "asked before"),
        ("Who is Ada?", "Ada", QaaskerRelation.WH_TO_WH, "asked before"),
        ("Which town is it?", "Bonn", QaaskerRelation.WH_TO_WH, "again"),
        ("Who moved to Bonn?", "Bob", QaaskerRelation.WH_TO_WH, "not in the statement"),
        ("Who moved to Bonn" + " and on" * 60 + "?", "Ada", QaaskerRelation.WH_TO_WH, "short"),
        ("Did Ada move to Bonn?", "yes", QaaskerRelation.WH_TO_WH, "who, what"),
        ("Who moved to Bonn?", "Ada", QaaskerRelation.WH_TO_POLAR, "yes/no"),
        ("Who moved to Bonn?", "", QaaskerRelation.WH_TO_WH, "the words of the statement"),
        ("Who moved to Bonn?", "Yes.", QaaskerRelation.POLAR_TO_WH, "the words of the statement"),
        ("Where did Ada move, to Bonn?", "to Bonn", QaaskerRelation.POLAR_TO_WH, "its own answer"),
    ],
)
async def test_what_cannot_be_used_is_sent_back_with_a_reason(
    question: str, answer: str, kind: QaaskerRelation, what: str
) -> None:
    with pytest.raises(InvalidAnswerError, match=what):
        await write(question, answer, kind)


@pytest.mark.parametrize("kind", QaaskerRelation)
async def test_each_relation_has_a_request_of_its_own_behind_the_same_story(kind: QaaskerRelation) -> None:
    writer = LlmQuestionWriter(ScriptedModel(), PROMPT)
    prompt = writer.prompt(brief(kind))
    assert prompt.stable == writer.prompt(brief()).stable
    assert [message.role for message in prompt.stable] == ["system", "user"]
    assert "Ada moved." in prompt.stable[1].text
    assert "English" in prompt.stable[0].text
    assert {"Where did Ada move?", "Bonn", "1. Who is Ada?"} <= {
        line.removeprefix("Question: ").removeprefix("Answer: ") for line in prompt.request.splitlines()
    }
    others = [writer.prompt(brief(other)).request for other in QaaskerRelation if other is not kind]
    assert prompt.request not in others


async def test_without_a_story_there_are_instructions_alone() -> None:
    assert len(LlmQuestionWriter(ScriptedModel(), PROMPT).prompt(brief(story=None)).stable) == 1


async def test_the_call_is_made_for_replays() -> None:
    model = ScriptedModel({"statement": "", "question": "", "answer": ""})
    await LlmQuestionWriter(model, PROMPT).write(brief())
    assert model.origins == [CallOrigin(repeat=3, purpose=Purpose.REPLAY)]


def test_a_prompt_without_a_part_for_each_relation_is_refused() -> None:
    prompt = RolePrompt(id="mine", system="", request="## wh_to_wh\n\n{{ question }}")
    with pytest.raises(InvalidInputError, match="wh_to_polar"):
        LlmQuestionWriter(ScriptedModel(), prompt)
