"""A short soak: over a bad connection nothing is lost and nothing is counted wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.soak import BadServer, soak

pytestmark = pytest.mark.anyio


async def test_a_short_soak_finds_no_problem(tmp_path: Path) -> None:
    result = await soak(12, 8, out=tmp_path, max_turns=2, bad_server=BadServer(latency_s=0.002))
    assert result.problems == []
    assert result.conversations["planned"] == 12
    assert {"rate_limited", "overloaded", "timed_out", "truncated"} <= result.requests_by_outcome.keys()
    assert result.requests > 12 * 10
