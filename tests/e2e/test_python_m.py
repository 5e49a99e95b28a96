"""The command line without its script."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING, NoReturn

import pytest

from hairpin.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.e2e.conftest import Workspace


def test_the_package_can_be_run(workspace: Workspace) -> None:
    done = workspace.python("-m", "hairpin", "--version")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("hairpin 0.")


def test_its_exit_code_is_the_commands(workspace: Workspace) -> None:
    done = workspace.python("-m", "hairpin", "resume", "nothing")
    assert done.code == 2
    assert "hairpin: " in done.err


class Interrupting(MetaPathFinder):
    """Presses Ctrl-C while the command line is being loaded."""

    def find_spec(self, name: str, _path: Sequence[str] | None, _target: object = None) -> None:
        if name == "hairpin.cli":
            _interrupt()


def _interrupt() -> NoReturn:
    raise KeyboardInterrupt


def test_ctrl_c_while_it_is_loaded_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "hairpin.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 130
    assert capsys.readouterr().err == "hairpin: interrupted\n"
