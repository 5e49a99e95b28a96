"""Which trials a failed conversation gets.

It must not say what they show; ``domain.confirmation`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hairpin.domain.outcome import Verdict
from hairpin.domain.plan import PlannedConversation, plan_trial
from hairpin.domain.records import Outcome
from hairpin.domain.trials import MAX_TRIALS, ConfirmSpec, Trial, TrialKind


def kinds_for(source: PlannedConversation, *, scripted: bool) -> tuple[TrialKind, ...]:
    """Return the kinds of trials that say something of a conversation.

    One that was made elsewhere is only judged again: its assistant answers nothing new. One whose user reads from a
    script cannot be simulated anew.
    """
    if source.recording is not None:
        return (TrialKind.REJUDGE,)
    return (TrialKind.REJUDGE, TrialKind.REPLAY) if scripted else tuple(TrialKind)


def confirming(
    spec: ConfirmSpec, *, scripted: bool
) -> Callable[[PlannedConversation, Outcome], tuple[PlannedConversation, ...]]:
    """Return what says which trials follow a conversation: as many as ``spec`` wants after one that failed."""

    def after(planned: PlannedConversation, outcome: Outcome) -> tuple[PlannedConversation, ...]:
        if outcome.judgement.verdict is not Verdict.FAIL:
            return ()
        return tuple(
            plan_trial(planned, kind, number)
            for kind in kinds_for(planned, scripted=scripted)
            for number in range(spec.times(kind))
        )

    return after


def trials_wanted(
    source: PlannedConversation, kind: TrialKind, times: int, done: Iterable[Trial], *, from_turn: int = 0
) -> tuple[PlannedConversation, ...]:
    """Return the trials that are still needed so that there are ``times`` of a kind, from that turn on.

    ``done``: those of the source that were planned before; their numbers are taken.

    Raises:
        ValueError: no number is left for them.
    """
    its = [trial for trial in done if trial.kind is kind]
    missing = times - sum(trial.from_turn == from_turn for trial in its)
    taken = {trial.number for trial in its}
    free = [number for number in range(MAX_TRIALS) if number not in taken][: max(0, missing)]
    if len(free) < missing:
        raise ValueError(f"{source.id} has had {len(taken)} {kind.value} trials; there can be {MAX_TRIALS}")
    return tuple(plan_trial(source, kind, number, from_turn=from_turn) for number in free)
