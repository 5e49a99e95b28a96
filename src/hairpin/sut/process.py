"""Assistants that are programs: a JSON line per turn on standard input, a JSON line per reply on standard output.

Without ``id`` each session has a program of its own; with it one program serves all. Nothing is restarted within a
session: the program's memory of the conversation would be gone, and nobody would know.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Final, Self
from weakref import WeakKeyDictionary

import anyio
from anyio.lowlevel import checkpoint
from pydantic import JsonValue

from hairpin.domain.sut import SessionStart, SutIdentity, SutReply
from hairpin.domain.sut_spec import ProcessSut
from hairpin.errors import HairpinError, SutConnectionError, SutError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.base import SessionGate
from hairpin.sut.chat_completion import one_line
from hairpin.sut.environment import environment_values
from hairpin.sut.program import Program
from hairpin.sut.program_command import Command, program_version
from hairpin.sut.redaction import Redactor
from hairpin.sut.reply_paths import reply_of_answer
from hairpin.sut.template_capabilities import capabilities_of
from hairpin.sut.templated_session import TemplatedTurns, filled
from hairpin.sut.turn_board import TurnBoard

_MAX_LAST_WORDS: Final = 240
_FAREWELL_S: Final = 1.0


class ProcessAdapter(SutAdapter):
    """Runs a program of the user's.

    The program inherits Hairpin's environment, with ``environment`` added, and runs in ``folder``. It is looked up as
    a shell would: ``python`` is the one on the path, else the one that runs Hairpin.

    Args:
        spec: the program, what it is sent and where its replies are.
        environ: the environment it inherits, and where ``{env.NAME}`` is looked up when a session opens.
    """

    def __init__(self, spec: ProcessSut, *, environ: Mapping[str, str]) -> None:
        self._spec = spec
        self._environ = environ
        self._templates: list[JsonValue] = [dict(spec.environment), spec.hello, spec.send, spec.bye]
        self._identity = SutIdentity(
            name=spec.name or one_line(" ".join(spec.command)),
            version=spec.version or program_version(spec),
            transport="process",
        )
        self._shared: WeakKeyDictionary[asyncio.AbstractEventLoop, TalkingProgram] = WeakKeyDictionary()
        self._starting: WeakKeyDictionary[asyncio.AbstractEventLoop, anyio.Lock] = WeakKeyDictionary()
        self.capabilities = capabilities_of(
            [dict(spec.environment) if spec.id is None else None, spec.hello, spec.send],
            max_sessions=spec.max_sessions,
        )

    def describe(self) -> SutIdentity:
        """Return the name given, else the command; without a version given it is a digest of files and settings."""
        return self._identity

    async def open(self, start: SessionStart) -> SutSession:
        """Start the program, or take the shared one, and say hello if the specification does.

        Raises:
            UserError: the program or its folder is missing, may not be run, or a variable is not set.
            SutConnectionError: it ended before it answered anything.
        """
        env = environment_values(self._templates, self._environ, where=f"sut {self._identity.name}")
        turns = TemplatedTurns(start, env)
        if self._spec.id is None:
            program = await self._start(turns.session, env)
            return await self._greeted(ProcessSession(self._spec, turns, program, owned=True))
        program = await self._take_shared(env)
        return await self._greeted(ProcessSession(self._spec, turns, program, owned=False))

    async def aclose(self) -> None:
        """End the shared program."""
        program = self._shared.pop(asyncio.get_running_loop(), None)
        if program is not None:
            await program.aclose()

    async def _greeted(self, session: ProcessSession) -> ProcessSession:
        try:
            await session.greet()
        except BaseException:
            await session.give_up()
            raise
        return session

    async def _take_shared(self, env: Mapping[str, str]) -> TalkingProgram:
        loop = asyncio.get_running_loop()
        async with self._starting.setdefault(loop, anyio.Lock()):
            program = self._shared.get(loop)
            if program is None or program.is_over:
                if program is not None:
                    await program.aclose()
                program = self._shared[loop] = await self._start({"env": dict(env)}, env)
            return program

    async def _start(self, values: Mapping[str, JsonValue], env: Mapping[str, str]) -> TalkingProgram:
        command = Command.of(self._spec, values, self._environ)
        redactor = Redactor(env.values(), spoken=env.values())
        return await TalkingProgram.started(command, self._spec, redactor=redactor)


class TalkingProgram:
    """A running program and the turns that wait for it."""

    def __init__(self, spec: ProcessSut, *, name: str, redactor: Redactor) -> None:
        self.name = name
        self.redactor = redactor
        self.board = TurnBoard(id_path=spec.id, error=self._error)
        self._has_answered = False
        self._program = Program(self, max_line_bytes=spec.max_reply_bytes)

    @classmethod
    async def started(cls, command: Command, spec: ProcessSut, *, redactor: Redactor) -> Self:
        """Start one. Raises UserError."""
        talking = cls(spec, name=f"the program {command.name}", redactor=redactor)
        await command.start(talking._program)
        return talking

    @property
    def is_over(self) -> bool:
        """Whether it will say nothing more."""
        return self._program.is_over

    @property
    def pid(self) -> int | None:
        """The number of its process and of its group."""
        return self._program.pid

    async def say(self, value: JsonValue) -> None:
        """Write a value as one JSON line. Raises SutError, SutConnectionError."""
        try:
            await self._program.write(json.dumps(value, ensure_ascii=False).encode())
        except (BrokenPipeError, ConnectionResetError):
            await self._program.wait_until_over(_FAREWELL_S)
            raise self._error(self._how_it_ended()) from None

    async def ask(self, value: JsonValue, turn_id: str) -> JsonValue:
        """Write a turn's line and return the line that answers it. Raises SutError, SutConnectionError."""
        stray = self.board.take_stray()
        if stray is not None:
            raise self._error(stray)
        with self.board.waiting(turn_id) as turn:
            if self.is_over:
                raise self._error(self._how_it_ended())
            await self.say(value)
            answer = await self.board.answer_to(turn)
        self._has_answered = True
        return answer

    def heard(self, line: bytes) -> None:
        """Take a line of its output."""
        self.board.hear(line)

    def ended(self) -> None:
        """Let no turn wait for it any more."""
        self.board.fail(self._how_it_ended())

    def end_soon(self) -> None:
        """End it without waiting for that."""
        self._program.end_soon()

    async def aclose(self) -> None:
        """End it; when this returns nothing of it is left."""
        await self._program.aclose()

    def _how_it_ended(self) -> str:
        if self._program.fault is not None:
            return f"was ended: {self._program.fault}"
        code = self._program.exit_code
        when = "" if self._has_answered else " before it answered anything"
        if code is None:
            return f"closed its standard input or output{when}"
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return f"{how}{when}"

    def _error(self, text: str) -> HairpinError:
        """Make an error of what is wrong; a program that ends at once cannot be talked to at all."""
        program = self._program
        at_once = program.is_over and program.exit_code is not None and program.fault is None and not self._has_answered
        kind = SutConnectionError if at_once else SutError
        return kind(f"{self.name} {one_line(self.redactor.clean(text))}{self._last_words()}")

    def _last_words(self) -> str:
        words = " ".join(self.redactor.clean(self._program.last_words).split())
        if not words:
            return ""
        shown = words if len(words) <= _MAX_LAST_WORDS else f"…{words[-_MAX_LAST_WORDS:]}"
        return f"; the end of its standard error: {shown}"


class ProcessSession(SutSession):
    """One conversation with a program, ``owned`` if it serves no other."""

    def __init__(self, spec: ProcessSut, turns: TemplatedTurns, program: TalkingProgram, *, owned: bool) -> None:
        self._spec = spec
        self._turns = turns
        self._program = program
        self._owned = owned
        self._gate = SessionGate(program.name)

    async def greet(self) -> None:
        """Write the first line. Raises SutError, SutConnectionError."""
        await checkpoint()  # a cancellation that came while the program started
        if self._spec.hello is not None:
            await self._program.say(filled(self._spec.hello, self._turns.session))

    async def send(self, utterance: str) -> SutReply:
        """Return the reply.

        Raises:
            SutError: it answered with an error or with what is no reply, or it ended; or an earlier turn was cut off.
            SutConnectionError: it ended before it answered anything.
        """
        self._gate.check_open()
        values = self._turns.next(utterance)
        try:
            answer = await self._program.ask(filled(self._spec.send, values), str(values["turn_id"]))
        except BaseException:
            self._cut_off()
            raise
        where, redactor = self._program.name, self._program.redactor
        return self._turns.keep(utterance, reply_of_answer(answer, self._spec.reply, where=where, redactor=redactor))

    async def close(self) -> None:
        """Write the last line; end the program if it is this session's own."""
        self._gate.close()
        try:
            if self._spec.bye is not None and not self._program.is_over:
                with anyio.move_on_after(_FAREWELL_S):
                    await self._program.say(filled(self._spec.bye, self._turns.session))
        except (SutError, SutConnectionError):
            return  # it has ended, and was going to
        finally:
            await self.give_up()

    async def give_up(self) -> None:
        """End the program if it is this session's own."""
        if self._owned:
            await self._program.aclose()

    def _cut_off(self) -> None:
        """A late answer would be taken for that of the next turn; a shared program repeats whose it is."""
        if self._owned:
            self._turns.break_off(f"{self._program.name}: an earlier turn was cut off, so the program was ended")
            self._program.end_soon()
