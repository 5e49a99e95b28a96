from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings import build
from hairpin.embeddings.build import load_encoder
from hairpin.embeddings.cached import CachedEncoder
from hairpin.embeddings.remote import RemoteEncoder
from hairpin.embeddings.sentences import SentenceEncoder
from hairpin.embeddings.sources import ModelSource
from hairpin.errors import EncoderError
from hairpin.ports import EncoderIdentity
from hairpin.testing import FakeModelServer
from tests.embeddings.model_folders import write_model, write_snapshot

COMMIT = "c" * 40
SPEC = EncoderSpec(model="owner/m", device="cpu")


@pytest.fixture(autouse=True)
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.fixture
def fetched(hub: Path, monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Let the network answer with a model, and return the revisions that were asked for."""
    asked: list[str | None] = []

    def fetch(source: ModelSource, revision: str | None) -> ModelSource:
        asked.append(revision)
        return replace(source, folder=write_snapshot(hub, source.name, COMMIT), commit=COMMIT)

    monkeypatch.setattr(build, "fetch", fetch)
    return asked


def test_a_model_that_is_not_here_is_fetched_once_and_known_by_its_commit(fetched: list[str | None]) -> None:
    for _ in range(2):
        assert load_encoder(SPEC, cache=None).identity == EncoderIdentity("owner/m", COMMIT, "float32")
    assert fetched == [None]


def test_what_was_fetched_is_looked_at_before_it_is_loaded(hub: Path, fetched: list[str | None]) -> None:
    folder = write_snapshot(hub, "owner/m", COMMIT)
    (folder / "config.json").write_text(json.dumps({"auto_map": {"AutoModel": "own.Model"}}), encoding="utf-8")
    with pytest.raises(EncoderError, match=r"owner/m: .*own\.Model.*trust_remote_code: true"):
        load_encoder(SPEC, cache=None)
    assert fetched == []


def test_a_cache_comes_before_the_model_only_when_there_is_a_folder_for_it(tmp_path: Path) -> None:
    spec = SPEC.model_copy(update={"model": str(write_model(tmp_path / "m"))})
    assert isinstance(load_encoder(spec, cache=None), SentenceEncoder)
    cached = load_encoder(spec, cache=tmp_path / "cache")
    assert isinstance(cached, CachedEncoder)
    assert not (tmp_path / "cache" / build.VECTORS).exists(), "made with the first vector"


def test_length_and_format_are_part_of_the_identity(tmp_path: Path) -> None:
    spec = SPEC.model_copy(update={"model": str(write_model(tmp_path / "m"))})
    others = [spec.model_copy(update=change) for change in ({"max_seq_length": 64}, {"dtype": "float16"}, {})]
    assert len({load_encoder(other, cache=None).identity for other in others}) == 3
    assert load_encoder(others[0], cache=None).identity.revision.endswith(", 64 tokens")


SERVER = EncoderSpec(model="m", base_url="http://127.0.0.1:9/v1", api_key_env="MY_KEY")


def test_an_address_leads_to_a_server_behind_the_same_cache(tmp_path: Path) -> None:
    with FakeModelServer() as server:
        spec = EncoderSpec(model="m", base_url=server.base_url)
        first = load_encoder(spec, cache=tmp_path).encode(["a", "b"])
    again = load_encoder(spec, cache=tmp_path).encode(["b", "a"])
    assert again.tobytes() == first[::-1].tobytes(), "the server has stopped: these are kept"
    assert isinstance(load_encoder(spec, cache=None), RemoteEncoder)


def test_the_key_of_a_server_is_looked_up_where_it_is_told_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "k-1")
    assert load_encoder(SERVER, cache=None).identity.model == "m"
    with pytest.raises(EncoderError, match="MY_KEY is not set"):
        load_encoder(SERVER, cache=None, environ={})


def test_a_server_needs_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("torch", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, library, None)
    assert load_encoder(SERVER, cache=None, environ={"MY_KEY": "k"}).identity.dtype == "float32"
