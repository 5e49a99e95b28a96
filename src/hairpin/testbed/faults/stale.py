"""The fault that answers from memory: F11.

It must not forget, or it would be no fault.
"""

from __future__ import annotations

from collections.abc import Mapping

from hairpin.domain.base import Value
from hairpin.testbed.acts import Act, AskFact, AskTrip, AskVehicle, Search
from hairpin.testbed.faults.base import Answer, Fault
from hairpin.testbed.wording import Phrase


class _Told(Value):
    """The first answer to a question, with the list it told and the place it was about."""

    said: tuple[Phrase, ...]
    results: tuple[str, ...]
    focus: str | None


class StaleAnswer(Fault):
    """F11: answers a question that was asked before with its first answer, whenever the right one is another by now.

    Questions are the same when they ask the same in the same words for the place: "does it have parking?" is one
    question, whatever "it" is. No label of a turn is due: the relations MR1 and MR3 find it.
    """

    id = "F11"
    title = "answers a repeated question from a stale cache"

    _told: Mapping[Act, _Told] = {}

    def answered(self, asked: Act, answer: Answer) -> Answer:
        """Keep the first answer to a question; give it again when the question comes again."""
        state, said = answer
        if not isinstance(asked, AskVehicle | AskTrip | AskFact | Search) or not said or state.pending is not None:
            return answer
        old = self._told.get(asked)
        if old is None:
            self._told = {**self._told, asked: _Told(said=said, results=state.results, focus=state.focus)}
            return answer
        if old.said == said or not self.due(state) or not self.strike(state, "the first answer, though it is outdated"):
            return answer
        return state.but(results=old.results, focus=old.focus), old.said
