"""Who writes the user's turns: replayed, then scripted or simulated.

It only says which turns are written down; the simulator makes up the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from hairpin.domain.conversation import Utterance, UtteranceSource


@dataclass(frozen=True, slots=True)
class UserTurns:
    """The chained sources of one conversation: ``replayed`` first, then ``scripted``, then, if so, the simulator.

    ``strategies``: of replayed turns, the ids of those that shaped them. ``notes``: what to say of a replayed
    conversation as a whole, at its first turn. ``stored``: of a conversation that is judged again, its user's turns
    whole; nothing else is said then.
    """

    replayed: tuple[str, ...] = ()
    scripted: tuple[str, ...] = ()
    simulated: bool = True
    notes: tuple[str, ...] = ()
    strategies: tuple[str | None, ...] = ()
    stored: tuple[Utterance, ...] = ()

    @property
    def n_written(self) -> int:
        """How many turns are written down."""
        return len(self.stored) + len(self.replayed) + len(self.scripted)

    def written(self, t: int) -> Utterance | None:
        """Return u_t if it is written down."""
        if self.stored:
            return self.stored[t] if t < len(self.stored) else None
        if t < len(self.replayed):
            notes = self.notes if t == 0 else ()
            strategy = self.strategies[t] if t < len(self.strategies) else None
            return Utterance(text=self.replayed[t], source=UtteranceSource.REPLAYED, strategy=strategy, notes=notes)
        if t < self.n_written:
            return Utterance(text=self.scripted[t - len(self.replayed)], source=UtteranceSource.SCRIPTED)
        return None

    def is_scripted_after(self, t: int) -> bool:
        """Whether what follows exchange ``t`` does not depend on the simulator."""
        return not self.simulated or self.has_more(t)

    def has_more(self, t: int) -> bool:
        """Whether a turn after exchange ``t`` is written down."""
        return t + 1 < self.n_written
