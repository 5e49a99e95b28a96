"""Which writer of this process serves which database: one each, however many stores are open on it.

It must not write; ``store.writer`` does.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable
from dataclasses import dataclass

from hairpin.store.backend import Backend
from hairpin.store.writer import Writer


@dataclass(slots=True)
class _Share:
    writer: Writer
    users: int = 0


_lock = threading.Lock()
_shares: dict[Hashable, _Share] = {}


def share_writer(backend: Backend) -> Writer:
    """Return the writer of this database, started if it is the first; give it back with :func:`release_writer`.

    Raises:
        StoreError: there is no connection to be had.
    """
    with _lock:
        share = _shares.get(backend.key)
        if share is None:
            share = _shares[backend.key] = _Share(Writer(backend))
        else:
            backend.engine.dispose()
        share.users += 1
        return share.writer


def release_writer(backend: Backend) -> None:
    """Give a writer back; the last one to do so waits until everything queued is stored and the thread has ended."""
    with _lock:
        share = _shares[backend.key]
        share.users -= 1
        if not share.users:
            del _shares[backend.key]
            share.writer.close()
