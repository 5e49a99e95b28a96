"""What models cost, per conversation.

It must not write, and it decodes no value.
"""

from __future__ import annotations

import math
from itertools import groupby
from operator import attrgetter

from sqlalchemy import Connection, select

from hairpin.store.schema import attempts, llm_calls, plan

_FETCHED = 10_000
"""Rows held at once."""


def read_costs(connection: Connection, run_id: str) -> dict[str, float | None]:
    """Return per planned conversation the sum over all its attempts, in USD; ``None`` where one request's is unknown.

    Summed exactly and not by the database, so that the same rows give the same sum in every one.
    """
    costs: dict[str, float | None] = dict.fromkeys(
        connection.execute(select(plan.c.conversation_id).where(plan.c.run_id == run_id)).scalars(), 0.0
    )
    query = (
        select(attempts.c.conversation_id, llm_calls.c.cost_usd)
        .join(llm_calls, llm_calls.c.attempt_id == attempts.c.attempt_id)
        .where(attempts.c.run_id == run_id)
        .order_by(attempts.c.conversation_id)
    )
    rows = connection.execute(query.execution_options(yield_per=_FETCHED))
    for conversation_id, of_conversation in groupby(rows, key=attrgetter("conversation_id")):
        paid = [row.cost_usd for row in of_conversation]
        costs[conversation_id] = None if None in paid else math.fsum(paid)
    return costs
