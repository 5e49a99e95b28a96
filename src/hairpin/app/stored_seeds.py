"""Conversations of a stored run as the source of test seeds.

It must not decide which of them are test seeds; ``packs`` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hairpin.domain.records import ConversationRecord
from hairpin.store.directory import find_run
from hairpin.store.opening import open_run_reader


def stored_conversations(run: Path) -> Iterator[ConversationRecord]:
    """Yield the conversations of the run in the folder ``run``, in plan order.

    Raises:
        InvalidInputError: it is no run.
        StoreError: its database cannot be read.
    """
    reader = open_run_reader(find_run(run))
    try:
        yield from reader.conversations()
    finally:
        reader.close()
