"""Utterance templates: what an offline user can say.

Choosing and filling them is the offline simulator's work.
"""

from __future__ import annotations

from hairpin.domain.base import Value


class UtteranceTemplate(Value):
    """A sentence with ``{slots}``; usable when every target kind in ``needs`` is known to the conversation."""

    text: str
    needs: tuple[str, ...] = ()
