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
    assert (
        "2 pools: pool1 (1 phrase), pool2 (1 phrase); the runs drew from them in turn. Within an arm of a run, a pool"
        in text
    )
    assert "M was 8 or 10 in the guided arm. The plan follows from the random seed 7 alone." in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"time_s": None, "conversations": 1200}, "with 1,200 conversations in all."),
        (
            {"time_s": 90.0, "max_distinct_failures": 5},
            "90 s of active time for each arm, run and assistant and at most 5",
        ),
        ({"time_s": None}, "with no budget."),
        ({"split": Split.TOTAL}, "each arm got 2 h in each run against each assistant, an equal share of 4 h."),
        ({"split": Split.TOTAL, "time_s": 50.0}, "with 25 s of active time for each arm, run and assistant."),
        ({"split": Split.TIME}, "each arm got 4 h in each run against each assistant."),
        ({"split": Split.COUNT}, "with 8 h of active time for each run and assistant, all arms together."),
        ({"split": Split.COUNT}, "took turns; the next conversation went to the arm that had begun the fewest."),
        ({"pairing": Pairing.PAIRED}, "The test shown is the unpaired one all the same"),
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


@pytest.mark.parametrize("split", [Split.TIME, Split.TOTAL])
def test_without_a_limit_to_time_no_arm_got_any(split: Split) -> None:
    text = said(time_s=None, conversations=60, split=split)
    assert "to the arm that had used the least active time. The baseline" in text
    assert "each arm got" not in text


@pytest.mark.parametrize(
    ("runs", "n_pools", "words"),
    [
        (3, 1, "every run drew from it."),
        (1, 1, "the run drew from it."),
        (2, 2, "each run drew from its own."),
        (3, 2, "the runs drew from them in turn."),
    ],
)
def test_which_run_drew_from_which_pool_is_told(runs: int, n_pools: int, words: str) -> None:
    text = said(runs=runs, pools=a_campaign().pools[:n_pools])
    assert f"; {words} Within an arm of a run" in text
    assert "replacement" not in text


def test_conversations_from_one_phrase_are_not_called_independent() -> None:
    phrases = ("Take me home", "Play some jazz")
    facts = [fact.model_copy(update={"seed_phrase": phrases[fact.index % 2]}) for fact in FACTS]
    had = some_results(facts).analysis.overall.conversations
    text = " ".join(methods_section(some_results(facts)).text)
    rated = had.passed + had.failed
    assert f"the {rated} conversations that passed or failed came from 2 different seed phrases." in text
    assert "came from 1 different seed phrase." in said()
