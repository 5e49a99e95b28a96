"""Which trials a failed conversation gets.

It must not say what they show; ``domain.confirmation`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hairpin.domain.outcome import Verdict
from hairpin.domain.plan import PlannedConversation, plan_trial
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.trials import MAX_TRIALS, ConfirmSpec, TrialKind


def kinds_for(source: PlannedConversation, *, recorded: bool) -> tuple[TrialKind, ...]:
    """Return the kinds of trials that say something of a conversation.

    One that was made elsewhere (``recorded``) is only judged again: its assistant answers nothing new. One whose user
    reads from a script cannot be simulated anew.
    """
    return kinds_of(scripted=source.seed_phrase is None, recorded=recorded)


def kinds_of(*, scripted: bool, recorded: bool) -> tuple[TrialKind, ...]:
    """Return ``kinds_for`` conversations that are not planned yet, of which this is known."""
    if recorded:
        return (TrialKind.REJUDGE,)
    return (TrialKind.REJUDGE, TrialKind.REPLAY) if scripted else tuple(TrialKind)


def confirming(
    spec: ConfirmSpec, *, recorded: bool
) -> Callable[[PlannedConversation, Outcome], tuple[PlannedConversation, ...]]:
    """Return what says which trials follow a conversation: as many as ``spec`` wants after one that failed."""

    def after(planned: PlannedConversation, outcome: Outcome) -> tuple[PlannedConversation, ...]:
        if outcome.judgement.verdict is not Verdict.FAIL:
            return ()
        return tuple(
            plan_trial(planned, kind, number)
            for kind in kinds_for(planned, recorded=recorded)
            for number in range(spec.times(kind))
        )

    return after


def is_usable(trial: ConversationRecord) -> bool:
    """Whether a trial came to a verdict that says something: it passed or failed."""
    return trial.outcome is not None and trial.outcome.judgement.verdict in (Verdict.PASS, Verdict.FAIL)


def trials_wanted(
    source: PlannedConversation,
    kind: TrialKind,
    times: int,
    made: Iterable[ConversationRecord],
    *,
    from_turn: int = 0,
) -> tuple[PlannedConversation, ...]:
    """Return the trials that are still needed so that ``times`` of a kind, from that turn on, say something.

    ``made``: all trials of the source that were planned before. Those that ended without a verdict are made up for;
    those that did not end are run again.

    Raises:
        ValueError: no number is left for them.
    """
    its = [(record, trial) for record in made if (trial := record.planned.trial) is not None and trial.kind is kind]
    missing = times - sum(trial.from_turn == from_turn and is_usable(record) for record, trial in its)
    taken = {t.number for record, t in its if record.outcome is not None or t.from_turn != from_turn}
    free = [number for number in range(MAX_TRIALS) if number not in taken][: max(0, missing)]
    if len(free) < missing:
        raise ValueError(f"{source.id} has had {len(taken)} {kind.value} trials; there can be {MAX_TRIALS}")
    return tuple(plan_trial(source, kind, number, from_turn=from_turn) for number in free)
