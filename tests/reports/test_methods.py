from __future__ import annotations

import pytest

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import Pairing, Split
from hairpin.reports.methods import methods_section
from tests.reports.sample_campaign import a_campaign, a_diversity, campaign_facts, some_results

FACTS = campaign_facts(60)


def said(**changes: object) -> str:
    return " ".join(methods_section(some_results(FACTS, spec=a_campaign(**changes))).text)


def test_the_plan_is_told() -> None:
    text = said()
    assert (
        "3 runs against 2 assistants (clean, faulty), with 4 h of active time for each arm, run and assistant." in text
    )
    assert "2 pools: pool1 (1 phrases), pool2 (1 phrases)" in text
    assert "M was 8 or 10 in the guided arm. The plan follows from the random seed 7 alone." in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"time_s": None, "conversations": 1200}, "with 1,200 conversations in all."),
        (
            {"time_s": 90.0, "max_distinct_failures": 5},
            "1.5 min of active time for each arm, run and assistant and at most 5",
        ),
        ({"time_s": None}, "with no budget."),
        ({"split": Split.TOTAL}, "the arms shared the time"),
        ({"pairing": Pairing.PAIRED}, "only the strategies differ"),
        ({"pairing": Pairing.INDEPENDENT}, "The baseline's user was neutral with M = 8"),
    ],
)
def test_budgets_split_and_pairing_are_told(changes: dict[str, object], words: str) -> None:
    assert words in said(**changes)


def test_one_arm_is_not_called_a_comparison() -> None:
    facts = campaign_facts(10, arms=(Arm.GUIDED,))
    text = " ".join(methods_section(some_results(facts, spec=a_campaign(arms=(Arm.GUIDED,)))).text)
    assert "One arm ran, guided: there is nothing to compare it with." in text


def test_what_is_in_no_rate_is_counted() -> None:
    results = some_results(FACTS)
    had = results.analysis.overall.conversations
    text = " ".join(methods_section(results).text)
    assert f"Of {had.planned} conversations, {had.passed + had.failed} passed or failed and are in the rates." in text
    assert f"{had.inconclusive} inconclusive ones" in text
    assert f"{had.invalid} invalid ones" in text


def test_statistics_encoder_and_versions_are_named() -> None:
    with_vectors = some_results(FACTS, diversity=a_diversity(FACTS))
    text = " ".join(methods_section(with_vectors).text)
    for words in (
        "Wilson",
        "Newcombe",
        "Mann–Whitney",
        "α = 0.05",
        "Beta(1/2, 1/2)",
        "made-up@1 (float32)",
        "Hairpin 0.1.0",
    ):
        assert words in text
    assert "was not computed: no encoder" in " ".join(methods_section(some_results(FACTS)).text)


def test_a_run_without_scores_says_what_a_failure_is() -> None:
    results = some_results(FACTS)
    unscored = results.model_copy(update={"run": results.run.model_copy(update={"scored": False})})
    assert "there was no success score" in " ".join(methods_section(unscored).text)
