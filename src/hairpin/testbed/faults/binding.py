"""Faults in what a reference means: F4 does not ask which of several is meant, F10 binds a pronoun to another.

They choose among what there is; nothing is invented.
"""

from __future__ import annotations

from hairpin.testbed.acts import Act, Anaphor, AskTrip, Named, Ordinal, Reference, TripQuestion
from hairpin.testbed.faults.base import Fault
from hairpin.testbed.handling.resolving import pick, resolve
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

    Earns ``context_forgotten``.
    """

    id = "F10"
    title = "binds a pronoun to the wrong entity"
    earns = "context_forgotten"

    def carried_out(self, state: DialogueState, act: Act) -> Act:
        """Put another place that was spoken of for the first pronoun or ordinal in the act."""
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
        right = self._right(state, pointing)
        others = [spot for spot in _spoken_of(state) if spot != right]
        if right is None or not others or not self.due(state):
            return None
        return others[0] if self.strike(state, f"took {others[0]} for {right}") else None

    def _right(self, state: DialogueState, pointing: Reference) -> str | None:
        city = self._session.city
        if state.pending is not None:
            return pick(pointing, state.pending.options, city, state.situation.location)
        meant = resolve(pointing, state, city)
        return meant if isinstance(meant, str) else None


def _spoken_of(state: DialogueState) -> tuple[str, ...]:
    """Return the places a pronoun could be taken for: the options of an open question, else list, trip and focus."""
    if state.pending is not None:
        return state.pending.options
    return tuple(spot for spot in (*state.results, state.destination, *state.stops, state.focus) if spot is not None)
