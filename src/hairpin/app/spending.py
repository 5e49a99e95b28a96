"""What a run may spend on models: its limits, and the budget that keeps them while conversations come and go.

It asks no model.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import anyio

from hairpin.app.cast import Cast
from hairpin.campaign.events import RunListener
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome
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
        role: Player(
            model=spec.model if spec.provider != "local" else "local",
            price=prices.price_of(spec),
            prompt_chars=chars[role] + _CONVERSATION_CHARS,
            output_cap=spec.max_output_tokens,
        )
        for role, spec in cast.models.items()
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


class KeepingBack:
    """Lets conversations begin while there is money for them; as a listener it passes everything on.

    One that finds no room waits until another one has ended. When none runs and there is no room, none begins any more.
    """

    def __init__(self, listener: RunListener, budget: Budget) -> None:
        self._listener = listener
        self._budget = budget
        self._active: dict[str, AbstractContextManager[None]] = {}
        self._ended = anyio.Event()
        self.refusal = ""

    async def admit(self, planned: PlannedConversation) -> bool:
        """Say whether a conversation may begin; from then on the price of judging it is kept back."""
        while not self.refusal:
            if self._budget.exhausted:
                self.refusal = self._budget.exhausted
            elif self._budget.has_room_for_conversation():
                active = self._active[planned.id] = self._budget.conversation()
                active.__enter__()
                return True
            elif not self._active:
                self.refusal = self._budget.describe_conversation()
            else:
                await self._ended.wait()
        return False

    def run_started(self, *, n_planned: int) -> None:
        """Pass on."""
        self._listener.run_started(n_planned=n_planned)

    def conversation_started(self, planned: PlannedConversation) -> None:
        """Pass on."""
        self._listener.conversation_started(planned)

    def conversation_ended(self, planned: PlannedConversation, outcome: Outcome | None) -> None:
        """Keep nothing back for it any longer, and let those that wait look again."""
        self._active.pop(planned.id).__exit__(None, None, None)
        self._ended.set()
        self._ended = anyio.Event()
        self._listener.conversation_ended(planned, outcome)
