"""A role's prompt: the stable instructions and the request that follows the conversation, with slots to fill.

Which slots a role fills, and what it appends in between, the role knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from hairpin.domain.base import Value

SLOT: Final = re.compile(r"\{\{\s*([a-z_]+)\s*\}\}")
"""``{{ name }}``."""


class RolePrompt(Value):
    """``system`` is what it is told first and always; ``request`` what it is asked at the end, anew each time."""

    id: str
    version: int = 1
    system: str
    request: str


def slots_of(text: str) -> frozenset[str]:
    """Return the names of the slots in ``text``."""
    return frozenset(SLOT.findall(text))


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return ``text`` with every slot filled; what a value holds is never taken for a slot.

    Raises:
        KeyError: a slot has no value.
    """
    return SLOT.sub(lambda match: values[match[1]], text)
