"""What a run starts from: the scenario, who plays the roles, the checks. Everything a user can get wrong is found here.

It opens no session and writes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hairpin.agents.absent import absent_roles
from hairpin.agents.offline.roles import build_offline_roles
from hairpin.domain.scenario import PackOrigin, Scenario
from hairpin.domain.sut_spec import SutSpec
from hairpin.errors import InvalidInputError
from hairpin.packs.checks import build_checks
from hairpin.packs.finder import PackFinder
from hairpin.packs.lexicons import find_lexicon
from hairpin.packs.scenarios import find_scenario, load_scenario
from hairpin.ports import Check, Roles

OFFLINE = "offline"
NOBODY = "nobody"
MAX_PLANNED = 100_000
ROLE_NAMES = ("extractor", "simulator", "strategist", "turn_judge", "conversation_judges")


@dataclass(frozen=True, slots=True)
class RunInputs:
    """A resolved scenario with its roles and checks; ``agents`` says per role what plays it."""

    scenario: Scenario
    roles: Roles
    agents: Mapping[str, str]
    checks: tuple[Check, ...]
    turn_checks: tuple[tuple[Check, ...], ...]
    lexicon: PackOrigin | None

    @property
    def agents_line(self) -> str:
        """One sentence on who plays the roles."""
        if self.lexicon is None:
            return "No agent takes part: the turns are written down, and checks alone decide."
        return "Offline agents play every role; no model is asked but the assistant under test."


def load_inputs(
    reference: str | Path,
    *,
    packs: Sequence[Path] = (),
    overrides: Mapping[str, str] | None = None,
    sut: SutSpec | None = None,
) -> RunInputs:
    """Load the scenario that ``reference`` names and everything it needs.

    Args:
        reference: a scenario file, or the name of a shipped one.
        packs: folders searched before all others.
        overrides: ``--set`` values by dotted key.
        sut: an assistant to test in place of the scenario's.

    Raises:
        UserError: something must be mended; says what and where.
    """
    finder = PackFinder.standard(packs=packs, project=Path.cwd())
    scenario = load_scenario(reference, finder=finder, overrides=overrides, sut=sut)
    _refuse_endless(scenario)
    beside = finder.beside(find_scenario(reference, finder).path.parent)
    roles, lexicon = _roles(scenario, beside)
    player = NOBODY if lexicon is None else OFFLINE
    return RunInputs(
        scenario=scenario,
        roles=roles,
        agents=dict.fromkeys(ROLE_NAMES, player),
        checks=build_checks(scenario.checks),
        turn_checks=tuple(build_checks(turn.checks) for turn in scenario.script),
        lexicon=lexicon,
    )


def _refuse_endless(scenario: Scenario) -> None:
    factors = (len(scenario.seed_phrases) or 1, len(scenario.personas), len(scenario.contexts), scenario.repeats)
    if math.prod(factors) > MAX_PLANNED:
        what = "{} seed phrases × {} personas × {} contexts × {} repeats".format(*factors)
        hint = f"a run holds at most {MAX_PLANNED} conversations; lower 'repeats'"
        raise InvalidInputError(f"{what} are too many", where=f"scenario {scenario.id!r}", hint=hint)


def _roles(scenario: Scenario, finder: PackFinder) -> tuple[Roles, PackOrigin | None]:
    """Return the offline agents, or nobody where no role will be asked."""
    if scenario.script and not scenario.oracles.turn_judge and not scenario.oracles.dimensions:
        return absent_roles(scenario.rubric), None
    lexicon, origin = find_lexicon(scenario.rubric.id, finder)
    roles = build_offline_roles(
        rubric=scenario.rubric,
        lexicon=lexicon,
        strategies=scenario.strategies,
        language=scenario.language,
    )
    return roles, origin
