"""What really happened in stored conversations with the testbed: the strikes of its faults, found again.

The testbed answers the same again, so its hidden log needs no file: the user's words are said to it once more. It must
not ask any other assistant, or judge.
"""

from __future__ import annotations

from collections.abc import Mapping

from hairpin.analysis.fault_benchmark_model import TrueStrike
from hairpin.domain.records import ConversationRecord
from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.sut_spec import TestbedSut
from hairpin.errors import InvalidInputError
from hairpin.testbed.adapter import TestbedAdapter
from hairpin.testbed.faults.base import FaultStrike


async def strikes_in(record: ConversationRecord, sut: TestbedSut, *, where: str) -> tuple[FaultStrike, ...]:
    """Return the strikes of the testbed ``sut`` in a conversation that was held with it.

    Raises:
        InvalidInputError: it now answers otherwise than is stored: another version made the run.
    """
    adapter = TestbedAdapter(sut.faults, sut.wording)
    planned = record.planned
    start = SessionStart(conversation_id=planned.id, context=planned.context, rng_seed=planned.rng_seed)
    session = await adapter.open(start)
    for exchange in record.exchanges:
        reply = await session.send(exchange.user)
        text = reply.text if isinstance(reply, SutReply) else reply
        if text != exchange.assistant:
            raise InvalidInputError(
                f"conversation {planned.id}: the testbed answers turn {exchange.t} otherwise than is stored",
                where=where,
                hint="the run was made by another version of Hairpin; run the benchmark anew, with another --out",
            )
    await session.close()
    return adapter.fault_log


async def true_strikes(
    record: ConversationRecord, suts: Mapping[str, TestbedSut], *, where: str
) -> tuple[TrueStrike, ...]:
    """Return the strikes in ``record`` that a label can show. ``suts``: by label. Raises as ``strikes_in``."""
    found = await strikes_in(record, suts[record.planned.sut], where=where)
    return tuple(
        TrueStrike(t=strike.t, mode=strike.mode, visible=strike.visible) for strike in found if strike.mode is not None
    )
