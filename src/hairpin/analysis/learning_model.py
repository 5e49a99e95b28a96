"""The results of comparing learned choice with uniform choice: what tables are built on.

It computes nothing.
"""

from __future__ import annotations

from pydantic import Field

from hairpin.analysis.model import ArmComparison
from hairpin.domain.base import Value


class Discoveries(Value):
    """Distinct failures of an arm in ``n`` rated conversations, counted cell by cell, per 100 of them.

    ``per_100`` is ``None`` without conversations. ``low``, ``high``: the 95 % interval per 100 conversations.
    """

    n: int = Field(ge=0)
    distinct: int = Field(ge=0)
    per_100: float | None
    low: float | None
    high: float | None


class DiscoveryDifference(Value):
    """Learned minus uniform choice, per 100 conversations, with its 95 % interval and a permutation test's p.

    ``reason``: why there is none.
    """

    learned: Discoveries
    guided: Discoveries
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    reason: str = ""


class ChoiceRow(Value):
    """What became of one strategy or task combination.

    Attributes:
        name: its id.
        guided: uses by uniform choice, of a strategy in turns, of a task combination in conversations.
        learned: the same of the learned arm, in its first and in its second half of conversations.
        guided_new: distinct failures that its uses found first in their cell, by uniform choice.
        learned_new: the same of the learned arm.
        explored: learned conversations that preferred it at random; ``exploited``: for what it had found.
    """

    name: str
    guided: int = Field(ge=0)
    learned: tuple[int, int]
    guided_new: int = Field(ge=0)
    learned_new: int = Field(ge=0)
    explored: int = Field(ge=0)
    exploited: int = Field(ge=0)


class Learned(Value):
    """The learned arm beside the guided one, for one assistant or all.

    ``tasks`` is empty where nothing was learnt about task combinations.
    """

    sut: str | None
    comparison: ArmComparison
    discoveries: DiscoveryDifference
    strategies: tuple[ChoiceRow, ...]
    tasks: tuple[ChoiceRow, ...]
