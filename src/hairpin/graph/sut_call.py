"""One call to the assistant under test, with everything that can go wrong turned into a stop.

It must not retry: a turn is not idempotent unless an adapter says so.
"""

from __future__ import annotations

import asyncio
import sysconfig
import traceback
from pathlib import Path

import anyio

from hairpin.domain.conversation import well_formed
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.sut import SutReply
from hairpin.errors import AdapterFaultError, HairpinError, SutConnectionError
from hairpin.ports import SutSession

_NOT_USER_CODE = (Path(__file__).parents[1], Path(sysconfig.get_path("stdlib")))


async def call_sut(session: SutSession, utterance: str, *, timeout_s: float, replied_before: bool) -> SutReply | Stop:
    """Send ``utterance`` and return the reply, or why there is none.

    Args:
        session: the open session.
        utterance: u_t.
        timeout_s: seconds until the turn counts as unanswered.
        replied_before: the assistant has answered in this run, so a failed connection is an error of this turn.
    """
    try:
        with anyio.fail_after(timeout_s) as scope:
            reply = await session.send(utterance)
    except TimeoutError as error:
        detail = f"no answer within {timeout_s:g} s" if scope.cancelled_caught else describe_error(error)
        return Stop(reason=StopReason.SUT_ERROR, detail=detail)
    except asyncio.CancelledError:
        if _is_cancelled():
            raise
        return Stop(
            reason=StopReason.SUT_ERROR, detail="the adapter raised CancelledError although nothing was cancelled"
        )
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the assistant raises is data
        return stop_of_sut_error(error, replied_before=replied_before)
    return checked_reply(reply)


def checked_reply(reply: object) -> SutReply | Stop:
    """Return the reply as a value; anything but text or a SutReply breaks the adapter's contract."""
    if isinstance(reply, str):
        return SutReply(text=well_formed(reply))
    if isinstance(reply, SutReply):
        text = well_formed(reply.text)
        return reply if text == reply.text else reply.model_copy(update={"text": text})
    detail = f"send returned {type(reply).__name__}, not str or SutReply: {reply!r:.200}"
    return Stop(reason=StopReason.ADAPTER_FAULT, detail=detail)


def stop_of_sut_error(error: BaseException, *, replied_before: bool) -> Stop:
    """Say which stop reason an error from the adapter means."""
    if isinstance(error, AdapterFaultError):
        return Stop(reason=StopReason.ADAPTER_FAULT, detail=describe_error(error))
    if isinstance(error, (SutConnectionError, ConnectionError)) and not replied_before:
        return Stop(reason=StopReason.SUT_UNREACHABLE, detail=describe_error(error))
    return Stop(reason=StopReason.SUT_ERROR, detail=describe_error(error))


def describe_error(error: BaseException) -> str:
    """Return an error in one bounded line: its type unless it is ours, its text, and where user code raised it."""
    text = " ".join(_text_of(error).split()) or "(no message)"
    if place := _place_in_user_code(error):
        text = f"{text} ({place})"
    shown = text if isinstance(error, HairpinError) else f"{type(error).__name__}: {text}"
    return well_formed(shown if len(shown) <= 500 else shown[:499] + "…")


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - an error of user code whose own text raises
        return "(its text cannot be read)"


def _place_in_user_code(error: BaseException) -> str | None:
    """Return ``file:line`` of the innermost frame that is neither ours, nor a library's, nor Python's."""
    if isinstance(error, HairpinError):
        return None
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        known = any(path.is_relative_to(folder) for folder in _NOT_USER_CODE)
        if not known and not {"site-packages", "dist-packages"} & set(path.parts) and path.suffix == ".py":
            return f"{path.name}:{frame.lineno}"
    return None
