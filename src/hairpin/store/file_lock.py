"""A lock on a file, which the operating system gives back when its holder dies, however it dies.

It must not know what is locked.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FAR = 1 << 20
"""Windows locks bytes and lets nobody read them: one behind everything that the file says."""


class FileLockedError(Exception):
    """Somebody else holds the lock; ``holder`` says who, ``""`` where that is not known."""

    def __init__(self, holder: str) -> None:
        self.holder = holder
        super().__init__(holder)


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Hold the lock of the file at ``path``, which is made for it and gone afterwards.

    Raises:
        FileLockedError: another process, or another holder in this one, has it.
        OSError: the file cannot be made.
    """
    file = _acquire(path)
    try:
        os.ftruncate(file, 0)
        os.write(file, holder_name().encode())
        yield
    finally:
        # Gone before it is unlocked: whoever waits for nothing but its name makes a new one.
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(file)
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                path.unlink()


def holder_of(path: Path) -> str:
    """Return who holds the lock of the file at ``path``; ``""`` where nobody does or it is not known.

    A file that its holder left behind when it died tells of nobody.
    """
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        return ""
    try:
        _lock(file)
    except OSError:
        return os.read(file, 400).decode("utf-8", "replace")
    finally:
        os.close(file)
    return ""


def holder_name() -> str:
    """Return what this process is called in the messages of others."""
    return f"process {os.getpid()} on {socket.gethostname()}"


def _acquire(path: Path) -> int:
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(file)
        except OSError as error:
            holder = os.read(file, 400).decode("utf-8", "replace")
            os.close(file)
            raise FileLockedError(holder) from error
        if _is_at(file, path):
            return file
        os.close(file)  # its holder removed it between our opening and our locking it


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
