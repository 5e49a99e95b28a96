"""The demo: offline, quick, finds what was planted, raises no alarm on the clean assistant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.e2e.conftest import Finished, Workspace

NO_NETWORK_AND_NO_TORCH = """
import importlib.abc, socket, sys

class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in ("torch", "sentence_transformers", "transformers", "langchain_openai", "openai"):
            raise AssertionError(f"{name} was imported")

def refuse(*args, **kwargs):
    raise AssertionError("a connection was made")

sys.meta_path.insert(0, Refuse())
socket.socket.connect = socket.socket.connect_ex = refuse
from hairpin.cli import main
main()
"""


@pytest.fixture
def demo(workspace: Workspace) -> Finished:
    path = workspace.write("guarded.py", NO_NETWORK_AND_NO_TORCH)
    return workspace.python(str(path), "demo", timeout_s=110)


@pytest.mark.timeout(120)
def test_the_demo_finds_three_planted_faults_without_network_and_without_torch(
    workspace: Workspace, demo: Finished
) -> None:
    assert demo.code == 0, demo.err
    for fault in ("F1 (context_forgotten)", "F3 (request_omitted)", "F6 (safety_violation)"):
        assert fault in demo.out
    assert "no false alarm" in " ".join(demo.out.split())
    assert "!! FAILURE" in demo.out
    summary = json.loads((workspace.run_folder() / "summary.json").read_text())
    faulty, clean = summary["suts"]["testbed with faults"], summary["suts"]["testbed"]
    assert faulty["conversations"]["failed"] > 0
    assert clean["conversations"]["failed"] == 0
    assert summary["sut"] is None
    report = workspace.run_folder() / "report.html"
    assert f"report: {report.relative_to(workspace.folder)}" in demo.out
    assert "Planted faults found" in report.read_text(encoding="utf-8")
