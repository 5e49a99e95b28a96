"""The formats of personas, strategies, rubrics and pools: what does not fit together in one file is named by line."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from hairpin.errors import InvalidInputError
from hairpin.packs.pack_formats import PersonaFile, RubricFile, SeedPoolFile, StrategyPackFile, phrase_text
from hairpin.packs.yaml_source import load_model
from tests.packs.pack_files import PERSONA, POOL, RUBRIC, STRATEGIES


def refused(text: str, model: type[BaseModel]) -> str:
    with pytest.raises(InvalidInputError) as caught:
        load_model(text.encode(), "p.yaml", model)
    return str(caught.value)


@pytest.mark.parametrize(
    ("style", "said"),
    [("asks: ['{text}']", ("asks", "'ask'")), ("ask: ['{txt} Hurry.']", ("no place for the sentence", "{text}"))],
)
def test_a_style_that_would_lose_the_sentence_is_refused(style: str, said: tuple[str, ...]) -> None:
    text = f"id: polite\ntitle: Polite\ndescription: Says please.\nstyle:\n  {style}\n"
    message = refused(text, PersonaFile)
    assert "p.yaml:5" in message
    for words in said:
        assert words in message


def test_the_small_packs_are_accepted() -> None:
    assert load_model(PERSONA.format(id="polite").encode(), "p.yaml", PersonaFile).style.first == ("Hello. {text}",)
    assert load_model(RUBRIC.encode(), "p.yaml", RubricFile).dimensions[0].anchors.two == "yes"
    assert load_model(STRATEGIES.encode(), "p.yaml", StrategyPackFile).strategies[1].max_consecutive == 1
    phrases = load_model(POOL.encode(), "p.yaml", SeedPoolFile).phrases
    assert [phrase_text(phrase) for phrase in phrases or ()] == ["Take me home", "Find a park"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "stacking, probe]",
            "stacking, prob]",
            "p.yaml:5: pools.extended[1] is no strategy of this file: 'prob'; did you",
        ),
        ("  extended:", "  probe:", "p.yaml:5: pools.probe has the name of a strategy; a pool and a strategy cannot"),
        ("id: probe", "id: stacking", "p.yaml:12: strategies[1].id is listed twice; it is the same as number 1"),
        (
            "max_consecutive: 1",
            "max_consecutive: 0",
            "p.yaml:15: strategies[1].max_consecutive must be at least 1, not 0",
        ),
        (
            "{thing}.",
            "{thing.",
            "p.yaml:10: strategies[0].templates[0].text has a brace without its partner; write a slot",
        ),
        ("guidance:", "guidence:", "p.yaml:16: unknown key 'guidence' in strategies[1]; did you mean 'guidance'?"),
    ],
)
def test_what_is_wrong_in_a_strategy_pack_is_named_by_line(old: str, new: str, said: str) -> None:
    assert refused(STRATEGIES.replace(old, new), StrategyPackFile).startswith(said)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "kind: response",
            "kind: respons",
            "p.yaml:13: modes[1].kind must be 'compliance' or 'response' or 'check', not",
        ),
        ("kind: response", "kind: check", "p.yaml:13: modes[1].kind must be 'compliance' or 'response', not 'check'"),
        ("2: yes}", "3: yes}", "p.yaml:23: the key '2' is missing in dimensions[0].anchors; add '2: …'"),
        ("id: safety_violation", "id: constraint_missed", "p.yaml:12: modes[1].id is listed twice"),
        (
            "    definition: A constraint is not satisfied.\n",
            "",
            "p.yaml:5: the key 'definition' is missing in modes[0]",
        ),
    ],
)
def test_what_is_wrong_in_a_rubric_is_named_by_line(old: str, new: str, said: str) -> None:
    assert refused(RUBRIC.replace(old, new, 1), RubricFile).startswith(said)


def test_a_pool_refuses_blank_and_repeated_phrases() -> None:
    assert refused(POOL + "  - ''\n", SeedPoolFile).startswith("p.yaml:5: phrases[2] is blank")
    assert refused(POOL + "  - Take  me home\n", SeedPoolFile).startswith("p.yaml:5: phrases[2] is listed twice")


TASKS = """\
id: in_car/2
tasks:
  go: [Take me home]
  search: [Find a park, Find a bank]
"""


def test_a_pool_may_list_its_phrases_by_task() -> None:
    tasks = load_model(TASKS.encode(), "p.yaml", SeedPoolFile).tasks
    assert tasks == {"go": ("Take me home",), "search": ("Find a park", "Find a bank")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id: p\n", "p.yaml:1: the file has neither phrases nor tasks; write phrases: […], or tasks: {task: […]}"),
        (TASKS + "phrases: [a]\n", "p.yaml:1: the file has both phrases and tasks; write phrases"),
        ("id: p\ntasks: {}\n", "p.yaml:2: tasks is empty; give at least one"),
        ("id: p\ntasks: {a: []}\n", "p.yaml:2: tasks.a is empty; give at least one"),
        ("id: p\ntasks: {a b: [c]}\n", "p.yaml:2: tasks.a b must be a name, not 'a b'"),
        (TASKS.replace("a bank", "a  park"), "p.yaml:4: tasks.search[1] is listed twice; it is the same as number 1"),
        (TASKS.replace("Find a bank", "Take me  home"), "p.yaml:4: tasks.search[1] is listed under 'go' too; keep one"),
    ],
)
def test_a_pool_by_tasks_refuses_what_is_empty_or_repeated(text: str, said: str) -> None:
    assert refused(text, SeedPoolFile).startswith(said)
