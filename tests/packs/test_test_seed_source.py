"""Test seeds from any source: counted, cut, never the same id twice, and the same again from a file of our own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.conversation import Exchange
from hairpin.domain.records import ConversationRecord
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.test_seeds import SeedQuestion, TestSeed, TestSeedsSource
from hairpin.domain.users import Context
from hairpin.errors import InvalidInputError
from hairpin.packs.test_seed_source import MAX_PROBLEMS_KEPT, dump_test_seeds, read_test_seeds
from tests.packs.seed_texts import HENS, coqa, hens, problems, read, refusal
from tests.packs.test_seeds_stored import PLANNED

texts = st.text(min_size=1)
questions = st.builds(
    SeedQuestion,
    text=texts,
    answers=st.lists(st.text(), max_size=3).map(tuple),
    needs_reply=st.booleans(),
    rewrite=st.none() | st.text(),
)
contexts = st.builds(
    Context,
    location=st.none() | st.text(),
    vehicle=st.dictionaries(
        st.text(), st.text() | st.integers(-(10**15), 10**15) | st.booleans() | st.floats(allow_nan=False, width=32)
    ).filter(lambda held: not any(value in (float("inf"), float("-inf")) for value in held.values())),
    reference_text=st.none() | st.text(),
)
seeds = st.builds(
    TestSeed,
    id=texts,
    origin=st.text(),
    context=contexts,
    questions=st.lists(questions, min_size=1, max_size=4).map(tuple),
)


@given(st.lists(seeds, min_size=1, max_size=4, unique_by=lambda seed: seed.id))
def test_what_is_written_is_read_back_to_the_last_byte(written: list[TestSeed]) -> None:
    with TemporaryDirectory() as folder:
        text = dump_test_seeds(written)
        found = read(Path(folder), text, "copy.jsonl", strict=True)
    assert found.imported.format == "seeds"
    assert found.seeds == tuple(written)
    assert dump_test_seeds(found.seeds) == text


def test_whatever_the_format_a_copy_holds_the_same(tmp_path: Path) -> None:
    found = read(tmp_path, coqa(HENS, hens()))
    assert read(tmp_path, dump_test_seeds(found.seeds), "copy.jsonl").seeds == found.seeds


def test_the_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    text = coqa(HENS)
    assert read(tmp_path, text).digest == hashlib.sha256(text.encode()).hexdigest()


def test_an_id_that_was_given_before_is_a_problem(tmp_path: Path) -> None:
    found = read(tmp_path, coqa(HENS, hens(id="demo1"), hens()))
    assert problems(found) == ["record 2 (demo1): its id 'demo1' is that of record 1"]
    assert [seed.id for seed in found.seeds] == ["demo1", "demo2"]


def test_the_first_dialogues_and_their_first_questions_are_taken(tmp_path: Path) -> None:
    found = read(tmp_path, coqa(hens(questions=[]), HENS, hens(), hens(id="3")), limit=1, max_questions=2)
    assert [len(seed.questions) for seed in found.seeds] == [2]
    assert found.imported.notes == (
        "dialogues cut to their first 2 questions: 1 (demo1)",
        "records that the limit of 1 leaves out: 2",
    )
    assert (found.imported.n_seeds, found.imported.n_questions, found.imported.n_skipped) == (1, 2, 1)


def test_one_question_is_a_dialogue(tmp_path: Path) -> None:
    found = read(tmp_path, ["How many hens?"], max_questions=5)
    assert found.imported.sentence() == (
        "read from seeds.json (questions): 1 test seed with 1 question, 0 records skipped"
    )
    assert found.imported.notes == ()


def test_a_file_without_any_test_seed_is_refused_with_its_problems(tmp_path: Path) -> None:
    said = refusal(tmp_path, coqa(hens(questions=[]), *[3] * 120)).splitlines()
    assert said[0] == (
        "seeds.json: it holds no test seed (read as 'coqa'); see docs/test-seeds.md for how they are written"
    )
    assert said[1:3] == ["  record 1 (demo2): it has no questions", "  record 2: it is a number, not an object"]
    assert (said[-1], len(said)) == ("  and 21 more", 102)


def test_of_endless_problems_the_first_are_named_and_all_are_counted(tmp_path: Path) -> None:
    found = read(tmp_path, coqa(HENS, *[3] * (MAX_PROBLEMS_KEPT + 5))).imported
    assert (len(found.problems), found.n_skipped) == (MAX_PROBLEMS_KEPT, MAX_PROBLEMS_KEPT + 5)


@pytest.mark.parametrize("form", ["coqa", "sgd", "cast", "seeds"])
def test_a_format_that_the_file_does_not_have_is_said(tmp_path: Path, form: str) -> None:
    said = refusal(tmp_path, {"id": "a", "questions": [{"text": "b", "answer": "c"}]}, format=form)
    assert f"it holds no test seed (read as {form!r})" in said
    assert "record 1 (a): " in said


def test_the_json_of_a_dialogue_may_be_nested_too_deeply(tmp_path: Path) -> None:
    found = read(tmp_path, '{"questions": ' + "[" * 800 + "]" * 800 + '}\n{"questions": ["a"]}\n', "f.jsonl")
    assert problems(found) == ["record 1: it is nested too deeply"]


def test_a_broken_line_is_a_record(tmp_path: Path) -> None:
    found = read(tmp_path, '{"questions": ["a"]}\n{"questions"\n', "f.jsonl")
    assert problems(found) == ["record 2: line 2 is no JSON: Expecting ':' delimiter at character 13"]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"file of test seeds '.*none\.json' does not exist"):
        read_test_seeds(TestSeedsSource(file="none.json"), folder=tmp_path)


def stored_run(path: Path) -> Iterator[ConversationRecord]:
    """Hold three conversations, of which one is a follow-up and in one nothing was said."""
    assert path.name == "demo-1"
    asked = (ReplayedQuestion(text="Go", index=0),)
    exchanges = (Exchange(t=0, user="Go", assistant="Where?"), Exchange(t=1, user="Home", assistant="Yes."))
    yield ConversationRecord(planned=PLANNED, exchanges=exchanges)
    replay = Replay(method=Method.MORTAR, test_seed="c0001", source="c0001", kind="RS", questions=asked)
    yield ConversationRecord(planned=PLANNED.model_copy(update={"id": "c0001-RS", "replay": replay}))
    yield ConversationRecord(planned=PLANNED.model_copy(update={"id": "c0002"}))


@pytest.mark.parametrize("form", ["run", "auto"])
def test_the_conversations_of_a_run_are_test_seeds(tmp_path: Path, form: str) -> None:
    (tmp_path / "demo-1").mkdir()
    source = TestSeedsSource.model_validate({"file": "demo-1", "format": form})
    found = read_test_seeds(source, folder=tmp_path, stored=stored_run)
    assert [(seed.id, seed.origin, seed.texts) for seed in found.seeds] == [("c0001", "run demo-1", ("Go", "Home"))]
    assert problems(found) == ["record 2 (c0002): nothing was said in it"]
    assert found.imported.notes == ("follow-ups of other conversations, which are no test seeds: 1 (c0001-RS)",)
    assert (found.imported.file, found.imported.format) == ("demo-1", "run")
    assert found.digest == hashlib.sha256(dump_test_seeds(found.seeds).encode()).hexdigest()


def test_a_run_needs_somebody_who_reads_it(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing to read it with"):
        read_test_seeds(TestSeedsSource(file="."), folder=tmp_path)


@pytest.mark.parametrize(("name", "counted"), [("siblings.jsonl", (2, 5, 2)), ("mine.yaml", (2, 6, 2))])
def test_what_the_documentation_shows_is_read(tmp_path: Path, name: str, counted: tuple[int, int, int]) -> None:
    text = (Path(__file__).parents[2] / "docs" / "test-seeds.md").read_text(encoding="utf-8")
    content = text.split(f"<!-- file: {name} -->\n```", 1)[1].partition("\n")[2].partition("\n```\n")[0]
    found = read(tmp_path, content, name, strict=True).imported
    assert (found.n_seeds, found.n_questions, found.counts["with_gold"]) == counted
