from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from hairpin.embeddings import background
from hairpin.embeddings.background import BackgroundEncoder, BackgroundReport
from hairpin.embeddings.cached import CachedEncoder
from hairpin.errors import EncoderError
from hairpin.ports import FloatMatrix
from tests.embeddings.fake_encoder import FakeEncoder

LONG_S = 20.0


def test_what_was_added_lies_in_the_cache_afterwards(tmp_path: Path) -> None:
    inner = FakeEncoder()
    encoder = CachedEncoder(inner, tmp_path / "v.sqlite")
    warmer = BackgroundEncoder(encoder)
    warmer.add(["one", "two"])
    warmer.add(["three", " "])
    assert warmer.close(LONG_S) == BackgroundReport(n_encoded=3, n_blank=1)
    asked = sum(map(len, inner.asked))
    encoder.encode(["one", "two", "three"])
    assert sum(map(len, inner.asked)) == asked == 3
    encoder.close()


def test_adding_never_waits_and_closing_waits_no_longer_than_allowed() -> None:
    gate = threading.Event()
    warmer = BackgroundEncoder(FakeEncoder(gate=gate))
    warmer.add(str(number) for number in range(1000))
    report = warmer.close(0.01)
    assert (report.n_encoded, report.n_left) == (0, 1000)
    gate.set()
    warmer.add(["too late"])
    assert warmer.close(LONG_S).n_left >= 1, "what comes after closing is left"


def test_what_fails_is_counted_and_said_and_raises_nothing() -> None:
    encoder = FakeEncoder(error=EncoderError("m: needs torch"))
    warmer = BackgroundEncoder(encoder)
    warmer.add(["one", "two"])
    report = warmer.close(LONG_S)
    assert (report.n_encoded, report.n_failed, report.n_left) == (0, 2, 0)
    assert report.reasons[0] == "EncoderError: m: needs torch"


def test_one_failure_does_not_end_it_three_in_a_row_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_BATCH", 1)

    class Picky(FakeEncoder):
        def encode(self, texts: Sequence[str]) -> FloatMatrix:
            vectors = super().encode(texts)
            if texts[0].startswith("bad"):
                raise SystemExit(texts[0])
            return vectors

    encoder = Picky()
    warmer = BackgroundEncoder(encoder)
    warmer.add(["bad 1", "bad 2", "good", "bad 3", "bad 4", "bad 5", "never tried", "nor this"])
    report = warmer.close(LONG_S)
    assert (report.n_encoded, report.n_failed, report.n_left) == (1, 7, 0)
    assert encoder.asked[-1] == ["bad 5"]
    assert len(report.reasons) == 5
    assert report.reasons[0] == "SystemExit: bad 1"


def test_more_than_can_wait_is_left_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_MOST_WAITING", 10)
    gate = threading.Event()
    warmer = BackgroundEncoder(FakeEncoder(gate=gate))
    warmer.add(str(number) for number in range(25))
    assert warmer.report.n_left == 25
    gate.set()
    assert warmer.close(LONG_S) == BackgroundReport(n_encoded=10, n_left=15)


def test_its_thread_is_a_daemon_of_its_own_and_ends_when_closed() -> None:
    encoder = FakeEncoder()
    warmer = BackgroundEncoder(encoder)
    warmer.add(["one"])
    warmer.close(LONG_S)
    (thread,) = encoder.threads
    assert thread.daemon
    assert not thread.is_alive()
    assert warmer.close(LONG_S) == BackgroundReport(n_encoded=1), "closing twice is harmless"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities per thread")
def test_its_thread_has_the_priority_of_the_process() -> None:
    """Were it lower, the campaign would wait for the interpreter's lock while this thread waits for a core."""
    import os

    found: list[int] = []

    class Looks(FakeEncoder):
        def encode(self, texts: Sequence[str]) -> FloatMatrix:
            found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
            return super().encode(texts)

    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    warmer = BackgroundEncoder(Looks())
    warmer.add(["one"])
    warmer.close(LONG_S)
    assert found == [before]
