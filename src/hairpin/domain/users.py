"""Who the user is and where: personas and contexts.

How a persona sounds is the simulator's work.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from hairpin.domain.base import Value


class Persona(Value):
    """Who the user is in general; ``style`` holds the phrases an offline user dresses its sentences in."""

    id: str
    title: str
    description: str
    style: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)


class Context(Value):
    """Where and when a conversation happens: 𝐜 = (location, date, time), vehicle state and optional reference text.

    ``date`` is ISO 8601 (``2026-11-29``), ``time`` is ``HH:MM``; ``None`` is not given.
    """

    location: str | None = None
    date: str | None = None
    time: str | None = None
    vehicle: Mapping[str, str | int | float | bool] = Field(default_factory=dict)
    reference_text: str | None = None

    def label(self) -> str:
        """Return a short human-readable name."""
        parts = [part for part in (self.location, self.date, self.time) if part]
        return ", ".join(parts) or "no context"
