"""What a run works with, as one frozen bundle.

Building it is the composition root's work; the runner only uses it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field

from structlog.typing import FilteringBoundLogger

from hairpin.campaign.asides import Asides
from hairpin.campaign.events import RunListener, SilentListener
from hairpin.campaign.replaying import Replaying
from hairpin.campaign.watchdog import Watchdog
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.recording import Recording
from hairpin.domain.scenario import Scenario
from hairpin.graph.speakers import UserTurns
from hairpin.graph.stopping import StopToken
from hairpin.ports import Check, Clock, Roles, RunStore, SutAdapter


@asynccontextmanager
async def _always(_: PlannedConversation) -> AsyncIterator[bool]:
    yield True


def _ignore(_: float) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class RunJob:
    """A scenario, the assistants it runs against (by label), and everything a conversation needs.

    Attributes:
        admission: waits until there is money for another conversation, says whether there is, and keeps what judging it
            takes back for the time of the block.
        holding: the open attempts, whose leases are renewed.
        watchdog: ends what is stuck.
        call_timeout_s: the longest that one call may take.
        move_deadline: told, on the clock, until when a call may be waited for.
        models: what models use and how their endpoints fare, in words.
        tracing: the user asked for LangSmith traces.
        clean: takes credentials out of what an assistant or a check raised before it is stored or told.
        recordings: by their ids, the conversations that are said again.
        replaying: what follow-ups of conversations are made with; ``None``: there are none.
        asides: which trials and canaries follow conversations, and what canaries say.
    """

    scenario: Scenario
    adapters: Mapping[str, SutAdapter]
    roles: Roles
    store: RunStore
    clock: Clock
    new_id: Callable[[], str]
    logger: FilteringBoundLogger
    watchdog: Watchdog
    checks: tuple[Check, ...] = ()
    turn_checks: tuple[tuple[Check, ...], ...] = ()
    stop: StopToken = field(default_factory=StopToken)
    listener: RunListener = field(default_factory=SilentListener)
    concurrency: int = 4
    close_timeout_s: float = 10.0
    lease_s: float = 60.0
    beat_s: float = 1.0
    admission: Callable[[PlannedConversation], AbstractAsyncContextManager[bool]] = _always
    call_timeout_s: float = 60.0
    move_deadline: Callable[[float], None] = _ignore
    models: Callable[[], tuple[str, ...]] = tuple
    holding: set[str] = field(default_factory=set)
    tracing: bool = False
    clean: Callable[[str], str] = str
    recordings: Mapping[str, Recording] = field(default_factory=dict)
    replaying: Replaying | None = None
    asides: Asides = field(default_factory=Asides)

    def user_turns(self, planned: PlannedConversation) -> UserTurns:
        """Return who writes the user's turns of a conversation."""
        if planned.replay is not None:
            return UserTurns(replayed=planned.replay.texts, simulated=False)
        if planned.recording is not None:
            recording = self.recordings[planned.recording]
            said = tuple(exchange.user for exchange in recording.exchanges)
            return UserTurns(replayed=said, simulated=False, notes=recording.notes)
        return UserTurns(scripted=tuple(turn.user for turn in self.scenario.script), simulated=not self.scenario.script)

    def recorded_latencies_ms(self, planned: PlannedConversation) -> tuple[float, ...]:
        """Return how long the recorded replies of a conversation took."""
        recording = None if planned.recording is None else self.recordings[planned.recording]
        return () if recording is None else tuple(exchange.latency_ms for exchange in recording.exchanges)
