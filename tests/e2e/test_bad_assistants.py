"""Assistants that are down, raise, say nothing or hang: the run ends, says so, and keeps what was said before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from hairpin.api import load_run
from hairpin.domain.outcome import Blame, StopReason, Verdict

if TYPE_CHECKING:
    from tests.e2e.conftest import Finished, Workspace

SCENARIO = """
    id: bad
    sut: {sut}
    turns: [{{user: one}}, {{user: two}}, {{user: three}}, {{user: four}}, {{user: five}}]
    checks: [{{regex: .*}}]
    oracles: []
    turn_timeout_s: {timeout_s}
"""


def run(workspace: Workspace, sut: str, *, timeout_s: float = 20) -> Finished:
    workspace.write("s.yaml", SCENARIO.format(sut=sut, timeout_s=timeout_s))
    finished = workspace.hairpin("run", "s.yaml")
    assert "Traceback" not in finished.err
    return finished


def only_conversation(workspace: Workspace) -> Any:
    (record,) = load_run(workspace.run_folder()).conversations()
    return record


def test_an_assistant_that_is_down_stops_the_run_with_exit_code_3(workspace: Workspace) -> None:
    finished = run(workspace, "{provider: openai-compatible, base_url: 'http://127.0.0.1:9/v1', model: m}")
    assert finished.code == 3
    assert "127.0.0.1:9" in finished.err
    record = only_conversation(workspace)
    assert record.outcome.stop.reason is StopReason.SUT_UNREACHABLE
    assert record.outcome.judgement.blame is Blame.SUT
    assert record.outcome.pending_utterance == "one"


def test_an_assistant_that_raises_at_turn_3_keeps_its_first_three_turns(workspace: Workspace) -> None:
    workspace.write(
        "ica.py",
        """
        def answer(utterance, start, history):
            if len(history) == 3:
                raise RuntimeError("out of coffee")
            return "fine"
        """,
    )
    finished = run(workspace, "./ica.py:answer")
    assert finished.code == 3
    assert "out of coffee" in finished.out
    record = only_conversation(workspace)
    assert [exchange.user for exchange in record.exchanges] == ["one", "two", "three"]
    assert record.outcome.pending_utterance == "four"
    assert record.outcome.stop.reason is StopReason.SUT_ERROR
    assert record.outcome.judgement.verdict is Verdict.INVALID
    summary = json.loads((workspace.run_folder() / "summary.json").read_text())
    assert summary["invalid_by_blame"] == {"sut": 1}
    assert summary["failure_rate"] is None


def test_an_assistant_that_says_nothing_has_answered(workspace: Workspace) -> None:
    workspace.write("ica.py", "def answer(utterance):\n    return ''\n")
    finished = run(workspace, "./ica.py:answer")
    assert finished.code == 0
    assert [exchange.assistant for exchange in only_conversation(workspace).exchanges] == [""] * 5


def test_an_assistant_that_returns_none_breaks_the_contract(workspace: Workspace) -> None:
    workspace.write("ica.py", "def answer(utterance):\n    return None\n")
    finished = run(workspace, "./ica.py:answer")
    assert finished.code == 3
    record = only_conversation(workspace)
    assert record.outcome.stop.reason is StopReason.ADAPTER_FAULT
    assert record.outcome.judgement.blame is Blame.ADAPTER
    assert "returned None" in record.outcome.stop.detail


@pytest.mark.parametrize("how", ["import time\n\n\ndef", "import anyio\n\n\nasync def"], ids=["sync", "async"])
def test_an_assistant_that_hangs_for_ever_is_left_and_the_process_ends(workspace: Workspace, how: str) -> None:
    wait = "await anyio.sleep(10**6)" if "async" in how else "time.sleep(10**6)"
    body = f"(utterance, start, history):\n    if history:\n        {wait}\n    return 'fine'\n"
    workspace.write("ica.py", f"{how} answer{body}")
    finished = run(workspace, "./ica.py:answer", timeout_s=0.3)
    assert finished.code == 3
    record = only_conversation(workspace)
    assert len(record.exchanges) == 1
    assert record.outcome.stop.reason is StopReason.SUT_ERROR
    assert "0.3 s" in record.outcome.stop.detail


def test_an_adapter_that_exits_the_process_does_not(workspace: Workspace) -> None:
    workspace.write("ica.py", "import sys\n\n\ndef answer(utterance):\n    sys.exit(0)\n")
    assert run(workspace, "./ica.py:answer").code == 3
    assert only_conversation(workspace).outcome.stop.reason is StopReason.SUT_ERROR


def test_a_missing_key_stops_the_run_before_anything_is_asked(workspace: Workspace) -> None:
    sut = "{provider: openai-compatible, base_url: 'http://127.0.0.1:9/v1', model: m, api_key_env: MY_ICA_KEY}"
    finished = run(workspace, sut)
    assert finished.code == 2
    assert "MY_ICA_KEY" in finished.err


def test_a_check_that_breaks_is_blamed_on_whoever_wrote_it(workspace: Workspace) -> None:
    workspace.write("ica.py", "def answer(utterance):\n    return 'fine'\n")
    workspace.write("mine.py", "def check(reply):\n    return 1 / 0\n")
    workspace.write(
        "s.yaml", "id: a\nsut: ./ica.py:answer\nturns: [{user: hi}]\noracles: []\nchecks: [./mine.py:check]\n"
    )
    finished = workspace.hairpin("run", "s.yaml")
    assert finished.code == 3
    record = only_conversation(workspace)
    assert record.outcome.stop.reason is StopReason.CHECK_FAULT
    assert record.outcome.judgement.blame is Blame.USER
    assert "./mine.py:check" in record.outcome.stop.detail
    assert "mine.py:2" in record.outcome.stop.detail
    assert "Hairpin itself" not in finished.out


BAD_CLOSING = """
    import time
    import anyio
    import hairpin


    class Session(hairpin.SutSession):
        async def send(self, utterance):
            print("the assistant prints")
            return "fine"


    class Ica(hairpin.SutAdapter):
        async def open(self, start):
            return Session()

        {aclose}
"""


@pytest.mark.parametrize(
    "aclose",
    [
        "async def aclose(self): raise ValueError('will not')",
        "def aclose(self): raise SystemExit(5)",
    ],
)
def test_an_adapter_that_cannot_be_closed_costs_no_report(workspace: Workspace, aclose: str) -> None:
    workspace.write("ica.py", BAD_CLOSING.format(aclose=aclose))
    finished = run(workspace, "./ica.py:Ica")
    assert finished.code == 0
    assert "closed" in finished.err
    assert (workspace.run_folder() / "report.html").exists()


def test_what_the_assistant_prints_stays_out_of_the_results(workspace: Workspace) -> None:
    workspace.write("ica.py", BAD_CLOSING.format(aclose=""))
    workspace.write("s.yaml", SCENARIO.format(sut="./ica.py:Ica", timeout_s=20))
    finished = workspace.hairpin("run", "s.yaml", "--json")
    assert json.loads(finished.out)["conversations"]["passed"] == 1
    assert "the assistant prints" in finished.err


def test_a_thread_pool_call_that_never_returns_does_not_keep_the_process_alive(workspace: Workspace) -> None:
    workspace.write(
        "ica.py",
        """
        import asyncio
        import time

        async def answer(utterance):
            return await asyncio.to_thread(time.sleep, 10**6)
        """,
    )
    assert run(workspace, "./ica.py:answer", timeout_s=0.3).code == 3
    assert only_conversation(workspace).outcome.stop.reason is StopReason.SUT_ERROR


def test_more_conversations_than_any_run_can_hold_are_refused_at_once(workspace: Workspace) -> None:
    workspace.write("s.yaml", SCENARIO.format(sut="testbed", timeout_s=20))
    finished = workspace.hairpin("run", "s.yaml", "--set", "repeats=1000000000")
    assert finished.code == 2
    assert "1000000000 repeats" in finished.err
