"""``hairpin benchmark faults`` as users type it: few conversations, gone on with after an interruption, or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hairpin.app import fault_benchmark
from hairpin.app.request import FinishedRun
from hairpin.errors import HairpinError
from tests.cli.conftest import Cli

pytestmark = pytest.mark.timeout(300)

SMALL = ("benchmark", "faults", "--faults", "F6", "--pools", "in_car/paper", "--part", "in-sample")


def test_what_was_found_is_printed_and_written_and_gone_on_with_where_it_was_stopped(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second of two runs breaks; the same command keeps the first and makes the second."""
    command = (*SMALL, "--conversations", "2", "--out", "bench")
    run_unit = fault_benchmark.run_unit

    async def broken(*arguments: object, **options: object) -> FinishedRun:
        unit = arguments[1]
        if unit.name.endswith("F6"):  # type: ignore[attr-defined]
            raise HairpinError("the machine was switched off")
        return await run_unit(*arguments, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(fault_benchmark, "run_unit", broken)
        stopped = cli(*command)
    assert stopped.code != 0
    assert "switched off" in stopped.err
    (first,) = runs_in(cli.folder / "bench")

    done = cli(*command)
    assert done.code == 0
    assert "run 1 of" not in done.err
    assert "run 2 of 2" in done.err
    assert first in runs_in(cli.folder / "bench")
    assert "Seeded faults: found and made up" in done.out
    assert done.out.splitlines()[-1].endswith("benchmark.html")

    told = cli(*command, "--json")
    report = json.loads(told.out)
    assert report == json.loads((cli.folder / "bench" / "results.json").read_text())
    assert len(report["runs"]) == 2
    assert not report["notes"]
    assert "run 1 of" not in told.err


def runs_in(folder: Path) -> list[Path]:
    """Return the folders of the runs below a benchmark's."""
    return sorted(path.parent for path in folder.glob("*/*/*.sqlite*") if path.suffix in {".sqlite", ".sqlite3"})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--faults", "F13"), "unknown fault 'F13'"),
        (("--part", "elsewhere"), "unknown part 'elsewhere'"),
        (("--faults", "F1,F1"), "give each once"),
        (("--set", "sut=echo"), "the benchmark sets that itself"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_runs(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    told = cli("benchmark", "faults", *arguments, "--out", "bench")
    assert told.code == 2
    assert said in told.err
    assert not (cli.folder / "bench").exists()


def test_another_benchmark_does_not_go_on_in_the_same_folder(cli: Cli) -> None:
    cli.write("bench/benchmark.json", "{}")
    told = cli(*SMALL, "--conversations", "1", "--out", "bench")
    assert told.code == 2
    assert "is not what a benchmark writes" in told.err
