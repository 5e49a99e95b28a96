"""Same scenario, same random seed: the same summary apart from times and ids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hairpin.app.demo import CLEAN, FAULTY, demo_request
from hairpin.app.run import run_scenario

pytestmark = pytest.mark.anyio


async def summary_of(out: Path, *, concurrency: int) -> Any:
    request = demo_request(out=out, concurrency=concurrency)
    finished = await run_scenario(request)
    summary = finished.report.summary.model_dump(mode="json")
    assert summary.pop("run_id")
    assert summary.pop("elapsed_s") >= 0
    return summary


async def test_the_same_random_seed_gives_the_same_summary_whatever_the_concurrency(tmp_path: Path) -> None:
    first = await summary_of(tmp_path / "first", concurrency=1)
    second = await summary_of(tmp_path / "second", concurrency=7)
    assert first == second
    assert first["suts"][FAULTY]["conversations"]["failed"] > 0
    assert first["suts"][CLEAN]["conversations"]["failed"] == 0
