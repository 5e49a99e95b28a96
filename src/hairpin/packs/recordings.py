"""Files of conversations made elsewhere as recordings, and recordings as such a file.

It judges nothing; a line that is no conversation is a problem with a number, never an exception.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final, Literal

from pydantic import ValidationError

from hairpin.domain.conversation import Exchange
from hairpin.domain.recording import Imported, Recording, RecordingProblem
from hairpin.domain.rejudging import StoredTranscript
from hairpin.domain.sut_spec import RecordedSut
from hairpin.errors import InvalidInputError
from hairpin.packs.recording_exchanges import Conversation, EndTokens, as_messages
from hairpin.packs.recording_formats import Found, find_conversation
from hairpin.packs.recording_messages import WrongShapeError, read_messages
from hairpin.packs.recording_source import Placed, RecordingSource, to_line
from hairpin.packs.stored_transcripts import read_transcripts, transcript_line

MAX_PROBLEMS_KEPT: Final = 100_000
"""Of the lines that are no conversation as many are named; the others are counted."""

_NAMED_IN_ERRORS: Final = 100
_EXAMPLE: Final = 'write one conversation a line: {"turns": [{"role": "user", "content": "…"}, …]}'


@dataclass(frozen=True, slots=True)
class RecordingsRead:
    """What a file holds.

    Attributes:
        recordings: in the order of the file; every id is there once.
        problems: the lines that hold no conversation, the first of them; ``n_skipped`` is how many there are.
        digest: the SHA-256 of the file's bytes, as hex.
        notes: what was decided about the file as a whole.
        formats: how many conversations are in which format.
    """

    file: str
    recordings: tuple[Recording, ...]
    problems: tuple[RecordingProblem, ...]
    n_skipped: int
    digest: str
    notes: tuple[str, ...] = ()
    formats: tuple[tuple[str, int], ...] = ()

    @property
    def n_turns(self) -> int:
        """Exchanges of the longest conversation."""
        return max((len(recording.exchanges) for recording in self.recordings), default=0)

    def first(self, number: int | None) -> RecordingsRead:
        """Return at most ``number`` of the conversations, with a note on the others; ``None``: all."""
        if number is None or len(self.recordings) <= number:
            return self
        note = f"only the first {number} of {len(self.recordings)} conversations are judged"
        return replace(self, recordings=self.recordings[:number], notes=(*self.notes, note))

    def noting(self, notes: Iterable[str]) -> RecordingsRead:
        """Return the same with further notes."""
        return replace(self, notes=(*self.notes, *notes))

    def imported(self) -> Imported:
        """Return what reports say of the file."""
        return Imported(
            file=self.file,
            n_conversations=len(self.recordings),
            n_skipped=self.n_skipped,
            problems=self.problems,
            notes=self.notes,
            formats=dict(self.formats),
        )


def read_recordings(spec: RecordedSut, *, folder: str | Path = "") -> RecordingsRead:
    """Return the conversations of the file that ``spec`` names, relative to ``folder``.

    Raises:
        InvalidInputError: the file cannot be read, it holds no conversation, or, where ``spec`` is strict, a line is
            none.
    """
    source = RecordingSource(Path(folder) / spec.file)
    if spec.format == "stored":
        return stored_recordings(read_transcripts(source), source.path.name)
    reading = _Reading(EndTokens(spec.end_tokens))
    for placed in source.values():
        reading.take(placed, spec.format)
    if spec.strict and reading.n_skipped:
        raise _refusal(reading, source.path, "mend them, or import without being strict: then they are skipped")
    if not reading.kept:
        raise _refusal(reading, source.path, _EXAMPLE)
    return RecordingsRead(
        file=source.path.name,
        recordings=tuple(reading.recordings()),
        problems=tuple(reading.problems),
        n_skipped=reading.n_skipped,
        digest=source.digest,
        notes=tuple(reading.notes()),
        formats=tuple(sorted(reading.formats.items())),
    )


def stored_recordings(transcripts: Sequence[StoredTranscript], file: str) -> RecordingsRead:
    """Return conversations of a stored run as what a file of that name holds."""
    return RecordingsRead(
        file=file, recordings=tuple(transcripts), problems=(), n_skipped=0, digest=recordings_digest(transcripts)
    )


def dump_recordings(recordings: Iterable[Recording]) -> str:
    """Return recordings as a file that ``read_recordings`` reads back to the same values."""
    return "".join(f"{_line(recording)}\n" for recording in recordings)


def _line(recording: Recording) -> str:
    return transcript_line(recording) if isinstance(recording, StoredTranscript) else to_line(_as_json(recording))


def recordings_digest(recordings: Iterable[Recording]) -> str:
    """Return the SHA-256 of what was said, the same whatever the file looked like that said it."""
    found = hashlib.sha256()
    for recording in recordings:
        found.update(to_line(_as_json(recording)).encode("utf-8", "surrogatepass"))
    return found.hexdigest()


def cleaned(recordings: Iterable[Recording], clean: Callable[[str], str]) -> tuple[Recording, ...]:
    """Return recordings whose texts went through ``clean``, which takes credentials out."""
    return tuple(Recording.model_validate(_clean(recording.model_dump(), clean)) for recording in recordings)


def _clean(value: object, clean: Callable[[str], str]) -> object:
    match value:
        case StrEnum():
            return value
        case str():
            return clean(value)
        case dict():
            return {clean(key): _clean(inner, clean) for key, inner in value.items()}
        case list() | tuple():
            return [_clean(inner, clean) for inner in value]
    return value


class _Reading:
    """What has been read of a file so far."""

    def __init__(self, tokens: EndTokens) -> None:
        self.kept: list[Recording | None] = []
        self.problems: list[RecordingProblem] = []
        self.n_skipped = 0
        self.formats: Counter[str] = Counter()
        self._tokens = tokens
        self._growing = _Growing()

    def take(self, placed: Placed | RecordingProblem, form: Literal["auto", "turns", "openai"]) -> None:
        """Take the next value of the file."""
        if isinstance(placed, Placed):
            try:
                found = find_conversation(placed.value, form)
                recording = self._recording(found, placed.line)
            except (WrongShapeError, ValidationError, RecursionError) as error:
                placed = RecordingProblem(line=placed.line, what=_what(error))
            else:
                self._keep(recording, found)
                return
        self.n_skipped += 1
        if len(self.problems) < MAX_PROBLEMS_KEPT:
            self.problems.append(placed)

    def recordings(self) -> Iterator[Recording]:
        """Yield what is left, not what a later line holds too; each with an id of its own."""
        times: Counter[str] = Counter()
        used = {recording.id for recording in self.kept if recording is not None}
        for recording in self.kept:
            if recording is None:
                continue
            name = recording.id
            times[name] += 1
            if times[name] == 1:
                yield recording
                continue
            while (distinct := f"{name} ({times[name]})") in used:
                times[name] += 1
            used.add(distinct)
            note = f"its id {name!r} was given before in the file"
            yield recording.model_copy(update={"id": distinct, "notes": (*recording.notes, note)})

    def notes(self) -> Iterator[str]:
        """Yield what was decided about the file as a whole."""
        ids = [recording.id for recording in self.kept if recording is not None]
        if n_repeated := len(ids) - len(set(ids)):
            yield f"ids that were given before and are made distinct: {n_repeated}"
        if n_continued := self.kept.count(None):
            yield f"requests whose conversation a later line holds whole: {n_continued}"

    def _recording(self, found: Found, line: int) -> Recording:
        conversation = Conversation(self._tokens)
        conversation.add_all(read_messages(found.messages, where=found.where))
        return Recording(
            id=found.id or f"line {line}",
            exchanges=tuple(conversation.exchanges),
            context=found.context,
            notes=(*found.notes, *conversation.notes()),
        )

    def _keep(self, recording: Recording, found: Found) -> None:
        self.formats[found.format] += 1
        if found.from_request:
            if (earlier := self._growing.beginning(recording.exchanges)) is not None:
                self.kept[earlier] = None
                self.formats[found.format] -= 1
            self._growing.add(recording.exchanges, len(self.kept))
        self.kept.append(recording)


class _Growing:
    """Logs of requests hold a conversation once per turn, each time longer: finds what a line continues."""

    def __init__(self) -> None:
        self._whole: dict[bytes, list[int]] = {}

    def beginning(self, exchanges: Sequence[Exchange]) -> int | None:
        """Return the place of the longest conversation that ``exchanges`` continue, and forget it."""
        for key in reversed(_keys(exchanges[:-1])):
            if places := self._whole.get(key):
                return places.pop()
        return None

    def add(self, exchanges: Sequence[Exchange], place: int) -> None:
        """Remember a whole conversation."""
        self._whole.setdefault(_keys(exchanges)[-1], []).append(place)


def _keys(exchanges: Sequence[Exchange]) -> list[bytes]:
    """Return a key of each beginning of a conversation, the shortest first."""
    keys = [b""]
    for exchange in exchanges:
        said = to_line([exchange.user, exchange.assistant]).encode()
        keys.append(hashlib.blake2b(keys[-1] + said, digest_size=16).digest())
    return keys[1:]


def _what(error: Exception) -> str:
    match error:
        case ValidationError():
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            return f"{'.'.join(map(str, first['loc'][:3]))}: {first['msg']}"[:200]
        case RecursionError():
            return "nested too deeply"
    return str(error)


def _refusal(reading: _Reading, path: Path, hint: str) -> InvalidInputError:
    """Say which lines hold no conversation, as far as that fits on a screen."""
    if not reading.n_skipped:
        return InvalidInputError("the file is empty", where=str(path), hint=hint)
    lines = [str(problem) for problem in reading.problems[:_NAMED_IN_ERRORS]]
    if more := reading.n_skipped - len(lines):
        lines.append(f"and {more} more")
    number = "1 line holds" if reading.n_skipped == 1 else f"{reading.n_skipped} lines hold"
    text = "".join(f"\n  {line}" for line in (*lines, hint))
    return InvalidInputError(f"{number} no conversation:{text}", where=str(path))


def _as_json(recording: Recording) -> dict[str, object]:
    value: dict[str, object] = {"id": recording.id, "turns": list(as_messages(recording.exchanges))}
    if recording.context is not None:
        value["context"] = recording.context.model_dump(mode="json", exclude_defaults=True)
    if recording.notes:
        value["notes"] = list(recording.notes)
    return value
