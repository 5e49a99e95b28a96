from __future__ import annotations

import pytest

from hairpin.analysis.model import FailureProfile, ProfileRow
from hairpin.analysis.profile import failure_profile
from hairpin.analysis.proportions import proportion
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.failures import CHECK_FAILED
from hairpin.domain.tally import Standing
from tests.analysis.fact_builders import conversation

FAIL, PASS = Standing.FAIL, Standing.PASS
MODES = ("poor", "missed", "unsafe")
FACTS = [
    conversation(FAIL, (0, "poor"), (1, "poor"), (2, "missed")),
    conversation(FAIL, (0, "poor"), (1, "unsafe"), (2, CHECK_FAILED)),
    conversation(PASS, (0, "missed"), (1, "missed"), arm=Arm.BASELINE),
    conversation(FAIL, (0, "missed"), (1, "poor"), arm=Arm.BASELINE),
    conversation(PASS, arm=Arm.BASELINE),
    *(conversation(s, (0, "poor"), arm=arm) for s in Standing if not s.in_rates for arm in (Arm.GUIDED, Arm.BASELINE)),
]


def profile(facts: list[ConversationFacts], sut: str | None = None) -> FailureProfile:
    return failure_profile(facts, sut, modes=MODES)


def row(found: FailureProfile, mode: str) -> ProfileRow:
    return next(one for one in found.rows if one.mode == mode)


def test_enrichment_is_a_ratio_of_shares_of_instances_by_hand() -> None:
    """N_S = 5 and N_B = 4: poor (3/5) / (1/4), missed (1/5) / (3/4)."""
    found = profile(FACTS)
    assert (found.guided_instances, found.baseline_instances) == (5, 4)
    assert row(found, "poor").enrichment == pytest.approx(2.4)
    assert row(found, "missed").enrichment == pytest.approx(4 / 15)


def test_prevalence_is_a_share_of_rated_conversations() -> None:
    missed = row(profile(FACTS), "missed")
    assert (missed.guided_prevalence, missed.baseline_prevalence) == (proportion(1, 2), proportion(2, 3))


def test_a_mode_that_the_baseline_lacks_has_no_enrichment() -> None:
    found = failure_profile(FACTS, None, modes=(*MODES, "ignored"))
    assert (row(found, "unsafe").enrichment, row(found, "ignored").enrichment) == (None, None)
    assert row(found, "unsafe").reason == "only guided conversations have it"
    assert row(found, "ignored").reason == "neither arm has it"


def test_modes_are_in_the_rubrics_order_and_others_follow() -> None:
    found = profile([*FACTS, conversation(FAIL, (0, "odd"))])
    assert [one.mode for one in found.rows] == [*MODES, "odd"]


def test_a_mode_only_the_baseline_has_is_enriched_by_nothing() -> None:
    facts = [conversation(FAIL, (0, "poor")), conversation(FAIL, (0, "unsafe"), arm=Arm.BASELINE)]
    assert row(profile(facts), "unsafe").enrichment == 0


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ([], "the guided arm has no failures"),
        ([conversation(FAIL, (0, "poor"))], "the baseline arm has no failures"),
        ([conversation(PASS, (0, "poor"), arm=Arm.BASELINE)], "the guided arm has no failures"),
    ],
)
def test_an_arm_without_failures_is_named(facts: list[ConversationFacts], reason: str) -> None:
    found = profile(facts)
    assert {(one.enrichment, one.reason) for one in found.rows} == {(None, reason)}


def test_an_assistants_profile_holds_only_its_own() -> None:
    found = profile([*FACTS, conversation(FAIL, (0, "unsafe"), sut="b")], "b")
    assert (found.sut, found.guided_instances, found.baseline_instances) == ("b", 1, 0)
    assert row(found, "unsafe").baseline_prevalence.reason == "no rated conversation in this arm"
