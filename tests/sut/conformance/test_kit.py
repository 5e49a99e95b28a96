"""The conformance kit: finds the one fault of each planted assistant, names it, and leaves sound ones alone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest

from hairpin.domain.sut import SessionStart
from hairpin.errors import SutConnectionError
from hairpin.ports import SutAdapter, SutSession
from hairpin.sut.callables import adapter_of
from hairpin.sut.conformance import process_table
from hairpin.sut.conformance.kit import check_adapter
from hairpin.sut.conformance.report import CheckStatus, ConformanceReport, ConformanceSettings
from hairpin.testbed.adapter import TestbedAdapter
from tests.sut.conformance import planted

pytestmark = pytest.mark.anyio

QUICK = ConformanceSettings(timeout_s=0.6, close_timeout_s=0.3)


async def checked(make: Callable[[], object], settings: ConformanceSettings = QUICK) -> ConformanceReport:
    before = asyncio.all_tasks()
    report = await check_adapter(
        adapter_of(make(), name="planted"), settings=settings, fresh=lambda: adapter_of(make(), name="planted")
    )
    for task in asyncio.all_tasks() - before:
        task.cancel()
    return report


def failures(report: ConformanceReport) -> dict[str, str]:
    return {f.id: f.detail for f in report.findings if f.status is CheckStatus.FAILED}


@pytest.mark.parametrize(
    "make",
    [
        planted.Deterministic,
        planted.RandomOne,
        planted.Echo,
        lambda: planted.plain_echo,
        planted.Attentive,
        planted.NeedsItsTask,
        TestbedAdapter,
    ],
    ids=["deterministic", "random", "echo", "plain function", "attentive", "task group", "testbed"],
)
async def test_an_assistant_that_is_in_order_passes(make: Callable[[], object]) -> None:
    report = await checked(make)
    assert failures(report) == {}
    assert report.passed
    assert report.finding("isolation").status is CheckStatus.OK


@pytest.mark.parametrize(
    ("make", "check", "evidence"),
    [
        (planted.OneSharedSession, "isolation", "was told"),
        (planted.CarriesOver, "isolation", "whenever a session before said"),
        (planted.LeaksFromTheThird, "isolation", "was told"),
        (planted.SwallowsCancellation, "cancellation", "swallowed the cancellation"),
        (planted.RenamesCancellation, "cancellation", "turned the cancellation into ValueError: interrupted"),
        (planted.KeepsCancellationToItself, "cancellation", "swallowed the cancellation"),
        (planted.reordering_echo, "load", "only session"),
        (planted.reordering_deterministic, "load", "that is the reply of session"),
        (planted.EchoHearsOneKilobyte, "long_utterance", "the first 1,024 came back"),
        (planted.HearsOneKilobyte, "long_utterance", "the utterance is cut"),
        (planted.SaysOneKilobyte, "long_replies", "exactly 1,024 characters"),
        (planted.AnswersLate, "order", "a turn late"),
        (planted.LosesAccents, "unicode", "came back as"),
        (planted.FailsWithoutWords, "empty", "neither answered nor refused"),
        (planted.IgnoresHistory, "history", "accepts_history is declared"),
        (planted.CloseHangs, "close", "did not end within"),
        (planted.CloseEndsAll, "close", "sessions share what close ends"),
        (planted.late_echo, "cancellation", "late reply of the cancelled one"),
        (planted.late_deterministic, "cancellation", "late reply of the cancelled one"),
        (planted.LiesAboutSessions, "max_sessions", "all lines are busy"),
        (planted.LeavesTasks, "left_behind", "_keep_alive"),
        (planted.ReturnsNumbers, "answers", "type int"),
    ],
)
async def test_a_planted_fault_is_found_by_the_check_for_it_and_by_no_other(
    make: Callable[[], object], check: str, evidence: str
) -> None:
    found = failures(await checked(make))
    assert list(found) == [check], found
    assert evidence in found[check]


@pytest.mark.parametrize("make", [planted.OneSharedCount, planted.RandomOne], ids=["a counter", "a generator"])
async def test_what_sessions_share_without_a_word_of_another_is_noted(make: Callable[[], object]) -> None:
    """Drawing from one generator of random numbers cannot be told from counting, so it is no failure."""
    report = await checked(make)
    assert report.finding("determinism").status is CheckStatus.NOTE
    assert "sessions share something" in report.finding("determinism").detail
    assert report.passed


class _Unreachable(SutAdapter):
    async def open(self, start: SessionStart) -> SutSession:
        raise SutConnectionError("nobody listens there")


async def test_an_assistant_that_cannot_be_reached_is_no_finding() -> None:
    with pytest.raises(SutConnectionError, match="nobody listens"):
        await checked(_Unreachable)


class _NeverAnswers(SutAdapter):
    async def open(self, start: SessionStart) -> SutSession:
        return _Silent()


class _Silent(SutSession):
    async def send(self, utterance: str) -> str:
        await anyio.sleep_forever()
        raise AssertionError


async def test_of_one_that_never_answers_nothing_more_is_asked() -> None:
    report = await checked(_NeverAnswers, ConformanceSettings(timeout_s=0.05))
    assert list(failures(report)) == ["answers"]
    assert report.finding("load").status is CheckStatus.SKIPPED
    assert report.n_sessions == 1


async def test_when_the_time_of_the_kit_is_over_what_is_left_is_skipped() -> None:
    report = await checked(planted.Deterministic, ConformanceSettings(total_s=0.05))
    assert "is over" in report.finding("history").detail
    assert report.finding("left_behind").status is CheckStatus.OK


@pytest.fixture
def released() -> Iterator[None]:
    """Let what is left behind end, or the event loop of the tests never would."""
    planted.IgnoresCancellation.released = False
    yield
    planted.IgnoresCancellation.released = True


@pytest.mark.usefixtures("released")
async def test_a_turn_that_never_ends_is_left_behind_and_named() -> None:
    report = await check_adapter(adapter_of(planted.IgnoresCancellation(), name="planted"), settings=QUICK)
    planted.IgnoresCancellation.released = True
    found = failures(report)
    assert list(found) == ["cancellation", "left_behind"], found
    assert "ignored the cancellation and was left behind" in found["cancellation"]
    assert "send of session" in found["left_behind"]
    assert "_deaf" in found["left_behind"]


async def test_a_constructor_that_hangs_is_left_behind_and_told() -> None:
    over = threading.Event()
    try:
        report = await check_adapter(
            adapter_of(planted.Deterministic(), name="planted"), settings=QUICK, fresh=lambda: _hangs(over)
        )
    finally:
        over.set()
    assert report.passed
    assert "no other adapter could be made: not within 0.6 s" in report.finding("isolation").detail


def _hangs(over: threading.Event) -> SutAdapter:
    over.wait()
    return planted.Deterministic()


async def test_where_the_system_does_not_show_processes_the_last_check_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(process_table, "_PROC", tmp_path / "proc")
    report = await checked(planted.Echo)
    assert report.finding("left_behind").status is CheckStatus.OK
    assert "were not looked for" in report.finding("left_behind").detail
