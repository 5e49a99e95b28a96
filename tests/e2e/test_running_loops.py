"""Called from code that has its own event loop, from several threads, again and again (B12)."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import uvloop

import hairpin
from hairpin.errors import InvalidInputError, UserError
from tests.patience import SLOWNESS

SCENARIO = "id: a\nsut: testbed\nturns: [{user: hello}, {user: bye}]\noracles: []\nchecks: [{contains: echo}]\n"


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "s.yaml"
    path.write_text(SCENARIO)
    return path


def assistant(utterance: str) -> str:
    """A plain function that starts a loop of its own."""

    async def think() -> str:
        await asyncio.sleep(0)
        return f"echo {utterance}"

    return asyncio.run(think())


@pytest.mark.parametrize("runner", [asyncio.run, uvloop.run])
def test_inside_a_running_loop_the_error_names_the_async_function(scenario: Path, runner: object) -> None:
    async def main() -> None:
        with pytest.raises(UserError, match=r"hairpin\.arun"):
            hairpin.run(scenario, sut=assistant, out=scenario.parent / "runs")

    assert callable(runner)
    runner(main())


@pytest.mark.parametrize("runner", [asyncio.run, uvloop.run])
def test_the_async_function_works_inside_a_running_loop(scenario: Path, runner: object) -> None:
    async def main() -> hairpin.RunResult:
        return await hairpin.arun(scenario, sut=assistant, out=scenario.parent / "runs")

    assert callable(runner)
    assert runner(main()).passed


def test_it_works_twice_in_a_row_in_one_process(scenario: Path) -> None:
    results = [hairpin.run(scenario, sut=assistant, out=scenario.parent / "runs") for _ in range(2)]
    assert [result.passed for result in results] == [True, True]
    assert results[0].path != results[1].path


def test_it_works_from_two_threads_at_once(scenario: Path) -> None:
    results: list[hairpin.RunResult] = []

    def work() -> None:
        results.append(hairpin.run(scenario, sut=assistant, out=scenario.parent / "runs"))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.passed for result in results] == [True, True]


def test_a_slow_plain_function_does_not_hold_up_the_other_conversations(scenario: Path) -> None:
    """Four conversations meet inside the assistant: if it ran on the loop, only one could ever be there."""
    meeting = threading.Barrier(4, timeout=20 * SLOWNESS)

    def wait_for_the_others(utterance: str) -> str:
        meeting.wait()
        return f"echo {utterance}"

    result = hairpin.run(
        scenario, sut=wait_for_the_others, out=scenario.parent / "runs", concurrency=4, overrides={"repeats": 4}
    )
    assert result.summary.conversations.passed == 4


def test_importing_changes_no_loop_policy() -> None:
    code = (
        "import asyncio; before = type(asyncio.new_event_loop());"
        "import hairpin, hairpin.api; assert type(asyncio.new_event_loop()) is before; print('unchanged')"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "unchanged"


def test_overrides_are_plain_values_and_what_cannot_be_one_is_refused(scenario: Path) -> None:
    out = scenario.parent / "runs"
    result = hairpin.run(scenario, sut=assistant, out=out, overrides={"repeats": 2, "contexts": [{"location": "Ulm"}]})
    assert result.summary.conversations.planned == 2
    assert {c.planned.context.location for c in result.conversations()} == {"Ulm"}
    with pytest.raises(InvalidInputError, match="repeats"):
        hairpin.run(scenario, sut=assistant, out=out, overrides={"repeats": object()})


def test_a_concurrency_of_none_at_all_is_refused(scenario: Path) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        hairpin.run(scenario, sut=assistant, concurrency=0)
