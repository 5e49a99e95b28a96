"""The fingerprint of a run: two runs are comparable when it is equal.

It hashes what it is given; collecting the parts is the composition root's work.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping


def fingerprint(parts: Mapping[str, str]) -> str:
    """Return the SHA-256 over the named parts (SUT identity, models, prompts, packs, rubric, settings), as hex."""
    text = json.dumps(dict(parts), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def digest(text: str) -> str:
    """Return the SHA-256 of one part, as hex."""
    return hashlib.sha256(text.encode()).hexdigest()
