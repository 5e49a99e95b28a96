"""A program of the user's: started, written to, its lines heard, its last words kept, and ended with all its children.

What a line means it does not know. Pipes are read by callbacks of the event loop, so a full one never blocks the
program, whatever Hairpin waits for.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol, cast

import anyio

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_TAIL_BYTES: Final = 4096
_LEAVE_S: Final = 2.0
"""Seconds a program has to end by itself once its input is closed."""

_TERMINATE_S: Final = 1.0
_KILL_S: Final = 5.0
_LAST_WORDS_S: Final = 0.5
"""Seconds that pipes are still read once the program has ended: a child of it may hold them open for ever."""


class Listener(Protocol):
    """Who hears a program."""

    def heard(self, line: bytes) -> None:
        """Take one line of its output, without the line break; blank ones are left out."""
        ...

    def ended(self) -> None:
        """Learn that nothing more will come; called once."""
        ...


class Program(asyncio.SubprocessProtocol):
    """One running program, in a process group of its own.

    Args:
        listener: told of every line and of the end.
        max_line_bytes: a longer line ends the program.
    """

    def __init__(self, listener: Listener, *, max_line_bytes: int) -> None:
        self.fault: str | None = None
        self._listener = listener
        self._max_line_bytes = max_line_bytes
        self._line = bytearray()
        self._tail = bytearray()
        self._open_pipes = {_STDOUT, _STDERR}
        self._over = anyio.Event()
        self._gone = anyio.Event()
        self._is_swept = False
        self._writable = anyio.Event()
        self._writable.set()
        self._transport: asyncio.SubprocessTransport | None = None
        self._timers: list[asyncio.TimerHandle] = []

    async def start(self, command: Sequence[str], *, folder: Path, environment: Mapping[str, str]) -> None:
        """Start it. Raises OSError and ValueError, as ``subprocess`` does."""
        loop = asyncio.get_running_loop()
        starting = loop.subprocess_exec(
            lambda: self,
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=folder,
            env=dict(environment),
            start_new_session=os.name == "posix",
        )
        # A cancelled start would leave a process that nobody knows; it takes milliseconds.
        with anyio.CancelScope(shield=True):
            self._transport, _ = await starting

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self._over.is_set()

    @property
    def pid(self) -> int | None:
        """Its process id, also that of its group; ``None`` before it is started."""
        return self._transport.get_pid() if self._transport is not None else None

    @property
    def exit_code(self) -> int | None:
        """What it ended with: negative is the signal that ended it; ``None`` while it runs."""
        return self._transport.get_returncode() if self._transport is not None else None

    @property
    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        return self._tail.decode("utf-8", "replace").strip()

    async def write(self, line: bytes) -> None:
        """Write one line, and wait while the program is too slow to read it. Raises BrokenPipeError."""
        pipe = self._stdin()
        if self.is_over or pipe is None or pipe.is_closing():
            raise BrokenPipeError
        pipe.write(line + b"\n")
        await self._writable.wait()

    async def wait_until_over(self, at_most_s: float) -> None:
        """Wait for its end, which shows in its pipes before its exit code is known."""
        with anyio.move_on_after(at_most_s):
            await self._over.wait()

    def end_soon(self) -> None:
        """Ask it to end, now, and kill it if it does not; waits for nothing."""
        self._signal(_TERM)
        self._after(_TERMINATE_S, self.kill)

    def kill(self) -> None:
        """Kill it and its children at once."""
        self._signal(_KILL)

    async def aclose(self) -> None:
        """Close its input, wait a little, ask it to end, kill it; when this returns nothing of it is left.

        Takes at most some seconds, and all of them whatever is cancelled meanwhile.
        """
        if self._transport is None:
            return
        with anyio.CancelScope(shield=True):
            if (pipe := self._stdin()) is not None:
                pipe.close()
            await self._wait(_LEAVE_S)
            for how, patience_s in ((_TERM, _TERMINATE_S), (_KILL, _KILL_S)):
                if not self._gone.is_set():
                    self._signal(how)
                    await self._wait(patience_s)
        self._sweep()
        self._finish()
        self._transport.close()
        for timer in self._timers:
            timer.cancel()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Take what was written to standard output or error."""
        if fd == _STDERR:
            self._tail += data
            del self._tail[:-_TAIL_BYTES]
        elif self.fault is None and not self.is_over:
            self._take(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 - the library's signature
        """Note that one of its pipes is closed."""
        self._open_pipes.discard(fd)
        if fd == _STDIN:
            self._writable.set()
        self._note_end()

    def process_exited(self) -> None:
        """Note that it has ended; its pipes may hold more."""
        self._gone.set()
        self._note_end()

    def pause_writing(self) -> None:
        """Let writers wait."""
        self._writable = anyio.Event()

    def resume_writing(self) -> None:
        """Let writers go on."""
        self._writable.set()

    def _take(self, data: bytes) -> None:
        self._line += data
        *whole, rest = bytes(self._line).split(b"\n")
        self._line = bytearray(rest)
        for line in whole:
            if len(line) > self._max_line_bytes:
                return self._refuse_long_line()
            if line.strip():
                self._listener.heard(line)
        if len(rest) > self._max_line_bytes:
            self._refuse_long_line()
        return None

    def _refuse_long_line(self) -> None:
        self.fault = f"it wrote a line of more than {self._max_line_bytes} bytes"
        self._line.clear()
        self.kill()

    def _note_end(self) -> None:
        gone = self._gone.is_set()
        if gone and not self._open_pipes:
            self._finish()
        elif gone or _STDOUT not in self._open_pipes:
            self._after(_LAST_WORDS_S, self._finish)

    def _finish(self) -> None:
        if self._gone.is_set():
            self._sweep()
        if self.is_over:
            return
        self._over.set()
        self._writable.set()
        if self._line.strip() and self.fault is None:
            self._listener.heard(bytes(self._line))  # an answer whose line break is missing
        self._listener.ended()

    def _after(self, delay_s: float, call: Callable[[], None]) -> None:
        self._timers.append(asyncio.get_running_loop().call_later(delay_s, call))

    async def _wait(self, at_most_s: float) -> None:
        with anyio.move_on_after(at_most_s):
            await self._gone.wait()

    def _stdin(self) -> asyncio.WriteTransport | None:
        pipe = self._transport.get_pipe_transport(_STDIN) if self._transport is not None else None
        return cast("asyncio.WriteTransport | None", pipe)

    def _sweep(self) -> None:
        """Kill the children that outlived it; not later than this, for their group's number may be given anew."""
        self._signal(_KILL)
        self._is_swept = True

    def _signal(self, how: int) -> None:
        """Signal the whole group, which may outlive the program that leads it."""
        pid = self.pid
        if self._is_swept or pid is None or self._transport is None:
            return
        try:
            if os.name == "posix":
                os.killpg(pid, how)
            else:
                self._transport.kill()
        except (ProcessLookupError, PermissionError):
            return  # nobody is left


_TERM: Final = signal.SIGTERM
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
