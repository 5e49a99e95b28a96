"""What one call of a role will take, and has taken, in tokens and money together.

It must not know any limit; ``llm.budget`` holds those.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.domain.model_spec import ModelPrice
from hairpin.domain.outcome import Role
from hairpin.llm.prices import TURNED_AWAY, cost_usd
from hairpin.llm.token_estimate import TokenEstimator

_MOST_TOKENS = 10**12


class Player(Value):
    """A model in a role: ``prompt_chars`` of its first prompt, ``output_cap`` of its answers in tokens."""

    model: str
    price: ModelPrice | None = None
    prompt_chars: int = Field(default=4_000, ge=0)
    output_cap: int = Field(default=2_048, ge=1)


class Amount(NamedTuple):
    """Tokens and USD. The money of a model without a price is left out."""

    tokens: float = 0.0
    usd: float = 0.0

    def plus(self, other: Amount, times: float = 1) -> Amount:
        """Return the sum with ``times`` the other."""
        return Amount(self.tokens + times * other.tokens, self.usd + times * other.usd)

    def within(self, limit: Amount) -> bool:
        """Whether neither passes its limit."""
        return self.tokens <= limit.tokens and self.usd <= limit.usd


class Charge(NamedTuple):
    """What a request took; ``estimated``: nobody reported it."""

    amount: Amount
    estimated: bool = False


class CallCosts:
    """Estimates calls of ``players`` and learns from what servers report. On one event loop."""

    def __init__(self, players: Mapping[Role, Player]) -> None:
        self.players = players
        self._estimator = TokenEstimator()

    def estimate(self, role: Role, *, n_chars: int, output_cap: int | None = None) -> Amount:
        """Return what a call with a prompt of ``n_chars`` characters may take; nothing if no model plays ``role``."""
        player = self.players.get(role)
        if player is None:
            return Amount()
        tokens = self._expected(role, player, n_chars, output_cap)
        return _amount(tokens, player.price)

    def charge(self, role: Role, tokens: TokenCounts, outcome: CallOutcome, *, n_chars: int) -> Charge:
        """Return what a request took, by its reported tokens; those that nobody reported are estimated.

        A request that was turned away without tokens took nothing.
        """
        player = self.players[role]
        if outcome in TURNED_AWAY and tokens == TokenCounts():
            return Charge(Amount())
        tokens = _plausible(tokens)
        if tokens.prompt_tokens is not None and tokens.completion_tokens is not None:
            self._estimator.learn(role, player.model, n_chars=n_chars, tokens=tokens)
            return Charge(_amount(tokens, player.price))
        guess = self._expected(role, player, n_chars, None)
        known = tokens.model_dump(exclude_none=True)
        return Charge(_amount(guess.model_copy(update=known), player.price), estimated=True)

    def _expected(self, role: Role, player: Player, n_chars: int, output_cap: int | None) -> TokenCounts:
        cap = player.output_cap if output_cap is None else output_cap
        prompt, output = self._estimator.estimate(role, player.model, n_chars=n_chars, output_cap=cap)
        return TokenCounts(prompt_tokens=prompt, completion_tokens=output)


def _plausible(tokens: TokenCounts) -> TokenCounts:
    """Return ``tokens`` without numbers that no request can have taken and no sum can hold."""
    return TokenCounts(**{name: n for name, n in tokens if n is not None and n <= _MOST_TOKENS})


def _amount(tokens: TokenCounts, price: ModelPrice | None) -> Amount:
    money = cost_usd(tokens, price)
    if money is None and price is not None:  # a report of more cached tokens than tokens: all at the full price
        money = cost_usd(tokens.model_copy(update={"cached_prompt_tokens": None}), price)
    return Amount((tokens.prompt_tokens or 0) + (tokens.completion_tokens or 0), money or 0.0)
