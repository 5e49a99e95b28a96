"""Running a compiled graph: the one place that starts it, and the only one that cancels it.

It must not know what the graph does.
"""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar, cast

from langgraph.graph.state import CompiledStateGraph
from langsmith import tracing_context

StateT = TypeVar("StateT")


async def run_graph(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    state: StateT,
    deps: object,
    *,
    recursion_limit: int,
    tracing: bool = False,
) -> StateT:
    """Run a graph from ``state`` to its end and return the channels.

    Without ``tracing`` nothing is sent to LangSmith, whatever the environment says.

    A cancelled ``ainvoke`` inside an anyio scope would orphan the branches of ``Send``, which go on sending requests;
    so the graph runs in a task of its own, which is cancelled once and waited for, whatever happens meanwhile.
    """
    with tracing_context(enabled=tracing):
        task = asyncio.create_task(_invoke(graph, state, deps, recursion_limit))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.cancel()
        await _ended(task)
        raise


async def _invoke(
    graph: CompiledStateGraph[Any, Any, Any, Any], state: StateT, deps: object, recursion_limit: int
) -> StateT:
    final = await graph.ainvoke(state, {"recursion_limit": recursion_limit}, context=deps)
    return cast(StateT, final)


async def _ended(task: asyncio.Task[StateT]) -> None:
    # Further cancellations of the waiting task must not leave the graph behind: it is ending already.
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            continue
