"""What a user points at in a list that the assistant told, and whether a reply takes it for another entry.

It must not know what the entries are.
"""

from __future__ import annotations

import re

from hairpin.agents.offline.ledger import Ledger
from hairpin.agents.offline.reading import UserReading
from hairpin.agents.offline.replies import Reply
from hairpin.domain.lexicon import Language, mention_pattern

_PLACE = re.compile(r"n(\d)")


def told_after(ledger: Ledger, reply: Reply) -> Ledger:
    """Return ``ledger`` with the list that ``reply`` tells, and the one entry that was spoken of last."""
    if reply.listed:
        return ledger.model_copy(update={"told": reply.listed, "spoken_of": reply.listed[0]})
    mentioned = _mentioned(ledger, reply.text)
    return ledger.model_copy(update={"spoken_of": mentioned[0]}) if len(mentioned) == 1 else ledger


def mistaken_entry(before: Ledger, user: UserReading, reply: Reply, language: Language) -> tuple[str, str] | None:
    """Return the entry the user pointed at and the sentence that is about another one, ``None`` if there is none.

    ``before``: the ledger before the utterance. A reply with a question, a list of its own, or a reason before it takes
    another one takes nothing for something else; nor can it be told where the user names an entry.
    """
    if before.waiting or reply.questions or reply.listed:
        return None
    meant = _pointed_at(before, user, language)
    if meant is None or _mentioned(before, user.text) or meant in _mentioned(before, reply.text):
        return None
    first = next((s for s in reply.sentences if reply.denies(s) or _mentioned(before, s)), None)
    return (meant, first) if first is not None and not reply.denies(first) else None


def _pointed_at(ledger: Ledger, user: UserReading, language: Language) -> str | None:
    """Return the entry meant: group ``n2`` of a signal is the second, ``last`` the last, ``it`` the one spoken of."""
    match = language.user.pointed.first(user.text)
    if match is None or len(ledger.told) < 2:
        return None
    group = next((name for name, text in match.groupdict().items() if text is not None), "it")
    if group == "last":
        return ledger.told[-1]
    place = _PLACE.fullmatch(group)
    if place is None:
        return ledger.spoken_of
    return ledger.told[int(place[1]) - 1] if int(place[1]) <= len(ledger.told) else None


def _mentioned(ledger: Ledger, text: str) -> tuple[str, ...]:
    return tuple(entry for entry in ledger.told if mention_pattern((entry,)).search(text))
