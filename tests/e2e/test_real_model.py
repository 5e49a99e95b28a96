"""A real language model as the assistant, served from a GGUF file (``HAIRPIN_GGUF``)."""

from __future__ import annotations

from pathlib import Path

import pytest

import hairpin
from hairpin.domain.outcome import StopReason, Verdict

pytestmark = [pytest.mark.llm, pytest.mark.timeout(1200)]


def test_a_shipped_scenario_drives_a_real_model_to_a_verdict(gguf: Path, tmp_path: Path) -> None:
    assert gguf.is_file()
    result = hairpin.run(
        "local_model",
        out=tmp_path / "runs",
        fail_on="none",
        overrides={"max_turns": "3", "personas": "[polite]", "turn_timeout_s": "300"},
    )
    records = list(result.conversations())
    assert len(records) == 2
    for record in records:
        assert record.outcome is not None
        assert record.outcome.judgement.verdict in (Verdict.PASS, Verdict.FAIL)
        assert all(exchange.assistant for exchange in record.exchanges)
    assert result.summary.sut is not None
    assert result.summary.sut.transport == "local"


def test_a_real_model_in_every_role_brings_each_conversation_to_a_documented_end(gguf: Path, tmp_path: Path) -> None:
    """A small model falls out of its role; then the simulator or the judge is to blame, and never the assistant."""
    assert gguf.is_file()
    result = hairpin.run(
        "model_roles",
        out=tmp_path / "runs",
        fail_on="none",
        canary=False,
        concurrency=1,
        overrides={"max_turns": "2", "seed_phrases": '["Guide me to Marienplatz while avoiding toll roads"]'},
    )
    (record,) = result.conversations()
    assert record.outcome is not None
    stop = record.outcome.stop
    own_faults = {StopReason.SIMULATOR_FAULT, StopReason.JUDGE_FAULT, StopReason.TRUNCATED}
    if stop.reason in own_faults:
        assert record.outcome.judgement.verdict is Verdict.INVALID
        assert stop.blame is not None
        assert stop.role is not None
    else:
        assert stop.reason in {StopReason.TURNS_EXHAUSTED, StopReason.TARGETS_RESOLVED}
        assert record.outcome.judgement.verdict in (Verdict.PASS, Verdict.FAIL)
        assert len(record.scores) == 4
    usage = result.summary.llm
    assert usage.by_role.keys() >= {"extractor", "simulator"}
    assert usage.requests_without_usage == 0
    assert usage.cost_usd == 0
