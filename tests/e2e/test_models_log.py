"""What ``log.jsonl`` says of requests to models."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hairpin.testing import FakeModelServer

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

FINE = '{"reasoning": "All done.", "score": 2}'


def test_at_debug_each_request_has_a_line_with_its_tokens_and_cost_and_without_words(quick: Cli) -> None:
    with FakeModelServer(default=FINE) as server:
        judge = {
            "provider": "openai-compatible",
            "base_url": server.base_url,
            "model": "m",
            "price": {"input": 1000, "output": 1000},
        }
        scenario = {"id": "s", "sut": "testbed", "seed_phrases": ["Guide me to Marienplatz"], "max_turns": 1}
        quick.write("s.yaml", json.dumps({**scenario, "models": {"conversation_judge": judge}}))
        quick("run", "s.yaml", "--no-canary", "--log-level", "debug", "--fail-on", "none")
    logged = [json.loads(line) for line in (quick.run_folder() / "log.jsonl").read_text("utf-8").splitlines()]
    lines = [line for line in logged if line["event"] == "llm_request"]
    assert len(lines) == 4
    for line in lines:
        assert line["role"] == "conversation_judge"
        assert line["prompt_tokens"] > 0
        assert line["cost_usd"] == (line["prompt_tokens"] + line["completion_tokens"]) / 1000
        assert "All done." not in str(line)
