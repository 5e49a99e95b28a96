"""What people, or judges that were asked apart from a run, say of its conversations.

It must not read files or compute agreement; a person's word overrides nothing by itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.outcome import Blame, Verdict


class LabelOpinion(Value):
    """Whether the failure ``mode`` happened at turn ``t``; ``target_id`` where the mode is per target."""

    t: int = Field(ge=0)
    mode: str
    holds: bool
    target_id: str | None = None


class Annotation(Value):
    """What one rater says of one conversation; what is ``None`` or missing the rater did not say.

    Attributes:
        conversation: its id in the run.
        rater: who says it.
        scores: d_j by dimension, 0, 1 or 2.
        completed: the share of targets that were completed, T in [0, 1].
        verdict: pass or fail as the rater sees it, where it was asked for beside the scores.
        blame: who is to blame, in place of what the run says.
        labels: of single failures, whether they are right; also failures that the run missed.
        note: why.
    """

    conversation: str
    rater: str = Field(min_length=1)
    scores: Mapping[str, int] = Field(default_factory=dict)
    completed: float | None = Field(default=None, ge=0, le=1)
    verdict: Verdict | None = None
    blame: Blame | None = None
    labels: tuple[LabelOpinion, ...] = ()
    note: str = ""
