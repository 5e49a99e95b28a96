"""How far a run has come, as a resumed one must know it.

No conversation's words; those are ``domain.records``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import Field

from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.facts import Signature
from hairpin.domain.learning import Lesson
from hairpin.domain.plan import PlannedConversation


class Activity(Value):
    """How much active time an arm has used in a cell: run number ``run`` against the assistant ``sut``."""

    run: int = Field(ge=0)
    sut: str
    arm: Arm
    active_s: float = Field(ge=0)


@dataclass(frozen=True, slots=True)
class RunProgress:
    """What is there of a run.

    Attributes:
        finished: the indexes of planned conversations that have an accepted outcome.
        unfinished: planned ones without, in plan order.
        activity: the last known active time of every cell and arm.
        distinct: the signatures found in conversations that passed or failed, by (run, sut, arm).
        durations: seconds that the latest conversations took that went to their end, oldest first, by (run, sut, arm).
        aborted: how many attempts were given up, by their detail.
        lessons: what the finished conversations of the learned arm taught, by (run, sut).
        open_families: ids of finished conversations whose follow-ups are not all done and folded; in a run without
            replays every finished conversation is one.
        finished_asides: the indexes of trials and canaries that have an accepted outcome.

    Follow-ups, trials and canaries are in none of the others but ``aborted``: who drives them asks for them.
    """

    finished: frozenset[int] = frozenset()
    unfinished: tuple[PlannedConversation, ...] = ()
    activity: tuple[Activity, ...] = ()
    distinct: Mapping[tuple[int, str, Arm], frozenset[Signature]] = field(default_factory=dict)
    durations: Mapping[tuple[int, str, Arm], tuple[float, ...]] = field(default_factory=dict)
    aborted: Mapping[str, int] = field(default_factory=dict)
    open_families: tuple[str, ...] = ()
    lessons: Mapping[tuple[int, str], tuple[Lesson, ...]] = field(default_factory=dict)
    finished_asides: frozenset[int] = frozenset()
