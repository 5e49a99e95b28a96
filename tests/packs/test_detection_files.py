"""Files of detections."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.detections import Detection
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Method
from hairpin.errors import InvalidInputError
from hairpin.packs.detection_files import dump_detections, read_detections

DETECTION = Detection(
    id="MR1/c1/1/1",
    method=Method.MORTAR,
    relation=MetamorphicRelation.MR1,
    conversation="c1",
    turn=1,
    earlier=("Wer?",),
    question="Où habite-t-elle ?",
    answer="\u2028 nowhere",
)


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    other = DETECTION.model_copy(update={"id": "x", "genuine": True, "why": "it is the other mill"})
    path = tmp_path / "labels.jsonl"
    path.write_text(dump_detections([DETECTION, other]) + "\n", encoding="utf-8")
    assert read_detections(path) == (DETECTION, other)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "holds no detection"),
        ("{}\n", "id: Field required"),
        ("not json\n", "Invalid JSON"),
        (dump_detections([DETECTION]).replace("null", '"perhaps"'), "perhaps"),
    ],
)
def test_what_is_no_detection_is_told_with_its_line(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError, match=what) as error:
        read_detections(path)
    assert "labels.jsonl" in str(error.value)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"id": "1", "answer": "a", "output": "b", "correct": true}', "answers to be called correct.*calibrate"),
        ("question,answer,output,correct", "answers to be called correct.*calibrate"),
        ('{"id": "1", "question": "q", "equivalent": null}', "contexts to be called equivalent.*ec-study"),
    ],
)
def test_another_file_of_labels_is_told_with_the_command_for_it(tmp_path: Path, line: str, what: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=f"(?s){what}") as error:
        read_detections(path)
    assert "labels.jsonl:1" in str(error.value)
    assert "Field required" not in str(error.value)


def test_a_detection_that_comes_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(dump_detections([DETECTION.model_copy(update={"answer": "a"})] * 2), encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"comes twice.*keep one"):
        read_detections(path)


def test_another_encoding_is_told(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInputError, match="UTF-8"):
        read_detections(path)
