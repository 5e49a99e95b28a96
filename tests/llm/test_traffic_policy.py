"""The limits of an endpoint that several roles share."""

from __future__ import annotations

import pytest

from hairpin.domain.model_spec import ModelLimits
from hairpin.llm.traffic.policy import strictest_limits


def test_the_strictest_of_each_figure_counts() -> None:
    patient = ModelLimits(concurrency=4, tokens_per_minute=1000, attempts=9, timeout_s=600, max_wait_s=10)
    broad = ModelLimits(concurrency=32, requests_per_minute=60, tokens_per_minute=50, attempts=2, timeout_s=5)
    assert strictest_limits([patient, broad]) == ModelLimits(
        concurrency=4, requests_per_minute=60, tokens_per_minute=50, attempts=2, timeout_s=5, max_wait_s=10
    )


def test_no_limit_per_minute_stays_none() -> None:
    assert strictest_limits([ModelLimits(), ModelLimits()]) == ModelLimits()


def test_an_endpoint_without_roles_has_no_limits() -> None:
    with pytest.raises(ValueError, match="empty"):
        strictest_limits([])
