"""Files of users as validated models: bytes in, a pydantic model or every problem with its line out.

It knows no format; ``file_formats`` does.

Values are typed by the model, not by YAML alone. Where a model wants a text, a plain ``1.10``, ``007`` or ``true``
stays as written; ``null``, ``~`` and nothing at all are no text and are refused with the hint to quote. Where it wants
a number or true/false, a quoted one is refused: a ``"false"`` is never true.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from hairpin.packs.problems import line_of, one_error
from hairpin.packs.tree_paths import TreePath, find, key_place, path_in_tree, place_of
from hairpin.packs.validation_messages import describe_errors
from hairpin.packs.yaml_tree import Items, Scalar, Table, Tree, parse_yaml

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Document(Generic[M]):
    """A validated model with the tree it came from, so that later findings can name lines."""

    value: M
    tree: Tree
    name: str

    def where(self, *path: str | int) -> str:
        """Return the place of the value at ``path``, or of the nearest thing around it that was written."""
        return place_of(self.tree, path)

    def key_where(self, *path: str | int) -> str:
        """Return the place of the key that ``path`` ends in."""
        return key_place(self.tree, path)

    def has(self, *path: str | int) -> bool:
        """Whether something was written at ``path``."""
        return find(self.tree, path) is not None


def load_model(data: bytes, where: str, model: type[M]) -> M:
    """Return the ``model`` that the YAML document ``data`` holds.

    Raises:
        InvalidInputError: names ``where``, the line, the field, the value and the way out; one line per problem.
    """
    return load_document(data, where, model).value


def load_document(data: bytes, where: str, model: type[M]) -> Document[M]:
    """Like ``load_model``, and keeps the lines."""
    document: Document[M] = _document(data, where, model)
    return document


@lru_cache(maxsize=128)
def _document(data: bytes, where: str, model: type[BaseModel]) -> Document[Any]:
    """Read each text once: YAML takes most of loading a scenario, and a benchmark loads dozens with the same packs.

    Documents are frozen, so that all can share one; errors are not kept.
    """
    return validate_tree(parse_yaml(data, where), where, model)


def validate_tree(tree: Tree, name: str, model: type[M]) -> Document[M]:
    """Return the ``model`` that ``tree`` holds, with its lines; raises InvalidInputError."""
    written: set[TreePath] = set()
    while True:
        try:
            value = model.model_validate_json(json.dumps(_plain_data(tree, written)), strict=True)
            return Document(value, tree, name)
        except ValidationError as error:
            more = _texts_wanted(tree, error) - written
            found = sorted(describe_errors(error, tree, model), key=line_of)
        if not more:
            # Outside the except clause: pydantic's error shows values, credentials too, that the messages mask.
            raise one_error(found)
        written |= more


def _plain_data(tree: Tree, written: set[TreePath], path: TreePath = ()) -> Any:
    """Return ``tree`` as JSON data, the scalars at the paths ``written`` as their text."""
    if isinstance(tree, Table):
        return {key: _plain_data(child, written, (*path, key)) for key, child in tree.entries.items()}
    if isinstance(tree, Items):
        return [_plain_data(child, written, (*path, index)) for index, child in enumerate(tree.items)]
    return tree.text if path in written else tree.value()


def _texts_wanted(tree: Tree, error: ValidationError) -> set[TreePath]:
    """Return the paths of plain numbers and booleans where the model wants a text."""
    wanted: set[TreePath] = set()
    for item in error.errors(include_url=False):
        if item["type"] != "string_type":
            continue
        path = path_in_tree(tree, item["loc"])
        node = find(tree, path)
        if isinstance(node, Scalar) and node.plain and node.value() is not None:
            wanted.add(path)
    return wanted
