"""A run that was stored: its rows, summary and report, computed again whenever asked.

It must not write; whoever asks decides where things go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from hairpin.analysis.metamorphic.scored import ScoredFamily
from hairpin.app.canaries import with_canaries
from hairpin.app.confirmations import confirmations_of, unconfirmed, with_confirmations
from hairpin.app.judge_differences import with_judge_differences
from hairpin.app.ledgers import Ledger
from hairpin.domain.confirmation import Confirmation
from hairpin.domain.facts import ConversationFacts, facts_of
from hairpin.domain.gate import Gate, GateDecision, decide
from hairpin.domain.llm_usage import usage_of
from hairpin.domain.records import ConversationRecord, RunInfo
from hairpin.domain.scenario import Scenario
from hairpin.domain.summary import Summary, summarise
from hairpin.packs.finder import PackFinder
from hairpin.packs.scenarios import load_scenario
from hairpin.reports.build import build_report
from hairpin.reports.canaries import with_canary_section
from hairpin.reports.conversation import build_conversation
from hairpin.reports.glossary import Glossary, glossary_of
from hairpin.reports.model import ConversationReport, ReportModel
from hairpin.reports.replays import epsilon_note
from hairpin.reports.tables import Section
from hairpin.reports.violated import counted, first_violations, n_violated, with_violations
from hairpin.store.directory import RUNS_FOLDER, RunDirectory, find_run
from hairpin.store.opening import open_run_reader
from hairpin.store.reader import RunReader

_VIOLATIONS_TOLD = 3
_RUN_NAME = re.compile(r"(?P<name>.+)-(?P<second>\d{8}T\d{6}Z)-.*")

if TYPE_CHECKING:
    from hairpin.reports.campaign_results import Diversity

DiversityOf: TypeAlias = "Callable[[RunInfo, Sequence[ConversationFacts]], Diversity]"
"""Computes how diverse a campaign's failures are; ``reports.failure_vectors`` does, given an encoder."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a report has beside its conversations and needs an encoder for.

    ``diversity``: of a campaign's failures; ``replays``: the tables and figures of replays.
    """

    diversity: DiversityOf | None = None
    replays: Callable[[], tuple[Section, ...]] = tuple


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run directory, open for reading. ``choice``: which of several runs it is, where there was a choice."""

    directory: RunDirectory
    reader: RunReader
    choice: str = ""
    _loaded: list[Scenario] = field(default_factory=list, repr=False, compare=False)

    def run_info(self) -> RunInfo:
        """Return what is true of the whole run."""
        return self.reader.run_info()

    def conversations(self) -> Iterator[ConversationRecord]:
        """Yield every planned conversation, in plan order."""
        return self.reader.conversations()

    def conversation(self, conversation_id: str) -> ConversationRecord:
        """Return one conversation. Raises UnknownReferenceError."""
        return self.reader.conversation(conversation_id)

    def scenario(self) -> Scenario:
        """Return the scenario as it was resolved for this run; it is read once, a campaign's takes seconds."""
        if not self._loaded:
            self._loaded.append(load_scenario(self.directory.scenario, finder=PackFinder.standard()))
        return self._loaded[0]

    def confirmations(self) -> tuple[Confirmation, ...]:
        """Return what trials say of failed conversations, in plan order."""
        return tuple(confirmations_of(self))

    def summary(self, confirmations: Sequence[Confirmation] | None = None) -> Summary:
        """Fold the rows into the summary; ``confirmations``: what trials say, where that is known already."""
        found = self.confirmations() if confirmations is None else confirmations
        run = self.run_info()
        summary = summarise(
            run,
            self.conversations(),
            llm=usage_of(self.reader.llm_requests()),
            given_up=self.reader.progress().aborted,
            relations=self.reader.relation_totals(),
            annotations=self.reader.annotations(),
            unconfirmed=unconfirmed(found),
            confirmations=found,
        )
        return with_canaries(summary, run, self.reader.canaries())

    def report(
        self, gate: Gate, *, decision: GateDecision | None = None, figures: Figures | None = None
    ) -> ReportModel:
        """Return everything a report shows, the summary and what the gate (else ``decision``) says of it included.

        That of a campaign has its tables and figures, and so have replays; ``figures`` computes what needs an encoder.
        """
        wanted = figures or Figures()
        run, confirmations, titles = self.run_info(), self.confirmations(), self.glossary()
        summary = self.summary(confirmations)
        facts: list[ConversationFacts] = []
        again = run.rejudged is not None and run.rejudged.campaign
        records = self._noting(facts) if run.campaign or again else self.conversations()
        ledger = self.ledger(confirmations)
        report = build_report(
            run,
            summary,
            ledger.watching(records),
            decision=decision or decide(summary, gate),
            glossary=titles,
            location=str(self.directory.path),
        )
        replayed = (*(wanted.replays() if summary.metamorphic.sources else ()), *ledger.sections(titles))
        report = self._with_replays(report, summary)
        report = with_judge_differences(report, run, self.directory, self.conversations, titles)
        report = with_canary_section(with_confirmations(report, confirmations, titles), titles)
        of_arms = self._of_arms(run, facts, titles, wanted) if run.campaign or again else ()
        return report.model_copy(update={"sections": (*of_arms, *report.sections, *replayed)})

    def _of_arms(
        self, run: RunInfo, facts: Sequence[ConversationFacts], titles: Glossary, wanted: Figures
    ) -> tuple[Section, ...]:
        """Return the tables and figures of a campaign, or of its conversations that were judged again."""
        # The statistics take seconds to load: only who asks for the report of a campaign pays.
        from hairpin.reports.campaign import campaign_sections, judged_again_sections
        from hairpin.reports.campaign_results import analysis_of_arms, campaign_results

        if not run.campaign:
            return judged_again_sections(analysis_of_arms(run, self.scenario(), facts), titles)
        diversity = wanted.diversity(run, facts) if wanted.diversity else None
        return campaign_sections(campaign_results(run, self.scenario(), facts, diversity=diversity), titles)

    def ledger(self, confirmations: Sequence[Confirmation] | None = None) -> Ledger:
        """Return what finds who broke conversations without a clean verdict, by the run's and people's word."""
        found = self.confirmations() if confirmations is None else confirmations
        return Ledger(self.reader.annotations(), unconfirmed(found))

    def _with_replays(self, report: ReportModel, summary: Summary) -> ReportModel:
        """Return ``report`` with the first violated relations, and what to mind of how answers were compared."""
        spec = self.scenario().metamorphic if summary.metamorphic.total.checks else None
        if spec is None:
            return report
        found = (
            first_violations(self.scored_families(), _VIOLATIONS_TOLD) if summary.metamorphic.total.violations else ()
        )
        return report.model_copy(update={"violated": found, "epsilon_note": epsilon_note(spec)})

    def facts(self) -> tuple[ConversationFacts, ...]:
        """Return what statistics need of every planned conversation, in plan order, with what it cost."""
        facts: list[ConversationFacts] = []
        for _ in self._noting(facts):
            pass
        return tuple(facts)

    def _noting(self, facts: list[ConversationFacts]) -> Iterator[ConversationRecord]:
        """Yield every planned conversation, and note its facts on the way: the rows are read once."""
        costs = self.reader.costs()
        for record in self.conversations():
            if record.planned.replay is None:
                facts.append(facts_of(record, cost_usd=costs.get(record.planned.id, 0.0)))
            yield record

    def conversation_report(self, conversation_id: str) -> ConversationReport:
        """Return everything a report shows of one conversation. Raises UnknownReferenceError."""
        record = self.conversation(conversation_id)
        location = str(self.directory.path)
        usage = usage_of(self.reader.llm_requests(conversation_id))
        report = build_conversation(self.run_info(), record, glossary=self.glossary(), location=location, usage=usage)
        report = self.ledger().marked(report, record)
        replay = record.planned.replay
        family = self._scored_family((replay and replay.source) or record.planned.id)
        return report if family is None else with_violations(report, family)

    def _scored_family(self, source: str) -> ScoredFamily | None:
        """Return the family of a source with its stored checks; ``None``: none, or its relations were not checked."""
        fold = self.reader.last_fold(source)
        family = None if fold is None else self.reader.family_of(source)
        return None if fold is None or family is None else ScoredFamily(family, fold.checks)

    def listed_reports(self) -> Iterator[ConversationReport]:
        """Yield each conversation's report, in plan order, saying in how many violated relations it has part."""
        violated = n_violated(self.scored_families())
        for report in self.conversation_reports():
            yield counted(report, violated.get(report.id))

    def conversation_reports(self, sut: str | None = None) -> Iterator[ConversationReport]:
        """Yield everything a report shows of each conversation, in plan order; of one assistant's only, if asked."""
        run, glossary, location = self.run_info(), self.glossary(), str(self.directory.path)
        ledger = self.ledger()
        for record in self.conversations():
            if sut in (None, record.planned.sut):
                report = build_conversation(run, record, glossary=glossary, location=location)
                yield ledger.marked(report, record)

    def scored_families(self) -> Iterator[ScoredFamily]:
        """Yield every family of replays with the checks that were stored of it, in plan order, a few held at a time.

        One whose relations were not checked yet has none.
        """
        # Both come in plan order of the sources.
        folds = self.reader.folds()
        fold = next(folds, None)
        for family in self.reader.families():
            if fold is not None and fold.source == family.derivation.source:
                yield ScoredFamily(family, fold.checks)
                fold = next(folds, None)
            else:
                yield ScoredFamily(family, ())

    def glossary(self) -> Glossary:
        """Return what modes, strategies and dimensions are called in this run."""
        return glossary_of(self.scenario())


@contextmanager
def open_stored(reference: str | Path, *, environ: Mapping[str, str] | None = None) -> Iterator[StoredRun]:
    """Open the run that ``reference`` means: its folder, its database, or the beginning of its name under ``runs/``.

    Of several runs of one scenario its name means the newest. ``environ``: where the password of a database is looked
    up, by default the process's own.

    Raises:
        InvalidInputError: there is no such run, or several.
        StoreError: its database cannot be read.
    """
    same = _runs_called(str(reference), Path(RUNS_FOLDER))
    directory = same[-1] if same else find_run(reference)
    choice = f"the newest of {len(same)} runs of {str(reference)!r}: {directory.path}" if len(same) > 1 else ""
    reader = open_run_reader(directory, environ=environ)
    try:
        yield StoredRun(directory=directory, reader=reader, choice=choice)
    finally:
        reader.close()


def _runs_called(reference: str, root: Path) -> list[RunDirectory]:
    """Return the runs whose whole name before the date is ``reference``, oldest first; none where it is a path."""
    if RunDirectory(Path(reference)).has_store or not root.is_dir():
        return []
    runs = [RunDirectory(entry) for entry in root.iterdir() if _name_of(entry.name) == reference.lower()]
    return sorted((run for run in runs if run.has_store), key=_started)


def _name_of(folder: str) -> str:
    found = _RUN_NAME.fullmatch(folder)
    return found["name"].lower() if found else ""


def _started(run: RunDirectory) -> tuple[str, int]:
    """Return the second of the run's name and, for runs of the same second, when its first file was written."""
    found = _RUN_NAME.fullmatch(run.name)
    written = run.scenario.stat().st_mtime_ns if _is_file(run.scenario) else 0
    return found["second"] if found else "", written


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long for this file system, or a folder that may not be looked into
        return False
