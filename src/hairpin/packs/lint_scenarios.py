"""Lint of a scenario file: what is valid in it and cannot find anything, each with its line.

It runs nothing; what a do-nothing assistant comes to is ``app.linting``'s to try.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from hairpin.domain.canary_words import LEAST_ASKED
from hairpin.domain.checks import CheckSpec
from hairpin.domain.lint import (
    Finding,
    always_passes,
    asks_nothing,
    echo_passes,
    never_matters,
    repeated,
    targets_decide,
    weightless,
)
from hairpin.domain.plan import plan_conversations
from hairpin.domain.scenario import Scenario
from hairpin.packs.dump import RESOLVED_KEY
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.finder import PackFinder
from hairpin.packs.model_defaults import spread_default
from hairpin.packs.overrides import apply_overrides
from hairpin.packs.scenarios import find_scenario
from hairpin.packs.tree_paths import TreePath
from hairpin.packs.yaml_source import Document, validate_tree
from hairpin.packs.yaml_tree import Table, parse_yaml


def read_document(
    reference: str | Path, finder: PackFinder, overrides: Mapping[str, str] | None = None
) -> Document[ScenarioFile] | None:
    """Return the file of a scenario with its lines; ``None``: a stored one, whose lines nobody wrote.

    Raises:
        InvalidInputError: it cannot be read or is not valid.
    """
    file = find_scenario(reference, finder)
    tree = parse_yaml(file.data, file.where)
    if isinstance(tree, Table) and RESOLVED_KEY in tree.entries:
        return None
    return validate_tree(spread_default(apply_overrides(tree, overrides or {})), file.where, ScenarioFile)


def lint_scenario(document: Document[ScenarioFile], scenario: Scenario) -> Iterator[Finding]:
    """Yield what is valid and pointless in a scenario; ``scenario`` is ``document`` resolved."""
    yield from _checks(document, scenario)
    if scenario.oracles.dimensions and scenario.test_seeds is None:
        yield from _scoring(document, scenario)
    yield from _phrases(document)
    yield from _canaries(document, scenario)
    yield from _unused(document, scenario)


def _checks(document: Document[ScenarioFile], scenario: Scenario) -> Iterator[Finding]:
    said = [turn.user for turn in scenario.script]
    for index, check in enumerate(scenario.checks):
        yield from _check(document, check, ("checks", index), said)
    for number, turn in enumerate(scenario.script):
        for index, check in enumerate(turn.checks):
            yield from _check(document, check, ("turns", number, "checks", index), [turn.user])


def _check(document: Document[ScenarioFile], check: CheckSpec, path: TreePath, said: list[str]) -> Iterator[Finding]:
    where = document.where(*path)
    if always_passes(check):
        yield Finding(
            rule="check-always-passes",
            where=where,
            what=f"{check.name} matches every reply, an empty one too",
            why="it can never fail",
            hint="say what the reply must hold",
        )
    elif said and all(echo_passes(check, utterance) for utterance in said):
        yield Finding(
            rule="check-passes-echo",
            where=where,
            what=f"{check.name} is met by the user's own words",
            why="an assistant that only says them back passes",
            hint="check for something that only the right answer holds",
        )


def _scoring(document: Document[ScenarioFile], scenario: Scenario) -> Iterator[Finding]:
    weights, threshold = scenario.rubric.weights, scenario.rubric.threshold
    if threshold == 0:
        yield Finding(
            rule="threshold-zero",
            where=document.where("threshold"),
            what="the threshold is 0",
            why="every success score reaches it: no conversation fails by its score",
            hint="raise it, or leave 'dimensions' out of oracles",
        )
        return
    for name in weightless(weights) if document.has("weights") else ():
        yield _of_weights(document, f"dimension {name!r} has weight 0", "it is judged and counts for nothing", name)
    if targets_decide(weights, threshold):
        what = f"targets alone reach the threshold {threshold:g}"
        yield _of_weights(document, what, "no dimension can fail a conversation whose targets are completed", "")
    for name in never_matters(weights, threshold):
        what = f"the score of dimension {name!r} never changes a verdict"
        yield _of_weights(document, what, f"at the threshold {threshold:g} its weight is too small", name)


def _of_weights(document: Document[ScenarioFile], what: str, why: str, name: str) -> Finding:
    where = document.where("weights", "dimensions", name) if name else document.where("weights")
    hint = "give it more weight, or remove it from the rubric" if name else "lower the weight of targets"
    return Finding(rule="weights", where=where, what=what, why=why, hint=hint)


def _phrases(document: Document[ScenarioFile]) -> Iterator[Finding]:
    phrases = document.value.seed_phrases
    if isinstance(phrases, tuple):
        yield from lint_phrases(phrases, [document.where("seed_phrases", index) for index in range(len(phrases))])


def lint_phrases(phrases: tuple[str, ...], wheres: list[str]) -> Iterator[Finding]:
    """Yield seed phrases that repeat another, or ask for nothing."""
    for index, earlier in repeated(phrases):
        yield Finding(
            rule="seed-phrase-repeats",
            where=wheres[index],
            what=f"the seed phrase {phrases[index]!r} says the same as {phrases[earlier]!r} ({wheres[earlier]})",
            why="it counts twice in every rate",
            hint="remove it; 'repeats' holds a conversation more than once",
        )
    for phrase, where in zip(phrases, wheres, strict=True):
        if asks_nothing(phrase):
            yield Finding(
                rule="seed-phrase-asks-nothing",
                where=where,
                what=f"the seed phrase {phrase!r} asks for nothing",
                why="no target comes of it, so nothing can be completed or missed",
                hint="write what the user wants",
            )


def _canaries(document: Document[ScenarioFile], scenario: Scenario) -> Iterator[Finding]:
    """Yield that canaries are too few to say anything, where it is known how many conversations there will be."""
    spec, campaign = scenario.canaries, scenario.campaign
    n = _n_planned(scenario) if campaign is None else campaign.conversations
    if spec is None or n is None or scenario.recorded or scenario.test_seeds is not None:
        return
    most, wanted = math.ceil(spec.share * n), 2 * LEAST_ASKED
    if most >= wanted:
        return
    share = math.ceil(100 * wanted / n) / 100
    yield Finding(
        rule="canaries-too-few",
        where=document.where("canaries"),
        what=f"{n} conversation{'s' * (n != 1)} with a share of {spec.share:g} get{'s' * (n == 1)} {most}"
        f" canar{'y' if most == 1 else 'ies'} at most",
        why=f"nothing is said of judges that were not tried on {LEAST_ASKED} known-good and {LEAST_ASKED} bad ones",
        hint=f"raise the share to {share:g}" if share <= 1 else f"hold {wanted} conversations, with a share of 1",
    )


def _n_planned(scenario: Scenario) -> int:
    return sum(1 for _ in plan_conversations(scenario, ("",)))


def _unused(document: Document[ScenarioFile], scenario: Scenario) -> Iterator[Finding]:
    file, n_turns = document.value, len(scenario.script)
    if n_turns and document.has("max_turns") and file.max_turns > n_turns:
        yield Finding(
            rule="max-turns-unreached",
            where=document.where("max_turns"),
            what=f"max_turns is {file.max_turns}, and the script has {n_turns} turn{'s' * (n_turns != 1)}",
            why="that many are never reached",
            hint="leave it out",
        )
    if scenario.script and document.has("personas"):
        yield Finding(
            rule="persona-unused",
            where=document.where("personas"),
            what="personas play no part: the user's words are written down",
            why="the same conversation is held once for each of them",
            hint="leave 'personas' out, or use 'repeats'",
        )
    if document.has("strategies") and scenario.strategies and not scenario.oracles.turn_judge:
        yield Finding(
            rule="mode-never-labelled",
            where=document.where("strategies"),
            what="strategies are named, and the turn judge is off",
            why="no failure mode is ever labelled: whether a strategy worked nobody can tell",
            hint="add turn_judge to 'oracles', or leave 'strategies' out",
        )
    if file.strategies is not None and scenario.script:
        yield Finding(
            rule="strategies-unused",
            where=document.where("strategies"),
            what="strategies play no part: the user's words are written down",
            why="none of them is ever used",
            hint="leave 'strategies' out, or write seed_phrases",
        )
