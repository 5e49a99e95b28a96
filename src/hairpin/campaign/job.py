"""What a run works with, as one frozen bundle.

Building it is the composition root's work; the runner only uses it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from structlog.typing import FilteringBoundLogger

from hairpin.campaign.events import RunListener, SilentListener
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.recording import Recording
from hairpin.domain.scenario import Scenario
from hairpin.graph.speakers import UserTurns
from hairpin.graph.stopping import StopToken
from hairpin.ports import Check, Clock, Roles, RunStore, SutAdapter


async def _always(_: PlannedConversation) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class RunJob:
    """A scenario, the assistants it runs against (by label), and everything a conversation needs.

    ``may_start``: whether there is money for another conversation; ``tracing``: the user asked for LangSmith traces;
    ``clean``: takes credentials out of what an assistant or a check raised before it is stored or told;
    ``recordings``: by their ids, the conversations that are said again.
    """

    scenario: Scenario
    adapters: Mapping[str, SutAdapter]
    roles: Roles
    store: RunStore
    clock: Clock
    new_id: Callable[[], str]
    logger: FilteringBoundLogger
    checks: tuple[Check, ...] = ()
    turn_checks: tuple[tuple[Check, ...], ...] = ()
    stop: StopToken = field(default_factory=StopToken)
    listener: RunListener = field(default_factory=SilentListener)
    concurrency: int = 4
    close_timeout_s: float = 10.0
    lease_s: float = 300.0
    may_start: Callable[[PlannedConversation], Awaitable[bool]] = _always
    tracing: bool = False
    clean: Callable[[str], str] = str
    recordings: Mapping[str, Recording] = field(default_factory=dict)

    def user_turns(self, planned: PlannedConversation) -> UserTurns:
        """Return who writes the user's turns of a conversation."""
        if planned.recording is not None:
            recording = self.recordings[planned.recording]
            said = tuple(exchange.user for exchange in recording.exchanges)
            return UserTurns(replayed=said, simulated=False, notes=recording.notes)
        return UserTurns(scripted=tuple(turn.user for turn in self.scenario.script), simulated=not self.scenario.script)

    def recorded_latencies_ms(self, planned: PlannedConversation) -> tuple[float, ...]:
        """Return how long the recorded replies of a conversation took."""
        recording = None if planned.recording is None else self.recordings[planned.recording]
        return () if recording is None else tuple(exchange.latency_ms for exchange in recording.exchanges)
