"""The scenario in which test seeds from a file are replayed: an existing one's assistant and settings, or the defaults.

It reads no test seeds; ``test_seed_source`` does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hairpin.domain.scenario import Scenario
from hairpin.domain.test_seeds import TestSeedsSource
from hairpin.errors import InvalidInputError
from hairpin.packs.dump import RESOLVED_KEY
from hairpin.packs.file_formats import SOURCE_KEYS, ScenarioFile
from hairpin.packs.files import read_file
from hairpin.packs.finder import PackFile, PackFinder
from hairpin.packs.model_defaults import spread_default
from hairpin.packs.overrides import apply_overrides, tree_of_value
from hairpin.packs.resolution import Resolution
from hairpin.packs.resolver import PackResolver
from hairpin.packs.scenarios import find_scenario
from hairpin.packs.yaml_source import validate_tree
from hairpin.packs.yaml_tree import Scalar, Table, Tree, parse_yaml

_OF_ITS_OWN_WORDS: Final = frozenset({*SOURCE_KEYS, "personas", "contexts", "strategies", "max_turns", "campaign"})
"""Keys of a scenario that say what a user says, and how long: here the test seeds do."""

_OF_ITS_JUDGES: Final = frozenset({"oracles", "confirm", "canaries"})
"""Keys that say who judges, and what tries the judges: here relations decide."""


def dataset_scenario(
    source: TestSeedsSource,
    *,
    finder: PackFinder,
    sut: str | None = None,
    base: str | Path | None = None,
    overrides: Mapping[str, str] | None = None,
) -> Scenario:
    """Return the scenario that replays the test seeds of ``source``.

    Args:
        source: the file; an absolute path.
        finder: where packs are.
        sut: the assistant, as the key ``sut`` of a scenario has it: a word, or a mapping in braces.
        base: a scenario whose assistant, models and settings are used; its user's words, personas, strategies and
            judges are not. ``None``: the defaults of scenario files.
        overrides: ``--set`` values by dotted key.

    Raises:
        InvalidInputError: neither says which assistant, or as ``load_scenario``.
    """
    file = _default(source) if base is None else find_scenario(base, finder)
    tree = parse_yaml(file.data, file.where)
    if isinstance(tree, Table) and RESOLVED_KEY in tree.entries:
        raise InvalidInputError(
            "is the scenario of a run, resolved for its own test seeds", where=file.where, hint="name the one it was"
        )
    tree = apply_overrides(_with_seeds(tree, source, sut), overrides or {})
    if isinstance(tree, Table) and "sut" not in tree.entries:
        hint = "give --sut (testbed, story, ./my_adapter.py:Mine), or a scenario that has one with --scenario"
        raise InvalidInputError("no assistant is named", where="--sut", hint=hint)
    document = validate_tree(spread_default(tree), file.where, ScenarioFile)
    packs = PackResolver(finder.beside(file.path.parent))
    return Resolution(document, file.path.parent.resolve(), packs).scenario(file.origin, None)


_SCENARIO_KEYS: Final = frozenset({*SOURCE_KEYS, "sut", "test_seeds", "metamorphic", "campaign", RESOLVED_KEY})


def is_dataset(path: Path) -> bool:
    """Whether an existing file holds test seeds and is no scenario: told by its ending or, of YAML, by its keys.

    Raises:
        InvalidInputError: it is YAML and cannot be read.
    """
    if path.suffix not in (".yaml", ".yml"):
        return True
    tree = parse_yaml(read_file(path, "file of test seeds"), str(path))
    return not isinstance(tree, Table) or not _SCENARIO_KEYS & tree.entries.keys()


def _default(source: TestSeedsSource) -> PackFile:
    """Return a scenario file that says nothing but its name, which is that of the file of test seeds."""
    name = re.sub(r"[^\w.-]+", "_", Path(source.file).stem).strip("_.-") or "test_seeds"
    return PackFile("scenario", name, Path("test_seeds.yaml"), "command line", f'version: 1\nid: "{name}"\n'.encode())


def _with_seeds(tree: Tree, source: TestSeedsSource, sut: str | None) -> Tree:
    """Return the tree of a scenario with the test seeds in place of its user's words; ``--set`` may still change it."""
    if not isinstance(tree, Table):
        return tree
    entries = {key: value for key, value in tree.entries.items() if key not in _OF_ITS_OWN_WORDS | _OF_ITS_JUDGES}
    where = {**tree.key_where, "test_seeds": source.file}
    entries["test_seeds"] = _seeds_tree(source, source.file)
    if sut is not None:
        entries["sut"], where["sut"] = tree_of_value(sut, "--sut"), "--sut"
    return Table(entries, where, tree.where)


def _seeds_tree(source: TestSeedsSource, where: str) -> Table:
    values = {key: str(value) for key, value in source.model_dump(exclude_none=True).items() if key != "strict"}
    entries: dict[str, Tree] = {key: Scalar(text, key not in ("file", "format"), where) for key, text in values.items()}
    entries["strict"] = Scalar("true" if source.strict else "false", True, where)
    return Table(entries, dict.fromkeys(entries, where), where)
