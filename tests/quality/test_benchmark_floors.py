"""A small benchmark of seeded faults: what is held out is found often enough, and little is made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.analysis.fault_benchmark_model import Part
from hairpin.app.fault_benchmark import BenchmarkRequest, run_benchmark
from hairpin.app.fault_units import LABELLED, BenchmarkPlan, load_units

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]

RECALL = 0.6
"""Right label at the right turn, over all faults; the floor of the whole benchmark is 0.7, this sample is small."""

FALSE_ALARMS = 5
"""Per 100 turns; the floor of the whole benchmark is 3."""


async def test_held_out_faults_are_found_and_little_is_made_up(tmp_path: Path) -> None:
    plan = BenchmarkPlan(faults=LABELLED, pools=("in_car/extended",), parts=(Part.HELD_OUT,), n_conversations=8)
    report = await run_benchmark(BenchmarkRequest(plan=plan, out=tmp_path / "out"), load_units(plan))
    (overall,) = report.labelled.overall(Part.HELD_OUT)
    assert overall.found.n >= 20
    assert (overall.labelled.rate or 0) >= RECALL
    (alarms,) = report.labelled.alarms
    assert alarms.alarms.per_100 is not None
    assert alarms.alarms.per_100 <= FALSE_ALARMS
