"""What trials say of failures, as a section with tables, and in words for terminals.

It computes nothing; ``domain.confirmation`` does.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hairpin.domain.confirmation import (
    Confirmation,
    ConfirmationSummary,
    Finding,
    Label,
    Reproduction,
)
from hairpin.domain.trials import TrialKind
from hairpin.reports.cells import count, counts, intervals, missing, text, words
from hairpin.reports.glossary import Glossary
from hairpin.reports.tables import Cell, Column, IntervalCell, Section, Table, TextCell
from hairpin.reports.text import one_line

SECTION_ID: Final = "confirmation"

LABEL_WORDS: Final[Mapping[Label, str]] = {
    Label.STABLE: "stable",
    Label.FLAKY_SUT: "flaky assistant",
    Label.FLAKY_JUDGE: "flaky judge",
    Label.SIMULATOR: "this user's words",
    Label.UNDECIDED: "undecided",
}

_COLUMNS: Final[Mapping[TrialKind, str]] = {
    TrialKind.REJUDGE: "judged again",
    TrialKind.REPLAY: "replayed",
    TrialKind.RESIMULATE: "simulated anew",
}

_HOW: Final = (
    "Flaky judge: judges did not always find it again in the same transcript. Flaky assistant: they did, but the"
    " assistant, asked with the same words, did not always do it again. This user's words: it came again, but never"
    " with a user simulated anew. Stable: none of these. Confirmed are stable failures, and those of a flaky assistant"
    " that came again in at least one replay. A conversation is stable if it always failed, each time with whatever"
    " failures; whether each of these came again is in the table of failures."
)


def confirmation_section(
    found: Sequence[Confirmation],
    summary: ConfirmationSummary,
    titles: Glossary,
    *,
    location: str,
    anchors: Mapping[str, str] | None = None,
) -> Section:
    """Return tables of failed conversations and of failures, with how often each came again.

    ``location``: how the user names the run; ``anchors``: of the conversations that the page shows whole, by their ids.
    """
    return Section(
        id=SECTION_ID,
        title="Confirmed failures",
        text=(f"{confirmation_words(summary)}.", _HOW),
        parts=(_conversations(found, location, anchors or {}), _instances(found, titles)),
    )


def confirmation_words(summary: ConfirmationSummary) -> str:
    """Say how many failed conversations are confirmed, and what the others are."""
    if not summary.tried:
        return f"no failed conversation was tried; {summary.untried} not tried"
    labels = ", ".join(f"{number} {LABEL_WORDS[Label(label)]}" for label, number in summary.by_label.items())
    untried = f"; {summary.untried} not tried" if summary.untried else ""
    return (
        f"{summary.confirmed} of {summary.tried} failed conversations that were tried are confirmed ({labels}){untried}"
    )


def confirmation_lines(found: Sequence[Confirmation]) -> Iterator[str]:
    """Yield one line per conversation: its label and how often it failed again; then what stands in brackets."""
    for each in found:
        rates = ", ".join(_rate_words(its) for its in each.verdict.trials)
        yield f"{each.conversation} {one_line(each.sut)}: {_label(each.verdict)}; {rates}"
    if any(its.rate is not None for each in found for its in each.verdict.trials):
        yield "in brackets: 95 % intervals of the share of trials that failed again"


def _rate_words(its: Reproduction) -> str:
    word = _COLUMNS[its.kind]
    if its.rate is None:
        return f"{word} never"
    return f"{word} {its.reproduced} of {its.n} ({100 * its.low:.0f} to {100 * its.high:.0f} %)"


def _label(finding: Finding) -> str:
    words = LABEL_WORDS[finding.label]
    return f"{words} ({finding.missing})" if finding.missing else words


def _conversations(found: Sequence[Confirmation], location: str, anchors: Mapping[str, str]) -> Table:
    return Table(
        id="confirmed-conversations",
        title="Failed conversations, tried again",
        note="Shares of trials that failed again, with 95 % Wilson intervals. One conversation, or one of its trials"
        f" such as c0001~replay1: hairpin show {shlex.quote(location)} CONVERSATION",
        columns=(words("conversation", header=True), words("assistant"), words("failure is"), *_rate_columns()),
        rows=tuple(
            (
                TextCell(text=each.conversation, anchor=anchors.get(each.conversation)),
                text(each.sut),
                text(_label(each.verdict)),
                *_rates(each.verdict),
            )
            for each in found
        ),
        empty="No failed conversation was tried again.",
    )


def _instances(found: Sequence[Confirmation], titles: Glossary) -> Table:
    return Table(
        id="confirmed-failures",
        title="Failures, tried again",
        note="Shares of trials in which a failure of that mode, at a target of that kind, was found again.",
        columns=(
            words("conversation", header=True),
            words("failure mode"),
            words("target"),
            words("failure is"),
            counts("confirmed"),
            *_rate_columns(),
        ),
        rows=tuple(
            (
                text(each.conversation),
                text(titles.mode(instance.mode).title),
                text(instance.target_kind),
                text(_label(instance.finding)),
                count(int(instance.finding.confirmed)),
                *_rates(instance.finding),
            )
            for each in found
            for instance in each.instances
        ),
        empty="No failure was found in the conversations that were tried again.",
        folded=True,
    )


def _rate_columns() -> tuple[Column, ...]:
    return tuple(intervals(name) for name in _COLUMNS.values())


def _rates(finding: Finding) -> tuple[Cell, ...]:
    by_kind = {each.kind: each for each in finding.trials}
    return tuple(_rate(by_kind.get(kind)) for kind in _COLUMNS)


def _rate(its: Reproduction | None) -> Cell:
    if its is None:
        return missing("a trial of this kind says nothing of such a conversation")
    if its.rate is None:
        return missing("no trial came to a verdict")
    return IntervalCell(share=its.rate, low=its.low, high=its.high, digits=0)
