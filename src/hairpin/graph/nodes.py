"""The nodes of the state machine: each fetches, calls one agent and returns a partial update.

Decisions are pure functions of the domain; what an agent or the assistant breaks becomes a stop, never an exception.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from langgraph.runtime import Runtime

from hairpin.domain.briefs import DimensionBrief, ExtractionBrief, ReviewBrief, SpeakBrief, StrategyBrief, TurnBrief
from hairpin.domain.checks import CheckResult, check_failure
from hairpin.domain.conversation import Exchange, dialogue, is_repetition
from hairpin.domain.failures import ModeKind
from hairpin.domain.judgement import TurnJudgement, failures_of
from hairpin.domain.outcome import Role, Stop, StopReason, decide_stop
from hairpin.domain.scoring import judge
from hairpin.domain.strategies import Strategy
from hairpin.domain.targets import TargetChanges, TargetEvent, all_resolved, apply_updates
from hairpin.errors import CheckFaultError, EndsRunError, StoreError
from hairpin.graph.state import ConversationDeps, ConversationState, DimensionInput, ReviewInput, Update, first_stop
from hairpin.graph.sut_call import call_sut, describe_error
from hairpin.ports import Check, RoleError

Input = TypeVar("Input")
SomeInput = TypeVar("SomeInput", contravariant=True)
Body = Callable[[Input, ConversationDeps], Awaitable[Update]]


class Node(Protocol[SomeInput]):
    """What LangGraph calls."""

    def __call__(self, state: SomeInput, *, runtime: Runtime[ConversationDeps]) -> Awaitable[dict[str, Any]]:
        """Return a partial update of the channels."""
        ...


def node(body: Body[Input]) -> Node[Input]:
    """Make a node of ``body``: interrupts end it, errors become stops. What concerns the whole run ends it."""

    # Not functools.wraps: LangGraph reads the signature, and the body's would hide the runtime parameter.
    async def run(state: Input, *, runtime: Runtime[ConversationDeps]) -> dict[str, Any]:
        deps = runtime.context
        if deps.stop.at_once is not None:
            return {"stops": (deps.stop.at_once,)}
        try:
            with deps.pulse.inside(body.__name__, deps.clock.monotonic()):
                return {**await body(state, deps)}
        except (StoreError, EndsRunError):
            raise
        except CheckFaultError as error:
            return {"stops": (Stop(reason=StopReason.CHECK_FAULT, detail=str(error)),)}
        except RoleError as error:
            return {"stops": (Stop(reason=error.reason, role=error.role, detail=error.detail),)}
        except Exception as error:  # noqa: BLE001 - one conversation must never take the others down
            detail = f"{body.__name__}: {describe_error(error)}"
            return {"stops": (Stop(reason=StopReason.INTERNAL_ERROR, detail=detail),)}

    run.__name__, run.__doc__ = body.__name__, body.__doc__
    return run


@node
async def extract_targets(_: ConversationState, deps: ConversationDeps) -> Update:
    """𝒢 ← ExtractTargets(s); scripts have no seed phrase, so their targets appear as they are uttered."""
    phrase = deps.planned.seed_phrase
    if phrase is None or not deps.scenario.oracles.turn_judge:
        return Update()
    brief = ExtractionBrief(
        seed_phrase=phrase,
        context=deps.planned.context,
        language=deps.scenario.language,
        rng_seed=deps.rng_seed(Role.EXTRACTOR),
        origin=deps.origin,
    )
    with deps.stop.guard() as scope:
        targets = await deps.roles.extractor.extract(brief)
    if scope.cancelled_caught:
        return _cut(deps)
    events = tuple(TargetEvent(target=target, old=None, reason="in the seed phrase") for target in targets)
    await deps.log.record_turn((), events)
    return Update(targets=targets)


@node
async def speak(state: ConversationState, deps: ConversationDeps) -> Update:
    """Make u_t: written down, or said by the simulator."""
    if (ended := _ended(deps)) is not None:
        return ended
    t = len(state["exchanges"])
    if (written := deps.turns.written(t)) is not None:
        return Update(utterance=written)
    brief = SpeakBrief(
        t=t,
        max_turns=deps.planned.max_turns,
        seed_phrase=deps.planned.seed_phrase or "",
        context=deps.planned.context,
        persona=deps.scenario.persona(deps.planned.persona),
        history=state["exchanges"],
        targets=state["targets"],
        strategy=state["strategy"],
        language=deps.scenario.language,
        rng_seed=deps.rng_seed(Role.SIMULATOR, str(t)),
        origin=deps.origin,
    )
    with deps.stop.guard() as scope:
        utterance = await deps.roles.simulator.speak(brief)
    if scope.cancelled_caught:
        return _cut(deps)
    if not utterance.text.strip():
        raise RoleError(StopReason.SIMULATOR_FAULT, Role.SIMULATOR, f"said nothing at turn {t}")
    return Update(utterance=utterance)


@node
async def ask_sut(state: ConversationState, deps: ConversationDeps) -> Update:
    """a_t ← SUT.Send(u_t), stored before anything else happens."""
    if (ended := _ended(deps)) is not None:
        return ended
    utterance, t = state["utterance"], len(state["exchanges"])
    if utterance is None:
        raise RuntimeError("ask_sut was reached without an utterance")
    started_s = deps.clock.monotonic()
    with deps.stop.guard() as scope:
        reply = await call_sut(
            deps.session,
            utterance.text,
            timeout_s=deps.scenario.turn_timeout_s,
            replied_before=deps.contact.replied,
        )
    if scope.cancelled_caught:
        return _cut(deps)
    if isinstance(reply, Stop):
        return Update(stops=(reply,))
    deps.contact.replied = True
    exchange = Exchange(
        t=t,
        user=utterance.text,
        assistant=reply.text,
        source=utterance.source,
        strategy=utterance.strategy,
        latency_ms=deps.latency_ms(t, (deps.clock.monotonic() - started_s) * 1000 - reply.retry_wait_ms),
        retry_wait_ms=reply.retry_wait_ms,
        ended=reply.ended,
        state=reply.state,
        metadata=reply.metadata,
        notes=utterance.notes,
        regenerations=utterance.regenerations,
    )
    await deps.log.record_exchange(exchange)
    deps.pulse.answered_s = deps.clock.monotonic()
    stops = () if deps.guided else _stop_after(exchange, state["exchanges"], state, deps)
    return Update(exchanges=(exchange,), utterance=None, stops=stops)


@node
async def judge_turn(state: ConversationState, deps: ConversationDeps) -> Update:
    """ℱ_t ← EvaluateTurn(H_t, u_t, a_t, 𝒢), and the checks on a_t."""
    t = state["judged"]
    history, exchange = state["exchanges"][:t], state["exchanges"][t]
    with deps.stop.guard() as scope:
        results = [await _run_check(check, exchange, history) for check in _checks_at(t, deps)]
        judgement = TurnJudgement()
        if deps.scenario.oracles.turn_judge:
            *before, turn = dialogue((*history, exchange), state=deps.scenario.oracles.state)
            judgement = await deps.roles.turn_judge.judge(
                TurnBrief(
                    history=tuple(before),
                    turn=turn,
                    context=deps.planned.context,
                    targets=state["targets"],
                    modes=deps.scenario.rubric.modes,
                    language=deps.scenario.language,
                    rng_seed=deps.rng_seed(Role.TURN_JUDGE, str(t)),
                    origin=deps.origin,
                )
            )
    if scope.cancelled_caught:
        return _cut(deps)
    if judgement.ballot is not None:
        await deps.log.record_ballot(t, judgement.ballot)
    return Update(judgement=judgement, check_results=tuple(results))


@node
async def track_targets(state: ConversationState, deps: ConversationDeps) -> Update:
    """Update 𝒢, prune Π by ℱ_t, store both, and decide whether the conversation ends after exchange t."""
    t = state["judged"]
    exchange = state["exchanges"][t]
    try:
        failures = failures_of(state["judgement"], deps.scenario.rubric, t=t, strategy=exchange.strategy)
        changes = _target_changes(state, t)
    except ValueError as error:
        raise RoleError(StopReason.JUDGE_FAULT, Role.TURN_JUDGE, str(error)) from error
    failures += tuple(
        check_failure(result, t=t, strategy=exchange.strategy) for result in state["check_results"] if not result.passed
    )
    await deps.log.record_turn(failures, changes.events)
    after: ConversationState = {**state, "targets": changes.targets}
    return Update(
        targets=changes.targets,
        failures=failures,
        pool=state["pool"].pruned({failure.mode for failure in failures}),
        judged=t + 1,
        stops=_stop_after(exchange, state["exchanges"][:t], after, deps) if deps.guided else (),
    )


@node
async def choose_strategy(state: ConversationState, deps: ConversationDeps) -> Update:
    """Pick λ from Π for the next utterance, unless that is written down or nothing is available."""
    t = len(state["exchanges"])
    pool = state["pool"]
    available = () if deps.turns.written(t) is not None else pool.available()
    if deps.planned.preference is not None:
        available = deps.planned.preference.among(available)
    chosen: Strategy | None = None
    if available:
        brief = StrategyBrief(
            t=t,
            history=state["exchanges"],
            targets=state["targets"],
            available=available,
            failures=tuple(failure for failure in state["failures"] if failure.kind is not ModeKind.CHECK),
            language=deps.scenario.language,
            rng_seed=deps.rng_seed(Role.STRATEGIST, str(t)),
            origin=deps.origin,
        )
        with deps.stop.guard() as scope:
            chosen = await deps.roles.strategist.choose(brief)
        if scope.cancelled_caught:
            return _cut(deps)
        if chosen is not None and chosen not in available:
            raise RoleError(StopReason.SIMULATOR_FAULT, Role.STRATEGIST, f"chose {chosen.id!r}, which is not available")
    return Update(strategy=chosen, pool=pool.used(chosen.id if chosen else None))


@node
async def judge_dimension(state: DimensionInput, deps: ConversationDeps) -> Update:
    """d_j ← EvaluateConversation(H) for one dimension; the four run side by side."""
    dimension = state["dimension"]
    brief = DimensionBrief(
        dimension=dimension,
        turns=dialogue(state["exchanges"], state=deps.scenario.oracles.state),
        language=deps.scenario.language,
        rng_seed=deps.rng_seed(Role.CONVERSATION_JUDGE, dimension.id),
        origin=deps.origin,
    )
    with deps.stop.guard() as scope:
        score = await deps.roles.conversation_judges[dimension.id].score(brief)
    if scope.cancelled_caught:
        return _cut(deps)
    return Update(scores=(score,))


@node
async def review_simulator(state: ReviewInput, deps: ConversationDeps) -> Update:
    """Look at the simulated user of the whole conversation; one that spoilt it ends it, whatever the judges say."""
    reviewer = deps.roles.simulator_reviewer
    if reviewer is None:
        raise RuntimeError("review_simulator was reached although nobody reviews")
    brief = ReviewBrief(
        seed_phrase=deps.planned.seed_phrase or "",
        context=deps.planned.context,
        persona=deps.scenario.persona(deps.planned.persona),
        exchanges=state["exchanges"],
        targets=state["targets"],
        strategies=deps.scenario.strategies,
        modes=deps.scenario.rubric.modes,
        failures=state["failures"],
        language=deps.scenario.language,
        rng_seed=deps.rng_seed(Role.SIMULATOR_REVIEWER),
        origin=deps.origin,
    )
    with deps.stop.guard() as scope:
        review = await reviewer.review(brief)
    if scope.cancelled_caught:
        return _cut(deps)
    await deps.log.record_review(review)
    if not review.spoiled:
        return Update()
    found = Stop(reason=StopReason.SIMULATOR_FAULT, role=Role.SIMULATOR, detail=review.told, reviewed=True)
    return Update(stops=(found,))


@node
async def score(state: ConversationState, deps: ConversationDeps) -> Update:
    """C ← ComputeScore(d, 𝒢) and the verdict. An interrupted conversation gets none: this does not run then."""
    stop = first_stop(state)
    if stop is None:
        raise RuntimeError("score was reached without a stop reason")
    order = {dimension.id: place for place, dimension in enumerate(deps.scenario.rubric.dimensions)}
    scores = tuple(sorted(state["scores"], key=lambda found: order.get(found.dimension, len(order))))
    for found in scores:
        await deps.log.record_score(found)
    return Update(
        verdict=judge(
            stop=stop,
            scores=scores,
            targets=state["targets"],
            weights=deps.scenario.rubric.weights,
            threshold=deps.scenario.rubric.threshold,
            scored=deps.scenario.oracles.dimensions,
            check_failed=any(failure.kind is ModeKind.CHECK for failure in state["failures"]),
        )
    )


def _cut(deps: ConversationDeps) -> Update:
    return Update(stops=(deps.stop.at_once or Stop(reason=StopReason.INTERRUPTED),))


def _ended(deps: ConversationDeps) -> Update | None:
    """Return what ends the conversation before anything more is said, or ``None`` to go on."""
    reason = deps.stop.reason
    return None if reason is None else Update(stops=(Stop(reason=reason),))


def _stop_after(
    exchange: Exchange, before: tuple[Exchange, ...], state: ConversationState, deps: ConversationDeps
) -> tuple[Stop, ...]:
    reasons = [deps.stop.reason]
    if deps.ending is not None:
        ended = () if deps.turns.has_more(exchange.t) else (deps.ending,)
        return (*(Stop(reason=reason) for reason in reasons if reason is not None), *ended)
    reasons.append(
        decide_stop(
            t=exchange.t,
            max_turns=deps.planned.max_turns,
            all_resolved=all_resolved(state["targets"]),
            sut_ended=exchange.ended,
            repeating=is_repetition((*before, exchange)),
            scripted=deps.turns.is_scripted_after(exchange.t),
            more_script=deps.turns.has_more(exchange.t),
            guided=deps.guided,
        )
    )
    return tuple(Stop(reason=reason) for reason in reasons if reason is not None)


def _target_changes(state: ConversationState, t: int) -> TargetChanges:
    judgement = state["judgement"]
    return apply_updates(state["targets"], judgement.updates, judgement.new_targets, t=t)


def _checks_at(t: int, deps: ConversationDeps) -> tuple[Check, ...]:
    return deps.checks + (deps.turn_checks[t] if t < len(deps.turn_checks) else ())


async def _run_check(check: Check, exchange: Exchange, history: tuple[Exchange, ...]) -> CheckResult:
    try:
        return await check.run(exchange, history)
    except Exception as error:
        raise CheckFaultError(f"{check.name} broke at turn {exchange.t}: {describe_error(error)}") from error
