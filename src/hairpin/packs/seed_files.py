"""Seed phrases in a file of the user's: a text with one a line, JSON lines, or CSV.

It reads a whole file or refuses it, every problem with its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hairpin.domain.campaign import SeedPhrase, SeedPool
from hairpin.errors import InvalidInputError
from hairpin.packs.csv_rows import csv_rows
from hairpin.packs.problems import Problems
from hairpin.packs.yaml_tree import decode

_KEYS: Final = ("text", "task")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_JSON_HINT: Final = 'write {"text": "…", "task": "…"} on each line'
_CSV_HINT: Final = "the first line names the columns: text, and task where phrases have one"


def read_seed_phrases(data: bytes, path: Path) -> SeedPool:
    """Return the phrases in ``data``, the bytes of the file ``path``, whose ending says how it is written.

    ``.jsonl``: ``{"text": …, "task": …}`` a line; ``.csv``: columns ``text`` and ``task``; any other: one phrase a
    line. Blank lines are passed over, white space is collapsed. UTF-8, with or without a byte order mark.

    Raises:
        InvalidInputError: not UTF-8, no phrase, a line that is none, or a phrase that comes twice.
    """
    found = _SeedFile(decode(data, str(path)), str(path)).phrases(path.suffix.lower())
    if not found:
        hint = {".jsonl": _JSON_HINT, ".csv": _CSV_HINT}.get(path.suffix.lower(), "write one on each line")
        raise InvalidInputError("the file has no seed phrase", where=str(path), hint=hint)
    return SeedPool(name=path.stem, phrases=found)


class _SeedFile:
    """A file that is being read: its text, and what is wrong with it so far."""

    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name
        self._problems = Problems()
        self._lines: dict[str, int] = {}

    def phrases(self, suffix: str) -> tuple[SeedPhrase, ...]:
        """Return the phrases of the file; raises InvalidInputError."""
        written = self._in_json() if suffix == ".jsonl" else self._in_csv() if suffix == ".csv" else self._in_lines()
        found = [phrase for line, text, task in written if (phrase := self._phrase(line, text, task)) is not None]
        self._problems.raise_if_any()
        return tuple(found)

    def _in_lines(self) -> Iterator[tuple[int, object, object]]:
        for line, words in self._numbered():
            yield line, words, ""

    def _in_json(self) -> Iterator[tuple[int, object, object]]:
        for line, words in self._numbered():
            try:
                value = json.loads(words)
            except (ValueError, RecursionError) as error:
                self._add(line, f"this is no JSON: {error}", _JSON_HINT)
                continue
            unknown = [key for key in value if key not in _KEYS] if isinstance(value, dict) else []
            if not isinstance(value, dict):
                self._add(line, "this is no JSON object", _JSON_HINT)
            elif unknown:
                self._add(line, f"unknown key {unknown[0]!r}", "known: 'task', 'text'")
            else:
                yield line, value.get("text"), value.get("task", "")

    def _in_csv(self) -> Iterator[tuple[int, object, object]]:
        columns: list[str] = []
        for line, cells in csv_rows(self._text, self._name):
            if not columns:
                columns = self._columns(line, cells)
            elif len(cells) > len(columns):
                hint = 'put a text with commas into double quotes: "…"'
                self._add(line, f"{len(cells)} values for {len(columns)} columns", hint)
            else:
                row = dict(zip(columns, cells, strict=False))
                yield line, row.get("text", ""), row.get("task", "")

    def _columns(self, line: int, cells: list[str]) -> list[str]:
        names = [cell.strip().lower() for cell in cells]
        if "text" not in names or not set(names) <= set(_KEYS) or len(set(names)) < len(names):
            what = f"the columns are {', '.join(map(repr, names))}, not 'text' and 'task'"
            raise InvalidInputError(what, where=f"{self._name}:{line}", hint=_CSV_HINT)
        return names

    def _numbered(self) -> Iterator[tuple[int, str]]:
        """Yield the lines that are not blank, with their numbers from 1."""
        for line, words in enumerate(_LINE_END.split(self._text), start=1):
            if words.strip():
                yield line, words

    def _phrase(self, line: int, text: object, task: object) -> SeedPhrase | None:
        if not isinstance(text, str) or not isinstance(task, str):
            self._add(line, "text is missing, or text or task is no text", _JSON_HINT)
            return None
        words = " ".join(text.split())
        first = self._lines.setdefault(words, line)
        if not words:
            self._add(line, "text is blank", "write something, or remove the line")
        elif any("\ud800" <= character <= "\udfff" for character in words + task):
            self._add(line, "half a character, a lone surrogate, is no text", "write the character itself")
        elif first != line:
            self._add(line, f"{words!r} is the same as line {first}", "keep one of them")
        else:
            return SeedPhrase(text=words, task=" ".join(task.split()))
        return None

    def _add(self, line: int, what: str, hint: str) -> None:
        self._problems.add(what, where=f"{self._name}:{line}", hint=hint)
