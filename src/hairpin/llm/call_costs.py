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
from hairpin.domain.panels import PlayerKey, role_of
from hairpin.llm.prices import price_tokens, took_nothing
from hairpin.llm.token_estimate import TokenEstimator

_MOST_TOKENS = 10**12


class Player(Value):
    """A model in a role: ``prompt_chars`` of its first prompt, ``output_cap`` of its answers in tokens.

    ``repeats``: how often it is asked for each decision.
    """

    model: str
    price: ModelPrice | None = None
    prompt_chars: int = Field(default=4_000, ge=0)
    output_cap: int = Field(default=2_048, ge=1)
    repeats: int = Field(default=1, ge=1)


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

    def __init__(self, players: Mapping[Role, Player] | Mapping[PlayerKey, Player]) -> None:
        self.players: Mapping[PlayerKey, Player] = {key: player for key, player in players.items()}  # noqa: C416 - of two kinds of keys
        self._estimator = TokenEstimator()

    def of(self, role: Role) -> Mapping[PlayerKey, Player]:
        """Return the players of ``role``: none, one, or a panel."""
        return {key: player for key, player in self.players.items() if role_of(key) is role}

    def estimate(self, role: PlayerKey, *, n_chars: int, output_cap: int | None = None) -> Amount:
        """Return what a call with a prompt of ``n_chars`` characters may take; nothing if no model plays ``role``."""
        player = self.players.get(role)
        if player is None:
            return Amount()
        return _amount(player.price, *self._expected(role, player, n_chars, output_cap))

    def charge(self, role: PlayerKey, tokens: TokenCounts, outcome: CallOutcome, *, n_chars: int) -> Charge:
        """Return what a request took, by its reported tokens; those that nobody reported are estimated.

        A request that no model has worked on took nothing, and teaches nothing about those that one has.
        """
        if took_nothing(outcome, tokens):
            return Charge(Amount())
        player = self.players[role]
        prompt, completion = _plausible(tokens.prompt_tokens), _plausible(tokens.completion_tokens)
        cached = _plausible(tokens.cached_prompt_tokens) or 0
        if prompt is not None and completion is not None:
            self._estimator.learn(role_of(role), player.model, n_chars=n_chars, tokens=tokens)
            # A report of more cached tokens than tokens is none of cached ones.
            return Charge(_amount(player.price, prompt, completion, cached if cached <= prompt else 0))
        guess = self._expected(role, player, n_chars, None)
        known = (guess[0] if prompt is None else prompt, guess[1] if completion is None else completion)
        return Charge(_amount(player.price, *known), estimated=True)

    def _expected(self, role: PlayerKey, player: Player, n_chars: int, output_cap: int | None) -> tuple[int, int]:
        cap = player.output_cap if output_cap is None else output_cap
        return self._estimator.estimate(role_of(role), player.model, n_chars=n_chars, output_cap=cap)


def _plausible(n_tokens: int | None) -> int | None:
    """Return ``None`` for a number that no request can have taken and no sum can hold."""
    return n_tokens if n_tokens is not None and n_tokens <= _MOST_TOKENS else None


def _amount(price: ModelPrice | None, prompt: int, completion: int, cached: int = 0) -> Amount:
    money = 0.0 if price is None else price_tokens(price, prompt, completion, cached=cached)
    return Amount(prompt + completion, money)
