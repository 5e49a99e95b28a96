"""Files of labels: contexts and answers that people judged, every problem with its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.labels import AnswerItem, ContextItem, LabelCounts
from hairpin.errors import InvalidInputError
from hairpin.packs.label_files import dump_answer_items, dump_context_items, read_answer_labels, read_context_labels

CONTEXT = {"question": "How old is he?", "source": ["Who is Alex?"], "follow_up": [], "equivalent": True}
ANSWER = {"answer": "Bonn", "output": "In Bonn.", "correct": True}

texts = st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip)


def write(folder: Path, text: str | bytes, name: str = "labels.jsonl") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def lines(*values: object) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def refused(read: Callable[[Path], object], path: Path) -> str:
    with pytest.raises(InvalidInputError) as caught:
        read(path)
    return str(caught.value)


def test_contexts_are_read_with_their_labels_and_what_is_not_labelled_is_counted(tmp_path: Path) -> None:
    story = {"id": "x", "reference_text": "Alex is 42.", "equivalent": False}
    path = write(tmp_path, lines(CONTEXT, {**CONTEXT, "equivalent": None}) + "\n" + lines({**CONTEXT, **story}))
    found = read_context_labels(path)
    assert found.items == (
        ContextItem(id="line 1", question="How old is he?", source=("Who is Alex?",), equivalent=True),
        ContextItem(
            id="x",
            reference_text="Alex is 42.",
            question="How old is he?",
            source=("Who is Alex?",),
            equivalent=False,
        ),
    )
    assert found.counts == LabelCounts(n_true=1, n_false=1, n_unlabelled=1)
    assert found.file == str(path)


def test_a_blank_story_is_none(tmp_path: Path) -> None:
    (item,) = read_context_labels(write(tmp_path, lines({**CONTEXT, "reference_text": " "}))).items
    assert item.reference_text is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_answers_are_read_from_csv(tmp_path: Path, mark: str, end: str) -> None:
    rows = ["Answer,output,correct,question", 'Bonn,"In Bonn, I think",TRUE,Where?', "", "42,,false,", "Bonn,Rome, ,"]
    found = read_answer_labels(write(tmp_path, mark + end.join(rows), "labels.csv"))
    assert found.items == (
        AnswerItem(id="line 2", question="Where?", answer="Bonn", output="In Bonn, I think", correct=True),
        AnswerItem(id="line 4", answer="42", output="", correct=False),
    )
    assert found.counts == LabelCounts(n_true=1, n_false=1, n_unlabelled=1)


def test_answers_are_read_from_json_lines_too(tmp_path: Path) -> None:
    path = write(tmp_path, lines({**ANSWER, "id": "a"}, {**ANSWER, "correct": None}, {**ANSWER, "question": "Where?"}))
    assert [item.id for item in read_answer_labels(path).items] == ["a", "line 3"]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "this is no JSON"),
        ("[1]", "no JSON object"),
        (lines({**CONTEXT, "equivalnt": True}), "unknown key 'equivalnt'; did you mean 'equivalent'"),
        (lines({**CONTEXT, "equivalent": "yes"}), "equivalent must be true or false"),
        (lines({**CONTEXT, "source": "Who?"}), "source must be a list"),
        (lines({**CONTEXT, "follow_up": [" "]}), r"follow_up\[0\] is blank"),
        (lines({key: CONTEXT[key] for key in ("question", "source", "follow_up")}), "'equivalent' is missing"),
        ('{"question": "a", "question": "b"}', "the key 'question' is there twice"),
        (lines({**CONTEXT, "question": "\ud800"}), "half a character"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_wrong_line_is_named_with_what_is_wrong(tmp_path: Path, line: str, what: str) -> None:
    path = write(tmp_path, lines(CONTEXT) + line)
    with pytest.raises(InvalidInputError, match=what) as caught:
        read_context_labels(path)
    assert str(caught.value).startswith(f"{path}:2: ")


def test_every_wrong_line_is_said_at_once(tmp_path: Path) -> None:
    said = refused(read_context_labels, write(tmp_path, "1\n" + lines(CONTEXT) + "2\n"))
    assert ":1: " in said
    assert ":3: " in said


def test_an_id_that_comes_twice_is_refused(tmp_path: Path) -> None:
    said = refused(read_answer_labels, write(tmp_path, lines({**ANSWER, "id": "a"}, ANSWER, {**ANSWER, "id": "a"})))
    assert ":3: the id 'a' is there twice; line 1 has it too" in said


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("answer,output,right\na,b,true", ":1: unknown column 'right'"),
        ("answer,output\na,b", ":1: no column 'correct'"),
        ("answer,answer,output,correct\na,a,b,true", ":1: twice the column 'answer'"),
        ("answer,output,correct\na,b\n", ":2: 2 values for 3 columns"),
        ("answer,output,correct\na,b,maybe\n", ":2: correct must be true or false"),
        ("answer,output,correct\n ,b,true\n", ":2: answer is blank"),
        ('answer,output,correct\n"a,b,true\n', "this is no CSV"),
        ("answer,output,correct\n", "no item to label"),
        ("", "no item to label"),
    ],
)
def test_a_wrong_table_is_refused_with_the_way_out(tmp_path: Path, text: str, what: str) -> None:
    assert what in refused(read_answer_labels, write(tmp_path, text, "labels.csv"))


def test_a_file_without_any_label_is_no_file_of_labels(tmp_path: Path) -> None:
    said = refused(read_context_labels, write(tmp_path, lines({**CONTEXT, "equivalent": None})))
    assert "none of its 1 items is labelled; fill in 'equivalent'" in said
    said = refused(read_answer_labels, write(tmp_path, lines({**ANSWER, "correct": None})))
    assert "fill in 'correct'" in said


def test_context_labels_are_not_read_from_csv(tmp_path: Path) -> None:
    assert "JSON lines, not CSV" in refused(read_context_labels, write(tmp_path, "a", "labels.csv"))


def test_a_missing_file_and_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    assert "does not exist" in refused(read_answer_labels, tmp_path / "none.jsonl")
    assert "not UTF-8" in refused(read_answer_labels, write(tmp_path, b"\xff\xfe"))


@given(texts, st.lists(texts), st.one_of(st.none(), texts), st.booleans())
def test_contexts_that_are_written_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, question: str, earlier: list[str], story: str | None, label: bool
) -> None:
    item = ContextItem(id="1", reference_text=story, question=question, source=tuple(earlier), equivalent=label)
    template = item.model_copy(update={"id": "2", "equivalent": None})
    text = dump_context_items([item, template])
    found = read_context_labels(write(tmp_path_factory.mktemp("labels"), text))
    assert found.items == (item,)
    assert found.counts.n_unlabelled == 1
    assert '"equivalent":null' in text


@given(texts, st.text(st.characters(codec="utf-8")), st.booleans())
def test_answers_that_are_written_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, answer: str, output: str, label: bool
) -> None:
    item = AnswerItem(id="1", answer=answer, output=output, correct=label)
    text = dump_answer_items([item, item.model_copy(update={"id": "2", "correct": None})])
    assert read_answer_labels(write(tmp_path_factory.mktemp("labels"), text)).items == (item,)
    assert '"correct":null' in text
