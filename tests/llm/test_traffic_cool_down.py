"""The pause a server asked for, and the ramp after it."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest

from hairpin.domain.llm_calls import CallOutcome
from hairpin.llm.completion import CallError
from hairpin.llm.traffic.cool_down import CoolDown, Ramp


def error(detail: str = "slow down", retry_after_s: float | None = None) -> CallError:
    return CallError(CallOutcome.RATE_LIMITED, detail, retry_after_s=retry_after_s)


def test_the_longest_wait_that_was_asked_for_is_kept() -> None:
    cool_down = CoolDown()
    assert cool_down.begin(error(), 10.0, 100.0)
    assert not cool_down.begin(error(), 2.0, 101.0)
    assert cool_down.until_s == 110.0
    assert cool_down.begin(error(), 20.0, 102.0)
    assert cool_down.until_s == 122.0


def test_a_refusal_is_the_provider_s_own_error_and_says_both_figures() -> None:
    cool_down = CoolDown()
    cool_down.begin(error("come back tomorrow", 86400.0), 86400.0, 0.0)
    refusal = cool_down.refusal(300.0)
    assert (refusal.outcome, refusal.retry_after_s) == (CallOutcome.RATE_LIMITED, 86400.0)
    assert refusal.detail == "come back tomorrow; asked to wait 86400 s, more than max_wait_s 300"


def test_a_refusal_after_many_short_waits_says_so() -> None:
    cool_down = CoolDown()
    cool_down.begin(error(), 7.0, 0.0)
    assert cool_down.refusal(300.0).detail.endswith(
        "asked to wait 7 s, not for the first time, in all more than max_wait_s 300"
    )


def test_nothing_is_refused_before_anything_was_asked() -> None:
    with pytest.raises(ValueError, match="no wait"):
        CoolDown().refusal(1.0)


@pytest.mark.parametrize("rng_seed", range(20))
def test_requests_start_apart_and_never_before_the_ramp_begins(rng_seed: int) -> None:
    ramp = Ramp(Random(rng_seed))
    ramp.begin(100.0, gap_s=0.2, starts=5)
    starts = []
    for _ in range(5):
        starts.append(ramp.free_at_s())
        ramp.take(starts[-1])
    assert starts[0] >= 100.0
    assert all(0.1 <= later - earlier <= 0.3 for earlier, later in pairwise(starts))
    assert ramp.free_at_s() == -math.inf
