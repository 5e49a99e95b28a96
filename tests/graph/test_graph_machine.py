"""The state machine, from the first node to the verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from hairpin.domain.arm import Arm
from hairpin.domain.ballots import Ballot, Vote
from hairpin.domain.briefs import DimensionBrief, SpeakBrief, StrategyBrief, TurnBrief
from hairpin.domain.conversation import Utterance, UtteranceSource
from hairpin.domain.judgement import ResponseFinding, TurnJudgement
from hairpin.domain.outcome import Blame, Role, Stop, StopReason, Verdict
from hairpin.domain.preference import Preference
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.scenario import Oracles, ScriptTurn
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.sut import SutReply
from hairpin.domain.targets import Target, TargetStatus, TargetUpdate
from hairpin.errors import ModelSetupError, StoreError
from hairpin.graph.machine import build_machine, recursion_limit, run_conversation
from hairpin.graph.speakers import UserTurns
from hairpin.graph.state import first_stop
from hairpin.ports import RoleError
from tests.patience import SLOWNESS

if TYPE_CHECKING:
    from hairpin.graph.state import ConversationState
    from tests.graph.conftest import World

pytestmark = pytest.mark.anyio


def reason_of(state: Any) -> StopReason:
    stop = first_stop(state)
    assert stop is not None
    return stop.reason


def completing(target_id: str = "g1", *, at: int = 0) -> Any:
    async def judge(brief: TurnBrief) -> TurnJudgement:
        done = brief.turn.t >= at
        status = TargetStatus.COMPLETED if done else TargetStatus.INCOMPLETE
        return TurnJudgement(updates=(TargetUpdate(target_id=target_id, status=status, uttered=True),))

    return judge


async def test_roles_alternate_and_every_exchange_is_stored_before_the_next_utterance(world: World) -> None:
    """Users complain of two user messages in a row, and of turns lost: neither can happen."""
    state = await world.run()
    turn = ["speak", "send", "judge", "choose"]
    assert world.calls[: 1 + 4 * 4 - 1] == ["extract", *(turn * 4)[:-1]]
    assert [exchange.t for exchange in world.log.exchanges] == [0, 1, 2, 3]
    assert reason_of(state) is StopReason.TURNS_EXHAUSTED


async def test_all_four_dimensions_are_judged_and_stored_in_the_order_of_the_rubric(world: World) -> None:
    state = await world.run()
    assert [score.dimension for score in world.log.scores] == ["adherence", "context", "plan", "safety"]
    assert state["verdict"].verdict is Verdict.PASS
    assert state["verdict"].success_score == 1.0


async def test_the_dimension_judges_run_side_by_side(world: World) -> None:
    inside = anyio.Event()
    waiting = 0

    async def score(brief: DimensionBrief) -> Any:
        nonlocal waiting
        waiting += 1
        if waiting == 4:
            inside.set()
        await inside.wait()
        world.on_score = None
        return await world.score(brief)

    world.on_score = score
    with anyio.fail_after(5 * SLOWNESS):
        await world.run()
    assert waiting == 4


async def test_judges_see_words_and_nothing_of_strategies(world: World) -> None:
    await world.run()
    for turn in (world.turn_briefs[-1].turn, *world.turn_briefs[-1].history, *world.dimension_briefs[0].turns):
        assert set(turn.model_dump(exclude_none=True)) == {"t", "user", "assistant"}
    assert set(world.dimension_briefs[0].model_dump()) == {"dimension", "turns", "language", "rng_seed", "origin"}


async def test_the_first_utterance_has_no_strategy_and_later_ones_do(world: World) -> None:
    await world.run()
    assert world.speak_briefs[0].strategy is None
    assert [brief.strategy and brief.strategy.id for brief in world.speak_briefs[1:]] == ["recall", "recall", "probe"]


async def test_a_found_failure_prunes_the_strategy_that_aims_at_it(world: World) -> None:
    async def judge(brief: TurnBrief) -> TurnJudgement:
        found = (ResponseFinding(mode="forgot", evidence="said so"),) if brief.turn.t == 1 else ()
        return TurnJudgement(response=found)

    world.on_judge = judge
    await world.run()
    assert [failure.mode for failure in world.log.failures] == ["forgot"]
    assert world.log.failures[0].strategy == "recall"
    assert [strategy.id for strategy in world.strategy_briefs[-1].available] == ["probe"]


async def test_when_every_strategy_is_blocked_the_user_speaks_without_one_and_the_limits_reset(world: World) -> None:
    world.strategies = world.strategies[1:]
    await world.run()
    assert [brief.strategy and brief.strategy.id for brief in world.speak_briefs] == [None, "probe", None, "probe"]


async def test_of_what_is_available_only_what_is_preferred_is_offered_and_the_rest_where_none_of_it_is(
    world: World,
) -> None:
    """``probe`` may not be used twice in a row: then the rest is offered."""
    world.arm, world.preference = Arm.LEARNED, Preference(strategies=("probe",))
    await world.run()
    assert [[strategy.id for strategy in brief.available] for brief in world.strategy_briefs] == [
        ["probe"],
        ["recall"],
        ["probe"],
    ]


async def test_with_an_empty_pool_the_conversation_goes_on_unguided(world: World) -> None:
    world.strategies = ()
    await world.run()
    assert "choose" not in world.calls
    assert len(world.log.exchanges) == 4


async def test_ends_when_all_targets_are_resolved_and_half_the_turns_are_spent(world: World) -> None:
    world.max_turns, world.on_judge = 6, completing()
    state = await world.run()
    assert reason_of(state) is StopReason.TARGETS_RESOLVED
    assert len(state["exchanges"]) == 4


async def test_a_new_target_keeps_the_conversation_going(world: World) -> None:
    async def judge(brief: TurnBrief) -> TurnJudgement:
        new = (Target(id="g2", text="and lunch"),) if brief.turn.t == 1 else ()
        update = TargetUpdate(target_id="g1", status=TargetStatus.COMPLETED, uttered=True)
        return TurnJudgement(new_targets=new, updates=(update,))

    world.on_judge = judge
    state = await world.run()
    assert reason_of(state) is StopReason.TURNS_EXHAUSTED
    assert state["verdict"].ratios.uttered == 0.5


async def test_the_baseline_arm_speaks_to_the_end_and_is_judged_afterwards(world: World) -> None:
    """Nothing may feed back: no strategy, no judgement before the last exchange, always M exchanges."""
    world.arm, world.on_judge = Arm.BASELINE, completing()
    state = await world.run()
    assert world.calls[:9] == ["extract", *["speak", "send"] * 4]
    assert world.calls[9:13] == ["judge"] * 4
    assert [brief.turn.t for brief in world.turn_briefs] == [0, 1, 2, 3]
    assert reason_of(state) is StopReason.TURNS_EXHAUSTED
    assert state["verdict"].verdict is Verdict.PASS


async def test_a_baseline_conversation_that_breaks_is_still_judged_for_information(world: World) -> None:
    async def send(utterance: str) -> str:
        if utterance == "utterance 2":
            raise ValueError("boom")
        return "fine"

    world.arm, world.on_send = Arm.BASELINE, send
    state = await world.run()
    assert world.calls.count("judge") == 2
    assert len(world.log.scores) == 4
    assert state["verdict"].verdict is Verdict.INVALID


async def test_a_script_is_spoken_word_for_word_and_ends_the_conversation(world: World) -> None:
    world.script = (ScriptTurn(user="yes"), ScriptTurn(user="no"))
    state = await world.run()
    assert [exchange.user for exchange in state["exchanges"]] == ["yes", "no"]
    assert {exchange.source for exchange in state["exchanges"]} == {UtteranceSource.SCRIPTED}
    assert reason_of(state) is StopReason.SCRIPT_EXHAUSTED
    assert not {"extract", "speak", "choose"} & set(world.calls)


async def test_scripted_users_never_end_by_repetition_or_targets(world: World) -> None:
    world.script, world.max_turns = (ScriptTurn(user="again"),) * 5, 5

    async def judge(brief: TurnBrief) -> TurnJudgement:
        new = (Target(id="g1", text="again"),) if brief.turn.t == 0 else ()
        update = TargetUpdate(target_id="g1", status=TargetStatus.COMPLETED)
        return TurnJudgement(new_targets=new, updates=(update,))

    world.on_judge = judge

    async def send(utterance: str) -> str:
        return "same"

    world.on_send = send
    assert reason_of(await world.run()) is StopReason.SCRIPT_EXHAUSTED


async def test_replayed_turns_come_first_and_the_simulator_goes_on(world: World) -> None:
    world.turns = UserTurns(replayed=("stored 0", "stored 1"))
    state = await world.run()
    assert [exchange.user for exchange in state["exchanges"]] == ["stored 0", "stored 1", "utterance 2", "utterance 3"]
    assert [exchange.source for exchange in state["exchanges"]][:2] == [UtteranceSource.REPLAYED] * 2


async def test_two_that_thank_each_other_for_ever_stop_by_repetition_and_are_judged(make_world: type[World]) -> None:
    world = make_world(max_turns=40)
    _say_goodbye(world)
    state = await world.run()
    assert reason_of(state) is StopReason.REPETITION
    assert len(world.log.exchanges) == 3
    assert len(world.log.scores) == 4


@pytest.mark.parametrize("max_turns", [1, 2, 40])
async def test_the_turn_limit_is_exact_and_the_step_limit_of_the_library_is_never_met(
    make_world: type[World], max_turns: int
) -> None:
    world = make_world(max_turns=max_turns)
    state = await world.run()
    assert reason_of(state) is StopReason.TURNS_EXHAUSTED
    assert len(world.log.exchanges) == max_turns


@pytest.mark.parametrize("max_turns", [1, 3, 40])
async def test_the_step_limit_also_suffices_for_the_baseline_arm(make_world: type[World], max_turns: int) -> None:
    world = make_world(max_turns=max_turns, arm=Arm.BASELINE)
    await world.run()
    assert len(world.log.exchanges) == max_turns
    assert recursion_limit(max_turns) < 10_007


async def test_a_repeating_assistant_alone_never_ends_anything(world: World) -> None:
    async def send(utterance: str) -> str:
        return "same"

    world.on_send = send
    assert reason_of(await world.run()) is StopReason.TURNS_EXHAUSTED


async def test_the_assistant_may_end_the_conversation(world: World) -> None:
    async def send(utterance: str) -> SutReply:
        return SutReply(text="bye", ended=True)

    world.on_send = send
    state = await world.run()
    assert reason_of(state) is StopReason.SUT_ENDED
    assert len(world.log.scores) == 4


async def test_an_error_of_the_assistant_keeps_what_was_said_and_is_judged_for_information(world: World) -> None:
    async def send(utterance: str) -> str:
        if utterance == "utterance 2":
            raise ValueError("engine\non fire")
        return "fine"

    world.on_send = send
    state = await world.run()
    stop = first_stop(state)
    assert stop is not None
    assert stop.reason is StopReason.SUT_ERROR
    assert stop.detail.startswith("ValueError: engine on fire (test_graph_machine.py:")
    assert len(world.log.exchanges) == 2
    assert state["utterance"] is not None
    assert state["utterance"].text == "utterance 2"
    assert len(world.log.scores) == 4
    assert (state["verdict"].verdict, state["verdict"].blame) == (Verdict.INVALID, Blame.SUT)


@pytest.mark.parametrize(
    ("where", "role", "blame"),
    [
        ("on_extract", Role.EXTRACTOR, Blame.SIMULATOR),
        ("on_speak", Role.SIMULATOR, Blame.SIMULATOR),
        ("on_choose", Role.STRATEGIST, Blame.SIMULATOR),
        ("on_judge", Role.TURN_JUDGE, Blame.JUDGE),
        ("on_score", Role.CONVERSATION_JUDGE, Blame.JUDGE),
    ],
)
async def test_a_role_that_refuses_makes_the_conversation_invalid_and_is_to_blame(
    world: World, where: str, role: Role, blame: Blame
) -> None:
    async def refuse(brief: object) -> Any:
        raise RoleError(StopReason.REFUSED, role, "I will not")

    setattr(world, where, refuse)
    state = await world.run()
    stop = first_stop(state)
    assert stop is not None
    assert (stop.reason, stop.role, stop.detail) == (StopReason.REFUSED, role, "I will not")
    assert (state["verdict"].verdict, state["verdict"].blame) == (Verdict.INVALID, blame)


@pytest.mark.parametrize("where", ["on_extract", "on_speak", "on_choose", "on_judge", "on_score"])
async def test_a_bug_of_ours_is_ours(world: World, where: str) -> None:
    async def explode(brief: object) -> Any:
        raise KeyError("oops")

    setattr(world, where, explode)
    state = await world.run()
    assert reason_of(state) is StopReason.INTERNAL_ERROR
    assert (state["verdict"].verdict, state["verdict"].blame) == (Verdict.INVALID, Blame.HARNESS)


async def test_a_missing_dimension_leaves_the_score_undefined(world: World) -> None:
    async def score(brief: DimensionBrief) -> Any:
        if brief.dimension.id == "plan":
            raise RoleError(StopReason.JUDGE_FAULT, Role.CONVERSATION_JUDGE, "no valid verdict")
        world.on_score = None
        result = await world.score(brief)
        world.on_score = score
        return result

    world.on_score = score
    state = await world.run()
    assert reason_of(state) is StopReason.JUDGE_FAULT
    assert state["verdict"].success_score is None
    assert [found.dimension for found in world.log.scores] == ["adherence", "context", "safety"]


@pytest.mark.parametrize(
    "judgement",
    [
        TurnJudgement(response=(ResponseFinding(mode="made_up", evidence=""),)),
        TurnJudgement(response=(ResponseFinding(mode="omitted", evidence=""),)),
        TurnJudgement(updates=(TargetUpdate(target_id="g9", status=TargetStatus.COMPLETED),)),
    ],
    ids=["unknown mode", "mode of the wrong kind", "unknown target"],
)
async def test_a_label_outside_the_rubric_is_the_judges_fault(world: World, judgement: TurnJudgement) -> None:
    async def judge(brief: TurnBrief) -> TurnJudgement:
        return judgement

    world.on_judge = judge
    state = await world.run()
    assert reason_of(state) is StopReason.JUDGE_FAULT
    assert world.log.failures == []
    assert state["verdict"].blame is Blame.JUDGE


async def test_a_strategy_that_is_not_available_is_the_strategists_fault(world: World) -> None:
    async def choose(brief: StrategyBrief) -> Any:
        return brief.available[0].model_copy(update={"id": "own idea"})

    world.on_choose = choose
    state = await world.run()
    assert reason_of(state) is StopReason.SIMULATOR_FAULT


async def test_a_user_that_says_nothing_is_the_simulators_fault(world: World) -> None:
    async def speak(brief: SpeakBrief) -> Any:
        return Utterance(text="  \n")

    world.on_speak = speak
    state = await world.run()
    assert reason_of(state) is StopReason.SIMULATOR_FAULT
    assert "send" not in world.calls


async def test_without_dimension_judges_there_is_no_score_and_checks_alone_decide(world: World) -> None:
    world.oracles = Oracles(dimensions=False)
    state = await world.run()
    assert world.dimension_briefs == []
    assert state["verdict"].success_score is None
    assert state["verdict"].verdict is Verdict.PASS


async def test_without_the_turn_judge_no_targets_are_extracted(world: World) -> None:
    world.oracles = Oracles(turn_judge=False)
    state = await world.run()
    assert not {"extract", "judge"} & set(world.calls)
    assert state["targets"] == ()


async def test_a_deadline_ends_speaking_and_what_exists_is_judged(world: World) -> None:
    async def send(utterance: str) -> str:
        if utterance == "utterance 1":
            world.stop.set(StopReason.DEADLINE)
        return "fine"

    world.on_send = send
    state = await world.run()
    assert reason_of(state) is StopReason.DEADLINE
    assert len(world.log.exchanges) == 2
    assert len(world.log.scores) == 4
    assert state["verdict"].verdict is Verdict.INCONCLUSIVE


async def test_a_deadline_that_passes_while_the_user_thinks_ends_speaking_before_anything_is_sent(world: World) -> None:
    async def speak(brief: SpeakBrief) -> Utterance:
        if brief.t == 1:
            world.stop.set(StopReason.DEADLINE)
        return Utterance(text=f"utterance {brief.t}")

    world.on_speak = speak
    state = await world.run()
    assert reason_of(state) is StopReason.DEADLINE
    assert world.calls.count("send") == 1
    assert len(state["scores"]) == 4


async def test_a_baseline_that_time_cut_short_is_judged_turn_by_turn(make_world: type[World]) -> None:
    world = make_world(arm=Arm.BASELINE, max_turns=8)

    async def send(utterance: str) -> str:
        if len(world.log.exchanges) == 2:
            world.stop.set(StopReason.DEADLINE)
        return "ok"

    world.on_send = send
    state = await world.run()
    assert reason_of(state) is StopReason.DEADLINE
    assert (world.calls.count("send"), world.calls.count("judge"), len(state["scores"])) == (3, 3, 4)


@pytest.mark.parametrize("arm", list(Arm))
async def test_what_must_end_at_once_while_a_turn_is_judged_is_not_judged_again(
    make_world: type[World], arm: Arm
) -> None:
    world = make_world(arm=arm)

    async def judge(brief: TurnBrief) -> TurnJudgement:
        world.stop.set(StopReason.DEADLINE, at_once=True)
        await anyio.sleep_forever()
        raise AssertionError

    world.on_judge = judge
    state = await world.run()
    assert reason_of(state) is StopReason.DEADLINE
    assert world.calls.count("judge") == 1
    assert state["scores"] == ()


async def test_what_must_end_at_once_ends_judging_too(world: World) -> None:
    async def score(brief: DimensionBrief) -> DimensionScore:
        world.stop.set(StopReason.DEADLINE, at_once=True)
        await anyio.sleep_forever()
        raise AssertionError

    world.on_score = score
    state = await world.run()
    assert reason_of(state) is StopReason.DEADLINE
    assert state["scores"] == ()


async def test_a_store_that_fails_is_not_the_conversations_business(world: World) -> None:
    async def fail(exchange: object) -> None:
        raise StoreError("disk full: run.sqlite")

    world.log.record_exchange = fail  # type: ignore[method-assign]  # this log is broken
    with pytest.raises(StoreError, match="disk full"):
        await world.run()


def test_the_machine_has_the_nodes_and_edges_of_the_design() -> None:
    drawn = build_machine().get_graph()
    assert set(drawn.nodes) == {
        "__start__",
        "extract_targets",
        "speak",
        "ask_sut",
        "judge_turn",
        "track_targets",
        "choose_strategy",
        "judge_dimension",
        "review_simulator",
        "score",
        "__end__",
    }


def _say_goodbye(world: World) -> None:
    async def speak(brief: SpeakBrief) -> Utterance:
        return Utterance(text="Thanks, bye!")

    async def send(utterance: str) -> str:
        return "You're welcome, anything else?"

    world.on_speak, world.on_send = speak, send


async def test_without_money_to_judge_a_turn_the_judgement_of_the_turn_before_is_not_used_again(world: World) -> None:
    async def judge(brief: TurnBrief) -> TurnJudgement:
        if brief.turn.t == 1:
            raise RoleError(StopReason.BUDGET, Role.TURN_JUDGE, "the money is spent")
        return TurnJudgement(response=(ResponseFinding(mode="forgot", evidence="“home”"),))

    world.on_judge = judge
    state = await world.run()
    assert [failure.t for failure in state["failures"]] == [0]
    assert state["judged"] == 1
    assert len(state["scores"]) == len(world.dimension_briefs) == 4
    assert state["verdict"].verdict is Verdict.INCONCLUSIVE


async def test_without_money_for_another_utterance_what_exists_is_judged(world: World) -> None:
    async def speak(brief: SpeakBrief) -> Utterance:
        if brief.t == 2:
            raise RoleError(StopReason.BUDGET, Role.SIMULATOR, "the money is spent")
        return Utterance(text=f"line {brief.t}")

    world.on_speak = speak
    state = await world.run()
    assert len(state["exchanges"]) == state["judged"] == 2
    assert len(state["scores"]) == 4
    assert state["verdict"].verdict is Verdict.INCONCLUSIVE


async def test_what_every_conversation_would_meet_ends_the_run_and_not_the_conversation_alone(world: World) -> None:
    async def speak(brief: SpeakBrief) -> Utterance:
        raise ModelSetupError("the key is refused")

    world.on_speak = speak
    with pytest.raises(ModelSetupError, match="the key is refused"):
        await world.run()


async def test_judges_are_told_the_state_only_where_the_scenario_says_so(world: World) -> None:
    async def reply(utterance: str) -> SutReply:
        return SutReply(text=f"reply to {utterance}", state={"speed": 50})

    world.on_send = reply
    world.oracles = Oracles(state=True)
    await world.run()
    assert {turn.state for turn in world.dimension_briefs[0].turns} == {'{"speed": 50}'}
    assert {brief.turn.state for brief in world.turn_briefs} == {'{"speed": 50}'}


async def test_the_time_of_earlier_tries_is_no_latency_of_the_assistant(world: World) -> None:
    async def reply(utterance: str) -> SutReply:
        await anyio.sleep(0.02)
        return SutReply(text=f"reply to {utterance}", retry_wait_ms=10_000)

    world.on_send = reply
    await world.run()
    assert [(e.latency_ms, e.retry_wait_ms) for e in world.log.exchanges] == [(0.0, 10_000.0)] * 4


async def replayed(world: World, *texts: str) -> ConversationState:
    """Ask these questions one after another, with all the oracles there are at hand."""
    deps = world.deps()
    questions = tuple(ReplayedQuestion(text=text, index=index) for index, text in enumerate(texts))
    replay = Replay(method=Method.MORTAR, test_seed="d1", source="c0001", questions=questions)
    planned = deps.planned.model_copy(update={"replay": replay, "max_turns": len(texts)})
    turns = UserTurns(replayed=replay.texts, simulated=False)
    return await run_conversation(build_machine(), replace(deps, planned=planned, turns=turns))


@pytest.mark.parametrize("arm", list(Arm))
async def test_a_replay_asks_its_questions_and_no_oracle_takes_part(make_world: type[World], arm: Arm) -> None:
    world = make_world(arm=arm)
    state = await replayed(world, "who?", "why?", "who?")
    assert world.calls == ["send"] * 3
    assert [(exchange.user, exchange.source) for exchange in world.log.exchanges] == [
        ("who?", UtteranceSource.REPLAYED),
        ("why?", UtteranceSource.REPLAYED),
        ("who?", UtteranceSource.REPLAYED),
    ]
    assert reason_of(state) is StopReason.SCRIPT_EXHAUSTED
    assert "verdict" not in state


async def test_a_replay_does_not_end_by_repetition(world: World) -> None:
    """A doubled question is asked as often as the perturbation says."""

    async def same(utterance: str) -> SutReply:
        return SutReply(text="I said so")

    world.on_send = same
    state = await replayed(world, *["who?"] * 5)
    assert (len(state["exchanges"]), reason_of(state)) == (5, StopReason.SCRIPT_EXHAUSTED)


async def test_an_assistant_that_ends_the_conversation_ends_the_replay(world: World) -> None:
    async def goodbye(utterance: str) -> SutReply:
        return SutReply(text="bye", ended=utterance == "why?")

    world.on_send = goodbye
    state = await replayed(world, "who?", "why?", "who?")
    assert (len(state["exchanges"]), reason_of(state)) == (2, StopReason.SUT_ENDED)


async def test_an_error_ends_a_replay_and_nobody_judges_what_was_said(world: World) -> None:
    async def broken(utterance: str) -> SutReply:
        if utterance == "why?":
            raise ValueError("no")
        return SutReply(text="ok")

    world.on_send = broken
    state = await replayed(world, "who?", "why?", "who?")
    assert (len(state["exchanges"]), reason_of(state)) == (1, StopReason.SUT_ERROR)
    assert world.calls == ["send", "send"]


@pytest.mark.parametrize("reason", [StopReason.DEADLINE, StopReason.INTERRUPTED])
async def test_a_deadline_or_an_interrupt_ends_a_replay_before_its_next_question(
    world: World, reason: StopReason
) -> None:
    async def last(utterance: str) -> SutReply:
        world.stop.set(reason)
        return SutReply(text="ok")

    world.on_send = last
    state = await replayed(world, "who?", "why?")
    assert reason_of(state) is reason
    assert world.calls == ["send"]


async def judged_again(world: World, ending: StopReason, *, n_turns: int = 3) -> ConversationState:
    """Judge a stored conversation again in which the user said the same every time."""
    said = tuple(Utterance(text="again", strategy="probe" if t else None) for t in range(n_turns))
    deps = replace(world.deps(), turns=UserTurns(stored=said, simulated=False), ending=Stop(reason=ending))
    return await run_conversation(build_machine(), deps)


@pytest.mark.parametrize("arm", list(Arm))
@pytest.mark.parametrize("ending", [StopReason.TARGETS_RESOLVED, StopReason.DEADLINE, StopReason.TURNS_EXHAUSTED])
async def test_what_is_judged_again_is_judged_whole_and_ends_as_it_did(
    make_world: type[World], arm: Arm, ending: StopReason
) -> None:
    """Neither repetition nor targets that this judge sees completed early cut it short."""
    world = make_world(arm=arm, on_judge=completing())
    state = await judged_again(world, ending)
    assert (len(state["exchanges"]), state["judged"], reason_of(state)) == (3, 3, ending)
    assert [exchange.strategy for exchange in state["exchanges"]] == [None, "probe", "probe"]
    assert {"speak", "choose"}.isdisjoint(world.calls)
    inconclusive = ending is StopReason.DEADLINE
    assert (state["verdict"].verdict is Verdict.INCONCLUSIVE) == inconclusive


async def test_an_interrupt_ends_judging_again_too(world: World) -> None:
    async def last(utterance: str) -> SutReply:
        world.stop.set(StopReason.INTERRUPTED)
        return SutReply(text="ok")

    world.on_send = last
    state = await judged_again(world, StopReason.TURNS_EXHAUSTED)
    assert (len(state["exchanges"]), reason_of(state)) == (1, StopReason.INTERRUPTED)


async def test_the_votes_of_a_panel_are_stored_with_their_exchange(world: World) -> None:
    async def judge(brief: TurnBrief) -> TurnJudgement:
        ballot = Ballot(t=brief.turn.t, votes=(Vote(judge="a", said="nothing"),))
        return TurnJudgement(ballot=ballot if brief.turn.t else None)

    world.on_judge = judge
    await world.run()
    assert [ballot.t for ballot in world.log.ballots.values()] == list(world.log.ballots) == [1, 2, 3]


async def test_judges_who_disagree_leave_a_conversation_without_a_verdict(world: World) -> None:
    async def judge(brief: TurnBrief) -> TurnJudgement:
        raise RoleError(StopReason.JUDGES_DISAGREE, Role.TURN_JUDGE, "1 of 2 each")

    world.on_judge = judge
    verdict = (await world.run())["verdict"]
    assert (verdict.verdict, verdict.blame) == (Verdict.INCONCLUSIVE, Blame.JUDGE)
    assert verdict.success_score is None
