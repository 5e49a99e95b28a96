"""Whole runs: a user's folder, and the command line as users start it."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.e2e.warm_hairpin import WarmHairpin, warm_hairpin
from tests.patience import SLOWNESS
from tests.postgres import postgres_url

__all__ = ["postgres_url"]


@dataclass(frozen=True)
class Finished:
    """A process that ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Workspace:
    """A user's folder with the command line in it."""

    folder: Path

    def write(self, name: str, text: str) -> Path:
        """Write a file, dedented."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def hairpin(self, *arguments: str, timeout_s: float = 60, env: Mapping[str, str] | None = None) -> Finished:
        """Run the command line to its end; a process that does not end fails the test."""
        return self._finished(self.command(*arguments), timeout_s, env or {})

    def python(self, *arguments: str, timeout_s: float = 60) -> Finished:
        """Run the interpreter to its end."""
        return self._finished([sys.executable, *arguments], timeout_s, {})

    def _finished(self, command: list[str], timeout_s: float, env: Mapping[str, str]) -> Finished:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, **env},
            capture_output=True,
            timeout=timeout_s * SLOWNESS,
            check=False,
        )
        return Finished(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the command line and leave it running."""
        return subprocess.Popen(
            self.command(*arguments), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def command(self, *arguments: str) -> list[str]:
        """Return what to start."""
        return [sys.executable, "-c", "from hairpin.cli import main; main()", *arguments]

    def run_folder(self) -> Path:
        """Return the one run's folder."""
        (folder,) = (self.folder / "runs").iterdir()
        return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


@pytest.fixture
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Return the command line in this process: LangChain takes seconds to load in each new one."""
    monkeypatch.chdir(tmp_path)
    return Cli(tmp_path)


@pytest.fixture(scope="session")
def warm() -> Iterator[WarmHairpin]:
    """Return what starts the command line in processes of their own at once."""
    with warm_hairpin() as started:
        yield started
