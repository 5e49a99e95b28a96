"""What the turn judge returns, and the failure instances that follow from it.

It must not decide labels; it only checks them against the rubric and attributes them.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from hairpin.domain.ballots import Ballot
from hairpin.domain.base import Value
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.rubric import Rubric
from hairpin.domain.targets import Target, TargetUpdate


class ResponseFinding(Value):
    """A response-level failure mode found in a_t."""

    mode: str
    evidence: str


class TurnJudgement(Value):
    """All the turn judge says of one exchange: reasoning first, then targets and response.

    ``ballot``: where several judges decided, what each of them said.
    """

    reasoning: str = ""
    new_targets: tuple[Target, ...] = ()
    updates: tuple[TargetUpdate, ...] = ()
    response: tuple[ResponseFinding, ...] = Field(default=())
    ballot: Ballot | None = None


def failures_of(judgement: TurnJudgement, rubric: Rubric, *, t: int, strategy: str | None) -> tuple[Failure, ...]:
    """Return ℱ_t: the failure instances of exchange ``t``, attributed to the strategy that wrote u_t.

    A mode counts once per turn, a compliance mode once per target; the first evidence is kept.

    Raises:
        ValueError: a label is no mode of the rubric, or of the wrong kind, or a target got two compliance modes.

    Source: in-car paper, algorithm 1, line 6, and section III-D.
    """
    found: dict[tuple[str, str | None], Failure] = {}
    for mode, kind, target_id, evidence in _labels(judgement):
        _refuse_label(mode, kind, rubric)
        failure = Failure(t=t, mode=mode, kind=kind, target_id=target_id, strategy=strategy, evidence=evidence)
        found.setdefault((mode, target_id), failure)
    modes_of: dict[str, str] = {}
    for mode, target_id in found:
        if target_id is not None and modes_of.setdefault(target_id, mode) != mode:
            raise ValueError(f"target {target_id!r} got two compliance modes, {modes_of[target_id]!r} and {mode!r}")
    return tuple(found.values())


def _labels(judgement: TurnJudgement) -> Iterator[tuple[str, ModeKind, str | None, str]]:
    for update in judgement.updates:
        if update.failure is not None:
            yield update.failure, ModeKind.COMPLIANCE, update.target_id, update.evidence
    for finding in judgement.response:
        yield finding.mode, ModeKind.RESPONSE, None, finding.evidence


def _refuse_label(mode_id: str, kind: ModeKind, rubric: Rubric) -> None:
    mode = rubric.mode(mode_id)
    if mode is None or mode.kind is not kind:
        raise ValueError(f"the turn judge used {mode_id!r}, which is no {kind} mode of rubric {rubric.id!r}")
