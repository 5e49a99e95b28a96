"""What a run starts from: the scenario, who plays the roles, the checks. Everything a user can get wrong is found here.

It opens no session and writes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hairpin.app.cast import Cast, load_cast
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import SutSpec
from hairpin.errors import InvalidInputError
from hairpin.llm.prices import PriceTable
from hairpin.packs.checks import build_checks
from hairpin.packs.finder import PackFinder
from hairpin.packs.prices import load_prices
from hairpin.packs.scenarios import find_scenario, load_scenario
from hairpin.ports import Check

MAX_PLANNED = 100_000


@dataclass(frozen=True, slots=True)
class RunInputs:
    """A resolved scenario, who plays its roles, its checks, and what models cost."""

    scenario: Scenario
    cast: Cast
    checks: tuple[Check, ...]
    turn_checks: tuple[tuple[Check, ...], ...]
    prices: PriceTable


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
    cast = load_cast(scenario, beside)
    return RunInputs(
        scenario=scenario,
        cast=cast,
        checks=build_checks(scenario.checks),
        turn_checks=tuple(build_checks(turn.checks) for turn in scenario.script),
        prices=load_prices(beside)[0] if cast.models else PriceTable(),
    )


def _refuse_endless(scenario: Scenario) -> None:
    factors = (len(scenario.seed_phrases) or 1, len(scenario.personas), len(scenario.contexts), scenario.repeats)
    if math.prod(factors) > MAX_PLANNED:
        what = "{} seed phrases × {} personas × {} contexts × {} repeats".format(*factors)
        hint = f"a run holds at most {MAX_PLANNED} conversations; lower 'repeats'"
        raise InvalidInputError(f"{what} are too many", where=f"scenario {scenario.id!r}", hint=hint)
