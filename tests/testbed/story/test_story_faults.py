"""The faults of the story assistant, against its hidden log."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.sut_spec import FaultSpec
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.testbed.story.faults import check_story_faults
from tests.testbed.story.asking import TEXT, ask, shuffled

F10, F11 = FaultSpec(id="F10"), FaultSpec(id="F11")
ABOUT_MINA = ("Where does Mina live?", "How old is she?", "Where does she keep the kite?")
REPEATED = (
    "Where does Mina live?",
    "What does she keep in the old mill?",
    "Where does Jonas live?",
    "And Nora?",
    "What does she keep in the old mill?",
    "Where does Mina live?",
)


@given(
    shuffled(),
    st.sampled_from([(F10,), (F11,), (F10, F11), (FaultSpec(id="F10", after=2, probability=0.5),)]),
    st.integers(0, 5),
)
def test_an_answer_is_wrong_exactly_where_the_log_has_a_strike(
    asked: tuple[int, tuple[str, ...]], faults: tuple[FaultSpec, ...], rng_seed: int
) -> None:
    number, questions = asked
    right = ask(questions, story=number, rng_seed=rng_seed)
    wrong = ask(questions, story=number, faults=faults, rng_seed=rng_seed)
    differ = [t for t, (a, b) in enumerate(zip(right.texts, wrong.texts, strict=True)) if a != b]
    assert [t for _, t in wrong.struck_at] == differ
    assert right.strikes == ()


def test_f10_binds_a_pronoun_to_somebody_else() -> None:
    talk = ask(ABOUT_MINA, text=TEXT, faults=[F10])
    assert talk.answers == ("the old mill", None, None)
    assert [strike.detail for strike in talk.strikes] == ["'she' is taken for 'Nora'"] * 2
    assert {strike.mode for strike in talk.strikes} == {"context_forgotten"}


def test_f10_prefers_a_wrong_answer_to_none() -> None:
    talk = ask(("Where does Mina live?", "What does her brother keep there?"), text=TEXT, faults=[F10])
    assert talk.answers[1] != "a blue map"
    assert talk.struck_at == [("F10", 1)]


@pytest.mark.parametrize("question", ["Where does Mina live?", "Who is Mina's brother?", "Sing a song"])
def test_f10_has_no_occasion_without_a_pronoun(question: str) -> None:
    assert ask(["Where does Nora live?", question], text=TEXT, faults=[F10]).struck_at == []


def test_f11_answers_a_repeated_question_as_before_although_it_means_something_else() -> None:
    talk = ask(REPEATED, text=TEXT, faults=[F11])
    assert talk.answers[4] == "a red kite"
    assert talk.struck_at == [("F11", 4)]
    assert talk.strikes[0].mode is None
    assert ask(REPEATED, text=TEXT).answers[4] is None


def test_faults_strike_late_enough_and_as_often_as_drawn() -> None:
    assert ask(ABOUT_MINA, text=TEXT, faults=[FaultSpec(id="F10", after=2)]).struck_at == [("F10", 2)]
    assert ask(ABOUT_MINA, text=TEXT, faults=[FaultSpec(id="F10", probability=0)]).struck_at == []
    half = [
        ask(ABOUT_MINA, text=TEXT, faults=[FaultSpec(id="F10", probability=0.5)], rng_seed=rng_seed).struck_at
        for rng_seed in range(20)
    ]
    assert 10 <= sum(map(len, half)) <= 30


@pytest.mark.parametrize(
    ("faults", "error", "message"),
    [
        ([FaultSpec(id="F1")], UnknownReferenceError, "unknown fault 'F1'; did you mean"),
        ([F10, F10], InvalidInputError, "'F10' is given twice"),
        ([FaultSpec(id="F10", when=("moving",))], InvalidInputError, "'F10' has conditions"),
    ],
)
def test_faults_that_cannot_be_are_refused(faults: list[FaultSpec], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        check_story_faults(faults)
