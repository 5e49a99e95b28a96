"""Where and when a conversation happens, on one line of a prompt.

What is made of it is the model's work.
"""

from __future__ import annotations

from collections.abc import Iterator

from hairpin.agents.llm.transcript import one_line
from hairpin.domain.users import Context


def situation_line(context: Context) -> str:
    """Return what is known of the situation on one line; ``-`` when nothing is."""
    return "; ".join(map(one_line, _facts(context))) or "-"


def _facts(context: Context) -> Iterator[str]:
    yield from (fact for fact in (context.location, context.date, context.time) if fact)
    yield from (f"{name}: {value}" for name, value in context.vehicle.items())
    if context.reference_text:
        yield context.reference_text
