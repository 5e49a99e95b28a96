"""Paths in a tree of values: what stands at one, and where.

It changes nothing and judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from hairpin.packs.yaml_tree import Items, Table, Tree

TreePath = tuple[str | int, ...]


def find(tree: Tree, path: TreePath) -> Tree | None:
    """Return what stands at ``path``, or ``None``."""
    node: Tree | None = tree
    for step in path:
        node = child(node, step) if node is not None else None
    return node


def child(node: Tree, step: str | int) -> Tree | None:
    """Return the entry or item ``step`` of ``node``, or ``None``."""
    if isinstance(node, Table) and isinstance(step, str):
        return node.entries.get(step)
    if isinstance(node, Items) and isinstance(step, int) and 0 <= step < len(node.items):
        return node.items[step]
    return None


def place_of(tree: Tree, path: TreePath) -> str:
    """Return the place of the value at ``path``, or of the nearest thing around it that was written."""
    node = tree
    for step in path:
        inner = child(node, step)
        if inner is None:
            break
        node = inner
    return node.where


def key_place(tree: Tree, path: TreePath) -> str:
    """Return the place of the key or item that ``path`` ends in, or of the nearest thing around it."""
    outer = find(tree, path[:-1]) if path else None
    if isinstance(outer, Table) and path[-1] in outer.key_where:
        return outer.key_where[str(path[-1])]
    return place_of(tree, path)


def path_in_tree(tree: Tree, steps: Iterable[str | int]) -> TreePath:
    """Return ``steps`` without those that name no entry of ``tree``, such as the branches of a union."""
    node, path = tree, []
    for step in steps:
        inner = child(node, step)
        if inner is not None:
            node = inner
            path.append(step)
    return tuple(path)


def field_name(path: TreePath) -> str:
    """Return a path as users write it: ``contexts[0].time``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
