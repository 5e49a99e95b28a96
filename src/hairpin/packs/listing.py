"""What ``hairpin packs list`` shows.

It lists every file, also shadowed and broken ones, and raises for none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hairpin.domain.base import Value
from hairpin.errors import InvalidInputError
from hairpin.packs.files import read_file
from hairpin.packs.finder import BUILT_IN, PackFinder, PackRoot
from hairpin.packs.kinds import PackKind
from hairpin.packs.prompt_text import split_prompt
from hairpin.packs.tree_paths import find
from hairpin.packs.yaml_tree import Scalar, Table, Tree, parse_yaml


class PackEntry(Value):
    """One pack. ``members``: what a strategy pack's name can be followed by; ``problem``: why it cannot be read."""

    kind: PackKind
    name: str
    title: str
    origin: str
    shadowed: bool = False
    members: tuple[str, ...] = ()
    problem: str = ""


def list_packs(finder: PackFinder, kinds: Sequence[PackKind] = tuple(PackKind)) -> tuple[PackEntry, ...]:
    """Return all packs of ``kinds`` by kind and name; of one name the used one comes first."""
    return tuple(entry for kind in kinds for entry in sorted(_entries(finder, kind), key=lambda entry: entry.name))


def _entries(finder: PackFinder, kind: PackKind) -> Iterator[PackEntry]:
    seen: set[str] = set()
    for name, root, path in finder.listed(kind):
        yield _entry(kind, name, root, path, shadowed=name in seen)
        seen.add(name)


def _entry(kind: PackKind, name: str, root: PackRoot, path: Path, *, shadowed: bool) -> PackEntry:
    title, members, problem = "", tuple[str, ...](), ""
    try:
        tree = _tree(read_file(path, kind.value), str(path), kind)
    except InvalidInputError as error:
        problem = str(error)
    else:
        title, members = _text(tree, "title"), _members(tree)
    origin = root.label if root.label == BUILT_IN else f"{root.label}: {path}"
    return PackEntry(
        kind=kind, name=name, title=title, origin=origin, shadowed=shadowed, members=members, problem=problem
    )


def _tree(data: bytes, where: str, kind: PackKind) -> Tree:
    return split_prompt(data, where).front_matter if kind is PackKind.PROMPT else parse_yaml(data, where)


def _text(tree: Tree, key: str) -> str:
    node = find(tree, (key,))
    return node.text if isinstance(node, Scalar) else ""


def _members(tree: Tree) -> tuple[str, ...]:
    pools = find(tree, ("pools",))
    return tuple(pools.entries) if isinstance(pools, Table) else ()
