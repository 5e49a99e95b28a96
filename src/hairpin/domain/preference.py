"""What was learnt for one conversation, as it was chosen when it was planned: stored, and never chosen again.

How it is chosen is ``learning``'s; which strategy writes an utterance stays the strategist's choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.strategies import Strategy


class Preference(Value):
    """Which strategies a conversation tries first, and how its task combination came about.

    Attributes:
        strategies: their ids, the most promising first.
        explored: those of them that were drawn at random and not for what they had found.
        task_explored: the same of the task combination; ``None``: nothing was learnt about tasks.
        n_lessons: of how many finished conversations this was learnt.
    """

    strategies: tuple[str, ...] = ()
    explored: tuple[str, ...] = ()
    task_explored: bool | None = None
    n_lessons: int = Field(default=0, ge=0)

    def among(self, available: Sequence[Strategy]) -> tuple[Strategy, ...]:
        """Return the available strategies that are preferred, in that order; where none of them is, all there are."""
        by_id = {strategy.id: strategy for strategy in available}
        preferred = tuple(by_id[name] for name in self.strategies if name in by_id)
        return preferred or tuple(available)
