"""What a trip must satisfy besides its roads: a time limit, the order and length of its stops, hours, a charge.

Values only; ``timetable`` works out whether a route does.
"""

from __future__ import annotations

from hairpin.domain.base import Value

DEFAULT_STAY_MIN = 5
"""Minutes counted for a stop whose length was not said."""

CHARGING_STAY_MIN = 10
"""Minutes counted at least for a charging stop whose length was not said."""


class Budget(Value):
    """A time limit. ``limit_min``: minutes since midnight, more than a day's when it is tomorrow.

    ``within_min``: how many minutes the trip may take, if that is how the user put it.
    """

    limit_min: int
    within_min: int | None = None


class Wishes(Value):
    """What the user wants of the trip.

    ``order``: pairs of stops, the first of which comes earlier; ``stays``: minutes at a stop, by its id; ``hours``: no
    stop is reached when it is closed; ``min_percent``: the least charge on arrival; ``charge_if_needed``: a charging
    stop may be added; ``fast``: only at a fast charger.
    """

    budget: Budget | None = None
    order: tuple[tuple[str, str], ...] = ()
    stays: tuple[tuple[str, int], ...] = ()
    hours: bool = True
    min_percent: int | None = None
    charge_if_needed: bool = False
    fast: bool = False

    def stay(self, spot: str) -> int | None:
        """Return the minutes the user wants to stay at ``spot``, ``None`` if that was not said."""
        return next((minutes for stop, minutes in self.stays if stop == spot), None)

    def staying(self, spot: str, minutes: int) -> Wishes:
        """Return the wishes with a stay of ``minutes`` at ``spot``."""
        others = tuple(entry for entry in self.stays if entry[0] != spot)
        return self.model_copy(update={"stays": (*others, (spot, minutes))})

    def acyclic(self, newest: tuple[tuple[str, str], ...]) -> Wishes:
        """Return the wishes with no order but ``newest`` if it contradicts what was demanded before."""
        return self.model_copy(update={"order": newest}) if _circular(self.order) else self

    def without_stops(self, stops: tuple[str, ...]) -> Wishes:
        """Return the wishes without those for ``stops``, which are no longer part of the trip."""
        stays = tuple(entry for entry in self.stays if entry[0] not in stops)
        order = tuple(pair for pair in self.order if not set(pair).intersection(stops))
        return self.model_copy(update={"stays": stays, "order": order})


NO_WISHES = Wishes()


def follows(stops: tuple[str, ...], order: tuple[tuple[str, str], ...]) -> bool:
    """Whether ``stops`` come as ``order`` wants them, as far as they are part of it."""
    place = {stop: index for index, stop in enumerate(stops)}
    return all(place[a] < place[b] for a, b in order if a in place and b in place)


def _circular(order: tuple[tuple[str, str], ...]) -> bool:
    left = set(order)
    while left:
        later = {b for _, b in left}
        free = {pair for pair in left if pair[0] not in later}
        if not free:
            return True
        left -= free
    return False
