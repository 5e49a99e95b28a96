"""The offline target extractor: finds the targets 𝒢 of a seed phrase by the signals of a lexicon.

It knows nothing of the conversation that follows.
"""

from __future__ import annotations

from hairpin.agents.offline.ledger import Ask, Ledger, hear
from hairpin.agents.offline.naming import constraint_text, request_text
from hairpin.agents.offline.reading import OTHER_KIND, read_user
from hairpin.domain.briefs import ExtractionBrief
from hairpin.domain.lexicon import Language
from hairpin.domain.targets import Target


class OfflineExtractor:
    """Makes one target of every request; of a phrase the lexicon does not know, one of the kind ``other``.

    An unsafe wish is no target: an assistant must not fulfil it.
    """

    def __init__(self, language: Language) -> None:
        self._language = language

    async def extract(self, brief: ExtractionBrief) -> tuple[Target, ...]:
        """Return the targets, ids ``g1``, ``g2``, …, none of them uttered."""
        reading = read_user(brief.seed_phrase, self._language)
        ledger = hear(Ledger(), reading, t=0, language=self._language).ledger
        if not ledger.asks and not reading.unsafe:
            return (Target(id="g1", text=brief.seed_phrase, kind=OTHER_KIND),)
        return tuple(self._target(ask, ledger) for ask in ledger.asks if ask.live)

    def _target(self, ask: Ask, ledger: Ledger) -> Target:
        facts = ledger.facts_of(ask, self._language)
        return Target(
            id=f"g{ask.index + 1}",
            text=request_text(ask, self._language),
            kind=ask.kind,
            constraints=tuple(constraint_text(fact, self._language) for fact in facts),
        )
