"""Two runs, or two assistants of one run, compared: what a comparison says, and its tables.

It tests nothing, that is ``analysis.compare_runs``; and its texts are ``reports.comparison_text``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import Field

from hairpin.analysis.compare_runs import Direction, RunComparison, RunTest, least_p
from hairpin.analysis.judge_differences import JudgeDifferences
from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.records import RunStatus
from hairpin.domain.tally import ConversationCounts
from hairpin.reports.cells import count, counts, interval, intervals, number, numbers, text, words
from hairpin.reports.glossary import Glossary
from hairpin.reports.tables import Cell, Section, Table
from hairpin.reports.wording import role_words

FAILED_CONVERSATIONS = "failed conversations"
"""What the test of verdicts is called; the others are called as their failure modes."""

_PART_WORDS: Final[Mapping[str, str]] = {
    "sut": "what the scenario says of it",
    "sut_files": "its files",
    "user_files": "files with checks",
    "hairpin": "Hairpin's version",
}
"""Parts of a fingerprint whose names are not what people call them."""


class ComparedRun(Value):
    """One of the two runs. ``suts``: name and version of each assistant by label; ``location``: its folder."""

    run_id: str
    location: str
    created_at: str
    status: RunStatus
    fingerprint: str
    suts: Mapping[str, str]


class ChangedPart(Value):
    """A part of the fingerprint that differs between the runs.

    Attributes:
        part: as ``fingerprint_parts`` calls it.
        detail: what differs in it, where that is known.
        of_assistant: whether it is the assistant's; else it is of who tests, and explains differences, too.
    """

    part: str
    detail: str = ""
    of_assistant: bool

    @property
    def words(self) -> str:
        """The part as people call it, with its detail."""
        kind, _, name = self.part.partition(".")
        if kind == "agent":
            called = role_words(name).lower()
        elif kind == "sut" and (name or self.detail):
            called = f"name and version of {name}" if name else "name and version"
        else:
            called = _PART_WORDS.get(self.part) or f"{kind.replace('_', ' ')} {name}".strip()
        return f"{called} ({self.detail})" if self.detail else called


class ComparedGroup(Value):
    """Conversations of both runs that are tested as one: of one assistant and, where there are several, one arm.

    ``name`` is what the tests call it; ``arm`` is ``None`` where both runs have the same single arm.
    """

    name: str
    first_sut: str
    second_sut: str
    arm: Arm | None
    first: ConversationCounts
    second: ConversationCounts

    @property
    def rated(self) -> tuple[int, int]:
        """How many passed and failed conversations each run has; only these are tested."""
        return self.first.passed + self.first.failed, self.second.passed + self.second.failed


class ComparisonReport(Value):
    """Two runs of one scenario compared, with everything a reader needs to judge the comparison.

    Where two assistants of one run are compared, ``first`` and ``second`` are that run with one of them each.
    Where both judge the same transcripts, ``judge_differences`` say what they judge differently; ``judged``: as tables.
    ``titles``: what failure modes are called.
    """

    scenario: str
    first: ComparedRun
    second: ComparedRun
    alpha: float = Field(gt=0, lt=1)
    changes: tuple[ChangedPart, ...]
    groups: tuple[ComparedGroup, ...]
    comparison: RunComparison
    judge_differences: JudgeDifferences | None = None
    judged: Section | None = Field(default=None, exclude=True)
    titles: Glossary = Field(default_factory=Glossary, exclude=True)

    @property
    def within_one_run(self) -> bool:
        """Whether A and B are two assistants of one run."""
        return self.first.run_id == self.second.run_id

    @property
    def title(self) -> str:
        """What was compared."""
        return "two assistants compared" if self.within_one_run else "two runs compared"

    @property
    def regressions(self) -> tuple[RunTest, ...]:
        """The tests in which the second run is significantly worse."""
        return self.comparison.regressions(self.alpha)

    @property
    def improvements(self) -> tuple[RunTest, ...]:
        """The tests in which the second run is significantly better."""
        tests = self.comparison.tests
        return tuple(each for each in tests if each.direction is Direction.BETTER and each.p_adjusted <= self.alpha)

    @property
    def untested(self) -> tuple[str, ...]:
        """The groups of which one run has no passed or failed conversation."""
        return tuple(group.name for group in self.groups if 0 in group.rated)

    @property
    def too_small(self) -> tuple[str, ...]:
        """The groups in which no difference, however large, could have been significant."""
        n_tests = len(self.comparison.tests)
        return tuple(
            group.name for group in self.groups if 0 not in group.rated and least_p(*group.rated) * n_tests > self.alpha
        )

    @property
    def sentence(self) -> str:
        """What came out, in one sentence."""
        if not self.groups:
            return f"Nothing can be compared: {self.nothing_in_common}"
        what = "an assistant" if self.within_one_run else "a run"
        if len(self.untested) == len(self.groups):
            return f"Nothing can be compared: {what} has no passed or failed conversation."
        second = f"{next(iter(self.second.suts))} (B)" if self.within_one_run else "The second run"
        if not self.regressions:
            more = f", and better in {self._named(self.improvements)}" if self.improvements else ""
            return f"{second} is in nothing significantly worse{more}."
        more = f"; it is better in {self._named(self.improvements)}" if self.improvements else ""
        return f"{second} is significantly worse in {self._named(self.regressions)}{more}."

    @property
    def nothing_in_common(self) -> str:
        """Why there is nothing to compare."""
        if self.within_one_run:
            return "the assistants have no arm in common."
        return "the runs have no assistant and arm in common."

    def _named(self, tests: tuple[RunTest, ...]) -> str:
        several = len(self.groups) > 1
        return ", ".join(f"{self.what(test)} ({test.scenario})" if several else self.what(test) for test in tests)

    def what(self, test: RunTest) -> str:
        """Return the share that is tested."""
        return FAILED_CONVERSATIONS if test.mode is None else self.titles.mode(test.mode).title

    def exit_code(self, *, fail_on_regression: bool) -> int:
        """Return 1 for a regression, 3 where something could not be compared and none was found elsewhere, else 0.

        Without ``fail_on_regression`` it is always 0.
        """
        if not fail_on_regression:
            return 0
        if self.regressions:
            return 1
        return 3 if self.untested or not self.groups else 0


def counts_table(report: ComparisonReport) -> Table:
    """Return what became of the conversations of both runs, group by group."""
    names = ("planned", "passed", "failed", "inconclusive", "invalid", "missing")
    return Table(
        id="compared-conversations",
        title="Conversations",
        note="Only passed and failed conversations are compared.",
        columns=(
            words("Assistant", header=True),
            words("Arm", header=True),
            words("A or B" if report.within_one_run else "Run", header=True),
            *(counts(name.capitalize()) for name in names),
        ),
        rows=tuple(
            (text(sut), _arm(group), text(run), *(count(getattr(counted, name)) for name in names))
            for group in report.groups
            for run, sut, counted in (
                ("A", group.first_sut, group.first),
                ("B", group.second_sut, group.second),
            )
        ),
        empty=_sentence_case(report.nothing_in_common),
    )


def results_table(report: ComparisonReport) -> Table:
    """Return every test: shares with 95 % Wilson intervals, p, p after Holm's correction, and what that says."""
    groups = {group.name: group for group in report.groups}
    return Table(
        id="compared-tests",
        title="A against B",
        note="Fisher's exact test, two-sided; Holm: p corrected for all tests of the table. Intervals: 95 %, Wilson. "
        f"B is worse or better where the corrected p is at most {report.alpha:g}.",
        columns=(
            words("Assistant", header=True),
            words("Arm", header=True),
            words("Share of conversations", header=True),
            intervals("A"),
            intervals("B"),
            numbers("p"),
            numbers("Holm"),
            words("B is"),
        ),
        rows=tuple(
            (
                text(_assistants(groups[test.scenario])),
                _arm(groups[test.scenario]),
                text(report.what(test)),
                interval(test.first),
                interval(test.second),
                number(test.p, digits=4),
                number(test.p_adjusted, digits=4),
                text(finding(test, report.alpha)),
            )
            for test in report.comparison.tests
        ),
        empty=_sentence_case(report.nothing_in_common),
    )


def finding(test: RunTest, alpha: float) -> str:
    """Return what a test says of B; in brackets that or why it says nothing."""
    if test.p_adjusted <= alpha:
        return test.direction.value
    return f"({test.reason or ('same' if test.direction is Direction.SAME else 'not significant')})"


def _sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]


def _assistants(group: ComparedGroup) -> str:
    return group.first_sut if group.first_sut == group.second_sut else f"{group.first_sut} → {group.second_sut}"


def _arm(group: ComparedGroup) -> Cell:
    return text("–" if group.arm is None else group.arm.value)
