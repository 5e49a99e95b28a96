"""What MORTAR finds at other ratios of perturbation, over runs that differ in them.

Source: MORTAR, section V-D1, Fig. 7.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from hairpin.analysis.metamorphic.model import Figure, Levels, MetamorphicAnalysis, share
from hairpin.domain.base import Value
from hairpin.domain.replay import Method


class RatioPoint(Value):
    """What MORTAR finds in one assistant at one ratio. ``unique``: the share that nobody else revealed, of what it did.

    ``name``: what the assistant of that run is called in the analysis; ``sut``: its label in the run.
    """

    sut: str
    name: str
    ratio: float
    checks: int = Field(ge=0)
    bugs: int = Field(ge=0)
    levels: Levels
    unique: Figure

    @property
    def rate(self) -> Figure:
        """Rate⁺ at that ratio."""
        return share(self.bugs, self.checks)


class RatioKey(Value):
    """Which assistant, and the ratio of its run."""

    sut: str
    ratio: float


def by_ratio(analysis: MetamorphicAnalysis, keys: Mapping[str, RatioKey]) -> tuple[RatioPoint, ...]:
    """Return what MORTAR found by assistant and ratio, smallest ratio first; ``keys``: by what ``analysis`` calls it.

    An assistant in which MORTAR tried nothing has no point.
    """
    unique = {each.sut: each.share(Method.MORTAR) for each in analysis.uniqueness}
    points = [
        RatioPoint(
            sut=key.sut,
            name=name,
            ratio=key.ratio,
            checks=found.checks,
            bugs=found.bugs,
            levels=found.levels,
            unique=unique[name],
        )
        for name, key in keys.items()
        if (found := analysis.figures(Method.MORTAR, name)) is not None
    ]
    order = list(dict.fromkeys(point.sut for point in points))
    return tuple(sorted(points, key=lambda point: (order.index(point.sut), point.ratio)))
