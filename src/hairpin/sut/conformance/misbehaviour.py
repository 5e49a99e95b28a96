"""What an adapter by configuration makes of an assistant that misbehaves: the kit's own, in the assistant's place.

The assistant itself is not asked; its templates and paths are.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from hairpin.domain.sut_spec import HttpSut, OpenAiCompatibleSut, ProcessSut, WebSocketSut
from hairpin.errors import HairpinError
from hairpin.ports import SutAdapter
from hairpin.sut.conformance.driving import Answer, Driver, StepError, excerpt
from hairpin.sut.conformance.ground import Outcome, failed, ok, skipped
from hairpin.sut.conformance.report import ConformanceSettings
from hairpin.sut.conformance.stand_in import GOOD_WORDS, LATE_WORDS, SLOW_S, Manner, StandIn
from hairpin.sut.conformance.stand_in_http import http_stand_in
from hairpin.sut.conformance.stand_in_process import process_stand_in
from hairpin.sut.conformance.stand_in_websocket import websocket_stand_in

StandInSpec = HttpSut | OpenAiCompatibleSut | WebSocketSut | ProcessSut

MISBEHAVIOUR: Final = ("misbehaviour", "tells a misbehaving server from a reply")


async def check_misbehaviour(
    spec: StandInSpec, build: Callable[[StandInSpec], SutAdapter], settings: ConformanceSettings
) -> Outcome:
    """Answer the adapter of ``spec`` in every manner, and see what becomes of it."""
    async with _stood_in(spec) as (stand_in, moved):
        driver = Driver(build(moved), settings.model_copy(update={"timeout_s": min(settings.timeout_s, 5.0)}))
        try:
            good = await _said(driver, stand_in, Manner.GOOD)
            if good.reply is None or good.text != GOOD_WORDS:
                return skipped(f"the stand-in could not speak as the assistant does: {good.problem or good.text}")
            found = {manner: await _problem_of(driver, stand_in, manner) for manner in stand_in.manners}
        except (StepError, HairpinError) as error:
            return failed(f"no session with the stand-in: {error}")
        finally:
            await driver.closed()
    problems = [f"{manner}: {problem}" for manner, problem in found.items() if problem]
    if problems:
        return failed("; ".join(problems))
    return ok(f"a stand-in answered so: {', '.join(found)}; each was told from a reply, and no turn hung")


def _stood_in(spec: StandInSpec) -> AbstractAsyncContextManager[tuple[StandIn, StandInSpec]]:
    match spec:
        case WebSocketSut():
            return websocket_stand_in(spec)
        case ProcessSut():
            return process_stand_in(spec)
    return http_stand_in(spec)


async def _said(driver: Driver, stand_in: StandIn, manner: Manner) -> Answer:
    stand_in.manner = manner
    async with driver.conversation() as conversation:
        return await conversation.say("Hello")


async def _problem_of(driver: Driver, stand_in: StandIn, manner: Manner) -> str:
    stand_in.manner = manner
    async with driver.conversation() as conversation:
        answer = await conversation.say("Hello", timeout_s=SLOW_S / 2 if manner is Manner.SLOW else None)
        stand_in.manner = Manner.GOOD
        after = await conversation.say("Hello again")
        seen = await stand_in.seen() if manner in (Manner.SLOW, Manner.REDIRECT) else ""
    if after.timed_out:
        return "the next turn of the session hangs"
    if answer.timed_out and manner is not Manner.SLOW:
        return "neither a reply nor an error in time"
    return seen or _taken_late(after) or _misread(answer, manner)


def _taken_late(after: Answer) -> str:
    """A turn after a bad one gets its own reply, or is refused."""
    if after.reply is None or after.text == GOOD_WORDS:
        return ""
    whose = "the late reply" if after.text == LATE_WORDS else "what is left of it"
    return f"the next turn got {whose}: “{excerpt(after.text)}”"


def _misread(answer: Answer, manner: Manner) -> str:
    if manner is Manner.EMPTY:
        return "" if answer.reply is not None and not answer.text else f"an empty reply became {answer.problem}"
    if answer.reply is not None:
        return f"it was taken for the reply “{excerpt(answer.text)}”"
    return f"the adapter itself is blamed: {answer.problem}" if answer.fault else ""
