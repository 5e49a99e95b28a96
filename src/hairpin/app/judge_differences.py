"""What is judged differently: by a run that judges a stored one again, or by two runs over the same transcripts.

It must not judge; it only pairs what was stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from hairpin.analysis.judge_differences import JudgeDifferences, judge_differences
from hairpin.domain.recording import Rejudged
from hairpin.domain.records import ConversationRecord, RunInfo
from hairpin.packs.recording_source import RecordingSource
from hairpin.packs.stored_transcripts import read_transcripts
from hairpin.reports.glossary import Entry, Glossary
from hairpin.reports.judge_differences import differences_section
from hairpin.reports.model import ReportModel
from hairpin.store.directory import RunDirectory

Records = Callable[[], Iterator[ConversationRecord]]


def with_judge_differences(
    report: ReportModel, run: RunInfo, directory: RunDirectory, records: Records, titles: Glossary
) -> ReportModel:
    """Return ``report`` with what is judged differently than in the run whose conversations are judged again, if so.

    Raises:
        InvalidInputError: what was judged then cannot be read.
    """
    if run.rejudged is None:
        return report
    before = {each.id: each.record for each in read_transcripts(RecordingSource(directory.recordings))}
    found = judge_differences((before[each.planned.id], each) for each in records() if _is_judged(each, before))
    found = found.model_copy(update={"unpaired": run.rejudged.n_conversations - found.n_conversations})
    thresholds = run.rejudged.threshold, run.threshold if run.scored else None
    section = differences_section(
        found, titles, before=_titles_before(run.rejudged), rejudged=run.rejudged, thresholds=thresholds
    )
    return report.model_copy(update={"judge_differences": found, "sections": (*report.sections, section)})


def differences_between(first: Records, second: Records) -> JudgeDifferences:
    """Return what two runs over the same transcripts judge differently; conversations of one alone are counted."""
    before = {each.planned.id: each for each in first() if _counts(each)}
    after = {each.planned.id: each for each in second() if _counts(each)}
    both = [name for name in before if name in after and _words(before[name]) == _words(after[name])]
    unpaired = len({*before, *after}) - len(both)
    pairs = ((before[name], after[name]) for name in both)
    return judge_differences(pairs, unpaired=unpaired)


def _titles_before(rejudged: Rejudged) -> Glossary | None:
    """Return what the rubric of the first run called things; ``None``: this run does not say."""
    if not rejudged.modes and not rejudged.dimensions:
        return None
    return Glossary(
        modes={mode: Entry(title=title) for mode, title in rejudged.modes.items()},
        dimensions={dimension: Entry(title=title) for dimension, title in rejudged.dimensions.items()},
    )


def _is_judged(record: ConversationRecord, before: Mapping[str, ConversationRecord]) -> bool:
    """Whether it can be compared: a judge that broke may have ended it before everything was said again."""
    return _counts(record) and len(record.exchanges) == len(before[record.planned.id].exchanges)


def _counts(record: ConversationRecord) -> bool:
    """Whether it was held for itself and has ended."""
    return record.planned.for_itself and record.planned.replay is None and record.outcome is not None


def _words(record: ConversationRecord) -> list[tuple[str, str]]:
    return [(exchange.user, exchange.assistant) for exchange in record.exchanges]
