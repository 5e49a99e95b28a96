"""The testbed as an assistant under test, in-process.

What faults did is on the adapter object alone; no reply shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

from pydantic import JsonValue

from hairpin.domain.sut import Capabilities, SessionStart, SutIdentity, SutReply
from hairpin.domain.sut_spec import FaultSpec
from hairpin.errors import AdapterFaultError
from hairpin.ports import SutAdapter, SutSession
from hairpin.testbed.assistant import respond
from hairpin.testbed.faults.base import FaultSession, FaultStrike, StrikeKey
from hairpin.testbed.faults.chain import effective
from hairpin.testbed.faults.notation import fault_label
from hairpin.testbed.faults.registry import check_faults, session_faults
from hairpin.testbed.faults.shared import SharedMemory
from hairpin.testbed.handling.step import Scene
from hairpin.testbed.labels import whole_minutes
from hairpin.testbed.routes import Route
from hairpin.testbed.side_channel import mind_digest, player_shown, reminders_shown, vehicle_shown
from hairpin.testbed.situation import read_situation
from hairpin.testbed.state import DialogueState
from hairpin.testbed.vehicle import Vehicle
from hairpin.testbed.wording import Wording, draw_wording, load_wording
from hairpin.testbed.world import City, load_city


class TestbedAdapter(SutAdapter):
    """The reference in-car assistant.

    Args:
        faults: the seeded faults that are on; none: correct by construction.
        wording: the wording set of every session; ``None``: drawn per session, never the held-out one.
        on_strike: is told of every strike, in place of ``fault_log``; for servers, which have no end.

    Raises:
        UnknownReferenceError: a fault, condition or wording set that does not exist.
        InvalidInputError: a fault given twice.
    """

    __test__ = False
    capabilities = Capabilities(accepts_history=True)

    def __init__(
        self,
        faults: tuple[FaultSpec, ...] = (),
        wording: str | None = None,
        *,
        on_strike: Callable[[FaultStrike], None] | None = None,
    ) -> None:
        check_faults(faults)
        self._specs = tuple(faults)
        self._wording = load_wording(wording) if wording is not None else None
        self._city = load_city()
        self._strikes: list[FaultStrike] = []
        self._on_strike = on_strike or self._strikes.append
        self._shared = SharedMemory()

    @property
    def fault_log(self) -> tuple[FaultStrike, ...]:
        """When each fault struck, in the order in which it happened."""
        return tuple(self._strikes)

    def describe(self) -> SutIdentity:
        """Return the version of the package, with the faults that are on and the wording if it is forced."""
        parts = [fault_label(spec) for spec in sorted(self._specs, key=lambda s: (len(s.id), s.id))]
        parts += [f"wording={self._wording.name}"] if self._wording else []
        return SutIdentity(name="testbed", version="+".join((version("hairpin"), *parts)))

    async def open(self, start: SessionStart) -> SutSession:
        """Open a session. The state after ``start.history`` is rebuilt from its user turns.

        Raises:
            InvalidInputError: the context has a date, time or vehicle entry that cannot be read.
        """
        wording = self._wording or draw_wording(start.rng_seed)
        faults = FaultSession(
            conversation_id=start.conversation_id, rng_seed=start.rng_seed, city=self._city, shared=self._shared
        )
        session = TestbedSession(wording, start, faults, self._specs, self._on_strike)
        for exchange in start.history:
            session.replay(exchange.user)
        return session


class TestbedSession(SutSession):
    """One conversation. Sessions share the map and nothing else."""

    __test__ = False

    def __init__(
        self,
        wording: Wording,
        start: SessionStart,
        faults: FaultSession,
        specs: tuple[FaultSpec, ...],
        on_strike: Callable[[FaultStrike], None],
    ) -> None:
        situation, vehicle = read_situation(start.context, faults.city)
        self._start = vehicle
        self._state = DialogueState(situation=situation, vehicle=vehicle)
        self._wording = wording
        self._fault_session = faults
        self._scene = Scene(city=faults.city, faults=session_faults(specs, faults))
        self._on_strike = on_strike
        self._open = True

    async def send(self, utterance: str) -> SutReply:
        """Return the reply to ``utterance``. Raises AdapterFaultError after ``close``."""
        if not self._open:
            raise AdapterFaultError("the testbed session was used after it was closed; open a new one")
        text, strikes = self._turn(utterance)
        for strike in strikes:
            self._on_strike(strike)
        return SutReply(text=text, state=_side_channel(self._scene.city, self._state, self._start))

    def replay(self, utterance: str) -> None:
        """Take a turn that was taken before: the state follows, nothing is recorded, nothing leaks."""
        self._fault_session.replaying = True
        self._turn(utterance)
        self._fault_session.replaying = False

    async def close(self) -> None:
        """End the session. Raises AdapterFaultError when it is closed already."""
        if not self._open:
            raise AdapterFaultError("the testbed session was closed twice")
        self._open = False

    def _turn(self, utterance: str) -> tuple[str, tuple[FaultStrike, ...]]:
        before, city, faults = self._state, self._scene.city, self._scene.faults
        rehearsal = faults.rehearsal()
        self._state, said = respond(self._scene, before, utterance)

        def same_with(allowed: frozenset[StrikeKey]) -> bool:
            return respond(Scene(city, rehearsal.rehearsal(allowed)), before, utterance) == (self._state, said)

        strikes = effective(faults.take_strikes(), same_with)
        if strikes:
            _, right = respond(Scene(city, rehearsal.rehearsal(frozenset())), before, utterance)
            strikes = tuple(strike.model_copy(update={"visible": said != right}) for strike in strikes)
        faults.end(self._state)
        return self._wording.say(said), strikes


def _side_channel(city: City, state: DialogueState, start: Vehicle) -> dict[str, JsonValue]:
    """Return the trip, the vehicle, the player, the reminders, and a digest of all that is kept in mind."""
    vehicle = vehicle_shown(state.vehicle, start)
    player = player_shown(state.player)
    return {
        "destination": city.name(state.destination) if state.destination else None,
        "stops": [city.name(stop) for stop in state.stops],
        "route": _route(state.route),
        "vehicle": {**vehicle, "media": player["playing"]},
        "media": player,
        "reminders": reminders_shown(city, state.reminders),
        "mind": mind_digest(state),
    }


def _route(route: Route | None) -> dict[str, JsonValue] | None:
    if route is None:
        return None
    roads: list[JsonValue] = [*dict.fromkeys(road.name for road in route.roads)]
    return {"roads": roads, "minutes": int(whole_minutes(route.minutes)), "km": round(route.km, 1)}
