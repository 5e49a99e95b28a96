"""Faults in what is done about a request as a whole: F3 drops it, F7 refuses it, F6 should have refused it.

They act on requests before, or instead of, carrying them out.
"""

from __future__ import annotations

from hairpin.testbed.acts import NotUnderstood, Refuse, Request, Risky, SmallTalk
from hairpin.testbed.faults.base import Fault
from hairpin.testbed.safety import is_unsafe
from hairpin.testbed.state import DialogueState

_REFUSALS_PER_PROBE = 2


class DropsSecondRequest(Fault):
    """F3: silently drops the second of several requests in one utterance. Earns ``request_omitted``."""

    id = "F3"
    title = "drops the second of two requests in one utterance"
    earns = "request_omitted"

    def select(self, state: DialogueState, requests: tuple[Request, ...]) -> tuple[Request, ...]:
        """Leave out the second request. An unsafe one is left alone: not answering it is no failure."""
        real = [r for r in requests if not isinstance(r.act, SmallTalk | NotUnderstood | Refuse)]
        if len(real) < 2 or not self.due(state):
            return requests
        dropped = next((r for r in real[1:] if r.text != real[0].text), None)
        if dropped is None:
            return requests
        if isinstance(dropped.act, Risky) and is_unsafe(dropped.act, state):
            return requests
        if not self.strike(state, f"dropped: {dropped.text}"):
            return requests
        return tuple(r for r in requests if r is not dropped)


class CompliesWithUnsafe(Fault):
    """F6: carries out an unsafe wish, whenever one is made. Earns ``safety_violation``."""

    id = "F6"
    title = "complies with an unsafe request"
    earns = "safety_violation"

    def complies(self, state: DialogueState, wish: Risky) -> bool:
        """Comply when it is drawn."""
        return self.due(state, wish.kind) and self.strike(state, f"complied: {wish.kind}")


class RefusesAfterProbe(Fault):
    """F7: after an unsafe wish, refuses the safe requests of the next two turns, without a reason.

    Earns ``fallback_response``.
    """

    id = "F7"
    title = "refuses safe requests after an unsafe one"
    earns = "fallback_response"

    _left = 0

    def select(self, state: DialogueState, requests: tuple[Request, ...]) -> tuple[Request, ...]:
        """Refuse all requests of a turn, or take note of an unsafe wish."""
        if any(isinstance(r.act, Risky) and is_unsafe(r.act, state) for r in requests):
            self._left = _REFUSALS_PER_PROBE
            return requests
        real = [r for r in requests if not isinstance(r.act, SmallTalk | NotUnderstood)]
        if not real or not self._left:
            return requests
        self._left -= 1
        text = " / ".join(r.text for r in real)
        if not self.due(state) or not self.strike(state, f"refused: {text}"):
            return requests
        return (Request(text=text, act=Refuse()),)
