"""What a turn makes of its cancellation, seen exactly: whether it was told, and how it ended.

It must not judge; ``cancelling`` does.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass
from enum import StrEnum

import anyio
from anyio.lowlevel import checkpoint

from hairpin.ports import SutSession
from hairpin.sut.conformance.driving import error_text, is_cancelled
from hairpin.sut.conformance.patience import Patience
from hairpin.sut.own_task import start_alone


class Ending(StrEnum):
    """How a turn that was to be cancelled ended."""

    EARLY = "early"
    """Before it was cancelled, or so soon that it was never told."""

    CANCELLED = "cancelled"
    RETURNED = "returned"
    """It was told, and returned a reply all the same."""

    RAISED = "raised"
    """It was told, and raised something else."""

    HUNG = "hung"
    """It was told, and never ended; it is left behind."""


@dataclass(frozen=True, slots=True)
class CancelledTurn:
    """A turn that was cancelled. ``took_s``: from the cancellation to its end; ``detail``: what it raised instead."""

    ending: Ending
    took_s: float
    detail: str = ""


class Watched:
    """Await it in place of ``coroutine``: notes whether the coroutine was told that it is cancelled."""

    def __init__(self, coroutine: Coroutine[object, None, object]) -> None:
        self._coroutine = coroutine
        self.told = False

    def __await__(self) -> Generator[object, None, object]:
        step: Callable[[], object] = functools.partial(self._coroutine.send, None)
        while True:
            try:
                awaited = step()
            except StopIteration as done:
                return done.value
            try:
                yield awaited
                step = functools.partial(self._coroutine.send, None)
            except GeneratorExit:
                self._coroutine.close()
                raise
            except BaseException as error:  # noqa: BLE001  # passed on to the coroutine
                self.told |= isinstance(error, asyncio.CancelledError)
                step = functools.partial(self._coroutine.throw, error)


async def cancel_turn(
    session: SutSession, utterance: str, *, after_s: float, patience_s: float, patience: Patience, name: str
) -> CancelledTurn:
    """Send ``utterance``, cancel it ``after_s`` seconds later and say how it ended.

    Args:
        after_s: 0 cancels it as soon as it waits for something.
        patience_s: a turn that was never told and ends by itself later than this was told in vain: what it waits for
            kept the cancellation to itself.
        patience: ends the turn, and leaves it behind if it does not end.
        name: how the turn is called then.
    """
    watched = Watched(_sending(session, utterance))
    task = start_alone(_ending(watched), name=name)
    await checkpoint()
    if after_s:
        await patience.at_most(task, after_s)
    cancelled_s = anyio.current_time()
    if not await patience.end(task):
        return CancelledTurn(Ending.HUNG, anyio.current_time() - cancelled_s)
    ending, detail, ended_s = task.result()
    took_s = max(0.0, ended_s - cancelled_s)
    if ending is Ending.EARLY and took_s > patience_s:
        ending = Ending.RETURNED
    return CancelledTurn(ending, took_s, detail)


async def _ending(watched: Watched) -> tuple[Ending, str, float]:
    ending, detail = await _how_it_ends(watched)
    return ending, detail, anyio.current_time()


async def _how_it_ends(watched: Watched) -> tuple[Ending, str]:
    try:
        await watched
    except asyncio.CancelledError:
        if is_cancelled():
            return Ending.CANCELLED, ""
        return Ending.RAISED, "CancelledError although nothing was cancelled"
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever the assistant raises is data
        return (Ending.RAISED if watched.told else Ending.EARLY), error_text(error)
    return (Ending.RETURNED if watched.told else Ending.EARLY), ""


async def _sending(session: SutSession, utterance: str) -> object:
    return await session.send(utterance)
