"""Targets: the tasks the user wants done, g_k, and how their status σ_k changes.

Who decides a status is the turn judge; this module only says which changes are lawful and records each.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Self

from pydantic import Field

from hairpin.domain.base import Value


class TargetStatus(IntEnum):
    """σ of a target (in-car paper, section III-A)."""

    DROPPED = -1
    INCOMPLETE = 0
    COMPLETED = 1


class Target(Value):
    """One task g_k; ``introduced`` and ``resolved`` are exchange numbers, ``None`` while it has not happened."""

    id: str
    text: str
    kind: str = "other"
    constraints: tuple[str, ...] = ()
    status: TargetStatus = TargetStatus.INCOMPLETE
    introduced: int | None = Field(default=None, ge=0)
    resolved: int | None = Field(default=None, ge=0)

    @property
    def uttered(self) -> bool:
        """Whether the user has said it."""
        return self.introduced is not None

    @property
    def open(self) -> bool:
        """Whether it still waits to be completed or dropped."""
        return self.status is TargetStatus.INCOMPLETE


class TargetEvent(Value):
    """One stored change of a target: found (``t`` is ``None`` before the first exchange), uttered, or a new status."""

    t: int | None = Field(default=None, ge=0)
    target: Target
    old: TargetStatus | None
    reason: str = ""

    @property
    def new(self) -> TargetStatus:
        """The status after the change."""
        return self.target.status


class TargetUpdate(Value):
    """What the turn judge says of one target after exchange t.

    ``failure`` is at most one compliance mode, so that these are exclusive per target by construction.
    ``constraints`` replaces the target's constraints; ``None`` leaves them.
    """

    target_id: str
    status: TargetStatus
    uttered: bool = False
    withdrawn: bool = False
    constraints: tuple[str, ...] | None = None
    failure: str | None = None
    evidence: str = ""


class TargetChanges(Value):
    """All targets after an exchange, with the events that led there."""

    targets: tuple[Target, ...]
    events: tuple[TargetEvent, ...]

    @classmethod
    def unchanged(cls, targets: Sequence[Target]) -> Self:
        """Return the targets as they are, with no event."""
        return cls(targets=tuple(targets), events=())


def apply_updates(
    targets: Sequence[Target], updates: Sequence[TargetUpdate], new: Sequence[Target], *, t: int
) -> TargetChanges:
    """Apply what the judge said of exchange ``t``: first the new targets, introduced at ``t``, then the updates.

    A target becomes dropped only when the user withdrew it; a dropped one opens again only when the user asks anew;
    a completed one opens again when a later reply broke it. An update may be of a new target.

    Raises:
        ValueError: an update names a target that does not exist, or a new target an id that does.

    Source: in-car paper, algorithm 1, line 7; reopening and withdrawal: design, section 2.
    """
    known = {target.id: target for target in targets}
    events: list[TargetEvent] = []
    for target in new:
        if target.id in known:
            raise ValueError(f"new target {target.id!r} has the id of a known one")
        known[target.id] = target.model_copy(
            update={"introduced": t, "status": TargetStatus.INCOMPLETE, "resolved": None}
        )
        events.append(TargetEvent(t=t, target=known[target.id], old=None, reason="uttered by the user"))
    for update in updates:
        if update.target_id not in known:
            raise ValueError(f"an update names target {update.target_id!r}, which does not exist")
        before = known[update.target_id]
        after = _updated(before, update, t)
        if after != before:
            known[before.id] = after
            events.append(TargetEvent(t=t, target=after, old=before.status, reason=update.evidence))
    return TargetChanges(targets=tuple(known.values()), events=tuple(events))


def all_resolved(targets: Sequence[Target]) -> bool:
    """Whether there are targets and none is open; targets never uttered count as open (algorithm 1, line 10)."""
    return bool(targets) and all(not target.open for target in targets)


def replay_events(events: Sequence[TargetEvent]) -> tuple[Target, ...]:
    """Rebuild the targets from their stored events, in the order they were found."""
    latest: dict[str, Target] = {}
    for event in events:
        latest[event.target.id] = event.target
    return tuple(latest.values())


def _updated(target: Target, update: TargetUpdate, t: int) -> Target:
    status = _lawful(target.status, update)
    changed: dict[str, object] = {}
    if target.introduced is None and (update.uttered or status is TargetStatus.COMPLETED):
        changed["introduced"] = t
    if update.constraints is not None:
        changed["constraints"] = update.constraints
    if status is not target.status:
        changed |= {"status": status, "resolved": None if status is TargetStatus.INCOMPLETE else t}
    return target.model_copy(update=changed) if changed else target


def _lawful(old: TargetStatus, update: TargetUpdate) -> TargetStatus:
    if update.withdrawn:
        return TargetStatus.DROPPED
    if update.status is TargetStatus.DROPPED:
        return old
    if old is TargetStatus.DROPPED and not update.uttered:
        return old
    return update.status
