"""Files of labels: what people say of contexts and answers, and templates for them to fill in.

It reads a whole file or refuses it, every problem with its line. What labels are used for it does not know.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

from hairpin.domain.labels import AnswerItem, AnswerLabels, ContextItem, ContextLabels, LabelCounts
from hairpin.errors import InvalidInputError
from hairpin.packs.csv_rows import csv_rows, one_line_end
from hairpin.packs.field_types import NonBlank
from hairpin.packs.file_model import FileModel
from hairpin.packs.files import read_file
from hairpin.packs.problems import Problems
from hairpin.packs.recording_source import to_line
from hairpin.packs.seed_records import NoSeedError, tree_of
from hairpin.packs.yaml_source import validate_tree
from hairpin.packs.yaml_tree import Scalar, Table, Tree, decode

MAX_LABEL_FILE_BYTES: Final = 64_000_000

_COLUMNS: Final = ("id", "question", "answer", "output", "correct")
_OPTIONAL: Final = ("id", "question")
_CSV_HINT: Final = "the first line names the columns: answer, output, correct, and id and question where there are any"
_CONTEXT_SHAPE: Final = 'write {"question": "…", "source": ["…"], "follow_up": ["…"], "equivalent": true} on each line'
_ANSWER_SHAPE: Final = 'write {"answer": "…", "output": "…", "correct": true} on each line'


class ContextForm(FileModel):
    """A line of context labels; ``equivalent``: null is not labelled yet."""

    id: NonBlank | None = None
    reference_text: str | None = None
    question: NonBlank
    source: tuple[NonBlank, ...]
    follow_up: tuple[NonBlank, ...]
    equivalent: bool | None


class AnswerForm(FileModel):
    """A line of answer labels; ``correct``: null, or nothing in a CSV file, is not labelled yet."""

    id: NonBlank | None = None
    question: NonBlank | None = None
    answer: NonBlank
    output: str
    correct: bool | None


def read_context_labels(path: Path) -> ContextLabels:
    """Return the labelled contexts in the file ``path``.

    JSON lines: ``{"question": …, "source": […], "follow_up": […], "equivalent": true|false|null}``, and ``id`` and
    ``reference_text`` where there are any. Lines whose label is null are checked, skipped and counted. An item without
    an id is called after its line.

    Raises:
        InvalidInputError: the file cannot be read, is none of this kind, or holds no label; says every line.
    """
    if path.suffix.lower() == ".csv":
        raise InvalidInputError("context labels are JSON lines, not CSV", where=str(path), hint=_CONTEXT_SHAPE)
    items = _items(path, _json_trees(_text(path), path, _CONTEXT_SHAPE), _context_item)
    labels = [item.equivalent for item in items]
    labelled = tuple(item for item in items if item.equivalent is not None)
    _require_labels(path, len(items), len(labelled), "equivalent", _CONTEXT_SHAPE)
    return ContextLabels(file=str(path), items=labelled, counts=LabelCounts.of(labels))


def read_answer_labels(path: Path) -> AnswerLabels:
    """Return the labelled answers in the file ``path``.

    A ``.csv`` file has the columns ``answer`` (the gold answer), ``output``, ``correct``, and may have ``id`` and
    ``question``; any other is JSON lines with the same keys. Lines without a label are checked, skipped and counted.

    Raises:
        InvalidInputError: the file cannot be read, is none of this kind, or holds no label; says every line.
    """
    text, is_csv = _text(path), path.suffix.lower() == ".csv"
    trees = _csv_trees(text, path) if is_csv else _json_trees(text, path, _ANSWER_SHAPE)
    items = _items(path, trees, _answer_item)
    labels = [item.correct for item in items]
    labelled = tuple(item for item in items if item.correct is not None)
    _require_labels(path, len(items), len(labelled), "correct", _CSV_HINT if is_csv else _ANSWER_SHAPE)
    return AnswerLabels(file=str(path), items=labelled, counts=LabelCounts.of(labels))


def dump_context_items(items: Iterable[ContextItem]) -> str:
    """Return ``items`` as JSON lines that ``read_context_labels`` reads; those without a label are to be filled in."""
    return "".join(f"{to_line(item.model_dump(mode='json'))}\n" for item in items)


def dump_answer_items(items: Iterable[AnswerItem]) -> str:
    """Return ``items`` as JSON lines that ``read_answer_labels`` reads; those without a label are to be filled in."""
    return "".join(f"{to_line(item.model_dump(mode='json'))}\n" for item in items)


_Line = tuple[int, Tree | InvalidInputError]
"""A line's number, and what it holds or why it holds nothing."""

ItemT = TypeVar("ItemT", ContextItem, AnswerItem)


def _text(path: Path) -> str:
    return decode(read_file(path, "file of labels", max_bytes=MAX_LABEL_FILE_BYTES), str(path))


def _items(path: Path, lines: Iterable[_Line], make: Callable[[Tree, str, str], ItemT]) -> list[ItemT]:
    """Return the items of ``lines``; raises InvalidInputError."""
    problems, items, first = Problems(), [], dict[str, int]()
    for line, tree in lines:
        where = f"{path}:{line}"
        if isinstance(tree, InvalidInputError):
            problems.note(tree)
            continue
        item = _attempt(problems, make, tree, where, f"line {line}")
        if item is None:
            continue
        if first.setdefault(item.id, line) != line:
            hint = f"line {first[item.id]} has it too; give each its own, or leave id out"
            problems.add(f"the id {item.id!r} is there twice", where=where, hint=hint)
        items.append(item)
    problems.raise_if_any()
    return items


def _attempt(
    problems: Problems, make: Callable[[Tree, str, str], ItemT], tree: Tree, where: str, name: str
) -> ItemT | None:
    return problems.attempt(lambda: make(tree, where, name))


def _context_item(tree: Tree, where: str, name: str) -> ContextItem:
    form = validate_tree(tree, where, ContextForm).value
    return ContextItem(
        id=form.id or name,
        reference_text=form.reference_text if form.reference_text and form.reference_text.strip() else None,
        question=form.question,
        source=form.source,
        follow_up=form.follow_up,
        equivalent=form.equivalent,
    )


def _answer_item(tree: Tree, where: str, name: str) -> AnswerItem:
    form = validate_tree(tree, where, AnswerForm).value
    return AnswerItem(
        id=form.id or name, question=form.question, answer=form.answer, output=form.output, correct=form.correct
    )


def _json_trees(text: str, path: Path, shape: str) -> Iterator[_Line]:
    for line, words in enumerate(one_line_end(text).split("\n"), start=1):
        if words.strip():
            yield line, _json_tree(words, f"{path}:{line}", shape)


def _json_tree(words: str, where: str, shape: str) -> Tree | InvalidInputError:
    try:
        tree = tree_of(json.loads(words, object_pairs_hook=_once), where)
    except NoSeedError as error:
        return InvalidInputError(error.what, where=where, hint=error.hint)
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        return InvalidInputError(f"this is no JSON: {said}", where=where, hint=shape)
    if not isinstance(tree, Table):
        return InvalidInputError("this is no JSON object", where=where, hint=shape)
    return tree


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise NoSeedError(f"the key {twice!r} is there twice", "keep one of them")
    return found


def _csv_trees(text: str, path: Path) -> Iterator[_Line]:
    columns: list[str] = []
    for line, cells in csv_rows(text, str(path)):
        where = f"{path}:{line}"
        if not columns:
            columns = _checked_columns(cells, where)
        elif len(cells) != len(columns):
            what = f"{len(cells)} values for {len(columns)} columns"
            hint = 'put a text with commas into double quotes: "…"'
            yield line, InvalidInputError(what, where=where, hint=hint)
        else:
            row = zip(columns, cells, strict=True)
            entries: dict[str, Tree] = {
                name: Scalar(cell.strip() if name == "correct" else cell, name == "correct", where)
                for name, cell in row
                if cell.strip() or name not in _OPTIONAL
            }
            yield line, Table(entries, dict.fromkeys(entries, where), where)


def _checked_columns(cells: list[str], where: str) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    unknown = [name for name in names if name not in _COLUMNS]
    lacking = [name for name in _COLUMNS if name not in names and name not in _OPTIONAL]
    twice = [name for name in names if names.count(name) > 1]
    for wrong, what in ((unknown, "unknown column"), (twice, "twice the column"), (lacking, "no column")):
        if wrong:
            raise InvalidInputError(f"{what} {wrong[0]!r}", where=where, hint=_CSV_HINT)
    return names


def _require_labels(path: Path, n_items: int, n_labelled: int, key: str, shape: str) -> None:
    if not n_items:
        raise InvalidInputError("the file holds no item to label", where=str(path), hint=shape)
    if not n_labelled:
        hint = f"fill in {key!r}: true or false"
        raise InvalidInputError(f"none of its {n_items} items is labelled", where=str(path), hint=hint)
