"""Files of annotations: what raters say of the conversations of a run.

It reads a whole file or refuses it, every problem with its line. It decides nothing: whose word counts is for others.

A row of a CSV file says anything of one conversation: the scores of dimensions in columns of their own (wide), or one
score in ``dimension`` and ``score`` (long), or one label in ``t``, ``mode``, ``target`` and ``holds``. Rows of the same
rater and conversation belong together; nothing may be said twice. An empty cell says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hairpin.domain.annotations import Annotation, LabelOpinion
from hairpin.domain.base import Value
from hairpin.errors import InvalidInputError, UnknownReferenceError, did_you_mean
from hairpin.packs import annotation_cells as cells
from hairpin.packs.annotation_rows import CSV_HINT, JSON_HINT, MAX_PROBLEMS, AnnotationRow, AnnotationSheet, read_sheet
from hairpin.packs.problems import Problems

KEYS: Final = ("conversation", "rater")
SAYINGS: Final = ("completed", "verdict", "blame", "note")
LONG: Final = ("dimension", "score")
LABEL: Final = ("t", "mode", "target", "holds")
_JSON_ONLY: Final = ("scores", "labels")
_RESERVED: Final = (*KEYS, *SAYINGS, *LONG, *LABEL)


class RunNames(Value):
    """What the annotations of a run may name. ``conversations``: how many exchanges each has."""

    conversations: Mapping[str, int]
    dimensions: tuple[str, ...]
    modes: tuple[str, ...]


def read_annotations(path: Path, *, rater: str | None = None, names: RunNames | None = None) -> tuple[Annotation, ...]:
    """Return what the file ``path`` says, one annotation per rater and conversation, in the order of the file.

    Args:
        path: CSV (commas, semicolons or tabs), or JSON or JSON lines by its ending: objects with the same keys, and
            ``scores`` (an object) and ``labels`` (a list of objects with ``t``, ``mode``, ``target``, ``holds``).
        rater: who says it, in rows that do not say who.
        names: what there is to name; ``None`` takes every name, and every other column for a dimension.

    Raises:
        InvalidInputError: the file cannot be read, says nothing, or anything in it is wrong; says every line, up to
            ``MAX_PROBLEMS`` problems.
    """
    problems, speaker = Problems(), None if rater is None else _named_outside(rater)
    sheet = read_sheet(path, problems)
    _check_columns(sheet, names)
    reading = _Reading(problems, names, speaker)
    for row in sheet.rows:
        if len(problems) >= MAX_PROBLEMS:
            break
        with problems.noted_at(row.where):
            reading.read(row)
    if len(problems) >= MAX_PROBLEMS:
        hint = "mend these, or name the run that the file is of, and try again"
        problems.add(f"no more than {MAX_PROBLEMS} problems are told at once", where=str(path), hint=hint)
    problems.raise_if_any()
    found = tuple(said.annotation() for said in reading.said.values() if said.first)
    if not found:
        hint = JSON_HINT if not sheet.columns else "fill in its cells: a score, completed, verdict, blame or a label"
        raise InvalidInputError("no row says anything of a conversation", where=str(path), hint=hint)
    return found


def _named_outside(rater: str) -> str:
    """Return the name of who speaks in rows that name nobody, as a cell would hold it. Raises InvalidInputError."""
    name = cells.text_of(rater, "--rater", "--rater")
    if not name:
        raise InvalidInputError(f"{rater!r} is no name", where="--rater", hint="write who says it, such as ann")
    return name


def _check_columns(sheet: AnnotationSheet, names: RunNames | None) -> None:
    """Refuse columns that cannot be meant; without them the rows are not worth reading."""
    if not sheet.columns:
        return
    problems, where, seen = Problems(), sheet.header_where, set[str]()
    for column in sheet.columns:
        name = _canonical(column)
        if not name:
            problems.add("a column has no name", where=where, hint=CSV_HINT)
        elif name in seen:
            problems.add(f"twice the column {column!r}", where=where, hint="keep one of them")
        elif name not in _RESERVED and names is not None and name not in names.dimensions:
            known = (*_RESERVED, *names.dimensions)
            problems.note(UnknownReferenceError("dimension or column", name, where=where, known=known))
        seen.add(name)
    if "conversation" not in seen:
        problems.add("no column 'conversation'", where=where, hint=CSV_HINT)
    for pair in (LONG, ("t", "mode", "holds")):
        lacking = [name for name in pair if name not in seen]
        if lacking and len(lacking) < len(pair):
            there = ", ".join(repr(name) for name in pair if name in seen)
            problems.add(f"the column {lacking[0]!r} is missing beside {there}", where=where, hint=CSV_HINT)
    problems.raise_if_any()


def _canonical(column: str) -> str:
    """Return the name of a column: ours in any case, those of dimensions as written."""
    return column.strip().lower() if column.strip().lower() in (*_RESERVED, *_JSON_ONLY) else column.strip()


@dataclass(slots=True)
class _Said:
    """What one rater says of one conversation, with the place of each thing said."""

    conversation: str
    rater: str
    first: dict[tuple[object, ...], str] = field(default_factory=dict)
    scores: dict[str, int] = field(default_factory=dict)
    other: dict[str, Any] = field(default_factory=dict)
    labels: list[LabelOpinion] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sheet_row: str = ""

    def claim(self, slot: tuple[object, ...], name: str, where: str) -> None:
        """Refuse a thing that was said before."""
        if slot in self.first:
            what = f"{self.rater!r} says {name} of {self.conversation!r} twice"
            raise InvalidInputError(what, where=where, hint=f"it is said at {self.first[slot]} already; keep one")
        self.first[slot] = where

    def annotation(self) -> Annotation:
        """Return it as a value."""
        return Annotation(
            conversation=self.conversation,
            rater=self.rater,
            scores=self.scores,
            labels=tuple(self.labels),
            note="; ".join(dict.fromkeys(self.notes)),
            **self.other,
        )


class _Reading:
    """Reads rows into what each rater says of each conversation; raises InvalidInputError or notes it."""

    def __init__(self, problems: Problems, names: RunNames | None, rater: str | None) -> None:
        self._problems = problems
        self._names = names
        self._rater = rater
        self.said: dict[tuple[str, str], _Said] = {}

    def read(self, row: AnnotationRow) -> None:
        """Read one row."""
        held = _one_each(row.cells, _canonical, row.where)
        said = self._whose(held, row.where)
        if said is None:
            return
        self._whole_row_once(said, held, row.where)
        with self._problems.noted_at(row.where):
            self._read_scores(said, held, row)
        for name in ("completed", "verdict", "blame"):
            if name in held:
                with self._problems.noted_at(row.where):
                    self._read_other(said, name, held[name], row)
        for label in self._labels(held, row.where):
            with self._problems.noted_at(row.where):
                self._read_label(said, label, row.where)
        self._read_note(said, held, row.where)

    def _whose(self, held: Mapping[str, object], where: str) -> _Said | None:
        """Return whom the row belongs to; ``None``: it says nothing."""
        if "conversation" not in held:
            raise InvalidInputError("the row names no conversation", where=where, hint="give its id, such as c0001")
        conversation = cells.text_of(held["conversation"], "conversation", where)
        if self._names is not None and conversation not in self._names.conversations:
            hint = did_you_mean(conversation, self._names.conversations)
            raise InvalidInputError(f"unknown conversation {conversation!r}", where=where, hint=hint)
        if not held.keys() - {*KEYS}:
            return None
        rater = cells.text_of(held["rater"], "rater", where) if "rater" in held else self._rater or ""
        if not rater:
            hint = "fill in the column 'rater', or say --rater NAME"
            raise InvalidInputError("nobody says so: the row has no rater", where=where, hint=hint)
        return self.said.setdefault((rater, conversation), _Said(conversation, rater))

    def _whole_row_once(self, said: _Said, held: Mapping[str, object], where: str) -> None:
        """Refuse a second row that is about the whole conversation: which of the two counts nobody can know."""
        if held.keys() & {*LONG, *LABEL, "labels"}:
            return  # one of several rows, in which nothing may be said twice either
        if said.sheet_row:
            what = f"{said.rater!r} has a second row of {said.conversation!r}"
            raise InvalidInputError(what, where=where, hint=f"the first is at {said.sheet_row}; keep one of them")
        said.sheet_row = where

    def _read_scores(self, said: _Said, held: Mapping[str, object], row: AnnotationRow) -> None:
        named: list[tuple[str, object]] = []
        if "dimension" in held or "score" in held:
            named.append(_long_score(held, row.where))
        listed = held.get("scores", {})
        if not isinstance(listed, dict):
            raise InvalidInputError("'scores' is no object", where=row.where, hint=JSON_HINT)
        named += [(name, value) for name, value in listed.items() if value is not None]
        named += [(name, held[name]) for name in held if name not in (*_RESERVED, *_JSON_ONLY)]
        for name, value in named:
            with self._problems.noted_at(row.where):
                self._known("dimension", name, None if self._names is None else self._names.dimensions, row.where)
                score = cells.score_of(value, name, row.where, decimal_comma=row.decimal_comma)
                said.claim(("score", name), f"the score of {name!r}", row.where)
                said.scores[name] = score

    def _read_other(self, said: _Said, name: str, value: object, row: AnnotationRow) -> None:
        read: Any
        if name == "completed":
            read = cells.share_of(value, name, row.where, decimal_comma=row.decimal_comma)
        else:
            read = (cells.verdict_of if name == "verdict" else cells.blame_of)(value, name, row.where)
        said.claim((name,), name, row.where)
        said.other[name] = read

    def _labels(self, held: Mapping[str, object], where: str) -> list[Mapping[str, object]]:
        """Return the labels of a row: that in its cells, and those of the list ``labels``."""
        listed = held.get("labels", [])
        if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
            hint = 'write "labels": [{"t": 2, "mode": "request_omitted", "target": "…", "holds": true}]'
            raise InvalidInputError("'labels' is no list of objects", where=where, hint=hint)
        own = {name: held[name] for name in LABEL if name in held}
        return [*([own] if own else []), *listed]

    def _read_label(self, said: _Said, label: Mapping[str, object], where: str) -> None:
        given = {name: value for name, value in label.items() if value is not None}
        held = _one_each(given, lambda name: "target" if name == "target_id" else name, where)
        for name in held:
            if name not in LABEL:
                raise UnknownReferenceError("key of a label", name, where=where, known=LABEL)
        for name in ("t", "mode", "holds"):
            if name not in held:
                hint = "a label has 't', 'mode', 'holds', and 'target' where the mode is one of a target"
                raise InvalidInputError(f"the label has no {name!r}", where=where, hint=hint)
        t, mode = cells.turn_of(held["t"], "t", where), cells.text_of(held["mode"], "mode", where)
        self._known("failure mode", mode, None if self._names is None else self._names.modes, where)
        self._require_turn(said.conversation, t, where)
        target = cells.text_of(held["target"], "target", where) if "target" in held else None
        opinion = LabelOpinion(t=t, mode=mode, holds=cells.yes_or_no(held["holds"], "holds", where), target_id=target)
        said.claim(("label", t, mode, target), f"of {mode} at turn {t}", where)
        said.labels.append(opinion)

    def _read_note(self, said: _Said, held: Mapping[str, object], where: str) -> None:
        note = cells.text_of(held["note"], "note", where) if "note" in held else ""
        if note:
            said.first.setdefault(("note",), where)
            said.notes.append(note)

    def _require_turn(self, conversation: str, t: int, where: str) -> None:
        n_exchanges = None if self._names is None else self._names.conversations[conversation]
        if n_exchanges is not None and t >= n_exchanges:
            last = f"its turns are 0 to {n_exchanges - 1}" if n_exchanges else "it has no turn"
            raise InvalidInputError(f"{conversation!r} has no turn {t}", where=where, hint=last)

    def _known(self, kind: str, name: str, known: tuple[str, ...] | None, where: str) -> None:
        if known is not None and name not in known:
            raise UnknownReferenceError(kind, name, where=where, known=known)


def _one_each(given: Mapping[str, object], rename: Callable[[str], str], where: str) -> dict[str, object]:
    """Return ``given`` under our names. Raises InvalidInputError where two of its keys mean the same."""
    written: dict[str, str] = {}
    for name in given:
        other = written.setdefault(rename(name), name)
        if other != name:
            raise InvalidInputError(f"{other!r} and {name!r} are the same key", where=where, hint="keep one of them")
    return {ours: given[name] for ours, name in written.items()}


def _long_score(held: Mapping[str, object], where: str) -> tuple[str, object]:
    for name in LONG:
        if name not in held:
            other = LONG[1 - LONG.index(name)]
            raise InvalidInputError(f"the row has a {other} but no {name}", where=where, hint="fill in both or neither")
    return cells.text_of(held["dimension"], "dimension", where), held["score"]
