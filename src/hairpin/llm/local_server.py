"""A model file served over HTTP by a child process that Hairpin owns, from start to end.

What is asked of the model, and by whom, it does not know.
"""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import aiohttp
import anyio

from hairpin.errors import HairpinError, UserError
from hairpin.sut.threads import run_in_daemon_thread

_MAGIC: Final = b"GGUF"
_POLL_S: Final = 0.02
_TERMINATE_S: Final = 5.0
_TAIL_BYTES: Final = 4096


class LocalServerError(HairpinError):
    """The model server did not start, or ended by itself; says why and where its log is."""


class LocalServer:
    """Serves one GGUF file with an OpenAI-compatible API on 127.0.0.1 and a free port.

    Args:
        gguf: the model file.
        context_tokens: context size of each conversation, in tokens.
        n_parallel: requests answered at the same time; each has its own context, so memory grows with it.
        n_threads: threads that compute; ``None``: one per core.
        log_path: where the server's log goes; ``None``: a temporary file that is removed in the end.
        start_timeout_s: seconds until a server that does not answer counts as broken.

    Raises:
        UserError: xllamacpp is not installed, or ``gguf`` is no GGUF file.
    """

    def __init__(
        self,
        gguf: Path,
        *,
        context_tokens: int = 8192,
        n_parallel: int = 1,
        n_threads: int | None = None,
        log_path: Path | None = None,
        start_timeout_s: float = 300.0,
    ) -> None:
        check_runtime()
        check_gguf(gguf)
        self.gguf = gguf
        self.api_key = secrets.token_urlsafe(24)
        self._settings = {
            "gguf": str(gguf),
            "alias": gguf.name,
            "api_key": self.api_key,
            "context_tokens": context_tokens,
            "n_parallel": n_parallel,
            "n_threads": n_threads or os.cpu_count() or 1,
            "parent_pid": os.getpid(),
        }
        self._log_path = log_path
        self._keeps_log = log_path is not None
        self._start_timeout_s = start_timeout_s
        self._starting = anyio.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._first_line: Future[str] = Future()
        self._address: str | None = None

    @property
    def base_url(self) -> str:
        """Where an OpenAI client finds it; it also needs ``api_key``."""
        if self._address is None:
            raise LocalServerError(f"{self.gguf.name}: the model server has not been started")
        return f"{self._address}/v1"

    @property
    def pid(self) -> int | None:
        """The child's process id while there is one."""
        return self._process.pid if self._process is not None else None

    async def start(self) -> None:
        """Start the server if it is not running, and wait until it answers.

        A cancelled start goes on loading: the next call waits for the rest.

        Raises:
            UserError: the file cannot be loaded.
            LocalServerError: it does not answer in time, or has ended by itself.
        """
        async with self._starting:
            if self._address is None:
                self._address = await self._bring_up()
            else:
                self._check_running()

    async def aclose(self) -> None:
        """End the server; when this returns the process is gone."""
        with anyio.CancelScope(shield=True):
            await self._kill()
        self._address = None
        if self._log_path is not None and not self._keeps_log:
            self._log_path.unlink(missing_ok=True)
            self._log_path = None

    async def __aenter__(self) -> Self:
        try:
            await self.start()
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _bring_up(self) -> str:
        """Return the address once the server answers there."""
        if self._process is None:
            self._spawn()
        try:
            with anyio.fail_after(self._start_timeout_s):
                address = (await run_in_daemon_thread(self._first_line.result)).strip()
                if address:
                    await _wait_until_healthy(address)
        except TimeoutError:
            await self._kill()
            raise LocalServerError(self._failure(f"did not answer within {self._start_timeout_s:g} s")) from None
        if not address:
            raise await self._load_error()
        return address

    def _spawn(self) -> None:
        self._first_line = Future()
        # Threads that spin while they wait for each other are ten times slower when anything else runs on their cores.
        environ = {"OMP_WAIT_POLICY": "passive", **os.environ}
        with self._open_log() as log:
            process = subprocess.Popen(
                # -P: a module of the user's folder must not be taken for one of the libraries.
                [sys.executable, "-P", "-m", "hairpin.llm.local_child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environ,
                # Ctrl-C is for Hairpin, which ends the server when it has ended the conversations.
                start_new_session=True,
            )
        self._process = process
        assert process.stdin is not None
        process.stdin.write(json.dumps(self._settings).encode() + b"\n")
        process.stdin.flush()
        threading.Thread(target=_read_first_line, args=(process, self._first_line), daemon=True).start()

    def _open_log(self) -> IO[bytes]:
        if self._log_path is None:
            handle, name = tempfile.mkstemp(prefix="hairpin-model-", suffix=".log")
            self._log_path = Path(name)
            return os.fdopen(handle, "wb")
        try:
            self._log_path.parent.mkdir(parents=True, exist_ok=True)
            return self._log_path.open("ab")
        except OSError as error:
            raise UserError(f"{self._log_path}: the model server's log cannot be written: {error.strerror}") from error

    def _check_running(self) -> None:
        assert self._process is not None
        status = self._process.poll()
        if status is not None:
            raise LocalServerError(self._failure(f"ended by itself with {_describe_status(status)}"))

    async def _load_error(self) -> HairpinError:
        process = self._process
        assert process is not None
        status = await _wait_for(process, _TERMINATE_S)
        await self._kill()
        if status is None or status < 0:
            return LocalServerError(self._failure(f"ended while loading with {_describe_status(status)}"))
        return UserError(f"{self.gguf}: the model cannot be loaded: {self._last_words()}")

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        if await _wait_for(process, _TERMINATE_S) is None:
            process.kill()
            await _wait_for(process, _TERMINATE_S)
        # Not standard output: a thread may still be reading its end of file, and closes it.
        if process.stdin is not None:
            process.stdin.close()

    def _failure(self, what: str) -> str:
        return f"the model server of {self.gguf.name} {what}; its last words: {self._last_words()}"

    def _last_words(self) -> str:
        """Return the last error of the log, else its last line."""
        lines: list[str] = []
        if self._log_path is not None and self._log_path.is_file():
            text = self._log_path.read_bytes()[-_TAIL_BYTES:].decode("utf-8", "replace")
            lines = [line.strip() for line in text.splitlines() if line.strip()]
        errors = [line for line in lines if " E " in line]
        return (errors or lines or ["(none)"])[-1][:300]


def check_runtime() -> None:
    """Raise UserError when xllamacpp is not installed."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise UserError("models from GGUF files need xllamacpp, which is not installed: pip install 'hairpin[local]'")


def check_gguf(path: Path) -> None:
    """Raise UserError, naming ``path``, when it is no GGUF file."""
    try:
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
    except OSError as error:
        raise UserError(f"{path}: the model file cannot be read: {error.strerror}") from error
    if start != _MAGIC:
        raise UserError(f"{path}: not a GGUF file (it does not begin with {_MAGIC.decode()!r})")


def _read_first_line(process: subprocess.Popen[bytes], line: Future[str]) -> None:
    assert process.stdout is not None
    with process.stdout as stream:
        line.set_result(stream.readline().decode("utf-8", "replace"))


async def _wait_for(process: subprocess.Popen[bytes], timeout_s: float) -> int | None:
    """Return the exit status once there is one, ``None`` after ``timeout_s``."""
    with anyio.move_on_after(timeout_s):
        while process.poll() is None:  # noqa: ASYNC110  # nothing tells of a process's end but asking it
            await anyio.sleep(_POLL_S)
    return process.poll()


async def _wait_until_healthy(address: str) -> None:
    async with aiohttp.ClientSession() as client:
        while True:
            try:
                async with client.get(f"{address}/health") as response:
                    if response.status == 200:
                        return
            except aiohttp.ClientError:
                pass  # it listens in a moment, or the deadline says that it does not
            await anyio.sleep(_POLL_S)


def _describe_status(status: int | None) -> str:
    if status is None:
        return "no exit status"
    return f"signal {-status}" if status < 0 else f"exit status {status}"
