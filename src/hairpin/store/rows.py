"""Domain values as rows: the columns that SQL folds by, beside the whole value as JSON text.

It must not touch a database.
"""

from __future__ import annotations

from hairpin.domain.ballots import Ballot
from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import Failure
from hairpin.domain.llm_calls import LlmRequest
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import Activity
from hairpin.domain.records import Outcome, RunInfo
from hairpin.domain.relations import ContextCheck, Derivation, Fold, RelationCheck
from hairpin.domain.replay import Replay
from hairpin.domain.reviews import SimulatorReview
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.targets import TargetEvent
from hairpin.store.codec import column_text, to_json
from hairpin.store.writer import Row

_LARGEST = 2**63 - 1


def run_row(run: RunInfo) -> Row:
    """Return the row of ``runs``."""
    return {
        "run_id": column_text(run.run_id),
        "name": column_text(run.name),
        "created_at": column_text(run.created_at),
        "fingerprint": column_text(run.fingerprint),
        "value": to_json(run),
    }


def plan_row(run_id: str, planned: PlannedConversation) -> Row:
    """Return the row of ``plan``."""
    return {
        "run_id": column_text(run_id),
        "conversation_id": column_text(planned.id),
        "plan_index": planned.index,
        "sut": column_text(planned.sut),
        "arm": planned.arm.value,
        "persona": column_text(planned.persona),
        "repeat": planned.repeat,
        "run": planned.run,
        "task": column_text(planned.task),
        "value": to_json(planned),
    }


def follow_up_row(run_id: str, conversation_id: str, source: str, replay: Replay) -> Row:
    """Return the row of ``follow_ups`` for a conversation that was derived from ``source``."""
    return {
        "run_id": column_text(run_id),
        "conversation_id": column_text(conversation_id),
        "source_id": column_text(source),
        "method": replay.method.value,
        "kind": column_text(replay.kind),
    }


def exchange_row(attempt_id: str, exchange: Exchange, *, recorded_at: str) -> Row:
    """Return the row of ``exchanges``."""
    return {
        "attempt_id": column_text(attempt_id),
        "t": exchange.t,
        "source": exchange.source.value,
        "strategy": _optional(exchange.strategy),
        "latency_ms": exchange.latency_ms,
        "regenerations": exchange.regenerations,
        "recorded_at": recorded_at,
        "value": to_json(exchange),
    }


def failure_row(attempt_id: str, failure: Failure) -> Row:
    """Return the row of ``failures``."""
    return {
        "attempt_id": column_text(attempt_id),
        "t": failure.t,
        "mode": column_text(failure.mode),
        "kind": failure.kind.value,
        "target_id": _optional(failure.target_id),
        "strategy": _optional(failure.strategy),
        "value": to_json(failure),
    }


def target_event_row(attempt_id: str, event: TargetEvent) -> Row:
    """Return the row of ``target_events``."""
    return {
        "attempt_id": column_text(attempt_id),
        "t": event.t,
        "target_id": column_text(event.target.id),
        "target_kind": column_text(event.target.kind),
        "old_status": None if event.old is None else event.old.value,
        "status": event.new.value,
        "value": to_json(event),
    }


def score_row(attempt_id: str, score: DimensionScore) -> Row:
    """Return the row of ``dimension_scores``."""
    return {
        "attempt_id": column_text(attempt_id),
        "dimension": column_text(score.dimension),
        "score": score.score,
        "value": to_json(score),
    }


def ballot_row(attempt_id: str, t: int, ballot: Ballot) -> Row:
    """Return the row of ``turn_ballots``."""
    return {"attempt_id": column_text(attempt_id), "t": t, "unanimous": ballot.unanimous, "value": to_json(ballot)}


def review_row(attempt_id: str, review: SimulatorReview) -> Row:
    """Return the row of ``simulator_reviews``."""
    return {"attempt_id": column_text(attempt_id), "spoiled": review.spoiled, "value": to_json(review)}


def llm_call_row(run_id: str, request: LlmRequest) -> Row:
    """Return the row of ``llm_calls``. A number of tokens that no database can hold stands in the value alone."""
    origin, tokens = request.origin, request.tokens
    return {
        "run_id": column_text(run_id),
        "attempt_id": _optional(origin.attempt_id or None),
        "purpose": origin.purpose.value,
        "call_id": column_text(request.call_id),
        "number": request.number,
        "role": request.role.value,
        "endpoint": column_text(request.endpoint),
        "model": column_text(request.model),
        "outcome": request.outcome.value,
        "prompt_tokens": _countable(tokens.prompt_tokens),
        "completion_tokens": _countable(tokens.completion_tokens),
        "cached_prompt_tokens": _countable(tokens.cached_prompt_tokens),
        "reasoning_tokens": _countable(tokens.reasoning_tokens),
        "cost_usd": request.cost_usd,
        "queue_wait_ms": request.queue_wait_ms,
        "retry_wait_ms": request.retry_wait_ms,
        "latency_ms": request.latency_ms,
        "started_at": column_text(request.started_at),
        "value": to_json(request),
    }


def activity_row(run_id: str, activity: Activity, *, recorded_at: str) -> Row:
    """Return the row of ``activity``."""
    return {
        "run_id": column_text(run_id),
        "run": activity.run,
        "sut": column_text(activity.sut),
        "arm": activity.arm.value,
        "active_s": activity.active_s,
        "recorded_at": recorded_at,
    }


def derivation_row(run_id: str, derivation: Derivation) -> Row:
    """Return the row of ``derivations``."""
    return {
        "run_id": column_text(run_id),
        "source_id": column_text(derivation.source),
        "value": to_json(derivation),
    }


def context_check_row(run_id: str, check: ContextCheck) -> Row:
    """Return the row of ``context_checks``."""
    finding = check.finding
    return {
        "run_id": column_text(run_id),
        "conversation_id": column_text(check.conversation),
        "position": check.position,
        "question_index": check.index,
        "method": check.method.value,
        "repeat": check.repeat,
        "equivalent": finding.equivalent,
        "reason": finding.reason.value,
        "cos_q": finding.cos_q,
        "cos_a": finding.cos_a,
        "value": to_json(check),
    }


def fold_row(run_id: str, fold: Fold, *, recorded_at: str) -> Row:
    """Return the row of ``folds``."""
    return {
        "run_id": column_text(run_id),
        "source_id": column_text(fold.source),
        "complete": fold.complete,
        "n_follow_ups": fold.n_follow_ups,
        "recorded_at": recorded_at,
    }


def relation_check_row(run_id: str, check: RelationCheck) -> Row:
    """Return the row of ``relation_checks``; the number of its fold, the store adds."""
    return {
        "run_id": column_text(run_id),
        "source_id": column_text(check.source),
        "relation": check.relation.value,
        "question_index": check.index,
        "kind": column_text(check.kind),
        "similarity": check.similarity,
        "violated": check.violated,
        "reason": column_text(check.reason),
        "level": check.level,
        "value": to_json(check),
    }


def outcome_columns(outcome: Outcome) -> Row:
    """Return what ``outcomes`` holds of the outcome itself; which attempt, and whether accepted, the store adds."""
    judgement = outcome.judgement
    return {
        "stop_reason": outcome.stop.reason.value,
        "verdict": judgement.verdict.value if judgement.verdict is not None else None,
        "blame": judgement.blame.value if judgement.blame is not None else None,
        "success_score": judgement.success_score,
        "elapsed_s": outcome.elapsed_s,
        "value": to_json(outcome),
    }


def _countable(number: int | None) -> int | None:
    return None if number is None or number > _LARGEST else number


def _optional(text: str | None) -> str | None:
    return None if text is None else column_text(text)
