"""The fault of planning: F5, an infeasible order of stops or a time limit that is ignored."""

from __future__ import annotations

from collections.abc import Iterator

from hairpin.testbed.clock_time import DAY_MIN
from hairpin.testbed.faults.base import Fault, PlanFor
from hairpin.testbed.routes import Route
from hairpin.testbed.state import DialogueState
from hairpin.testbed.timetable import Departure, timetable
from hairpin.testbed.wishes import Wishes, follows


class PlansPoorly(Fault):
    """F5: plans a trip that cannot be as the user wants it, and does not say so. Earns ``planning_poor``.

    Stops are visited the wrong way round, when they are closed, or the time limit does not count. It strikes when the
    trip it tells shows that: the order demanded is broken, a stop is reached after it has closed, or the limit is
    missed; each would be kept or admitted otherwise.
    """

    id = "F5"
    title = "plans an infeasible order of stops or ignores the time limit"
    earns = "planning_poor"

    def wishes_for_route(self, state: DialogueState, wishes: Wishes, plan: PlanFor) -> Wishes:
        """Give up the wishes whose loss shows in the trip, the wrong way round if there are several stops."""
        if not self.due(state):
            return wishes
        for spoiled in _spoiled(wishes, plan):
            route = plan(spoiled)
            shown = self._shown(state, wishes, route) if isinstance(route, Route) else ""
            if shown and self.strike(state, shown):
                return spoiled
        return wishes

    def _shown(self, state: DialogueState, wishes: Wishes, route: Route) -> str:
        """Say what is wrong with ``route`` and seen in what is told of it; '' for nothing."""
        departure = Departure(time_min=state.situation.time_min, percent=state.vehicle.battery_percent)
        times = timetable(self._session.city, route, departure, wishes)
        if not follows(route.stops, wishes.order):
            return "the order of the stops is not the one demanded"
        for visit in times.closed:
            poi = self._session.city.pois[visit.spot]
            if poi.hours is not None and visit.arrives_min % DAY_MIN >= poi.hours[1]:
                return f"{poi.name} has closed when it is reached"
        late = times.late_min(wishes.budget)
        return f"the time limit is missed by {late} minutes" if late else ""


def _spoiled(wishes: Wishes, plan: PlanFor) -> Iterator[Wishes]:
    """Yield the wishes with less and less left of them."""
    careless = wishes.model_copy(update={"budget": None, "hours": False})
    best = plan(wishes)
    if isinstance(best, Route) and len(best.stops) > 1:
        back = best.stops[::-1]
        pairs = tuple((a, b) for index, a in enumerate(back) for b in back[index + 1 :])
        yield careless.model_copy(update={"order": pairs})
    yield careless.model_copy(update={"order": ()})
