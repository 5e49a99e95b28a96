"""Runs a campaign: its cells one after another, each with its arms side by side; and goes on where it was stopped.

It must not know how a cell spends its time; ``campaign.cell`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

import anyio

from hairpin.campaign.active_time import ActiveTime
from hairpin.campaign.cell import Cell, CellArm
from hairpin.campaign.conduct import Conduct, RunEnd, beating, conduct_of
from hairpin.campaign.confirmed import confirmed_in
from hairpin.campaign.conversation import Worker
from hairpin.campaign.events import CampaignStatus
from hairpin.campaign.job import RunJob
from hairpin.campaign.pace import Pace
from hairpin.campaign.replaying import open_sources
from hairpin.campaign.sut_health import BreakerRules
from hairpin.domain.arm import Arm
from hairpin.domain.campaign import CampaignSpec, Split
from hairpin.domain.learned_plan import Taught, plan_learned
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import RunProgress
from hairpin.domain.sampling import arm_time_s, place_of, plan_arm, share_out
from hairpin.errors import StoreError
from hairpin.graph.machine import Machine, build_machine
from hairpin.graph.state import SutContact

_BREAKER_RULES = BreakerRules()

ACTIVITY_EVERY_S: Final = 5.0
"""A process that is killed loses the active time since it was last stored."""


@dataclass(frozen=True, slots=True)
class CellKey:
    """Which cell: its number, the repetition and the assistant, with the assistant's number."""

    number: int
    run: int
    sut: str
    sut_number: int


async def run_campaign(
    job: RunJob,
    spec: CampaignSpec,
    done: RunProgress,
    *,
    asides: Iterable[PlannedConversation] = (),
    breaker: BreakerRules = _BREAKER_RULES,
) -> RunEnd:
    """Run a campaign to the end of its budgets and return how it ended.

    Args:
        job: what conversations work with; its assistants are those of the campaign, in order.
        spec: arms, runs and budgets.
        done: what a process before this one has done of it.
        asides: trials and canaries that are missing of it.
        breaker: when an assistant that errs is left alone.

    Repetition after repetition, and in each assistant after assistant; arms run side by side. Sessions are closed and
    attempts without an outcome are aborted before this returns, also when it is cancelled.
    """
    return await _Study(job, spec, done, tuple(asides), conduct_of(job, breaker), build_machine()).play()


def cells_of(spec: CampaignSpec, suts: tuple[str, ...]) -> Iterator[CellKey]:
    """Yield the cells of a campaign in the order in which they run."""
    for run in range(spec.runs):
        for sut_number, sut in enumerate(suts):
            yield CellKey(number=run * len(suts) + sut_number, run=run, sut=sut, sut_number=sut_number)


class _Study:
    def __init__(
        self,
        job: RunJob,
        spec: CampaignSpec,
        done: RunProgress,
        asides: tuple[PlannedConversation, ...],
        conduct: Conduct,
        machine: Machine,
    ) -> None:
        self._job = job
        self._spec = spec
        self._done = done
        self._asides = asides
        self._conduct = conduct
        self._machine = machine
        self._contacts = {label: SutContact() for label in job.adapters}
        self._keys = tuple(cells_of(spec, tuple(job.adapters)))
        replays = job.replaying is not None
        self._open = tuple(open_sources(job.store.conversation, done.open_families)) if replays else ()
        self._cell: Cell | None = None
        self._key = self._keys[0]
        self._stored_s = job.clock.monotonic()

    async def play(self) -> RunEnd:
        async with beating(self._job, self._tick):
            for key in self._keys:
                if self._job.stop.reason is not None:
                    break
                await self._play(key)
        return self._conduct.closing()

    async def _play(self, key: CellKey) -> None:
        gate = self._conduct.gates[key.sut]
        self._key, self._cell = key, self._built(key)
        try:
            await self._cell.play(self._workers(key.sut), gate, self._conduct)
        finally:
            with anyio.CancelScope(shield=True):
                await self._close_activity()

    def _built(self, key: CellKey) -> Cell:
        job, spec = self._job, self._spec
        used_s = {
            arm: next(
                (a.active_s for a in self._done.activity if (a.run, a.sut, a.arm) == (key.run, key.sut, arm)), 0.0
            )
            for arm in spec.arms
        }
        time = ActiveTime(
            used_s, budget_s=arm_time_s(spec), pooled=spec.split is Split.COUNT, now_s=job.clock.monotonic()
        )
        arms = {arm: self._arm(key, number, arm) for number, arm in enumerate(spec.arms)}
        left, asides = (
            [each for each in planned if (each.run, each.sut) == (key.run, key.sut)]
            for planned in (self._open, self._asides)
        )
        return Cell(job, spec, run=key.run, sut=key.sut, arms=arms, time=time, left=left, asides=asides)

    def _arm(self, key: CellKey, arm_number: int, arm: Arm) -> CellArm:
        job, spec, done = self._job, self._spec, self._done
        finished = {index for index in done.finished if place_of(spec, index) == (key.number, arm_number)}
        unfinished = tuple(each for each in done.unfinished if place_of(spec, each.index) == (key.number, arm_number))
        known = finished | {planned.index for planned in unfinished}
        taught = self._taught(key, unfinished) if arm is Arm.LEARNED else None
        shares = share_out(spec)
        left = None if shares is None else max(0, shares[key.number][arm_number] - len(finished))
        pace = Pace()
        for elapsed_s in done.durations.get((key.run, key.sut, arm), ()):
            pace.learn(elapsed_s=elapsed_s)
        return CellArm(
            source=chain(unfinished, self._planned(key, arm, taught, known)),
            stop=job.stop.branch(),
            started=len(finished),
            unfinished=len(unfinished),
            conversations_left=left,
            distinct=set(done.distinct.get((key.run, key.sut, arm), ())),
            taught=taught,
            pace=pace,
        )

    def _planned(self, key: CellKey, arm: Arm, taught: Taught | None, known: set[int]) -> Iterator[PlannedConversation]:
        """Return the conversations of an arm that nobody has begun."""
        scenario, spec = self._job.scenario, self._spec
        if taught is not None:
            return plan_learned(scenario, spec, taught, run=key.run, sut=key.sut, sut_number=key.sut_number)
        stream = plan_arm(scenario, spec, run=key.run, sut=key.sut, sut_number=key.sut_number, arm=arm)
        return (planned for planned in stream if planned.index not in known)

    def _taught(self, key: CellKey, unfinished: Iterable[PlannedConversation]) -> Taught:
        """Return what the learned arm of a cell knows when a process begins: what is in the store's rows."""
        taught = Taught(confirms=self._job.scenario.confirm is not None)
        for lesson in self._done.lessons.get((key.run, key.sut), ()):
            taught.learn(lesson)
            if taught.confirms:
                taught.confirm(lesson.id, confirmed_in(self._job, lesson.id))
        for planned in unfinished:
            taught.plan(planned.index, planned.seed_phrase or "")
        return taught

    def _workers(self, sut: str) -> tuple[Worker, ...]:
        limit = self._job.adapters[sut].capabilities.max_sessions
        number = self._job.concurrency if limit is None else min(limit, self._job.concurrency)
        return tuple(
            Worker(name=f"worker-{n}", job=self._job, machine=self._machine, contacts=self._contacts)
            for n in range(number)
        )

    async def _tick(self) -> None:
        if self._cell is None:
            return
        key = self._key
        status = CampaignStatus(
            cell=key.number,
            n_cells=len(self._keys),
            run=key.run,
            sut=key.sut,
            arms=self._cell.status(),
            models=self._job.models(),
        )
        self._job.listener.ticked(status)
        now_s = self._job.clock.monotonic()
        if now_s - self._stored_s >= ACTIVITY_EVERY_S:
            self._stored_s = now_s
            await self._store_activity()

    async def _close_activity(self) -> None:
        try:
            await self._store_activity()
        except StoreError as error:
            self._conduct.stop(str(error), error)

    async def _store_activity(self) -> None:
        if self._cell is not None:
            await self._job.store.record_activity(self._cell.activity())
