"""Two runs compared, scenario by scenario and failure mode by failure mode.

It must not decide whether the runs may be compared; that is the fingerprint's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from pydantic import Field
from scipy import stats  # type: ignore[import-untyped]

from hairpin.analysis.model import Proportion
from hairpin.analysis.proportions import proportion
from hairpin.analysis.scope import rated
from hairpin.domain.base import Value
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.tally import Standing

Scenarios = Mapping[str, Sequence[ConversationFacts]]
"""Planned conversations by the name of their scenario, or of a part of it: what is under one name is pooled, arms and
assistants alike, so name them apart where the two runs mix them differently."""


class Direction(StrEnum):
    """Where the second run stands against the first."""

    WORSE = "worse"
    BETTER = "better"
    SAME = "same"


class RunTest(Value):
    """Fisher's exact test of two runs: of verdicts (``mode`` is ``None``), or of conversations with one failure mode.

    Attributes:
        first: failed conversations, or those with the mode, of the rated ones of the first run; ``second`` likewise.
        p: two-sided; 1 for a table with an empty margin, and ``reason`` says which.
        p_adjusted: by Holm over all tests of the comparison.
        direction: of the shares, whether or not the test says anything.
    """

    scenario: str
    mode: str | None
    first: Proportion
    second: Proportion
    p: float = Field(ge=0, le=1)
    p_adjusted: float = Field(ge=0, le=1)
    direction: Direction
    reason: str = ""


class RunComparison(Value):
    """Two runs compared; scenarios that only one of them has are named and not tested."""

    tests: tuple[RunTest, ...]
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()

    def regressions(self, alpha: float = 0.05) -> tuple[RunTest, ...]:
        """Return the tests in which the second run is worse with an adjusted p of at most ``alpha``."""
        return tuple(test for test in self.tests if test.direction is Direction.WORSE and test.p_adjusted <= alpha)


@dataclass(frozen=True, slots=True)
class _Table:
    """One 2 × 2 table: of ``n`` rated conversations of each run, how many have what is asked for."""

    scenario: str
    mode: str | None
    first: tuple[int, int]
    second: tuple[int, int]

    def margin(self) -> str:
        """Return which margin is empty, so that there is nothing to test; ``""`` when none is."""
        what = "failed" if self.mode is None else "has it"
        hits, n = self.first[0] + self.second[0], self.first[1] + self.second[1]
        empty = {
            "neither has a rated conversation": n == 0,
            "the first has no rated conversation": self.first[1] == 0,
            "the second has no rated conversation": self.second[1] == 0,
            f"no conversation of either {what}": hits == 0,
            f"every conversation of both {what}": hits == n,
        }
        return next((margin for margin, true in empty.items() if true), "")

    def p(self) -> float:
        """Return the two-sided p of Fisher's exact test, 1 with an empty margin."""
        if self.margin():
            return 1.0
        rows = [[hits, n - hits] for hits, n in (self.first, self.second)]
        return min(1.0, float(stats.fisher_exact(rows, alternative="two-sided").pvalue))


def compare_runs(first: Scenarios, second: Scenarios) -> RunComparison:
    """Compare the scenarios that both runs have: verdicts, and conversations with each mode found in either of them.

    Only passed and failed conversations count. A failed check is a mode, too. Every test counts for Holm's correction,
    those with an empty margin included.
    """
    both = [name for name in first if name in second]
    tables = [table for name in both for table in _tables(name, rated(first[name]), rated(second[name]))]
    raw = [table.p() for table in tables]
    adjusted = holm(raw)
    return RunComparison(
        tests=tuple(_test(table, p, holm) for table, p, holm in zip(tables, raw, adjusted, strict=True)),
        only_first=tuple(name for name in first if name not in second),
        only_second=tuple(name for name in second if name not in first),
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values adjusted for all tests together, in their order.

    Source: Holm, 1979. Own code: statsmodels' collects garbage at each call, which takes longer than all the tests.
    """
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = highest
    return adjusted


def least_p(n_first: int, n_second: int) -> float:
    """Return the least two-sided p that so many rated conversations can give: what all of one run have and none of the
    other; 1 where a run has no conversation.
    """
    if n_first == 0 or n_second == 0:
        return 1.0
    tables = 2 if n_first == n_second else 1
    return float(Fraction(tables, math.comb(n_first + n_second, n_first)))


def _tables(scenario: str, first: Sequence[ConversationFacts], second: Sequence[ConversationFacts]) -> list[_Table]:
    n1, n2 = len(first), len(second)
    modes = sorted({failure.mode for fact in (*first, *second) for failure in fact.failures})
    verdicts = _Table(scenario, None, (_failed(first), n1), (_failed(second), n2))
    return [
        verdicts,
        *(_Table(scenario, mode, (_having(mode, first), n1), (_having(mode, second), n2)) for mode in modes),
    ]


def _failed(facts: Sequence[ConversationFacts]) -> int:
    return sum(fact.standing is Standing.FAIL for fact in facts)


def _having(mode: str, facts: Sequence[ConversationFacts]) -> int:
    return sum(any(failure.mode == mode for failure in fact.failures) for fact in facts)


def _test(table: _Table, p: float, adjusted: float) -> RunTest:
    first, second = (proportion(hits, n, reason="no rated conversation") for hits, n in (table.first, table.second))
    return RunTest(
        scenario=table.scenario,
        mode=table.mode,
        first=first,
        second=second,
        p=p,
        p_adjusted=adjusted,
        direction=_direction(first.rate, second.rate),
        reason=table.margin(),
    )


def _direction(first: float | None, second: float | None) -> Direction:
    if first is None or second is None or first == second:
        return Direction.SAME
    return Direction.WORSE if second > first else Direction.BETTER
