"""Test seeds of stored conversations: what the user said in each, without gold answers.

How a run is read is not known here; it is handed the conversations.
"""

from __future__ import annotations

from hairpin.domain.records import ConversationRecord
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.packs.seed_records import NoSeedError


def stored_seed(record: ConversationRecord, run: str) -> TestSeed:
    """Return the conversation of the run called ``run`` as a test seed, in its own context.

    Raises:
        NoSeedError: nothing was said, or the user said nothing at all in a turn.
    """
    if not record.exchanges:
        raise NoSeedError("nothing was said in it", "leave it out")
    for exchange in record.exchanges:
        if not exchange.user.strip():
            raise NoSeedError(f"the user says nothing at t = {exchange.t}", "leave it out")
    questions = tuple(SeedQuestion(text=exchange.user) for exchange in record.exchanges)
    return TestSeed(id=record.planned.id, origin=f"run {run}", context=record.planned.context, questions=questions)
