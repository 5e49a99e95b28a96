"""What belongs to a run as a whole: why it ends early, and its heartbeat.

It must not know in which order conversations run.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Final

import anyio

from hairpin.campaign.events import ConversationEnd
from hairpin.campaign.job import RunJob
from hairpin.campaign.sut_gates import SutGate, SutGates
from hairpin.campaign.sut_health import BreakerRules
from hairpin.domain.outcome import StopReason
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import RunStatus
from hairpin.errors import HairpinError, StoreError, SutError
from hairpin.graph.family_state import FamilyEnd

BEATS_PER_LEASE: Final = 6
"""Leases are renewed so often that a few renewals may be late."""


@dataclass(slots=True)
class RunEnd:
    """How a run ended. ``error``: what stopped it, for the caller to raise or report; ``notes``: what else to tell."""

    status: RunStatus = RunStatus.FINISHED
    detail: str = ""
    error: HairpinError | None = None
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Conduct:
    """A run under way.

    ``incomplete``: the families of which something is left to be done; ``untold``: those with contexts of which a role
    that failed says nothing.
    """

    job: RunJob
    gates: SutGates
    end: RunEnd = field(default_factory=RunEnd)
    incomplete: list[FamilyEnd] = field(default_factory=list)
    untold: list[FamilyEnd] = field(default_factory=list)

    def stop(self, detail: str, error: HairpinError | None = None) -> None:
        """End the run early; the first cause is kept."""
        if self.end.status is RunStatus.FINISHED:
            self.end = RunEnd(status=RunStatus.STOPPED, detail=detail, error=error)
        self.job.stop.set(StopReason.INTERRUPTED)

    def met(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        """Look at how a conversation ended for what concerns the whole run."""
        if end is not None and end.outcome.stop.reason is StopReason.SUT_UNREACHABLE:
            self.stop(f"the assistant {planned.sut!r} cannot be reached: {end.outcome.stop.detail}")
        if self.gates.all_broken:
            self.stop(*self._broken())

    def closing(self) -> RunEnd:
        """Return how the run ended, now that nothing runs any more."""
        return replace(self._closing(), notes=(*notes_of(self.incomplete), *untold_notes(self.untold)))

    def _closing(self) -> RunEnd:
        if self.end.status is not RunStatus.FINISHED:
            return self.end
        if self.job.stop.interrupted:
            return RunEnd(status=RunStatus.INTERRUPTED)
        if self.gates.errors:
            detail, error = self._broken()
            return RunEnd(status=RunStatus.STOPPED, detail=detail, error=error)
        return self.end

    def _broken(self) -> tuple[str, SutError]:
        error = SutError("; ".join(str(error) for error in self.gates.errors))
        return str(error), error


def notes_of(incomplete: Sequence[FamilyEnd]) -> Iterator[str]:
    """Say in words of how many families something is left to be done, and why."""
    broken = [end for end in incomplete if end.problems]
    if broken:
        first = f"{broken[0].source}: {broken[0].problems[0]}"
        yield f"{_families(len(broken))} could not be completed; the first: {first}"
    if cut := len(incomplete) - len(broken):
        yield f"{_families(cut)} could not be completed: not every follow-up was run and every context checked"


def untold_notes(families: Sequence[FamilyEnd]) -> Iterator[str]:
    """Say in words of how many contexts nobody could say whether they are equivalent, and why."""
    number = sum(end.untold for end in families)
    if number:
        contexts = "1 context" if number == 1 else f"{number} contexts"
        yield (
            f"nobody could say of {contexts} whether they are equivalent, so relations there were not checked; the "
            f"first: {families[0].source}: {families[0].untold_why}"
        )


def _families(number: int) -> str:
    return "the follow-ups of 1 conversation" if number == 1 else f"the follow-ups of {number} conversations"


def conduct_of(job: RunJob, rules: BreakerRules) -> Conduct:
    """Return the conduct of a run that begins."""
    gates = (
        (label, SutGate(label, rules, clock=job.clock, stop=job.stop, logger=job.logger)) for label in job.adapters
    )
    return Conduct(job, gates=SutGates(gates))


@asynccontextmanager
async def admitted(job: RunJob, planned: PlannedConversation) -> AsyncIterator[bool]:
    """Wait until a conversation may begin; ``False``: there is no money for it, or the run ends."""
    async with AsyncExitStack() as stack:
        allowed = False
        if job.stop.reason is None:
            with job.stop.guard():
                allowed = await stack.enter_async_context(job.admission(planned))
        yield allowed and job.stop.reason is None


async def _nothing() -> None:
    return


@asynccontextmanager
async def beating(job: RunJob, tick: Callable[[], Awaitable[None]] = _nothing) -> AsyncIterator[None]:
    """For the time of the block renew the leases of open attempts, look for what is stuck, and ``tick``.

    A store that cannot be written for a while, locked by another process, does not end the run here: what was not
    renewed is renewed at the next beat, and whoever stores a result meets the error himself.
    """
    async with anyio.create_task_group() as group:
        group.start_soon(_beat, job, tick)
        yield
        group.cancel_scope.cancel()


async def _beat(job: RunJob, tick: Callable[[], Awaitable[None]]) -> None:
    renewed_s = job.clock.monotonic()
    while True:
        await anyio.sleep(job.beat_s)
        now_s = job.clock.monotonic()
        job.watchdog.look(now_s)
        try:
            await tick()
            if now_s - renewed_s >= job.lease_s / BEATS_PER_LEASE:
                renewed_s = now_s
                await job.store.renew_leases(tuple(job.holding), lease_s=job.lease_s)
        except StoreError as error:
            job.logger.warning("heartbeat_not_stored", error=str(error))
