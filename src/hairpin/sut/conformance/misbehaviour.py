"""What an adapter by configuration makes of a server that misbehaves: the kit's own, in the assistant's place.

The assistant itself is not asked; its templates and paths are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hairpin.domain.sut_spec import HttpSut, OpenAiCompatibleSut
from hairpin.errors import HairpinError
from hairpin.ports import SutAdapter
from hairpin.sut.conformance.driving import Answer, Driver, StepError, bounded, excerpt
from hairpin.sut.conformance.ground import Outcome, failed, ok, skipped
from hairpin.sut.conformance.report import ConformanceSettings
from hairpin.sut.conformance.stand_in import GOOD_WORDS, SLOW_S, Manner, StandIn, moved, serving

StandInSpec = HttpSut | OpenAiCompatibleSut

MISBEHAVIOUR: Final = ("misbehaviour", "tells a misbehaving server from a reply")


async def check_misbehaviour(
    spec: StandInSpec, build: Callable[[StandInSpec], SutAdapter], settings: ConformanceSettings
) -> Outcome:
    """Answer the adapter of ``spec`` in every manner, and see what becomes of it."""
    stand_in = StandIn(spec)
    async with serving(stand_in) as base:
        adapter = build(moved(spec, base))
        driver = Driver(adapter, settings.model_copy(update={"timeout_s": min(settings.timeout_s, 5.0)}))
        try:
            good = await _said(driver, stand_in, Manner.GOOD)
            if good.reply is None or good.text != GOOD_WORDS:
                return skipped(f"the stand-in could not speak as the assistant does: {good.problem or good.text}")
            found = {manner: await _problem_of(driver, stand_in, manner) for manner in _manners(spec)}
        except (StepError, HairpinError) as error:
            return failed(f"no session with the stand-in: {error}")
        finally:
            await bounded(adapter.aclose, settings.close_timeout_s)
    problems = [f"{manner}: {problem}" for manner, problem in found.items() if problem]
    if problems:
        return failed("; ".join(problems))
    return ok(f"a stand-in answered so: {', '.join(_manners(spec))}; each was told from a reply, and no turn hung")


def _manners(spec: StandInSpec) -> list[Manner]:
    left_out = {Manner.GOOD}
    if isinstance(spec, HttpSut):
        if not spec.reply.error:
            left_out.add(Manner.ERROR_OBJECT)
        if not spec.reply.text and spec.stream is None:
            left_out.add(Manner.GARBAGE)
    else:
        left_out |= {Manner.ERROR_OBJECT, Manner.OVERSIZED}
    return [manner for manner in Manner if manner not in left_out]


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
    if after.timed_out:
        return "the next turn of the session hangs"
    if answer.timed_out and manner is not Manner.SLOW:
        return "neither a reply nor an error in time"
    if stand_in.visits:
        return "another host was asked: what users say would be sent there"
    return _misread(answer, manner)


def _misread(answer: Answer, manner: Manner) -> str:
    if manner is Manner.EMPTY:
        return "" if answer.reply is not None and not answer.text else f"an empty reply became {answer.problem}"
    if answer.reply is not None:
        return f"it was taken for the reply “{excerpt(answer.text)}”"
    return f"the adapter itself is blamed: {answer.problem}" if answer.fault else ""
