"""Ctrl-C and its kin: no request afterwards, every session closed, an exit code that is not success."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from hairpin.api import load_run
from hairpin.app.inputs import load_inputs
from hairpin.app.request import RunRequest
from hairpin.app.run import run_scenario
from hairpin.app.stored import open_stored
from hairpin.domain.outcome import Verdict
from hairpin.domain.records import RunStatus
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import OpenAiCompatibleSut
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.build import build_adapter
from hairpin.testing import FakeAnswer, FakeModelServer
from tests.e2e.model_runs import model_at, scenario_of, write_scenario
from tests.patience import SLOWNESS

if TYPE_CHECKING:
    from tests.e2e.conftest import Workspace

SLOW = """
    import time
    from pathlib import Path

    def answer(utterance, start, history):
        Path("asked.txt").open("a").write(start.conversation_id + "\\n")
        if start.conversation_id != "c0001":
            time.sleep(30)
        return "fine"
"""
SCENARIO = """
    id: slow
    sut: ./ica.py:answer
    turns: [{user: one}, {user: two}]
    checks: [{regex: .}]
    oracles: []
    repeats: 6
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_run_with_its_own_exit_code_and_a_report_marked_interrupted(
    workspace: Workspace, number: signal.Signals, code: int
) -> None:
    workspace.write("ica.py", SLOW)
    workspace.write("s.yaml", SCENARIO)
    process = workspace.start("run", "s.yaml", "--concurrency", "2")
    asked = workspace.folder / "asked.txt"
    _wait_until(lambda: asked.exists() and asked.read_text().count("c0003") == 1)
    process.send_signal(number)
    out, err = process.communicate(timeout=20 * SLOWNESS)
    assert process.returncode == code
    assert "interrupted" in err
    assert "Traceback" not in err
    assert "destroyed" not in err
    assert "interrupted" in out
    summary = json.loads((workspace.run_folder() / "summary.json").read_text())
    assert summary["status"] == "interrupted"
    counts = summary["conversations"]
    assert (counts["planned"], counts["passed"], counts["missing"]) == (6, 1, 5)
    assert set(asked.read_text().split()) == {"c0001", "c0002", "c0003"}
    verdicts = [r.outcome and r.outcome.judgement.verdict for r in load_run(workspace.run_folder()).conversations()]
    assert verdicts == [Verdict.PASS, None, None, None, None, None]
    assert "interrupted" in (workspace.run_folder() / "report.html").read_text()


def test_a_second_signal_ends_the_process_at_once(workspace: Workspace) -> None:
    workspace.write(
        "ica.py",
        """
        import anyio
        import hairpin

        class Clingy(hairpin.SutSession):
            async def send(self, utterance):
                open("asked.txt", "w").close()
                await anyio.sleep(30)

            async def close(self):
                await anyio.sleep(30)

        class Ica(hairpin.SutAdapter):
            async def open(self, start):
                return Clingy()
        """,
    )
    workspace.write("s.yaml", SCENARIO.replace(":answer", ":Ica"))
    process = workspace.start("run", "s.yaml")
    _wait_until((workspace.folder / "asked.txt").exists)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "interrupted" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=5 * SLOWNESS)
    assert process.returncode == 130


def test_two_signals_end_a_process_whose_event_loop_is_busy(workspace: Workspace) -> None:
    """A pattern that backtracks for ever holds the loop and the interpreter; a handler of Python's own still runs."""
    workspace.write("ica.py", "def answer(utterance):\n    open('asked.txt', 'w').close()\n    return 'a' * 60 + '!'\n")
    workspace.write("s.yaml", SCENARIO.replace("{regex: .}", "{regex: '(a+)+$'}").replace("repeats: 6", "repeats: 1"))
    process = workspace.start("run", "s.yaml")
    _wait_until((workspace.folder / "asked.txt").exists)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "interrupted" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10 * SLOWNESS)
    assert process.returncode == 130


def _wait_until(holds: Any) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline, "the run did not get going"
        time.sleep(0.02)


class CountingAdapter(SutAdapter):
    """Answers at once and counts its sessions."""

    def __init__(self) -> None:
        self.opened = self.closed = 0

    async def open(self, start: SessionStart) -> SutSession:
        self.opened += 1
        return _CountedSession(self)


class _CountedSession:
    def __init__(self, adapter: CountingAdapter) -> None:
        self._adapter = adapter

    async def send(self, utterance: str) -> str:
        return "fine"

    async def close(self) -> None:
        self._adapter.closed += 1


class ClosingSpy(SutAdapter):
    """Passes everything on to another adapter and counts open sessions."""

    def __init__(self, inner: SutAdapter) -> None:
        self._inner = inner
        self.opened = self.closed = 0

    async def open(self, start: SessionStart) -> SutSession:
        session, spy = await self._inner.open(start), self
        self.opened += 1

        class Spied:
            async def send(self, utterance: str) -> SutReply | str:
                return await session.send(utterance)

            async def close(self) -> None:
                await session.close()
                spy.closed += 1

        return Spied()

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _cancelled_after(server: FakeModelServer, n_requests: int, request: RunRequest) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(run_scenario, request)
        await server.wait_for_requests(n_requests)
        group.cancel_scope.cancel()
    await server.wait_until_idle()
    await anyio.sleep(0.3)
    assert len(server.requests) == n_requests
    assert all(asked.client_gone for asked in server.requests)


@pytest.mark.anyio
async def test_cancelling_in_mid_turn_leaves_no_request_and_no_open_session(tmp_path: Path) -> None:
    scenario = tmp_path / "s.yaml"
    scenario.write_text("id: a\nsut: testbed\nseed_phrases: [Guide me to Marienplatz, Find a pharmacy near me]\n")
    async with FakeModelServer(default=FakeAnswer(text="late", delay_s=30)) as server:
        spec = OpenAiCompatibleSut(base_url=server.base_url, model="m")
        spy = ClosingSpy(build_adapter(spec, default_gguf=None, environ={}))
        request = RunRequest(inputs=load_inputs(scenario), adapters={"model": spy}, out=tmp_path / "runs")
        await _cancelled_after(server, 2, request)
    assert (spy.opened, spy.closed) == (2, 2)


@pytest.mark.anyio
async def test_cancelling_while_four_judges_ask_a_model_leaves_no_request_and_no_open_session(tmp_path: Path) -> None:
    """The branches of the judges are what a scope around the graph would orphan."""
    async with FakeModelServer(default=FakeAnswer(text="late", delay_s=30)) as server:
        # Said how answers are asked for, the judges need not wait until one of them has found out.
        judge = model_at(server, structured_output="json_schema_strict")
        inputs = load_inputs(write_scenario(tmp_path, scenario_of({"conversation_judge": judge})))
        adapter = CountingAdapter()
        request = RunRequest(inputs=inputs, adapters={"calm": adapter}, out=tmp_path / "runs", canary=False)
        await _cancelled_after(server, 4, request)
    assert (adapter.opened, adapter.closed) == (1, 1)
    (run_folder,) = (tmp_path / "runs").iterdir()
    with open_stored(run_folder) as stored:
        (record,) = stored.conversations()
        assert len(record.exchanges) == 2
        assert record.outcome is None
        assert stored.run_info().status is RunStatus.INTERRUPTED
        assert stored.summary().llm.failed == {"cancelled": 4}
