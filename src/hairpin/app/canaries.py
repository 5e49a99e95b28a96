"""The canaries of a run: the transcripts they are drawn from, and what they say of its judges.

It must not ask judges; canaries are conversations of the run like any other.
"""

from __future__ import annotations

from collections.abc import Iterable

from hairpin.analysis.corrected_rate import corrected_rate
from hairpin.app.cast import NOBODY
from hairpin.domain.canary_rates import CanarySummary, CanaryTally, CorrectedRate
from hairpin.domain.canary_words import told
from hairpin.domain.known_transcripts import KnownTranscripts
from hairpin.domain.outcome import Role
from hairpin.domain.records import ConversationRecord, RunInfo
from hairpin.domain.scenario import PackOrigin, Scenario
from hairpin.domain.summary import Summary
from hairpin.domain.tally import ConversationCounts
from hairpin.errors import InvalidInputError
from hairpin.packs.finder import PackFinder
from hairpin.packs.transcripts import TRANSCRIPT_FILE, find_transcripts


def transcripts_for(scenario: Scenario, finder: PackFinder) -> tuple[KnownTranscripts, PackOrigin] | None:
    """Return what the canaries of ``scenario`` are drawn from, and its file; ``None``: it asks for none.

    Raises:
        InvalidInputError: no judge takes part, or there are no transcripts of the rubric in the scenario's language.
    """
    if scenario.canaries is None:
        return None
    where, rubric = f"scenario {scenario.id!r}", scenario.rubric
    if not (scenario.oracles.turn_judge or scenario.oracles.dimensions) or scenario.test_seeds is not None:
        raise InvalidInputError(
            "'canaries' try judges, and no judge takes part",
            where=where,
            hint="remove 'canaries', or switch a judge on",
        )
    found = find_transcripts(rubric, finder)
    if found is None:
        raise InvalidInputError(
            f"'canaries' needs known transcripts, and rubric {rubric.id!r} has none",
            where=where,
            hint=f"write rubrics/{rubric.id}/{TRANSCRIPT_FILE}, or remove 'canaries'",
        )
    if found[0].language != scenario.language:
        raise InvalidInputError(
            f"the known transcripts of rubric {rubric.id!r} are in {found[0].language!r}, the scenario in"
            f" {scenario.language!r}: judges could tell them",
            where=where,
            hint="give the rubric transcripts in that language, or remove 'canaries'",
        )
    return found


def with_canaries(summary: Summary, run: RunInfo, canaries: Iterable[ConversationRecord]) -> Summary:
    """Return ``summary`` with what canaries say of the judges, where the run was to have any."""
    tally = tally_of(run)
    for record in canaries:
        tally.add(record.planned, record.failures, record.outcome)
    if run.canary_share is None and not tally.planned:
        return summary
    found = tally.summary()
    rates = {label: _corrected(sut.conversations, found) for label, sut in summary.suts.items()}
    found = found.model_copy(
        update={
            "failure_rate": _corrected(summary.conversations, found),
            "failure_rates": {label: rate for label, rate in rates.items() if rate is not None and len(rates) > 1},
        }
    )
    return summary.model_copy(update={"canaries": told(found)})


def tally_of(run: RunInfo) -> CanaryTally:
    """Return a count of canaries that knows which judges take part in ``run``."""
    return CanaryTally(scored=run.scored, labelled=run.agents.get(Role.TURN_JUDGE.value, NOBODY) != NOBODY)


def _corrected(counts: ConversationCounts, found: CanarySummary) -> CorrectedRate | None:
    if found.failed_good is None or found.passed_bad is None:
        return None
    n = counts.passed + counts.failed
    return corrected_rate(counts.failed, n, failed_good=found.failed_good, passed_bad=found.passed_bad)
