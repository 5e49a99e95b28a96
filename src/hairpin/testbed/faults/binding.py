"""Faults in what a reference means: F4 does not ask which of several is meant, F10 binds a pronoun to another.

They choose among what there is; nothing is invented.
"""

from __future__ import annotations

from hairpin.testbed.acts import Act, Anaphor, AskTrip, Named, Ordinal, TripQuestion
from hairpin.testbed.faults.base import Fault
from hairpin.testbed.handling.resolving import resolve
from hairpin.testbed.state import DialogueState


class TakesFirstMatch(Fault):
    """F4: takes the first of several things that are meant alike, instead of asking, whenever it would have to ask.

    Places and titles of one name, lights where only "the lights" was said. Earns ``ambiguity_unresolved``.
    """

    id = "F4"
    title = "takes the first of several matches without asking"
    earns = "ambiguity_unresolved"

    def settles(self, state: DialogueState, options: tuple[str, ...]) -> bool:
        """Take the first option when it is drawn."""
        return self.due(state, *options) and self.strike(state, f"took {options[0]} of {', '.join(options)}")


class BindsWrongEntity(Fault):
    """F10: takes "there", "it" or "the second one" for another place that was spoken of, whenever there is another.

    An answer to an open question is left alone: its options bear one name, so that no reply could show the mistake.
    Earns ``context_forgotten``.
    """

    id = "F10"
    title = "binds a pronoun to the wrong entity"
    earns = "context_forgotten"

    def carried_out(self, state: DialogueState, act: Act) -> Act:
        """Put another place that was spoken of for the first pronoun or ordinal in the act."""
        if state.pending is not None:
            return act
        if isinstance(act, AskTrip) and act.question is not TripQuestion.DISTANCE:
            return act  # how long "it" takes is a question about the trip, not about a place
        for name in type(act).model_fields:
            value = getattr(act, name)
            places = value if isinstance(value, tuple) else (value,)
            pointing = next((place for place in places if isinstance(place, Anaphor | Ordinal)), None)
            wrong = self._wrong(state, pointing) if pointing is not None else None
            if pointing is None or wrong is None:
                continue
            meant = Named(name=self._session.city.name(wrong), ids=(wrong,))
            changed = tuple(meant if place is pointing else place for place in places)
            return act.model_copy(update={name: changed if isinstance(value, tuple) else meant})
        return act

    def _wrong(self, state: DialogueState, pointing: Anaphor | Ordinal) -> str | None:
        city = self._session.city
        right = resolve(pointing, state, city)
        if not isinstance(right, str):
            return None
        trip = filter(None, (state.destination, *state.stops, state.focus))
        wrong = next((spot for spot in (*state.results, *trip) if city.name(spot) != city.name(right)), None)
        if wrong is None or not self.due(state) or not self.strike(state, f"took {wrong} for {right}"):
            return None
        return wrong
