"""Whether sessions and the adapter end: promptly, whatever happened before, and leaving nothing behind.

It ends nothing by force: what an assistant leaves is told, not cleared away.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import Final

import anyio

from hairpin.sut.conformance.driving import Conversation
from hairpin.sut.conformance.ground import Check, Ground, Outcome, failed, noted, ok
from hairpin.sut.conformance.process_table import child_processes, open_channels, shows_processes

_N_LOOKS: Final = 25
_LOOK_S: Final = 0.02
_OWN_THREADS: Final = ("hairpin", "asyncio_", "AnyIO")


async def check_close(ground: Ground) -> Outcome:
    """Whether a session closes without any turn, after turns, after an abandoned turn; and what others then do."""
    driver = ground.driver
    neighbour = await driver.open()
    try:
        for state in ("without any turn", "after a turn", "after a turn that was given up"):
            conversation = await driver.open()
            await _used(ground, conversation, state)
            if problem := await conversation.close():
                return failed(f"{state}: close {problem}; a run would wait for it at the end of each conversation")
            if (answer := await neighbour.say(ground.utterances[0])).reply is None:
                return failed(f"once another session was closed, {answer.problem}; sessions share what close ends")
        after = await conversation.say(ground.utterances[0])
    finally:
        await neighbour.close()
    if after.reply is not None:
        return noted("sessions close in any state, but a closed one still answers; the fault would hide a mix-up")
    return ok("sessions close without a turn, after one and after one that was given up; a closed one is refused")


async def _used(ground: Ground, conversation: Conversation, state: str) -> None:
    if state == "after a turn":
        await conversation.say(ground.utterances[0])
    elif state == "after a turn that was given up":
        await conversation.say(ground.utterances[0], timeout_s=max(ground.profile.latency_s / 2, 1e-4))


@dataclass(frozen=True, slots=True)
class Belongings:
    """What this process holds at one moment."""

    tasks: frozenset[asyncio.Task[object]]
    threads: frozenset[str]
    children: frozenset[int]
    channels: frozenset[str]


_SEES_ALL: Final = "after aclose no task, child process, socket or pipe of its own is left"
_SEES_TASKS: Final = (
    "after aclose no task of its own is left; child processes, sockets and pipes were not looked for: this system does "
    "not show them in /proc"
)


def belongings() -> Belongings:
    """Return what the process holds now; children and channels only where the system shows them."""
    threads = (t.name for t in threading.enumerate() if not t.name.startswith(_OWN_THREADS))
    return Belongings(
        tasks=frozenset(task for task in asyncio.all_tasks() if not task.done()),
        threads=frozenset(threads),
        children=child_processes(),
        channels=open_channels(),
    )


async def check_left_behind(ground: Ground, before: Belongings) -> Outcome:
    """Close the adapter; whether it ends and leaves no task, child process, socket or pipe."""
    problem = await ground.driver.closed()
    if problem:
        return failed(f"aclose {problem}; a run would end with a note, and what it holds stays open")
    left = await _left(before)
    if left:
        return failed(f"after aclose there still are {left}; a campaign would pile them up")
    threads = sorted(belongings().threads - before.threads)
    if threads:
        return noted(f"after aclose threads still run: {', '.join(threads[:3])}")
    return ok(_SEES_ALL if shows_processes() else _SEES_TASKS)


async def _left(before: Belongings) -> str:
    """Return what is left once there was time to go."""
    for _ in range(_N_LOOKS):
        if not _difference(before):
            break
        await anyio.sleep(_LOOK_S)
    return _difference(before)


def _difference(before: Belongings) -> str:
    now = belongings()
    tasks = sorted(_name_of(task) for task in now.tasks - before.tasks)
    children, channels = now.children - before.children, sorted(now.channels - before.channels)
    parts = [
        f"{len(tasks)} tasks ({', '.join(sorted(set(tasks))[:3])})" if tasks else "",
        f"{len(children)} child processes ({', '.join(map(str, sorted(children)[:3]))})" if children else "",
        f"{len(channels)} open channels ({', '.join(channels[:3])})" if channels else "",
    ]
    return ", ".join(part for part in parts if part)


def _name_of(task: asyncio.Task[object]) -> str:
    name = task.get_name()
    return str(getattr(task.get_coro(), "__qualname__", name)) if name.startswith("Task-") else name


CLOSE: Final = Check("close", "closes sessions in any state", check_close)
