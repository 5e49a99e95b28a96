"""The conformance kit: all checks of one assistant, in order and in bounded time.

What each check means is in its own module.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import anyio

from hairpin.ports import SutAdapter
from hairpin.sut.conformance.basics import ANSWERS, DESCRIPTION, DETERMINISM
from hairpin.sut.conformance.cancelling import CANCELLATION
from hairpin.sut.conformance.closing import CLOSE, Belongings, belongings, check_left_behind
from hairpin.sut.conformance.driving import Driver, StepError
from hairpin.sut.conformance.ground import Check, Ground, Outcome, Profile, failed, skipped
from hairpin.sut.conformance.isolation import ISOLATION
from hairpin.sut.conformance.load import LOAD, MAX_SESSIONS
from hairpin.sut.conformance.misbehaviour import MISBEHAVIOUR
from hairpin.sut.conformance.ordering import ORDER
from hairpin.sut.conformance.promises import HISTORY, REFERENCE_TEXT
from hairpin.sut.conformance.report import ConformanceReport, ConformanceSettings, Finding
from hairpin.sut.conformance.texts import EMPTY, LONG_REPLIES, LONG_UTTERANCE, UNICODE
from hairpin.sut.conformance.words import enough

FIRST: Final = (DESCRIPTION, ANSWERS)
"""Without these there is nothing to check."""

OTHERS: Final = (
    CLOSE,
    DETERMINISM,
    ORDER,
    ISOLATION,
    MAX_SESSIONS,
    LOAD,
    UNICODE,
    LONG_UTTERANCE,
    LONG_REPLIES,
    EMPTY,
    CANCELLATION,
    HISTORY,
    REFERENCE_TEXT,
)
LEFT_BEHIND: Final = ("left_behind", "leaves nothing behind")


async def check_adapter(
    adapter: SutAdapter,
    *,
    utterances: tuple[str, ...] = (),
    settings: ConformanceSettings | None = None,
    fresh: Callable[[], SutAdapter] | None = None,
    misbehaviour: Callable[[], Awaitable[Outcome]] | None = None,
    tell: Callable[[Finding], object] | None = None,
    stopping: anyio.CancelScope | None = None,
) -> ConformanceReport:
    """Check an assistant through its adapter, which is closed at the end.

    Args:
        adapter: fresh: no session of it was opened yet. A user's own is made with ``sut.callables.adapter_of``.
        utterances: what users say to it; neutral sentences are added where they are few.
        settings: how hard it is tried.
        fresh: makes another such adapter, where that is cheap; tells chance from state that is carried over.
        misbehaviour: puts a misbehaving server in the assistant's place, where its adapter is made by configuration.
        tell: called with each finding as soon as it is there.
        stopping: once it is cancelled the checks that are left are skipped, and what was found is returned.

    Raises:
        SutConnectionError: the assistant cannot be reached.
        UserError: the adapter cannot open a session before something is mended.
    """
    used = settings or ConformanceSettings()
    ground = Ground(
        driver=Driver(adapter, used),
        settings=used,
        utterances=enough(utterances),
        fresh=fresh,
        profile=Profile(),
        findings={},
    )
    last = Check(*MISBEHAVIOUR, run=_no_stand_in if misbehaviour is None else lambda _: misbehaviour())
    kit = _Kit(ground, last, before=belongings(), tell=tell or (lambda _: None))
    return await kit.report(stopping or anyio.CancelScope())


class _Kit:
    """Runs the checks one after the other."""

    def __init__(self, ground: Ground, last: Check, *, before: Belongings, tell: Callable[[Finding], object]) -> None:
        self._ground = ground
        self._last = last
        self._before = before
        self._tell = tell
        self._started_s = anyio.current_time()

    async def report(self, stopping: anyio.CancelScope) -> ConformanceReport:
        ground = self._ground
        try:
            with stopping:
                await self._run_all()
            for check in (*FIRST, *OTHERS, self._last):
                ground.findings.setdefault(check.id, _finding(check.id, check.title, skipped("interrupted")))
            self._late_leaks()
        finally:
            with anyio.CancelScope(shield=True):
                left = await check_left_behind(ground, self._before)
        self._add_as(*LEFT_BEHIND, left)
        return ConformanceReport(
            sut=ground.driver.adapter.describe(),
            findings=tuple(ground.findings.values()),
            n_sessions=ground.driver.n_sessions,
            n_turns=ground.driver.n_turns,
            elapsed_s=anyio.current_time() - self._started_s,
        )

    async def _run_all(self) -> None:
        for check in FIRST:
            await self._run(check)
        answers = not any(self._ground.failed(check.id) for check in FIRST)
        for check in OTHERS:
            if answers:
                await self._run(check)
            else:
                self._add(check, skipped("the assistant does not answer"))
        await self._run(self._last)

    async def _run(self, check: Check) -> None:
        left_s = self._ground.settings.total_s - (anyio.current_time() - self._started_s)
        outcome = skipped(f"the time of the kit, {self._ground.settings.total_s:g} s, is over")
        with anyio.move_on_after(left_s):
            outcome = await _made(check.run(self._ground))
        self._add(check, outcome)

    def _late_leaks(self) -> None:
        """A word that came up where it was never told is a matter of isolation, whichever check heard it."""
        leaks, ground = self._ground.driver.leaks, self._ground
        if leaks and not ground.failed("isolation") and not ground.failed("load"):
            self._add(ISOLATION, failed(f"{leaks[0]}; conversations of a campaign would change each other"))

    def _add(self, check: Check, outcome: Outcome) -> None:
        self._add_as(check.id, check.title, outcome)

    def _add_as(self, check_id: str, title: str, outcome: Outcome) -> None:
        finding = _finding(check_id, title, outcome)
        self._ground.findings[check_id] = finding
        self._tell(finding)


def _finding(check_id: str, title: str, outcome: Outcome) -> Finding:
    return Finding(id=check_id, title=title, status=outcome[0], detail=outcome[1])


async def _no_stand_in(_: Ground) -> Outcome:
    return skipped("nothing can stand in for it: it is neither a server nor a program that a configuration names")


async def _made(outcome: Awaitable[Outcome]) -> Outcome:
    """Return how a check came out; a step that was not possible is a failure of the check."""
    try:
        return await outcome
    except StepError as error:
        return failed(str(error))
    except ExceptionGroup as group:
        steps = group.subgroup(StepError)
        if steps is None or group.split(StepError)[1] is not None:
            raise
        return failed(str(_first(steps)))


def _first(group: BaseException) -> BaseException:
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group
