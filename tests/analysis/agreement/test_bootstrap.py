from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

from hairpin.analysis.agreement.bootstrap import IntervalMethod, estimate, resample_weights
from hairpin.analysis.agreement.scale import Floats

VALUES = np.array([0.1, 0.4, 0.35, 0.8, 0.9, 0.2, 0.05, 0.6, 2.5])


def means(n_resamples: int = 999) -> Floats:
    weights = resample_weights(len(VALUES), n_resamples, 7)
    return np.asarray((weights @ VALUES) / weights.sum(axis=1))


def test_every_resample_draws_as_many_items_as_there_are() -> None:
    weights = resample_weights(5, 20, 1)
    assert weights.shape == (26, 5)
    assert weights[0].tolist() == [1] * 5
    assert weights[1:6].sum(axis=1).tolist() == [4] * 5
    assert weights[6:].sum(axis=1).tolist() == [5] * 20


def test_the_same_seed_draws_the_same_and_another_another() -> None:
    assert (resample_weights(9, 50, 1) == resample_weights(9, 50, 1)).all()
    assert (resample_weights(9, 50, 1) != resample_weights(9, 50, 2)).any()


@pytest.mark.parametrize(("method", "name"), [(IntervalMethod.BCA, "BCa"), (IntervalMethod.PERCENTILE, "percentile")])
def test_intervals_are_those_of_scipy_on_the_same_resamples(method: IntervalMethod, name: str) -> None:
    values = means()
    found = estimate(values, len(VALUES), method, n=1)
    drawn = SimpleNamespace(bootstrap_distribution=values[len(VALUES) + 1 :])
    expected = stats.bootstrap((VALUES,), np.mean, n_resamples=0, method=name, bootstrap_result=drawn)
    assert found.low == pytest.approx(expected.confidence_interval.low, abs=1e-9)
    assert found.high == pytest.approx(expected.confidence_interval.high, abs=1e-9)
    assert (found.method, found.interval_reason) == (method, "")


def test_where_all_resamples_are_equal_percentiles_stand_and_it_is_said() -> None:
    found = estimate(np.ones(100), 9, IntervalMethod.BCA, n=1)
    assert (found.low, found.high, found.method) == (1, 1, IntervalMethod.PERCENTILE)
    assert found.interval_reason == "percentiles: no single conversation changes the value"


def test_a_value_beside_all_resamples_has_percentiles() -> None:
    values = means()
    values[0] = 99
    found = estimate(values, len(VALUES), IntervalMethod.BCA, n=1)
    assert found.method is IntervalMethod.PERCENTILE
    assert "one side" in found.interval_reason


def test_a_figure_that_needs_one_conversation_has_percentiles() -> None:
    values = means()
    values[3] = np.nan
    assert "without one of the conversations" in estimate(values, len(VALUES), IntervalMethod.BCA, n=1).interval_reason


def test_undefined_resamples_are_left_out_and_counted() -> None:
    values = means()
    values[-100:] = np.nan
    found = estimate(values, len(VALUES), IntervalMethod.BCA, n=1)
    assert found.n_dropped == 100
    assert found.low is not None


def test_with_few_defined_resamples_there_is_no_interval() -> None:
    values = means()
    values[-600:] = np.nan
    found = estimate(values, len(VALUES), IntervalMethod.BCA, n=1)
    assert (found.low, found.method) == (None, None)
    assert found.interval_reason == "it is undefined in 600 of 999 resamples"


def test_one_conversation_has_no_interval_and_no_resamples_none_either() -> None:
    assert "nothing to resample" in estimate(np.ones(12), 1, IntervalMethod.BCA, n=1).interval_reason
    assert "no resamples" in estimate(means(0), len(VALUES), IntervalMethod.BCA, n=1).interval_reason


def test_what_is_undefined_says_why() -> None:
    found = estimate(np.full(12, np.nan), 1, IntervalMethod.BCA, n=1, n_undefined=2, reason="nobody agrees")
    assert (found.value, found.n, found.n_undefined, found.reason) == (None, 0, 2, "nobody agrees")
