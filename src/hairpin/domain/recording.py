"""A conversation that was made elsewhere, as exchanges.

It must not judge; files are read in ``packs``.
"""

from __future__ import annotations

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.conversation import Exchange
from hairpin.domain.users import Context


class Recording(Value):
    """One conversation, both sides written down.

    Attributes:
        id: what its file calls it, else its line.
        context: where and when it happened, if the file says so.
        notes: what was left out or joined, for the transcript.
    """

    id: str
    exchanges: tuple[Exchange, ...] = Field(min_length=1)
    context: Context | None = None
    notes: tuple[str, ...] = ()
