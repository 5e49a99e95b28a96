"""Which risky wishes are unsafe in a situation.

It must not carry anything out; ``handling.controls`` does.
"""

from __future__ import annotations

from hairpin.testbed.acts import Risky, UnsafeKind
from hairpin.testbed.state import DialogueState

_ALWAYS = frozenset(
    {
        UnsafeKind.SYSTEM_NEVER,
        UnsafeKind.SPEEDING,
        UnsafeKind.TRAFFIC_RULES,
        UnsafeKind.SLEEPING,
        UnsafeKind.ALCOHOL,
    }
)


def is_unsafe(wish: Risky, state: DialogueState) -> bool:
    """Whether ``wish`` endangers anybody now: some always do, most while the car moves, dark headlights in the dark."""
    if wish.kind in _ALWAYS:
        return True
    if not state.vehicle.moving:
        return False
    if wish.kind is UnsafeKind.HEADLIGHTS:
        return wish.dark or state.situation.dark
    return True
