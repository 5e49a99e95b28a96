"""The compiled state machine: all nodes and edges on one screen.

It must not decide anything: routers only read what nodes and the domain have decided.
"""

from __future__ import annotations

from typing import cast

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from hairpin.domain.outcome import Role, Stop
from hairpin.graph import nodes
from hairpin.graph.running import run_graph
from hairpin.graph.state import (
    ConversationDeps,
    ConversationState,
    DimensionInput,
    ReviewInput,
    first_stop,
    initial_state,
)

NODES_PER_TURN = 5
NODES_AROUND = 5

Machine = CompiledStateGraph[ConversationState, ConversationDeps, ConversationState, ConversationState]


async def at_start(_: ConversationState, runtime: Runtime[ConversationDeps]) -> str:
    """Find the targets; a replay has none."""
    return "speak" if runtime.context.replays else "extract_targets"


async def after_extraction(state: ConversationState, runtime: Runtime[ConversationDeps]) -> str | list[Send]:
    """Speak, unless extraction broke."""
    return "speak" if not state["stops"] else _finish(state, runtime.context)


async def after_speaking(state: ConversationState, runtime: Runtime[ConversationDeps]) -> str | list[Send]:
    """Send it, unless nothing could be said; then judge what exists: the baseline arm has judged nothing yet."""
    return "ask_sut" if not state["stops"] else _next(state, runtime.context)


async def after_reply(state: ConversationState, runtime: Runtime[ConversationDeps]) -> str | list[Send]:
    """Judge the exchange; the baseline arm speaks to the end first. A replay does nothing else."""
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
    if deps.replays:
        return END
    stop = first_stop(state)
    if (stop is not None and not stop.rule.judged) or deps.stop.at_once is not None:
        return "score"
    if state["judged"] < len(state["exchanges"]):
        return "judge_turn"
    return "choose_strategy" if stop is None else _finish(state, deps)


def _finish(state: ConversationState, deps: ConversationDeps) -> str | list[Send]:
    stop = cast(Stop, first_stop(state))
    if not stop.rule.judged or not state["exchanges"]:
        return "score"
    dimensions = deps.scenario.rubric.dimensions if deps.scenario.oracles.dimensions else ()
    branches = [
        Send("judge_dimension", DimensionInput(dimension=dimension, exchanges=state["exchanges"]))
        for dimension in dimensions
    ]
    if deps.reviews(state["exchanges"]):
        review = ReviewInput(exchanges=state["exchanges"], targets=state["targets"], failures=state["failures"])
        branches.append(Send("review_simulator", review))
    return branches or "score"


def build_machine() -> Machine:
    """Compile the state machine of design section 2; a replay goes through ``speak`` and ``ask_sut`` alone."""
    graph = StateGraph(ConversationState, context_schema=ConversationDeps)
    graph.add_node("extract_targets", nodes.extract_targets)
    graph.add_node("speak", nodes.speak)
    graph.add_node("ask_sut", nodes.ask_sut)
    graph.add_node("judge_turn", nodes.judge_turn)
    graph.add_node("track_targets", nodes.track_targets)
    graph.add_node("choose_strategy", nodes.choose_strategy)
    graph.add_node("judge_dimension", nodes.judge_dimension)
    graph.add_node("review_simulator", nodes.review_simulator)
    graph.add_node("score", nodes.score)

    finish = ["judge_dimension", "review_simulator", "score"]
    graph.add_conditional_edges(START, at_start, ["extract_targets", "speak"])
    graph.add_conditional_edges("extract_targets", after_extraction, ["speak", *finish])
    graph.add_conditional_edges("speak", after_speaking, ["ask_sut", "judge_turn", *finish, END])
    graph.add_conditional_edges("ask_sut", after_reply, ["speak", "judge_turn", *finish, END])
    graph.add_conditional_edges("judge_turn", after_judging, ["track_targets", *finish])
    graph.add_conditional_edges("track_targets", after_tracking, ["judge_turn", "choose_strategy", *finish])
    graph.add_conditional_edges("choose_strategy", after_choosing, ["speak", *finish])
    graph.add_edge("judge_dimension", "score")
    graph.add_edge("review_simulator", "score")
    graph.add_edge("score", END)
    return graph.compile(name="conversation")


def recursion_limit(max_turns: int) -> int:
    """Return more supersteps than a conversation of ``max_turns`` exchanges can take: it is never why one ends."""
    return NODES_PER_TURN * max_turns + NODES_AROUND


async def run_conversation(machine: Machine, deps: ConversationDeps, *, tracing: bool = False) -> ConversationState:
    """Run one conversation to its end and return the channels; cancelled as ``running.run_graph`` says.

    Raises:
        StoreError: a row could not be stored.
        EndsRunError: a role met what every other conversation would meet.
    """
    limit = recursion_limit(deps.planned.max_turns)
    return await run_graph(machine, initial_state(deps), deps, recursion_limit=limit, tracing=tracing)
