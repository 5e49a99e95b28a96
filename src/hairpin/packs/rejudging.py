"""The scenario in which conversations of a stored run are judged again: that run's own, with other judges if wanted.

It reads no conversations, and nothing of what a user or an assistant says can be changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from hairpin.domain.model_spec import ModelSpec
from hairpin.domain.outcome import Role
from hairpin.domain.panels import PanelSpec
from hairpin.domain.rubric import Rubric
from hairpin.domain.scenario import PackOrigin, Scenario
from hairpin.domain.sut_spec import RecordedSut
from hairpin.errors import InvalidInputError
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.finder import PackFile, PackFinder
from hairpin.packs.model_defaults import spread_default
from hairpin.packs.model_specs import DEFAULT_KEY, resolve_models
from hairpin.packs.overrides import apply_overrides
from hairpin.packs.resolution import Resolution
from hairpin.packs.resolver import PackResolver, merged_weights
from hairpin.packs.yaml_source import Document, validate_tree
from hairpin.packs.yaml_tree import Items, Scalar, Table, Tree

JUDGING_KEYS: Final = (
    "checks",
    "judges_see_state",
    "language",
    "models",
    "oracles",
    "rubric",
    "threshold",
    "title",
    "turn_timeout_s",
    "weights",
)
"""Keys of a scenario file that ``--set`` may change where conversations are judged again."""

_OF_RUBRIC: Final = frozenset({"threshold", "weights"})
_HERE: Final = "judging again"


def rejudging_scenario(
    stored: Scenario,
    sut: RecordedSut,
    *,
    finder: PackFinder,
    rubric: str | None = None,
    overrides: Mapping[str, str] | None = None,
) -> Scenario:
    """Return the scenario that judges conversations of ``stored`` again.

    Args:
        stored: the scenario of their run, resolved.
        sut: the conversations.
        finder: where packs are.
        rubric: a rubric in place of that of the run.
        overrides: ``--set`` values by dotted key, as of a scenario file; models of roles that are not named stay.

    Raises:
        InvalidInputError: as ``load_scenario``; or a key says what is said, which is written down.
    """
    wanted = dict(overrides or {})
    _refuse_what_is_said(wanted)
    if rubric is not None:
        wanted["rubric"] = f'"{rubric}"' if '"' not in rubric else rubric
    kept = stored.model_copy(update=_unheard(stored, sut))
    if not wanted:
        return kept
    whole = spread_default(apply_overrides(_bare(stored), wanted))
    document = validate_tree(whole, _HERE, ScenarioFile)
    packs = PackResolver(finder.beside(Path.cwd()))
    read = Resolution(_resolvable(whole, document), Path.cwd(), packs).scenario(_file().origin, None)
    changes = {key: value for key, value in _changes(kept, read, document).items() if value is not None}
    return kept.model_copy(update={**changes, "origins": _origins(kept, read)})


def _refuse_what_is_said(overrides: Mapping[str, str]) -> None:
    for key in overrides:
        if key.partition(".")[0] not in JUDGING_KEYS:
            raise InvalidInputError(
                "plays no part where stored conversations are judged again: what was said is written down",
                where=f"--set {key}",
                hint=f"what can be set: {', '.join(JUDGING_KEYS)}",
            )


def _unheard(stored: Scenario, sut: RecordedSut) -> dict[str, object]:
    """Return what is another where nobody is asked anything but the judges."""
    campaign = None if stored.campaign is None else stored.campaign.model_copy(update={"suts": {}})
    gone = {"test_seeds": None, "metamorphic": None, "confirm": None, "canaries": None}
    return {"sut": sut, "campaign": campaign, **gone}


def _bare(stored: Scenario) -> Table:
    """Return a scenario file that says nothing but its name: its user and its assistant are stand-ins."""
    entries: dict[str, Tree] = {
        "id": Scalar(stored.id, False, _HERE),
        "sut": Scalar("testbed", False, _HERE),
        "seed_phrases": Items((Scalar("-", False, _HERE),), _HERE),
        "strategies": Items((), _HERE),
    }
    return Table(entries, dict.fromkeys(entries, _HERE), _HERE)


def _file() -> PackFile:
    return PackFile("scenario", _HERE, Path(_HERE), _HERE, b"")


def _resolvable(tree: Tree, document: Document[ScenarioFile]) -> Document[ScenarioFile]:
    """Return the file without what belongs to the rubric of the run, unless it names another."""
    if document.has("rubric") or not isinstance(tree, Table):
        return document
    entries = {key: value for key, value in tree.entries.items() if key not in _OF_RUBRIC}
    return validate_tree(Table(entries, tree.key_where, tree.where), _HERE, ScenarioFile)


def _changes(kept: Scenario, read: Scenario, document: Document[ScenarioFile]) -> dict[str, object]:
    """Return the parts of the scenario that the overrides change, by field; ``None``: it stays."""
    oracles = kept.oracles
    if document.has("oracles"):
        oracles = read.oracles.model_copy(update={"state": oracles.state})
    if document.has("judges_see_state"):
        oracles = oracles.model_copy(update={"state": read.oracles.state})
    taken: Mapping[str, Callable[[], object]] = {
        "models": lambda: _models(kept, document),
        "checks": lambda: read.checks,
        "language": lambda: read.language,
        "title": lambda: read.title,
        "turn_timeout_s": lambda: read.turn_timeout_s,
    }
    changed: dict[str, object] = {"oracles": oracles}
    if document.has("models"):
        changed["panels"] = _panels(kept, read, document)
    rubric = read.rubric if document.has("rubric") else _rubric(kept.rubric, document)
    return {**changed, "rubric": rubric} | {key: make() for key, make in taken.items() if document.has(key)}


def _models(kept: Scenario, document: Document[ScenarioFile]) -> Mapping[Role, ModelSpec]:
    """Return the models of the run with those that are named; ``offline`` takes one away."""
    named = resolve_models(document, Path.cwd())
    touched = [role for role in Role if document.has("models", role.value)]
    base = {} if document.has("models", DEFAULT_KEY) else {r: m for r, m in kept.models.items() if r not in touched}
    return {role: {**base, **named}[role] for role in Role if role in base or role in named}


def _panels(kept: Scenario, read: Scenario, document: Document[ScenarioFile]) -> Mapping[Role, PanelSpec]:
    """Return the panels of the run with those that are named; a role that is named otherwise has none any more."""
    if document.has("models", DEFAULT_KEY):
        return read.panels
    stay = {role: panel for role, panel in kept.panels.items() if not document.has("models", role.value)}
    return {**stay, **read.panels}


def _rubric(rubric: Rubric, document: Document[ScenarioFile]) -> Rubric:
    changes: dict[str, object] = {}
    if document.value.threshold is not None:
        changes["threshold"] = document.value.threshold
    if document.value.weights is not None:
        changes["weights"] = merged_weights(rubric.weights, document.value.weights, document)
    return rubric.model_copy(update=changes) if changes else rubric


def _origins(kept: Scenario, read: Scenario) -> tuple[PackOrigin, ...]:
    """Return the files of the run, those of what is another now in their place."""
    fresh = {(each.kind, each.name): each for each in read.origins if each.kind == "rubric"}
    known = {(each.kind, each.name): each for each in kept.origins}
    return tuple((known | fresh).values())
