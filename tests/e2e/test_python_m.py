"""The command line without its script."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.e2e.conftest import Workspace


def test_the_package_can_be_run(workspace: Workspace) -> None:
    done = workspace.python("-m", "hairpin", "--version")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("hairpin 0.")


def test_its_exit_code_is_the_commands(workspace: Workspace) -> None:
    done = workspace.python("-m", "hairpin", "resume", "nothing")
    assert done.code == 2
    assert "hairpin: " in done.err
