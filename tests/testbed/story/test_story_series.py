"""Series of questions with gold answers."""

from __future__ import annotations

from hypothesis import given

from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.resolving import equivalent, fact_of
from hairpin.testbed.story.series import SeriesQuestion, question_series
from tests.testbed.story.asking import asked_stories, numbers

Asked = tuple[int, tuple[SeriesQuestion, ...]]


@given(numbers, numbers)
def test_the_same_random_seed_is_the_same_series(number: int, rng_seed: int) -> None:
    story = generate_story(number)
    first = question_series(story, rng_seed=rng_seed, n_questions=6)
    assert question_series(story, rng_seed=rng_seed, n_questions=6) == first
    assert len(first) == 6


@given(asked_stories())
def test_every_question_is_answered_by_one_fact_and_the_second_depends_on_the_first(asked: Asked) -> None:
    number, series = asked
    questions = [question.text for question in series]
    story = generate_story(number)
    for index, question in enumerate(series):
        fact = fact_of(story, questions, index)
        assert fact is not None
        parts = (fact.subject, fact.value, fact.detail)
        assert question.gold.removeprefix("the ").removeprefix("a ").removeprefix("an ") in str(parts)
    assert not series[0].depends
    assert all(question.depends for question in series[1:2])


@given(asked_stories())
def test_a_question_depends_on_others_exactly_when_it_means_something_else_alone(asked: Asked) -> None:
    number, series = asked
    questions = [question.text for question in series]
    for index, question in enumerate(series):
        alone = equivalent(generate_story(number), questions, index, [question.text], 0)
        assert question.depends is not alone
