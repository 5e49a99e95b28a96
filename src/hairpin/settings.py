"""Settings that come from the environment.

The only module, beside the composition root, that reads ``os.environ``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class LogLevel(StrEnum):
    """How much of a run is logged. ``debug`` has every request to a model."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment says.

    Attributes:
        gguf: the model file where a scenario names none (HAIRPIN_GGUF).
        cache_dir: where what can be computed again is kept (HAIRPIN_CACHE_DIR, else ``hairpin`` in the user's cache
            folder); ``None`` when the environment names no home, or HAIRPIN_CACHE_DIR is empty.
        langsmith: whether traces go to LangSmith (HAIRPIN_LANGSMITH); its own variables alone switch nothing on.
        environ: where keys are looked up.
    """

    gguf: Path | None = None
    cache_dir: Path | None = None
    langsmith: bool = False
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)


def read_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from ``environ``, by default the process's own."""
    values = dict(os.environ if environ is None else environ)
    gguf = values.get("HAIRPIN_GGUF")
    return Settings(
        gguf=Path(gguf) if gguf else None,
        cache_dir=_cache_dir(values),
        langsmith=values.get("HAIRPIN_LANGSMITH", "").strip().lower() in ("1", "true", "yes", "on"),
        environ=values,
    )


def _cache_dir(environ: Mapping[str, str]) -> Path | None:
    """Return Hairpin's cache folder; a relative XDG_CACHE_HOME does not count, as its specification says."""
    own = environ.get("HAIRPIN_CACHE_DIR")
    if own is not None:
        return Path(own).expanduser() if own.strip() else None
    for name, inside in (("XDG_CACHE_HOME", ""), ("LOCALAPPDATA", ""), ("HOME", ".cache"), ("USERPROFILE", ".cache")):
        base = environ.get(name)
        if base and Path(base).is_absolute():
            return Path(base) / inside / "hairpin"
    return None
