"""Values from ``--set key=value``, put into the tree of a file before it is validated.

Whether they are allowed is the format's work; what is wrong with them is said of ``--set KEY``.
"""

from __future__ import annotations

from collections.abc import Mapping

from hairpin.errors import InvalidInputError
from hairpin.packs.yaml_tree import Items, Scalar, Table, Tree, parse_yaml


def apply_overrides(tree: Tree, overrides: Mapping[str, str]) -> Tree:
    """Return ``tree`` with each value put at its dotted key (``weights.targets``, ``contexts.0.location``).

    Values are what ``tree_of_value`` makes of them.

    Raises:
        InvalidInputError: a key leads through a value that holds no others, or a value is no YAML.
    """
    for key, text in overrides.items():
        where = f"--set {key}"
        steps = key.split(".")
        if not all(steps):
            raise InvalidInputError("the key has an empty part", where=where, hint="write --set key.inner=value")
        tree = _put(tree, steps, tree_of_value(text, where), where)
    return tree


def _put(tree: Tree, steps: list[str], value: Tree, where: str) -> Tree:
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(tree, Table):
        inner = _put(tree.entries.get(step, Table({}, {}, where)), rest, value, where)
        return Table({**tree.entries, step: inner}, {**tree.key_where, step: where}, tree.where)
    if isinstance(tree, Items):
        index = _index(step, tree, where)
        items = (*tree.items[:index], _put(tree.items[index], rest, value, where), *tree.items[index + 1 :])
        return Items(items, tree.where)
    outer = where.removeprefix("--set ").removesuffix("." + ".".join(steps))
    raise InvalidInputError(
        f"{outer} holds no other values, so {step!r} cannot be set in it",
        where=where,
        hint=f"set it whole: --set '{outer}={{{step}: …}}'",
    )


def _index(step: str, items: Items, where: str) -> int:
    if step.isdecimal() and int(step) < len(items.items):
        return int(step)
    known = f"0 to {len(items.items) - 1}" if items.items else "none, the list is empty"
    raise InvalidInputError(f"the list has no item {step!r}", where=where, hint=f"items: {known}")


def tree_of_value(text: str, where: str) -> Tree:
    """Return a value of the command line: YAML if it begins with a bracket, a brace or a quote, else one plain scalar.

    Raises:
        InvalidInputError: it is no YAML, or no text.
    """
    stripped = text.strip()
    try:
        data = stripped.encode("utf-8")
    except UnicodeEncodeError as error:
        hint = "check the terminal's encoding"
        raise InvalidInputError("the value is not valid text", where=where, hint=hint) from error
    if not stripped.startswith(("[", "{", '"', "'")):
        return Scalar(stripped, True, where)
    try:
        return _moved(parse_yaml(data, where), where)
    except InvalidInputError as error:
        raise InvalidInputError(error.what, where=where, hint=error.hint) from error


def _moved(tree: Tree, where: str) -> Tree:
    """Return ``tree`` with everything in it placed at ``where``: a command line has no lines."""
    if isinstance(tree, Table):
        entries = {key: _moved(inner, where) for key, inner in tree.entries.items()}
        return Table(entries, dict.fromkeys(entries, where), where)
    if isinstance(tree, Items):
        return Items(tuple(_moved(inner, where) for inner in tree.items), where)
    return Scalar(tree.text, tree.plain, where)
