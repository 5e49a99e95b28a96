"""The digest of a model's files, remembered as long as no file changes.

Must not know what the files mean. What is remembered is only a short cut: damaged or unwritable, it is done without.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_SKIPPED_FOLDERS: Final = frozenset({"onnx", "openvino", "__pycache__"})
_SKIPPED_FILES: Final = frozenset({"README.md"})
_DIGITS: Final = 40


def folder_digest(folder: Path, *, memory: Path | None = None) -> str:
    """Return the digest of names and contents of the files in ``folder`` that can change a vector, 40 hex digits.

    Args:
        folder: a model's folder. Hidden files, README and other runtimes' copies of the model do not count.
        memory: a file in which digests are remembered, under the size, times and inode of every file.

    Raises:
        OSError: a file cannot be read.
    """
    files = sorted(_files(folder))
    stamp = _stamp(folder, files)
    known = _remembered(memory)
    if stamp in known:
        return known[stamp]
    digest = _digest_of(folder, files)
    _remember(memory, known | {stamp: digest})
    return digest


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith(".") or part in _SKIPPED_FOLDERS for part in parts)
        if not hidden and path.name not in _SKIPPED_FILES and path.is_file():
            yield path


def _stamp(folder: Path, files: list[Path]) -> str:
    digest = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogatepass"))
    for path in files:
        stat = path.stat()
        state = (path.as_posix(), stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
        digest.update(repr(state).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:_DIGITS]


def _digest_of(folder: Path, files: list[Path]) -> str:
    whole = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        whole.update(f"{path.relative_to(folder).as_posix()}\0{content}\0".encode("utf-8", "surrogatepass"))
    return whole.hexdigest()[:_DIGITS]


def _remembered(memory: Path | None) -> dict[str, str]:
    if memory is None:
        return {}
    try:
        found = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: value for key, value in found.items() if isinstance(value, str) and len(value) == _DIGITS}


def _remember(memory: Path | None, known: dict[str, str]) -> None:
    if memory is None:
        return
    with contextlib.suppress(OSError):
        memory.parent.mkdir(parents=True, exist_ok=True)
        # Written aside and moved: another process must never read half a file.
        handle, name = tempfile.mkstemp(dir=memory.parent, prefix=memory.name)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(known, file)
        Path(name).replace(memory)
