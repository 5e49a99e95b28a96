"""When an assistant is left alone, tried again and given up, without a loop or a clock."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.campaign.sut_health import BreakerRules, Phase, Sign, SutHealth, sign_of
from hairpin.domain.outcome import Stop, StopReason

RULES = BreakerRules(max_errors=3, pause_s=10)


def after(*signs: Sign, health: SutHealth = SutHealth(), now_s: float = 100.0, probe: bool = False) -> SutHealth:  # noqa: B008 - a frozen value
    for number, sign in enumerate(signs):
        health = health.ended(sign, f"error {number}", probe=probe, now_s=now_s, rules=RULES)
    return health


def paused() -> SutHealth:
    return after(Sign.ERROR, Sign.ERROR, Sign.ERROR)


def test_as_many_errors_in_a_row_as_the_rules_say_pause_an_assistant() -> None:
    assert after(Sign.ERROR, Sign.ERROR).phase is Phase.SERVING
    assert paused() == SutHealth(Phase.PAUSED, n_errors=3, last_error="error 2", paused_until_s=110)


def test_a_conversation_that_works_in_between_starts_the_count_anew() -> None:
    assert after(Sign.ERROR, Sign.ERROR, Sign.WORKS, Sign.ERROR, Sign.ERROR).phase is Phase.SERVING


def test_an_end_that_says_nothing_neither_counts_nor_clears() -> None:
    assert after(Sign.ERROR, Sign.NONE, Sign.ERROR, Sign.NONE, Sign.ERROR).phase is Phase.PAUSED


def test_nothing_begins_in_a_pause_and_one_conversation_after_it() -> None:
    health = paused()
    assert (health.wait_s(100), health.wait_s(104), health.wait_s(110), health.wait_s(999)) == (10, 6, 0, 0)
    probed = health.begun()
    assert (probed.phase, probed.wait_s(999)) == (Phase.PROBED, math.inf)
    assert SutHealth().begun() == SutHealth()


def test_the_probe_decides() -> None:
    probed = paused().begun()
    broken = after(Sign.ERROR, health=probed, probe=True)
    assert (broken.phase, broken.n_errors, broken.wait_s(math.inf)) == (Phase.BROKEN, 4, math.inf)
    assert after(Sign.WORKS, health=probed, probe=True) == SutHealth()


def test_a_probe_that_says_nothing_is_followed_by_another_at_once() -> None:
    again = after(Sign.NONE, health=paused().begun(), probe=True, now_s=112)
    assert (again.phase, again.wait_s(112)) == (Phase.PAUSED, 0)


def test_conversations_that_began_before_the_pause_only_count() -> None:
    later = after(Sign.ERROR, Sign.ERROR, health=paused(), now_s=105)
    assert (later.phase, later.n_errors, later.paused_until_s) == (Phase.PAUSED, 5, 110)
    assert after(Sign.ERROR, health=paused().begun()).phase is Phase.PROBED
    assert after(Sign.NONE, health=paused().begun()).phase is Phase.PROBED


def test_one_of_them_that_works_ends_the_pause() -> None:
    assert after(Sign.WORKS, health=paused()) == SutHealth()
    assert after(Sign.ERROR, health=SutHealth(), probe=True).phase is Phase.SERVING


@given(st.lists(st.tuples(st.sampled_from(Sign), st.booleans()), max_size=12))
def test_what_is_broken_stays_broken(endings: list[tuple[Sign, bool]]) -> None:
    broken = after(Sign.ERROR, health=paused().begun(), probe=True)
    health = broken
    for sign, probe in endings:
        health = after(sign, health=health.begun(), probe=probe)
    assert health == broken


@given(st.lists(st.sampled_from(Sign), max_size=30))
def test_nobody_is_paused_without_enough_errors_since_the_last_that_worked(signs: list[Sign]) -> None:
    tail = signs[len(signs) - signs[::-1].index(Sign.WORKS) :] if Sign.WORKS in signs else signs
    assert (after(*signs).phase is Phase.PAUSED) == (tail.count(Sign.ERROR) >= RULES.max_errors)


@pytest.mark.parametrize("reason", StopReason)
def test_only_errors_of_the_assistant_count_and_only_replies_clear(reason: StopReason) -> None:
    sign = sign_of(Stop(reason=reason))
    assert (sign is Sign.ERROR) == (reason is StopReason.SUT_ERROR)
    if reason in (StopReason.PROVIDER_ERROR, StopReason.SIMULATOR_FAULT, StopReason.DEADLINE, StopReason.INTERRUPTED):
        assert sign is Sign.NONE
    if reason in (StopReason.TURNS_EXHAUSTED, StopReason.SUT_ENDED, StopReason.JUDGE_FAULT):
        assert sign is Sign.WORKS
    assert sign_of(None) is Sign.NONE
