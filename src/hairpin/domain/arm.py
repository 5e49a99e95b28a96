"""The arms of a campaign.

What each of them does is the state machine's work.
"""

from __future__ import annotations

from enum import StrEnum


class Arm(StrEnum):
    """Guided by strategies and judges; the paper's baseline; or guided by what earlier conversations have taught."""

    GUIDED = "guided"
    BASELINE = "baseline"
    LEARNED = "learned"

    @property
    def steered(self) -> bool:
        """Whether judges and strategies steer its conversations."""
        return self is not Arm.BASELINE
