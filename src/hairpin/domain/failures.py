"""Failure modes and failure instances.

Modes are data of a rubric pack, never an enum. Deciding whether one occurred is a judge's work.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from hairpin.domain.base import Value

CHECK_FAILED = "check_failed"
"""The mode under which a failed ``checks:`` entry is counted."""


class ModeKind(StrEnum):
    """The two types of failure of the in-car paper (section III-D), and ours for checks."""

    COMPLIANCE = "compliance"
    RESPONSE = "response"
    CHECK = "check"


class FailureMode(Value):
    """A class of failure, as a rubric defines it."""

    id: str
    kind: ModeKind
    title: str
    definition: str
    materiality: str
    positive_example: str
    negative_example: str


class Failure(Value):
    """One label at one turn, per target if the mode is a compliance mode.

    ``strategy`` is the strategy that wrote u_t, ``None`` for u_0 and for unguided utterances.
    """

    t: int = Field(ge=0)
    mode: str
    kind: ModeKind
    target_id: str | None = None
    strategy: str | None = None
    evidence: str = ""
