"""What requests cost: exact where everything is known, and unknown otherwise."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.domain.model_spec import AzureModel, CompatibleModel, LocalModel, ModelPrice, ModelSpec, OpenAiModel
from hairpin.llm.prices import FREE, TURNED_AWAY, PriceTable, cost_usd, request_cost_usd

PRICE = ModelPrice(input=2.0, cached_input=0.5, output=8.0)
TABLE = PriceTable(
    prices={
        "openai": {"gpt-4.1": PRICE, "gpt-4o": PRICE, "gpt-4o-2024-05-13": ModelPrice(input=5, output=15)},
        "azure": {"gpt-4.1": ModelPrice(input=2.2, output=8.8)},
    },
    as_of="2026-05-31",
)
GOOD = TokenCounts(prompt_tokens=1000, completion_tokens=50)


def openai(model: str) -> OpenAiModel:
    return OpenAiModel(model=model)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-4.1", 2.0),
        ("gpt-4.1-2025-04-14", 2.0),
        ("gpt-4o-2024-05-13", 5.0),
        ("gpt-4o-2024-11-20", 2.0),
        ("gpt-4.1-mini", None),
        ("gpt-4.1-preview", None),
        ("gpt-4.1-2025-04-14-tuned", None),
        ("gpt-4.1-2025-13-14", None),
        ("gpt-4.1-20250414", None),
        ("GPT-4.1", None),
        ("openai/gpt-4.1", None),
        ("ft:gpt-4.1:acme", None),
    ],
)
def test_only_the_exact_name_or_a_dated_snapshot_of_the_family_has_a_price(model: str, expected: float | None) -> None:
    price = TABLE.price_of(openai(model))
    assert (price and price.input) == expected


def test_the_same_name_at_another_provider_is_another_model() -> None:
    azure = AzureModel(endpoint="https://a.example", deployment="judge", api_version="2024-10-21", model="gpt-4.1")
    assert TABLE.price_of(azure) == ModelPrice(input=2.2, output=8.8)
    assert TABLE.price_of(azure.model_copy(update={"model": ""})) is None
    assert TABLE.price_of(CompatibleModel(base_url="https://c.example/v1", model="gpt-4.1")) is None


def test_the_scenarios_own_price_wins_and_a_local_model_is_free() -> None:
    own = ModelPrice(input=9, output=9)
    specs: list[ModelSpec] = [OpenAiModel(model="gpt-4.1", price=own), LocalModel(price=own)]
    assert [TABLE.price_of(spec) for spec in specs] == [own, own]
    assert TABLE.price_of(LocalModel()) == FREE


def test_cached_tokens_are_priced_apart() -> None:
    tokens = TokenCounts(prompt_tokens=1_000_000, completion_tokens=100_000, cached_prompt_tokens=400_000)
    assert cost_usd(tokens, PRICE) == 0.6 * 2.0 + 0.4 * 0.5 + 0.1 * 8.0
    assert cost_usd(tokens, ModelPrice(input=2.0, output=8.0)) == 2.8


def test_reasoning_is_part_of_the_completion_and_not_paid_twice() -> None:
    assert cost_usd(GOOD.model_copy(update={"reasoning_tokens": 40}), PRICE) == cost_usd(GOOD, PRICE)


@pytest.mark.parametrize(
    "tokens",
    [
        TokenCounts(),
        TokenCounts(prompt_tokens=5),
        TokenCounts(completion_tokens=5),
        TokenCounts(prompt_tokens=5, completion_tokens=5, cached_prompt_tokens=6),
        TokenCounts(prompt_tokens=10**400, completion_tokens=5),
    ],
)
def test_unknown_or_impossible_tokens_have_an_unknown_cost(tokens: TokenCounts) -> None:
    assert cost_usd(tokens, PRICE) is None


def test_an_unknown_price_is_never_zero_and_a_free_model_is_free_whatever_it_reports() -> None:
    assert cost_usd(GOOD, None) is None
    assert cost_usd(TokenCounts(), FREE) == 0.0


@pytest.mark.parametrize("outcome", CallOutcome)
def test_without_reported_tokens_only_what_was_turned_away_is_known_to_cost_nothing(outcome: CallOutcome) -> None:
    """A request that timed out, was cut off or was cancelled may have been worked on, and paid for."""
    assert request_cost_usd(outcome, TokenCounts(), PRICE) == (0.0 if outcome in TURNED_AWAY else None)
    assert request_cost_usd(outcome, GOOD, PRICE) == cost_usd(GOOD, PRICE)


@pytest.mark.parametrize(
    "outcome", [CallOutcome.OK, CallOutcome.TIMED_OUT, CallOutcome.CANCELLED, CallOutcome.EMPTY, CallOutcome.TRUNCATED]
)
def test_what_a_model_may_have_worked_on_is_not_turned_away(outcome: CallOutcome) -> None:
    assert outcome not in TURNED_AWAY


def test_a_server_that_was_never_reached_costs_nothing_and_one_that_hung_up_may_have_worked() -> None:
    never = TokenCounts(prompt_tokens=0, completion_tokens=0)
    for price in (PRICE, None):
        assert request_cost_usd(CallOutcome.CONNECTION_LOST, never, price) == 0.0
        assert request_cost_usd(CallOutcome.CONNECTION_LOST, TokenCounts(), price) is None


counts = st.integers(0, 10**7)


@given(prompt=counts, cached=counts, completion=counts)
def test_a_prefix_cache_never_makes_a_request_dearer(prompt: int, cached: int, completion: int) -> None:
    cached = min(prompt, cached)
    plain = cost_usd(TokenCounts(prompt_tokens=prompt, completion_tokens=completion), PRICE)
    served = cost_usd(
        TokenCounts(prompt_tokens=prompt, completion_tokens=completion, cached_prompt_tokens=cached), PRICE
    )
    assert plain is not None
    assert served is not None
    assert math.isclose(plain - served, cached * 1.5e-6, abs_tol=1e-9)
