"""``hairpin sut check``: whether an assistant is fit for a campaign, as a table and an exit code."""

from __future__ import annotations

import json
import os
import signal
import socket
from typing import TYPE_CHECKING

import pytest

from hairpin.testing import FakeModelServer
from tests.e2e.model_runs import model_at
from tests.patience import SLOWNESS

if TYPE_CHECKING:
    from tests.cli.conftest import Cli
    from tests.e2e.conftest import Workspace

SHARED = """
    last = ["nothing"]

    def answer(utterance):
        before, last[0] = last[0], utterance
        print("this goes nowhere near the table")
        return f"You said: {utterance} Before: {before}"
"""

GOES_SILENT = """
    import asyncio

    n_turns = 0

    async def answer(utterance):
        global n_turns
        n_turns += 1
        await asyncio.sleep(0 if n_turns < 6 else 3600)
        return f"You said: {utterance}"
"""

DEAF = """
    import asyncio

    async def work(utterance):
        try:
            await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            while True:
                try:
                    await asyncio.sleep(0.05)
                except asyncio.CancelledError:
                    pass
        return f"You said: {utterance}"

    async def answer(utterance):
        return await asyncio.get_running_loop().create_task(work(utterance))
"""

LEAKY = """
    id: leaky
    sut: {provider: testbed, faults: [F12]}
    seed_phrases: [Take me to the Olympiapark, Drive me to Riem without motorways]
    contexts: [{location: Munich}]
"""


def test_the_reference_assistant_passes_with_a_row_per_check(quick: Cli) -> None:
    done = quick("sut", "check", "testbed")
    assert done.code == 0, done.out
    rows = [line for line in done.out.splitlines() if line and not line.startswith(" ")]
    assert [row.split()[0] for row in rows[:3]] == ["description", "answers", "close"]
    assert "fit for a campaign" in rows[-1]
    assert "Guide me to Marienplatz" in done.out, "the phrases of the shipped scenario are said to it"
    assert "FAILED" not in done.out


def test_a_leak_between_sessions_is_named_and_fails(workspace: Workspace) -> None:
    workspace.write("ica.py", SHARED)
    done = workspace.hairpin("sut", "check", "./ica.py:answer")
    assert done.code == 1
    (row,) = [line for line in done.out.splitlines() if " FAILED " in line]
    assert row.startswith("isolation")
    assert "not fit for a campaign" in done.out
    assert "nowhere near" not in done.out
    assert "nowhere near" in done.err


def test_a_seeded_leak_of_the_reference_assistant_is_found(quick: Cli) -> None:
    quick.write("leaky.yaml", LEAKY)
    done = quick("sut", "check", "leaky.yaml", "--json")
    report = json.loads(done.out)
    assert done.code == 1
    assert [finding["id"] for finding in report["findings"] if finding["status"] == "failed"] == ["isolation"]


def test_with_json_stdout_is_the_report_alone(quick: Cli) -> None:
    quick.write("ica.py", "def answer(utterance):\n    return 'You said: ' + utterance\n")
    done = quick("sut", "check", "./ica.py:answer", "--json", "--say", "Good morning", "--sessions", "3")
    report = json.loads(done.out)
    assert done.code == 0
    assert report["schema_version"] == 1
    assert {"id", "title", "status", "detail"} == set(report["findings"][0])
    details = {finding["id"]: finding["detail"] for finding in report["findings"]}
    assert "Good morning" in details["answers"]
    assert "3 sessions at once" in details["load"]


def test_the_assistant_of_a_scenario_is_checked_with_what_its_users_say(quick: Cli) -> None:
    with FakeModelServer() as server:
        sut = json.dumps(model_at(server))
        quick.write("s.yaml", f"{{id: s, sut: {sut}, turns: [{{user: Where is the library}}], checks: [{{regex: .}}]}}")
        done = quick("sut", "check", "s.yaml")
        assert any("Where is the library" in str(request.body) for request in server.requests)
    assert done.code == 0, done.out


def test_an_assistant_that_cannot_be_reached_is_no_failed_check(quick: Cli) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        sut = json.dumps({"provider": "openai-compatible", "base_url": address, "model": "m"})
        quick.write("s.yaml", f"{{id: s, sut: {sut}, seed_phrases: [Hello there]}}")
        done = quick("sut", "check", "s.yaml")
    assert done.code == 3
    assert "cannot connect" in done.err


@pytest.mark.parametrize(
    ("adapter", "said"),
    [
        ("testbet", "did you mean 'testbed'?"),
        ("navigatoin", "did you mean 'navigation'?"),
        ("./nowhere.py:Name", "nowhere.py"),
        ("nowhere.yaml", "nowhere.yaml"),
        ("http", "does not say enough"),
    ],
)
def test_what_names_no_assistant_is_the_users_to_mend(quick: Cli, adapter: str, said: str) -> None:
    done = quick("sut", "check", adapter)
    assert done.code == 2
    assert said in done.err


def test_recorded_conversations_are_no_assistant(quick: Cli) -> None:
    turn = json.dumps({"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]})
    quick.write("chats.jsonl", turn)
    quick.write("s.yaml", "{id: s, sut: {provider: recorded, file: chats.jsonl}}")
    done = quick("sut", "check", "s.yaml")
    assert done.code == 2
    assert "no assistant to check" in done.err


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("as_json", [False, True], ids=["table", "json"])
def test_ctrl_c_ends_the_checks_with_what_was_found_so_far(workspace: Workspace, *, as_json: bool) -> None:
    workspace.write("ica.py", GOES_SILENT + '    print("imported", flush=True)\n')
    with workspace.start("sut", "check", "./ica.py:answer", *(["--json"] if as_json else [])) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        rows = "" if as_json else process.stdout.readline()
        while as_json and "imported" not in (line := process.stderr.readline()):
            assert line, "it ended by itself"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30 * SLOWNESS)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    if as_json:
        findings = {finding["id"]: finding for finding in json.loads(out)["findings"]}
        assert findings["load"] == {**findings["load"], "status": "skipped", "detail": "interrupted"}
    else:
        assert "ending the checks" in err
        assert (rows + out).startswith("description")
        assert "fit for a campaign" not in out


def test_an_assistant_that_never_lets_go_of_a_turn_cannot_hold_the_command(workspace: Workspace) -> None:
    workspace.write("ica.py", DEAF)
    done = workspace.hairpin("sut", "check", "./ica.py:answer", "--json", timeout_s=110)
    assert done.code == 1, done.err
    found = {f["id"]: f["detail"] for f in json.loads(done.out)["findings"] if f["status"] == "failed"}
    assert "cancellation" in found
    assert "work" in found["left_behind"]
