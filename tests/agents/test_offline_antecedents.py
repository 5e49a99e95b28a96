"""What pronouns mean after some questions."""

from __future__ import annotations

from hairpin.agents.offline.antecedents import Antecedents, names_of_people
from hairpin.agents.offline.story_reader import read

STORY = "Mina is a woman. She lives in the old mill. Jonas is a man. He keeps a red kite in the tower."


def after(*questions: str, story: str | None = None) -> Antecedents:
    memory = Antecedents(story)
    for question in questions:
        memory.note(question)
    return memory


def test_people_are_told_apart_by_the_story() -> None:
    memory = after("How old is Mina?", "How old is Jonas?", story=STORY)
    assert (memory.person("f"), memory.person("m")) == ("Mina", "Jonas")
    assert memory.people() == "Mina and Jonas"


def test_nobody_is_meant_before_anybody_is_named() -> None:
    memory = after("What is a kite?", story=STORY)
    assert (memory.person("f"), memory.people()) == (None, None)


def test_what_a_question_asks_for_is_named_by_it() -> None:
    memory = after("Who keeps the red kite?", "Where does Mina live?", story=STORY)
    assert memory.person("m") == "Jonas"
    assert memory.place() == "in the old mill"
    assert memory.thing(plural=False) == "the red kite"


def test_whoever_is_asked_for_is_somebody() -> None:
    assert after("Who was the king?").person("m") == "the king"
    assert after("Who sold the boat?").person("f") == "the person who sold the boat"
    assert after("Who did the king marry?").person("f") == "the person whom the king did marry"


def test_things_agree_in_number_and_what_lasts_is_meant() -> None:
    memory = after("Tell me about a volcano.", "Are there tourists on the volcano?")
    assert (memory.thing(plural=False), memory.thing(plural=True)) == ("the volcano", "tourists")
    assert memory.topic() == "the volcano"
    assert memory.thing(plural=True, avoid=frozenset({"tourist"})) == "the volcano"


def test_a_longer_name_is_found_by_its_head() -> None:
    memory = after("What was the Milgram Experiment?")
    assert (memory.with_head("experiment"), memory.with_head("war")) == ("the Milgram Experiment", None)


def test_dates_and_numbers_are_nothing_that_it_means() -> None:
    assert after("What happens on Monday?", "Make it two").thing() is None


def test_names_of_people_are_those_of_the_story() -> None:
    assert names_of_people("Then Mina met Karl.", read(STORY)) == ("Mina",)
    assert names_of_people("Then Mina met Karl.", None) == ()
