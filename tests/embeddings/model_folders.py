"""Folders that look like models, as far as is needed to find them and to read their configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


def write_model(folder: Path, files: Mapping[str, object] | None = None) -> Path:
    """Write a model folder of configuration and one (empty) file of weights; ``files`` are added, as JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.safetensors").write_bytes(b"weights")
    modules = [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}]
    for name, content in {"config.json": {"model_type": "bert"}, "modules.json": modules, **(files or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return folder


def write_snapshot(hub: Path, name: str, commit: str, *, branch: str = "main") -> Path:
    """Write a model as huggingface_hub keeps it."""
    home = hub / f"models--{name.replace('/', '--')}"
    (home / "refs").mkdir(parents=True, exist_ok=True)
    (home / "refs" / branch).write_text(commit, encoding="utf-8")
    return write_model(home / "snapshots" / commit)
