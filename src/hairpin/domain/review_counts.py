"""How many simulated users were looked at, and how many of them spoiled their conversation.

It must not review; it counts reviews.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.intervals import wilson
from hairpin.domain.reviews import SimulatorReview


class SimulatorSummary(Value):
    """Conversations whose simulated user was reviewed, and of those the spoiled ones.

    Attributes:
        reviewed: conversations with a review.
        spoiled: those in which a fault was found; each is invalid.
        share: ``spoiled / reviewed``; ``None`` when none was reviewed.
        low: lower end of its 95 % Wilson interval.
        high: upper end.
        by_kind: spoiled conversations by the kinds of fault in them; one can have several.
    """

    reviewed: int = Field(default=0, ge=0)
    spoiled: int = Field(default=0, ge=0)
    share: float | None = None
    low: float | None = None
    high: float | None = None
    by_kind: Mapping[str, int] = Field(default_factory=dict)


@dataclass(slots=True)
class ReviewTally:
    """What has been counted of reviews so far."""

    reviewed: int = 0
    spoiled: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, review: SimulatorReview | None) -> None:
        """Count the review of one conversation, if it has one."""
        if review is None:
            return
        self.reviewed += 1
        self.spoiled += review.spoiled
        self.kinds.update({fault.kind.value for fault in review.faults})

    def summary(self) -> SimulatorSummary:
        """Return the figures."""
        if not self.reviewed:
            return SimulatorSummary()
        low, high = wilson(self.spoiled, self.reviewed)
        return SimulatorSummary(
            reviewed=self.reviewed,
            spoiled=self.spoiled,
            share=self.spoiled / self.reviewed,
            low=low,
            high=high,
            by_kind=dict(sorted(self.kinds.items())),
        )
