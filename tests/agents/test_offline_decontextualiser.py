"""Questions that stand alone after rewriting: pronouns, ellipses, stories, and requests to an assistant."""

from __future__ import annotations

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.agents.offline.decontextualiser import OfflineDecontextualiser, rewritten
from hairpin.domain.briefs import RewriteBrief
from hairpin.errors import InvalidInputError

STORY = (
    "Mina is a woman. She lives in the old mill. She keeps a red kite in the tower. Her brother is Jonas. Mina is 34 "
    "years old.\n\nJonas is a man. He works at the bakery. He keeps a silver flute in the old mill."
)


@pytest.mark.parametrize(
    ("earlier", "question", "expected"),
    [
        (["How old is Mina?"], "Where does she live?", "Where does Mina live?"),
        (["How old is Mina?", "Where does Jonas work?"], "Where does she live?", "Where does Mina live?"),
        (["How old is Mina?", "Where does Jonas work?"], "Where does he live?", "Where does Jonas live?"),
        (["Where does Jonas work?"], "Who is his sister?", "Who is Jonas's sister?"),
        (["Where does Mina live?"], "What does she keep there?", "What does Mina keep in the old mill?"),
        (["Where does Mina keep the red kite?"], "Who keeps it?", "Who keeps the red kite?"),
        (["Where does Mina live?"], "Where does her brother work?", "Where does Jonas work?"),
        (["Who keeps the silver flute?"], "Where does he work?", "Where does Jonas work?"),
        (["How old is Mina?"], "And Jonas?", "How old is Jonas?"),
        (["How old is Mina?"], "And her brother?", "How old is Jonas?"),
        (["What does Jonas keep in the tower?"], "And in the old mill?", "What does Jonas keep in the old mill?"),
        (["What did Mina do on Monday?"], "And on Friday?", "What did Mina do on Friday?"),
    ],
)
def test_the_story_tells_who_and_what_is_meant(earlier: list[str], question: str, expected: str) -> None:
    assert rewritten(question, tuple(earlier), STORY) == expected


@pytest.mark.parametrize(
    ("earlier", "question", "expected"),
    [
        (["Tell me about lung cancer."], "What are its symptoms?", "What are lung cancer's symptoms?"),
        (["Tell me about makos."], "Where do they live?", "Where do makos live?"),
        (["What is a virtual machine?"], "How does it work?", "How does the virtual machine work?"),
        (["Where is Ann Arbor?"], "Who lives there?", "Who lives in Ann Arbor?"),
        (["Tell me about the Milgram Experiment."], "Who ran the experiment?", "Who ran the Milgram Experiment?"),
        (["What is a smart lock?"], "How do I choose a new one?", "How do I choose a new smart lock?"),
        (["Tell me about the US war."], "What were the causes?", "What were the causes of the US war?"),
        (["Who was the king?"], "Where did he go?", "Where did the king go?"),
        (["Who keeps the boat?"], "How old is she?", "How old is the person who keeps the boat?"),
        (["Who did Mina marry?"], "How old is he?", "How old is the person whom Mina did marry?"),
        (["Did Mina sell the house?"], "Why?", "Why did Mina sell the house?"),
        (["When did the war end?"], "Why?", "Why did the war end?"),
        (["Can Alex speak French?"], "Can Bob?", "Can Bob speak French?"),
        (["What is the weather in Paris?"], "What about Rome?", "What is the weather in Rome?"),
        (["What is the weather in Paris?"], "And tomorrow?", "What is the weather in Paris tomorrow?"),
        (["What is held yearly?"], "In what months?", "In what months, as to: What is held yearly?"),
        (["What is held?", "In what months?"], "Why?", "Why, as to: What is held?"),
    ],
)
def test_without_a_story_earlier_questions_do(earlier: list[str], question: str, expected: str) -> None:
    assert rewritten(question, tuple(earlier), None) == expected


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ([], "Where does she live?"),
        (["How old is Mina?"], "Where does he live?"),
        (["Where does Jonas work?"], "What does Mina keep in the tower?"),
        (["Where does Mina keep the red kite?"], "Is it raining?"),
        (["Where does Mina live?"], "Is there a tower?"),
        (["?!"], "Why?"),
    ],
)
def test_what_cannot_be_filled_in_stays(earlier: list[str], question: str) -> None:
    assert rewritten(question, tuple(earlier), STORY) == question


def test_another_antecedent_makes_another_question() -> None:
    asked = "How old is he?"
    assert rewritten(asked, ("Who is Alex?",), None) != rewritten(asked, ("Who is Alex?", "Who is Bob?"), None)


WARM = "How warm is it?"


@pytest.mark.parametrize(
    ("earlier", "question", "expected"),
    [
        (["Set the temperature to 20."], WARM, "How warm is it? (after: set the temperature to 20)"),
        (["Make it warmer", "Make it warmer"], WARM, "How warm is it? (after: make it warmer; make it warmer)"),
        (
            ["Set the temperature to 20", "Set the temperature to 25"],
            WARM,
            f"{WARM} (after: set the temperature to 25)",
        ),
        ([WARM, "Set the temperature to 20"], WARM, "How warm is it? (after: set the temperature to 20)"),
        (["Set the temperature to 20"], "Set it to 22", "Set the temperature to 22"),
        (["Remind me to call Anna."], "What reminders do I have?", None),
    ],
)
def test_requests_that_bear_on_a_question_show(earlier: list[str], question: str, expected: str | None) -> None:
    shown = rewritten(question, tuple(earlier), None)
    assert shown == (expected or f"{question} (after: remind me to call Anna)")


@pytest.mark.parametrize("irrelevant", ["Play some jazz", "Call my sister, please.", "What time is it?"])
def test_requests_about_something_else_change_nothing(irrelevant: str) -> None:
    assert rewritten(WARM, (irrelevant,), None) == WARM
    assert (
        rewritten(WARM, ("Set the temperature to 20", irrelevant), None) == f"{WARM} (after: set the temperature to 20)"
    )


@pytest.mark.anyio
async def test_it_plays_the_role() -> None:
    brief = RewriteBrief(reference_text=STORY, earlier=("How old is Mina?",), question="Where does she live?")
    assert await OfflineDecontextualiser().rewrite(brief) == "Where does Mina live?"


def test_another_language_is_refused_with_the_way_out() -> None:
    with pytest.raises(InvalidInputError, match=r"decontextualiser does not speak 'de'.*models:"):
        OfflineDecontextualiser("de")


WORDS = (
    "who where is was did does he she it they there her his Mina Jonas the old mill kite and what about why ? ' in "
    "Set temperature to 20 can one this experiment , best friend tomorrow"
)
texts = st.one_of(
    st.text(min_size=1, max_size=40),
    st.lists(st.sampled_from(WORDS.split(" ")), min_size=1, max_size=9).map(" ".join),
)


@given(question=texts, earlier=st.lists(texts, max_size=5), story=st.sampled_from([None, "", STORY]))
def test_any_texts_give_one_rewrite_that_is_not_blank(question: str, earlier: list[str], story: str | None) -> None:
    once = rewritten(question, tuple(earlier), story)
    assert once == rewritten(question, tuple(earlier), story)
    assert once.strip() or not question.strip()


def test_the_first_question_is_never_changed() -> None:
    brief = RewriteBrief(reference_text=STORY, earlier=(), question="And her brother?")
    assert anyio.run(OfflineDecontextualiser().rewrite, brief) == "And her brother?"
