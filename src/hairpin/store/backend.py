"""What the writer and the reader must know of a database server or file.

No implementation; ``store.sqlite`` and ``store.postgres`` are two.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Protocol

from sqlalchemy import Connection, Engine

from hairpin.errors import RunBusyError

NOT_STORED: Final = "nothing was stored"
NOT_READ: Final = "nothing could be read"
NOT_OPENED: Final = "it could not be opened"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the database did not do its work.

    ``whole``: not one row is at fault but the database. ``fatal``: it will not get better by trying again.
    """

    says: str
    whole: bool = False
    fatal: bool = False


def busy(place: str, holder: str) -> RunBusyError:
    """Return the error of a run that somebody else drives; ``holder`` is what is known of who."""
    return RunBusyError(
        f"{place}: {holder or 'another process'} is driving this run already; wait until it has ended, or stop it "
        "(Ctrl-C there), then run this again"
    )


class Backend(Protocol):
    """One database, opened for writing.

    Of two transactions of ``engine`` that would do the same, the second must wait or be refused: either the first locks
    the database when it begins, or the constraints of the tables see to it.
    """

    @property
    def run_id(self) -> str | None:
        """The run that is written, where a database holds several; ``None`` where it holds one."""
        ...

    @property
    def place(self) -> str:
        """What messages call the database."""
        ...

    @property
    def key(self) -> Hashable:
        """Equal for two backends of the same database."""
        ...

    @property
    def engine(self) -> Engine:
        """Where connections come from."""
        ...

    def verify(self) -> None:
        """Raise StoreError if what is written would not be found where the database was opened."""
        ...

    def explain(self, error: BaseException) -> Fault:
        """Say what ``error``, raised while a row was written, means."""
        ...

    def drive(self) -> AbstractContextManager[None]:
        """Hold, while inside, the right to drive the run: no other process can; the death of this one gives it back.

        Raises:
            RunBusyError: another process drives it.
            StoreError: whether one does cannot be told.
        """
        ...

    def tidy(self, connection: Connection) -> None:
        """Leave the database in good order before the last connection of this process closes. Must not raise."""
        ...
