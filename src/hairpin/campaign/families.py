"""Families under way: their graphs, and the follow-ups that wait for a worker.

It must not run conversations; workers take follow-ups from here and say how they ended.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import cached_property, partial
from typing import Final

import anyio
from anyio.abc import TaskGroup

from hairpin.campaign.changes import Changes
from hairpin.campaign.conduct import Conduct
from hairpin.campaign.events import ConversationEnd
from hairpin.campaign.replaying import Replaying, becomes_source
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.relations import Derivation
from hairpin.errors import EndsRunError, StoreError, UserError
from hairpin.graph.family import FamilyGraph, build_family_graph, run_family
from hairpin.graph.family_state import FamilyDeps, FamilyEnd, FollowUpEnd
from hairpin.graph.stopping import StopToken

PER_WORKER: Final = 2
"""While so many families per worker are open, no new conversation begins: what was begun is ended first."""

OVER: Final = "the run ended before it"


class Asked:
    """A follow-up that a family waits for."""

    def __init__(self, planned: PlannedConversation) -> None:
        self.planned = planned
        self._answered = anyio.Event()
        self._end = FollowUpEnd(conversation=planned.id, why=OVER)

    def met(self, end: ConversationEnd | None) -> None:
        """Say how it ended; ``None``: it was interrupted."""
        if end is not None:
            self._answer(FollowUpEnd(conversation=self.planned.id, stop=end.outcome.stop))
        else:
            self.refuse("interrupted")

    def refuse(self, why: str) -> None:
        """Say that it is not run; nothing happens where it was answered already."""
        self._answer(FollowUpEnd(conversation=self.planned.id, why=why))

    async def end(self) -> FollowUpEnd:
        """Wait for the answer."""
        await self._answered.wait()
        return self._end

    def _answer(self, end: FollowUpEnd) -> None:
        if not self._answered.is_set():
            self._end = end
            self._answered.set()


class Families:
    """The families of one plan or of one cell of a campaign. Without ``job.replaying`` there are none."""

    def __init__(self, conduct: Conduct, changes: Changes, group: TaskGroup) -> None:
        self._conduct = conduct
        self._job = conduct.job
        self._changes = changes
        self._group = group
        self._most = PER_WORKER * conduct.job.concurrency
        self._n_open = 0
        self._deriving: set[str] = set()
        self._waiting: dict[str, Asked] = {}
        self._left: deque[tuple[PlannedConversation, StopToken]] = deque()
        self._closed = False

    @cached_property
    def _graph(self) -> FamilyGraph:
        return build_family_graph()

    @property
    def idle(self) -> bool:
        """Whether no family is under way and none is left to be gone on with."""
        return not self._n_open and not self._left

    @property
    def has_room(self) -> bool:
        """Whether a new conversation may begin, which may become a source.

        Where follow-ups are made without a model they are there in a moment: worth waiting for, since they go first.
        """
        replaying = self._job.replaying
        awaited = bool(self._deriving) and replaying is not None and replaying.writer is None
        return self._n_open < self._most and not self._left and not awaited

    def is_source(self, planned: PlannedConversation) -> bool:
        """Whether a conversation that runs may become a source once it has ended."""
        return self._job.replaying is not None and planned.for_itself

    def go_on_with(self, sources: Iterable[tuple[PlannedConversation, StopToken]]) -> None:
        """Take up families that were left open, a few at a time."""
        self._left.extend(sources)
        self._fill()

    def ended(self, planned: PlannedConversation, end: ConversationEnd | None, stop: StopToken) -> None:
        """Begin the family of a conversation that ended, if it is a source; ``stop``: what ends it."""
        if end is None or not self.is_source(planned):
            return
        if becomes_source(planned, end.outcome.stop, n_exchanges=len(end.utterances)):
            self._begin(planned, stop)

    def take(self, may_begin: Callable[[PlannedConversation], bool]) -> Asked | None:
        """Take the follow-up that has waited longest of those that may begin now."""
        asked = next((asked for asked in self._waiting.values() if may_begin(asked.planned)), None)
        return None if asked is None else self._waiting.pop(asked.planned.id)

    def give_back(self, asked: Asked, *, again: bool) -> None:
        """Take back a follow-up that a worker is done with: if so, it waits ``again`` and goes first."""
        if again:
            self._waiting = {asked.planned.id: asked, **self._waiting}
        else:
            asked.refuse("it could not begin")

    def refuse(self, which: Callable[[PlannedConversation], bool], why: str) -> None:
        """Say of waiting follow-ups that they are not run."""
        for asked in [asked for asked in self._waiting.values() if which(asked.planned)]:
            del self._waiting[asked.planned.id]
            asked.refuse(why)

    def close(self) -> None:
        """Say of all waiting follow-ups, and of those still to come, that they are not run."""
        self._closed = True
        self._left.clear()
        self.refuse(lambda _: True, OVER)

    async def ask(self, planned: PlannedConversation) -> FollowUpEnd:
        """Have a follow-up run; return once it has ended or is not run."""
        asked = Asked(planned)
        if self._closed:
            asked.refuse(OVER)
            return await asked.end()
        self._waiting[planned.id] = asked
        if planned.replay is not None:
            self._deriving.discard(planned.replay.source or "")
        self._changes.notice()
        try:
            return await asked.end()
        finally:
            self._waiting.pop(planned.id, None)

    def _fill(self) -> None:
        while self._left and self._n_open < self._most:
            self._begin(*self._left.popleft())

    def _begin(self, planned: PlannedConversation, stop: StopToken) -> None:
        replaying = self._job.replaying
        assert replaying is not None
        self._n_open += 1
        self._deriving.add(planned.id)
        self._group.start_soon(self._drive, planned, self._deps(planned, stop, replaying))

    def _deps(self, planned: PlannedConversation, stop: StopToken, replaying: Replaying) -> FamilyDeps:
        job = self._job
        accepts_history = job.adapters[planned.sut].capabilities.accepts_history
        return FamilyDeps(
            source=planned.id,
            store=job.store,
            derive=partial(replaying.derive, accepts_history=accepts_history),
            ask=self.ask,
            checker=replaying.checker,
            relate=replaying.relate,
            stop=stop,
            run_stop=job.stop,
            context=replaying.spec.context,
            language=replaying.language,
            asks_models=replaying.writer is not None,
            derived=self._derived,
        )

    def _derived(self, derivation: Derivation, n_left: int) -> None:
        if not n_left:
            self._deriving.discard(derivation.source)
            self._changes.notice()
        self._job.listener.family_started(derivation.source, n_follow_ups=len(derivation.follow_ups), n_left=n_left)

    async def _drive(self, planned: PlannedConversation, deps: FamilyDeps) -> None:
        end = FamilyEnd(source=planned.id)
        try:
            end = await run_family(self._graph, deps, tracing=self._job.tracing)
        except (StoreError, UserError, EndsRunError) as error:
            self._conduct.stop(str(error), error)
        self._n_open -= 1
        self._deriving.discard(planned.id)
        self._tell(end)
        self._fill()
        self._changes.notice()

    def _tell(self, end: FamilyEnd) -> None:
        job = self._job
        problems = tuple(job.clean(problem) for problem in end.problems)
        end = end.model_copy(update={"problems": problems, "untold_why": job.clean(end.untold_why)})
        if end.untold:
            job.logger.warning("contexts_untold", source=end.source, number=end.untold, first=end.untold_why)
            self._conduct.untold.append(end)
        if not end.complete and not job.stop.interrupted:
            told = {"follow_ups": end.n_follow_ups, "ended": end.n_ended, "problems": list(end.problems)}
            job.logger.warning("family_incomplete", source=end.source, **told)
            if not end.only_untold:  # those are told by themselves
                self._conduct.incomplete.append(end)
        job.listener.family_ended(end)


@asynccontextmanager
async def families_of(conduct: Conduct, changes: Changes) -> AsyncIterator[Families]:
    """Drive families beside the block; after it no follow-up begins, and what is there is folded before it returns."""
    async with anyio.create_task_group() as group:
        families = Families(conduct, changes, group)
        yield families
        families.close()
