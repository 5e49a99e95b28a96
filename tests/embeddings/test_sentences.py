from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hairpin.embeddings.sentences import SentenceEncoder
from hairpin.errors import EncoderError
from hairpin.ports import EncoderIdentity
from tests.embeddings.fake_encoder import vector_of
from tests.patience import SLOWNESS

IDENTITY = EncoderIdentity("m", "1", "float32")
words = st.text("ab ü", min_size=1, max_size=6).filter(lambda text: bool(text.strip()))


class RawModel:
    """Stands where sentence-transformers would: vectors of any length, for what it is given."""

    def __init__(self, *, fails: int = 0) -> None:
        self.loads = 0
        self.given: list[list[str]] = []
        self._fails = fails

    def load(self) -> RawModel:
        self.loads += 1
        if self.loads <= self._fails:
            raise EncoderError("m: cannot be loaded")
        return self

    def __call__(self, texts: Sequence[str]) -> NDArray[Any]:
        self.given.append(list(texts))
        return np.array([vector_of(text, 8) for text in texts])


@given(st.lists(words, min_size=1, max_size=12))
def test_each_text_is_encoded_once_by_length_and_comes_back_in_its_place(texts: list[str]) -> None:
    raw = RawModel()
    vectors = SentenceEncoder(IDENTITY, raw.load).encode(texts)
    (given_texts,) = raw.given
    assert [len(text) for text in given_texts] == sorted(len(text) for text in given_texts)
    assert len(set(given_texts)) == len(given_texts)
    assert vectors.shape == (len(texts), 8)
    for text, vector in zip(texts, vectors, strict=True):
        expected = np.array(vector_of(" ".join(text.split()), 8))
        assert vector == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)


def test_the_model_is_loaded_with_the_first_text_and_only_once() -> None:
    raw = RawModel()
    encoder = SentenceEncoder(IDENTITY, raw.load)
    assert encoder.identity == IDENTITY
    assert encoder.encode([]).shape == (0, 0)
    with pytest.raises(ValueError, match="blank"):
        encoder.encode(["a", " "])
    assert (raw.loads, encoder.loaded) == (0, False)
    encoder.encode(["a"])
    encoder.encode(["b"])
    assert (raw.loads, encoder.loaded) == (1, True)


def test_a_model_that_could_not_be_loaded_is_tried_again() -> None:
    raw = RawModel(fails=1)
    encoder = SentenceEncoder(IDENTITY, raw.load)
    with pytest.raises(EncoderError, match="cannot be loaded"):
        encoder.encode(["a"])
    assert encoder.encode(["a"]).shape == (1, 8)


def test_threads_take_turns_at_the_model() -> None:
    busy, overlaps, entered = threading.Event(), [], threading.Barrier(4)

    def raw(texts: Sequence[str]) -> NDArray[Any]:
        overlaps.append(busy.is_set())
        busy.set()
        rows = np.array([vector_of(text, 8) for text in texts])
        busy.clear()
        return rows

    encoder = SentenceEncoder(IDENTITY, lambda: raw)

    def work() -> None:
        entered.wait(20)
        for number in range(50):
            encoder.encode([f"text {number}"])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(overlaps) == 200
    assert not any(overlaps)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.zeros((1, 4)), "no direction"),
        (np.full((1, 4), np.nan), "no direction"),
        (np.ones((2, 4)), r"shape \(2, 4\) of 1 texts"),
        (np.ones(4), r"shape \(4,\) of 1 texts"),
    ],
)
def test_what_is_no_vector_per_text_is_an_error_and_no_vector(rows: NDArray[Any], said: str) -> None:
    encoder = SentenceEncoder(IDENTITY, lambda: lambda _texts: rows)
    with pytest.raises(EncoderError, match=said):
        encoder.encode(["a"])


def test_a_model_that_fails_is_named_with_the_way_out() -> None:
    def out_of_memory(_texts: Sequence[str]) -> NDArray[Any]:
        raise RuntimeError("CUDA out of memory")

    encoder = SentenceEncoder(IDENTITY, lambda: out_of_memory)
    with pytest.raises(EncoderError, match=r"m@1 \(float32\).*CUDA out of memory.*batch_size"):
        encoder.encode(["a"])


ENDING = """
import os, sys, threading, time
from hairpin.embeddings import sentences
from hairpin.ports import EncoderIdentity
import numpy as np

begun = threading.Event()

def raw(texts):
    os.write(1, b"(")
    begun.set()
    time.sleep(float(sys.argv[1]))
    os.write(1, b")")
    return np.ones((len(texts), 4))

sentences._PATIENCE_S = float(sys.argv[2])
encoder = sentences.SentenceEncoder(EncoderIdentity("m", "1", "float32"), lambda: raw)
texts = [f"text {number}" for number in range(100_000)]
threading.Thread(target=encoder.encode, args=(texts,), daemon=True).start()
begun.wait()
"""


@pytest.mark.parametrize(("call_s", "patience_s", "whole"), [("0.1", "30", True), ("600", "0.05", False)])
def test_an_ending_process_waits_for_the_call_that_runs_but_not_for_ever(
    call_s: str, patience_s: str, whole: bool
) -> None:
    """torch aborts a process that ends while it computes."""
    ended = subprocess.run(
        [sys.executable, "-c", ENDING, call_s, patience_s],
        capture_output=True,
        text=True,
        timeout=40 * SLOWNESS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("(") - ended.stdout.count(")") == (0 if whole else 1)
    assert ended.stdout.count("(") < 100, "what had not begun was not begun"
