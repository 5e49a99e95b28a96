"""Conversations as other programs write them, for tests of reading them."""

from __future__ import annotations

import json
from pathlib import Path

from hairpin.domain.sut_spec import RecordedSut
from hairpin.packs.recordings import RecordingsRead, read_recordings


def said(*texts: str) -> list[dict[str, object]]:
    """Return messages of user and assistant in turns, the user first."""
    return [{"role": ("user", "assistant")[number % 2], "content": text} for number, text in enumerate(texts)]


def lines(*values: object) -> bytes:
    """Return JSON lines."""
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def read(folder: Path, data: bytes, **settings: object) -> RecordingsRead:
    """Read ``data`` as a file of conversations."""
    path = folder / "chats.jsonl"
    path.write_bytes(data)
    return read_recordings(RecordedSut.model_validate({"file": str(path), **settings}))
