"""The scenario in which conversations made elsewhere are judged: an existing one's oracles, or the default ones.

It reads no conversations; ``recordings`` does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hairpin.domain.scenario import Oracles, Scenario
from hairpin.domain.sut_spec import RecordedSut
from hairpin.packs.dump import RESOLVED_KEY
from hairpin.packs.file_formats import SOURCE_KEYS, ScenarioFile
from hairpin.packs.finder import PackFile, PackFinder
from hairpin.packs.model_defaults import spread_default
from hairpin.packs.overrides import apply_overrides
from hairpin.packs.resolution import Resolution
from hairpin.packs.resolver import PackResolver
from hairpin.packs.scenarios import find_scenario, load_scenario
from hairpin.packs.yaml_source import validate_tree
from hairpin.packs.yaml_tree import Items, Scalar, Table, Tree, parse_yaml

_OF_A_SPEAKING_USER: Final = frozenset({*SOURCE_KEYS, "personas", "strategies", "max_turns", "campaign", "metamorphic"})
"""Keys of a scenario that say what a user says, and how long: here that is written down."""


def import_scenario(
    sut: RecordedSut,
    *,
    finder: PackFinder,
    base: str | Path | None = None,
    rubric: str | None = None,
    overrides: Mapping[str, str] | None = None,
) -> Scenario:
    """Return the scenario that judges the conversations of ``sut``.

    Args:
        sut: the file; an absolute path.
        finder: where packs are.
        base: a scenario whose rubric, oracles, models, checks, contexts and language are used; its assistant, its
            user's words, personas and strategies are not. ``None``: the defaults of scenario files.
        rubric: a rubric in place of the scenario's.
        overrides: ``--set`` values by dotted key.

    Raises:
        InvalidInputError: as ``load_scenario``.
    """
    file = _default(sut) if base is None else find_scenario(base, finder)
    tree = parse_yaml(file.data, file.where)
    if isinstance(tree, Table) and RESOLVED_KEY in tree.entries:
        return _of_resolved(load_scenario(file.path, finder=finder, overrides=overrides), sut)
    tree = spread_default(apply_overrides(_recorded(tree, sut, rubric), overrides or {}))
    document = validate_tree(tree, file.where, ScenarioFile)
    packs = PackResolver(finder.beside(file.path.parent))
    return Resolution(document, file.path.parent.resolve(), packs).scenario(file.origin, None)


def _default(sut: RecordedSut) -> PackFile:
    """Return a scenario file that says nothing but its name, which is that of the file of conversations."""
    name = re.sub(r"[^\w.-]+", "_", Path(sut.file).stem).strip("_.-") or "imported"
    return PackFile("scenario", name, Path("imported.yaml"), "import", f'version: 1\nid: "{name}"\n'.encode())


def _recorded(tree: Tree, sut: RecordedSut, rubric: str | None) -> Tree:
    """Return the tree of a scenario with the recorded assistant; ``--set`` may still change it."""
    if not isinstance(tree, Table):
        return tree
    entries = {key: value for key, value in tree.entries.items() if key not in _OF_A_SPEAKING_USER}
    entries["sut"] = _sut_tree(sut, sut.file)
    where = {**tree.key_where, "sut": sut.file}
    if rubric is not None:
        entries["rubric"], where["rubric"] = Scalar(rubric, False, "--rubric"), "--rubric"
    return Table(entries, where, tree.where)


def _sut_tree(sut: RecordedSut, where: str) -> Table:
    entries: dict[str, Tree] = {
        key: Scalar(text, False, where)
        for key, text in (
            ("provider", sut.provider),
            ("file", sut.file),
            ("format", sut.format),
            ("name", sut.name),
            ("version", sut.version),
        )
        if text
    }
    entries["strict"] = Scalar("true" if sut.strict else "false", True, where)
    entries["end_tokens"] = Items(tuple(Scalar(token, False, where) for token in sut.end_tokens), where)
    return Table(entries, dict.fromkeys(entries, where), where)


def _of_resolved(scenario: Scenario, sut: RecordedSut) -> Scenario:
    """Return a stored scenario with the recorded assistant."""
    changes: dict[str, object] = {"sut": sut, "seed_phrases": (), "script": (), "strategies": (), "tasks": {}}
    changes |= {"campaign": None, "test_seeds": None, "metamorphic": None}
    if scenario.test_seeds is not None:
        changes["oracles"] = Oracles()  # replays need none, recordings do
    return scenario.model_copy(update=changes)
