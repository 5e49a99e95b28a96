"""Two runs compared, scenario by scenario and failure mode by failure mode.

It must not decide whether the runs may be compared; that is the fingerprint's.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from hairpin.analysis.model import Proportion
from hairpin.domain.base import Value


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
