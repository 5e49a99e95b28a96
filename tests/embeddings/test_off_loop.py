from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading

import anyio
import anyio.lowlevel
import pytest

from hairpin.embeddings.off_loop import encode_async
from hairpin.errors import EncoderError
from tests.embeddings.fake_encoder import FakeEncoder
from tests.patience import SLOWNESS

pytestmark = pytest.mark.anyio


async def test_the_vectors_are_those_of_the_encoder_made_in_its_one_daemon_thread() -> None:
    encoder, other = FakeEncoder(), FakeEncoder()
    vectors = await encode_async(encoder, ["a", "b"])
    await encode_async(encoder, ["c"])
    await encode_async(other, ["c"])
    assert vectors.tobytes() == FakeEncoder().encode(["a", "b"]).tobytes()
    assert encoder.threads[0] is encoder.threads[1]
    assert encoder.threads[0].daemon
    assert {threading.main_thread(), encoder.threads[0], other.threads[0]} == {
        threading.main_thread(),
        *encoder.threads,
        *other.threads,
    }
    assert other.threads[0] is not encoder.threads[0]


async def test_the_loop_runs_on_while_vectors_are_computed() -> None:
    encoder = FakeEncoder(gate=threading.Event())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(encode_async, encoder, ["a"])
        await anyio.lowlevel.checkpoint()
        assert encoder.gate is not None
        encoder.gate.set()
    assert encoder.asked == [["a"]]


@pytest.mark.parametrize("error", [ValueError("blank"), EncoderError("no model")])
async def test_what_the_encoder_raises_is_raised_here(error: Exception) -> None:
    encoder = FakeEncoder(error=error)
    with pytest.raises(type(error), match=str(error)):
        await encode_async(encoder, ["a"])
    encoder.error = None
    assert (await encode_async(encoder, ["a"])).shape == (1, 8)


@pytest.mark.parametrize("error", [StopIteration("x"), SystemExit("x"), KeyboardInterrupt("x")])
async def test_what_would_end_thread_or_loop_becomes_an_error(error: BaseException) -> None:
    with pytest.raises(RuntimeError, match=type(error).__name__) as caught:
        await encode_async(FakeEncoder(error=error), ["a"])
    assert caught.value.__cause__ is error


async def test_cancelling_returns_at_once_and_what_waited_is_never_begun() -> None:
    encoder = FakeEncoder(gate=threading.Event())
    with anyio.move_on_after(0.01) as first:
        await encode_async(encoder, ["running"])
    with anyio.move_on_after(0.01) as second:
        await encode_async(encoder, ["waiting"])
    assert first.cancelled_caught
    assert second.cancelled_caught
    assert encoder.gate is not None
    encoder.gate.set()
    await encode_async(encoder, ["next"])
    assert encoder.asked == [["running"], ["next"]]


async def test_one_text_is_not_taken_apart() -> None:
    encoder = FakeEncoder()
    await encode_async(encoder, "ab")
    assert encoder.asked == [["a", "b"]], "the fake takes it as it came; real encoders refuse it"
    assert await asyncio.to_thread(len, encoder.threads) == 1


async def test_the_thread_ends_with_its_encoder() -> None:
    encoder = FakeEncoder()
    await encode_async(encoder, ["a"])
    (thread,) = encoder.threads
    del encoder
    gc.collect()
    await asyncio.to_thread(thread.join, 20)
    assert not thread.is_alive()


def test_a_hung_encoder_does_not_keep_the_process_alive() -> None:
    program = """
import anyio, threading
from hairpin.embeddings.off_loop import encode_async

class Hung:
    def encode(self, texts):
        threading.Event().wait()

async def main():
    with anyio.move_on_after(0.05):
        await encode_async(Hung(), ["a"])

anyio.run(main)
print("done")
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=40 * SLOWNESS, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "done\n"), ended.stderr
