"""Which arm of a cell the next conversation belongs to, and whether one may begin at all.

Pure decisions over the arms' standings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import Split


@dataclass(frozen=True, slots=True)
class ArmStanding:
    """How an arm stands. ``conversations_left``, ``distinct_left``: ``None`` is no limit.

    ``left_s``: active time left, infinity without a limit; ``needed_s``: what a conversation is expected to take;
    ``unfinished``: conversations that were begun before the run was resumed: these go first, whatever is left.
    """

    arm: Arm
    started: int
    running: int
    used_s: float
    left_s: float
    needed_s: float
    unfinished: int = 0
    conversations_left: int | None = None
    distinct_left: int | None = None

    @property
    def in_time(self) -> bool:
        """Whether a conversation that begins now can end in time."""
        return self.left_s > 0 and self.left_s >= self.needed_s

    @property
    def may_begin(self) -> bool:
        """Whether another conversation may begin now."""
        return self.in_time and _some(self.conversations_left) and _some(self.distinct_left)


def _some(left: int | None) -> bool:
    return left is None or left > 0


def choose_arm(standings: Sequence[ArmStanding], split: Split) -> Arm | None:
    """Return the arm that a free worker serves next, ``None`` when no arm may begin a conversation any more.

    What is unfinished goes first. Then, of the arms that may: with ``Split.COUNT`` the one with the fewest
    conversations, else the one that has used the least active time; of equal ones the one with the fewest running, then
    the first. With ``Split.COUNT`` no arm gets ahead of another one that has run out.
    """
    begun = next((each.arm for each in standings if each.unfinished), None)
    able = [each for each in standings if each.may_begin]
    if begun is not None or not able:
        return begun
    if split is not Split.COUNT:
        return min(able, key=lambda each: (each.used_s, each.running)).arm
    least = min(able, key=lambda each: each.started)
    behind = any(each.started > least.started for each in standings)
    return least.arm if behind or len(able) == len(standings) else None
