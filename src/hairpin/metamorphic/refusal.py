"""Refusals: that something cannot be made, and why.

Whose refusal it is, and of which question, the caller knows.
"""

from __future__ import annotations

from hairpin.domain.base import Value


class Refused(Value):
    """There is nothing to make here; ``reason`` says why, in words for a report."""

    reason: str
