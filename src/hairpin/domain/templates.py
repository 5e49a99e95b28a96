"""Utterance templates: what an offline user can say.

Choosing and filling them is the offline simulator's work.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hairpin.domain.base import Value

SLOT = re.compile(r"\{(?:(?P<source>known):)?(?P<name>[a-z][a-z_]*?)(?:_\d)?\}")
"""A slot: ``{name}`` takes a value not yet spoken of, ``{known:name}`` one the user gave earlier; ``{name_2}`` takes
another value of the same kind than ``{name}``."""


class UtteranceTemplate(Value):
    """A sentence with ``{slots}``; usable when every target kind or constraint in ``needs`` is known and none in
    ``without`` is.
    """

    text: str
    needs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots in the order of their first use, ``known:`` included."""
        return tuple(dict.fromkeys(match.group()[1:-1] for match in SLOT.finditer(self.text)))

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the sentence; raises KeyError when ``values`` lacks a slot."""
        return SLOT.sub(lambda match: values[match.group()[1:-1]], self.text)
