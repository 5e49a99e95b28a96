"""Conversations of a stored run in a file: nothing of them is lost, and a damaged line is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.domain.outcome import StopReason
from hairpin.domain.rejudging import StoredTranscript, transcript_of
from hairpin.domain.sut_spec import RecordedSut
from hairpin.errors import InvalidInputError
from hairpin.packs.recording_source import RecordingSource
from hairpin.packs.recordings import dump_recordings, read_recordings, recordings_digest
from hairpin.packs.stored_transcripts import read_transcripts, transcript_line
from tests.domain.test_rejudging import ended


@pytest.fixture
def transcript() -> StoredTranscript:
    found = transcript_of(ended(StopReason.DEADLINE, 3))
    assert isinstance(found, StoredTranscript)
    return found


def test_what_is_written_is_read_back_to_the_same_value(tmp_path: Path, transcript: StoredTranscript) -> None:
    (tmp_path / "r.jsonl").write_text(dump_recordings((transcript,)))
    read = read_recordings(RecordedSut(file="r.jsonl", format="stored"), folder=tmp_path)
    assert read.recordings == (transcript,)
    assert (read.n_turns, read.n_skipped, read.problems) == (3, 0, ())
    assert read.digest == recordings_digest((transcript,))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty"),
        ("7\n", "holds no stored conversation: it is no JSON object"),
        ("{\n", "holds no stored conversation"),
        ("{}\n", "holds no stored conversation: 'record'"),
        ('{"record": {"planned": 1}}\n', "record holds no plan"),
        ('{"record": {"planned": {"id": "c1"}, "exchanges": []}}\n', "holds no stored conversation: 'context'"),
    ],
)
def test_a_damaged_file_is_an_error_that_names_the_line(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "r.jsonl").write_text(text)
    with pytest.raises(InvalidInputError, match=problem) as caught:
        read_transcripts(RecordingSource(tmp_path / "r.jsonl"))
    assert "judge the stored run again" in str(caught.value)


def test_no_conversation_may_lack_its_exchanges(tmp_path: Path, transcript: StoredTranscript) -> None:
    line = transcript_line(transcript).replace('"exchanges":[{', '"exchanges":[],"x":[{', 1)
    (tmp_path / "r.jsonl").write_text(f"{transcript_line(transcript)}\n{line}\n")
    with pytest.raises(InvalidInputError, match=r"r\.jsonl:2"):
        read_transcripts(RecordingSource(tmp_path / "r.jsonl"))
