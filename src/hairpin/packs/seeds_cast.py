"""Test seeds of TREC CAsT topics: questions with the human stand-alone question of each, without a story.

Of 2020 the topics hold these; of 2019 they are in a file beside the topics, ``*_annotated_resolved*.tsv``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hairpin.domain.conversation import well_formed
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.packs.seed_records import NoSeedError, SeedNotes, SeedRecord, numbered, read_seed_file, text_at
from hairpin.packs.yaml_tree import decode

Rewrites = Mapping[tuple[int, int], str]
"""Stand-alone questions by topic and turn."""

_VERSION: Final = re.compile(r"_v\d[\d.]*$")
_ROW: Final = re.compile(r"(\d+)_(\d+)\t(.*\S.*)")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


def rewrites_beside(path: Path) -> Path | None:
    """Return the file of stand-alone questions that belongs to the topics ``path``, ``None`` when there is none."""
    stem = _VERSION.sub("", path.stem)
    return next(iter(sorted(path.parent.glob(f"{_literal(stem)}_annotated_resolved*.tsv"))), None)


def read_rewrites(path: Path, notes: SeedNotes) -> tuple[Rewrites, bytes]:
    """Return the stand-alone questions in ``path``, ``31_2<tab>Is throat cancer treatable?`` a line, and its bytes.

    A line that says no turn, and one that says a turn again, is passed over with a note.
    """
    data = read_seed_file(path)
    found: dict[tuple[int, int], str] = {}
    for number, line in enumerate(_LINE_END.split(decode(data, str(path))), start=1):
        row = _ROW.fullmatch(line)
        key = (int(row[1]), int(row[2])) if row else None
        if row and key not in found:
            found[int(row[1]), int(row[2])] = row[3].strip()
        elif line.strip():
            notes.add(f"lines of {path.name} that give no turn its first stand-alone question", f"line {number}")
    return found, data


def cast_seed(record: SeedRecord, notes: SeedNotes, rewrites: Rewrites) -> TestSeed:
    """Return the topic as a dialogue, its questions in the order of their numbers.

    Raises:
        NoSeedError: no number or turns, a turn twice, a blank utterance.
    """
    entries = record.entries
    topic = entries.get("number")
    if not isinstance(topic, int) or isinstance(topic, bool):
        raise NoSeedError(f"its number is {topic!r:.60}, not a whole number", "give it the 'number' of its topic")
    turns = numbered(entries, "turn", "number")
    if not turns:
        raise NoSeedError("it has no turns", "give it turns, or remove it")
    questions = tuple(_question(turns[turn], turn, rewrites.get((topic, turn))) for turn in sorted(turns))
    if any(question.rewrite is None for question in questions):
        notes.add("topics with questions that have no stand-alone question", str(topic))
    title = entries.get("title")
    named = f" ({title.strip()})" if isinstance(title, str) and title.strip() else ""
    return TestSeed(id=str(topic), origin=well_formed(f"CAsT{named}"), questions=questions)


def _question(entries: Mapping[str, object], turn: int, rewrite: str | None) -> SeedQuestion:
    place = f"turn {turn}"
    if "manual_rewritten_utterance" in entries:
        rewrite = text_at(entries, "manual_rewritten_utterance", place)
    return SeedQuestion(text=text_at(entries, "raw_utterance", place), rewrite=rewrite)


def _literal(name: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", name)
