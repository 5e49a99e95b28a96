"""What requests to models cost: a table of prices, and the arithmetic of tokens and money.

It must not guess: an unknown price or an unknown number of tokens is ``None``. Reading the table's files is
``packs.prices``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.domain.model_spec import LocalModel, ModelPrice, ModelSpec

FREE: Final = ModelPrice(input=0.0, output=0.0)
TOKENS_PER_PRICE: Final = 1_000_000
"""A price is for this many tokens."""

_SNAPSHOT = re.compile(r"(?P<family>.+)-\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")

TURNED_AWAY: Final = frozenset(
    {
        CallOutcome.RATE_LIMITED,
        CallOutcome.OVERLOADED,
        CallOutcome.QUOTA_EXCEEDED,
        CallOutcome.UNAUTHORISED,
        CallOutcome.REJECTED,
        CallOutcome.UNSUPPORTED,
        CallOutcome.CONTEXT_EXCEEDED,
        CallOutcome.CIRCUIT_OPEN,
        CallOutcome.OUT_OF_BUDGET,
        CallOutcome.FROM_CACHE,
    }
)
"""Ends of a request that no provider charges for when it reports no tokens: no model has answered."""


class PriceTable(Value):
    """Prices by provider and model name; ``as_of`` is the date (ISO 8601) by which the oldest of them was checked."""

    prices: Mapping[str, Mapping[str, ModelPrice]] = Field(default_factory=dict)
    as_of: str = ""

    def price_of(self, spec: ModelSpec) -> ModelPrice | None:
        """Return the price of a model: its own, else that in the table, else ``None``: unknown.

        A local model costs nothing. ``family-YYYY-MM-DD`` has the price of ``family`` where it is not listed itself.
        """
        if spec.price is not None:
            return spec.price
        if isinstance(spec, LocalModel):
            return FREE
        listed = self.prices.get(spec.provider, {})
        if spec.model in listed:
            return listed[spec.model]
        snapshot = _SNAPSHOT.fullmatch(spec.model)
        return listed.get(snapshot["family"]) if snapshot else None


def cost_usd(tokens: TokenCounts, price: ModelPrice | None) -> float | None:
    """Return what ``tokens`` cost, in USD; ``None`` when the price or the number of tokens is unknown.

    Tokens from the prefix cache are priced apart. A server that reports none of them gets the full price for all. More
    cached tokens than tokens is no report to build on. What costs nothing costs nothing whatever the tokens.
    """
    if price is None:
        return None
    if not (price.input or price.output or price.cached_input):
        return 0.0
    prompt, completion, cached = tokens.prompt_tokens, tokens.completion_tokens, tokens.cached_prompt_tokens or 0
    if prompt is None or completion is None or cached > prompt:
        return None
    try:
        return price_tokens(price, prompt, completion, cached=cached)
    except OverflowError:  # a number of tokens that no float holds is no report either
        return None


def price_tokens(price: ModelPrice, prompt: int, completion: int, *, cached: int = 0) -> float:
    """Return what known numbers of tokens cost, in USD; ``cached`` are those of ``prompt`` from the prefix cache."""
    cached_price = price.input if price.cached_input is None else price.cached_input
    parts = (cached * cached_price, (prompt - cached) * price.input, completion * price.output)
    return math.fsum(parts) / TOKENS_PER_PRICE


def took_nothing(outcome: CallOutcome, tokens: TokenCounts) -> bool:
    """Whether no model has worked on a request: it was turned away without tokens, or no connection was made at all."""
    if outcome is CallOutcome.CONNECTION_LOST:
        return tokens.prompt_tokens == tokens.completion_tokens == 0
    return outcome in TURNED_AWAY and tokens == TokenCounts()


def request_cost_usd(outcome: CallOutcome, tokens: TokenCounts, price: ModelPrice | None) -> float | None:
    """Return what one request cost, in USD, or ``None``: unknown. One that took nothing is free, whatever the price."""
    return 0.0 if took_nothing(outcome, tokens) else cost_usd(tokens, price)
