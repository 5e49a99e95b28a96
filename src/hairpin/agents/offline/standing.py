"""Where a conversation stands for the user: what was asked, established, said, and left open.

It must not choose what to say next.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.agents.offline.analysis import DialogueReader, ExchangeReading
from hairpin.agents.offline.ledger import Ask, Ledger
from hairpin.domain.conversation import Exchange, dialogue, normalise
from hairpin.domain.targets import TargetStatus

MAX_TIMES = 3
"""How often a user speaks for one request before letting it rest."""


class Standing:
    """The reading of a dialogue as its user remembers it."""

    def __init__(self, history: Sequence[Exchange], reader: DialogueReader) -> None:
        self.language = reader.language
        self.readings: tuple[ExchangeReading, ...] = reader.read(dialogue(history))
        self.ledger = self.readings[-1].ledger if self.readings else Ledger()
        self._said = tuple(normalise(exchange.user) for exchange in history)

    @property
    def last(self) -> ExchangeReading | None:
        """The latest exchange."""
        return self.readings[-1] if self.readings else None

    def has_said(self, text: str) -> bool:
        """Whether an earlier utterance is ``text``, or holds it."""
        return any(normalise(text) in said for said in self._said)

    def just_said(self, text: str) -> bool:
        """Whether the latest utterance is ``text``, or holds it."""
        return bool(self._said) and normalise(text) in self._said[-1]

    def has_mentioned(self, words: str) -> bool:
        """Whether the user has spoken of ``words``."""
        return any(normalise(words) in said for said in self._said)

    def open_asks(self) -> tuple[Ask, ...]:
        """Return the requests that wait to be served, those least spoken for first."""
        waiting = [ask for ask in self.ledger.asks if ask.status is TargetStatus.INCOMPLETE]
        return tuple(sorted(waiting, key=lambda ask: (ask.times, ask.index)))

    def question(self) -> str | None:
        """Return the question that the assistant put last and that the user has to answer, or ``None``."""
        last = self.last
        return last.questions[-1] if last is not None and last.questions else None

    def known_values(self, slot: str) -> tuple[str, ...]:
        """Return the values of ``slot`` the user gave, the latest first."""
        found: list[str] = []
        for ask in reversed(self.ledger.asks):
            kind = self.language.request(ask.kind)
            if kind is not None and ask.live:
                found += [value for name, value in ask.params.items() if kind.parameters[name] == slot]
        for fact in reversed(self.ledger.established):
            parameters = self.language.constraint(fact.constraint).parameters
            found += [value for name, value in fact.params.items() if parameters[name] == slot]
        return tuple(dict.fromkeys(found))
