"""Short answers out of a story, and "unknown" for what it does not tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.agents.offline.reference_answerer import OfflineReferenceAnswerer, find_answer
from hairpin.domain.briefs import AnswerBrief
from hairpin.errors import InvalidInputError
from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.resolving import Query, focus_after, resolve
from hairpin.testbed.story.series import question_series
from hairpin.testbed.story.telling import tell

STORY = (
    "The lighthouse was built in 1901 by Emil Harder. It has 212 steps. Harder never married, because the sea was his "
    "only love. Anna Brink, his niece, sold the lighthouse to the town of Seeburg in May. She was 61 years old and "
    "moved to a flat near the harbour. The town does not heat the tower."
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who built the lighthouse?", "Emil Harder"),
        ("When was the lighthouse built?", "in 1901"),
        ("How many steps does the lighthouse have?", "212"),
        ("Who sold the lighthouse?", "Anna Brink"),
        ("When was the lighthouse sold to the town?", "in May"),
        ("Why did Harder never marry?", "because the sea was Emil Harder's only love"),
        ("Did Anna Brink sell the lighthouse to Seeburg?", "yes"),
        ("Does the town heat the tower?", "no"),
        ("How old is the captain?", "unknown"),
        ("Who painted the submarine?", "unknown"),
        ("Where does he live?", "unknown"),
        ("Who is it?", "unknown"),
        ("?", "unknown"),
    ],
)
@pytest.mark.anyio
async def test_the_sentence_that_shares_most_answers(question: str, expected: str) -> None:
    assert await OfflineReferenceAnswerer().answer(AnswerBrief(reference_text=STORY, question=question)) == expected


@pytest.mark.parametrize("number", range(1, 21))
def test_what_a_generated_story_tells_is_found(number: int) -> None:
    story = generate_story(number)
    text, asked = tell(story, order=number), question_series(story, rng_seed=number, n_questions=12)
    for question in asked:
        meaning = resolve(story, focus_after(story, ()), question.text)
        if question.depends or not isinstance(meaning, Query):
            continue
        found = find_answer(text, question.text)
        assert found is not None, question
        assert question.gold.removeprefix("the ") in found.text or found.text in question.gold, (question, found)


def test_another_language_is_refused_with_the_way_out() -> None:
    with pytest.raises(InvalidInputError, match=r"reference_answerer does not speak 'fr'.*models:"):
        OfflineReferenceAnswerer("fr")


@given(story=st.text(max_size=200), question=st.text(max_size=60))
def test_any_texts_are_answered_or_not_but_never_by_a_blank(story: str, question: str) -> None:
    found = find_answer(story, question)
    assert found is None or (found.text.strip() and 0 < found.support <= 1 + 1e-9)
