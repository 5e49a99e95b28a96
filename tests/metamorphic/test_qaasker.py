from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.briefs import QuestionBrief
from hairpin.domain.outcome import Role, StopReason
from hairpin.errors import EndsRunError
from hairpin.metamorphic.qaasker import QaaskerRelation, convert, written
from hairpin.metamorphic.refusal import Refused
from hairpin.ports import RoleError, WrittenQuestion

pytestmark = pytest.mark.anyio

WH_TO_WH, WH_TO_POLAR, POLAR_TO_WH = QaaskerRelation


class Writer:
    """Answers with what it was given, or raises it; counts how often it was asked."""

    def __init__(self, answer: WrittenQuestion | Exception | None) -> None:
        self.answer = answer
        self.asked: list[QuestionBrief] = []

    async def write(self, brief: QuestionBrief) -> WrittenQuestion | None:
        self.asked.append(brief)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def brief(question: str, answer: str, relation: QaaskerRelation) -> QuestionBrief:
    return QuestionBrief(reference_text=None, earlier=(), question=question, answer=answer, kind=relation.value)


@pytest.mark.parametrize(
    ("relation", "question", "answer", "new", "expected"),
    [
        (WH_TO_WH, "Who wrote the letter?", "Ada", "Who or what did Ada write?", "the letter"),
        (WH_TO_WH, "What did Giant throw?", "a pillow", "Who or what threw a pillow?", "Giant"),
        (WH_TO_WH, "Who was Tina Brown?", "The editor", "Who was the editor?", "Tina Brown"),
        (WH_TO_WH, "What is the largest city?", "Tbilisi", "What is Tbilisi?", "the largest city"),
        (WH_TO_WH, "When was Firefox released?", "2004", "Who or what was released in 2004?", "Firefox"),
        (WH_TO_WH, "Who joined the list in 1890?", "Ada", "When did Ada join the list?", "in 1890"),
        (WH_TO_WH, "What was he doing before his death?", "resting", None, "what is done"),
        (WH_TO_POLAR, "Who wrote the letter?", "Ada", "Did Ada write the letter?", "yes"),
        (POLAR_TO_WH, "Did Duane talk to Jennie", "Yes.", "Who or what did Duane talk to?", "Jennie"),
        (POLAR_TO_WH, "Is Geneva a global city?", "yes", "Who or what is a global city?", "Geneva"),
        (POLAR_TO_WH, "Does Seville have any sites?", "yes", "Who or what does Seville have?", "sites"),
        (POLAR_TO_WH, "Did he stay in the city in 1890?", "yes", "When did he stay in the city?", "in 1890"),
        (POLAR_TO_WH, "Is it an identifier?", "yes", "Who or what is it?", "an identifier"),
        (POLAR_TO_WH, "Is it the dog he saw?", "yes", None, "no other part"),
        (POLAR_TO_WH, "Was it big?", "yes", None, "no other part"),
        (WH_TO_WH, "Who asked Ada quickly?", "Bob", None, "no other part"),
        (WH_TO_WH, "What did he want to buy?", "a dog", None, "no other part"),
        (POLAR_TO_WH, "Did he want the king to go?", "yes", None, "no other part"),
        (POLAR_TO_WH, "Did she think the king did it?", "yes", None, "no other part"),
        (WH_TO_WH, "What is it?", "a dog", None, "no other part"),
        (WH_TO_WH, "What colour was the coat?", "red", None, "no other part"),
        (WH_TO_WH, "Did he go?", "yes", None, "a yes/no question"),
        (WH_TO_WH, "Who went home?", " . ", None, "no answer"),
        (POLAR_TO_WH, "Who went home?", "Ada", None, "not a yes/no question"),
        (POLAR_TO_WH, "Did Ada go home?", "no", None, "answered with no"),
        (POLAR_TO_WH, "Did Ada go home?", "At noon", None, "not answered with yes or no"),
        (POLAR_TO_WH, "Did she eat it quickly?", "yes", None, "no other part"),
    ],
)
def test_conversions(relation: QaaskerRelation, question: str, answer: str, new: str | None, expected: str) -> None:
    made = convert(question, answer, relation)
    if new is None:
        assert isinstance(made, Refused), made
        assert expected in made.reason
    else:
        assert made == WrittenQuestion(question=new, expected=expected)


@given(st.text(max_size=60), st.text(max_size=30), st.sampled_from(list(QaaskerRelation)))
def test_any_question_is_converted_or_refused_with_a_reason(
    question: str, answer: str, relation: QaaskerRelation
) -> None:
    made = convert(question, answer, relation)
    assert made.reason if isinstance(made, Refused) else made.question.endswith("?")


async def test_a_model_is_asked_only_for_what_the_rules_refuse() -> None:
    writer = Writer(WrittenQuestion(question="New?", expected="a"))
    by_rule = await written(brief("Who wrote the letter?", "Ada", WH_TO_POLAR), writer)
    assert (by_rule, writer.asked) == (convert("Who wrote the letter?", "Ada", WH_TO_POLAR), [])
    assert await written(brief("Since when?", "2010", WH_TO_POLAR), writer) == writer.answer
    assert [each.question for each in writer.asked] == ["Since when?"]


async def test_a_question_of_the_other_kind_is_for_no_model() -> None:
    writer = Writer(None)
    assert isinstance(await written(brief("Did he go?", "yes", WH_TO_WH), writer), Refused)
    assert isinstance(await written(brief("Who went?", "", WH_TO_WH), writer), Refused)
    assert writer.asked == []


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(None, "found none either"), (RoleError(StopReason.REFUSED, Role.QUESTION_WRITER, "no luck"), "failed: no luck")],
)
async def test_a_model_that_finds_none_or_breaks_makes_it_not_applicable(answer: Exception | None, reason: str) -> None:
    made = await written(brief("Since when?", "2010", WH_TO_WH), Writer(answer))
    assert isinstance(made, Refused)
    assert "elliptic" in made.reason
    assert reason in made.reason


async def test_what_ends_the_run_goes_on() -> None:
    with pytest.raises(EndsRunError):
        await written(brief("Since when?", "2010", WH_TO_WH), Writer(EndsRunError("no more")))


async def test_without_a_model_there_are_the_rules_alone() -> None:
    assert isinstance(await written(brief("Since when?", "2010", WH_TO_WH), None), Refused)
