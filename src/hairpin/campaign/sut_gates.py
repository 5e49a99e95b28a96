"""Holding back the conversations of assistants that err again and again, while the others go on.

Whether one errs too often is ``campaign.sut_health``; running conversations is ``campaign.conversation``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import anyio
from structlog.typing import FilteringBoundLogger

from hairpin.campaign.changes import LOOK_AGAIN_S
from hairpin.campaign.sut_health import BreakerRules, Phase, SutHealth, sign_of
from hairpin.domain.outcome import Stop
from hairpin.errors import SutError
from hairpin.graph.stopping import StopToken
from hairpin.ports import Clock


class SutGate:
    """Lets the conversations of one assistant begin, or not."""

    def __init__(
        self, label: str, rules: BreakerRules, *, clock: Clock, stop: StopToken, logger: FilteringBoundLogger
    ) -> None:
        self._label = label
        self._rules = rules
        self._clock = clock
        self._stop = stop
        self._logger = logger
        self._health = SutHealth()
        self._changed = anyio.Event()

    @property
    def broken(self) -> bool:
        """Whether no conversation may begin any more."""
        return self._health.phase is Phase.BROKEN

    @property
    def error(self) -> SutError:
        """What to say of a broken assistant."""
        health = self._health
        return SutError(
            f"the assistant {self._label!r} is broken: {health.n_errors} conversations in a row ended with sut_error,"
            f" one of them begun after a pause of {self._rules.pause_s:g} s; the last error: {health.last_error}"
        )

    def is_open(self) -> bool:
        """Whether a conversation may begin now."""
        return self.wait_s() == 0

    def wait_s(self) -> float:
        """Return for how many seconds no conversation may begin: infinity until something happens."""
        return self._health.wait_s(self._clock.monotonic())

    async def wait(self, *, unless: Callable[[], bool] = lambda: False) -> bool:
        """Wait until a conversation may begin; ``False``: none may any more, the run ends, or ``unless`` says so."""
        while self._stop.reason is None and not self.broken and not unless():
            wait_s = self.wait_s()
            if wait_s == 0:
                return True
            changed = self._changed
            with self._stop.guard(), anyio.move_on_after(min(wait_s, LOOK_AGAIN_S)):
                await changed.wait()
        return False

    def begin(self) -> bool:
        """Note that a conversation begins; return whether it is the probe."""
        before = self._health
        self._become(before.begun())
        return self._health is not before

    def end(self, stop: Stop | None, *, probe: bool) -> None:
        """Note how a conversation ended; ``None``: it was interrupted."""
        detail = stop.detail if stop is not None else ""
        now_s = self._clock.monotonic()
        self._become(self._health.ended(sign_of(stop), detail, probe=probe, now_s=now_s, rules=self._rules))

    def _become(self, health: SutHealth) -> None:
        before, self._health = self._health, health
        if before.phase is health.phase:
            return
        told = {"sut": self._label, "errors_in_a_row": health.n_errors, "last_error": health.last_error}
        self._logger.warning(f"sut_{health.phase}", **told)
        self._changed.set()
        self._changed = anyio.Event()


class SutGates:
    """The gates of all assistants."""

    def __init__(self, gates: Iterable[tuple[str, SutGate]]) -> None:
        self._gates = dict(gates)

    def __getitem__(self, label: str) -> SutGate:
        """Return the gate of an assistant."""
        return self._gates[label]

    @property
    def any_open(self) -> bool:
        """Whether a conversation with any assistant may begin now."""
        return any(gate.is_open() for gate in self._gates.values())

    @property
    def broken(self) -> frozenset[str]:
        """The assistants that nothing is asked any more."""
        return frozenset(label for label, gate in self._gates.items() if gate.broken)

    @property
    def all_broken(self) -> bool:
        """Whether nothing is left to talk to."""
        return all(gate.broken for gate in self._gates.values())

    @property
    def errors(self) -> tuple[SutError, ...]:
        """What to say of each broken assistant."""
        return tuple(gate.error for gate in self._gates.values() if gate.broken)

    def wait_s(self) -> float:
        """Return in how many seconds the next gate that is closed opens of itself; infinity: none does."""
        waits_s = (gate.wait_s() for gate in self._gates.values())
        return min((wait_s for wait_s in waits_s if wait_s > 0), default=math.inf)
