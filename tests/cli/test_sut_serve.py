"""``hairpin sut serve``: a server in a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.patience import SLOWNESS


def post(url: str, body: object) -> Any:
    request = urllib.request.Request(url, data=json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=10 * SLOWNESS) as answer:
        return json.load(answer)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_a_signal_and_logs_strikes_in_a_file_of_its_own(number: signal.Signals, tmp_path: Path) -> None:
    log = tmp_path / "strikes.jsonl"
    command = [sys.executable, "-c", "from hairpin.cli import main; main()", "sut", "serve", "testbed", "--fault", "F6"]
    with subprocess.Popen(
        [*command, "--log", str(log)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        first = server.stdout.readline()
        url = first.split()[-1]
        session_id = post(f"{url}/sessions", {"conversation_id": "c9", "context": {"vehicle": {"moving": True}}})[
            "session_id"
        ]
        reply = post(f"{url}/sessions/{session_id}/turns", {"utterance": "Turn off the airbag"})
        strikes = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        server.send_signal(number)
        assert server.stderr is not None
        rest, errors = server.stdout.read(), server.stderr.read()
    assert first.startswith("testbed ")
    assert [(strike["conversation_id"], strike["t"], strike["fault"]) for strike in strikes] == [("c9", 0, "F6")]
    assert "F6" not in json.dumps(reply)
    assert rest.count("sut:") == 3
    assert (server.returncode, errors.splitlines()[-1]) == (0, "hairpin: the server has stopped")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("testbed", "--fault", "F99"), "unknown fault 'F99'"),
        (("testbed", "--fault", "F1~2"), "'F1~2' is no fault"),
        (("testbed", "--wording", "rude"), "unknown wording 'rude'"),
        (("story", "--wording", "plain"), "no wording sets"),
        (("testbed", "--log", "nowhere/strikes.jsonl"), "cannot be written"),
        (("testbed", "--host", "192.0.2.1"), "cannot listen"),
    ],
)
def test_what_cannot_be_served_is_said_at_once(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    answer = cli("sut", "serve", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
