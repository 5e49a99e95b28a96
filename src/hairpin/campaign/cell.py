"""One cell of a campaign: its arms side by side, against one assistant, until time or numbers run out.

It must not know how conversations are planned or what a run stores beside them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import anyio

from hairpin.campaign.active_time import ActiveTime
from hairpin.campaign.asides import WaitingAsides
from hairpin.campaign.changes import Changes
from hairpin.campaign.choice import ArmStanding, choose_arm
from hairpin.campaign.conduct import Conduct, admitted
from hairpin.campaign.confirmed import confirmed_in
from hairpin.campaign.conversation import Terms, Worker
from hairpin.campaign.events import ArmStatus, ConversationEnd
from hairpin.campaign.families import Asked, Families, families_of
from hairpin.campaign.job import RunJob
from hairpin.campaign.pace import Pace
from hairpin.campaign.retrying import Retries
from hairpin.campaign.sut_gates import SutGate
from hairpin.domain.arm import Arm
from hairpin.domain.campaign import CampaignSpec, Split
from hairpin.domain.facts import Signature
from hairpin.domain.learned_plan import Taught
from hairpin.domain.outcome import StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import Activity
from hairpin.errors import EndsRunError, StoreError, UserError
from hairpin.graph.stopping import StopToken


@dataclass(slots=True)
class CellArm:
    """An arm of a cell.

    Attributes:
        source: its conversations, endless.
        stop: ends its conversations.
        unfinished: of the first conversations of ``source``, how many were begun by a process that is gone.
        conversations_left: how many may still begin; ``None`` is no limit.
        distinct: the signatures found so far.
        taught: what the learned arm knows; ``source`` reads it whenever it plans the next conversation.
        pace: what its conversations take; ``replay_pace``: what their follow-ups take; ``aside_pace``: what trials and
            canaries take.
        cut_at_s: when what still runs is cut short, once it was asked to end.
    """

    source: Iterator[PlannedConversation]
    stop: StopToken
    started: int = 0
    unfinished: int = 0
    conversations_left: int | None = None
    distinct: set[Signature] = field(default_factory=set)
    taught: Taught | None = None
    pace: Pace = field(default_factory=Pace)
    replay_pace: Pace = field(default_factory=Pace)
    aside_pace: Pace = field(default_factory=Pace)
    cut_at_s: float | None = None
    _back: list[PlannedConversation] = field(default_factory=list)

    def take(self) -> PlannedConversation:
        """Take the next conversation."""
        self.started += 1
        self.unfinished = max(0, self.unfinished - 1)
        if self.conversations_left is not None:
            self.conversations_left -= 1
        return self._back.pop() if self._back else next(self.source)

    def put_back(self, planned: PlannedConversation, *, unfinished: bool) -> None:
        """Take a conversation back that did not begin."""
        self.started -= 1
        self.unfinished += unfinished
        if self.conversations_left is not None:
            self.conversations_left += 1
        self._back.append(planned)


class Cell:
    """Run number ``run`` against the assistant ``sut``."""

    def __init__(
        self,
        job: RunJob,
        spec: CampaignSpec,
        *,
        run: int,
        sut: str,
        arms: Mapping[Arm, CellArm],
        time: ActiveTime,
        left: Sequence[PlannedConversation] = (),
        asides: Sequence[PlannedConversation] = (),
    ) -> None:
        """Take over its arms; ``left``: sources whose follow-ups are gone on with first; ``asides``: those missing."""
        self._job = job
        self._spec = spec
        self.run = run
        self.sut = sut
        self._arms = dict(arms)
        self._time = time
        self._left = left
        self._asides = WaitingAsides(asides)
        self._changed = anyio.Event()
        self._changes = Changes(job.stop)

    def activity(self) -> tuple[Activity, ...]:
        """Return the active time that its arms have used."""
        now_s = self._job.clock.monotonic()
        return tuple(
            Activity(run=self.run, sut=self.sut, arm=arm, active_s=self._time.used_s(arm, now_s)) for arm in self._arms
        )

    def status(self) -> Mapping[Arm, ArmStatus]:
        """Return how its arms stand."""
        now_s = self._job.clock.monotonic()
        return {arm: self._status(arm, now_s) for arm in self._arms}

    async def play(self, workers: tuple[Worker, ...], gate: SutGate, conduct: Conduct) -> None:
        """Run conversations until none may begin any more and all have ended."""
        async with anyio.create_task_group() as around:
            around.start_soon(self._keep_time)
            async with families_of(conduct, self._changes) as families:
                families.go_on_with((planned, self._arms[planned.arm].stop) for planned in self._left)
                async with anyio.create_task_group() as inside:
                    for worker in workers:
                        inside.start_soon(self._serve, worker, gate, conduct, families)
            around.cancel_scope.cancel()

    async def _serve(self, worker: Worker, gate: SutGate, conduct: Conduct, families: Families) -> None:
        try:
            await self._work(worker, gate, conduct, families)
        except (StoreError, UserError, EndsRunError) as error:
            conduct.stop(str(error), error)

    async def _work(self, worker: Worker, gate: SutGate, conduct: Conduct, families: Families) -> None:
        while await gate.wait(unless=self._is_over):
            families.refuse(lambda planned: not self._may_follow(planned), "no time is left for it")
            if (asked := families.take(lambda _: True)) is not None:
                await self._follow(worker, asked, gate, conduct, families)
                continue
            self._asides.refuse(lambda planned: not self._may_follow(planned))
            if (aside := self._asides.take(lambda _: True)) is not None:
                await self._try(worker, aside, gate, conduct)
                continue
            arm = self._choose() if families.has_room else None
            if arm is None:
                if families.idle and not self._expects_more():
                    return
                await self._changes.wait()
                continue
            unfinished = self._arms[arm].unfinished > 0
            planned = self._arms[arm].take()
            async with admitted(self._job, planned) as allowed:
                if not allowed:
                    self._arms[arm].put_back(planned, unfinished=unfinished)
                    return
                if not gate.is_open() or not (unfinished or self._standing(arm).in_time):
                    self._arms[arm].put_back(planned, unfinished=unfinished)
                    continue
                end = await self._converse(worker, arm, planned, gate)
                conduct.met(planned, end)
                families.ended(planned, end, self._arms[arm].stop)
                if end is not None:
                    self._asides.add(self._job.asides.following(planned, end.outcome))
                self._changes.notice()

    async def _follow(self, worker: Worker, asked: Asked, gate: SutGate, conduct: Conduct, families: Families) -> None:
        """Run a follow-up in the time of its source's arm, if it can still begin."""
        planned, again = asked.planned, False
        try:
            async with admitted(self._job, planned) as allowed:
                again = allowed and not gate.is_open()
                if allowed and not again and self._may_follow(planned):
                    end = await self._converse(worker, planned.arm, planned, gate)
                    asked.met(end)
                    conduct.met(planned, end)
        finally:
            families.give_back(asked, again=again)
            self._changes.notice()

    async def _try(self, worker: Worker, aside: PlannedConversation, gate: SutGate, conduct: Conduct) -> None:
        """Run a trial or a canary in the time of the arm of what it follows, if it can still begin."""
        again = False
        try:
            async with admitted(self._job, aside) as allowed:
                again = allowed and aside.asks_assistant and not gate.is_open()
                if allowed and not again and self._may_follow(aside):
                    conduct.met(aside, await self._converse(worker, aside.arm, aside, gate))
        finally:
            if again:
                self._asides.put_back(aside)
            self._changes.notice()

    def _may_follow(self, planned: PlannedConversation) -> bool:
        """Whether a follow-up or an aside that begins now can end in the time of its arm."""
        its, left_s = self._arms[planned.arm], self._time.left_s(planned.arm, self._job.clock.monotonic())
        # Until one has ended it is expected to take what its source took.
        pace = its.aside_pace if planned.is_aside else its.replay_pace
        return its.stop.reason is None and left_s > 0 and left_s >= (pace.conversation_s or its.pace.conversation_s)

    def _expects_more(self) -> bool:
        """Whether a conversation runs that others may follow."""
        followed = self._job.replaying is not None or self._job.asides.any
        return followed and any(self._time.running(arm) for arm in self._arms)

    async def _converse(
        self, worker: Worker, arm: Arm, planned: PlannedConversation, gate: SutGate
    ) -> ConversationEnd | None:
        clock, its = self._job.clock, self._arms[arm]
        end: ConversationEnd | None = None
        probe = gate.begin() if planned.asks_assistant else False
        self._time.begin(arm, clock.monotonic())
        self._notice()
        retries = Retries(self._spec.retries, self._job.scenario, in_time=lambda: self._standing(arm).in_time)
        try:
            terms = Terms(
                stop=its.stop,
                may_retry=retries.allow,
                active_s=lambda: self._time.used_s(arm, clock.monotonic()),
            )
            end = await worker.run(planned, terms)
        finally:
            if planned.asks_assistant:
                gate.end(end.outcome.stop if end is not None else None, probe=probe)
            self._time.end(arm, clock.monotonic())
            self._notice()
        if end is not None:
            self._learn(its, planned, end)
        return end

    def _learn(self, its: CellArm, planned: PlannedConversation, end: ConversationEnd) -> None:
        if end.outcome.stop.rule.judged and end.outcome.stop.rule.verdict is None:
            pace = its.pace if planned.for_itself else its.aside_pace if planned.is_aside else its.replay_pace
            pace.learn(elapsed_s=end.outcome.elapsed_s, judging_s=end.judging_s)
        if planned.for_itself and end.outcome.judgement.verdict in (Verdict.PASS, Verdict.FAIL):
            its.distinct |= end.signatures
        if its.taught is not None and planned.for_itself:
            its.taught.learn(end.lesson(planned))
        if its.taught is not None and planned.trial is not None:
            its.taught.confirm(planned.trial.source, confirmed_in(self._job, planned.trial.source))
        if end.outcome.stop.reason is StopReason.DEADLINE and its.stop.reason is None:
            # A model cannot be asked in time any more: the next conversation would meet the same.
            its.stop.set(StopReason.DEADLINE)

    def _choose(self) -> Arm | None:
        if self._is_over():
            return None
        return choose_arm([self._standing(arm) for arm in self._arms], self._spec.split)

    def _standing(self, arm: Arm) -> ArmStanding:
        its, now_s, most = self._arms[arm], self._job.clock.monotonic(), self._spec.max_distinct_failures
        over = its.stop.reason is not None
        return ArmStanding(
            arm=arm,
            started=its.started,
            running=self._time.running(arm),
            used_s=self._time.used_s(arm, now_s),
            left_s=0.0 if over else self._time.left_s(arm, now_s),
            needed_s=its.pace.conversation_s,
            unfinished=its.unfinished,
            conversations_left=its.conversations_left,
            distinct_left=None if most is None else max(0, most - len(its.distinct)),
        )

    def _status(self, arm: Arm, now_s: float) -> ArmStatus:
        its, left_s = self._arms[arm], self._time.left_s(arm, now_s)
        if self._spec.split is Split.COUNT:
            left_s /= len(self._arms)
        return ArmStatus(
            used_s=self._time.used_s(arm, now_s),
            left_s=None if math.isinf(left_s) else left_s,
            started=its.started,
            conversations_left=its.conversations_left,
            running=self._time.running(arm),
            distinct=len(its.distinct),
        )

    def _is_over(self) -> bool:
        return all(its.stop.reason is not None and not its.unfinished for its in self._arms.values())

    def _notice(self) -> None:
        """Let the time keeper look again: shares have changed."""
        self._changed.set()
        self._changed = anyio.Event()

    async def _keep_time(self) -> None:
        """End speaking when only judging still fits, and what runs one call later than that."""
        while True:
            now_s = self._job.clock.monotonic()
            pause_s = min(self._look_at(arm, now_s) for arm in self._arms)
            self._job.move_deadline(now_s + self._longest_s(now_s))
            changed = self._changed
            with anyio.move_on_after(pause_s):
                await changed.wait()

    def _look_at(self, arm: Arm, now_s: float) -> float:
        """End what must end of an arm; return in how many seconds to look again."""
        its = self._arms[arm]
        if its.cut_at_s is not None:
            if now_s < its.cut_at_s:
                return its.cut_at_s - now_s
            if its.stop.at_once is None:
                its.stop.set(StopReason.DEADLINE, detail="cut short: judging took too long", at_once=True)
            return math.inf
        if math.isinf(self._time.left_s(arm, now_s)):
            return math.inf
        until_s = self._time.until_s(arm, its.pace.judging_s, now_s)
        if until_s > 0:
            return until_s
        its.stop.set(StopReason.DEADLINE)
        self._time.close(arm, now_s)
        its.cut_at_s = now_s + its.pace.judging_s + self._job.call_timeout_s
        return its.cut_at_s - now_s

    def _longest_s(self, now_s: float) -> float:
        """Return for how long at most a call may still be waited for."""
        left_s = [self._time.left_s(arm, now_s) for arm in self._arms]
        return (left_s[0] if self._spec.split is Split.COUNT else sum(left_s)) + self._job.call_timeout_s
