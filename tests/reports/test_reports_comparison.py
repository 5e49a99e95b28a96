"""What a comparison says in one sentence, and the exit code that follows."""

from __future__ import annotations

import pytest

from hairpin.analysis.compare_runs import compare_runs
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.records import RunStatus
from hairpin.domain.tally import ConversationCounts, Standing
from hairpin.reports.comparison import (
    ChangedPart,
    ComparedGroup,
    ComparedRun,
    ComparisonReport,
    counts_table,
    finding,
    results_table,
)
from hairpin.reports.glossary import Entry, Glossary
from hairpin.reports.tables import TextCell
from tests.analysis.fact_builders import conversation

FAIL, PASS = Standing.FAIL, Standing.PASS
SUT_CHANGED = ChangedPart(part="sut.a", detail="a 1 → a 2", of_assistant=True)


def conversations(failed: int, passed: int) -> list[ConversationFacts]:
    return [conversation(FAIL, (0, "x"))] * failed + [conversation(PASS)] * passed


def compared(
    *groups: tuple[str, tuple[int, int], tuple[int, int]], changes: tuple[ChangedPart, ...] = (SUT_CHANGED,)
) -> ComparisonReport:
    """Return a comparison of groups given as name and (failed, passed) of each run."""
    one, two = (
        ComparedRun(
            run_id=name,
            location=f"runs/{name}",
            created_at="2026-11-29T17:40:00+00:00",
            status=RunStatus.FINISHED,
            fingerprint="0f",
            suts={"a": "a 1"},
        )
        for name in ("one", "two")
    )
    return ComparisonReport(
        scenario="ride",
        first=one,
        second=two,
        alpha=0.05,
        changes=changes,
        groups=tuple(
            ComparedGroup(
                name=name, first_sut=name, second_sut=name, arm=Arm.GUIDED, first=counted(*a), second=counted(*b)
            )
            for name, a, b in groups
        ),
        comparison=compare_runs(
            {name: conversations(*a) for name, a, _ in groups}, {name: conversations(*b) for name, _, b in groups}
        ),
    )


def counted(failed: int, passed: int) -> ConversationCounts:
    n = failed + passed
    return ConversationCounts(
        planned=n + 1, completed=n, passed=passed, failed=failed, inconclusive=0, invalid=1, missing=0
    )


@pytest.mark.parametrize(
    ("groups", "sentence", "code"),
    [
        ([("a", (0, 9), (9, 0))], "The second run is significantly worse in failed conversations, X.", 1),
        ([("a", (5, 4), (5, 4))], "The second run is in nothing significantly worse.", 0),
        ([("a", (9, 0), (0, 9))], "significantly worse, and better in failed conversations, X.", 0),
        (
            [("a", (0, 9), (9, 0)), ("b", (9, 0), (0, 9))],
            "worse in failed conversations (a), X (a); it is better in failed conversations (b), X (b).",
            1,
        ),
        ([("a", (0, 9), (0, 0))], "Nothing can be compared: a run has no passed or failed conversation.", 3),
        ([("a", (0, 9), (0, 9)), ("b", (0, 9), (0, 0))], "The second run is in nothing significantly worse.", 3),
        ([("a", (0, 9), (9, 0)), ("b", (0, 9), (0, 0))], "significantly worse in failed conversations (a), X (a).", 1),
        ([], "Nothing can be compared: the runs have no assistant and arm in common.", 3),
    ],
)
def test_the_sentence_and_the_exit_code(
    groups: list[tuple[str, tuple[int, int], tuple[int, int]]], sentence: str, code: int
) -> None:
    report = compared(*groups)
    assert sentence in report.sentence
    assert report.exit_code(fail_on_regression=True) == code
    assert report.exit_code(fail_on_regression=False) == 0


def test_a_group_in_which_nothing_could_have_been_significant_is_named() -> None:
    assert compared(("a", (0, 3), (3, 0))).too_small == ("a",)
    assert compared(("a", (0, 9), (9, 0))).too_small == ()
    assert compared(("a", (0, 9), (0, 0))).too_small == (), "it is untested"


def test_every_test_and_both_runs_have_their_rows() -> None:
    report = compared(("a", (0, 9), (9, 0)), ("b", (4, 5), (5, 4)))
    assert [cell.text for row in results_table(report).rows for cell in row[2:3] if isinstance(cell, TextCell)] == [
        "failed conversations",
        "X",
    ] * 2
    assert len(counts_table(report).rows) == 4


def test_what_is_not_significant_stands_in_brackets() -> None:
    same, one = compared(("a", (0, 9), (0, 9))), compared(("a", (0, 9), (1, 8)))
    assert finding(same.comparison.tests[0], 0.05) == "(no conversation of either failed)"
    assert finding(one.comparison.tests[0], 0.05) == "(not significant)"
    equal = compared(("a", (2, 9), (2, 9)))
    assert finding(equal.comparison.tests[0], 0.05) == "(same)"
    assert finding(compared(("a", (0, 9), (9, 0))).comparison.tests[0], 0.05) == "worse"


def of_one_run(*groups: tuple[str, tuple[int, int], tuple[int, int]]) -> ComparisonReport:
    """Return a comparison of the assistants ``old`` and ``new`` of one run."""
    report = compared(*groups)
    first = report.first.model_copy(update={"suts": {"old": "a 1"}})
    return report.model_copy(update={"first": first, "second": first.model_copy(update={"suts": {"new": "a 2"}})})


def test_of_one_run_the_second_assistant_is_named() -> None:
    worse, same = of_one_run(("old → new", (0, 9), (9, 0))), of_one_run(("old → new", (5, 4), (5, 4)))
    assert worse.sentence == "new (B) is significantly worse in failed conversations, X."
    assert same.sentence == "new (B) is in nothing significantly worse."
    assert worse.title == "two assistants compared"
    assert compared().title == "two runs compared"


def test_of_one_run_it_is_the_assistants_that_have_nothing_to_compare() -> None:
    no_verdict = "Nothing can be compared: an assistant has no passed or failed conversation."
    assert of_one_run(("old → new", (0, 9), (0, 0))).sentence == no_verdict
    assert of_one_run().sentence == "Nothing can be compared: the assistants have no arm in common."
    assert results_table(of_one_run()).empty == "The assistants have no arm in common."


def test_failure_modes_are_called_as_their_titles_say() -> None:
    titles = Glossary(modes={"x": Entry(title="Constraint missed")})
    report = compared(("a", (0, 9), (9, 0))).model_copy(update={"titles": titles})
    assert report.sentence == "The second run is significantly worse in failed conversations, Constraint missed."
    assert TextCell(text="Constraint missed") in results_table(report).rows[1]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (ChangedPart(part="agent.turn_judge", detail="offline → m", of_assistant=False), "turn judge (offline → m)"),
        (ChangedPart(part="hairpin", detail="1 → 2", of_assistant=False), "Hairpin's version (1 → 2)"),
        (ChangedPart(part="prompt.turn_judge", of_assistant=False), "prompt turn_judge"),
        (ChangedPart(part="settings", detail="threshold", of_assistant=False), "settings (threshold)"),
        (ChangedPart(part="sut", of_assistant=True), "what the scenario says of it"),
    ],
)
def test_parts_of_the_fingerprint_are_called_as_people_call_them(part: ChangedPart, words: str) -> None:
    assert part.words == words
