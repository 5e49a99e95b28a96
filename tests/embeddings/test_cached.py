from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.embeddings import cached
from hairpin.embeddings.cached import CachedEncoder, vector_key
from hairpin.errors import EncoderError
from hairpin.ports import EncoderIdentity
from tests.embeddings.fake_encoder import FakeEncoder

IDENTITY = EncoderIdentity("m", "1", "float32")


def open_cached(inner: FakeEncoder, path: Path) -> tuple[CachedEncoder, list[str]]:
    warnings: list[str] = []
    return CachedEncoder(inner, path, warn=warnings.append, busy_timeout_s=0.01), warnings


def test_only_new_texts_reach_the_model_each_once(tmp_path: Path) -> None:
    inner = FakeEncoder()
    encoder, warnings = open_cached(inner, tmp_path / "v.sqlite")
    first = encoder.encode(["one", "two", "one "])
    again = encoder.encode(["three", "two", "one"])
    assert inner.asked == [["one", "two"], ["three"]]
    assert first[0].tobytes() == first[2].tobytes() == again[2].tobytes()
    assert again[1].tobytes() == first[1].tobytes()
    assert encoder.identity == inner.identity
    assert warnings == []
    encoder.close()


def test_the_next_process_asks_no_model_at_all(tmp_path: Path) -> None:
    before, _ = open_cached(FakeEncoder(), tmp_path / "v.sqlite")
    made = before.encode(["one", "two"])
    before.close()
    inner = FakeEncoder(error=EncoderError("must not be loaded"))
    after, _ = open_cached(inner, tmp_path / "v.sqlite")
    assert after.encode(["two", "one"]).tobytes() == made[::-1].tobytes()
    assert inner.asked == []
    after.close()


@pytest.mark.parametrize("other", [{"model": "n"}, {"revision": "2"}, {"dtype": "float16"}])
def test_another_model_revision_or_format_has_vectors_of_its_own(tmp_path: Path, other: dict[str, str]) -> None:
    first, _ = open_cached(FakeEncoder(identity=IDENTITY), tmp_path / "v.sqlite")
    first.encode(["one"])
    inner = FakeEncoder(identity=replace(IDENTITY, **other))
    second, _ = open_cached(inner, tmp_path / "v.sqlite")
    second.encode(["one"])
    assert inner.asked == [["one"]]
    first.close()
    second.close()


parts = st.text("ab:0\0", max_size=4)


@given(st.tuples(parts, parts, parts, parts), st.tuples(parts, parts, parts, parts))
def test_keys_are_equal_only_for_equal_models_and_texts(
    left: tuple[str, str, str, str], right: tuple[str, str, str, str]
) -> None:
    keys = [vector_key(EncoderIdentity(*key[:3]), key[3]) for key in (left, right)]
    assert (keys[0] == keys[1]) is (left == right)


def test_vectors_of_another_length_are_not_mixed_in(tmp_path: Path) -> None:
    before, _ = open_cached(FakeEncoder(dimension=8), tmp_path / "v.sqlite")
    before.encode(["one", "two"])
    inner = FakeEncoder(dimension=12)
    after, _ = open_cached(inner, tmp_path / "v.sqlite")
    vectors = after.encode(["one", "three"])
    assert vectors.tobytes() == FakeEncoder(dimension=12).encode(["one", "three"]).tobytes()
    assert after.encode(["one", "two"]).shape == (2, 12), "two of them, of different lengths, are both made anew"
    before.close()
    after.close()


@pytest.mark.parametrize("spoiled", ["file", "rows"])
def test_a_spoiled_cache_costs_time_and_never_a_vector(tmp_path: Path, spoiled: str) -> None:
    path, texts = tmp_path / "v.sqlite", ["one", "two", "one"]
    encoder, warnings = open_cached(FakeEncoder(), path)
    right = encoder.encode(texts)
    if spoiled == "rows":
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE vectors SET vector = zeroblob(length(vector))")
    else:
        encoder.close()
        path.write_bytes(b"garbage " * 1000)
        encoder, warnings = open_cached(FakeEncoder(), path)
    for _ in range(2):
        assert encoder.encode(texts).tobytes() == right.tobytes()
    assert len(warnings) == 1
    encoder.close()


def test_without_a_listener_the_warning_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    encoder = CachedEncoder(FakeEncoder(), tmp_path)
    assert encoder.encode(["one"]).shape == (1, 8)
    assert [record.name for record in caplog.records] == ["hairpin.embeddings"]


def test_what_was_computed_before_a_failure_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached, "_STORED_AT_ONCE", 2)

    class FailsLater(FakeEncoder):
        def encode(self, texts: list[str]) -> np.ndarray:  # type: ignore[override]
            if len(self.asked) == 1:
                raise EncoderError("power cut")
            return super().encode(texts)

    encoder, _ = open_cached(FailsLater(), tmp_path / "v.sqlite")
    with pytest.raises(EncoderError, match="power cut"):
        encoder.encode(["a long text", "b", "c"])
    encoder.close()
    inner = FakeEncoder()
    encoder, _ = open_cached(inner, tmp_path / "v.sqlite")
    encoder.encode(["a long text", "b", "c"])
    assert inner.asked == [["a long text"]]
    encoder.close()


def test_blank_texts_are_refused_and_no_texts_are_no_vectors(tmp_path: Path) -> None:
    inner = FakeEncoder()
    encoder, _ = open_cached(inner, tmp_path / "v.sqlite")
    with pytest.raises(ValueError, match="blank"):
        encoder.encode(["a", "\n"])
    assert encoder.encode([]).shape == (0, 0)
    assert inner.asked == []
