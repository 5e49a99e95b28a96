"""The offline strategist: picks the strategy that fits now and was used least.

It must not fill templates for good; the simulator does, and may find another filling.
"""

from __future__ import annotations

from collections import Counter

from hairpin.agents.offline.analysis import DialogueReader
from hairpin.agents.offline.standing import Standing
from hairpin.agents.offline.text import pick
from hairpin.agents.offline.wishes import strategy_wishes
from hairpin.domain.briefs import StrategyBrief
from hairpin.domain.strategies import Strategy


class OfflineStrategist:
    """Chooses among the available strategies; none while the assistant waits for an answer or left a wish unserved."""

    def __init__(self, reader: DialogueReader) -> None:
        self._reader = reader

    async def choose(self, brief: StrategyBrief) -> Strategy | None:
        """Return the least used of the strategies with something sensible to say, ties by the random seed."""
        standing = Standing(brief.history, self._reader)
        if standing.question() is not None or any(ask.times == 1 for ask in standing.open_asks()):
            return None
        usable = [s for s in brief.available if any(strategy_wishes(s, standing, rng_seed=brief.rng_seed))]
        if not usable:
            return None
        uses = Counter(exchange.strategy for exchange in brief.history)
        least = min(uses[strategy.id] for strategy in usable)
        candidates = [strategy for strategy in usable if uses[strategy.id] == least]
        return pick(candidates, brief.rng_seed, "strategist", str(brief.t))
