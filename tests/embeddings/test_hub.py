from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from hairpin.embeddings.hub import fetch
from hairpin.embeddings.sources import ModelSource, SourceKind
from hairpin.errors import EncoderError

SOURCE = ModelSource(SourceKind.HUB, "owner/m", None)
COMMIT = "d" * 40


class FakeHub(ModuleType):
    """As much of huggingface_hub as is used, with a model of ``files``."""

    def __init__(self, folder: Path, files: list[str]) -> None:
        super().__init__("huggingface_hub")
        self.bars = True
        self.calls: list[dict[str, object]] = []
        self._folder = folder
        info = SimpleNamespace(sha=COMMIT, siblings=[SimpleNamespace(rfilename=name) for name in files])
        self.HfApi = lambda: SimpleNamespace(model_info=lambda _name, **_options: info)
        self.utils = SimpleNamespace(
            are_progress_bars_disabled=lambda: not self.bars,
            disable_progress_bars=self._bars(False),
            enable_progress_bars=self._bars(True),
        )

    def snapshot_download(self, name: str, **options: object) -> str:
        assert not self.bars, "no bars while it loads"
        self.calls.append({"name": name, **options})
        return str(self._folder / COMMIT)

    def _bars(self, shown: bool) -> Callable[[], None]:
        def switch() -> None:
            self.bars = shown

        return switch


@pytest.mark.parametrize(
    ("files", "leaves_bin_out"), [(["model.safetensors", "pytorch_model.bin"], True), (["pytorch_model.bin"], False)]
)
def test_the_model_is_fetched_once_in_one_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: list[str], leaves_bin_out: bool
) -> None:
    hub = FakeHub(tmp_path, files)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path / "hub"))
    source = fetch(SOURCE, "v2")
    assert (source.name, source.folder, source.commit) == ("owner/m", tmp_path / COMMIT, COMMIT)
    (call,) = hub.calls
    assert (call["name"], call["revision"], call["cache_dir"]) == ("owner/m", "v2", tmp_path / "hub")
    assert isinstance(call["ignore_patterns"], list)
    assert ("*.bin" in call["ignore_patterns"]) is leaves_bin_out
    assert hub.bars, "left as they were"


def test_without_a_network_the_error_says_how_to_do_without(refused_hosts: list[str]) -> None:
    """With the real client, whose connection is refused."""
    with pytest.raises(EncoderError, match=r"owner/m at revision 'v2': not on this machine.*hairpin\[minilm\]"):
        fetch(SOURCE, "v2")
    refused_hosts.clear()


def test_without_the_client_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(EncoderError, match=r"hairpin\[embeddings\]"):
        fetch(SOURCE, None)
