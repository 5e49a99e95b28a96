"""The form of a turn judge's answer, made for the modes of a rubric: reasoning first, labels after.

What an answer means for targets and failures is ``turn_judge``'s work.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from hairpin.domain.failures import FailureMode, ModeKind

COMPLETED: Final = "completed"
OPEN: Final = "open"
WITHDRAWN: Final = "withdrawn"

_REMEMBERED: Final = 64


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TargetVerdict(_Form):
    """What the exchange did for a known target. One ``outcome``, so that no target gets two compliance modes, none
    that was withdrawn is held against the assistant, and none that failed counts as completed.
    """

    target_id: str = Field(description="id of a listed target")
    asked: bool = Field(description="does the user ask for it in this exchange?")
    evidence: str = Field(description="exact words from this exchange")
    outcome: str
    constraints: list[str] | None = Field(description="all conditions that now hold, if they changed; else null")


class NewTarget(_Form):
    """A request of this exchange that no listed target covers, with what the exchange did for it."""

    text: str = Field(description="the request, in a few words")
    kind: str = Field(description="its type, in one word")
    constraints: list[str] = Field(description="conditions the user put on it")
    evidence: str = Field(description="exact words from this exchange")
    outcome: str


class Finding(_Form):
    """A failure of the reply as a whole."""

    evidence: str = Field(description="exact words from the reply")
    mode: str


class TurnAnswer(_Form):
    """All that the judge says of one exchange, in the order in which it is to be thought of."""

    reasoning: str
    targets: Sequence[TargetVerdict]
    new_targets: Sequence[NewTarget]
    response_failures: Sequence[Finding]


def turn_answer(modes: Sequence[FailureMode]) -> type[TurnAnswer]:
    """Return the form whose labels are those of ``modes``; the same one for the same modes."""
    compliance = tuple(mode.id for mode in modes if mode.kind is ModeKind.COMPLIANCE)
    response = tuple(mode.id for mode in modes if mode.kind is ModeKind.RESPONSE)
    return _turn_answer(compliance, response)


@lru_cache(maxsize=_REMEMBERED)
def _turn_answer(compliance: tuple[str, ...], response: tuple[str, ...]) -> type[TurnAnswer]:
    verdict = create_model(
        "TargetVerdict", __base__=TargetVerdict, outcome=(_one_of(COMPLETED, OPEN, WITHDRAWN, *compliance), ...)
    )
    new = create_model("NewTarget", __base__=NewTarget, outcome=(_one_of(COMPLETED, OPEN, *compliance), ...))
    # A rubric without response modes leaves nothing that could be found.
    finding = create_model("Finding", __base__=Finding, mode=(_one_of(*response) if response else str, ...))
    return create_model(
        "TurnAnswer",
        __base__=TurnAnswer,
        targets=(list[verdict], ...),
        new_targets=(list[new], ...),
        response_failures=(list[finding], Field(max_length=None if response else 0)),
    )


def _one_of(*names: str) -> Any:
    return Literal[names]  # made at run time, for the modes at hand
