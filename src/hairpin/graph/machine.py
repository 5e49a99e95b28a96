"""The compiled state machine: all nodes and edges on one screen, and the one function that runs it.

It must not decide anything: routers only read what nodes and the domain have decided.
"""

from __future__ import annotations

import asyncio
from typing import cast

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send
from langsmith import tracing_context

from hairpin.domain.outcome import Role, Stop
from hairpin.graph import nodes
from hairpin.graph.state import ConversationDeps, ConversationState, DimensionInput, first_stop, initial_state

NODES_PER_TURN = 5
NODES_AROUND = 5

Machine = CompiledStateGraph[ConversationState, ConversationDeps, ConversationState, ConversationState]


async def after_extraction(state: ConversationState, runtime: Runtime[ConversationDeps]) -> str | list[Send]:
    """Speak, unless extraction broke."""
    return "speak" if not state["stops"] else _finish(state, runtime.context)


async def after_speaking(state: ConversationState, runtime: Runtime[ConversationDeps]) -> str | list[Send]:
    """Send it, unless nothing could be said; then judge what exists: the baseline arm has judged nothing yet."""
    return "ask_sut" if not state["stops"] else _next(state, runtime.context)


async def after_reply(state: ConversationState, runtime: Runtime[ConversationDeps]) -> str | list[Send]:
    """Judge the exchange; the baseline arm speaks to the end first."""
    if not state["stops"] and not runtime.context.guided:
        return "speak"
    return _next(state, runtime.context)


async def after_judging(state: ConversationState, runtime: Runtime[ConversationDeps]) -> str | list[Send]:
    """Track targets, unless the judge or a check broke in this turn: then there is no judgement to track them by."""
    stop = first_stop(state)
    if stop is not None and (not stop.rule.judged or stop.role is Role.TURN_JUDGE):
        return _finish(state, runtime.context)
    return "track_targets" if runtime.context.stop.at_once is None else "score"


async def after_tracking(state: ConversationState, runtime: Runtime[ConversationDeps]) -> str | list[Send]:
    """Go on, judge the next exchange (baseline arm), or finish."""
    return _next(state, runtime.context)


async def after_choosing(state: ConversationState, runtime: Runtime[ConversationDeps]) -> str | list[Send]:
    """Speak, unless the strategist broke."""
    return "speak" if not state["stops"] else _finish(state, runtime.context)


def _next(state: ConversationState, deps: ConversationDeps) -> str | list[Send]:
    stop = first_stop(state)
    if (stop is not None and not stop.rule.judged) or deps.stop.at_once is not None:
        return "score"
    if state["judged"] < len(state["exchanges"]):
        return "judge_turn"
    return "choose_strategy" if stop is None else _finish(state, deps)


def _finish(state: ConversationState, deps: ConversationDeps) -> str | list[Send]:
    stop = cast(Stop, first_stop(state))
    dimensions = deps.scenario.rubric.dimensions if deps.scenario.oracles.dimensions else ()
    if not stop.rule.judged or not state["exchanges"] or not dimensions:
        return "score"
    return [
        Send("judge_dimension", DimensionInput(dimension=dimension, exchanges=state["exchanges"]))
        for dimension in dimensions
    ]


def build_machine() -> Machine:
    """Compile the state machine of design section 2."""
    graph = StateGraph(ConversationState, context_schema=ConversationDeps)
    graph.add_node("extract_targets", nodes.extract_targets)
    graph.add_node("speak", nodes.speak)
    graph.add_node("ask_sut", nodes.ask_sut)
    graph.add_node("judge_turn", nodes.judge_turn)
    graph.add_node("track_targets", nodes.track_targets)
    graph.add_node("choose_strategy", nodes.choose_strategy)
    graph.add_node("judge_dimension", nodes.judge_dimension)
    graph.add_node("score", nodes.score)

    finish = ["judge_dimension", "score"]
    graph.add_edge(START, "extract_targets")
    graph.add_conditional_edges("extract_targets", after_extraction, ["speak", *finish])
    graph.add_conditional_edges("speak", after_speaking, ["ask_sut", "judge_turn", *finish])
    graph.add_conditional_edges("ask_sut", after_reply, ["speak", "judge_turn", *finish])
    graph.add_conditional_edges("judge_turn", after_judging, ["track_targets", *finish])
    graph.add_conditional_edges("track_targets", after_tracking, ["judge_turn", "choose_strategy", *finish])
    graph.add_conditional_edges("choose_strategy", after_choosing, ["speak", *finish])
    graph.add_edge("judge_dimension", "score")
    graph.add_edge("score", END)
    return graph.compile(name="conversation")


def recursion_limit(max_turns: int) -> int:
    """Return more supersteps than a conversation of ``max_turns`` exchanges can take: it is never why one ends."""
    return NODES_PER_TURN * max_turns + NODES_AROUND


async def run_graph(machine: Machine, deps: ConversationDeps, *, tracing: bool = False) -> ConversationState:
    """Run one conversation to its end and return the channels.

    Without ``tracing`` nothing is sent to LangSmith, whatever the environment says.

    This is the only place that cancels a graph. A cancelled ``ainvoke`` inside an anyio scope would orphan the branches
    of ``Send``, which go on sending requests; so the graph runs in a task of its own, which is cancelled once and
    waited for, whatever happens meanwhile.

    Raises:
        StoreError: a row could not be stored.
        EndsRunError: a role met what every other conversation would meet.
    """
    with tracing_context(enabled=tracing):
        task = asyncio.create_task(_invoke(machine, deps))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.cancel()
        await _ended(task)
        raise


async def _invoke(machine: Machine, deps: ConversationDeps) -> ConversationState:
    limit = recursion_limit(deps.planned.max_turns)
    final = await machine.ainvoke(initial_state(deps), {"recursion_limit": limit}, context=deps)
    return cast(ConversationState, final)


async def _ended(task: asyncio.Task[ConversationState]) -> None:
    # Further cancellations of the waiting task must not leave the graph behind: it is ending already.
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            continue
