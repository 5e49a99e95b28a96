"""One conversation's part of the report: a stored record with the run's titles, as values to show.

It must not judge: the verdict and every number were stored; here they get their words.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import CHECK_FAILED, Failure
from hairpin.domain.llm_usage import LlmUsage
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.records import ConversationRecord, Outcome, RunInfo
from hairpin.domain.relation_counts import is_broken
from hairpin.domain.reviews import FAULT_WORDS
from hairpin.domain.state_changes import StateChange, state_changes
from hairpin.domain.tally import Standing, standing
from hairpin.domain.targets import Target, TargetStatus
from hairpin.reports.glossary import Entry, Glossary
from hairpin.reports.model import (
    ConversationReport,
    DimensionReport,
    FailingMode,
    FailureReport,
    Named,
    RatioReport,
    ScoreReport,
    StopReport,
    TargetChange,
    TurnReport,
)
from hairpin.reports.models_used import build_models
from hairpin.reports.text import is_blank
from hairpin.reports.timeline import changes_of, targets_over_time, turn_anchor
from hairpin.reports.wording import BLAME_WORDS, STANDING_WORDS, STOP_WORDS

_PLAIN_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def build_conversation(
    run: RunInfo,
    record: ConversationRecord,
    *,
    glossary: Glossary | None = None,
    location: str | None = None,
    usage: LlmUsage | None = None,
) -> ConversationReport:
    """Return what a report shows of ``record``.

    Args:
        run: the run it belongs to.
        record: one planned conversation.
        glossary: titles; without them ids are shown as words.
        location: how the user names the run on the command line; the run's id by default.
        usage: what all attempts at it used of models; left out where it is not shown.
    """
    report = _Builder(run, record, glossary or Glossary(), location or run.run_id).build()
    return report if usage is None else report.model_copy(update={"models": build_models(usage)})


def anchor_of(record: ConversationRecord) -> str:
    """Return a fragment identifier that needs no escaping."""
    planned = record.planned
    return planned.id if _PLAIN_ID.fullmatch(planned.id) else f"i{planned.index}"


def named(identifier: str, entry: Entry) -> Named:
    """Return an id with its entry's words."""
    return Named(id=identifier, title=entry.title, text=entry.text)


@dataclass(frozen=True, slots=True)
class _Builder:
    run: RunInfo
    record: ConversationRecord
    glossary: Glossary
    location: str

    def build(self) -> ConversationReport:
        record, planned = self.record, self.record.planned
        outcome, where = record.outcome, standing(record)
        opening = planned.seed_phrase or (record.exchanges[0].user if record.exchanges else "")
        return ConversationReport(
            index=planned.index,
            id=planned.id,
            anchor=anchor_of(record),
            sut=planned.sut,
            arm=planned.arm,
            standing=where,
            standing_words=STANDING_WORDS[where],
            blame=outcome.judgement.blame if outcome else None,
            reason=verdict_reason(record, threshold=self.run.threshold),
            stop=stop_report(outcome.stop) if outcome else None,
            opening=opening or (outcome.pending_utterance or "" if outcome else ""),
            seed_phrase=planned.seed_phrase,
            recording=planned.recording,
            replay=planned.replay,
            persona=named(planned.persona, self.glossary.persona(planned.persona)),
            context=planned.context,
            repeat=planned.repeat,
            rng_seed=planned.rng_seed,
            max_turns=planned.max_turns,
            attempts=record.attempts,
            elapsed_s=outcome.elapsed_s if outcome else 0.0,
            turns=self.turns(),
            pending_utterance=outcome.pending_utterance if outcome else None,
            failing_modes=self.failing_modes(),
            first_failure_t=min((failure.t for failure in record.failures), default=None),
            targets=targets_over_time(record.target_events, anchor=anchor_of(record), n_turns=len(record.exchanges)),
            score=self.score(outcome),
            show_command=f"hairpin show {shlex.quote(self.location)} {shlex.quote(planned.id)}",
        )

    def turns(self) -> tuple[TurnReport, ...]:
        changes = changes_of(self.record.target_events)
        before: list[Exchange | None] = [None, *self.record.exchanges]
        return tuple(
            self.turn(
                exchange,
                state_changes(earlier.state if earlier else None, exchange.state),
                [failure for failure in self.record.failures if failure.t == exchange.t],
                [change for change in changes if change.t == exchange.t],
            )
            for earlier, exchange in zip(before, self.record.exchanges, strict=False)
        )

    def turn(
        self,
        exchange: Exchange,
        states: tuple[StateChange, ...],
        failures: Sequence[Failure],
        changes: Sequence[TargetChange],
    ) -> TurnReport:
        entry = self.glossary.strategy(exchange.strategy) if exchange.strategy else None
        aim = entry.aims_at if entry else None
        return TurnReport(
            t=exchange.t,
            anchor=turn_anchor(anchor_of(self.record), exchange.t),
            user=exchange.user,
            assistant=exchange.assistant,
            answered=not is_blank(exchange.assistant),
            source=exchange.source,
            strategy=self.strategy(exchange.strategy),
            aims_at=self.mode(aim) if aim else None,
            latency_ms=exchange.latency_ms,
            retry_wait_ms=exchange.retry_wait_ms,
            ended=exchange.ended,
            notes=(*exchange.notes, *self.faults_at(exchange.t), *self.votes_at(exchange.t)),
            regenerations=exchange.regenerations,
            failures=tuple(self.failure(failure) for failure in failures),
            changes=tuple(changes),
            state=exchange.state,
            state_changes=states,
            metadata=exchange.metadata,
        )

    def votes_at(self, t: int) -> tuple[str, ...]:
        """Return what the members of a panel said of turn ``t``."""
        return tuple(f"judges: {ballot.told}" for ballot in self.record.ballots if ballot.t == t)

    def faults_at(self, t: int) -> tuple[str, ...]:
        """Return what the simulated user did wrong at turn ``t``, in words."""
        faults = self.record.review.faults if self.record.review else ()
        return tuple(
            f"the simulated user {FAULT_WORDS[fault.kind]}: {fault.evidence}" for fault in faults if fault.t == t
        )

    def failure(self, failure: Failure) -> FailureReport:
        texts = {target.id: target.text for target in self.record.targets}
        aims_at = self.glossary.strategy(failure.strategy).aims_at if failure.strategy else None
        return FailureReport(
            t=failure.t,
            anchor=turn_anchor(anchor_of(self.record), failure.t),
            mode=self.mode(failure.mode),
            kind=failure.kind,
            critical=failure.mode in self.run.critical_modes,
            target_id=failure.target_id,
            target=texts.get(failure.target_id) if failure.target_id else None,
            strategy=self.strategy(failure.strategy),
            aimed=aims_at == failure.mode,
            evidence=failure.evidence,
        )

    def failing_modes(self) -> tuple[FailingMode, ...]:
        found: dict[str, list[Failure]] = {}
        for failure in sorted(self.record.failures, key=lambda failure: failure.t):
            found.setdefault(failure.mode, []).append(failure)
        return tuple(
            FailingMode(
                mode=self.mode(mode),
                turns=tuple(dict.fromkeys(failure.t for failure in failures)),
                evidence=failures[0].evidence,
                critical=mode in self.run.critical_modes,
            )
            for mode, failures in found.items()
        )

    def score(self, outcome: Outcome | None) -> ScoreReport:
        scores = {score.dimension: score for score in self.record.scores}
        # Once there was any judging, the rubric's dimensions come first, so that a missing score shows as missing.
        judged = self.run.scored and outcome and (scores or outcome.stop.rule.judged)
        known = self.glossary.dimensions if judged else ()
        shown = [*known, *(name for name in scores if name not in known)]
        return ScoreReport(
            value=outcome.judgement.success_score if outcome else None,
            threshold=self.run.threshold,
            dimensions=tuple(
                DimensionReport(
                    dimension=named(name, self.glossary.dimension(name)),
                    score=scores[name].score if name in scores else None,
                    weight=self.glossary.dimension(name).weight,
                    reasoning=scores[name].reasoning if name in scores else "",
                )
                for name in shown
            ),
            targets_weight=self.glossary.targets_weight,
            ratios=_ratios(self.record.targets, outcome),
            note=outcome.judgement.note if outcome else "",
        )

    def mode(self, mode_id: str) -> Named:
        return named(mode_id, self.glossary.mode(mode_id))

    def strategy(self, strategy_id: str | None) -> Named | None:
        return named(strategy_id, self.glossary.strategy(strategy_id)) if strategy_id else None


def verdict_reason(record: ConversationRecord, *, threshold: float) -> str:
    """Say in one sentence why a conversation stands where it stands."""
    outcome, where = record.outcome, standing(record)
    if outcome is None or where is Standing.MISSING:
        return "it was interrupted before a verdict" if record.attempts or outcome else "it was not started"
    if where is Standing.REPLAYED:
        broken = is_broken(outcome.stop)
        return (
            f"no verdict; {_unrated_reason(outcome, where)}" if broken else "no verdict; relations compare its answers"
        )
    verdict = outcome.judgement.verdict
    if where in (Standing.TRIAL, Standing.CANARY) and verdict in (Verdict.PASS, Verdict.FAIL):
        words = STANDING_WORDS[Standing(verdict.value)]
        return f"{words}: {_rated_reason(record, outcome, failed=verdict is Verdict.FAIL, threshold=threshold)}"
    if where.in_rates:
        return _rated_reason(record, outcome, failed=where is Standing.FAIL, threshold=threshold)
    return _unrated_reason(outcome, where)


def _rated_reason(record: ConversationRecord, outcome: Outcome, *, failed: bool, threshold: float) -> str:
    score = outcome.judgement.success_score
    if failed:
        return " and ".join(_fail_reasons(record.failures, score, threshold)) or "its oracles say so"
    return f"C {score:.2f} reaches the threshold {threshold:g}" if score is not None else "no check failed"


def _fail_reasons(failures: Sequence[Failure], score: float | None, threshold: float) -> list[str]:
    reasons = []
    if score is not None and score < threshold:
        reasons.append(f"C {score:.2f} is below the threshold {threshold:g}")
    turns = list(dict.fromkeys(failure.t for failure in failures if failure.mode == CHECK_FAILED))
    if turns:
        where = ", ".join(str(t) for t in turns)
        reasons.append(f"a check failed at turn {where}" if len(turns) == 1 else f"checks failed at turns {where}")
    return reasons


def _unrated_reason(outcome: Outcome, where: Standing) -> str:
    stop, blame = outcome.stop, outcome.judgement.blame
    words = STOP_WORDS[stop.reason]
    if where is Standing.INCONCLUSIVE:
        cut = stop.reason in (StopReason.DEADLINE, StopReason.BUDGET)
        return f"{words} before it could end" if cut else outcome.judgement.note or words
    # Most reasons name who is to blame; where it depends on the role that broke, it is said.
    blamed = f" ({BLAME_WORDS[blame]} is to blame)" if blame and stop.rule.blame is None else ""
    return f"{words}{blamed}" + (f": {stop.detail}" if stop.detail else "")


def stop_report(stop: Stop) -> StopReport:
    """Return why a conversation ended, with its words."""
    return StopReport(reason=stop.reason, words=STOP_WORDS[stop.reason], role=stop.role, detail=stop.detail)


def _ratios(targets: Sequence[Target], outcome: Outcome | None) -> tuple[RatioReport, ...]:
    if outcome is None or not targets:
        return ()
    uttered = [target for target in targets if target.uttered]
    kept = [target for target in uttered if target.status is not TargetStatus.DROPPED]
    values = outcome.judgement.ratios
    return (
        _ratio("T: uttered targets completed", uttered, values.uttered),
        _ratio("T over all, unsaid ones too", targets, values.all),
        _ratio("T without dropped targets", kept, values.without_dropped),
    )


def _ratio(title: str, targets: Sequence[Target], value: float | None) -> RatioReport:
    completed = sum(target.status is TargetStatus.COMPLETED for target in targets)
    return RatioReport(title=title, completed=completed, total=len(targets), value=value)
