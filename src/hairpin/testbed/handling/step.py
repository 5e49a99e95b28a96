"""What passes between the handlers of one turn.

Values only.
"""

from __future__ import annotations

from dataclasses import dataclass

from hairpin.testbed.faults.chain import Faults
from hairpin.testbed.state import DialogueState
from hairpin.testbed.wording import Listing, Phrase
from hairpin.testbed.world import City

Slots = dict[str, str | Phrase | Listing]


@dataclass(frozen=True, slots=True)
class Scene:
    """What every handler may use besides the state: the map, and the faults that are on."""

    city: City
    faults: Faults


@dataclass(frozen=True, slots=True)
class Step:
    """What a handler gives. ``replan``: the trip changed or was asked for, so that the route must be told."""

    state: DialogueState
    said: tuple[Phrase, ...] = ()
    replan: bool = False


def say(key: str, **slots: str | Phrase | Listing) -> Phrase:
    """Return the phrase ``key`` with its slots filled."""
    return Phrase(key=key, slots=slots)
