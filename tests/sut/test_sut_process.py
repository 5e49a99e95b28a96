"""Assistants that are programs, with real programs in real processes."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import ProcessSut, ReplyPaths
from hairpin.domain.users import Context
from hairpin.errors import AdapterFaultError, SutConnectionError, SutError, UserError
from hairpin.ports import SutSession
from hairpin.sut import program
from hairpin.sut.process import ProcessAdapter, ProcessSession
from tests.patience import SLOWNESS

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")]

PYTHON = (sys.executable, "-S", "-E")
HEAD = """
import json, os, sys, time
def say(**answer): print(json.dumps(answer), flush=True)
"""
ECHO = "for line in sys.stdin: say(text='You said: ' + json.loads(line)['utterance'])"
BY_ID: dict[str, Any] = {"send": {"q": "{utterance}", "id": "{turn_id}", "s": "{session_id}"}, "id": "id"}


class Folder:
    """Writes programs and runs adapters on them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def adapter(self, code: str, *, environ: dict[str, str] | None = None, **fields: Any) -> ProcessAdapter:
        (self.path / "bot.py").write_text(HEAD + code, encoding="utf-8")
        fields = {"command": (*PYTHON, "bot.py"), "folder": str(self.path), **fields}
        return ProcessAdapter(ProcessSut(**fields), environ={"PATH": os.defpath, **(environ or {})})

    @asynccontextmanager
    async def session(self, code: str, **fields: Any) -> AsyncIterator[SutSession]:
        adapter = self.adapter(code, **fields)
        async with opened(adapter) as session:
            yield session
        await adapter.aclose()

    async def reply(self, code: str, utterance: str = "Hi", **fields: Any) -> SutReply:
        async with self.session(code, **fields) as session:
            reply = await session.send(utterance)
        assert isinstance(reply, SutReply)
        return reply

    async def error(self, code: str, kind: type[Exception] = SutError, **fields: Any) -> str:
        with pytest.raises(kind) as caught:
            await self.reply(code, **fields)
        return str(caught.value)


@asynccontextmanager
async def opened(adapter: ProcessAdapter, conversation_id: str = "c0001") -> AsyncIterator[SutSession]:
    context = Context(location="Lyon")
    session = await adapter.open(SessionStart(conversation_id=conversation_id, context=context, rng_seed=7))
    try:
        yield session
    finally:
        await session.close()


def pid_of(session: SutSession) -> int:
    assert isinstance(session, ProcessSession)
    pid = session._program.pid
    assert pid is not None
    return pid


def group_lives(pid: int) -> bool:
    """Whether a process of the group lives, or the program itself is a zombie; its orphans are for init to reap."""
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    states = [_state_in_group(stat, pid) for stat in Path("/proc").glob("[0-9]*/stat")]
    return not states or any(state not in ("", "Z") for state in states) or Path(f"/proc/{pid}").exists()


def _state_in_group(stat: Path, pid: int) -> str:
    try:
        state, _, group = stat.read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return ""
    return state if int(group) == pid else ""


async def until_gone(pid: int) -> None:
    """Wait until no process of the group is left; a zombie would keep it."""
    with anyio.fail_after(10 * SLOWNESS):
        while group_lives(pid):  # noqa: ASYNC110  # the system tells nobody when a group is gone
            await anyio.sleep(0.01)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


async def test_a_line_per_turn_goes_out_and_a_line_per_reply_comes_back(folder: Folder) -> None:
    async with folder.session(ECHO) as session:
        assert await session.send("Grüß Gott 🚗") == SutReply(text="You said: Grüß Gott 🚗")
        assert await session.send("two\nlines\u2028") == SutReply(text="You said: two\nlines\u2028")
        assert await session.send("") == SutReply(text="You said: ")


async def test_by_default_a_program_is_told_all_that_a_turn_has(folder: Folder) -> None:
    code = "for line in sys.stdin: say(text=json.dumps(json.loads(line)), state={'n': 1}, ended=True)"
    reply = await folder.reply(code)
    assert (reply.ended, reply.state) == (True, {"n": 1})
    for part in ('"utterance": "Hi"', '"t": 0', '"location": "Lyon"', '"rng_seed": 7', '"session_id": '):
        assert part in reply.text


async def test_without_ids_each_session_has_a_program_of_its_own(folder: Folder) -> None:
    adapter = folder.adapter("for line in sys.stdin: say(text=str(os.getpid()))")
    async with opened(adapter) as one, opened(adapter) as other:
        assert await one.send("Hi") == SutReply(text=str(pid_of(one)))
        assert await other.send("Hi") == SutReply(text=str(pid_of(other)))
        assert pid_of(one) != pid_of(other)


async def test_hello_comes_first_and_bye_last(folder: Folder) -> None:
    code = """
with open("heard.txt", "w") as file:
    for line in sys.stdin:
        file.write(line); file.flush()
        if "q" in json.loads(line): say(text="ok")
    file.write("end")
"""
    fields: dict[str, Any] = {
        "hello": {"hello": "{context.location}"},
        "send": {"q": "{utterance}"},
        "bye": {"bye": "{conversation_id}"},
    }
    await folder.reply(code, **fields)
    assert (folder.path / "heard.txt").read_text() == '{"hello": "Lyon"}\n{"q": "Hi"}\n{"bye": "c0001"}\nend'


async def test_an_answer_that_says_error_is_the_assistants_error_and_the_next_turn_works(folder: Folder) -> None:
    code = "sys.stdin.readline(); say(error='no map'); sys.stdin.readline(); say(text='good'); sys.stdin.readline()"
    async with folder.session(code) as session:
        with pytest.raises(SutError, match="answered with an error: no map"):
            await session.send("Hi")
        assert await session.send("Again") == SutReply(text="good")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("sys.stdin.readline(); print('loading model …'); say(text='x'); sys.stdin.read()",
         "no JSON (prints belong on standard error, standard output is for one JSON line): loading"),
        ("sys.stdin.readline(); print('{\"text\": \"x\", \"n\": 1e999}', flush=True); sys.stdin.read()",
         "wrote a line of unreadable JSON (1e999 is too large a number): {"),
        ("sys.stdin.readline(); say(words='x'); sys.stdin.read()", "without 'text', where the reply's text is said"),
        ("sys.stdin.readline(); say(text=['x']); sys.stdin.read()", "has a list instead of a text at 'text'"),
        ("sys.stdin.readline(); print('x' * 300000, flush=True); time.sleep(60)", "a line of more than 1000 bytes"),
        ("sys.stdin.readline(); sys.stdout.write('x' * 300000); sys.stdout.flush(); time.sleep(60)",
         "a line of more than 1000 bytes"),
        ("sys.stdin.readline(); os.close(1); time.sleep(60)", "closed its standard input or output"),
    ],
)  # fmt: skip
async def test_what_is_no_reply_is_the_assistants_error_and_says_why(folder: Folder, code: str, said: str) -> None:
    assert said in await folder.error(code, max_reply_bytes=1000)


async def test_a_line_that_nobody_asked_for_is_no_answer_to_the_next_turn(folder: Folder) -> None:
    code = "sys.stdin.readline(); say(text='one'); say(text='and more'); sys.stdin.readline(); say(text='two')"
    async with folder.session(code) as session:
        assert await session.send("Hi") == SutReply(text="one")
        await anyio.sleep(0.1)
        with pytest.raises(SutError, match=r"a line that nobody asked for .*and more"):
            await session.send("Again")


async def test_ending_in_mid_turn_is_told_with_exit_code_and_last_words(folder: Folder) -> None:
    code = """
sys.stdin.readline(); say(text="one"); sys.stdin.readline()
print("Traceback:\\n  MemoryError", file=sys.stderr)
sys.exit(3)
"""
    async with folder.session(code) as session:
        await session.send("Hi")
        with pytest.raises(SutError, match=r"ended with exit code 3; .*standard error: Traceback: MemoryError"):
            await session.send("Again")
        with pytest.raises(SutError, match="open a new session"):
            await session.send("And again")


async def test_a_program_that_never_answered_anything_cannot_be_reached(folder: Folder) -> None:
    said = await folder.error("import no_such_module", SutConnectionError)
    assert "ended with exit code 1 before it answered anything" in said
    assert "No module named 'no_such_module'" in said


async def test_a_signal_that_ended_it_is_named(folder: Folder) -> None:
    said = await folder.error("sys.stdin.readline(); os.kill(os.getpid(), 9)", SutConnectionError)
    assert "was ended by signal 9" in said


async def test_the_last_answer_of_a_program_that_ends_is_taken(folder: Folder) -> None:
    code = "sys.stdin.readline(); sys.stdout.write(json.dumps({'text': 'Bye.', 'ended': True}))"
    assert await folder.reply(code) == SutReply(text="Bye.", ended=True)


async def test_a_talkative_standard_error_never_blocks_the_program(folder: Folder) -> None:
    code = "for line in sys.stdin: sys.stderr.write('log ' * 500_000); say(text='ok')"
    async with folder.session(code) as session:
        assert await session.send("Hi") == SutReply(text="ok")
        assert await session.send("Hi") == SutReply(text="ok")


async def test_a_long_utterance_reaches_a_program_that_reads_slowly(folder: Folder) -> None:
    code = "time.sleep(0.1)\nfor line in sys.stdin: say(text=str(len(json.loads(line)['utterance'])))"
    assert (await folder.reply(code, "x" * 500_000)).text == "500000"


async def test_blank_lines_are_passed_over(folder: Folder) -> None:
    assert (
        await folder.reply("sys.stdin.readline(); print(); print('\\r'); say(text='ok'); sys.stdin.read()")
    ).text == "ok"


async def test_a_cancelled_turn_ends_the_program_and_the_session_says_so(folder: Folder) -> None:
    async with folder.session("for line in sys.stdin: time.sleep(0.3); say(text=line)") as session:
        pid = pid_of(session)
        with anyio.move_on_after(0.1) as scope:
            await session.send("one")
        assert scope.cancelled_caught
        with pytest.raises(SutError, match="an earlier turn was cut off, so the program was ended; open a new session"):
            await session.send("two")
        await until_gone(pid)


async def test_after_closing_nothing_is_left_of_a_program_nor_of_its_children(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell's child goes too, also when both ignore being asked, and when whoever closes is cancelled."""
    monkeypatch.setattr(program, "_LEAVE_S", 0.1)
    monkeypatch.setattr(program, "_TERMINATE_S", 0.1)
    code = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sys.stdin.readline(); say(text="ok"); time.sleep(60)
"""
    adapter = folder.adapter(code, command=("sh", "-c", f"trap '' TERM; {sys.executable} -S -E bot.py; true"))
    session = await adapter.open(SessionStart(conversation_id="c1"))
    pid = pid_of(session)
    assert await session.send("Hi") == SutReply(text="ok")
    assert group_lives(pid)
    with anyio.CancelScope() as scope:
        scope.cancel()
        await session.close()
    await until_gone(pid)
    with pytest.raises(AdapterFaultError, match="used again"):
        await session.send("Hi")


async def test_a_child_that_outlives_the_program_goes_with_it(folder: Folder) -> None:
    code = "sys.stdin.readline(); os.fork() or time.sleep(60); say(text='ok')"
    async with folder.session(code) as session:
        pid = pid_of(session)
        assert await session.send("Hi") == SutReply(text="ok")
        await until_gone(pid)


async def test_a_cancelled_opening_leaves_no_program(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int | None] = []
    start = program.Program.start

    async def noted(self: program.Program, *args: Any, **fields: Any) -> None:
        await start(self, *args, **fields)
        started.append(self.pid)

    monkeypatch.setattr(program.Program, "start", noted)
    with anyio.CancelScope() as scope:
        scope.cancel()
        await folder.adapter(ECHO).open(SessionStart(conversation_id="c1"))
    assert scope.cancelled_caught
    (pid,) = started
    assert pid is not None
    assert not group_lives(pid)


async def test_with_ids_one_program_serves_all_sessions_in_any_order(folder: Folder) -> None:
    code = """
one, two = (json.loads(sys.stdin.readline()) for _ in range(2))
for line in (two, one): say(id=line["id"], text=line["q"] + " " + str(os.getpid()))
sys.stdin.read()
"""
    adapter = folder.adapter(code, **BY_ID)
    heard: dict[str, object] = {}

    async def ask(session: SutSession, words: str) -> None:
        heard[words] = await session.send(words)

    async with opened(adapter) as one, opened(adapter) as two:
        async with anyio.create_task_group() as group:
            group.start_soon(ask, one, "one")
            group.start_soon(ask, two, "two")
        pid = pid_of(one)
        assert heard == {"one": SutReply(text=f"one {pid}"), "two": SutReply(text=f"two {pid}")}
    assert group_lives(pid)
    await adapter.aclose()
    assert not group_lives(pid)


async def test_with_ids_a_late_answer_is_dropped_and_the_session_goes_on(folder: Folder) -> None:
    code = """
first = json.loads(sys.stdin.readline()); second = json.loads(sys.stdin.readline())
say(id=first["id"], text="late"); say(id=second["id"], text="right"); say(id=second["id"], text="twice")
third = json.loads(sys.stdin.readline()); say(id=third["id"], text="third"); sys.stdin.read()
"""
    async with folder.session(code, **BY_ID) as session:
        with anyio.move_on_after(0.1) as scope:
            await session.send("one")
        assert scope.cancelled_caught
        assert await session.send("two") == SutReply(text="right")
        assert await session.send("three") == SutReply(text="third")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("say(text='x')", "an answer without the id of its turn"),
        ("say(text='x', id='c/9')", "an answer to a turn that never was"),
        ("print('loading', flush=True)", "a line that is no JSON"),
    ],
)
async def test_with_ids_an_answer_to_nobody_is_told(folder: Folder, answer: str, said: str) -> None:
    assert said in await folder.error(f"sys.stdin.readline(); {answer}; sys.stdin.read()", **BY_ID)
    adapter = folder.adapter(f"{answer}\nfor line in sys.stdin: say(text='x', id=json.loads(line)['id'])", **BY_ID)
    async with opened(adapter) as session:
        await anyio.sleep(0.1)
        with pytest.raises(SutError, match=said):
            await session.send("told to whoever comes next")
        assert await session.send("and only once") == SutReply(text="x")
    await adapter.aclose()


async def test_a_shared_program_that_ended_is_started_anew_for_the_next_session(folder: Folder) -> None:
    code = "line = json.loads(sys.stdin.readline()); say(text=str(os.getpid()), id=line['id']); sys.stdin.readline()"
    adapter = folder.adapter(code, **BY_ID)
    async with opened(adapter) as one:
        first = await one.send("Hi")
        with pytest.raises(SutError, match="ended with exit code 0"):
            await one.send("Again")
    async with opened(adapter) as other:
        assert await other.send("Hi") != first
    await adapter.aclose()


async def test_variables_are_added_to_the_inherited_environment(folder: Folder) -> None:
    code = "for line in sys.stdin: say(text=' '.join(os.environ.get(n, '-') for n in ('A', 'B', 'PYTHONUNBUFFERED')))"
    environ = {"A": "inherited", "SECRET_B": "s3cr3t-key-77"}
    reply = await folder.reply(code, environ=environ, environment={"B": "key {env.SECRET_B}"})
    assert reply.text == "inherited key *** 1"


async def test_no_message_shows_a_secret(folder: Folder) -> None:
    code = "print('bad', os.environ['KEY'], file=sys.stderr); sys.exit(1)"
    environ = {"BOT_KEY": "s3cr3t-key-77"}
    said = await folder.error(code, SutConnectionError, environ=environ, environment={"KEY": "{env.BOT_KEY}"})
    assert "bad ***" in said


async def test_a_variable_that_is_not_set_is_told(folder: Folder) -> None:
    with pytest.raises(UserError, match="environment variable BOT_KEY is not set"):
        await folder.reply(ECHO, environment={"KEY": "{env.BOT_KEY}"})


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("no-such-program", "x"), "there is no program 'no-such-program'; is it installed"),
        (("bot.py",), r"there is no program 'bot.py'; write ./bot.py"),
        (("./bot.py",), r"bot.py' is not executable; make it executable"),
        (("./missing",), r"there is no program .*missing"),
        (("./nothing.sh",), "it cannot be started: .*; does its first line name an interpreter"),
    ],
)
async def test_a_program_that_cannot_be_started_is_the_users_to_mend(
    folder: Folder, command: tuple[str, ...], said: str
) -> None:
    script = folder.path / "nothing.sh"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    with pytest.raises(UserError, match=said):
        await folder.reply(ECHO, command=command)


async def test_a_folder_that_does_not_exist_is_the_users_to_mend(folder: Folder) -> None:
    with pytest.raises(UserError, match=r"the folder .*gone' does not exist"):
        await folder.reply(ECHO, folder=str(folder.path / "gone"))


async def test_python_is_the_one_on_the_path_else_the_one_that_runs_hairpin(folder: Folder) -> None:
    code = "for line in sys.stdin: say(text=sys.executable)"
    reply = await folder.reply(code, command=("python", "-S", "-E", "bot.py"), environ={"PATH": str(folder.path)})
    assert reply.text == sys.executable
    (folder.path / "python").symlink_to("/bin/false")
    with pytest.raises(SutConnectionError, match="exit code 1"):
        await folder.reply(code, command=("python", "bot.py"), environ={"PATH": str(folder.path)})


async def test_a_program_runs_in_the_scenarios_folder(folder: Folder) -> None:
    assert (await folder.reply("for line in sys.stdin: say(text=os.getcwd())")).text == str(folder.path)


async def test_it_does_not_hear_the_users_interrupt(folder: Folder) -> None:
    """Ctrl-C is for Hairpin, which ends its programs itself."""
    async with folder.session("for line in sys.stdin: say(text=str(os.getpgid(0)))") as session:
        assert await session.send("Hi") != SutReply(text=str(os.getpgid(0)))
    assert signal.getsignal(signal.SIGINT) is not None


def test_says_who_it_is_and_what_it_can_be_given(folder: Folder) -> None:
    adapter = folder.adapter(ECHO, command=("python", "bot.py"))
    assert (adapter.describe().name, adapter.describe().transport) == ("python bot.py", "process")
    assert adapter.capabilities.takes_reference_text
    assert not adapter.capabilities.accepts_history
    assert folder.adapter(ECHO + " # changed", command=("python", "bot.py")).describe() != adapter.describe()
    named = folder.adapter(ECHO, name="bot", version="2", send={"all": "{messages}"}, reply=ReplyPaths(text="x"))
    assert (named.describe().name, named.describe().version) == ("bot", "2")
    assert named.capabilities.accepts_history
    assert not named.capabilities.takes_reference_text
