"""Stored conversations that are judged again: which can be, where each ends, and what is said of those left out.

It must not judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from hairpin.domain.conversation import UtteranceSource, is_repetition
from hairpin.domain.outcome import Role, Stop, StopReason, Verdict, decide_stop
from hairpin.domain.recording import LeftOut, Recording, Rejudged
from hairpin.domain.records import ConversationRecord, RunInfo
from hairpin.domain.rubric import Rubric
from hairpin.domain.targets import all_resolved

LEFT_OUT_NAMED: Final = 100
"""Of the conversations that are not judged again so many are named; the others are counted."""

_JUDGING_BROKE: Final = frozenset({StopReason.JUDGE_FAULT, StopReason.JUDGES_DISAGREE, StopReason.CHECK_FAULT})
_JUDGES: Final = (Role.TURN_JUDGE, Role.CONVERSATION_JUDGE, Role.SIMULATOR_REVIEWER)
"""Who only looks at what was said: where one of them broke, all of it may have been said."""


class StoredTranscript(Recording):
    """A conversation of a stored run that is judged again.

    Attributes:
        record: everything that was stored of it, what was judged then included.
        ending: with which stop it ends after its last exchange, whatever judges say now.
    """

    record: ConversationRecord
    ending: Stop


def transcript_of(record: ConversationRecord, *, n_script: int = 0) -> StoredTranscript | LeftOut:
    """Return a stored conversation as one to be judged again, or why it cannot be.

    One that a deadline or a budget cut ends as it did. What the assistant, the simulator or Hairpin broke stays what it
    was, and is left out. Where judging broke, a conversation in which everything had been said is judged again.

    Args:
        record: one that was held for itself.
        n_script: of a scripted user, how many turns it has.
    """
    planned, outcome = record.planned, record.outcome
    if outcome is None or outcome.stop.reason is StopReason.INTERRUPTED:
        return LeftOut(id=planned.id, why="it never ended")
    if not record.exchanges:
        return LeftOut(id=planned.id, why=f"nothing was said ({outcome.stop.reason})")
    ending = _ending(record, outcome.stop, n_script)
    if ending is None:
        return LeftOut(id=planned.id, why=_why(record, outcome.stop))
    return StoredTranscript(
        id=planned.id, exchanges=record.exchanges, context=planned.context, record=record, ending=ending
    )


def rejudged_of(
    run: RunInfo,
    location: str,
    rubric: Rubric,
    transcripts: Sequence[StoredTranscript],
    left_out: Iterable[LeftOut],
) -> Rejudged:
    """Return what is said of the run ``run``, at ``location`` and judged by ``rubric``, that is judged again."""
    without = tuple(left_out)
    return Rejudged(
        run_id=run.run_id,
        name=run.name,
        location=location,
        created_at=run.created_at,
        fingerprint=run.fingerprint,
        agents=run.agents,
        threshold=run.threshold if run.scored else None,
        campaign=run.campaign or (run.rejudged is not None and run.rejudged.campaign),
        modes={mode.id: mode.title for mode in rubric.modes},
        dimensions={dimension.id: dimension.title for dimension in rubric.dimensions},
        n_conversations=len(transcripts),
        n_left_out=len(without),
        left_out=without[:LEFT_OUT_NAMED],
    )


def _ending(record: ConversationRecord, stop: Stop, n_script: int) -> Stop | None:
    if stop.rule.judged and stop.rule.verdict in (None, Verdict.INCONCLUSIVE):
        return stop
    if stop.reason not in _JUDGING_BROKE and stop.role not in _JUDGES:
        return None
    last, planned = record.exchanges[-1], record.planned
    scripted = last.source is not UtteranceSource.SIMULATED
    n_written = n_script or planned.max_turns
    reason = decide_stop(
        t=last.t,
        max_turns=planned.max_turns,
        all_resolved=all_resolved(record.targets),
        sut_ended=last.ended,
        repeating=is_repetition(record.exchanges),
        scripted=scripted,
        more_script=scripted and last.t + 1 < n_written,
        guided=planned.arm.steered,
    )
    return None if reason is None else Stop(reason=reason)


def _why(record: ConversationRecord, stop: Stop) -> str:
    if stop.reason in _JUDGING_BROKE or stop.role in _JUDGES:
        said, planned = len(record.exchanges), record.planned.max_turns
        return f"{stop.reason}: judging broke after {said} of at most {planned} exchanges, and nobody knows the others"
    return f"{stop.reason}: no judge can make it valid"
