"""The offline reviewer of simulated users: says which turns no user would have said.

It knows no domain and no lexicon: it looks at users that models play too, whatever they talk about.
"""

from __future__ import annotations

from hairpin.agents.offline.user_faults import find_faults
from hairpin.domain.briefs import ReviewBrief
from hairpin.domain.reviews import SimulatorReview


class OfflineSimulatorReviewer:
    """Goes by rules that would rather miss a fault than make one up."""

    async def review(self, brief: ReviewBrief) -> SimulatorReview:
        """Return the faults of every turn that the user made up."""
        review = SimulatorReview(faults=find_faults(brief))
        return review.model_copy(update={"reasoning": review.told or "every turn may be a real user's"})
