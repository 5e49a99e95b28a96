"""The command line in processes that start at once: each is a fork of one that has loaded everything already.

    python -m tests.e2e.warm_hairpin

What a user starts takes seconds to load, in which there is nothing to kill; a fork is killed like any other process.
It holds no tests.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.patience import SLOWNESS

ROOT: Final = Path(__file__).parents[2]
LOADED_BEFORE: Final = (
    "hairpin.app.campaign_inputs",
    "hairpin.app.forecast",
    "hairpin.app.models",
    "hairpin.app.resume",
    "hairpin.cli.execution",
    "hairpin.cli.progress",
    "hairpin.reports.campaign",
    "hairpin.reports.campaign_results",
    "hairpin.reports.failure_vectors",
    "hairpin.reports.terminal",
    "hairpin.store.postgres",
    "langchain_openai",
    "matplotlib.backends.backend_svg",
    "sklearn.cluster",
)
LOOK_EVERY_S: Final = 0.01


@dataclass
class Process:
    """The command line, running. ``code`` is negative when a signal killed it, ``None`` while it runs."""

    pid: int
    folder: Path
    code: int | None = None
    _ended: threading.Event = field(default_factory=threading.Event)

    @property
    def out(self) -> str:
        return (self.folder / "out.txt").read_text(encoding="utf-8", errors="replace")

    @property
    def err(self) -> str:
        return (self.folder / "err.txt").read_text(encoding="utf-8", errors="replace")

    @property
    def running(self) -> bool:
        return not self._ended.is_set()

    def send(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        if self.running:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def wait(self, timeout_s: float = 60) -> int:
        """Wait until it has ended; return its exit code. Raises TimeoutError."""
        if not self._ended.wait(timeout_s):
            raise TimeoutError(f"still running after {timeout_s:g} s; it said: {self.err}")
        assert self.code is not None
        return self.code

    def ended(self, code: int) -> None:
        """Note that it has ended."""
        self.code = code
        self._ended.set()


class WarmHairpin:
    """Starts processes; every one writes what it says into a folder of its own below ``folder``."""

    def __init__(self, parent: subprocess.Popen[str]) -> None:
        self._parent = parent
        self._processes: dict[int, Process] = {}
        self._started: list[int] = []
        self._changed = threading.Condition()
        self._number = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def start(self, *arguments: str, cwd: Path, env: Mapping[str, str] | None = None, files: int = 0) -> Process:
        """Start the command line in ``cwd``. ``files``: the most bytes that a file may have, 0 for no limit."""
        self._number += 1
        folder = cwd / "said" / str(self._number)
        folder.mkdir(parents=True)
        wanted = {"argv": arguments, "cwd": str(cwd), "said": str(folder), "env": dict(env or {}), "fsize": files}
        assert self._parent.stdin is not None
        self._parent.stdin.write(json.dumps(wanted) + "\n")
        self._parent.stdin.flush()
        with self._changed:
            assert self._changed.wait_for(lambda: self._started, timeout=30 * SLOWNESS), "no process was started"
            pid = self._started.pop()
            process = self._processes[pid]
            process.folder = folder
            return process

    def run(self, *arguments: str, cwd: Path, **options: Any) -> Process:
        """Start the command line and wait until it has ended."""
        process = self.start(*arguments, cwd=cwd, **options)
        process.wait()
        return process

    def kill_all(self) -> None:
        """End what still runs."""
        for process in self._processes.values():
            process.send(signal.SIGKILL)

    def _listen(self) -> None:
        assert self._parent.stdout is not None
        for line in self._parent.stdout:
            told = json.loads(line)
            with self._changed:
                if told["code"] is None:
                    self._processes[told["pid"]] = Process(told["pid"], Path())
                    self._started.append(told["pid"])
                    self._changed.notify_all()
                else:
                    self._processes[told["pid"]].ended(told["code"])


@contextmanager
def warm_hairpin() -> Iterator[WarmHairpin]:
    """Load everything once; nothing that was started outlives the block."""
    command = [sys.executable, "-m", "tests.e2e.warm_hairpin"]
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
    ) as parent:
        warm = WarmHairpin(parent)
        try:
            yield warm
        finally:
            warm.kill_all()
            parent.kill()


def _serve() -> None:
    """Fork a process for each line of stdin, and tell on stdout when one began and when it ended."""
    for module in LOADED_BEFORE:
        importlib.import_module(module)
    from hairpin.cli import main

    while True:
        _tell_ended()
        if select.select([sys.stdin], [], [], LOOK_EVERY_S)[0]:
            line = sys.stdin.readline()
            if not line:
                return
            pid = os.fork()
            if pid == 0:
                _become(json.loads(line), main)
            _tell(pid, None)


def _tell_ended() -> None:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            _tell(ended[0], os.waitstatus_to_exitcode(ended[1]))


def _tell(pid: int, code: int | None) -> None:
    sys.stdout.write(json.dumps({"pid": pid, "code": code}) + "\n")
    sys.stdout.flush()


def _become(wanted: dict[str, Any], main: Callable[[], None]) -> None:
    """Be a process that was started with these arguments, to its end."""
    os.chdir(wanted["cwd"])
    os.environ.update(wanted["env"])
    said = Path(wanted["said"])
    for number, name in ((1, "out.txt"), (2, "err.txt")):
        os.dup2(os.open(said / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    if wanted["fsize"]:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (wanted["fsize"], wanted["fsize"]))
    sys.argv = ["hairpin", *wanted["argv"]]
    main()
    sys.exit(0)


if __name__ == "__main__":
    _serve()
