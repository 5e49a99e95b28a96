"""Output that goes into a pipe whose reader leaves early."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tests.patience import SLOWNESS

if TYPE_CHECKING:
    from tests.e2e.conftest import Workspace


def test_a_reader_that_leaves_changes_no_exit_code(workspace: Workspace) -> None:
    workspace.write("s.yaml", "id: a\nsut: testbed\nturns: [{user: hello}]\noracles: []\nchecks: [{regex: .}]\n")
    process = subprocess.Popen(
        workspace.command("run", "s.yaml"), cwd=workspace.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=60 * SLOWNESS)
    assert process.returncode == 0, err.decode()
    assert b"BrokenPipe" not in err
