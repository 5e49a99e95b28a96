"""Which words of a text are the assistant's, not its user's: one that only who serves says, or two that sound like it.

It must not look at the conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import Final

from hairpin.agents.llm.guard_phrases import RELAYED, SERVING, SERVING_TONE

_SENTENCE_END: Final = re.compile(r"[.?!]")


def role_slips(plain: str) -> tuple[str, ...]:
    """Return the words of ``plain``, a text as ``guards.folded`` gives it, that make it the assistant's; none if it is
    a user's.
    """
    slips = _apart(_own_words(SERVING, plain))
    if not slips:
        tone = _apart(_own_words(SERVING_TONE, plain))
        slips = tone if len(tone) > 1 else []
    return tuple(match[0] for match in slips)


def _own_words(patterns: Iterable[re.Pattern[str]], plain: str) -> list[re.Match[str]]:
    """Return what ``patterns`` find first in ``plain``, but for what another person is to be told."""
    found: list[re.Match[str]] = []
    for pattern in patterns:
        own = (match for match in pattern.finditer(plain) if not _relayed(plain[: match.start()]))
        found += islice(own, 1)
    return found


def _relayed(before: str) -> bool:
    sentence = _SENTENCE_END.split(before)[-1]
    return RELAYED.match(sentence.strip()) is not None


def _apart(found: Iterable[re.Match[str]]) -> list[re.Match[str]]:
    """Return those of ``found`` that do not overlap: the same words are one signal."""
    apart: list[re.Match[str]] = []
    for match in sorted(found, key=re.Match.start):
        if not apart or match.start() >= apart[-1].end():
            apart.append(match)
    return apart
