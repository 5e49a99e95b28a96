from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hairpin.embeddings.digests import folder_digest
from tests.embeddings.model_folders import write_model


def test_the_same_files_have_the_same_digest_wherever_they_lie(tmp_path: Path) -> None:
    assert folder_digest(write_model(tmp_path / "a")) == folder_digest(write_model(tmp_path / "b"))


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "1_Pooling/config.json"])
def test_any_file_that_can_change_a_vector_changes_the_digest(tmp_path: Path, name: str) -> None:
    folder = write_model(tmp_path / "m")
    before = folder_digest(folder)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(b'{"a": 1}')
    assert folder_digest(folder) != before


@pytest.mark.parametrize("name", ["README.md", ".gitattributes", ".cache/x", "onnx/model.onnx", "__pycache__/a.pyc"])
def test_other_files_do_not_count(tmp_path: Path, name: str) -> None:
    folder = write_model(tmp_path / "m")
    before = folder_digest(folder)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("other", encoding="utf-8")
    assert folder_digest(folder) == before


def test_a_renamed_file_is_another_model(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    before = folder_digest(folder)
    (folder / "config.json").rename(folder / "other.json")
    assert folder_digest(folder) != before


def test_what_is_remembered_is_used_until_a_file_changes(tmp_path: Path) -> None:
    folder, memory = write_model(tmp_path / "m"), tmp_path / "cache" / "digests.json"
    real = folder_digest(folder, memory=memory)
    (stamp,) = json.loads(memory.read_text(encoding="utf-8"))
    memory.write_text(json.dumps({stamp: "f" * 40}), encoding="utf-8")
    assert folder_digest(folder, memory=memory) == "f" * 40, "no file was read again"
    weights = folder / "model.safetensors"
    stat = weights.stat()
    weights.write_bytes(b"WEIGHTS")
    os.utime(weights, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    changed = folder_digest(folder, memory=memory)
    assert changed not in (real, "f" * 40), "same size and time of writing, other content"


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"a": 5}', b"\xff"])
def test_a_damaged_memory_is_done_without_and_mended(tmp_path: Path, content: bytes) -> None:
    folder, memory = write_model(tmp_path / "m"), tmp_path / "digests.json"
    memory.write_bytes(content)
    assert folder_digest(folder, memory=memory) == folder_digest(folder)
    assert list(json.loads(memory.read_text(encoding="utf-8")).values()) == [folder_digest(folder)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["digests.json", "m"]


def test_a_memory_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    (tmp_path / "file").touch()
    assert folder_digest(folder, memory=tmp_path / "file" / "digests.json") == folder_digest(folder)
