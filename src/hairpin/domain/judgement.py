"""What the turn judge returns, and the failure instances that follow from it.

It must not decide labels; it only checks them against the rubric and attributes them.
"""

from __future__ import annotations

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.rubric import Rubric
from hairpin.domain.targets import Target, TargetUpdate


class ResponseFinding(Value):
    """A response-level failure mode found in a_t."""

    mode: str
    evidence: str


class TurnJudgement(Value):
    """All the turn judge says of one exchange: reasoning first, then targets and response."""

    reasoning: str = ""
    new_targets: tuple[Target, ...] = ()
    updates: tuple[TargetUpdate, ...] = ()
    response: tuple[ResponseFinding, ...] = Field(default=())


def failures_of(judgement: TurnJudgement, rubric: Rubric, *, t: int, strategy: str | None) -> tuple[Failure, ...]:
    """Return ℱ_t: the failure instances of exchange ``t``, attributed to the strategy that wrote u_t.

    Raises:
        ValueError: a label is no mode of the rubric, or of the wrong kind.

    Source: in-car paper, algorithm 1, line 6, and section III-D.
    """
    found: list[tuple[str | None, ModeKind, str | None, str]] = [
        (update.failure, ModeKind.COMPLIANCE, update.target_id, update.evidence) for update in judgement.updates
    ]
    found += [(finding.mode, ModeKind.RESPONSE, None, finding.evidence) for finding in judgement.response]
    failures: list[Failure] = []
    for mode_id, kind, target_id, evidence in found:
        if mode_id is None:
            continue
        mode = rubric.mode(mode_id)
        if mode is None or mode.kind is not kind:
            raise ValueError(f"the turn judge used {mode_id!r}, which is no {kind} mode of rubric {rubric.id!r}")
        failures.append(
            Failure(t=t, mode=mode_id, kind=kind, target_id=target_id, strategy=strategy, evidence=evidence)
        )
    return tuple(dict.fromkeys(failures))
