from __future__ import annotations

import pytest

from hairpin.domain.arm import Arm
from hairpin.domain.facts import Signature
from hairpin.domain.tally import Standing
from hairpin.reports.campaign_results import NO_ENCODER, campaign_results, distinct_list
from tests.analysis.fact_builders import conversation
from tests.reports.sample_campaign import campaign_facts, campaign_run, campaign_scenario, some_results


def test_distinct_failures_are_listed_most_frequent_first() -> None:
    facts = [
        conversation(Standing.FAIL, (1, "a"), (2, "a"), index=0, active_s=5.0),
        conversation(Standing.FAIL, (1, "b"), index=1, arm=Arm.BASELINE),
        conversation(Standing.PASS, (0, "b"), index=2, active_s=9.0),
        conversation(Standing.INVALID, (0, "c"), index=3),
        conversation(Standing.FAIL, (0, "b"), index=4, sut="other"),
    ]
    first, second, third = distinct_list(facts)
    assert (first.signature, first.guided, first.baseline, first.first) == (Signature("b", "", ""), 1, 1, "c0002")
    assert (second.signature.mode, second.guided, second.baseline, second.first_active_s) == ("a", 1, 0, 5.0)
    assert (third.sut, third.guided) == ("other", 1)


def test_each_arm_and_assistant_has_its_confidence_sequence() -> None:
    results = some_results()
    labels = [each.scope.label for each in results.sequences]
    assert labels == ["guided", "baseline", "guided, clean", "baseline, clean", "guided, faulty", "baseline, faulty"]
    for each in results.sequences:
        figures = results.analysis.group(sut=each.scope.sut, arm=each.scope.arm)
        assert figures is not None
        last = each.sequence.last
        assert (last.n, last.n_failed) == (figures.failure_rate.n, figures.failure_rate.successes)


def test_with_one_assistant_nothing_is_shown_twice() -> None:
    facts = campaign_facts(60, suts=("faulty",))
    results = some_results(facts, suts=("faulty",))
    assert [each.scope.label for each in results.sequences] == ["guided, faulty", "baseline, faulty"]


def test_without_an_encoder_the_diversity_says_so() -> None:
    assert (some_results().diversity.figures, some_results().diversity.reason) == (None, NO_ENCODER)


def test_a_scenario_without_a_campaign_is_refused() -> None:
    scenario = campaign_scenario().model_copy(update={"campaign": None})
    with pytest.raises(ValueError, match="has no campaign"):
        campaign_results(campaign_run(), scenario, ())
