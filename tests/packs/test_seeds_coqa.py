"""CoQA: answers belong to the question of the same turn, whatever the order, and nothing broken is paired."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.test_seeds import SeedQuestion
from hairpin.packs.seed_records import SeedNotes, SeedRecord
from hairpin.packs.seeds_coqa import coqa_seed
from tests.packs.seed_texts import HENS, coqa, hens, only, problems, read, refusal

Change = Callable[[dict[str, Any]], object]


def test_answers_are_joined_by_turn_and_all_of_them_are_kept(tmp_path: Path) -> None:
    found = read(tmp_path, coqa(HENS))
    seed = only(found)
    assert seed.questions == (
        SeedQuestion(text="How many hens?", answers=("three", "3")),
        SeedQuestion(text="Where?", answers=("behind the mill", "by the mill")),
        SeedQuestion(text="Has she a dog?", answers=("unknown", "unknown")),
    )
    assert (seed.id, seed.origin) == ("demo1", "CoQA (x)")
    assert seed.reference_text == HENS["story"]
    assert found.imported.sentence() == "read from seeds.json (coqa): 1 test seed with 3 questions, 0 records skipped"
    assert found.imported.counts == {"reference_texts": 1, "with_gold": 3, "with_rewrite": 0, "needs_reply": 0}


@given(st.permutations(range(3)), st.permutations(range(3)), st.permutations(range(3)))
def test_no_order_of_the_lists_shifts_a_pairing(questions: list[int], answers: list[int], others: list[int]) -> None:
    record = deepcopy(HENS)
    for entries, key, order in (
        (record, "questions", questions),
        (record, "answers", answers),
        (record["additional_answers"], "0", others),
    ):
        entries[key] = [entries[key][place] for place in order]
    as_read = coqa_seed(SeedRecord(1, "x", record), SeedNotes())
    assert as_read == coqa_seed(SeedRecord(1, "x", HENS), SeedNotes())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: r["answers"].pop(0), "answers has no answer for turn 2"),
        (lambda r: r["answers"].pop(), "answers has no answer for turn 3"),
        (lambda r: r["additional_answers"]["0"].pop(), "additional_answers['0'] has no answer for turn 3"),
        (lambda r: r["questions"].pop(), "answers has an answer for turn 3, which has no question"),
        (lambda r: r["answers"][0].update(turn_id=1), "answers has turn_id 1 twice"),
        (lambda r: r["questions"][2].update(turn_id=1), "questions has turn_id 1 twice"),
        (lambda r: r["additional_answers"]["0"][1].update(turn_id=1), "additional_answers['0'] has turn_id 1 twice"),
        (lambda r: r["questions"][0].update(turn_id="1"), "questions[0] has '1' for 'turn_id'"),
        (lambda r: r["questions"][0].update(turn_id=True), "questions[0] has True for 'turn_id'"),
        (lambda r: r["answers"][1].pop("turn_id"), "answers[1] has no 'turn_id'"),
        (lambda r: r.update(questions=[]), "it has no questions"),
        (lambda r: r.pop("questions"), "it has no questions"),
        (lambda r: r.pop("story"), "it has no story"),
        (lambda r: r.update(story=["a"]), "its story is ['a'], not a text"),
        (lambda r: r.pop("answers"), "it has additional_answers and no answers"),
        (lambda r: r.update(answers={}), "'answers' is an object, not a list"),
        (lambda r: r.update(additional_answers=[]), "'additional_answers' is a list, not an object"),
        (lambda r: r.update(questions=["a"]), "questions[0] is a text, not an object"),
        (lambda r: r["questions"][1].update(input_text=" "), "the question of turn 2: 'input_text' is blank"),
        (lambda r: r["questions"][1].pop("input_text"), "the question of turn 2: 'input_text' is missing"),
        (lambda r: r["answers"][0].update(input_text=None), "answers, turn 2: 'input_text' is None, not a text"),
        (lambda r: r["questions"][0].update(input_text="\ud800"), "half a character, a lone surrogate, in '\\ud800'"),
    ],
)
def test_a_broken_record_is_told_and_skipped_and_nothing_else_changes(
    tmp_path: Path, change: Change, said: str
) -> None:
    broken = hens()
    change(broken)
    found = read(tmp_path, coqa(broken, HENS))
    assert problems(found) == [f"record 1 (demo2): {said}"]
    assert only(found) == only(read(tmp_path, coqa(HENS)))
    assert found.imported.sentence().endswith("1 test seed with 3 questions, 1 record skipped")


def test_being_strict_refuses_the_file_for_its_first_broken_record(tmp_path: Path) -> None:
    assert refusal(tmp_path, coqa(HENS, hens(answers=HENS["answers"][1:])), strict=True) == (
        "seeds.json: record 2 (demo2): answers has no answer for turn 2; "
        "write the answers of the same turns as the questions; or leave strict out: then it is skipped"
    )


@pytest.mark.parametrize("story", ["", " \n"])
def test_a_blank_story_is_no_reference_text_and_noted(tmp_path: Path, story: str) -> None:
    found = read(tmp_path, coqa(hens(story=story)))
    assert only(found).context.reference_text is None
    assert found.imported.notes == ("dialogues whose story is blank, so that they have no reference text: 1 (demo2)",)


def test_without_answers_there_is_no_gold(tmp_path: Path) -> None:
    found = read(tmp_path, coqa(hens(answers=None, additional_answers=None)))
    assert not only(found).has_gold
    assert found.imported.notes == ("dialogues without gold answers: 1 (demo2)",)


def test_a_record_without_an_id_is_called_as_its_file_and_place(tmp_path: Path) -> None:
    record = {key: value for key, value in HENS.items() if key not in ("id", "source")}
    found = read(tmp_path, coqa(HENS, record))
    assert [(seed.id, seed.origin) for seed in found.seeds] == [("demo1", "CoQA (x)"), ("seeds-2", "CoQA")]
