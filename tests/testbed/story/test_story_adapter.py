"""The story assistant behind the adapter contract."""

from __future__ import annotations

from importlib.metadata import version

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.sut import SessionStart
from hairpin.domain.sut_spec import FaultSpec
from hairpin.domain.users import Context
from hairpin.errors import AdapterFaultError, InvalidInputError
from hairpin.testbed.story.adapter import StoryAdapter
from hairpin.testbed.story.answering import gold
from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.resolving import Query, fact_of, resolution_of
from hairpin.testbed.story.series import SeriesQuestion
from hairpin.testbed.story.telling import tell
from tests.testbed.story.asking import TEXT, ask, asked_stories, numbers, shuffled


@given(asked_stories(), numbers)
def test_a_series_in_order_is_answered_with_the_gold_answers(
    asked: tuple[int, tuple[SeriesQuestion, ...]], rng_seed: int
) -> None:
    number, series = asked
    talk = ask([question.text for question in series], story=number, rng_seed=rng_seed)
    assert list(talk.answers) == [question.gold for question in series]
    for text, question in zip(talk.texts, series, strict=True):
        assert question.gold.casefold() in text.casefold()


@given(shuffled())
def test_questions_in_any_order_are_answered_by_the_facts_they_resolve_to(asked: tuple[int, tuple[str, ...]]) -> None:
    number, questions = asked
    story = generate_story(number)
    for index, answer in enumerate(ask(questions, story=number).answers):
        fact, meaning = fact_of(story, questions, index), resolution_of(story, questions, index)
        assert answer == (gold(meaning, fact) if fact and isinstance(meaning, Query) else None)


@given(shuffled(), st.integers(0, 10))
def test_a_session_goes_on_after_a_history_as_if_it_had_heard_it(
    asked: tuple[int, tuple[str, ...]], n_before: int
) -> None:
    number, questions = asked
    faults = (FaultSpec(id="F11"), FaultSpec(id="F10", probability=0.5))
    whole = ask(questions, story=number, faults=faults)
    rest = ask(questions[n_before:], story=number, faults=faults, history=questions[:n_before])
    assert rest.texts == whole.texts[n_before:]
    assert rest.strikes == tuple(strike for strike in whole.strikes if strike.t >= n_before)


@given(shuffled())
def test_a_reference_text_takes_the_place_of_a_number(asked: tuple[int, tuple[str, ...]]) -> None:
    number, questions = asked
    assert ask(questions, text=tell(generate_story(number)), story=number + 1) == ask(questions, story=number)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does Mina keep in the castle?", None),
        ("Where does Bob live?", None),
        ("How old is Nora's brother?", None),
        ("Where does she live?", None),
        ("How is the weather?", None),
        ("Who keeps the drum?", "Nora"),
    ],
)
def test_what_the_story_does_not_tell_is_not_answered(question: str, answer: str | None) -> None:
    talk = ask([question], text=TEXT)
    assert talk.answers == (answer,)
    assert talk.texts[0]


def test_several_that_fit_are_all_told() -> None:
    text = "Mina is a woman. Jonas is a man. Mina lives in the mill. Jonas lives in the mill."
    assert ask(["Who lives in the mill?"], text=text).answers == ("Jonas and Mina",)


def test_the_random_seed_chooses_the_words_and_not_what_they_say() -> None:
    talks = [ask(["Where does Mina live?"], text=TEXT, rng_seed=rng_seed) for rng_seed in range(20)]
    assert {talk.texts[0] for talk in talks} == {
        "Mina lives in the old mill.",
        "The story says that Mina lives in the old mill.",
        "The old mill.",
    }
    assert {talk.answers for talk in talks} == {("the old mill",)}


def test_a_text_that_is_no_story_is_refused_when_a_session_opens() -> None:
    start = SessionStart(conversation_id="c1", context=Context(reference_text="It was a dark night."))
    with pytest.raises(InvalidInputError, match="'It was a dark night' is no sentence"):
        anyio.run(StoryAdapter().open, start)


@pytest.mark.parametrize(
    ("faults", "story", "suffix"), [((), 1, ""), ((FaultSpec(id="F11"), FaultSpec(id="F10")), 7, "+F10+F11+story=7")]
)
def test_the_identity_names_what_makes_it_answer_differently(
    faults: tuple[FaultSpec, ...], story: int, suffix: str
) -> None:
    identity = StoryAdapter(faults, story).describe()
    assert (identity.name, identity.version) == ("story", f"{version('hairpin')}{suffix}")


@pytest.mark.anyio
async def test_using_a_closed_session_is_a_fault_of_the_adapter() -> None:
    session = await StoryAdapter().open(SessionStart(conversation_id="c1"))
    await session.close()
    with pytest.raises(AdapterFaultError, match="after it was closed"):
        await session.send("Hello")
    with pytest.raises(AdapterFaultError, match="closed twice"):
        await session.close()
