"""The corrected failure rate: hand-worked figures, what is refused, and how often its interval holds the truth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.corrected_rate import CHANCE, corrected_rate
from hairpin.domain.canary_rates import CorrectedRate, ErrorRate
from hairpin.domain.intervals import wilson

N_CAMPAIGNS = 500


class Setting(NamedTuple):
    """A campaign of ``n`` conversations, of which a share π truly fails, and ``asked`` transcripts of each kind."""

    n: int
    asked: int
    sensitivity: float
    specificity: float
    truth: float


SETTINGS = [
    Setting(n, asked, se, sp, truth)
    for n, asked in ((60, 5), (100, 8), (100, 24), (400, 24), (1000, 50))
    for se, sp in ((0.99, 0.99), (0.9, 0.9), (0.8, 0.95), (0.7, 0.75))
    for truth in (0.0, 0.1, 0.4, 1.0)
]


def errors(wrong: float, n: int) -> ErrorRate:
    low, high = wilson(wrong, n)
    return ErrorRate(wrong=wrong, n=n, rate=wrong / n if n else None, low=low, high=high)


def corrected(failed: int, n: int, good: tuple[float, int], bad: tuple[float, int]) -> CorrectedRate:
    found = corrected_rate(failed, n, failed_good=errors(*good), passed_bad=errors(*bad))
    assert found is not None
    return found


def simulated(setting: Setting, rng: np.random.Generator) -> list[CorrectedRate]:
    """Return the corrected rates of campaigns in which judges err alike on conversations and on canaries."""
    n, asked, se, sp, truth = setting
    bad = rng.binomial(n, truth, N_CAMPAIGNS)
    failed = rng.binomial(bad, se) + rng.binomial(n - bad, 1 - sp)
    passed_bad, failed_good = rng.binomial(asked, 1 - se, N_CAMPAIGNS), rng.binomial(asked, 1 - sp, N_CAMPAIGNS)
    rows = zip(failed.tolist(), failed_good.tolist(), passed_bad.tolist(), strict=True)
    return [corrected(k, n, (good, asked), (wrong, asked)) for k, good, wrong in rows]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_interval_holds_the_true_rate_in_at_least_93_of_100_campaigns(setting: Setting) -> None:
    """Part F, must hold 6. Where nothing can be corrected the interval is all of [0, 1]: that must stay rare."""
    found = simulated(setting, np.random.default_rng(20261130))
    inside = sum(each.low <= setting.truth <= each.high for each in found)
    assert inside / N_CAMPAIGNS >= 0.93
    assert sum(each.rate is None for each in found) / N_CAMPAIGNS <= (0.1 if setting.asked < 8 else 0.05)


def test_more_canaries_and_conversations_make_it_narrower() -> None:
    rng = np.random.default_rng(7)
    few, many = (
        [each.high - each.low for each in simulated(Setting(n, asked, 0.9, 0.9, 0.3), rng)]
        for n, asked in ((60, 5), (1000, 200))
    )
    assert np.mean(many) < 0.5 * np.mean(few)


def test_the_estimate_is_rogan_and_gladens() -> None:
    found = corrected(40, 100, (2, 20), (4, 20))
    assert (found.raw, found.sensitivity, found.specificity) == (0.4, 0.8, 0.9)
    assert found.rate == pytest.approx((0.4 + 0.9 - 1) / (0.8 + 0.9 - 1))
    assert (found.clipped, found.reason) == (False, "")
    assert found.rate is not None
    assert found.low < 0.4 < found.rate < found.high


def test_the_bounds_are_lang_and_reiczigels() -> None:
    """Worked by hand from the equations: n = 100, p = 0.4, se = 16/20, sp = 18/20."""
    z = 1.959963984540054
    se, sp, p = 17 / 22, 19 / 22, (40 + z**2 / 2) / (100 + z**2)
    pi = (p + sp - 1) / (se + sp - 1)
    shift = 2 * z**2 * (pi * se * (1 - se) / 22 - (1 - pi) * sp * (1 - sp) / 22)
    parts = p * (1 - p) / (100 + z**2) + pi**2 * se * (1 - se) / 22 + (1 - pi) ** 2 * sp * (1 - sp) / 22
    half = z * parts**0.5 / (se + sp - 1)
    found = corrected(40, 100, (2, 20), (4, 20))
    assert (found.low, found.high) == pytest.approx((pi + shift - half, pi + shift + half))


def test_with_much_asked_it_agrees_with_a_bootstrap() -> None:
    found, rng = corrected(400, 1000, (50, 500), (100, 500)), np.random.default_rng(3)
    p, sp = rng.binomial(1000, 0.4, 20_000) / 1000, rng.binomial(500, 0.9, 20_000) / 500
    se = rng.binomial(500, 0.8, 20_000) / 500
    low, high = np.quantile((p + sp - 1) / (se + sp - 1), [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)


def test_an_estimate_below_nought_or_above_one_is_clipped_and_says_so() -> None:
    below, above = corrected(1, 100, (2, 20), (0, 20)), corrected(99, 100, (0, 20), (4, 20))
    assert (below.rate, below.low, below.clipped) == (0, 0, True)
    assert (above.rate, above.high, above.clipped) == (1, 1, True)
    assert corrected(10, 100, (2, 20), (0, 20)).clipped is False


@pytest.mark.parametrize(("good", "bad"), [((10, 20), (10, 20)), ((20, 20), (0, 20)), ((0, 20), (20, 20))])
def test_judges_no_better_than_chance_correct_nothing(good: tuple[int, int], bad: tuple[int, int]) -> None:
    found = corrected(40, 100, good, bad)
    assert (found.rate, found.low, found.high, found.reason) == (None, 0, 1, CHANCE)


def test_with_few_transcripts_of_a_kind_nothing_is_corrected() -> None:
    found = corrected(40, 100, (0, 4), (0, 20))
    assert (found.rate, found.reason) == (
        None,
        "no correction: 4 known-good and 20 known-bad transcripts are too few, it takes 5 of each",
    )
    nothing = corrected(40, 100, (0, 0), (0, 20))
    assert (nothing.specificity, nothing.sensitivity, nothing.rate) == (None, 1.0, None)


def test_no_conversation_has_no_rate_and_no_share_is_refused() -> None:
    assert corrected_rate(0, 0, failed_good=errors(0, 9), passed_bad=errors(0, 9)) is None
    with pytest.raises(ValueError, match="5 of 4 is no share"):
        corrected_rate(5, 4, failed_good=errors(0, 9), passed_bad=errors(0, 9))


def test_unlike_numbers_of_each_kind_may_leave_nothing_to_bound() -> None:
    found = corrected(40, 100, (5, 5), (0, 400))
    assert found.reason == CHANCE
    barely = corrected(40, 100, (398, 400), (0, 5))
    assert barely.rate is not None
    assert (barely.low, barely.high) == (0, 1)


@given(data=st.data(), n=st.integers(1, 300), asked=st.integers(5, 40))
def test_the_interval_lies_in_the_unit_interval_and_holds_the_estimate(data: st.DataObject, n: int, asked: int) -> None:
    failed, good, bad = (data.draw(st.integers(0, top)) for top in (n, asked, asked))
    found = corrected(failed, n, (good, asked), (bad, asked))
    assert 0 <= found.low <= found.high <= 1
    if found.rate is not None:
        assert found.low <= found.rate <= found.high
