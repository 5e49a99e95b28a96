"""The blame ledger: every conversation without a clean verdict, who broke it and what shows it.

It must not decide verdicts: what the run says stands in its rows, and a person's word stands beside it.

A conversation is clean where it passed or failed and nobody disputes that. All others have one row each, so that rows
and clean verdicts together are all that was planned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from pydantic import Field

from hairpin.domain.annotations import Annotation
from hairpin.domain.base import Value
from hairpin.domain.failures import CHECK_FAILED
from hairpin.domain.outcome import Blame, Stop, Verdict
from hairpin.domain.records import ConversationRecord
from hairpin.domain.tally import Standing, standing

NOBODY = "nobody"
"""The key under which conversations without a blame are counted, so that the counts add up."""

_QUOTED = 160

T = TypeVar("T", bound=StrEnum)


class LedgerReason(StrEnum):
    """Why a conversation is in the ledger where no stop reason says it."""

    NEVER_BEGUN = "never_begun"
    NO_OUTCOME = "no_outcome"
    UNSCORED = "unscored"
    UNCONFIRMED = "unconfirmed"
    OVERRIDDEN = "overridden"


class LedgerRow(Value):
    """Who broke a conversation.

    Attributes:
        conversation: its id.
        sut: the label of its assistant.
        standing: where the run says that it stands.
        blame: who broke it, by people's word where they gave one; ``None``: nobody.
        run_blame: who broke it as the run says.
        reason: a stop reason, or one of ``LedgerReason``.
        evidence: what shows it: texts of errors, the turn, words that were said.
        overridden_by: the raters whose word ``blame`` or the dispute is.
    """

    conversation: str
    sut: str
    standing: Standing
    blame: Blame | None
    run_blame: Blame | None
    reason: str
    evidence: str
    overridden_by: tuple[str, ...] = ()


class LedgerCounts(Value):
    """How many rows there are, by blame and by reason; each of the two adds up to ``rows``."""

    rows: int = Field(default=0, ge=0)
    by_blame: Mapping[str, int] = Field(default_factory=dict)
    by_reason: Mapping[str, int] = Field(default_factory=dict)
    overridden: int = Field(default=0, ge=0)


def words_by_conversation(annotations: Iterable[Annotation]) -> dict[str, tuple[Annotation, ...]]:
    """Return what is said of each conversation."""
    found: dict[str, list[Annotation]] = {}
    for each in annotations:
        found.setdefault(each.conversation, []).append(each)
    return {conversation: tuple(said) for conversation, said in found.items()}


def ledger_row(
    record: ConversationRecord, said: Sequence[Annotation] = (), *, unconfirmed: str = ""
) -> LedgerRow | None:
    """Return the row of ``record``; ``None`` where its verdict is clean, or it gets none (replays, trials, canaries).

    Args:
        record: one planned conversation.
        said: what people say of it. Their word is that of more than half of those who gave one.
        unconfirmed: why its failure is not confirmed, where trials showed that.
    """
    planned, where = record.planned, standing(record)
    if not planned.for_itself or planned.replay is not None or (where.in_rates and not said and not unconfirmed):
        return None
    verdict, blame = verdict_said(said), blame_said(said)
    told_blame, reason, evidence = _as_run_says(record, where)
    if where.in_rates:
        disputed = (verdict is not None and verdict.value != where.value) or blame not in (None, told_blame)
        if not disputed and not unconfirmed:
            return None
        reason = LedgerReason.OVERRIDDEN.value if disputed else LedgerReason.UNCONFIRMED.value
        evidence = "; ".join(filter(None, (unconfirmed, evidence)))
        blame = (blame or _blame_of_wrong_verdict(record)) if disputed else None
    deciding = [] if blame is None else [each for each in said if _says(each, verdict, blame)]
    return LedgerRow(
        conversation=planned.id,
        sut=planned.sut,
        standing=where,
        blame=told_blame if blame is None else blame,
        run_blame=told_blame,
        reason=reason,
        evidence="; ".join(filter(None, (evidence, *map(_word_of, deciding)))),
        overridden_by=tuple(each.rater for each in deciding),
    )


def run_blame(record: ConversationRecord) -> Blame | None:
    """Return whom the run blames: for a failure the assistant; ``None``: nobody."""
    return _as_run_says(record, standing(record))[0]


def verdict_said(said: Sequence[Annotation]) -> Verdict | None:
    """Return the verdict that more than half of those raters give who give one."""
    return _majority([each.verdict for each in said])


def blame_said(said: Sequence[Annotation]) -> Blame | None:
    """Return whom more than half of those raters blame who blame anybody."""
    return _majority([each.blame for each in said])


@dataclass(slots=True)
class LedgerTally:
    """Counts rows as they come."""

    blames: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    overridden: int = 0

    def add(self, row: LedgerRow | None) -> None:
        """Count a row; ``None``: a clean verdict."""
        if row is not None:
            self.blames[row.blame.value if row.blame else NOBODY] += 1
            self.reasons[row.reason] += 1
            self.overridden += bool(row.overridden_by)

    def counts(self, *, never_begun: int = 0) -> LedgerCounts:
        """Return the counts; ``never_begun``: conversations that were asked for and never planned."""
        more = Counter({NOBODY: never_begun}), Counter({LedgerReason.NEVER_BEGUN.value: never_begun})
        blames, reasons = (+(mine + others) for mine, others in zip((self.blames, self.reasons), more, strict=True))
        return LedgerCounts(
            rows=blames.total(),
            by_blame=dict(sorted(blames.items())),
            by_reason=dict(sorted(reasons.items())),
            overridden=self.overridden,
        )


def _as_run_says(record: ConversationRecord, where: Standing) -> tuple[Blame | None, str, str]:
    """Return whom the run blames, why, and what shows it."""
    outcome = record.outcome
    if outcome is None:
        begun = bool(record.attempts)
        told = f"begun {record.attempts} times, without an outcome" if begun else "no worker took it up"
        return None, (LedgerReason.NO_OUTCOME if begun else LedgerReason.NEVER_BEGUN).value, told
    if where.in_rates:
        blame = Blame.SUT if where is Standing.FAIL else None
        return blame, outcome.stop.reason.value, _failure_words(record)
    cut = outcome.stop.rule.verdict is not None or outcome.judgement.verdict is None
    reason = outcome.stop.reason.value if cut else LedgerReason.UNSCORED.value
    parts = (_stop_words(outcome.stop), outcome.judgement.note, _last_words(record))
    return outcome.judgement.blame, reason, "; ".join(filter(None, parts))


def _says(annotation: Annotation, verdict: Verdict | None, blame: Blame) -> bool:
    return annotation.blame is blame or (annotation.verdict is not None and annotation.verdict is verdict)


def _blame_of_wrong_verdict(record: ConversationRecord) -> Blame:
    """Return who gave a verdict that people say is wrong: a judge, or the user's own checks."""
    checked = any(failure.mode == CHECK_FAILED for failure in record.failures)
    return Blame.USER if checked or not record.scores else Blame.JUDGE


def _majority(words: Sequence[T | None]) -> T | None:
    """Return what more than half of those say who say anything."""
    if not words:
        return None
    said = Counter(word for word in words if word is not None)
    word, number = said.most_common(1)[0] if said else (None, 0)
    return word if number * 2 > said.total() else None


def _word_of(annotation: Annotation) -> str:
    said = ", ".join(each.value for each in (annotation.verdict, annotation.blame) if each is not None)
    return f"{annotation.rater} says {said}" + (f": {_quoted(annotation.note)}" if annotation.note else "")


def _stop_words(stop: Stop) -> str:
    role = f"{stop.role.value}: " if stop.role is not None else ""
    return f"{role}{stop.detail}" if stop.detail else role.removesuffix(": ")


def _last_words(record: ConversationRecord) -> str:
    """Return at which turn it ended, and what was said last."""
    pending = record.outcome.pending_utterance if record.outcome is not None else None
    if pending is not None:
        return f"at turn {len(record.exchanges)}, after the user's {_quoted(pending)}"
    if not record.exchanges:
        return "before anything was said"
    last = record.exchanges[-1]
    return f"after turn {last.t}, the assistant's {_quoted(last.assistant)}"


def _failure_words(record: ConversationRecord) -> str:
    told = [f"turn {failure.t}, {failure.mode}: {_quoted(failure.evidence)}" for failure in record.failures[:3]]
    more = len(record.failures) - len(told)
    outcome = record.outcome
    score = outcome.judgement.success_score if outcome is not None else None
    scored = [f"C = {score:.2f}"] if score is not None else []
    return "; ".join([*scored, *told, *([f"and {more} more"] if more > 0 else [])])


def _quoted(text: str) -> str:
    words = " ".join(text.split())
    return f'"{words}"' if len(words) <= _QUOTED else f'"{words[: _QUOTED - 1]}…"'
