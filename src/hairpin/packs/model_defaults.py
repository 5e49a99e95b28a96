"""What a role of ``models:`` takes from ``default`` where it names no provider of its own.

It works on the tree, before the format is checked, so that messages keep the place where a key was written.
"""

from __future__ import annotations

from typing import Final

from hairpin.packs.model_formats import LOCAL, OPENAI_PREFIX
from hairpin.packs.model_specs import DEFAULT_KEY
from hairpin.packs.yaml_tree import Items, Scalar, Table, Tree

_MODELS: Final = "models"
_PROVIDER: Final = "provider"
_PANEL: Final = "panel"
_ANOTHER_MODEL: Final = frozenset({"model", "deployment", "gguf"})
"""Keys that make it another model, of another price."""


def spread_default(tree: Tree) -> Tree:
    """Return the tree of a scenario in which each role that is a mapping without provider has the keys of ``default``.

    Its own keys go before them; mappings such as ``limits`` are joined key by key.
    """
    models = tree.entries.get(_MODELS) if isinstance(tree, Table) else None
    if not isinstance(tree, Table) or not isinstance(models, Table):
        return tree
    default = _as_table(models.entries.get(DEFAULT_KEY))
    if default is None:
        return tree
    roles = {key: _inheriting(key, role, default) for key, role in models.entries.items()}
    return Table({**tree.entries, _MODELS: Table(roles, models.key_where, models.where)}, tree.key_where, tree.where)


def _inheriting(key: str, role: Tree, default: Table) -> Tree:
    if key == DEFAULT_KEY or not isinstance(role, Table) or _PROVIDER in role.entries:
        return role
    panel = role.entries.get(_PANEL)
    if isinstance(panel, Items):
        members = Items(tuple(_inheriting("", member, default) for member in panel.items), panel.where)
        return Table({**role.entries, _PANEL: members}, role.key_where, role.where)
    dropped = {"price"} if _ANOTHER_MODEL & role.entries.keys() else set()
    kept = {name: value for name, value in default.entries.items() if name not in dropped}
    return _joined(Table(kept, default.key_where, default.where), role)


def _joined(outer: Table, own: Table) -> Table:
    entries = dict(outer.entries)
    for name, value in own.entries.items():
        inherited = entries.get(name)
        if isinstance(inherited, Table) and isinstance(value, Table):
            entries[name] = _joined(inherited, value)
        else:
            entries[name] = value
    return Table(entries, {**outer.key_where, **own.key_where}, own.where)


def _as_table(default: Tree | None) -> Table | None:
    """Return a model as a mapping, also one that is written as a word; ``None`` when there is none to inherit from."""
    if isinstance(default, Table):
        return default if _PROVIDER in default.entries else None
    if not isinstance(default, Scalar):
        return None
    where = default.where
    if default.text == LOCAL:
        return Table({_PROVIDER: Scalar(LOCAL, True, where)}, {_PROVIDER: where}, where)
    if not default.text.startswith(OPENAI_PREFIX):
        return None
    words = {_PROVIDER: "openai", "model": default.text.removeprefix(OPENAI_PREFIX)}
    return Table({key: Scalar(text, False, where) for key, text in words.items()}, dict.fromkeys(words, where), where)
