"""What differs between two judgements of the same words, and really takes part in judging words again.

It says which of the differences of two runs count; finding them is ``app.comparison``'s.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hairpin.app.cast import offline_roles
from hairpin.domain.outcome import Role
from hairpin.domain.prompts import PROMPT_NAMES
from hairpin.domain.records import RunInfo
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import RecordedSut
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.finder import PackFinder
from hairpin.packs.rejudging import JUDGING_KEYS, rejudging_scenario
from hairpin.reports.comparison import ChangedPart
from hairpin.store.directory import RECORDINGS_FILE

_SAID: Final = frozenset({"recordings", "packs"} | ScenarioFile.model_fields.keys() - set(JUDGING_KEYS))
"""Parts of a fingerprint that say who said what, and how, or how judges were tried first.

Of the packs judges read the rubric, which is a part of its own.
"""


def judging_only(run: RunInfo, scenario: Scenario) -> Scenario:
    """Return the scenario that judges the words of ``run`` again, without the models that nobody asks then."""
    stored = RecordedSut(file=RECORDINGS_FILE, format="stored", assistants=run.suts)
    again = rejudging_scenario(scenario, stored, finder=PackFinder.standard())
    needed = again.needed_roles
    models = {role: model for role, model in again.models.items() if role in needed}
    panels = {role: panel for role, panel in again.panels.items() if role in needed}
    return again.model_copy(update={"models": models, "panels": panels})


@dataclass(frozen=True, slots=True)
class _Judging:
    """What takes part in judging by either of two scenarios."""

    roles: frozenset[Role]
    offline: bool
    other_models: bool

    def takes(self, change: ChangedPart) -> bool:
        kind, _, name = change.part.partition(".")
        if kind == "agent":
            return name in self.roles
        if kind == "prompt":
            return any(PROMPT_NAMES[role] == name for role in self.roles)
        if kind == "lexicon":
            return self.offline
        if kind == "models":
            return self.other_models
        if kind == "settings":
            return bool(change.detail)
        return not change.of_assistant and kind not in _SAID


def changes_of_judging(changes: Iterable[ChangedPart], before: Scenario, now: Scenario) -> tuple[ChangedPart, ...]:
    """Return those of the changes that can have changed a judgement.

    Args:
        changes: the parts of the fingerprints that differ.
        before: the ``judging_only`` scenario of the first run.
        now: that of the second.
    """
    judging = _Judging(
        roles=before.needed_roles | now.needed_roles,
        offline=bool(offline_roles(before) | offline_roles(now)),
        other_models=(before.models, before.panels) != (now.models, now.panels),
    )
    return tuple(change for change in changes if judging.takes(change))
