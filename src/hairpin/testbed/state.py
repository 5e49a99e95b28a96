"""What the assistant knows of a conversation.

Frozen: handlers return a changed copy.
"""

from __future__ import annotations

from hairpin.domain.base import Value
from hairpin.testbed.acts import Act, Named, Remind
from hairpin.testbed.choice import Choice
from hairpin.testbed.constraints import Constraint, Established
from hairpin.testbed.player import Player
from hairpin.testbed.reminders import Reminder
from hairpin.testbed.routes import Route
from hairpin.testbed.situation import Situation
from hairpin.testbed.vehicle import Dial, Vehicle
from hairpin.testbed.wishes import NO_WISHES, Wishes


class Pending(Value):
    """A question the assistant asked: which of ``options`` is the ``name`` in ``act``?"""

    name: Named
    options: tuple[str, ...]
    act: Act


class DialogueState(Value):
    """The state before exchange ``t``.

    ``stops`` are in the order of the last route, new ones at the end; ``results`` is the list told last; ``focus`` is
    what "there" means; ``route`` is the route told last, ``None`` if the trip has none; ``wishes`` outlast a trip, but
    for those about its stops; ``reminder`` is the id of the one spoken of last, ``reminding`` the one whose time or
    text was asked for; ``choice`` is the question that is open about anything but a place; ``dial`` is what "it" may be
    set.
    """

    t: int = 0
    situation: Situation
    vehicle: Vehicle
    destination: str | None = None
    stops: tuple[str, ...] = ()
    established: tuple[Established, ...] = ()
    results: tuple[str, ...] = ()
    focus: str | None = None
    pending: Pending | None = None
    route: Route | None = None
    wishes: Wishes = NO_WISHES
    player: Player = Player()
    reminders: tuple[Reminder, ...] = ()
    reminder: int | None = None
    reminding: Remind | None = None
    choice: Choice | None = None
    dial: Dial | None = None

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints in force, in a fixed order."""
        return tuple(sorted({entry.constraint for entry in self.established}))

    def but(self, **changes: object) -> DialogueState:
        """Return a copy with ``changes``."""
        return self.model_copy(update=changes)
