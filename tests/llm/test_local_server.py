"""The model server's process: started, waited for, and ended, whatever happens to anybody."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import anyio
import pytest

from hairpin.errors import UserError
from hairpin.llm import local_server
from hairpin.llm.local_server import LocalServer, LocalServerError
from tests.llm.local_server_fixtures import is_running, model_file, put_stand_in, wait_until_gone
from tests.patience import SLOWNESS

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
]


@pytest.fixture(autouse=True)
def _stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_stand_in(tmp_path, monkeypatch)


async def ask(server: LocalServer, *, key: str) -> tuple[int, str]:
    body = {"messages": [{"role": "user", "content": "hi"}]}
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        aiohttp.ClientSession() as client,
        client.post(f"{server.base_url}/chat/completions", json=body, headers=headers) as response,
    ):
        return response.status, await response.text()


async def test_it_answers_once_started_and_is_gone_once_left(tmp_path: Path) -> None:
    async with LocalServer(model_file(tmp_path)) as server:
        pid = server.pid
        assert pid is not None
        assert is_running(pid)
        assert (await ask(server, key=server.api_key))[0] == 200
    assert not is_running(pid)


async def test_only_who_has_its_key_may_ask(tmp_path: Path) -> None:
    async with LocalServer(model_file(tmp_path)) as server:
        assert (await ask(server, key="guessed"))[0] == 401


async def test_starting_twice_starts_one_server(tmp_path: Path) -> None:
    server = LocalServer(model_file(tmp_path, "slow"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.start)
        tasks.start_soon(server.start)
    pid = server.pid
    await server.start()
    assert server.pid == pid
    await server.aclose()


async def test_a_cancelled_start_goes_on_loading_and_the_next_one_waits_for_it(tmp_path: Path) -> None:
    server = LocalServer(model_file(tmp_path, "slow"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.start)
        with anyio.fail_after(20 * SLOWNESS):
            while server.pid is None:  # noqa: ASYNC110  # nothing tells that the process is there but asking
                await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()
    with pytest.raises(LocalServerError, match="has not been started"):
        _ = server.base_url
    pid = server.pid
    await server.start()
    assert server.pid == pid
    assert (await ask(server, key=server.api_key))[0] == 200
    await server.aclose()


async def test_after_it_was_closed_it_can_be_started_again(tmp_path: Path) -> None:
    server = LocalServer(model_file(tmp_path))
    for _ in range(2):
        await server.start()
        assert (await ask(server, key=server.api_key))[0] == 200
        await server.aclose()
    with pytest.raises(LocalServerError, match="has not been started"):
        _ = server.base_url


async def test_the_log_goes_where_it_is_wanted_and_else_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    log = tmp_path / "run" / "model.log"
    async with LocalServer(model_file(tmp_path), log_path=log), LocalServer(model_file(tmp_path, "other")):
        assert len(list(temporary.iterdir())) == 1
    assert list(temporary.iterdir()) == []
    assert "0.1 I loading good" in log.read_text(encoding="utf-8")
    assert "printed by the library" in log.read_text(encoding="utf-8"), "nothing mixes with the address"


async def test_a_model_that_cannot_be_loaded_is_named_with_the_reason(tmp_path: Path) -> None:
    gguf = model_file(tmp_path, "broken")
    server = LocalServer(gguf)
    with pytest.raises(UserError) as caught:
        await server.start()
    assert str(caught.value) == f"{gguf}: the model cannot be loaded: 0.2 E failed to load model"
    assert server.pid is None
    await server.aclose()


async def test_a_server_killed_while_loading_is_not_the_users_fault(tmp_path: Path) -> None:
    """What happens when memory runs out."""
    server = LocalServer(model_file(tmp_path, "killed"))
    with pytest.raises(LocalServerError, match=r"killed\.gguf ended while loading with signal 9; .*0\.1 I loading"):
        await server.start()
    await server.aclose()


async def test_a_server_that_never_answers_is_ended_at_the_deadline(tmp_path: Path) -> None:
    server = LocalServer(model_file(tmp_path, "busy"), start_timeout_s=1.0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_expect_timeout, server)
        await anyio.sleep(0.5)
        pid = server.pid or 0
        assert is_running(pid)
    assert not is_running(pid)
    await server.aclose()


async def _expect_timeout(server: LocalServer) -> None:
    with pytest.raises(LocalServerError, match="did not answer within 1 s"):
        await server.start()


async def test_a_server_that_ended_by_itself_is_noticed(tmp_path: Path) -> None:
    async with LocalServer(model_file(tmp_path)) as server:
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        await wait_until_gone(server.pid)
        with pytest.raises(LocalServerError, match=r"good\.gguf ended by itself with signal 9"):
            await server.start()


async def test_a_server_that_ignores_the_request_to_end_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_server, "_TERMINATE_S", 0.2)
    async with LocalServer(model_file(tmp_path, "stubborn")) as server:
        pid = server.pid
        assert pid is not None
    assert not is_running(pid)


async def test_closing_is_finished_even_when_cancelled(tmp_path: Path) -> None:
    server = LocalServer(model_file(tmp_path))
    await server.start()
    pid = server.pid
    assert pid is not None
    with anyio.CancelScope() as scope:
        scope.cancel()
        await server.aclose()
    assert not is_running(pid)


@contextmanager
def parent_of_a_server(gguf: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process that starts a server and tells its process id once that loads its model."""
    script = f"""
        import anyio
        from pathlib import Path
        from hairpin.llm.local_server import LocalServer

        async def main():
            log = Path({str(gguf)!r} + ".log")
            server = LocalServer(Path({str(gguf)!r}), log_path=log)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(server.start)
                while not log.exists() or "I loading" not in log.read_text():
                    await anyio.sleep(0.01)
                print(server.pid, flush=True)
                await anyio.sleep_forever()

        anyio.run(main)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


@pytest.mark.parametrize("what", ["good", "busy"])
def test_a_killed_parent_leaves_no_server_behind_not_even_one_that_loads(tmp_path: Path, what: str) -> None:
    with parent_of_a_server(model_file(tmp_path, what)) as (parent, server_pid):
        assert is_running(server_pid)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        deadline = time.monotonic() + 20
        while is_running(server_pid) and time.monotonic() < deadline:
            time.sleep(0.01)
    assert not is_running(server_pid)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda folder: folder / "missing.gguf", r"missing\.gguf: the model file cannot be read: No such file"),
        (lambda folder: folder, "the model file cannot be read: Is a directory"),
        (lambda folder: _text_file(folder), r"text\.gguf: not a GGUF file"),
    ],
)
def test_what_is_no_model_file_is_refused_before_anything_starts(tmp_path: Path, make: object, said: str) -> None:
    assert callable(make)
    with pytest.raises(UserError, match=said):
        LocalServer(make(tmp_path))


def _text_file(folder: Path) -> Path:
    path = folder / "text.gguf"
    path.write_text("# Not a model\n", encoding="utf-8")
    return path


def test_without_xllamacpp_the_message_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"pip install 'hairpin\[local\]'"):
        LocalServer(model_file(tmp_path))
