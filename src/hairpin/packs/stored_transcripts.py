"""Conversations of a stored run as a file of the run that judges them again: one a line, nothing of them lost.

It is written by Hairpin alone; a line that cannot be read is an error, never a skipped conversation.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import JsonValue, ValidationError

from hairpin.domain.recording import RecordingProblem
from hairpin.domain.rejudging import StoredTranscript
from hairpin.errors import InvalidInputError
from hairpin.packs.recording_source import Placed, RecordingSource, to_line


def read_transcripts(source: RecordingSource) -> tuple[StoredTranscript, ...]:
    """Return the conversations of a file, in its order.

    Raises:
        InvalidInputError: it cannot be read, or a line is none of its conversations.
    """
    found = tuple(_transcript(placed, source.path) for placed in source.values())
    if not found:
        raise InvalidInputError("the file is empty", where=str(source.path), hint="judge the stored run again")
    return found


def transcript_line(transcript: StoredTranscript) -> str:
    """Return a conversation as a line that ``read_transcripts`` reads back to the same value."""
    value: dict[str, JsonValue] = transcript.model_dump(mode="json", include={"record", "ending", "notes"})
    return to_line(value)


def _transcript(placed: Placed | RecordingProblem, path: Path) -> StoredTranscript:
    problem = placed.what if isinstance(placed, RecordingProblem) else "it is no JSON object"
    if isinstance(placed, Placed) and isinstance(placed.value, dict):
        try:
            return _read(placed.value)
        except (ValidationError, KeyError, TypeError) as error:
            problem = " ".join(str(error).split())[:200]
    hint = "it was changed after Hairpin wrote it; judge the stored run again"
    raise InvalidInputError(f"holds no stored conversation: {problem}", where=f"{path}:{placed.line}", hint=hint)


def _read(value: dict[str, JsonValue]) -> StoredTranscript:
    record = value["record"]
    if not isinstance(record, dict) or not isinstance(planned := record["planned"], dict):
        raise TypeError("record holds no plan")
    whole = {**value, "id": planned["id"], "exchanges": record["exchanges"], "context": planned["context"]}
    return StoredTranscript.model_validate(whole)
