"""Estimates: from characters at first, from what servers report later."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.llm_calls import TokenCounts
from hairpin.domain.outcome import Role
from hairpin.llm.token_estimate import OUTPUT_TOKENS, TokenEstimator


def learn(estimator: TokenEstimator, times: int, *, prompt: int | None, completion: int | None) -> None:
    for _ in range(times):
        tokens = TokenCounts(prompt_tokens=prompt, completion_tokens=completion)
        estimator.learn(Role.TURN_JUDGE, "m", n_chars=4000, tokens=tokens)


def test_at_first_four_characters_are_a_token_with_a_quarter_for_caution() -> None:
    prompt, output = TokenEstimator().estimate(Role.TURN_JUDGE, "m", n_chars=4000, output_cap=2048)
    assert prompt == 1250
    assert output == 1.25 * OUTPUT_TOKENS[Role.TURN_JUDGE]


@pytest.mark.parametrize(("reported", "low", "high"), [(4000, 4700, 5000), (500, 600, 700)])
def test_a_language_that_takes_more_or_fewer_tokens_is_learnt(reported: int, low: int, high: int) -> None:
    estimator = TokenEstimator()
    learn(estimator, 30, prompt=reported, completion=100)
    assert low <= estimator.estimate(Role.TURN_JUDGE, "m", n_chars=4000, output_cap=2048)[0] <= high


def test_what_one_role_or_model_reports_says_nothing_of_another() -> None:
    estimator = TokenEstimator()
    learn(estimator, 30, prompt=4000, completion=2000)
    fresh = TokenEstimator()
    for role, model in ((Role.SIMULATOR, "m"), (Role.TURN_JUDGE, "other")):
        asked = estimator.estimate(role, model, n_chars=4000, output_cap=2048)
        assert asked == fresh.estimate(role, model, n_chars=4000, output_cap=2048)


def test_the_output_is_bounded_by_the_cap_until_a_server_is_seen_to_ignore_it() -> None:
    estimator = TokenEstimator()
    assert estimator.estimate(Role.TURN_JUDGE, "m", n_chars=100, output_cap=64)[1] == 64
    learn(estimator, 5, prompt=1000, completion=45_000)
    assert estimator.estimate(Role.TURN_JUDGE, "m", n_chars=100, output_cap=64)[1] > 30_000


def test_what_was_not_reported_teaches_nothing() -> None:
    estimator = TokenEstimator()
    learn(estimator, 10, prompt=None, completion=None)
    asked = estimator.estimate(Role.TURN_JUDGE, "m", n_chars=4000, output_cap=2048)
    assert asked == TokenEstimator().estimate(Role.TURN_JUDGE, "m", n_chars=4000, output_cap=2048)


@given(st.sampled_from(Role), st.integers(0, 10**7), st.integers(1, 10**6))
def test_a_longer_prompt_is_never_estimated_shorter(role: Role, n_chars: int, cap: int) -> None:
    estimator = TokenEstimator()
    shorter = estimator.estimate(role, "m", n_chars=n_chars, output_cap=cap)
    longer = estimator.estimate(role, "m", n_chars=n_chars + 100, output_cap=cap)
    assert shorter[0] <= longer[0]
    assert shorter[1] == longer[1] <= cap
