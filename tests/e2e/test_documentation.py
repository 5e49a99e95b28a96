"""What README and docs show is what happens: their files are written, their commands run, their output compared.

In a Markdown page ``<!-- file: NAME -->`` before a code block makes it that file; a block of kind ``console`` holds
commands after ``$`` and, below each, lines that its output must contain in that order (``…`` stands for anything,
``-> N`` for the exit code if it is not 0; lines that begin with ``hairpin:`` are looked for in stderr). A command that
ends with ``&`` is a server: it is left running until the page ends, and the next command waits for its first line. All
blocks of a page share one folder. Ports that begin with 87 are replaced by free ones.
"""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.e2e.conftest import Workspace

ROOT = Path(__file__).parents[2]
PAGES = sorted(path for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
# A fence stands at the start of a line: within a line it belongs to the text, which may itself hold Markdown.
BLOCK = re.compile(
    r"(?:^<!-- file: (?P<file>\S+) -->\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
NOT_HERE = ("make ", "pip install", "git clone")
PORT = re.compile(r"\b87\d\d\b")


@dataclass(frozen=True)
class Command:
    """A documented command with the lines its output must contain."""

    words: str
    expected: tuple[str, ...]
    messages: tuple[str, ...]
    code: int


def commands_of(text: str) -> list[Command]:
    found = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        words, *lines = part.splitlines()
        codes = [int(line.removeprefix("->")) for line in lines if line.startswith("->")]
        messages = tuple(line for line in lines if line.startswith("hairpin:"))
        shown = tuple(line for line in lines if line.strip() and not line.startswith(("->", "hairpin:")))
        found.append(Command(words, shown, messages, codes[0] if codes else 0))
    return found


def contains_in_order(output: str, expected: tuple[str, ...]) -> bool:
    position = 0
    for line in expected:
        pattern = ".*?".join(re.escape(part.strip()) for part in line.split("…"))
        match = re.compile(pattern).search(output, position)
        if match is None:
            return False
        position = match.end()
    return True


@pytest.mark.timeout(240)  # many processes, one after another
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_shows_what_happens(workspace: Workspace, page: Path) -> None:
    text = with_free_ports(page.read_text(encoding="utf-8"))
    blocks = list(BLOCK.finditer(text))
    for block in blocks:
        if block["file"]:
            workspace.write(block["file"], block["text"])
    commands = [command for block in blocks if block["kind"] == "console" for command in commands_of(block["text"])]
    with ExitStack() as servers:
        for command in commands:
            if not command.words.startswith(NOT_HERE):
                follow(command, workspace, servers)


def follow(command: Command, workspace: Workspace, servers: ExitStack) -> None:
    """Run a command and compare what it prints; a server is left running until ``servers`` close."""
    program, *arguments = shlex.split(command.words, comments=True)
    assert program in ("hairpin", "python"), command.words
    if arguments[-1:] == ["&"]:
        started = workspace.command(*arguments[:-1]) if program == "hairpin" else [sys.executable, *arguments[:-1]]
        servers.enter_context(serving(started, workspace.folder))
        return
    done = workspace.python(*arguments) if program == "python" else workspace.hairpin(*arguments)
    assert done.code == command.code, f"{command.words}\n{done.out}{done.err}"
    assert contains_in_order(done.out, command.expected), f"{command.words}\n{done.out}"
    assert contains_in_order(done.err, command.messages), f"{command.words}\n{done.err}"


@contextmanager
def serving(command: list[str], folder: Path) -> Iterator[None]:
    """Start a server, wait until it says something, and end it afterwards."""
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line, f"{command} ended with {process.wait()} and said nothing"
            assert process.poll() is None, line + process.stdout.read()
            yield
        finally:
            process.terminate()
            process.communicate()


def with_free_ports(text: str) -> str:
    """Return ``text`` with each port that it names in the 8700s as one that is free now."""

    @cache
    def free_port(named: str) -> str:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return str(probe.getsockname()[1])

    return PORT.sub(lambda found: free_port(found.group()), text)


def test_the_readme_has_an_adapter_of_under_20_lines_in_a_file_of_the_users_own() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    adapters = [block for block in BLOCK.finditer(text) if block["file"] == "my_ica.py"]
    assert len(adapters) == 1
    assert "hairpin.TextAdapter" in adapters[0]["text"]
    assert len(adapters[0]["text"].splitlines()) < 20


def test_the_order_of_lines_is_compared() -> None:
    assert contains_in_order("one\ntwo three\n", ("one", "two … ee"))
    assert not contains_in_order("two\none\n", ("one", "two"))


def test_each_port_of_a_page_becomes_one_free_port() -> None:
    one, two, again, other = with_free_ports("8701 8702 8701 18701").split()
    assert one == again != two
    assert other == "18701"


def test_a_server_runs_until_the_page_ends_and_one_that_does_not_start_fails_it(tmp_path: Path) -> None:
    with serving([sys.executable, "-c", "import time; print('up'); time.sleep(60)"], tmp_path):
        pass
    with pytest.raises(AssertionError, match="ended with 3"), serving([sys.executable, "-c", "exit(3)"], tmp_path):
        pass


def test_a_block_ends_at_a_fence_of_its_own_line() -> None:
    page = "Say:\n\n<!-- file: a.py -->\n```python\nX = '```json'\n```\n\n```console\n$ python a.py\n```\n"
    script, console = BLOCK.finditer(page)
    assert (script["file"], script["text"]) == ("a.py", "X = '```json'\n")
    assert console["text"] == "$ python a.py\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_fence_of_a_page_belongs_to_a_block(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r"^ *```", text, re.MULTILINE)) == 2 * len(list(BLOCK.finditer(text)))
