"""What counts as saying the same, and what judges get to see."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hairpin.domain.conversation import (
    DialogueTurn,
    Exchange,
    Utterance,
    UtteranceSource,
    dialogue,
    is_repetition,
    normalise,
)
from tests.domain.builders import an_exchange

words = st.lists(st.text(alphabet="abcXYZäß0", min_size=1, max_size=6), min_size=1, max_size=4)
outer = st.text(alphabet=" .,;:!?\"'“”…\n\t", max_size=4)


@given(words, outer, outer, st.sampled_from(["  ", "\t", "\n ", "\u00a0"]))
def test_case_white_space_and_punctuation_around_it_make_no_difference(
    said: list[str], before: str, behind: str, gap: str
) -> None:
    assert normalise(before + gap.join(said).upper() + behind) == normalise(" ".join(said))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße", "STRASSE"),
        ("\ufb02ight", "flight"),
        ("e\u0301t\u00e9", "\u00e9te\u0301"),
        ("“You're welcome!”", "you're welcome"),
        ("¿Dónde?", "dónde"),
        ("はい。", "はい"),
        ("…", ""),
    ],
)
def test_says_the_same(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("It is 5 degrees", "It is -5 degrees"), ("50%", "50"), ("a.b", "ab"), ("résumé", "resume"), ("no", "")],
)
def test_says_something_else(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(words)
def test_normalising_twice_changes_nothing(said: list[str]) -> None:
    once = normalise(" ".join(said))
    assert normalise(once) == once


def talk(*pairs: tuple[str, str]) -> list[Exchange]:
    return [an_exchange(t, user, assistant) for t, (user, assistant) in enumerate(pairs)]


def test_three_equal_exchanges_in_a_row_are_a_repetition() -> None:
    same = ("Thanks, bye!", "You're welcome, anything else?")
    assert is_repetition(talk(("Hi", "Hello"), same, ("thanks, BYE", same[1]), same))
    assert not is_repetition(talk(same, same))
    assert not is_repetition(talk(same, same, ("Hi", "Hello"), same))


def test_an_assistant_that_repeats_itself_alone_is_no_repetition() -> None:
    assert not is_repetition(talk(("a", "same"), ("b", "same"), ("c", "same")))
    assert not is_repetition(talk(("same", "a"), ("same", "b"), ("same", "c")))


def test_silence_repeats_itself_too() -> None:
    assert is_repetition(talk(("Hello?", ""), ("Hello?", ""), ("hello", "")))


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy")), max_size=8))
def test_a_repetition_is_decided_by_the_last_three_exchanges(pairs: list[tuple[str, str]]) -> None:
    last = pairs[-3:]
    assert is_repetition(talk(*pairs)) == (len(last) == 3 and len(set(last)) == 1)


def test_no_exchange_no_repetition() -> None:
    assert not is_repetition([])


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5)), max_size=4))
def test_a_judge_sees_the_words_and_nothing_of_how_they_came_about(pairs: list[tuple[str, str]]) -> None:
    exchanges = [
        e.model_copy(update={"strategy": "safety_probe", "notes": ("regenerated",), "metadata": {"x": 1}})
        for e in talk(*pairs)
    ]
    assert dialogue(exchanges) == tuple(
        DialogueTurn(t=t, user=user, assistant=assistant) for t, (user, assistant) in enumerate(pairs)
    )


def test_an_utterance_is_simulated_and_unguided_unless_said_otherwise() -> None:
    utterance = Utterance(text="Hello")
    assert (utterance.source, utterance.strategy, utterance.notes) == (UtteranceSource.SIMULATED, None, ())


def test_exchanges_count_from_zero() -> None:
    with pytest.raises(ValidationError, match="greater_than_equal"):
        an_exchange(-1)


def test_judges_see_the_side_channel_only_where_the_scenario_says_so() -> None:
    exchanges = (
        Exchange(t=0, user="u", assistant="a", state={"b": 1, "a": "ü"}),
        Exchange(t=1, user="u", assistant="a"),
    )
    assert [turn.state for turn in dialogue(exchanges)] == [None, None]
    assert [turn.state for turn in dialogue(exchanges, state=True)] == ['{"a": "ü", "b": 1}', None]
