"""What replays took."""

from __future__ import annotations

import pytest

from hairpin.analysis.metamorphic.effort import applicability, context_effort, effort
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.relation_counts import is_broken
from hairpin.domain.relations import ContextCheck, ContextFinding, ContextReason
from hairpin.domain.replay import Method, NotApplicable
from tests.analysis.metamorphic.family_builders import a_family, a_record, a_replay


def a_context_check(reason: ContextReason, n_calls: int) -> ContextCheck:
    finding = ContextFinding(equivalent=True, reason=reason, n_calls=n_calls)
    return ContextCheck(conversation="c1.RS.1", position=0, index=0, finding=finding)


def test_utterances_are_counted_per_method_and_what_broke_off_is_told() -> None:
    whole = a_record("c1.RS.1", ("a", "b", "c"), replay=a_replay(Method.MORTAR, (2, 1, 0), kind="RS"))
    broken = a_record("c1.RR.1", ("a",), replay=a_replay(Method.MORTAR, (0, 1), kind="RR"), stop=StopReason.SUT_ERROR)
    source, mortar = effort([a_family(whole, broken)])
    assert (source.method, source.replays, source.sut_calls, source.broken) == (Method.RBT, 1, 3, 0)
    assert (mortar.method, mortar.replays, mortar.sut_calls, mortar.broken) == (Method.MORTAR, 2, 4, 1)


@pytest.mark.parametrize("stop", StopReason)
def test_what_broke_off_is_the_same_as_in_the_summary_of_the_run(stop: StopReason) -> None:
    cut = a_record("c1.RR.1", ("a",), replay=a_replay(Method.MORTAR, (0, 1), kind="RR"), stop=stop)
    _, mortar = effort([a_family(cut)])
    assert mortar.broken == is_broken(Stop(reason=stop))


def test_checking_contexts_is_compared_with_four_calls_each() -> None:
    family = a_family(
        context_checks=[a_context_check(ContextReason.SAME_PREFIX, 0), a_context_check(ContextReason.SIMILARITY, 3)]
    )
    found = context_effort([family])
    assert (found.checks, found.calls, found.naive, found.per_check.value) == (2, 3, 8, 1.5)
    assert dict(found.by_reason) == {"same_prefix": 1, "similarity": 1}


def test_no_context_check_has_no_calls_per_check() -> None:
    assert context_effort([]).per_check.reason == "no context was checked"


def test_where_there_is_no_follow_up_the_reason_is_counted() -> None:
    missing = [NotApplicable(method=Method.QAASKER, kind="wh_wh", index=n, reason="no_answer") for n in range(2)] + [
        NotApplicable(method=Method.MORTAR, kind="RR", reason="too_short")
    ]
    shuffled = a_record("c1.RS.1", ("a",), replay=a_replay(Method.MORTAR, (1, 0), kind="RS"))
    shuffle, reduced, qaasker = applicability([a_family(shuffled, not_applicable=missing)])
    assert (reduced.kind, reduced.follow_ups, dict(reduced.not_applicable)) == ("RR", 0, {"too_short": 1})
    assert (shuffle.kind, shuffle.follow_ups, dict(shuffle.not_applicable)) == ("RS", 1, {})
    assert (qaasker.method, dict(qaasker.not_applicable)) == (Method.QAASKER, {"no_answer": 2})


def test_kinds_come_as_in_the_papers_and_unknown_ones_last() -> None:
    kinds = ["RSRD", "zigzag", "RD", "RI", "RS", "RRD"]
    missing = [NotApplicable(method=Method.MORTAR, kind=kind, reason="too_short") for kind in kinds]
    found = applicability([a_family(not_applicable=missing)])
    assert [each.kind for each in found] == ["RS", "RD", "RRD", "RSRD", "RI", "zigzag"]
