"""Files of annotations: what raters say of conversations, every problem with its line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.annotations import Annotation, LabelOpinion
from hairpin.domain.outcome import Blame, Verdict
from hairpin.errors import InvalidInputError
from hairpin.packs.annotation_files import RunNames, read_annotations
from hairpin.packs.annotation_rows import MAX_PROBLEMS

NAMES = RunNames(
    conversations={"c0001": 3, "c0002": 2}, dimensions=("adherence", "plan_coherence"), modes=("request_omitted",)
)
WIDE = "conversation,rater,adherence,plan_coherence,completed,verdict,blame,note\n"


def write(folder: Path, text: str | bytes, name: str = "ratings.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(path: Path, *, rater: str | None = None, names: RunNames | None = NAMES) -> str:
    with pytest.raises(InvalidInputError) as caught:
        read_annotations(path, rater=rater, names=names)
    return str(caught.value)


def test_a_wide_table_is_one_annotation_a_row_and_an_empty_cell_says_nothing(tmp_path: Path) -> None:
    rows = 'c0001,ann,2,0,0.5,fail,simulator,"slips, twice"\nc0001,bob,,1,,,,\n'
    first, second = read_annotations(write(tmp_path, WIDE + rows), names=NAMES)
    assert first == Annotation(
        conversation="c0001",
        rater="ann",
        scores={"adherence": 2, "plan_coherence": 0},
        completed=0.5,
        verdict=Verdict.FAIL,
        blame=Blame.SIMULATOR,
        note="slips, twice",
    )
    assert second == Annotation(conversation="c0001", rater="bob", scores={"plan_coherence": 1})


def test_long_rows_and_label_rows_of_a_rater_and_conversation_are_one_annotation(tmp_path: Path) -> None:
    text = (
        "conversation,rater,dimension,score,t,mode,target,holds,note\n"
        "c0001,ann,adherence,1,,,,,\nc0001,ann,plan_coherence,2,,,,,\n"
        "c0001,ann,,,2,request_omitted,g1,no,it answered\nc0001,ann,,,0,request_omitted,,yes,\n"
    )
    (found,) = read_annotations(write(tmp_path, text), names=NAMES)
    assert found.scores == {"adherence": 1, "plan_coherence": 2}
    assert found.labels == (
        LabelOpinion(t=2, mode="request_omitted", holds=False, target_id="g1"),
        LabelOpinion(t=0, mode="request_omitted", holds=True),
    )
    assert found.note == "it answered"


def test_an_excel_file_with_mark_semicolons_and_decimal_commas_reads_as_the_same(tmp_path: Path) -> None:
    text = "\ufeffsep=;\r\nConversation;Rater;adherence;completed\r\nc0001;ann;1.0;0,5\r\n\r\n;;;\r\n"
    (found,) = read_annotations(write(tmp_path, text), names=NAMES)
    assert (found.scores, found.completed) == ({"adherence": 1}, 0.5)


def test_json_and_json_lines_hold_what_an_annotation_dumps(tmp_path: Path) -> None:
    said = Annotation(
        conversation="c0002",
        rater="ann",
        scores={"adherence": 0},
        completed=1.0,
        verdict=Verdict.PASS,
        blame=Blame.JUDGE,
        labels=(LabelOpinion(t=1, mode="request_omitted", holds=True, target_id="g1"),),
        note="why",
    )
    other = said.model_copy(update={"rater": "bob", "blame": None})
    values = [each.model_dump(mode="json") for each in (said, other)]
    assert read_annotations(write(tmp_path, json.dumps(values, indent=1), "a.json"), names=NAMES) == (said, other)
    lines = "".join(json.dumps(value) + "\n" for value in values)
    assert read_annotations(write(tmp_path, lines, "a.jsonl"), names=NAMES) == (said, other)


def test_a_rater_named_outside_speaks_where_the_row_names_none(tmp_path: Path) -> None:
    path = write(tmp_path, "conversation,rater,verdict\nc0001,,pass\nc0002,bob,FAIL\n")
    assert [each.rater for each in read_annotations(path, rater="ann", names=NAMES)] == ["ann", "bob"]
    assert "ratings.csv:2: nobody says so: the row has no rater" in refused(path)


def test_every_problem_is_told_with_its_line_value_and_way_out(tmp_path: Path) -> None:
    rows = (
        "c0001,ann,3,x,1.5,maybe,simulater,\nc0009,ann,1,,,,,\n,ann,1,,,,,\nc0002,ann,1,1,,,,,,surplus\n"
        "c0002,ann,1,,,,,\nc0002,ann,,2,,,,\n"
    )
    said = refused(write(tmp_path, WIDE + rows))
    for line, words in (
        (2, "the score of 'adherence' is '3'; write 0, 1 or 2"),
        (2, "the score of 'plan_coherence' is 'x'"),
        (2, "'completed' is '1.5'; write the share"),
        (2, "unknown verdict 'maybe'; write one of pass, fail"),
        (2, "unknown blame 'simulater'; did you mean 'simulator'?"),
        (3, "unknown conversation 'c0009'; did you mean"),
        (4, "the row names no conversation"),
        (5, "10 values for 8 columns"),
        (7, "'ann' has a second row of 'c0002'"),
    ):
        assert f"ratings.csv:{line}: {words}" in said


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("c0001,ann,adherense,1,,,,", "unknown dimension 'adherense'; did you mean 'adherence'?"),
        ("c0001,ann,adherence,,,,,", "the row has a dimension but no score"),
        ("c0001,ann,,,3,request_omitted,,yes", "'c0001' has no turn 3; its turns are 0 to 2"),
        ("c0001,ann,,,-1,request_omitted,,yes", "'t' is '-1'"),
        ("c0001,ann,,,0,request_omited,,yes", "unknown failure mode 'request_omited'; did you mean"),
        ("c0001,ann,,,0,request_omitted,,", "the label has no 'holds'"),
        ("c0001,ann,,,0,request_omitted,,perhaps", "'holds' is 'perhaps'; write true where the failure happened"),
        ("c0001,ann,plan_coherence,1,,,,\nc0001,ann,plan_coherence,1,,,,", "says the score of 'plan_coherence'"),
        ("c0001,ann,,,0,request_omitted,,1\nc0001,ann,,,0,request_omitted,,0", "of request_omitted at turn 0"),
    ],
)
def test_wrong_long_rows_and_labels_are_refused(tmp_path: Path, row: str, words: str) -> None:
    path = write(tmp_path, f"conversation,rater,dimension,score,t,mode,target,holds\n{row}\n")
    said = refused(path)
    assert words in said
    assert f"ratings.csv:{2 + row.count(chr(10))}: " in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "the file is empty"),
        (b"conversation,rater,note\nc0001,ann,gr\xfcn\n", "byte 0xFC at byte position 36 is not UTF-8; save the file"),
        ("conversation;x\n".encode("utf-16"), "not UTF-8 but UTF-16; save the file as UTF-8; in Excel"),
        (b"rater,adherence\nann,1\n", "ratings.csv:1: no column 'conversation'"),
        (b"conversation,rater,aderence\n", "unknown dimension or column 'aderence'; did you mean 'adherence'?"),
        (b"conversation,rater,adherence,adherence\n", "twice the column 'adherence'"),
        (b"conversation,rater,dimension\n", "the column 'score' is missing beside 'dimension'"),
        (b"conversation,rater,t,mode\n", "the column 'holds' is missing beside 't', 'mode'"),
        (b"conversation,,rater\n", "a column has no name"),
        (b"conversation,rater,adherence\nc0001,ann,\n", "no row says anything of a conversation; fill in its cells"),
        (b'conversation,rater,note\nc0001,ann,"x\n', "this is no CSV"),
        (b"conversation,rater,note\nc0001,ann,\0\n", "it holds a NUL"),
    ],
)
def test_files_that_are_no_table_of_annotations_are_refused(tmp_path: Path, text: bytes, words: str) -> None:
    assert words in refused(write(tmp_path, text))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (3, "it is a number, not an object"),
        ({"conversation": "c0001", "rater": "a", "scores": [1]}, "'scores' is no object"),
        ({"conversation": "c0001", "rater": "a", "labels": ["x"]}, "'labels' is no list of objects"),
        ({"conversation": "c0001", "rater": "a", "labels": [{"t": 0, "mod": 1}]}, "unknown key of a label 'mod'"),
        ({"conversation": "c0001", "rater": "a", "adherence": True}, "the score of 'adherence' is True"),
        ({"conversation": "c0001", "rater": "a", "adherence": 10**400}, "the score of 'adherence' is"),
        ({"conversation": "c0001", "rater": "a", "note": 3}, "'note' is 3, not a text"),
        ({"conversation": "c0001", "rater": "a", "note": "\ud800"}, "half a character"),
        ({"conversation": "c0001", "rater": "a", "verdict": 1}, "unknown verdict 1; write one of"),
        ({"conversation": "c0001", "rater": ["a"], "verdict": "pass"}, "'rater' is ['a'], not a text"),
    ],
)
def test_json_of_the_wrong_shape_is_refused(tmp_path: Path, value: object, words: str) -> None:
    said = refused(write(tmp_path, json.dumps(value), "a.jsonl"))
    assert said.startswith(str(tmp_path / "a.jsonl:1: "))
    assert words in said


def test_lines_that_are_no_json_and_an_empty_file_are_told(tmp_path: Path) -> None:
    text = '{"conversation": "c0001", "rater": "a", "verdict": "pass"}\n{"conv\n'
    assert "a.jsonl:2: not JSON" in refused(write(tmp_path, text, "a.jsonl"))
    assert "the file is empty" in refused(write(tmp_path, "", "a.json"))


def test_without_names_every_other_column_is_a_dimension(tmp_path: Path) -> None:
    path = write(tmp_path, "conversation,rater,Quality\nx-1,ann,2\n")
    assert read_annotations(path)[0].scores == {"Quality": 2}


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).map(str.strip).filter(bool)
ratings = st.builds(
    Annotation,
    conversation=st.sampled_from(["c0001", "c0002"]),
    rater=st.sampled_from(["ann", "bob"]),
    scores=st.dictionaries(st.sampled_from(NAMES.dimensions), st.integers(0, 2)),
    completed=st.none() | st.sampled_from([0.0, 0.25, 1.0]),
    verdict=st.none() | st.sampled_from(Verdict),
    blame=st.sampled_from(Blame),
    note=texts.filter(lambda text: "\r" not in text and "\n" not in text),
)


@given(st.lists(ratings, min_size=1, max_size=4, unique_by=lambda each: (each.conversation, each.rater)))
def test_a_table_of_annotations_reads_as_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, said: list[Annotation]
) -> None:
    columns = ("conversation", "rater", *NAMES.dimensions, "completed", "verdict", "blame", "note")
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(columns)
    for each in said:
        scores = [each.scores.get(name, "") for name in NAMES.dimensions]
        table.writerow([each.conversation, each.rater, *scores, each.completed, each.verdict, each.blame, each.note])
    path = write(tmp_path_factory.mktemp("a"), text.getvalue())
    assert read_annotations(path, names=NAMES) == tuple(said)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('"Verdict": "pass", "verdict": "fail"', "'Verdict' and 'verdict' are the same key; keep one of them"),
        (
            '"labels": [{"t": 0, "mode": "request_omitted", "holds": true, "target": "g1", "target_id": "g2"}]',
            "'target' and 'target_id' are the same key",
        ),
    ],
)
def test_two_keys_that_mean_the_same_are_refused(tmp_path: Path, row: str, words: str) -> None:
    """Which of the two counts nobody can know; the last one took the other's place once."""
    path = write(tmp_path, f'{{"conversation": "c0001", "rater": "ann", {row}}}', "a.json")
    assert f"a.json:1: {words}" in refused(path)


def test_the_name_given_outside_is_a_name_as_a_cell_would_hold_it(tmp_path: Path) -> None:
    path = write(tmp_path, "conversation,verdict\nc0001,pass\n")
    assert read_annotations(path, rater=" ann ", names=NAMES)[0].rater == "ann"
    assert "--rater: '  ' is no name; write who says it" in refused(path, rater="  ")
    assert "--rater: '--rater': half a character" in refused(path, rater="a\udce4")


@pytest.mark.parametrize("row", ["c0009,ann,1", "c0001,ann,1,surplus"])
def test_of_a_file_with_endless_problems_the_first_hundred_are_told(tmp_path: Path, row: str) -> None:
    """A large file that is of another run would be read for hours otherwise, and scroll away its own beginning."""
    lines = refused(write(tmp_path, "conversation,rater,adherence\n" + f"{row}\n" * 1000)).split("\n")
    assert len(lines) == MAX_PROBLEMS + 1
    assert (":2: " in lines[0], ":101: " in lines[-2]) == (True, True)
    assert "ratings.csv: no more than 100 problems are told at once; mend these" in lines[-1]


def test_of_json_lines_with_endless_problems_the_first_hundred_are_told(tmp_path: Path) -> None:
    lines = refused(write(tmp_path, "[]\n" * 1000, "a.jsonl")).split("\n")
    assert len(lines) == MAX_PROBLEMS + 1
