"""A real language model as the assistant, served from a GGUF file (``HAIRPIN_GGUF``)."""

from __future__ import annotations

from pathlib import Path

import pytest

import hairpin
from hairpin.domain.outcome import Verdict

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
