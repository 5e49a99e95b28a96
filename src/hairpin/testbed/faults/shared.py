"""What the sessions of one adapter have in common when they should not: the slot that a leak goes through.

It must not decide who reads it; ``faults.leaking`` does.
"""

from __future__ import annotations

from dataclasses import dataclass

from hairpin.domain.base import Value
from hairpin.testbed.constraints import Established


class Belongings(Value):
    """What a conversation established."""

    conversation_id: str
    destination: str | None = None
    established: tuple[Established, ...] = ()
    results: tuple[str, ...] = ()


@dataclass(slots=True)
class SharedMemory:
    """The belongings that were left in the slot last."""

    latest: Belongings | None = None
