"""Scenario files as resolved scenarios: found, validated, names looked up, parts checked against each other.

It runs nothing and imports no code of users. Every problem of a file is said at once, with its line.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import SutSpec
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.packs.dump import RESOLVED_KEY, ResolvedScenarioFile, dump_scenario
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.files import is_file, is_folder, read_file
from hairpin.packs.finder import PackFile, PackFinder
from hairpin.packs.fingerprints import scenario_fingerprint_parts
from hairpin.packs.kinds import PackKind
from hairpin.packs.model_defaults import spread_default
from hairpin.packs.overrides import apply_overrides
from hairpin.packs.resolution import Resolution
from hairpin.packs.resolver import PackResolver
from hairpin.packs.yaml_source import validate_tree
from hairpin.packs.yaml_tree import Scalar, Table, Tree, parse_yaml

__all__ = ["dump_scenario", "find_scenario", "load_scenario", "scenario_fingerprint_parts"]

_SUFFIXES = (".yaml", ".yml")


def load_scenario(
    reference: str | Path,
    *,
    finder: PackFinder,
    overrides: Mapping[str, str] | None = None,
    sut: SutSpec | None = None,
) -> Scenario:
    """Return the scenario that ``reference`` names, resolved.

    Args:
        reference: a file, or the name of a scenario that a pack folder holds; also a stored, resolved scenario.
        finder: where packs are; the scenario's own folder is searched too.
        overrides: ``--set`` values by dotted key; they go before what the file says.
        sut: an assistant to test in place of the file's, which then needs none.

    Raises:
        InvalidInputError: names file and line (or ``--set KEY``), the value and the way out, one line per problem.
    """
    file = find_scenario(reference, finder)
    tree = parse_yaml(file.data, file.where)
    if isinstance(tree, Table) and RESOLVED_KEY in tree.entries:
        return _stored(tree, file, overrides or {}, sut)
    tree = spread_default(apply_overrides(tree, overrides or {}))
    if sut is not None:
        tree = _with_some_sut(tree)
    document = validate_tree(tree, file.where, ScenarioFile)
    packs = PackResolver(finder.beside(file.path.parent))
    return Resolution(document, file.path.parent.resolve(), packs).scenario(file.origin, sut)


def find_scenario(reference: str | Path, finder: PackFinder) -> PackFile:
    """Return the file that ``reference`` names: an existing file, else a scenario of a pack folder.

    Raises:
        InvalidInputError: there is none, or it is a folder or cannot be read.
    """
    path = Path(reference)
    if isinstance(reference, str) and not is_file(path):
        found = finder.find(PackKind.SCENARIO, reference)
        if found is not None:
            return found
        if path.suffix not in _SUFFIXES and not is_folder(path):
            beside = next((f"{path}{suffix}" for suffix in _SUFFIXES if is_file(Path(f"{path}{suffix}"))), None)
            if beside is not None:
                hint = f"a file is named with its ending: {beside}"
                raise UnknownReferenceError("scenario", reference, where=reference, hint=hint)
            known = finder.names(PackKind.SCENARIO)
            raise UnknownReferenceError("scenario", reference, where=reference or "scenario", known=known)
    return PackFile("scenario", path.stem, path, "file", read_file(path, "scenario"))


def _stored(tree: Table, file: PackFile, overrides: Mapping[str, str], sut: SutSpec | None) -> Scenario:
    inner = apply_overrides(tree.entries[RESOLVED_KEY], overrides)
    whole = Table({**tree.entries, RESOLVED_KEY: inner}, tree.key_where, tree.where)
    scenario = validate_tree(whole, file.where, ResolvedScenarioFile).value.resolved
    if sut is None:
        return scenario
    if scenario.recorded:
        hint = "name another scenario, or leave the assistant out"
        raise InvalidInputError("its conversations are recorded, replies included", where=file.where, hint=hint)
    return scenario.model_copy(update={"sut": sut})


def _with_some_sut(tree: Tree) -> Tree:
    if not isinstance(tree, Table) or "sut" in tree.entries:
        return tree
    stand_in = Scalar("testbed", True, tree.where)
    return Table({**tree.entries, "sut": stand_in}, {**tree.key_where, "sut": tree.where}, tree.where)
