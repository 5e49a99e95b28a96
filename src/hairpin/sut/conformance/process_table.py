"""What the operating system says of this process: its children, sockets and pipes.

Only where ``/proc`` shows it; ``shows_processes`` tells whether it does.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_CHANNELS: Final = ("socket:", "pipe:")


def shows_processes() -> bool:
    """Whether this system shows processes and what they have open."""
    return (_PROC / "self" / "fd").is_dir()


def child_processes() -> frozenset[int]:
    """Return the ids of living children of this process."""
    own = str(os.getpid())
    found = set()
    for entry in _entries(_PROC):
        if entry.name.isdigit():
            state, parent = _state_and_parent(entry)
            if parent == own and state != "Z":
                found.add(int(entry.name))
    return frozenset(found)


def open_channels() -> frozenset[str]:
    """Return the open sockets and pipes of this process, as the system names them."""
    found = set()
    for entry in _entries(_PROC / "self" / "fd"):
        with suppress(OSError):
            target = str(entry.readlink())
            if target.startswith(_CHANNELS):
                found.add(target)
    return frozenset(found)


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _state_and_parent(entry: Path) -> tuple[str, str]:
    """Return the state and the parent's id; empty texts once the process has gone."""
    try:
        text = (entry / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "", ""
    # The name before them stands in brackets and may hold anything.
    state, parent, *_ = text.rpartition(")")[2].split()
    return state, parent
