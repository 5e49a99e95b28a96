"""Trials of a stored run's conversations: planned by whoever asks, run like any conversation, kept in the run.

It must not say what trials show; ``domain.confirmation`` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hairpin.app.request import FinishedRun
from hairpin.app.resume import Resumable, go_on
from hairpin.app.run import finish
from hairpin.app.stored import open_stored
from hairpin.campaign.conduct import RunEnd
from hairpin.campaign.events import RunListener
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of trials.

    Attributes:
        finished: the run, its summary and report written anew; ``finished.error``: what ended the trials early.
        records: of every trial that was asked for and has a row, in the order asked for; one that was not run or was
            interrupted has no outcome.
        n_missing: how many were not run to their end.
    """

    finished: FinishedRun
    records: tuple[ConversationRecord, ...]
    n_missing: int


async def run_trials(
    resumable: Resumable,
    trials: Sequence[PlannedConversation],
    *,
    listener: RunListener,
    allow_changed: bool = False,
) -> Tried:
    """Run trials of conversations of a stored run, and write its summary and report anew.

    Args:
        resumable: the run, as ``app.resume.load_resumable(ResumeRequest(run=…, adapters=…, stop=…))`` reads it; its
            ``request`` may be replaced for other limits (``concurrency``, ``spending``).
        trials: what ``domain.confirming.trials_wanted`` (or ``domain.plan.plan_trial``) plans; those that have their
            outcome already are not run again. Numbers that other trials of the same source and kind have must not be
            used with another ``from_turn``: read ``stored.reader.trials(source)`` and let ``trials_wanted`` choose.
        listener: hears of each in ``aside_started`` and ``aside_ended``.
        allow_changed: also when the assistant, packs or files of the user's are others than in the run.

    How the run stands, finished or stopped, stays as it is. Leases, time-outs, admission by the budget and interrupts
    are those of any run; after a kill the same call goes on with what is missing.

    Raises:
        RunBusyError: another process is driving the run.
        UserError: what it runs against has changed, or must be mended first.
        StoreError: it cannot be read or written.
    """
    todo = _missing(resumable, trials)
    request = replace(resumable.request, listener=listener)
    if todo:
        finished = await go_on(resumable, request, allow_changed=allow_changed, trials=todo)
    else:
        finished = await finish(resumable.directory, request, RunEnd())
    with open_stored(resumable.directory.path) as stored:
        known = set(stored.reader.conversation_ids())
        records = tuple(stored.conversation(trial.id) for trial in trials if trial.id in known)
    n_ended = sum(record.outcome is not None for record in records)
    return Tried(finished, records, n_missing=len(trials) - n_ended)


def _missing(resumable: Resumable, trials: Sequence[PlannedConversation]) -> tuple[PlannedConversation, ...]:
    with open_stored(resumable.directory.path) as stored:
        finished = stored.reader.progress().finished_asides
    return tuple(trial for trial in trials if trial.index not in finished)
