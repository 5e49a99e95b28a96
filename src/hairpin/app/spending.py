"""What a run may spend on models: its limits, and the budget that keeps them while conversations come and go.

It asks no model.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from hairpin.app.cast import Cast
from hairpin.domain.panels import Seat, role_of
from hairpin.domain.plan import PlannedConversation
from hairpin.errors import InvalidInputError
from hairpin.llm.budget import Budget
from hairpin.llm.call_costs import Player
from hairpin.llm.prices import PriceTable

_CONVERSATION_CHARS = 2_000
"""Characters of a conversation and its situation, beside the instructions, in the first prompts."""


@dataclass(frozen=True, slots=True)
class SpendingLimits:
    """``--max-cost`` in USD and ``--max-tokens``; ``None`` is no limit."""

    max_cost_usd: float | None = None
    max_tokens: int | None = None


def budget_of(
    cast: Cast,
    prices: PriceTable,
    limits: SpendingLimits,
    *,
    n_turns: int = 1,
) -> Budget:
    """Return the budget of a run whose conversations have up to ``n_turns`` turns.

    Raises:
        InvalidInputError: a limit without a model to spend it on, or a limit of money with an unknown price.
    """
    _refuse_idle(cast, limits)
    chars = cast.prompt_chars
    players = {
        key: Player(
            model=spec.model if spec.provider != "local" else "local",
            price=prices.price_of(spec),
            prompt_chars=chars[role_of(key)] + _CONVERSATION_CHARS,
            output_cap=spec.max_output_tokens,
            repeats=cast.panels[role_of(key)].repeats if isinstance(key, Seat) else 1,
        )
        for key, spec in cast.models.items()
    }
    return Budget(
        players,
        n_dimensions=len(cast.rubric.dimensions),
        max_cost_usd=limits.max_cost_usd,
        max_tokens=limits.max_tokens,
        n_turns=n_turns,
    )


def _refuse_idle(cast: Cast, limits: SpendingLimits) -> None:
    if cast.models:
        return
    for option, value in (("--max-cost", limits.max_cost_usd), ("--max-tokens", limits.max_tokens)):
        if value is not None:
            hint = f"remove {option}, or give roles a model under 'models:'"
            raise InvalidInputError("no model plays a role, so nothing is spent", where=option, hint=hint)


class Admission:
    """Lets conversations begin while there is money for them.

    One that finds no room waits until another one has ended. When none runs and there is no room, none begins any more.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._n_active = 0
        self._ended = anyio.Event()
        self.refusal = ""

    @asynccontextmanager
    async def admit(self, planned: PlannedConversation) -> AsyncIterator[bool]:
        """Say whether a conversation may begin; for the time of the block the price of judging it is kept back.

        A replay is judged by no model, so there is always money for it.
        """
        if planned.replay is not None:
            yield True
            return
        if not await self._has_room():
            yield False
            return
        self._n_active += 1
        try:
            with self._budget.conversation():
                yield True
        finally:
            self._n_active -= 1
            self._ended.set()
            self._ended = anyio.Event()

    async def _has_room(self) -> bool:
        while not self.refusal:
            if self._budget.exhausted:
                self.refusal = self._budget.exhausted
            elif self._budget.has_room_for_conversation():
                return True
            elif not self._n_active:
                self.refusal = self._budget.describe_conversation()
            else:
                await self._ended.wait()
        return False
