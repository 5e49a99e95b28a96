"""The rows of a file of annotations: CSV, JSON or JSON lines in, what stands in each row and on which line out.

It knows no annotation: what the cells mean is ``annotation_files``' work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hairpin.domain.recording import RecordingProblem
from hairpin.errors import InvalidInputError
from hairpin.packs.csv_rows import csv_rows, one_line_end
from hairpin.packs.files import read_file
from hairpin.packs.problems import Problems
from hairpin.packs.recording_messages import kind_of
from hairpin.packs.recording_source import RecordingSource
from hairpin.packs.yaml_tree import decode

MAX_ANNOTATION_FILE_BYTES: Final = 64_000_000
MAX_PROBLEMS: Final = 100
"""Of a file so many are told: one that is of another run has a million, and nobody reads them."""

CSV_HINT: Final = (
    "the first line names the columns: conversation, rater, the dimensions, completed, verdict, blame, note; "
    "'hairpin annotate RUN --template FILE.csv' writes such a file"
)
JSON_HINT: Final = 'write {"conversation": "c0001", "rater": "ann", "scores": {"plan_coherence": 2}} on each line'

_DELIMITERS: Final = ",;\t"
_SEPARATOR_LINE: Final = re.compile(r'"?sep=(.)"?\s*')
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_UTF_8_HINT: Final = "save the file as UTF-8; in Excel: Save as, 'CSV UTF-8'"


@dataclass(frozen=True, slots=True)
class AnnotationRow:
    """What one row says, without the cells that are empty. ``decimal_comma``: 0,5 is a number in this file.

    Values are texts in CSV files and JSON values in the others.
    """

    where: str
    cells: Mapping[str, object]
    decimal_comma: bool = False


@dataclass(frozen=True, slots=True)
class AnnotationSheet:
    """A file's rows. ``columns``: of a CSV file, as they are written; empty for JSON, whose rows name their own."""

    rows: tuple[AnnotationRow, ...]
    columns: tuple[str, ...] = ()
    header_where: str = ""


def read_sheet(path: Path, problems: Problems) -> AnnotationSheet:
    """Return the rows of the file ``path``; what is wrong with single rows is added to ``problems``;
    after ``MAX_PROBLEMS`` of them no more rows are read.

    A file that ends in ``.json``, ``.jsonl`` or ``.ndjson`` holds JSON: an array of objects, or one object after
    another. Every other one is CSV, with commas, semicolons or tabs.

    Raises:
        InvalidInputError: the file cannot be read, is no UTF-8, is empty, or is no CSV at all.
    """
    if path.suffix.lower() in (".json", ".jsonl", ".ndjson"):
        return AnnotationSheet(tuple(_json_rows(path, problems)))
    return _csv_sheet(_text(path), path, problems)


def _text(path: Path) -> str:
    data = read_file(path, "file of annotations", max_bytes=MAX_ANNOTATION_FILE_BYTES)
    if data.startswith(_UTF_16):
        raise InvalidInputError("the file is not UTF-8 but UTF-16", where=str(path), hint=_UTF_8_HINT)
    try:
        text = decode(data, str(path))
    except InvalidInputError as error:
        raise InvalidInputError(error.what, where=error.where, hint=_UTF_8_HINT) from error
    if "\0" in text:
        raise InvalidInputError("the file is no text: it holds a NUL", where=str(path), hint=_UTF_8_HINT)
    return text


def _csv_sheet(text: str, path: Path, problems: Problems) -> AnnotationSheet:
    lines, skipped = one_line_end(text), 0
    told = _SEPARATOR_LINE.fullmatch(lines.partition("\n")[0])
    if told is not None:  # Excel's own line about the separator
        lines, skipped = lines.partition("\n")[2], 1
    delimiter = told[1] if told is not None else _delimiter(lines)
    found = csv_rows(lines, str(path), delimiter=delimiter, skipped=skipped)
    line, first = next(found, (0, []))
    columns = [cell.strip() for cell in first]
    if not columns:
        raise InvalidInputError("the file is empty", where=str(path), hint=CSV_HINT)
    return AnnotationSheet(
        rows=tuple(_csv_rows(found, columns, path, problems, decimal_comma=delimiter != ",")),
        columns=tuple(columns),
        header_where=f"{path}:{line}",
    )


def _delimiter(text: str) -> str:
    """Return what separates the cells of the first line that is not blank: the most frequent, in doubt a comma."""
    header = next((line for line in text.split("\n") if line.strip()), "")
    return max(_DELIMITERS, key=header.count)


def _csv_rows(
    found: Iterator[tuple[int, list[str]]], columns: list[str], path: Path, problems: Problems, *, decimal_comma: bool
) -> Iterator[AnnotationRow]:
    for line, cells in found:
        where = f"{path}:{line}"
        if any(cell.strip() for cell in cells[len(columns) :]):
            what = f"{len(cells)} values for {len(columns)} columns"
            problems.add(what, where=where, hint='put a text with separators into double quotes: "…"')
            if len(problems) >= MAX_PROBLEMS:
                return
            continue
        said = {name: cell.strip() for name, cell in zip(columns, cells, strict=False) if cell.strip()}
        yield AnnotationRow(where, said, decimal_comma)


def _json_rows(path: Path, problems: Problems) -> Iterator[AnnotationRow]:
    n_values = 0
    for found in RecordingSource(path).values():
        if len(problems) >= MAX_PROBLEMS:
            return
        n_values += 1
        where = f"{path}:{found.line}"
        if isinstance(found, RecordingProblem):
            problems.add(found.what, where=where, hint=JSON_HINT)
        elif isinstance(found.value, dict):
            yield AnnotationRow(where, {key: value for key, value in found.value.items() if value not in (None, "")})
        else:
            problems.add(f"it is {kind_of(found.value)}, not an object", where=where, hint=JSON_HINT)
    if not n_values:
        raise InvalidInputError("the file is empty", where=str(path), hint=JSON_HINT)
