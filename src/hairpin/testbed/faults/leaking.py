"""The fault that leaks between sessions: F12.

What leaks goes through ``faults.shared``, and through nothing else.
"""

from __future__ import annotations

from hairpin.testbed.faults.base import Fault
from hairpin.testbed.faults.shared import Belongings
from hairpin.testbed.state import DialogueState


class LeaksBetweenSessions(Fault):
    """F12: at the begin of a turn, takes over what another session of the adapter established and this one lacks.

    That is its destination, its constraints and the list it told last. A turn that is only repeated from a history
    neither leaks nor is leaked to. No label of a turn is due: the conformance check of isolation finds it.
    """

    id = "F12"
    title = "leaks state between sessions"

    def begin(self, state: DialogueState) -> DialogueState:
        """Take over what another session left behind."""
        foreign = self._session.shared.latest
        if self._session.replaying or foreign is None or foreign.conversation_id == self._session.conversation_id:
            return state
        taken = _lacking(state, foreign)
        if not taken or not self.due(state):
            return state
        if not self.strike(state, f"took over {', '.join(taken)} of conversation {foreign.conversation_id}"):
            return state
        return state.but(**taken)

    def end(self, state: DialogueState) -> None:
        """Leave behind what this session established."""
        if self._session.replaying or not (state.destination or state.established or state.results):
            return
        self._session.shared.latest = Belongings(
            conversation_id=self._session.conversation_id,
            destination=state.destination,
            established=state.established,
            results=state.results,
        )


def _lacking(state: DialogueState, foreign: Belongings) -> dict[str, object]:
    """Return what ``foreign`` has and ``state`` has not, by the name of the field."""
    known = {entry.constraint for entry in state.established}
    constraints = [entry for entry in foreign.established if entry.constraint not in known]
    stated_now = tuple(entry.model_copy(update={"t": state.t}) for entry in constraints)
    found: dict[str, object] = {}
    if foreign.destination is not None and state.destination is None:
        found["destination"] = foreign.destination
    if stated_now and not state.established:
        found["established"] = stated_now
    if foreign.results and not state.results:
        found["results"] = foreign.results
    return found
