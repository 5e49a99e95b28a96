from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.analysis.effectiveness import group_figures, most_types
from hairpin.analysis.proportions import proportion
from hairpin.analysis.scope import Scope
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.failures import CHECK_FAILED
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

FAIL, PASS = Standing.FAIL, Standing.PASS
CUT, INVALID, MISSING = Standing.INCONCLUSIVE, Standing.INVALID, Standing.MISSING
EIGHT = (None,) * 8
SEVEN = (None,) * 7
FACTS = [
    conversation(FAIL, (0, "x"), (4, "x"), (7, "y"), success_score=0.25, strategies=EIGHT),
    conversation(FAIL, (3, "x"), (3, "y"), (3, "z"), success_score=0.5, strategies=SEVEN),
    conversation(PASS, (4, "x"), success_score=0.75, strategies=SEVEN),
    conversation(PASS, success_score=None, strategies=EIGHT),
    conversation(CUT, (0, "x"), (0, "y"), (0, "z"), (0, "v"), success_score=0.0),
    conversation(INVALID, (0, "x")),
    conversation(MISSING),
]


def test_the_figures_of_a_group_by_hand() -> None:
    figures = group_figures(FACTS, Scope())
    counts = figures.conversations
    assert (counts.planned, counts.completed, counts.passed, counts.failed) == (7, 5, 2, 2)
    assert (counts.inconclusive, counts.invalid, counts.missing) == (1, 1, 1)
    assert figures.failure_rate == proportion(2, 4)
    assert (figures.success_score.n, figures.success_score.mean, figures.success_score.sd) == (3, 0.5, 0.25)
    assert (figures.failure_types.mean, figures.failure_types.n) == (1.5, 4)
    assert figures.failure_types.sd == pytest.approx((5 / 3) ** 0.5)
    assert [(part.k, part.share) for part in figures.at_least] == [
        (1, proportion(3, 4)),
        (2, proportion(2, 4)),
        (3, proportion(1, 4)),
    ]
    assert figures.turns.mean == 7.5
    assert figures.instances == 7


def test_where_failures_begin_by_hand() -> None:
    """t < n / 2: of eight turns 0 to 3 are early, of seven also 3, the middle one. First failures: t = 0, 3 and 4."""
    figures = group_figures(FACTS, Scope())
    assert figures.first_failure_t.mean == pytest.approx(7 / 3)
    assert figures.first_failure_t.median == 3
    assert figures.early_instances == proportion(4, 7)
    assert figures.early_first == proportion(2, 3)


def test_a_failed_check_is_an_instance_and_no_type() -> None:
    figures = group_figures([conversation(FAIL, (1, CHECK_FAILED))], Scope())
    assert (figures.instances, figures.failure_types.mean, figures.at_least) == (1, 0, ())
    assert figures.first_failure_t.mean == 1


def test_shares_go_up_to_what_the_campaign_has() -> None:
    figures = group_figures([conversation(PASS)], Scope(), max_types=2)
    assert [(part.k, part.share) for part in figures.at_least] == [(1, proportion(0, 1)), (2, proportion(0, 1))]
    assert (most_types(FACTS), most_types([])) == (3, 0)


def test_a_group_holds_only_its_own() -> None:
    facts = [*FACTS, conversation(FAIL, sut="b"), conversation(FAIL, arm=Arm.BASELINE)]
    assert group_figures(facts, Scope(sut="b")).conversations.planned == 1
    assert group_figures(facts, Scope(sut="a", arm=Arm.GUIDED)).failure_rate == proportion(2, 4)


@pytest.mark.parametrize(
    "facts", [[], [conversation(INVALID)] * 3, [conversation(CUT, (0, "x")), conversation(MISSING)]]
)
def test_without_a_rated_conversation_every_figure_says_so(facts: list[ConversationFacts]) -> None:
    figures = group_figures(facts, Scope())
    assert figures.conversations.planned == len(facts)
    assert (figures.failure_rate.rate, figures.failure_rate.reason) == (None, "no rated conversation")
    assert (figures.success_score.mean, figures.success_score.reason) == (None, "no rated conversation has a score")
    assert (figures.failure_types.mean, figures.turns.mean, figures.at_least) == (None, None, ())
    assert (figures.early_first.rate, figures.early_first.reason) == (None, "no failure was found")


def test_one_conversation_has_means_and_no_spread() -> None:
    figures = group_figures([conversation(FAIL, (2, "x"), success_score=0.5)], Scope())
    assert (figures.success_score.mean, figures.success_score.sd) == (0.5, None)
    assert (figures.failure_types.mean, figures.failure_types.sd) == (1, None)


@given(st.lists(st.sampled_from([PASS, FAIL, CUT, INVALID, MISSING]), max_size=30))
def test_every_conversation_stands_somewhere_and_only_two_standings_are_rated(standings: list[Standing]) -> None:
    figures = group_figures([conversation(standing) for standing in standings], Scope())
    counts = figures.conversations
    assert counts.planned == len(standings) == counts.completed + counts.invalid + counts.missing
    assert counts.completed == counts.passed + counts.failed + counts.inconclusive
    assert figures.failure_rate.n == counts.passed + counts.failed
