"""The service that encodes for all conversations: nobody is lost, nobody is disturbed, no text is encoded twice."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import anyio
import anyio.lowlevel
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hairpin.embeddings.batching import BatchingEncoder
from hairpin.embeddings.texts import normalised
from hairpin.errors import EncoderError, RefusedTextsError
from hairpin.ports import FloatMatrix
from tests.embeddings.fake_encoder import FakeEncoder
from tests.patience import SLOWNESS

pytestmark = pytest.mark.anyio

FOREVER_S = 1000.0


@dataclass(eq=False)
class Picky(FakeEncoder):
    """Refuses batches that hold one of ``refused``; the ``broken`` calls, counted from 1, raise another error."""

    refused: frozenset[str] = frozenset()
    broken: frozenset[int] = frozenset()
    vectors: int = 0
    """How many vectors too many it makes."""

    done: list[str] = field(default_factory=list)

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        rows = super().encode(texts)
        if len(self.asked) in self.broken:
            raise EncoderError("the encoder broke")
        if self.refused & set(texts):
            raise RefusedTextsError("the encoder refused")
        self.done += texts
        return np.concatenate([rows, rows[: self.vectors]])


async def begun(encoder: FakeEncoder) -> None:
    """Wait until it is asked for something, in its thread."""
    with anyio.fail_after(20 * SLOWNESS):
        while not encoder.asked:  # noqa: ASYNC110  # no event of this loop tells
            await anyio.sleep(0.001)


def expected(texts: Sequence[str]) -> bytes:
    return FakeEncoder().encode([normalised(text) for text in texts]).tobytes()


async def test_rows_come_in_the_order_of_the_texts_with_equal_ones_encoded_once() -> None:
    encoder = FakeEncoder()
    async with BatchingEncoder.running(encoder, window_s=0) as service:
        vectors = await service.encode(["a longer one", "b", "b ", "a  longer one"])
        assert service.identity == encoder.identity
    assert vectors.tobytes() == expected(["a longer one", "b", "b", "a longer one"])
    assert vectors.dtype == np.float32
    assert encoder.asked == [["b", "a longer one"]]


async def test_texts_of_many_conversations_are_encoded_together_each_once_sorted_by_length() -> None:
    encoder = FakeEncoder()
    got: dict[int, bytes] = {}

    async def converse(number: int) -> None:
        got[number] = (await service.encode(texts[number])).tobytes()

    texts = [["yes", f"the answer is {number}", "x" * (number % 40 + 1)] for number in range(300)]
    async with BatchingEncoder.running(encoder, window_s=0.05) as service, anyio.create_task_group() as tasks:
        for number in range(300):
            tasks.start_soon(converse, number)
    assert got == {number: expected(texts[number]) for number in range(300)}
    batches = encoder.asked
    assert sorted(text for batch in batches for text in batch) == sorted({text for some in texts for text in some})
    assert len(batches) < 30, "two, unless the loop is held up"
    assert all(batch == sorted(batch, key=len) for batch in batches)


async def test_a_full_batch_does_not_wait_for_the_window() -> None:
    encoder = FakeEncoder()
    async with BatchingEncoder.running(encoder, window_s=FOREVER_S, max_batch=4) as service:
        with anyio.fail_after(20 * SLOWNESS):
            vectors = await service.encode(["a", "b", "c", "d"])
            assert vectors.shape == (4, 8)
            async with anyio.create_task_group() as tasks:
                for text in ("ee", "ff", "gg", "hh"):
                    tasks.start_soon(service.encode, [text])
    assert encoder.asked == [["a", "b", "c", "d"], ["ee", "ff", "gg", "hh"]]


async def test_what_came_while_a_batch_was_encoded_goes_next_and_is_joined_by_who_wants_the_same() -> None:
    encoder = FakeEncoder(gate=threading.Event())
    async with BatchingEncoder.running(encoder, window_s=0) as service, anyio.create_task_group() as tasks:
        tasks.start_soon(service.encode, ["a"])
        await begun(encoder)
        for texts in (["a", "b"], ["b", "cc"], ["a"]):
            tasks.start_soon(service.encode, texts)
        await anyio.wait_all_tasks_blocked()
        assert encoder.gate is not None
        encoder.gate.set()
    assert encoder.asked == [["a"], ["b", "cc"]]


async def test_repeated_texts_cost_nothing_while_they_are_kept() -> None:
    encoder = FakeEncoder()
    async with BatchingEncoder.running(encoder, window_s=0, max_kept=2) as service:
        for texts in (["a", "b"], ["b", "a"], ["a"], ["c"], ["a"], ["b"]):
            assert (await service.encode(texts)).tobytes() == expected(texts)
    assert encoder.asked == [["a", "b"], ["c"], ["b"]], "b was pushed out by c"


async def test_no_texts_have_no_rows_and_ask_nobody() -> None:
    encoder = FakeEncoder()
    async with BatchingEncoder.running(encoder) as service:
        assert (await service.encode([])).shape == (0, 0)
    assert encoder.asked == []


@pytest.mark.parametrize("blank", ["", "  ", "\n", "\u200b"])
async def test_a_blank_text_is_an_error_at_once_and_others_go_on(blank: str) -> None:
    encoder = FakeEncoder()
    async with BatchingEncoder.running(encoder, window_s=0) as service, anyio.create_task_group() as tasks:
        tasks.start_soon(service.encode, ["Yes."])
        with pytest.raises(ValueError, match="text 1 of 2 is blank"):
            await service.encode(["a", blank])
    assert encoder.asked == [["Yes."]]


async def test_one_text_is_not_taken_apart() -> None:
    async with BatchingEncoder.running(FakeEncoder()) as service:
        with pytest.raises(TypeError, match="put it into a list"):
            await service.encode("ab")


async def test_only_who_asked_for_a_refused_text_is_refused() -> None:
    encoder = Picky(refused=frozenset({"bad 3", "bad 7"}))
    outcomes: dict[str, str] = {}

    async def converse(text: str) -> None:
        try:
            await service.encode([text, "shared"])
            outcomes[text] = "ok"
        except RefusedTextsError as error:
            outcomes[text] = str(error)

    texts = [f"bad {number}" if number in (3, 7) else f"good {number}" for number in range(20)]
    async with BatchingEncoder.running(encoder, window_s=0.02) as service, anyio.create_task_group() as tasks:
        for text in texts:
            tasks.start_soon(converse, text)
    assert outcomes == {text: "the encoder refused" if text.startswith("bad") else "ok" for text in texts}
    assert sorted(encoder.done) == sorted({*texts, "shared"} - encoder.refused)


async def test_an_encoder_that_does_not_work_is_asked_once_and_later_again() -> None:
    encoder = Picky(broken=frozenset({1}))
    async with BatchingEncoder.running(encoder, window_s=0) as service:
        with pytest.raises(EncoderError, match="the encoder broke") as caught:
            await service.encode(["a", "b", "c"])
        assert not isinstance(caught.value, RefusedTextsError)
        assert (await service.encode(["a", "b", "c"])).shape == (3, 8)
    assert encoder.asked == [["a", "b", "c"]] * 2


@pytest.mark.parametrize("error", [LookupError("own code"), SystemExit("x")])
async def test_whatever_an_encoder_raises_reaches_its_callers_and_the_service_goes_on(error: BaseException) -> None:
    encoder = FakeEncoder(error=error)
    async with BatchingEncoder.running(encoder, window_s=0) as service:
        with pytest.raises((LookupError, RuntimeError), match=str(error)):
            await service.encode(["a"])
        encoder.error = None
        assert (await service.encode(["a"])).shape == (1, 8)


async def test_vectors_that_are_too_many_are_given_to_nobody() -> None:
    async with BatchingEncoder.running(Picky(vectors=1), window_s=0) as service:
        with pytest.raises(EncoderError, match="made 3 vectors of 2 texts"):
            await service.encode(["a", "b"])


async def test_who_is_cancelled_disturbs_nobody_and_what_only_they_wanted_is_not_begun() -> None:
    encoder = FakeEncoder(gate=threading.Event())
    async with BatchingEncoder.running(encoder, window_s=0) as service, anyio.create_task_group() as tasks:
        tasks.start_soon(service.encode, ["running"])
        await begun(encoder)
        tasks.start_soon(service.encode, ["shared"])
        with anyio.move_on_after(0.01) as scope:
            await service.encode(["running", "shared", "alone"])
        assert scope.cancelled_caught
        assert encoder.gate is not None
        encoder.gate.set()
    assert encoder.asked == [["running"], ["shared"]]


async def test_leaving_ends_those_who_wait_and_refuses_those_who_come_later() -> None:
    encoder = FakeEncoder(gate=threading.Event())
    messages: list[str] = []

    async def wait(text: str) -> None:
        with pytest.raises(EncoderError) as caught:
            await service.encode([text])
        messages.append(str(caught.value))

    async with anyio.create_task_group() as tasks:
        async with BatchingEncoder.running(encoder, window_s=0) as service:
            tasks.start_soon(wait, "running")
            await begun(encoder)
            tasks.start_soon(wait, "waiting")
            await anyio.wait_all_tasks_blocked()
        await wait("late")
    assert len(messages) == 3
    assert all("closed before the texts were encoded" in message for message in messages)
    assert encoder.gate is not None
    encoder.gate.set()


async def test_an_error_of_the_block_comes_out_as_it_is() -> None:
    error = LookupError("of the block")
    with pytest.raises(LookupError) as caught:
        async with BatchingEncoder.running(FakeEncoder()):
            raise error
    assert caught.value is error


async def test_cancelling_the_block_ends_the_service() -> None:
    encoder = FakeEncoder(gate=threading.Event())
    with anyio.move_on_after(0.01) as scope:
        async with BatchingEncoder.running(encoder, window_s=0) as service:
            await service.encode(["a"])
    assert scope.cancelled_caught
    assert encoder.gate is not None
    encoder.gate.set()
    with pytest.raises(EncoderError, match="closed"):
        await service.encode(["a"])


def test_batches_of_nothing_are_refused() -> None:
    async def start() -> None:
        async with BatchingEncoder.running(FakeEncoder(), max_batch=0):
            pass

    with pytest.raises(ValueError, match="max_batch must be at least 1, not 0"):
        anyio.run(start)


@dataclass(frozen=True)
class Call:
    """After so many steps of the loop somebody asks for texts, and is cancelled so many steps later, or never."""

    after: int
    texts: tuple[str, ...]
    patience: int | None


CALLS = st.builds(
    Call,
    after=st.integers(0, 30),
    texts=st.lists(st.sampled_from(["a", "bb", "ccc", "d", "ee", "bad", "worse", " "]), max_size=5).map(tuple),
    patience=st.none() | st.integers(0, 30),
)


async def _steps(n: int) -> None:
    for _ in range(n):
        await anyio.lowlevel.checkpoint()


async def _make(call: Call, service: BatchingEncoder) -> bytes | str:
    """Return the vectors, or the name of what came instead."""
    outcome: bytes | str = "cancelled"

    async def leave(scope: anyio.CancelScope) -> None:
        await _steps(call.patience or 0)
        scope.cancel()

    await _steps(call.after)
    async with anyio.create_task_group() as tasks:
        if call.patience is not None:
            tasks.start_soon(leave, tasks.cancel_scope)
        try:
            outcome = (await service.encode(call.texts)).tobytes()
        except (EncoderError, ValueError) as error:
            outcome = type(error).__name__
        tasks.cancel_scope.cancel()
    return outcome


@given(
    calls=st.lists(CALLS, max_size=12),
    broken=st.frozensets(st.integers(1, 4), max_size=1),
    leaves_after=st.none() | st.integers(0, 60),
    max_batch=st.integers(1, 5),
    max_kept=st.integers(0, 4),
)
@settings(max_examples=200, deadline=None)
def test_every_caller_gets_its_own_answer_whatever_the_others_do(
    calls: list[Call], broken: frozenset[int], leaves_after: int | None, max_batch: int, max_kept: int
) -> None:
    encoder = Picky(refused=frozenset({"bad", "worse"}), broken=broken)
    outcomes: dict[int, bytes | str] = {}

    async def note(number: int, call: Call, service: BatchingEncoder) -> None:
        outcomes[number] = await _make(call, service)

    async def all_calls() -> None:
        service_of = BatchingEncoder.running(encoder, window_s=0.0005, max_batch=max_batch, max_kept=max_kept)
        async with anyio.create_task_group() as outer, service_of as service:
            async with anyio.create_task_group() as inner:
                for number, call in enumerate(calls):
                    (inner if leaves_after is None else outer).start_soon(note, number, call, service)
                await _steps(leaves_after or 0)
            if leaves_after is None:
                with contextlib.suppress(EncoderError):
                    await service.encode(["one more, after what was begun for those who left"])
                assert service.n_waiting == 0

    async def in_time() -> None:
        with anyio.fail_after(20 * SLOWNESS):
            await all_calls()

    anyio.run(in_time)
    assert sorted(outcomes) == list(range(len(calls))), "nobody is lost"
    for number, call in enumerate(calls):
        assert outcomes[number] in _possible(call, encoder, leaves=leaves_after is not None), call
    assert all(len(batch) == len(set(batch)) <= max_batch for batch in encoder.asked)


def _possible(call: Call, encoder: Picky, *, leaves: bool) -> set[bytes | str]:
    """Return what may become of a call: one thing, unless it is cancelled, or the service or the encoder ends."""
    if " " in call.texts:
        return {"ValueError"}
    refused = encoder.refused & set(call.texts)
    possible: set[bytes | str] = {"RefusedTextsError" if refused else expected(call.texts) if call.texts else b""}
    if call.patience is not None:
        possible.add("cancelled")
    if leaves or (encoder.broken and min(encoder.broken) <= len(encoder.asked)):
        possible.add("EncoderError")
    return possible
