from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.metamorphic.clauses import Clause, polar_question
from hairpin.metamorphic.refusal import Refused
from hairpin.metamorphic.statements import is_polar, polar_statement, statement
from hairpin.metamorphic.word_lists import word_set


def polar(question: str, answer: str) -> str:
    clause = statement(question, answer)
    assert isinstance(clause, Clause), clause
    return polar_question(clause)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Who wrote the letter?", "Ada", "Did Ada write the letter?"),
        ("What borders the lakes?", "The Alps", "Do the Alps border the lakes?"),
        ("Who had a laugh about this?", "Dobbin", "Did Dobbin have a laugh about this?"),
        ("who had he managed the case for?", "the directors.", "Had he managed the case for the directors?"),
        ("Who was listening?", "Giant and Tommy", "Were Giant and Tommy listening?"),
        ("What borders Peru?", "The United States", "Does the United States border Peru?"),
        ("What can fly?", "a bird", "Can a bird fly?"),
        ("When was he born?", "28 April 1937", "Was he born on 28 April 1937?"),
        ("In what year was he born?", "1937", "Was he born in 1937?"),
        ("Where did Anne go?", "the docks", "Did Anne go to the docks?"),
        ("Where were they chosen from?", "from Paris", "Were they chosen from Paris?"),
        ("Why did he leave?", "to see her", "Did he leave to see her?"),
        ("How did he come?", "by train", "Did he come by train?"),
        ("How long did it last?", "a week", "Did it last a week?"),
        ("How many sons did she have?", "three", "Did she have three sons?"),
        ("How many people lived there?", "Five", "Did Five people live there?"),
        ("What did he hear in the night?", "a bell", "Did he hear a bell in the night?"),
        ("What did Crabtree look for in Chicago?", "a job", "Did Crabtree look for a job in Chicago?"),
        ("What did they use on Monday?", "a boat", "Did they use a boat on Monday?"),
        ("Who did he tell about it?", "his wife", "Did he tell his wife about it?"),
        ("What does this grant them?", "access", "Does this grant them access?"),
        ("What is the largest city in Turkey?", "Istanbul", "Is the largest city in Turkey Istanbul?"),
        ("What is the name given to it?", "the Ark", "Is the name given to it the Ark?"),
        ("What is it called?", "the Ark", "Is it called the Ark?"),
        ("What was Josiah's last name?", "Crabtree", "Was Josiah's last name Crabtree?"),
        ("What year did it end?", "1918", "Did it end in 1918?"),
        ("What was read at noon?", "A letter", "Was a letter read at noon?"),
    ],
)
def test_question_and_answer_make_a_statement(question: str, answer: str, expected: str) -> None:
    assert polar(question, answer) == expected


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("Since when?", "2010", "elliptic"),
        ("what?", "a dog", "elliptic"),
        ("Who was?", "Ada", "elliptic"),
        ("Who did?", "Ada", "elliptic"),
        ("Who wrote?", "Ada", "elliptic"),
        ("Name one", "Ada", "form of question"),
        ("What did he do?", "ran", "what is done"),
        ("What happened?", "a fire", "verb"),
        ("Who else came?", "Ada", "else"),
        ("What is there?", "a dog", "exists"),
        ("What would he be if he left?", "a fool", "subordinate"),
        ("When did it end?", "the trial", "answers 'when'"),
        ("Why did he go?", "rain", "answers 'why'"),
        ("Who was it?", "in Bonn", "place"),
        ("What did he buy?", "at home", "place"),
        ("What did they use to take advantage of it?", "power", "infinitive"),
        ("What colour did blue birds?", "red", "subject ends"),
        ("Who is red?", "Ada", "subject ends"),
        ("How red is it?", "very", "form"),
        ("What year did it end in Bonn?", "1918", "subject ends"),
        ("Whose dog barked?", "Ada", "verb|form"),
        ("Where wrote it?", "Bonn", "form"),
        ("How long did old?", "Bonn", "subject ends"),
        ("Who did he?", "Bonn", "elliptic"),
        ("How is red?", "Bonn", "subject ends"),
        ("Who is in?", "Bonn", "elliptic"),
        ("Which city is the book about?", "in Bonn", "place"),
        ("What year he was working?", "1824", "form"),
        ("What would have happened to him?", "a fall", "what is done"),
        ("Who wrote it?", "yes", "yes or no"),
    ],
)
def test_what_would_become_nonsense_is_refused(question: str, answer: str, reason: str) -> None:
    refused = statement(question, answer)
    assert isinstance(refused, Refused), refused
    assert any(part in refused.reason for part in reason.split("|"))


@pytest.mark.parametrize(
    "question",
    ["Is the hunter bloody?", "Did Ada meet the king?", "Can they come home?", "Was Jim in a good mood?"],
)
def test_a_yes_no_question_states_what_it_asks(question: str) -> None:
    clause = polar_statement(question)
    assert isinstance(clause, Clause)
    assert polar_question(clause) == question


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Who?", "form"),
        ("Is it A or B?", "choice"),
        ("Isn't it?", "form"),
        ("Is there a dog?", "exists"),
        ("Did?", "elliptic"),
        ("Did the old?", "subject"),
        ("Is the army capable of use?", "subject"),
    ],
)
def test_yes_no_questions_that_state_nothing_clear_are_refused(question: str, reason: str) -> None:
    refused = polar_statement(question)
    assert isinstance(refused, Refused), refused
    assert reason in refused.reason


def test_kinds_of_questions() -> None:
    assert is_polar("And did he go?")
    assert not is_polar("Who did?")
    assert not is_polar("")


@given(st.text(max_size=80), st.text(max_size=40))
def test_any_text_is_stated_or_refused(question: str, answer: str) -> None:
    for made in (statement(question, answer), polar_statement(question)):
        assert made.reason if isinstance(made, Refused) else polar_question(made).endswith("?")


_WORDS = st.sampled_from(
    sorted(
        word_set(
            "who what which when where why how many much in of to the a his Ada Bonn king dog was is did does had can "
            "write wrote go called living not there else and or if quickly ever"
        )
    )
)


@given(st.lists(_WORDS, max_size=9), st.lists(_WORDS, max_size=5))
def test_any_order_of_question_words_is_stated_or_refused(question: list[str], answer: list[str]) -> None:
    made = statement(" ".join(question), " ".join(answer))
    assert made.reason if isinstance(made, Refused) else made.answer is not None
    polar_made = polar_statement(" ".join(question))
    assert polar_made.reason if isinstance(polar_made, Refused) else polar_made.aux
