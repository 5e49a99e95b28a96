"""The benchmark through ordinary runs: it can be gone on with, and shows wrong judges for what they are."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from hairpin.agents.planted import PlantedJudge
from hairpin.analysis.fault_benchmark_model import FalseAlarms, FaultRecall, Part
from hairpin.app import fault_benchmark
from hairpin.app.fault_benchmark import (
    BenchmarkReport,
    BenchmarkRequest,
    claim_folder,
    driving,
    is_done,
    run_benchmark,
    run_of,
    run_unit,
)
from hairpin.app.fault_pages import full_page, titles_of, write_pages
from hairpin.app.fault_units import BenchmarkPlan, JudgeChoice, Unit, load_units
from hairpin.app.request import FinishedRun, RunRequest
from hairpin.app.resume import Resumable, resume_run
from hairpin.app.spending import SpendingLimits
from hairpin.app.system import SystemClock
from hairpin.campaign.events import RunListener, SilentListener
from hairpin.errors import InvalidInputError, RunBusyError, StoreError
from hairpin.graph.stopping import StopToken
from hairpin.store.runs import create_store

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]

JUDGES = (JudgeChoice(), *(JudgeChoice(kind.value, planted=kind) for kind in PlantedJudge))
PLAN = BenchmarkPlan(
    faults=("F1", "F6"), pools=("in_car/paper",), parts=(Part.IN_SAMPLE,), n_conversations=6, judges=JUDGES
)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def units() -> tuple[Unit, ...]:
    return load_units(PLAN)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("benchmark") / "out"


@pytest.fixture(scope="module")
async def report(units: tuple[Unit, ...], out: Path) -> BenchmarkReport:
    return await run_benchmark(BenchmarkRequest(plan=PLAN, out=out), units)


def recall_of(report: BenchmarkReport, judge: str, fault: str | None) -> FaultRecall:
    return next(r for r in report.labelled.recalls if (r.cell.judge, r.fault) == (judge, fault))


def alarms_of(report: BenchmarkReport, judge: str) -> FalseAlarms:
    return next(a for a in report.labelled.alarms if a.cell.judge == judge)


def per_100(report: BenchmarkReport, judge: str) -> float:
    rate = alarms_of(report, judge).alarms.per_100
    assert rate is not None
    return rate


async def test_the_offline_judge_finds_what_struck_and_makes_up_next_to_nothing(report: BenchmarkReport) -> None:
    recall = recall_of(report, "offline", None)
    assert recall.found.n >= 5
    assert (recall.at_turn.rate or 0) >= 0.8
    assert per_100(report, "offline") <= 3


async def test_a_judge_that_always_fails_finds_all_and_makes_up_more_than_a_label_a_turn(
    report: BenchmarkReport,
) -> None:
    assert recall_of(report, "always_fail", None).found.rate == 1
    assert per_100(report, "always_fail") > 100
    assert alarms_of(report, "always_fail").failed.rate == 1


async def test_a_judge_that_always_passes_finds_nothing(report: BenchmarkReport) -> None:
    recall = recall_of(report, "always_pass", None)
    assert (recall.found.rate, recall.first) == (0, None)
    assert per_100(report, "always_pass") == 0


async def test_a_judge_that_errs_at_random_makes_up_about_as_much_as_it_errs(report: BenchmarkReport) -> None:
    rate = alarms_of(report, "random_errors").alarms
    assert rate.high is not None
    assert rate.low <= 20 <= rate.high
    assert rate.low > 3


async def test_a_judge_of_the_last_turn_alone_forgets_what_was_forgotten(report: BenchmarkReport) -> None:
    kept, lost = recall_of(report, "offline", "F1"), recall_of(report, "last_turn_only", "F1")
    assert kept.strikes.rate is not None
    assert lost.strikes.rate is not None
    assert lost.strikes.rate < kept.strikes.rate / 2
    assert (recall_of(report, "last_turn_only", "F6").at_turn.rate or 0) >= 0.8


async def test_what_is_done_is_read_again_and_comes_to_the_same(
    report: BenchmarkReport, units: tuple[Unit, ...], out: Path
) -> None:
    request = BenchmarkRequest(plan=PLAN, out=out)
    assert all(is_done(request, unit) for unit in units)
    assert await run_benchmark(request, units) == report


async def test_another_benchmark_does_not_go_on_in_its_folder(report: BenchmarkReport, out: Path) -> None:
    other = BenchmarkPlan(faults=("F2",), n_conversations=1)
    assert report.runs
    with pytest.raises(InvalidInputError, match="another benchmark is there"):
        await run_benchmark(BenchmarkRequest(plan=other, out=out), ())


async def test_pages_have_every_table_and_the_figures_as_json(
    report: BenchmarkReport, units: tuple[Unit, ...], out: Path
) -> None:
    write_pages(out, units, report)
    assert BenchmarkReport.model_validate_json((out / "results.json").read_bytes()) == report
    page = full_page(units, report)
    assert {"benchmark-overview", "recall-in-sample", "false-alarms", "confusion", "fault-strategies"} == {
        section.id for section in page.sections
    }
    html, markdown = (out / "benchmark.html").read_text("utf-8"), (out / "benchmark.md").read_text("utf-8")
    for title in ("True fault and label", "What each strategy finds", titles_of(units)["context_forgotten"]):
        assert title in html
        assert title in markdown


ONE = BenchmarkPlan(faults=("F6",), pools=("in_car/paper",), parts=(Part.IN_SAMPLE,), n_conversations=1)


async def test_limits_given_when_a_run_is_gone_on_with_replace_those_it_began_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that a limit ended could never be finished otherwise."""
    *_, unit = load_units(ONE)
    begun = BenchmarkRequest(plan=ONE, out=tmp_path, concurrency=1)
    await run_unit(begun, unit, listener=SilentListener(), stop=StopToken())
    asked: list[RunRequest] = []

    async def resumed(resumable: Resumable, *, listener: RunListener) -> FinishedRun:
        asked.append(resumable.request)
        return await resume_run(resumable, listener=listener)

    monkeypatch.setattr(fault_benchmark, "resume_run", resumed)
    limits, cache = SpendingLimits(max_tokens=99_000), tmp_path / "cache"
    again = replace(begun, concurrency=3, spending=limits, cache=cache)
    await run_unit(again, unit, listener=SilentListener(), stop=StopToken())
    assert [(each.concurrency, each.spending, each.cache) for each in asked] == [(3, limits, cache)]


def test_a_run_that_was_killed_before_it_began_is_begun_anew(tmp_path: Path) -> None:
    """Its folder has a database, and no run in it."""
    *_, unit = load_units(ONE)
    request = BenchmarkRequest(plan=ONE, out=tmp_path)
    (tmp_path / unit.name / "killed").mkdir(parents=True)
    create_store(tmp_path / unit.name / "killed" / "run.sqlite", clock=SystemClock()).close()
    assert run_of(request, unit) is None
    assert not is_done(request, unit)


def test_what_a_claim_that_was_killed_has_left_is_no_other_benchmark(tmp_path: Path) -> None:
    (tmp_path / ".benchmark.json.4711.tmp").write_text('{"fau')
    (tmp_path / "benchmark.json.lock").write_text("process 4711")
    claim_folder(BenchmarkRequest(plan=PLAN, out=tmp_path))
    assert (tmp_path / "benchmark.json").is_file()


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InvalidInputError, match="is there already"):
        claim_folder(BenchmarkRequest(plan=PLAN, out=tmp_path))


def test_a_folder_that_cannot_be_made_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for out in (tmp_path / "file" / "benchmark", tmp_path / ("x" * 300)):
        with pytest.raises(StoreError, match="name one that can be written with --out"):
            claim_folder(BenchmarkRequest(plan=PLAN, out=out))


def test_two_processes_do_not_run_one_benchmark_at_once(tmp_path: Path) -> None:
    request = BenchmarkRequest(plan=ONE, out=tmp_path)
    with (
        driving(request),
        pytest.raises(RunBusyError, match=rf"process {os.getpid()} .* is running this benchmark already; wait"),
        driving(request),
    ):
        pass
    with driving(request):  # it is given back
        pass
