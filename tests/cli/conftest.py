"""The command line in this process: quick, with its exit code, stdout and stderr."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hairpin.cli import application
from tests.cli.replay_runs import ReplayRuns, replay_runs


@dataclass(frozen=True)
class Answer:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Cli:
    """A user's folder with the command line in it."""

    folder: Path

    def write(self, name: str, text: str) -> Path:
        """Write a text file, dedented."""
        return self.write_bytes(name, textwrap.dedent(text).encode())

    def write_bytes(self, name: str, data: bytes) -> Path:
        """Write a file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def __call__(self, *arguments: str) -> Answer:
        """Run a command. Whatever goes wrong, it must end with an exit code and without a traceback."""
        result = CliRunner().invoke(application, list(arguments))
        assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
        assert "Traceback" not in result.output
        return Answer(result.exit_code, result.stdout, result.stderr)

    def run_folder(self) -> Path:
        """Return the folder of the one run."""
        (folder,) = (self.folder / "runs").iterdir()
        return folder


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(tmp_path)


@pytest.fixture(scope="session")
def replays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReplayRuns]:
    """Runs of replays; nobody may write into their folders."""
    with replay_runs(tmp_path_factory.mktemp("replays")) as runs:
        yield runs
