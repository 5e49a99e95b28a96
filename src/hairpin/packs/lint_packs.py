"""Lint of packs: rubrics, strategies, seed pools and personas that are valid and cannot find anything.

It runs nothing. Packs are looked at with all others that are found beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeVar

from hairpin.domain.lint import Finding, equal_anchors, never_matters, targets_decide, weightless
from hairpin.domain.rubric import Rubric
from hairpin.errors import UserError
from hairpin.packs.canaries import find_canaries
from hairpin.packs.file_model import FileModel
from hairpin.packs.files import read_file
from hairpin.packs.finder import BUILT_IN, PackFile, PackFinder
from hairpin.packs.kinds import PackKind
from hairpin.packs.lint_scenarios import lint_phrases
from hairpin.packs.pack_formats import RubricFile, SeedPoolFile, StrategyPackFile, phrase_text
from hairpin.packs.resolver import PackResolver
from hairpin.packs.transcripts import find_transcripts
from hairpin.packs.tree_paths import TreePath
from hairpin.packs.yaml_source import Document, load_document

F = TypeVar("F", bound=FileModel)

LINTED = (PackKind.RUBRIC, PackKind.STRATEGY, PackKind.POOL, PackKind.PERSONA)
"""The kinds that rules are about."""


def lint_pack(kind: PackKind, name: str, finder: PackFinder) -> Iterator[Finding]:
    """Yield what is valid and pointless in a pack.

    Raises:
        InvalidInputError: there is none of that name, or it is not valid.
    """
    file, resolver = finder.require(kind, name, where=name), PackResolver(finder)
    if kind is PackKind.RUBRIC:
        rubric = resolver.rubric(name, where=name)
        find_canaries(rubric, finder)  # which must be valid
        yield from _rubric(file, rubric, finder)
    elif kind is PackKind.STRATEGY:
        resolver.strategies([(name, name)])
        yield from _strategies(_document(file, StrategyPackFile), finder)
    elif kind is PackKind.POOL:
        resolver.pool(name, where=name)
        yield from _pool(_document(file, SeedPoolFile))
    elif kind is PackKind.PERSONA:
        resolver.persona(name, where=name)
        yield from _persona(file, finder)


def _document(file: PackFile, model: type[F]) -> Document[F]:
    return load_document(file.data, file.where, model)


def _rubric(file: PackFile, rubric: Rubric, finder: PackFinder) -> Iterator[Finding]:
    document, weights = _document(file, RubricFile), rubric.weights
    if rubric.threshold == 0:
        yield Finding(
            rule="threshold-zero",
            where=document.where("threshold"),
            what="the threshold is 0",
            why="every success score reaches it: no conversation fails by its score",
            hint="raise it",
        )
    for name in weightless(weights):
        yield _of_weights(document, f"dimension {name!r} has weight 0", "it is judged and counts for nothing")
    if targets_decide(weights, rubric.threshold):
        why = "no dimension can fail a conversation whose targets are completed"
        yield _of_weights(document, f"targets alone reach the threshold {rubric.threshold:g}", why)
    for name in never_matters(weights, rubric.threshold) if rubric.threshold else ():
        what = f"the score of dimension {name!r} never changes a verdict"
        yield _of_weights(document, what, "its weight is too small at this threshold")
    for index, dimension in enumerate(rubric.dimensions):
        same = equal_anchors(dimension)
        if same is not None:
            yield Finding(
                rule="anchors-equal",
                where=document.where("dimensions", index, "anchors", str(same[1])),
                what=f"dimension {dimension.id!r} says the same of the scores {same[0]} and {same[1]}",
                why="no judge can tell them apart",
                hint="say what makes the higher one better",
            )
    yield from _untested_modes(document, rubric, finder)


def _of_weights(document: Document[RubricFile], what: str, why: str) -> Finding:
    hint = "change 'weights' or the threshold"
    return Finding(rule="weights", where=document.where("weights"), what=what, why=why, hint=hint)


def _untested_modes(document: Document[RubricFile], rubric: Rubric, finder: PackFinder) -> Iterator[Finding]:
    """Yield the modes that some transcript with a known judgement should be about, where the rubric has any."""
    found = find_transcripts(rubric, finder)
    if found is None:
        return
    tested = {pair.mode for pair in found[0].twins}
    for index, mode in enumerate(rubric.modes):
        if mode.id not in tested:
            yield Finding(
                rule="mode-untested",
                where=document.where("modes", index),
                what=f"no known transcript of the rubric is about the failure mode {mode.id!r}",
                why="whether judges find it is never tried",
                hint=f"add one to {PurePosixPath('rubrics', rubric.id, 'transcripts.yaml')}",
            )


@dataclass(frozen=True, slots=True)
class _Modes:
    """The failure modes of the rubrics that are valid, and what is wrong with the others, by name."""

    known: frozenset[str]
    unread: Mapping[str, str]


def _modes_of_rubrics(finder: PackFinder) -> _Modes:
    resolver, known, unread = PackResolver(finder), set[str](), dict[str, str]()
    for name in finder.names(PackKind.RUBRIC):
        try:
            known |= {mode.id for mode in resolver.rubric(name, where=name).modes}
        except UserError as error:
            unread[name] = str(error)
    return _Modes(frozenset(known), unread)


def unchecked_aims(name: str, finder: PackFinder) -> Iterator[str]:
    """Yield, for each rubric that is not valid, why it is open whether some strategies of a pack aim at a mode of it.

    Nothing, where rubrics that are valid define every mode that the pack's strategies aim at.

    Raises:
        InvalidInputError: there is no such pack of strategies, or it is not valid.
    """
    file = finder.require(PackKind.STRATEGY, name, where=name)
    modes = _modes_of_rubrics(finder)
    strategies = _document(file, StrategyPackFile).value.strategies
    aims = [f"{each.id!r} at {each.target_mode!r}" for each in strategies if each.target_mode not in modes.known]
    for rubric, wrong in modes.unread.items() if aims else ():
        yield (
            f"{file.where}: no valid rubric defines what its strategies aim at ({', '.join(aims)}), and whether rubric "
            f"{rubric!r} does could not be checked, because it is not valid: {wrong}"
        )


def _strategies(document: Document[StrategyPackFile], finder: PackFinder) -> Iterator[Finding]:
    modes = _modes_of_rubrics(finder)
    members = {member for pool in document.value.pools.values() for member in pool}
    for index, strategy in enumerate(document.value.strategies):
        if not modes.unread and strategy.target_mode not in modes.known:
            yield Finding(
                rule="strategy-aims-at-nothing",
                where=document.where("strategies", index, "target_mode"),
                what=f"strategy {strategy.id!r} aims at {strategy.target_mode!r}, which no rubric defines",
                why="no scenario can use it",
                hint="name a failure mode of a rubric, or write the rubric beside it",
            )
        if members and strategy.id not in members:
            yield Finding(
                rule="strategy-unused",
                where=document.where("strategies", index),
                what=f"strategy {strategy.id!r} is in no pool of its file",
                why="a scenario that names a pool never uses it",
                hint="add it to a pool",
            )


def _pool(document: Document[SeedPoolFile]) -> Iterator[Finding]:
    file = document.value
    paths: list[tuple[str, TreePath]] = [
        (phrase_text(phrase), ("phrases", index)) for index, phrase in enumerate(file.phrases or ())
    ]
    for task, texts in (file.tasks or {}).items():
        paths += [(phrase_text(text), ("tasks", task, index)) for index, text in enumerate(texts)]
    yield from lint_phrases(tuple(text for text, _ in paths), [document.where(*path) for _, path in paths])


def _persona(file: PackFile, finder: PackFinder) -> Iterator[Finding]:
    """Yield a persona of the user's own that no scenario of theirs names; those that ship are for everybody."""
    if file.label == BUILT_IN:
        return
    scenarios = [path for _, root, path in finder.listed(PackKind.SCENARIO) if root.label != BUILT_IN]
    if scenarios and not any(file.name.encode() in read_file(path, "scenario") for path in scenarios):
        yield Finding(
            rule="persona-unused",
            where=f"{file.where}:1",
            what=f"no scenario beside it names the persona {file.name!r}",
            why="nobody ever plays it",
            hint="name it under 'personas' of a scenario, or remove it",
        )
