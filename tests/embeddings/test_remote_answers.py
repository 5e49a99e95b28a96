from __future__ import annotations

import json
from datetime import UTC, datetime

import numpy as np
import pytest
from pydantic import JsonValue

from hairpin.embeddings.remote_answers import BusyServerError, read_failure, read_vectors
from hairpin.errors import EncoderError, RefusedTextsError

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def entry(index: JsonValue, vector: JsonValue) -> JsonValue:
    return {"object": "embedding", "index": index, "embedding": vector}


def body(*entries: JsonValue) -> bytes:
    return json.dumps({"object": "list", "data": list(entries)}).encode()


def test_vectors_come_in_the_order_of_the_texts_whatever_the_order_of_the_answer() -> None:
    rows = read_vectors(body(entry(1, [0, 2.5]), entry(0, [1, -1])), 2)
    assert rows.tolist() == [[1.0, -1.0], [0.0, 2.5]]
    assert rows.dtype == np.float64


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"<title>Bad Gateway</title>", "no JSON object: a page titled 'Bad Gateway'"),
        (b'{"error": {"message": "no such thing"}}', "an error: no such thing"),
        (b'{"vectors": []}', "no list data, only vectors"),
        (body(entry(0, [1.0])), "indexes 0 for 2 texts"),
        (body(entry(0, [1.0]), entry(1, [1.0]), entry(2, [1.0])), "indexes 0, 1, 2 for 2 texts"),
        (body(entry(1, [1.0]), entry(2, [1.0])), "indexes 1, 2 for 2 texts"),
        (body(entry(0, [1.0]), entry(0, [1.0])), "two vectors with index 0"),
        (body(entry(None, [1.0]), entry(1, [1.0])), "without index"),
        (body(entry(True, [1.0]), entry(0, [1.0])), "without index"),
        (body("x", "y"), "without index"),
        (body(entry(0, [1.0]), entry(1, [1.0, 2.0])), "vectors of 1, 2 numbers"),
        (body(entry(0, []), entry(1, [])), "vectors of 0 numbers"),
        (body(entry(0, "AAAA"), entry(1, [1.0])), "no list of numbers as the embedding with index 0"),
        (body(entry(0, [1.0]), entry(1, [True])), "no list of numbers as the embedding with index 1"),
        (body(entry(0, [1.0]), entry(1, [None])), "no list of numbers as the embedding with index 1"),
    ],
)
def test_anything_else_is_no_answer(answer: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_vectors(answer, 2)


@pytest.mark.parametrize(
    ("status", "message", "kind", "said"),
    [
        (400, "input is too long", RefusedTextsError, "status 400: input is too long; shorter texts"),
        (413, "payload too large", RefusedTextsError, "shorter texts, or fewer at once"),
        (422, "inputs must have less than 512 tokens", RefusedTextsError, "shorter texts"),
        (400, "model 'bge' does not exist", EncoderError, "check model, the name on that server"),
        (401, "bad key", EncoderError, "check the key in MY_KEY"),
        (403, "no access", EncoderError, "check the key in MY_KEY"),
        (404, "not found", EncoderError, "check base_url"),
        (301, "moved", EncoderError, "check base_url"),
        (429, "You exceeded your current quota", EncoderError, "its quota must be raised"),
        (429, "slow down", BusyServerError, "status 429: slow down"),
        (500, "oh", BusyServerError, "status 500: oh"),
        (503, "busy", BusyServerError, "status 503: busy"),
    ],
)
def test_each_error_says_what_to_do(status: int, message: str, kind: type[EncoderError], said: str) -> None:
    answer = json.dumps({"error": {"message": message}}).encode()
    error = read_failure(status, {}, answer, key="MY_KEY", now=NOW)
    assert type(error) is kind
    assert said in str(error)


def test_without_a_key_the_way_to_name_one_is_told() -> None:
    assert "api_key_env" in str(read_failure(401, {}, b"{}", key=None, now=NOW))


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [({"retry-after": "7"}, 7.0), ({"retry-after": "Thu, 01 Jan 2026 00:00:05 GMT"}, 5.0), ({}, None)],
)
def test_how_long_a_busy_server_asks_to_wait_is_kept(headers: dict[str, str], wait_s: float | None) -> None:
    error = read_failure(429, headers, b"{}", key=None, now=NOW)
    assert isinstance(error, BusyServerError)
    assert error.retry_after_s == wait_s
