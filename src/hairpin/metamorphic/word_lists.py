"""Word lists written as text, for rules on words.

What a list means, its user says.
"""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of ``text``."""
    return frozenset(text.split())
