"""The form of a turn judge's answer, made for the modes of a rubric: reasoning first, labels after.

What an answer means for targets and failures is ``turn_judge``'s work.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model

from hairpin.domain.failures import FailureMode, ModeKind
from hairpin.domain.targets import Target

COMPLETED: Final = "completed"
OPEN: Final = "open"
WITHDRAWN: Final = "withdrawn"

MAX_NEW: Final = 8
"""Requests in one utterance; more are a model that has lost its way."""

_REMEMBERED: Final = 256


def _bounded(n_chars: int) -> dict[str, JsonValue]:
    """Return the bound of a text for servers that write by the schema: without it a small model may never stop.

    It is no condition on answers: a longer text is none the worse.
    """
    return {"maxLength": n_chars}


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TargetVerdict(_Form):
    """What the exchange did for a known target. One ``outcome``, so that no target gets two compliance modes, none
    that was withdrawn is held against the assistant, and none that failed counts as completed.
    """

    target_id: str = Field(description="id of a listed target")
    asked: bool = Field(description="does the user ask for it in this exchange?")
    evidence: str = Field(description="exact words from this exchange", json_schema_extra=_bounded(200))
    outcome: str
    constraints: list[str] | None = Field(description="all conditions that now hold, if they changed; else null")


class NewTarget(_Form):
    """A request of this exchange that no listed target covers, with what the exchange did for it."""

    text: str = Field(description="the request, in a few words", json_schema_extra=_bounded(120))
    kind: str = Field(description="its type, in one word", json_schema_extra=_bounded(40))
    constraints: list[str] = Field(description="conditions the user put on it")
    evidence: str = Field(description="exact words from this exchange", json_schema_extra=_bounded(200))
    outcome: str


class Finding(_Form):
    """A failure of the reply as a whole."""

    evidence: str = Field(description="exact words from the reply", json_schema_extra=_bounded(200))
    mode: str


class TurnAnswer(_Form):
    """All that the judge says of one exchange, in the order in which it is to be thought of."""

    reasoning: str = Field(json_schema_extra=_bounded(500))
    targets: Sequence[TargetVerdict]
    new_targets: Sequence[NewTarget]
    response_failures: Sequence[Finding]


def turn_answer(modes: Sequence[FailureMode], targets: Sequence[Target] = ()) -> type[TurnAnswer]:
    """Return the form whose labels are those of ``modes`` and which asks for each open one of ``targets``.

    The same form for the same modes and ids. What it asks for of targets is for servers that write by the schema; which
    answers cannot be, ``turn_reading`` says, in better words.
    """
    compliance = tuple(mode.id for mode in modes if mode.kind is ModeKind.COMPLIANCE)
    response = tuple(mode.id for mode in modes if mode.kind is ModeKind.RESPONSE)
    ids = tuple(target.id for target in targets)
    return _turn_answer(compliance, response, ids, sum(target.open for target in targets))


@lru_cache(maxsize=_REMEMBERED)
def _turn_answer(
    compliance: tuple[str, ...], response: tuple[str, ...], ids: tuple[str, ...], n_open: int
) -> type[TurnAnswer]:
    verdict = create_model(
        "TargetVerdict",
        __base__=TargetVerdict,
        target_id=(
            str,
            Field(description="id of a listed target", json_schema_extra=_among(ids)),
        ),
        outcome=(_one_of(COMPLETED, OPEN, WITHDRAWN, *compliance), ...),
    )
    new = create_model("NewTarget", __base__=NewTarget, outcome=(_one_of(COMPLETED, OPEN, *compliance), ...))
    # A rubric without response modes leaves nothing that could be found.
    finding = create_model("Finding", __base__=Finding, mode=(_one_of(*response) if response else str, ...))
    return create_model(
        "TurnAnswer",
        __base__=TurnAnswer,
        targets=(list[verdict], Field(json_schema_extra={"minItems": n_open, "maxItems": len(ids)})),
        new_targets=(list[new], Field(json_schema_extra={"maxItems": MAX_NEW})),
        response_failures=(list[finding], Field(max_length=None if response else 0)),
    )


def _among(ids: tuple[str, ...]) -> dict[str, JsonValue] | None:
    """Return the bound of a target's id. A pattern, which strict schemas leave out: they come before the prompt in a
    provider's prefix cache, and are to stay the same from turn to turn.
    """
    return {"pattern": f"^({'|'.join(map(re.escape, ids))})$"} if ids else None


def _one_of(*names: str) -> Any:
    return Literal[names]  # made at run time, for the modes at hand
