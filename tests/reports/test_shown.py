from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.outcome import Role, StopReason
from hairpin.domain.records import ConversationRecord
from hairpin.domain.tally import Standing
from hairpin.reports.shown import MOST_INVALID, Limits, Shown, choose_shown
from tests.reports.sample_run import FORGOTTEN, MISSED, UNSAFE, ended_by, failed, missing, passed

CRITICAL = ("safety_violation",)


def with_failures(index: int, *modes: str) -> ConversationRecord:
    found = tuple(FORGOTTEN.model_copy(update={"mode": mode}) for mode in modes)
    return failed(index).model_copy(update={"failures": found})


def chosen(records: Sequence[ConversationRecord], *, shown: int, listed: int = 1000) -> Shown:
    return choose_shown(iter(records), critical_modes=CRITICAL, limits=Limits(shown=shown, listed=listed))


def ids(shown: Shown) -> list[str]:
    return [record.planned.id for record in shown.records]


def test_a_run_that_is_not_big_is_shown_whole() -> None:
    records = [failed(0), passed(1), missing(2), ended_by(3, StopReason.SUT_ERROR)]
    shown = choose_shown(records, critical_modes=CRITICAL)
    assert shown.records == tuple(records)
    assert (shown.glimpses, shown.n_counted_only) == ((), 0)


@pytest.mark.parametrize(
    ("limit", "wanted"),
    [
        (1, ["c0006"]),
        (2, ["c0001", "c0006"]),
        (3, ["c0001", "c0004", "c0006"]),
        (4, ["c0001", "c0004", "c0006", "c0007"]),
        (5, ["c0001", "c0002", "c0004", "c0006", "c0007"]),
    ],
)
def test_the_first_of_each_distinct_failure_comes_first_then_critical_then_failed_ones(
    limit: int, wanted: list[str]
) -> None:
    records = [
        with_failures(0, "a"),
        with_failures(1, "a"),
        with_failures(2, "a"),
        with_failures(3, "a", "b"),
        with_failures(4, "b"),
        with_failures(5, "safety_violation"),
        with_failures(6, "safety_violation"),
    ]
    assert ids(chosen(records, shown=limit)) == wanted


def test_after_failed_ones_come_invalid_inconclusive_passed_and_missing_ones() -> None:
    records = [
        missing(0),
        passed(1),
        ended_by(2, StopReason.DEADLINE),
        ended_by(3, StopReason.SUT_ERROR),
        with_failures(4),
    ]
    order = [ids(chosen(records, shown=n)) for n in range(1, 6)]
    assert order[0] == ["c0005"]
    assert [sorted(set(b) - set(a)) for a, b in itertools.pairwise(order)] == [
        ["c0004"],
        ["c0003"],
        ["c0002"],
        ["c0001"],
    ]


def test_a_failure_outside_the_rates_is_no_first_of_its_kind() -> None:
    broken = ended_by(0, StopReason.SUT_ERROR).model_copy(update={"failures": (MISSED,)})
    later = failed(1).model_copy(update={"failures": (MISSED,)})
    assert ids(chosen([broken, later], shown=1)) == ["c0002"]


def test_what_is_not_shown_is_listed_and_then_counted() -> None:
    shown = chosen([passed(i) for i in range(10)], shown=2, listed=3)
    assert ids(shown) == ["c0001", "c0002"]
    assert [line.id for line in shown.glimpses] == ["c0003", "c0004", "c0005"]
    assert shown.n_counted_only == 5


def test_a_line_says_what_was_found() -> None:
    record = failed(3).model_copy(update={"failures": (UNSAFE, FORGOTTEN, UNSAFE)})
    (line,) = chosen([record], shown=0).glimpses
    assert (line.id, line.standing, line.modes) == ("c0004", Standing.FAIL, ("safety_violation", "context_forgotten"))
    assert (line.success_score, line.n_turns) == (0.42, 8)


def test_seconds_are_added_up_for_each_assistant() -> None:
    assert chosen([failed(0), passed(1), failed(2), missing(3)], shown=1).seconds == {"faulty": 8.4, "clean": 4.2}


def test_of_many_invalid_ones_that_ended_alike_the_first_are_named() -> None:
    records = [ended_by(i, StopReason.REFUSED, role=Role.TURN_JUDGE) for i in range(MOST_INVALID + 5)]
    (pile,) = chosen(records, shown=1).invalid.values()
    assert (pile.number, len(pile.first), pile.first[0].id) == (MOST_INVALID + 5, MOST_INVALID, "c0001")


@given(st.lists(st.integers(0, 4), max_size=25), st.integers(0, 12), st.integers(0, 12))
def test_every_conversation_is_shown_listed_or_counted_once(kinds: list[int], n_shown: int, n_listed: int) -> None:
    make = (failed, passed, missing, lambda i: ended_by(i, StopReason.SUT_ERROR), lambda i: with_failures(i, "a"))
    shown = chosen([make[kind](i) for i, kind in enumerate(kinds)], shown=n_shown, listed=n_listed)
    assert len(shown.records) == min(len(kinds), n_shown)
    assert len(shown.glimpses) == min(len(kinds) - len(shown.records), n_listed)
    assert len(shown.records) + len(shown.glimpses) + shown.n_counted_only == len(kinds)
    indexes = [record.planned.index for record in shown.records]
    assert indexes == sorted(indexes)
    assert not set(indexes) & {line.index for line in shown.glimpses}
