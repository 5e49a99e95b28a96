"""Encoding from the event loop: one daemon thread per encoder, so that the loop never waits and the process may end.

Must not know what an encoder does.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import TypeAlias

from hairpin.ports import Encoder, FloatMatrix

_Job: TypeAlias = Callable[[], None]
_Jobs: TypeAlias = "queue.SimpleQueue[_Job | None]"

_lock = threading.Lock()
_queues: weakref.WeakKeyDictionary[Encoder, _Jobs] = weakref.WeakKeyDictionary()


async def encode_async(encoder: Encoder, texts: Sequence[str]) -> FloatMatrix:
    """Return ``encoder.encode(texts)``, computed in the encoder's own daemon thread; calls to it take turns.

    Cancellation returns at once: what runs runs on unheard, what had not begun is not begun. Set a time limit around
    it: a call that hangs holds up later ones of this encoder, but never the end of the process.

    Raises:
        ValueError: a text is blank.
        EncoderError: the model cannot be loaded or run.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[FloatMatrix] = loop.create_future()
    chosen = tuple(texts) if not isinstance(texts, str) else texts

    def job() -> None:
        if future.cancelled():
            return
        result, error = _outcome(encoder, chosen)
        with contextlib.suppress(RuntimeError):  # the loop has closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, future, result, error)

    _queue_of(encoder).put(job)
    return await future


def _outcome(encoder: Encoder, texts: Sequence[str]) -> tuple[FloatMatrix | None, Exception | None]:
    try:
        return encoder.encode(texts), None
    except StopIteration as error:
        return None, _disarmed(error)
    except Exception as error:  # noqa: BLE001  # raised in the awaiting task
        return None, error
    except BaseException as error:  # noqa: BLE001  # SystemExit and the like must end neither thread nor loop
        return None, _disarmed(error)


def _disarmed(error: BaseException) -> RuntimeError:
    wrapped = RuntimeError(f"the encoder raised {type(error).__name__}: {error}")
    wrapped.__cause__ = error
    return wrapped


def _settle(future: asyncio.Future[FloatMatrix], result: FloatMatrix | None, error: Exception | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        assert result is not None, "without an error there is a result"
        future.set_result(result)


def _queue_of(encoder: Encoder) -> _Jobs:
    with _lock:
        jobs = _queues.get(encoder)
        if jobs is None:
            jobs = queue.SimpleQueue()
            _queues[encoder] = jobs
            # The thread holds the queue alone: it ends with the encoder.
            weakref.finalize(encoder, jobs.put, None).atexit = False
            name = f"hairpin encoder {type(encoder).__name__}"
            threading.Thread(target=_work, args=(jobs,), name=name, daemon=True).start()
        return jobs


def _work(jobs: _Jobs) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job  # it holds the encoder
