"""What a run may spend on models: its limits, and the budget that keeps them while conversations come and go.

It asks no model.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

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
    on_exhausted: Callable[[str], None] | None = None,
) -> Budget:
    """Return the budget of a run.

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
        on_exhausted=on_exhausted,
    )


def _refuse_idle(cast: Cast, limits: SpendingLimits) -> None:
    if cast.models:
        return
    for option, value in (("--max-cost", limits.max_cost_usd), ("--max-tokens", limits.max_tokens)):
        if value is not None:
            hint = f"remove {option}, or give roles a model under 'models:'"
            raise InvalidInputError("no model plays a role, so nothing is spent", where=option, hint=hint)


class KeepingBack:
    """Keeps the price of judging back for every conversation that runs; as a listener it passes everything on."""

    def __init__(self, listener: RunListener, budget: Budget) -> None:
        self._listener = listener
        self._budget = budget
        self._active: dict[str, AbstractContextManager[None]] = {}

    def admit(self, planned: PlannedConversation) -> bool:
        """Keep the price of judging back from now on, if there is room for it; say whether there was.

        In one step, because many conversations ask at the same time.
        """
        if not self._budget.has_room_for_conversation():
            return False
        active = self._active[planned.id] = self._budget.conversation()
        active.__enter__()
        return True

    def run_started(self, *, n_planned: int) -> None:
        """Pass on."""
        self._listener.run_started(n_planned=n_planned)

    def conversation_started(self, planned: PlannedConversation) -> None:
        """Pass on."""
        self._listener.conversation_started(planned)

    def conversation_ended(self, planned: PlannedConversation, outcome: Outcome | None) -> None:
        """Keep nothing back for it any longer."""
        self._active.pop(planned.id).__exit__(None, None, None)
        self._listener.conversation_ended(planned, outcome)
