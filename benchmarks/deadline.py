"""Whether a campaign ends in time: the last requests, the end of the run and its report, against its ``--time``.

    python -m benchmarks.deadline [SECONDS]

Models and assistant take a second for each answer. Prints one figure a line; exits with 1 when a conversation is lost,
or the run did not end by its time and one call, or its report took more than ten seconds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest
from hairpin.testing.role_player import play_roles

LATENCY_S: Final = 1.0
REPORT_S: Final = 10.0


def role(request: FakeRequest) -> FakeAnswer:
    return FakeAnswer(text=play_roles(request), delay_s=LATENCY_S)


def main() -> None:
    time_s = float(sys.argv[1]) if len(sys.argv) > 1 else 120.0
    with (
        tempfile.TemporaryDirectory() as name,
        FakeModelServer(default=role) as roles,
        FakeModelServer(default=FakeAnswer(text="Noted.", delay_s=LATENCY_S)) as assistant,
    ):
        folder = Path(name)
        (folder / "s.yaml").write_text(json.dumps(scenario_of(roles, assistant)), encoding="utf-8")
        command = [sys.executable, "-c", "from hairpin.cli import main; main()", "campaign", "s.yaml", "--no-canary"]
        options = ["--arms", "guided", "--time", f"{time_s:g}", "--fail-on", "none"]
        subprocess.run([*command, *options], cwd=folder, check=True, capture_output=True)
        ended_s = time.time()
        sys.exit(not tell(folder, time_s, ended_s, roles, assistant))


def scenario_of(roles: FakeModelServer, assistant: FakeModelServer) -> dict[str, Any]:
    model = {"provider": "openai-compatible", "base_url": roles.base_url, "model": "m"}
    return {
        "id": "deadline",
        "sut": {"provider": "openai-compatible", "base_url": assistant.base_url, "model": "ica"},
        "models": {"default": {**model, "structured_output": "json_schema_strict"}},
        "seed_phrases": [f"Guide me to stop {number:03d}" for number in range(100)],
        "contexts": [{"location": "Garching"}],
        "max_turns": 8,
    }


def tell(folder: Path, time_s: float, ended_s: float, roles: FakeModelServer, assistant: FakeModelServer) -> bool:
    """Print the figures, in seconds from the first request; return whether they are as they must be."""
    (run,) = (folder / "runs").iterdir()
    offset_s = time.time() - time.monotonic()
    began_s = roles.requests[0].received_at + offset_s
    log = [json.loads(line) for line in (run / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    (run_ended,) = (
        datetime.fromisoformat(entry["timestamp"]).timestamp() for entry in log if entry["event"] == "run_ended"
    )
    counts = json.loads((run / "summary.json").read_text(encoding="utf-8"))["conversations"]
    figures = {
        "time given": time_s,
        "last utterance to the assistant": max(r.received_at for r in assistant.requests) + offset_s - began_s,
        "last request to a model": max(r.received_at for r in roles.requests) + offset_s - began_s,
        "run ended": run_ended - began_s,
        "report took": (run / "report.html").stat().st_mtime - run_ended,
        "process ended after the report": ended_s - (run / "report.html").stat().st_mtime,
    }
    for name, figure in figures.items():
        print(f"{name:32} {figure:8.2f} s")
    print("conversations: " + ", ".join(f"{number} {name}" for name, number in counts.items()))
    in_time = figures["run ended"] <= time_s + LATENCY_S and figures["report took"] <= REPORT_S
    return in_time and not counts["missing"] and not counts["invalid"]


if __name__ == "__main__":
    main()
