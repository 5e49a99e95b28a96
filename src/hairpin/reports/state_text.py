"""Changes of an assistant's side channel in words.

It must not decide what changed; ``domain.state_changes`` does.
"""

from __future__ import annotations

import json
from typing import Final

from pydantic import JsonValue

from hairpin.domain.state_changes import StateChange

MOST_STATE_CHANGES: Final = 8
"""More of them are no help to a reader, who can open the whole state."""

_LONGEST_STATE: Final = 60


def state_text(change: StateChange) -> str:
    """Return a change of the side channel as ``path: before → now``; long values are cut."""
    before = _state_value(change.before) if change.known_before else "new"
    now = _state_value(change.now) if change.known else "gone"
    return f"{change.path}: {before} → {now}"


def _state_value(value: JsonValue) -> str:
    text = value if isinstance(value, str) and value.strip() else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_STATE else text[: _LONGEST_STATE - 1] + "…"
