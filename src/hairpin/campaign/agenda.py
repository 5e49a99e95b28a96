"""What the workers of a plan do next: follow-ups first, then asides, then what was put off, then the plan.

It must not run anything, and only hands out what may begin at once.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hairpin.campaign.asides import WaitingAsides
from hairpin.campaign.changes import Changes
from hairpin.campaign.conduct import Conduct
from hairpin.campaign.events import ConversationEnd
from hairpin.campaign.families import Asked, Families
from hairpin.domain.plan import PlannedConversation


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A conversation that may begin; ``asked``: it is a follow-up, and a family waits for it."""

    planned: PlannedConversation
    asked: Asked | None = None

    def met(self, end: ConversationEnd | None) -> None:
        """Say how it ended to whoever waits for it; ``None``: it was interrupted."""
        if self.asked is not None:
            self.asked.met(end)


class Agenda:
    """The conversations of a plan, their follow-ups and asides, each handed out once.

    An assistant that is left alone for a while holds up the others' conversations no more than one that has no session
    free: those of the plan are put off or waited for. One that is broken is asked nothing more.
    """

    def __init__(
        self,
        run: Conduct,
        plan: Iterable[PlannedConversation],
        families: Families,
        changes: Changes,
        *,
        asides: Iterable[PlannedConversation] = (),
    ) -> None:
        self._run = run
        self._plan = iter(plan)
        self._families = families
        self._changes = changes
        self._asides = WaitingAsides(asides)
        self._sessions: Mapping[str, int | None] = {
            label: adapter.capabilities.max_sessions for label, adapter in run.job.adapters.items()
        }
        self._running: Counter[str] = Counter()
        self._n_awaited = 0
        self._put_off: deque[PlannedConversation] = deque()
        self._ahead: PlannedConversation | None = None

    async def next(self) -> Task | None:
        """Wait for what may begin and take it; ``None``: nothing is left, or the run ends."""
        while self._run.job.stop.reason is None:
            self._give_up()
            task = self._due()
            if task is not None:
                self._running[task.planned.sut] += task.planned.asks_assistant
                self._n_awaited += self._may_be_followed(task.planned)
                return task
            if self._is_done():
                return None
            await self._changes.wait(at_most_s=self._run.gates.wait_s())
        return None

    def ended(self, planned: PlannedConversation, end: ConversationEnd | None) -> None:
        """Take up what follows a conversation that ended, beside its family."""
        if end is not None:
            self._asides.add(self._run.job.asides.following(planned, end.outcome))

    def done(self, task: Task, *, again: bool) -> None:
        """Note that a conversation has ended or is not run; or, if so, that it is to be handed out ``again``."""
        self._running[task.planned.sut] -= task.planned.asks_assistant
        self._n_awaited -= self._may_be_followed(task.planned)
        if again and task.planned.is_aside:
            self._asides.put_back(task.planned)
        elif again and task.asked is None:
            self._put_off.appendleft(task.planned)
        elif task.asked is not None:
            self._families.give_back(task.asked, again=again)
        self._changes.notice()

    def _due(self) -> Task | None:
        asked = self._families.take(self._may_begin)
        if asked is not None:
            return Task(asked.planned, asked)
        aside = self._asides.take(self._may_begin)
        if aside is not None:
            return Task(aside)
        if not self._families.has_room:
            return None
        planned = next((planned for planned in self._put_off if self._may_begin(planned)), None)
        if planned is None:
            return self._from_plan()
        self._put_off.remove(planned)
        return Task(planned)

    def _from_plan(self) -> Task | None:
        """Take what comes next in the plan; what belongs to an assistant in a pause is put off if others can go on."""
        gates = self._run.gates
        while (planned := self._look_ahead()) is not None:
            if self._may_begin(planned):
                self._ahead = None
                return Task(planned)
            if gates[planned.sut].is_open() or not gates.any_open:
                return None
            self._put_off.append(planned)
            self._ahead = None
        return None

    def _look_ahead(self) -> PlannedConversation | None:
        if self._ahead is None:
            self._ahead = next(self._plan, None)
        return self._ahead

    def _may_be_followed(self, planned: PlannedConversation) -> bool:
        """Whether a conversation that runs may be followed by others once it has ended."""
        return self._families.is_source(planned) or (planned.for_itself and self._run.job.asides.any)

    def _may_begin(self, planned: PlannedConversation) -> bool:
        if not planned.asks_assistant:
            return True
        limit = self._sessions[planned.sut]
        free = limit is None or self._running[planned.sut] < limit
        return free and self._run.gates[planned.sut].is_open()

    def _give_up(self) -> None:
        """Drop what an assistant that is broken was to be asked."""
        broken = self._run.gates.broken
        if broken:
            self._families.refuse(lambda planned: planned.sut in broken, "its assistant is broken")
            self._asides.refuse(lambda planned: planned.asks_assistant and planned.sut in broken)
            self._put_off = deque(planned for planned in self._put_off if planned.sut not in broken)
            while (planned := self._look_ahead()) is not None and planned.sut in broken:
                self._ahead = None

    def _is_done(self) -> bool:
        if self._put_off or not self._families.idle or not self._asides.idle or self._n_awaited:
            return False
        return self._look_ahead() is None
