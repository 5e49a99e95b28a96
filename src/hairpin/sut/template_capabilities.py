"""What an assistant reached by templates can be given: whatever they have a place for.

It fills nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pydantic import JsonValue

from hairpin.domain.json_paths import parse_path
from hairpin.domain.sut import Capabilities
from hairpin.domain.sut_template import placeholders

_HISTORY: Final = frozenset({"history", "messages"})
_REFERENCE_TEXT: Final = (("context",), ("context", "reference_text"))


def capabilities_of(
    templates: Iterable[JsonValue], *, max_sessions: int | None, idempotent_turns: bool = False
) -> Capabilities:
    """Return what ``templates``, taken together, can carry. Raises ValueError when one is no template."""
    paths = {parse_path(name) for template in templates for name in placeholders(template)}
    return Capabilities(
        accepts_history=any(path[0] in _HISTORY for path in paths),
        takes_reference_text=any(path in _REFERENCE_TEXT for path in paths),
        idempotent_turns=idempotent_turns,
        max_sessions=max_sessions,
    )
