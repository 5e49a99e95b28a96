"""Parsed source modules, their imports and the names they use.

It knows Python, not Hairpin's rules: those are in ``architecture_rules``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, eq=False)
class Source:
    """One module: dotted name, text and syntax tree; equal only to itself, so that findings can be cached."""

    name: str
    text: str
    tree: ast.Module = field(repr=False)

    @property
    def unit(self) -> str:
        """The part of the package it belongs to: ``hairpin.graph.nodes`` is of ``graph``; the package itself of ''."""
        return unit_of(self.name)


@dataclass(frozen=True)
class Import:
    """One imported module; ``nested``: not done when the module is imported."""

    module: str
    line: int
    relative: bool
    nested: bool


def unit_of(module: str) -> str:
    """Return the second part of a dotted module name, '' if it has none."""
    return [*module.split("."), ""][1]


def parse(name: str, text: str) -> Source:
    """Return the module ``name`` with this source text."""
    return Source(name=name, text=text, tree=ast.parse(text, filename=name))


def read_package(root: Path) -> tuple[Source, ...]:
    """Read every module of the package in folder ``root``."""
    return tuple(
        parse(module_name(path, root), path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.py"))
    )


def module_name(path: Path, root: Path) -> str:
    """Return the dotted name of the module in ``path`` of the package in folder ``root``."""
    parts = (root.name, *path.relative_to(root).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports_of(source: Source, known: frozenset[str] = frozenset()) -> tuple[Import, ...]:
    """Return what a module imports; ``from a import b`` means ``a.b`` if that is a ``known`` module, else ``a``."""
    return tuple(
        Import(module=target, line=node.lineno, relative=level > 0, nested=nested)
        for node, nested in _import_nodes(source.tree)
        for target, level in _targets(node, known)
    )


@cache
def used_names(source: Source) -> tuple[tuple[str, ast.expr], ...]:
    """Return each dotted name a module uses, with imports resolved: ``dt.now`` may be ``datetime.datetime.now``.

    What starts with a name that is not imported starts with ``?``.
    """
    aliases = dict(_aliases(source.tree))
    inner = {id(node.value) for node in ast.walk(source.tree) if isinstance(node, ast.Attribute)}
    return tuple(
        (_resolve(_dotted(node), aliases), node)
        for node in ast.walk(source.tree)
        if isinstance(node, (ast.Attribute, ast.Name)) and id(node) not in inner
    )


def functions_of(source: Source) -> Iterator[FunctionNode]:
    """Yield every function of a module, methods and nested ones too."""
    yield from (node for node in ast.walk(source.tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def lines_inside(source: Source, function: str) -> frozenset[int]:
    """Return the line numbers inside functions called ``function``."""
    found = (node for node in functions_of(source) if node.name == function)
    return frozenset(line for node in found for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _import_nodes(tree: ast.Module) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    nested_ids = {
        id(node)
        for outer in ast.walk(tree)
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)) or _is_for_types_only(outer)
        for node in ast.walk(outer)
    }
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, id(node) in nested_ids


def _is_for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _targets(node: ast.Import | ast.ImportFrom, known: frozenset[str]) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Import):
        yield from ((alias.name, 0) for alias in node.names)
        return
    base = node.module or ""
    full = [f"{base}.{alias.name}" for alias in node.names]
    inside = {name for name in full if name in known}
    yield from ((name, node.level) for name in sorted(inside))
    if len(inside) < len(full):
        yield base, node.level


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "?")
    return ".".join(reversed(parts))


def _resolve(dotted: str, aliases: Mapping[str, str]) -> str:
    first, dot, rest = dotted.partition(".")
    return aliases.get(first, "?") + dot + rest
