"""A pool of seed phrases as YAML, with a comment that says where it came from.

It judges no phrase.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence


def dump_pool(pool_id: str, tasks: Mapping[str, Sequence[str]], *, title: str, comment: Sequence[str] = ()) -> str:
    """Return ``scenarios/pools/<pool_id>.yaml``; tasks without a phrase are left out.

    ``comment``: lines above it. Same arguments, same bytes.
    """
    lines = [f"# {' '.join(line.split())}" for line in comment]
    lines += ["version: 1", f"id: {_text(pool_id)}", f"title: {_text(title)}", "tasks:"]
    for task, phrases in tasks.items():
        if phrases:
            lines += [f"  {task}:", *(f"    - {_text(phrase)}" for phrase in phrases)]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    """Return ``text`` in quotes: JSON's are YAML's, and nothing in them is taken for anything else."""
    return json.dumps(text, ensure_ascii=False)
