"""Files of test seeds, whatever their format, as test seeds; and test seeds as a file.

A record that is no test seed is a problem with a number, never an exception, unless the source is strict.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from hairpin.domain.conversation import well_formed
from hairpin.domain.records import ConversationRecord
from hairpin.domain.test_seeds import SeedFormat, SeedProblem, SeedsImported, TestSeed, TestSeedsSource
from hairpin.errors import InvalidInputError
from hairpin.packs.files import is_folder
from hairpin.packs.recording_source import to_line
from hairpin.packs.seed_formats import told_format
from hairpin.packs.seed_records import NoSeedError, SeedNotes, SeedRecord, read_seed_file, seed_records
from hairpin.packs.seeds_cast import cast_seed, read_rewrites, rewrites_beside
from hairpin.packs.seeds_coqa import coqa_seed
from hairpin.packs.seeds_questions import own_seed, questions_seed
from hairpin.packs.seeds_sgd import sgd_seed
from hairpin.packs.seeds_stored import stored_seed
from hairpin.packs.yaml_tree import Scalar, Table

StoredConversations = Callable[[Path], Iterable[ConversationRecord]]
"""Reads the conversations of a stored run, given its folder."""

MAX_PROBLEMS_KEPT: Final = 10_000
"""Of the records that are no test seed as many are named; the others are counted."""

_NAMED_IN_ERRORS: Final = 100
_LENIENT: Final = "leave strict out: then it is skipped"
_IDS: Final = ("id", "dialogue_id", "number")


@dataclass(frozen=True, slots=True)
class SeedsRead:
    """What a file holds.

    Attributes:
        seeds: in the order of the file; every id is there once.
        imported: what reports say of the file.
        digest: SHA-256, as hex, of the bytes that were read: the file's and, of CAsT 2019, those of the stand-alone
            questions beside it after them; of a stored run of what ``dump_test_seeds`` writes.
    """

    seeds: tuple[TestSeed, ...]
    imported: SeedsImported
    digest: str


def read_test_seeds(source: TestSeedsSource, *, folder: Path, stored: StoredConversations | None = None) -> SeedsRead:
    """Return the test seeds that ``source`` names, relative to ``folder``.

    Args:
        source: the file, its format, and what of it is wanted.
        folder: what a relative name is below.
        stored: reads the conversations of a stored run; needed for those alone.

    Raises:
        InvalidInputError: the file cannot be read, says no format or holds no test seed; or, where ``source`` is
            strict, a record is none.
        ValueError: ``source`` is a stored run, and ``stored`` was not given.
    """
    path = folder / source.file
    reading = _Reading(source, path)
    if source.format == "run" or (source.format == "auto" and is_folder(path)):
        if stored is None:
            raise ValueError(f"{path} is a stored run, and there is nothing to read it with")
        return _read_run(reading, path, stored)
    data = read_seed_file(path)
    records = seed_records(data, path)
    form = source.format if source.format != "auto" else told_format(records, path)
    read_one, beside = _reader(form, path, reading.notes)
    for record in records:
        reading.take(record.number, _id_of(record), partial(_checked, read_one, record))
    return reading.result(form, hashlib.sha256(data + beside).hexdigest())


def dump_test_seeds(seeds: Iterable[TestSeed]) -> str:
    """Return ``seeds`` as JSON lines that ``read_test_seeds`` reads back to the same values."""
    return "".join(f"{to_line(seed.model_dump(mode='json'))}\n" for seed in seeds)


def test_seeds_digest(seeds: Iterable[TestSeed]) -> str:
    """Return SHA-256, as hex, of what ``dump_test_seeds`` writes: the same whatever file they came from."""
    return hashlib.sha256(dump_test_seeds(seeds).encode()).hexdigest()


def _read_run(reading: _Reading, path: Path, stored: StoredConversations) -> SeedsRead:
    name = path.resolve().name
    number = 0
    for record in stored(path):
        if record.planned.is_follow_up:
            reading.notes.add("follow-ups of other conversations, which are no test seeds", record.planned.id)
        else:
            number += 1
            reading.take(number, record.planned.id, partial(stored_seed, record, name))
    return reading.result("run", test_seeds_digest(reading.seeds))


_ReadOne = Callable[[SeedRecord], TestSeed]


def _reader(form: SeedFormat, path: Path, notes: SeedNotes) -> tuple[_ReadOne, bytes]:
    """Return what reads a record of ``form``, and the bytes of what was read beside the file for it."""
    match form:
        case "coqa":
            return partial(coqa_seed, notes=notes), b""
        case "sgd":
            return sgd_seed, b""
        case "cast":
            beside = rewrites_beside(path)
            rewrites, data = ({}, b"") if beside is None else read_rewrites(beside, notes)
            return partial(cast_seed, notes=notes, rewrites=rewrites), data
        case "seeds":
            return own_seed, b""
    return partial(questions_seed, notes=notes), b""


def _checked(read_one: _ReadOne, record: SeedRecord) -> TestSeed:
    if record.problem:
        raise NoSeedError(record.problem, "write one JSON value a line")
    try:
        return read_one(record)
    except RecursionError as error:
        raise NoSeedError("it is nested too deeply", "flatten it") from error


def _id_of(record: SeedRecord) -> str:
    """Return what the record is called, for messages, however broken it is."""
    if isinstance(record.tree, Table):
        named = record.tree.entries.get("id")
        return named.text if isinstance(named, Scalar) else ""
    held = record.value if isinstance(record.value, dict) else {}
    told = next((held[key] for key in _IDS if isinstance(held.get(key), str | int)), "")
    return well_formed(str(told))[:200]


@dataclass(slots=True)
class _Reading:
    """A file that is being read."""

    source: TestSeedsSource
    path: Path
    seeds: list[TestSeed] = field(default_factory=list)
    problems: list[SeedProblem] = field(default_factory=list)
    notes: SeedNotes = field(default_factory=SeedNotes)
    n_skipped: int = 0
    n_left: int = 0
    _first: dict[str, int] = field(default_factory=dict)

    def take(self, number: int, seed_id: str, make: Callable[[], TestSeed]) -> None:
        """Take the record ``number``, or note why it is no test seed; once there are enough, only count it."""
        if self.source.limit is not None and len(self.seeds) >= self.source.limit:
            self.n_left += 1
            return
        try:
            seed = make()
            first = self._first.setdefault(seed.id, number)
            if first != number:
                raise NoSeedError(f"its id {seed.id!r} is that of record {first}", "give each dialogue its own id")
        except NoSeedError as error:
            self._skip(SeedProblem(record=number, id=seed_id, what=well_formed(error.what)), error)
        else:
            self.seeds.append(self._cut(seed))

    def _skip(self, problem: SeedProblem, error: NoSeedError) -> None:
        if self.source.strict:
            raise InvalidInputError(str(problem), where=str(self.path), hint=f"{error.hint}; or {_LENIENT}") from error
        self.n_skipped += 1
        if len(self.problems) < MAX_PROBLEMS_KEPT:
            self.problems.append(problem)

    def _cut(self, seed: TestSeed) -> TestSeed:
        longest = self.source.max_questions
        if longest is None or len(seed.questions) <= longest:
            return seed
        self.notes.add(f"dialogues cut to their first {longest} questions", seed.id)
        return seed.model_copy(update={"questions": seed.questions[:longest]})

    def result(self, form: SeedFormat, digest: str) -> SeedsRead:
        """Return what was taken; raises InvalidInputError where that is nothing."""
        if not self.seeds:
            raise self._refusal(form)
        questions = [question for seed in self.seeds for question in seed.questions]
        left = [f"records that the limit of {self.source.limit} leaves out: {self.n_left}"] if self.n_left else []
        imported = SeedsImported(
            file=self.path.name,
            format=form,
            n_seeds=len(self.seeds),
            n_questions=len(questions),
            n_skipped=self.n_skipped,
            problems=tuple(self.problems),
            notes=(*self.notes.lines(), *left),
            counts={
                "reference_texts": sum(seed.reference_text is not None for seed in self.seeds),
                "with_gold": sum(bool(question.answers) for question in questions),
                "with_rewrite": sum(question.rewrite is not None for question in questions),
                "needs_reply": sum(question.needs_reply for question in questions),
            },
        )
        return SeedsRead(tuple(self.seeds), imported, digest)

    def _refusal(self, form: SeedFormat) -> InvalidInputError:
        named = "".join(f"\n  {problem}" for problem in self.problems[:_NAMED_IN_ERRORS])
        more = self.n_skipped - _NAMED_IN_ERRORS
        named += f"\n  and {more} more" if more > 0 else ""
        hint = "see docs/test-seeds.md for how they are written"
        return InvalidInputError(f"it holds no test seed (read as {form!r})", where=str(self.path), hint=hint + named)
