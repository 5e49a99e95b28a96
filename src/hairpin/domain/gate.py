"""The gate: whether a run passes, as an exit code and a sentence.

It reads a summary and nothing else; 130 and 143 (interrupted by a signal) are the command line's.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.outcome import StopReason
from hairpin.domain.records import RunStatus
from hairpin.domain.relations import MORTAR_RELATIONS, MetamorphicRelation
from hairpin.domain.summary import SUT_ERROR_REASONS, Summary
from hairpin.errors import InvalidInputError

ALLOWED_FORMS: Final = (
    "allowed: any, none, critical, sut-errors, rate:0.2 (a share from 0 to 1), or several joined by commas"
)
_RATE: Final = "rate:"
_UNREACHABLE: Final = "it was stopped because the assistant cannot be reached"
_NO_CRITICAL: Final = "'critical' asks for failures of critical modes, which nobody looks for in replays"
_REPLAY_FORMS: Final = "for replays: any, none, sut-errors, rate:0.2 (the rate of violated relations)"


class Gate(Value):
    """When a run fails: the conditions of ``--fail-on``, of which one is enough. No condition: it never fails.

    ``max_rate``: the failure rate may reach it and not pass it.
    """

    text: str = "any"
    any_failed: bool = True
    critical: bool = False
    sut_errors: bool = False
    max_rate: float | None = Field(default=None, ge=0, le=1)

    @property
    def is_set(self) -> bool:
        """Whether there is any condition."""
        return self.any_failed or self.critical or self.sut_errors or self.max_rate is not None


class GateOutcome(StrEnum):
    """What the gate says of a run."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 3 too little was valid to say (design, section 9)."""
        return {GateOutcome.PASSED: 0, GateOutcome.FAILED: 1, GateOutcome.UNDECIDED: 3}[self]


class GateDecision(Value):
    """The outcome and, in one sentence, why. ``gated``: a condition was set, so that passing says something."""

    outcome: GateOutcome
    sentence: str
    gated: bool = True


def parse_fail_on(text: str, *, where: str = "--fail-on") -> Gate:
    """Read ``any``, ``none``, ``critical``, ``sut-errors``, ``rate:0.2`` or several joined by commas.

    Raises:
        InvalidInputError: any other word, a rate outside [0, 1], a word twice, or ``none`` beside another.
    """
    words = [word.strip() for word in text.split(",")]
    names = [_condition(word, text, where) for word in words]
    if len(set(names)) < len(names):
        raise InvalidInputError(f"{text!r} names a condition twice", where=where, hint="name each condition once")
    if "none" in names and len(names) > 1:
        raise InvalidInputError(
            f"{text!r} joins 'none' with other conditions", where=where, hint="write 'none' alone, or leave it out"
        )
    return Gate(
        text=",".join(words),
        any_failed="any" in names,
        critical="critical" in names,
        sut_errors="sut-errors" in names,
        max_rate=next((_rate(word) for word in words if word.startswith(_RATE)), None),
    )


def decide(summary: Summary, gate: Gate) -> GateDecision:
    """Say whether the run passes. Too little that is valid comes before any condition (design, section 9).

    A run of nothing but replays is decided by what their relations found, any other by its conversations alone.
    """
    if summary.metamorphic.planned and not summary.conversations.planned:
        return decide_replays(summary, gate)
    doubt = _too_little(summary)
    if doubt:
        return GateDecision(outcome=GateOutcome.UNDECIDED, sentence=f"no verdict on this run: {doubt}")
    if not gate.is_set:
        sentence = f"gate not set (--fail-on {gate.text}): {_share_failed(summary)}{_outside(summary)}"
        return GateDecision(outcome=GateOutcome.PASSED, sentence=sentence, gated=False)
    reasons = _reasons(summary, gate)
    outcome = GateOutcome.FAILED if reasons else GateOutcome.PASSED
    why = " and ".join(reasons) if reasons else _share_failed(summary)
    return GateDecision(outcome=outcome, sentence=f"gate {outcome}: {why}{_outside(summary)} (--fail-on {gate.text})")


def decide_replays(summary: Summary, gate: Gate) -> GateDecision:
    """Say whether a run of replays passes: by violated relations of any kind, for a rate by Rate⁺ of MR1 to MR4."""
    doubt = _too_little_replayed(summary, gate)
    if doubt:
        return GateDecision(outcome=GateOutcome.UNDECIDED, sentence=f"no verdict on this run: {doubt}")
    found = f"{_violations(summary)}{_outside_replays(summary)}"
    if not gate.is_set:
        sentence = f"gate not set (--fail-on {gate.text}): {found}"
        return GateDecision(outcome=GateOutcome.PASSED, sentence=sentence, gated=False)
    reasons = _replay_reasons(summary, gate)
    outcome = GateOutcome.FAILED if reasons else GateOutcome.PASSED
    why = f"{' and '.join(reasons)}{_outside_replays(summary)}" if reasons else found
    return GateDecision(outcome=outcome, sentence=f"gate {outcome}: {why} (--fail-on {gate.text})")


def require_gate_of_replays(gate: Gate, *, where: str = "--fail-on") -> None:
    """Refuse a gate that says nothing of replays, before anything is run.

    Raises:
        InvalidInputError: it asks for critical failures.
    """
    if gate.critical:
        raise InvalidInputError(_NO_CRITICAL, where=where, hint=_REPLAY_FORMS)


def exit_code(summary: Summary, gate: Gate) -> int:
    """Return 0, 1 or 3."""
    return decide(summary, gate).outcome.exit_code


def _condition(word: str, text: str, where: str) -> str:
    if word.startswith(_RATE):
        if not 0 <= _rate(word) <= 1:
            raise InvalidInputError(f"{word!r} needs a share from 0 to 1", where=where, hint=ALLOWED_FORMS)
        return "rate"
    if word not in ("any", "none", "critical", "sut-errors"):
        within = "" if word == text else f" in {text!r}"
        raise InvalidInputError(f"{word!r}{within} is no condition", where=where, hint=ALLOWED_FORMS)
    return word


def _rate(word: str) -> float:
    try:
        return float(word.removeprefix(_RATE))
    except ValueError:
        return math.nan


def _too_little(summary: Summary) -> str:
    counts = summary.conversations
    if _unreachable(summary):
        return _UNREACHABLE + _detail(summary)
    if not counts.passed + counts.failed:
        return f"none of the {counts.planned} planned conversations got pass or fail{_outside(summary)}"
    if 2 * counts.invalid > counts.planned:
        return f"{counts.invalid} of {counts.planned} planned conversations are invalid, more than half"
    if 2 * (counts.invalid + counts.missing) > counts.planned:
        without = counts.invalid + counts.missing
        return f"{without} of {counts.planned} planned conversations are invalid or missing, more than half"
    return ""


def _too_little_replayed(summary: Summary, gate: Gate) -> str:
    replayed = summary.metamorphic
    if gate.critical:
        return f"{_NO_CRITICAL}; {_REPLAY_FORMS}"
    if _unreachable(summary):
        return _UNREACHABLE + _detail(summary)
    if 2 * replayed.broken > replayed.replays:
        return f"{replayed.broken} of {replayed.replays} replayed conversations broke off, more than half"
    if 2 * (replayed.broken + replayed.missing) > replayed.planned:
        without = replayed.broken + replayed.missing
        return f"{without} of {replayed.planned} replayed conversations broke off or are missing, more than half"
    if not replayed.total.checks:
        return f"no relation could be checked{_outside_replays(summary)}"
    return ""


def _unreachable(summary: Summary) -> bool:
    reasons = {**summary.stop_reasons, **summary.metamorphic.broken_by_reason}
    return summary.status is RunStatus.STOPPED and StopReason.SUT_UNREACHABLE.value in reasons


def _replay_reasons(summary: Summary, gate: Gate) -> list[str]:
    replayed = summary.metamorphic
    rate = replayed.violation_rate or 0.0
    broken = sum(replayed.broken_by_reason.get(reason.value, 0) for reason in SUT_ERROR_REASONS)
    reasons = []
    if gate.any_failed and replayed.total.violations:
        reasons.append(_violations(summary))
    if gate.sut_errors and broken:
        reasons.append(f"the assistant broke off {_count(broken, 'replayed conversation', 'replayed conversations')}")
    if gate.max_rate is not None and rate > gate.max_rate:
        named = f"{MORTAR_RELATIONS[0]} to {MORTAR_RELATIONS[-1]}"
        reasons.append(f"the rate of violations of {named}, {rate:.3g}, is above {gate.max_rate:g}")
    return reasons


def _violations(summary: Summary) -> str:
    counts = {relation: summary.metamorphic.of(relation) for relation in MetamorphicRelation}
    total = summary.metamorphic.total
    each = ", ".join(
        f"{relation} {count.violations} of {count.checks}" for relation, count in counts.items() if count.checks
    )
    return f"{total.violations} of {_count(total.checks, 'relation check', 'relation checks')} violated ({each})"


def _outside_replays(summary: Summary) -> str:
    replayed = summary.metamorphic
    named = [("broke off", replayed.broken), ("missing", replayed.missing)]
    shown = ", ".join(f"{number} {name}" for name, number in named if number)
    return (
        f"; of {_count(replayed.planned, 'replayed conversation', 'replayed conversations')} {shown}" if shown else ""
    )


def _detail(summary: Summary) -> str:
    return f" ({summary.status_detail})" if summary.status_detail else ""


def _reasons(summary: Summary, gate: Gate) -> list[str]:
    rate, broken = summary.failure_rate or 0.0, summary.sut_errors.conversations
    reasons = []
    if gate.any_failed and summary.conversations.failed:
        reasons.append(_share_failed(summary))
    if gate.critical and summary.critical:
        reasons.append(f"{_count(len(summary.critical), 'critical failure was', 'critical failures were')} found")
    if gate.sut_errors and broken:
        reasons.append(f"the assistant broke off {_count(broken, 'conversation', 'conversations')}")
    if gate.max_rate is not None and rate > gate.max_rate:
        reasons.append(f"the failure rate {rate:.3g} is above {gate.max_rate:g} ({_share_failed(summary)})")
    return reasons


def _share_failed(summary: Summary) -> str:
    counts = summary.conversations
    return f"{counts.failed} of {_count(counts.passed + counts.failed, 'conversation', 'conversations')} failed"


def _outside(summary: Summary) -> str:
    counts = summary.conversations
    named = [("inconclusive", counts.inconclusive), ("invalid", counts.invalid), ("missing", counts.missing)]
    shown = ", ".join(f"{number} {name}" for name, number in named if number)
    return f"; besides {shown}" if shown else ""


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
