"""The benchmark of seeded faults from Python, as ``hairpin benchmark faults`` runs it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hairpin
from hairpin.errors import InvalidInputError, UserError

SMALL: dict[str, Any] = {
    "faults": "F6",
    "pools": ["in_car/paper"],
    "part": "in-sample",
    "conversations": 1,
    "overrides": {"max_turns": 2},
}


def test_it_runs_what_is_left_and_writes_pages(tmp_path: Path) -> None:
    out = tmp_path / "small"
    report = hairpin.benchmark_faults(**SMALL, judge="ours", out=out)
    assert isinstance(report, hairpin.BenchmarkReport)
    assert (report.manifest.faults, report.manifest.parts) == (("F6",), ("in-sample",))
    assert report.manifest.judges == (("ours", "max_turns=2", ""),)
    assert [(found.fault, found.n_conversations) for found in report.labelled.recalls] == [("F6", 1)]
    assert report.labelled.alarms[0].alarms.n <= 4 * 2
    assert report == hairpin.BenchmarkReport.model_validate_json((out / "results.json").read_bytes())
    assert (out / "benchmark.html").stat().st_size > 1000
    stored = {path: path.stat().st_mtime_ns for path in out.rglob("run.sqlite")}
    assert len(stored) == 2
    assert hairpin.benchmark_faults(**SMALL, judge="ours", out=out) == report
    assert {path: path.stat().st_mtime_ns for path in out.rglob("run.sqlite")} == stored


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"faults": ["F6", "F99"]}, UserError, "F99"),
        ({"part": "test"}, UserError, "unknown part 'test'"),
        ({"pools": "in_car/none"}, UserError, "in_car/none"),
        ({"overrides": {"sut": "echo"}}, InvalidInputError, "the benchmark sets that itself"),
        ({"overrides": {"models": object()}}, InvalidInputError, r"overrides\['models'\]"),
        ({"judge": "x" * 61}, InvalidInputError, "names no judge"),
        ({"conversations": 0}, ValueError, "conversations must be at least 1"),
        ({"concurrency": 0}, ValueError, "concurrency must be at least 1"),
    ],
)
def test_what_cannot_be_run_is_said_before_a_folder_is_made(
    tmp_path: Path, wrong: dict[str, Any], error: type[Exception], message: str
) -> None:
    out = tmp_path / "small"
    with pytest.raises(error, match=message):
        hairpin.benchmark_faults(**{**SMALL, **wrong}, out=out)
    assert not out.exists()


def test_another_benchmark_is_not_mixed_with_it(tmp_path: Path) -> None:
    (tmp_path / "benchmark.json").write_text("{}")
    with pytest.raises(InvalidInputError, match="is not what a benchmark writes"):
        hairpin.benchmark_faults(**SMALL, out=tmp_path)
