"""Targets over time: the stored target events of a conversation, laid out per exchange.

It must not judge whether a change was lawful; ``domain.targets`` did.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.domain.targets import Target, TargetEvent, TargetStatus
from hairpin.reports.model import ChangeKind, TargetCell, TargetChange, TargetReport, TargetState

_BY_STATUS = {
    TargetStatus.COMPLETED: (TargetState.COMPLETED, ChangeKind.COMPLETED),
    TargetStatus.INCOMPLETE: (TargetState.OPEN, ChangeKind.REOPENED),
    TargetStatus.DROPPED: (TargetState.DROPPED, ChangeKind.DROPPED),
}


def turn_anchor(conversation_anchor: str, t: int) -> str:
    """Return the anchor of an exchange."""
    return f"{conversation_anchor}-t{t}"


def changes_of(events: Sequence[TargetEvent]) -> tuple[TargetChange, ...]:
    """Return what the stored events changed, in order; each is compared with the event before it on its target."""
    latest: dict[str, Target] = {}
    changes: list[TargetChange] = []
    for event in events:
        kinds = _kinds(latest.get(event.target.id), event)
        latest[event.target.id] = event.target
        changes.append(TargetChange(t=event.t, target_id=event.target.id, kinds=kinds, reason=event.reason))
    return tuple(changes)


def targets_over_time(events: Sequence[TargetEvent], *, anchor: str, n_turns: int) -> tuple[TargetReport, ...]:
    """Return every target with one cell per exchange.

    Args:
        events: the stored events of one conversation, in order.
        anchor: the conversation's anchor.
        n_turns: how many exchanges there are.
    """
    changes = changes_of(events)
    by_target: dict[str, list[tuple[TargetEvent, TargetChange]]] = {}
    for event, change in zip(events, changes, strict=True):
        by_target.setdefault(event.target.id, []).append((event, change))
    return tuple(_target_report(history, anchor=anchor, n_turns=n_turns) for history in by_target.values())


def _target_report(history: Sequence[tuple[TargetEvent, TargetChange]], *, anchor: str, n_turns: int) -> TargetReport:
    last = history[-1][0].target
    return TargetReport(
        id=last.id,
        text=last.text,
        kind=last.kind,
        constraints=last.constraints,
        state=state_of(last),
        introduced=last.introduced,
        resolved=last.resolved,
        cells=tuple(_cell(history, t=t, anchor=anchor) for t in range(n_turns)),
        changes=tuple(change for _, change in history),
    )


def _cell(history: Sequence[tuple[TargetEvent, TargetChange]], *, t: int, anchor: str) -> TargetCell:
    before = [event.target for event, _ in history if event.t is None or event.t <= t]
    kinds = [kind for _, change in history if change.t == t for kind in change.kinds]
    return TargetCell(
        t=t,
        anchor=turn_anchor(anchor, t),
        state=state_of(before[-1]) if before else TargetState.UNSAID,
        changes=tuple(dict.fromkeys(kinds)),
    )


def state_of(target: Target) -> TargetState:
    """Return how a target stands, with targets never uttered told apart from open ones."""
    if target.status is TargetStatus.INCOMPLETE and not target.uttered:
        return TargetState.UNSAID
    return _BY_STATUS[target.status][0]


def _kinds(before: Target | None, event: TargetEvent) -> tuple[ChangeKind, ...]:
    after, kinds = event.target, []
    if before is None and not after.uttered:
        kinds.append(ChangeKind.FOUND)
    if after.uttered and (before is None or not before.uttered):
        kinds.append(ChangeKind.INTRODUCED)
    if before is not None and before.constraints != after.constraints:
        kinds.append(ChangeKind.CHANGED)
    if after.status is not (before.status if before else TargetStatus.INCOMPLETE):
        kinds.append(_BY_STATUS[after.status][1])
    return tuple(kinds)
