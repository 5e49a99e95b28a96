"""The arms of a campaign.

What each of them does is the state machine's work.
"""

from __future__ import annotations

from enum import StrEnum


class Arm(StrEnum):
    """Guided by strategies and judges, or the paper's baseline."""

    GUIDED = "guided"
    BASELINE = "baseline"
