"""Test seeds written by hand: short, in YAML or JSON, every problem of a record said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hairpin.domain.test_seeds import SeedQuestion
from hairpin.domain.users import Context
from tests.packs.seed_texts import only, problems, read

FULL = """\
- id: mill
  story: Mina keeps three hens.
  context: {location: Munich, vehicle: {battery: 40}}
  questions:
    - How many hens?
    - {text: And dogs?, answers: [unknown, no]}
    - {text: Is it 3?, answer: yes, needs_reply: true, rewrite: Are it 3 hens?}
    - {text: How many?, answer: 3}
"""


def test_yaml_holds_dialogues_with_what_is_known_of_each_question(tmp_path: Path) -> None:
    found = read(tmp_path, FULL, "mine.yaml")
    seed = only(found)
    assert seed.questions == (
        SeedQuestion(text="How many hens?"),
        SeedQuestion(text="And dogs?", answers=("unknown", "no")),
        SeedQuestion(text="Is it 3?", answers=("yes",), needs_reply=True, rewrite="Are it 3 hens?"),
        SeedQuestion(text="How many?", answers=("3",)),
    )
    assert seed.context == Context(location="Munich", vehicle={"battery": 40}, reference_text="Mina keeps three hens.")
    assert (seed.id, seed.origin, found.imported.format) == ("mill", "questions", "questions")
    assert found.imported.counts == {"reference_texts": 1, "with_gold": 3, "with_rewrite": 1, "needs_reply": 1}


def test_json_lines_hold_the_same(tmp_path: Path) -> None:
    line = {
        "id": "mill",
        "story": "Mina keeps three hens.",
        "context": {"location": "Munich", "vehicle": {"battery": 40}},
        "questions": [
            "How many hens?",
            {"text": "And dogs?", "answers": ["unknown", "no"]},
            {"text": "Is it 3?", "answer": "yes", "needs_reply": True, "rewrite": "Are it 3 hens?"},
            {"text": "How many?", "answer": 3},
        ],
    }
    assert read(tmp_path, f"{json.dumps(line)}\n", "mine.jsonl").seeds == read(tmp_path, FULL, "mine.yaml").seeds


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("- How old is Mina?\n- {text: And Omar?, answer: '40'}\n", "mine.yaml"),
        ("questions: [How old is Mina?, {text: And Omar?, answer: 40}]\n", "mine.yml"),
        ('["How old is Mina?", {"text": "And Omar?", "answer": 40}]', "mine.json"),
        ('[\n"How old is Mina?", \n{"text": "And Omar?", "answer": 40}]', "mine.txt"),
        ('{"questions": ["How old is Mina?", {"text": "And Omar?", "answer": "40"}]}', "mine.jsonl"),
    ],
)
def test_a_plain_list_of_questions_is_one_dialogue_called_as_its_file(tmp_path: Path, text: str, name: str) -> None:
    seed = only(read(tmp_path, text, name))
    assert seed.id == "mine"
    assert seed.questions == (SeedQuestion(text="How old is Mina?"), SeedQuestion(text="And Omar?", answers=("40",)))


def test_a_list_of_lists_is_a_dialogue_each(tmp_path: Path) -> None:
    found = read(tmp_path, [["a", "b"], ["c"]], "mine.json")
    assert [(seed.id, seed.texts) for seed in found.seeds] == [("mine-1", ("a", "b")), ("mine-2", ("c",))]


def test_a_question_may_be_asked_twice(tmp_path: Path) -> None:
    assert only(read(tmp_path, ["Where?", "Why?", "Where?"])).texts == ("Where?", "Why?", "Where?")


def test_the_problems_of_a_record_are_all_said_with_their_lines(tmp_path: Path) -> None:
    text = (
        "- {id: a, questions: []}\n"
        "- id: b\n  questions:\n    - {text: x, anser: y}\n    - ''\n"
        "- {id: c, questions: [x], story: y, context: {reference_text: z}}\n"
        "- {id: d, questions: [{text: x, answer: y, answers: [z]}]}\n"
        "- {id: e, questions: [x], context: {time: 25:00}}\n"
        "- just words\n"
        "- {id: g, questions: [x], story: ' '}\n"
    )
    found = read(tmp_path, text, "mine.yaml")
    assert problems(found) == [
        "record 1 (a): line 1: questions is empty",
        "record 2 (b): line 4: unknown key 'anser' in questions[0]; line 5: questions[1] is blank",
        "record 3 (c): line 6: story stands beside context.reference_text",
        "record 4 (d): line 7: questions[0].answers stands beside answer",
        "record 5 (e): line 8: context.time must be a time of day, not '25:00'",
        "record 6: it is a text, not a dialogue",
    ]
    assert only(found).id == "g"
    assert found.imported.notes == ("dialogues whose story is blank, so that they have no reference text: 1 (g)",)


def test_half_a_character_is_a_problem_of_its_record(tmp_path: Path) -> None:
    found = read(tmp_path, '{"questions": ["\\ud800"]}\n{"questions": ["\\ud83d\\ude00"]}\n', "mine.jsonl")
    assert problems(found) == ["record 1: half a character, a lone surrogate, in '\\ud800'"]
    assert only(found).texts == ("😀",)
