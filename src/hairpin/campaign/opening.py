"""Opens the session of a conversation: live, of stored replies, or of stored replies first and live after them.

It must not run the conversation; ``campaign.conversation`` does.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from hairpin.campaign.job import RunJob
from hairpin.campaign.playing import Playing
from hairpin.domain.conversation import Exchange, UtteranceSource
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.sut import SessionStart
from hairpin.errors import UserError
from hairpin.graph.state import SutContact
from hairpin.graph.stopping import StopToken
from hairpin.graph.sut_call import call_sut, describe_error, stop_of_sut_error
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.recorded import RecordedSession


@dataclass(frozen=True, slots=True)
class Opened:
    """An open session, with what to note of how it came about."""

    session: SutSession
    notes: tuple[str, ...] = ()


async def open_played(
    job: RunJob, planned: PlannedConversation, playing: Playing, contact: SutContact, stop: StopToken
) -> Opened | Stop:
    """Open the session that ``planned`` is held in, or say why there is none.

    Where the assistant answers anew after replies that stand, it is handed them as its history if it takes one;
    otherwise the user's earlier turns are said to it again, and that is noted.

    Raises:
        UserError: the user must mend something first (a missing key, a missing file).
    """
    if not planned.asks_assistant:
        return Opened(RecordedSession(playing.standing))
    adapter, standing = job.adapters[planned.sut], playing.standing
    takes_history = adapter.capabilities.accepts_history
    start = _start_of(planned, standing if takes_history else ())
    live = await open_session(job, adapter, start, contact, stop)
    if isinstance(live, Stop):
        return live
    if not standing:
        return Opened(live)
    notes: tuple[str, ...] | Stop | None = None
    try:
        notes = () if takes_history else await _tell(job, live, standing, contact, stop)
    finally:
        if notes is None or isinstance(notes, Stop):
            async with closing(live, job, planned):
                pass
    return notes if isinstance(notes, Stop) else Opened(RecordedSession(standing, live=live), notes)


async def open_session(
    job: RunJob, adapter: SutAdapter, start: SessionStart, contact: SutContact, stop: StopToken
) -> SutSession | Stop:
    """Open a session within the turn's time-out, or say why there is none.

    Raises:
        UserError: the user must mend something first (a missing key, a missing file).
    """
    timeout_s = job.scenario.turn_timeout_s
    with stop.guard() as guard:
        try:
            with anyio.fail_after(timeout_s) as scope:
                return await adapter.open(start)
        except UserError:
            raise
        except TimeoutError as error:
            text = f"no session within {timeout_s:g} s" if scope.cancelled_caught else describe_error(error)
            return Stop(reason=StopReason.SUT_ERROR, detail=text)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the assistant raises is data
            return stop_of_sut_error(error, replied_before=contact.replied)
    assert guard.cancelled_caught
    return stop.at_once or Stop(reason=StopReason.INTERRUPTED)


@asynccontextmanager
async def closing(session: SutSession, job: RunJob, planned: PlannedConversation) -> AsyncIterator[None]:
    """Close the session whatever happens, shielded and in bounded time; what goes wrong in closing is logged."""
    try:
        yield
    finally:
        with anyio.move_on_after(job.close_timeout_s, shield=True) as scope:
            try:
                await session.close()
            except (Exception, SystemExit) as error:  # noqa: BLE001 - the conversation is over; closing must not undo it
                job.logger.warning("session_close_failed", conversation=planned.id, error=describe_error(error))
        if scope.cancelled_caught:
            job.logger.warning("session_close_timed_out", conversation=planned.id, after_s=job.close_timeout_s)


async def _tell(
    job: RunJob, live: SutSession, standing: Sequence[Exchange], contact: SutContact, stop: StopToken
) -> tuple[str, ...] | Stop:
    """Say to an assistant that takes no history what the user said before; return what to note of that."""
    n_same = 0
    for exchange in standing:
        with stop.guard() as guard:
            reply = await call_sut(
                live, exchange.user, timeout_s=job.scenario.turn_timeout_s, replied_before=contact.replied
            )
        if guard.cancelled_caught:
            return stop.at_once or Stop(reason=StopReason.INTERRUPTED)
        if isinstance(reply, Stop):
            return reply
        contact.replied = True
        n_same += reply.text == exchange.assistant
    return (
        f"the assistant takes no history: before turn {len(standing)} the user's earlier turns were said to it again,"
        f" and {n_same} of its {len(standing)} replies were those that stand here",
    )


def _start_of(planned: PlannedConversation, standing: Sequence[Exchange]) -> SessionStart:
    handed_over = planned.replay.history if planned.replay is not None else ()
    replayed = tuple(
        Exchange(t=t, user=turn.user, assistant=turn.assistant, source=UtteranceSource.REPLAYED)
        for t, turn in enumerate(handed_over)
    )
    return SessionStart(
        conversation_id=planned.id,
        context=planned.context,
        rng_seed=planned.rng_seed,
        history=(*replayed, *standing),
    )
