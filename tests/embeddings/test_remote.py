"""The server of vectors: a real one on loopback that answers as scripted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings.remote import RemoteEncoder, remote_encoder
from hairpin.embeddings.vectors import unit_rows
from hairpin.errors import EncoderError, RefusedTextsError
from hairpin.llm.endpoint import Endpoint
from hairpin.ports import EncoderIdentity
from hairpin.sut.redaction import Redactor
from hairpin.testing import FakeAnswer, FakeModelServer, FakeRequest, input_texts, text_vector, vectors_answer

KEY = "sk-0123456789"


@pytest.fixture
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer() as running:
        yield running


class Sleeper:
    """Remembers how long was to be waited, and does not wait."""

    def __init__(self) -> None:
        self.waits_s: list[float] = []

    async def __call__(self, wait_s: float) -> None:
        self.waits_s.append(wait_s)


def encoder_of(
    server: FakeModelServer, *, batch_size: int = 64, timeout_s: float = 20.0, sleep: Sleeper | None = None
) -> RemoteEncoder:
    endpoint = Endpoint(
        address=server.base_url,
        redactor=Redactor([KEY]),
        credentials={"Authorization": f"Bearer {KEY}"},
        key_variable="MY_KEY",
    )
    return RemoteEncoder(endpoint, "m", batch_size=batch_size, timeout_s=timeout_s, sleep=sleep or Sleeper())


def expected(texts: Sequence[str]) -> bytes:
    return unit_rows(np.array([text_vector(text) for text in texts])).tobytes()


def sent(server: FakeModelServer) -> list[list[str]]:
    return [input_texts(request) for request in server.embedding_requests]


def test_vectors_have_length_1_and_come_in_order_each_text_sent_once(server: FakeModelServer) -> None:
    texts = ["a longer text", "b", "b ", "ccc"]
    vectors = encoder_of(server).encode(texts)
    assert vectors.tobytes() == expected(["a longer text", "b", "b", "ccc"])
    assert vectors.dtype == np.float32
    assert sent(server) == [["b", "ccc", "a longer text"]]
    (request,) = server.requests
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.model == "m"


def test_many_texts_go_in_batches_of_which_four_may_be_in_flight(server: FakeModelServer) -> None:
    texts = [f"text {number}" for number in range(50)]
    assert encoder_of(server, batch_size=3).encode(texts).tobytes() == expected(texts)
    assert sorted(len(batch) for batch in sent(server)) == [2, *[3] * 16]
    assert server.peak_in_flight <= 4


def test_no_texts_are_no_request_and_blank_ones_are_never_sent(server: FakeModelServer) -> None:
    assert encoder_of(server).encode([]).shape == (0, 0)
    for blank in ("", "  ", "\n", "\u200b"):
        with pytest.raises(ValueError, match="text 1 of 2 is blank"):
            encoder_of(server).encode(["Yes.", blank])
    assert server.requests == ()


@pytest.mark.parametrize("vector", [[0.0] * 8, [float("nan")] * 8, [float("inf"), *[0.0] * 7]])
def test_a_vector_without_direction_is_an_error_that_names_the_text(
    server: FakeModelServer, vector: list[float]
) -> None:
    server.script_embeddings(vectors_answer([text_vector("a"), vector]))
    with pytest.raises(RefusedTextsError, match="its vector of 'emoji' is zero or not finite"):
        encoder_of(server).encode(["a", "emoji"])


def test_vectors_of_different_lengths_are_an_error(server: FakeModelServer) -> None:
    server.script_embeddings(vectors_answer([[1.0, 2.0]]))
    with pytest.raises(EncoderError, match=r"vectors of \[2, 8\] numbers"):
        encoder_of(server, batch_size=1).encode(["a", "b"])


def test_busy_servers_are_asked_again_when_they_say(server: FakeModelServer) -> None:
    server.script_embeddings(
        FakeAnswer.rate_limited(7), FakeAnswer.error(503, "busy"), FakeAnswer.cut_off(), FakeAnswer.html(502)
    )
    sleeper = Sleeper()
    assert encoder_of(server, sleep=sleeper).encode(["a"]).tobytes() == expected(["a"])
    assert sleeper.waits_s == [7.0, 1.0, 2.0, 4.0]


def test_a_server_that_stays_busy_is_given_up_after_five_tries(server: FakeModelServer) -> None:
    server.script_embeddings(*[FakeAnswer.error(500, "overheated")] * 6)
    with pytest.raises(EncoderError, match=r"m@http://127.*status 500: overheated; start the server, or try again"):
        encoder_of(server).encode(["a"])
    assert len(server.requests) == 5


@pytest.mark.parametrize("answer", [FakeAnswer.rate_limited(3600), FakeAnswer.quota_exceeded()])
def test_nobody_waits_an_hour_or_for_a_quota(server: FakeModelServer, answer: FakeAnswer) -> None:
    server.script_embeddings(answer)
    sleeper = Sleeper()
    with pytest.raises(EncoderError, match="status 429"):
        encoder_of(server, sleep=sleeper).encode(["a"])
    assert sleeper.waits_s == []


def test_a_server_that_hangs_is_left(server: FakeModelServer) -> None:
    server.script_embeddings(*[FakeAnswer.hanging()] * 5)
    with pytest.raises(EncoderError, match=r"no answer within 0\.02 s"):
        encoder_of(server, timeout_s=0.02).encode(["a"])


def test_a_server_that_is_not_there_is_named_with_the_way_out() -> None:
    with FakeModelServer() as gone:
        pass
    with pytest.raises(EncoderError, match=f"m@{gone.base_url}.*cannot connect.*start the server"):
        encoder_of(gone).encode(["a"])


@pytest.mark.parametrize("status", [400, 422])
def test_texts_that_are_refused_are_another_error_than_a_server_that_does_not_work(
    server: FakeModelServer, status: int
) -> None:
    server.script_embeddings(FakeAnswer.error(status, "too long"), FakeAnswer.error(404, "no such path"))
    with pytest.raises(RefusedTextsError, match=f"status {status}: too long"):
        encoder_of(server).encode(["a"])
    with pytest.raises(EncoderError, match="check base_url") as caught:
        encoder_of(server).encode(["a"])
    assert not isinstance(caught.value, RefusedTextsError)


@pytest.mark.parametrize("status", [400, 401, 500, 200])
def test_the_key_is_in_no_message_even_if_the_server_repeats_it(server: FakeModelServer, status: int) -> None:
    server.script_embeddings(*[FakeAnswer.error(status, f"Bearer {KEY} is wrong")] * 5)
    with pytest.raises(EncoderError, match=r"\*\*\*") as caught:
        encoder_of(server).encode(["a"])
    error: BaseException | None = caught.value
    while error is not None:
        assert KEY not in str(error), type(error)
        error = error.__cause__
    if status == 401:
        assert "check the key in MY_KEY" in str(caught.value)


def test_an_answer_that_holds_other_vectors_than_were_asked_for_is_an_error(server: FakeModelServer) -> None:
    server.script_embeddings(vectors_answer([[1.0]] * 3))
    with pytest.raises(EncoderError, match="answered 2 texts with vectors with the indexes 0, 1, 2 for 2 texts"):
        encoder_of(server).encode(["a", "b"])


def test_it_may_be_used_from_one_call_to_the_next(server: FakeModelServer) -> None:
    def two_of_three(request: FakeRequest) -> FakeAnswer:
        return vectors_answer([text_vector(text) for text in input_texts(request)])

    server.script_embeddings(FakeAnswer.error(400, "no"), two_of_three)
    encoder = encoder_of(server)
    with pytest.raises(RefusedTextsError):
        encoder.encode(["a"])
    assert encoder.encode(["a"]).tobytes() == encoder.encode(["a"]).tobytes()


SPEC = EncoderSpec(model="bge", base_url="http://user:pass-word@127.0.0.1:9/v1?token=t0p", api_key_env=None)


def test_it_is_known_by_model_and_address_without_credentials() -> None:
    identity = remote_encoder(SPEC, {}).identity
    assert identity == EncoderIdentity("bge", "http://127.0.0.1:9/v1", "float32")
    assert str(identity) == "bge@http://127.0.0.1:9/v1 (float32)"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (EncoderSpec(model="m", base_url="nonsense"), "encoder m: .*not an HTTP address"),
        (EncoderSpec(model="m", base_url="http://h/v1", api_key_env="MY_KEY"), "MY_KEY is not set"),
    ],
)
def test_what_cannot_be_reached_at_all_is_told_before_anything_is_sent(spec: EncoderSpec, said: str) -> None:
    with pytest.raises(EncoderError, match=said):
        remote_encoder(spec, {})
