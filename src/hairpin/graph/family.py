"""The metamorphic node: the graph that drives a family, from a source conversation to the fold of its relation checks.

It must not hold a conversation: ``follow_up`` asks for one, and whoever runs it uses the conversation graph.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from hairpin.domain.families import Family
from hairpin.domain.relations import Fold
from hairpin.errors import EndsRunError, StoreError, UserError
from hairpin.graph.context_checks import check_contexts, untold_of
from hairpin.graph.family_state import (
    Derived,
    FamilyDeps,
    FamilyEnd,
    FamilyState,
    FamilyUpdate,
    FollowUpEnd,
    FollowUpInput,
    family_end,
)
from hairpin.graph.running import run_graph
from hairpin.graph.sut_call import describe_error

RECURSION_LIMIT = 10
"""More supersteps than a family takes: its nodes come one after another, all follow-ups in one step."""

FamilyGraph = CompiledStateGraph[FamilyState, FamilyDeps, FamilyState, FamilyState]
Input = TypeVar("Input")
SomeInput = TypeVar("SomeInput", contravariant=True)


class FamilyNode(Protocol[SomeInput]):
    """What LangGraph calls."""

    def __call__(self, state: SomeInput, *, runtime: Runtime[FamilyDeps]) -> Awaitable[dict[str, Any]]:
        """Return a partial update of the channels."""
        ...


def family_node(body: Callable[[Input, FamilyDeps], Awaitable[FamilyUpdate]]) -> FamilyNode[Input]:
    """Make a node of ``body``: an interrupt ends it, what breaks becomes a problem; what ends the run is raised."""

    # Not functools.wraps: LangGraph reads the signature, and the body's would hide the runtime parameter.
    async def run(state: Input, *, runtime: Runtime[FamilyDeps]) -> dict[str, Any]:
        deps = runtime.context
        if deps.run_stop.interrupted:
            return {}
        try:
            return {**await body(state, deps)}
        except (StoreError, UserError, EndsRunError):
            raise
        except Exception as error:  # noqa: BLE001 - one family must never take conversations down
            return {"problems": (f"{body.__name__}: {describe_error(error)}",)}

    run.__name__, run.__doc__ = body.__name__, body.__doc__
    return run


@family_node
async def metamorphic(_: FamilyState, deps: FamilyDeps) -> FamilyUpdate:
    """Derive the follow-ups and plan them in one go, or read back what was derived before."""
    stored = deps.store.derivation(deps.source)
    if stored is None:
        if deps.asks_models and deps.stop.reason is not None:
            return FamilyUpdate()
        derived: Derived | None = None
        with deps.run_stop.guard():
            derived = await deps.derive(deps.store.conversation(deps.source))
        if derived is None:
            return FamilyUpdate()
        derivation, follow_ups = derived
        await deps.store.record_derivation(derivation, follow_ups)
        waiting = follow_ups
    else:
        derivation, follow_ups = stored
        ended = {record.planned.id for record in deps.store.family(deps.source) if record.outcome is not None}
        waiting = tuple(planned for planned in follow_ups if planned.id not in ended)
    deps.derived(derivation, len(waiting))
    return FamilyUpdate(derivation=derivation, follow_ups=follow_ups, waiting=waiting)


@family_node
async def follow_up(state: FollowUpInput, deps: FamilyDeps) -> FamilyUpdate:
    """Have one follow-up run as a conversation of its own; whatever comes of it is an end, never an exception."""
    planned = state["planned"]
    try:
        end = await deps.ask(planned)
    except Exception as error:  # noqa: BLE001 - an exception here would cancel the other follow-ups
        why = describe_error(error)
        end = FollowUpEnd(conversation=planned.id, why=why)
        return FamilyUpdate(ends=(end,), problems=(f"{planned.id}: {why}",))
    return FamilyUpdate(ends=(end,))


@family_node
async def context_check(state: FamilyState, deps: FamilyDeps) -> FamilyUpdate:
    """EC(Q^r_{i-1}, q^r_i) for every position that has no finding yet; it needs no reply of the assistant."""
    derivation = state["derivation"]
    assert derivation is not None
    left = await check_contexts(derivation.test_seed, state["follow_ups"], deps)
    problems = (left.problem,) if left.problem else ()
    return FamilyUpdate(unchecked=left.n_left, problems=problems)


@family_node
async def check_relations(state: FamilyState, deps: FamilyDeps) -> FamilyUpdate:
    """Fold the stored rows of the family into relation checks."""
    derivation = state["derivation"]
    assert derivation is not None
    source, *follow_ups = deps.store.family(deps.source)
    family = Family(
        derivation=derivation,
        source=source,
        follow_ups=tuple(follow_ups),
        context_checks=deps.store.context_checks(deps.source),
    )
    with deps.run_stop.guard() as scope:
        checks = tuple(await deps.relate(family))
    if scope.cancelled_caught:
        return FamilyUpdate()
    n_ended = sum(record.outcome is not None for record in follow_ups)
    untold = untold_of(family.context_checks)
    open_ends = state["unchecked"] or state["problems"] or untold
    complete = n_ended == len(state["follow_ups"]) and not open_ends
    fold = Fold(source=deps.source, complete=complete, n_follow_ups=n_ended, checks=checks)
    await deps.store.record_fold(fold)
    return FamilyUpdate(fold=fold, untold=untold)


async def after_deriving(state: FamilyState) -> list[Send | str]:
    """Run every follow-up and check contexts beside them, unless nothing could be derived."""
    if state["derivation"] is None:
        return [END]
    return ["context_check", *(Send("follow_up", FollowUpInput(planned=planned)) for planned in state["waiting"])]


def build_family_graph() -> FamilyGraph:
    """Compile the graph of the metamorphic node of design section 2."""
    graph = StateGraph(FamilyState, context_schema=FamilyDeps)
    graph.add_node("metamorphic", metamorphic)
    graph.add_node("follow_up", follow_up)
    graph.add_node("context_check", context_check)
    graph.add_node("check_relations", check_relations)

    graph.add_edge(START, "metamorphic")
    graph.add_conditional_edges("metamorphic", after_deriving, ["follow_up", "context_check", END])
    graph.add_edge("follow_up", "check_relations")
    graph.add_edge("context_check", "check_relations")
    graph.add_edge("check_relations", END)
    return graph.compile(name="family")


async def run_family(graph: FamilyGraph, deps: FamilyDeps, *, tracing: bool = False) -> FamilyEnd:
    """Drive one family as far as it goes and say how far; cancelled as ``running.run_graph`` says.

    Raises:
        StoreError: a row could not be stored.
        EndsRunError: a model takes no call any more.
        UserError: the user must mend something first.
    """
    start = FamilyState(
        derivation=None, follow_ups=(), waiting=(), ends=(), unchecked=0, untold=(), fold=None, problems=()
    )
    final = await run_graph(graph, start, deps, recursion_limit=RECURSION_LIMIT, tracing=tracing)
    return family_end(deps.source, final)
