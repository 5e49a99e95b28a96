"""What the trials of a stored run say: its failed conversations, paired with their trials.

It must not run trials; ``app.trials`` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Protocol

from hairpin.domain.confirmation import Confirmation, Label, confirm
from hairpin.domain.outcome import Verdict
from hairpin.domain.records import ConversationRecord
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import RecordedSut
from hairpin.reports.confirmation import confirmation_section
from hairpin.reports.glossary import Glossary
from hairpin.reports.model import ReportModel
from hairpin.store.reader import RunReader


class _HasScenario(Protocol):
    @property
    def reader(self) -> RunReader: ...

    def scenario(self) -> Scenario: ...


def confirmations_of(stored: _HasScenario) -> Iterator[Confirmation]:
    """Yield what trials say of each failed conversation of which some have ended, in plan order."""
    for source, its in groupby(
        _trials(stored.reader), key=lambda each: each.planned.trial and each.planned.trial.source
    ):
        record, trials = stored.reader.conversation(source or ""), tuple(its)
        if record.outcome is None or record.outcome.judgement.verdict is not Verdict.FAIL:
            continue
        found = confirm(record, trials, recorded=isinstance(stored.scenario().sut, RecordedSut))
        if any(each.n or each.unusable for each in found.verdict.trials):
            yield found


def unconfirmed(confirmations: Sequence[Confirmation]) -> Mapping[str, str]:
    """Return why failures are not confirmed, by their conversations; what is undecided is not in it."""
    return {
        each.conversation: each.why_unconfirmed
        for each in confirmations
        if not each.verdict.confirmed and each.verdict.label is not Label.UNDECIDED
    }


def with_confirmations(report: ReportModel, confirmations: Sequence[Confirmation], titles: Glossary) -> ReportModel:
    """Return ``report`` with what trials say, if there were any."""
    if not confirmations:
        return report
    anchors = {each.id: each.anchor for each in report.conversations}
    section = confirmation_section(
        confirmations, report.summary.confirmation, titles, location=report.location, anchors=anchors
    )
    return report.model_copy(update={"sections": (section, *report.sections)})


def _trials(reader: RunReader) -> Iterator[ConversationRecord]:
    """Yield the trials of a run; canaries come after them."""
    for record in reader.asides():
        if record.planned.trial is None:
            return
        yield record
