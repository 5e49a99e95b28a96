"""Families: a source conversation with its follow-ups and what was found of their contexts, joined from rows.

It decides nothing; ``metamorphic`` does.
"""

from __future__ import annotations

from hairpin.domain.base import Value
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import ContextCheck, Derivation


class Family(Value):
    """A source conversation and what was derived from it.

    ``follow_ups``: those planned, in plan order, whether they have an outcome or not. ``context_checks``: of all of
    them; of one conversation, position, method and repeat the last one counts.
    """

    derivation: Derivation
    source: ConversationRecord
    follow_ups: tuple[ConversationRecord, ...] = ()
    context_checks: tuple[ContextCheck, ...] = ()
