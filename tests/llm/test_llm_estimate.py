"""The estimate of a run: what it assumes it says, and it never says zero for what it does not know."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.model_spec import CompatibleModel, LocalModel, ModelPrice, ModelSpec, OpenAiModel
from hairpin.domain.outcome import Role
from hairpin.domain.panels import PanelSpec
from hairpin.domain.relations import ContextMethod, MetamorphicSpec
from hairpin.domain.scenario import Scenario, ScriptTurn
from hairpin.domain.sut_spec import RecordedSut
from hairpin.domain.trials import ConfirmSpec, TrialKind
from hairpin.llm.estimate import RunEstimate, estimate_run
from hairpin.llm.held import Held, trials_per_failure
from hairpin.llm.prices import PriceTable
from hairpin.llm.ranges import Range
from tests.domain.builders import DIMENSIONS, a_scenario, a_strategy

TABLE = PriceTable(prices={"openai": {"gpt-4.1-mini": ModelPrice(input=0.4, output=1.6)}}, as_of="2026-05-31")
MINI = OpenAiModel(model="gpt-4.1-mini", max_output_tokens=500)
EVERY = dict.fromkeys(Role, MINI)


def scenario(models: Mapping[Role, ModelSpec], *, max_turns: int = 8, script: int = 0) -> Scenario:
    changes: dict[str, object] = {"models": models, "max_turns": max_turns, "strategies": (a_strategy("s"),)}
    if script:
        changes |= {"seed_phrases": (), "script": tuple(ScriptTurn(user=f"u{t}") for t in range(script))}
    return a_scenario().model_copy(update=changes)


def estimate(models: Mapping[Role, ModelSpec], n_conversations: int = 1, **more: int) -> RunEstimate:
    chars = dict.fromkeys(Role, 4_000)
    return estimate_run(scenario(models, **more), n_conversations=n_conversations, prompt_chars=chars, prices=TABLE)


def calls_of(run: RunEstimate) -> dict[Role, tuple[float, float, float]]:
    return {each.role: (each.calls.low, each.calls.expected, each.calls.high) for each in run.roles}


def test_an_offline_run_asks_nobody_and_costs_nothing() -> None:
    run = estimate({}, 100)
    assert run.roles == ()
    assert run.cost_usd == run.prompt_tokens == Range()
    assert "every role is offline" in run.assumptions[0]


def test_calls_follow_from_turns_and_dimensions() -> None:
    """M = 8: it can end after five turns at the earliest, when all targets are resolved."""
    n = len(DIMENSIONS)
    assert calls_of(estimate(EVERY)) == {
        Role.EXTRACTOR: (1, 1, 1),
        Role.SIMULATOR: (5, 7, 8),
        Role.STRATEGIST: (4, 6, 7),
        Role.TURN_JUDGE: (5, 7, 8),
        Role.CONVERSATION_JUDGE: (n, n, n),
        Role.SIMULATOR_REVIEWER: (1, 1, 1),
    }


def test_every_member_of_a_panel_is_a_row_and_is_asked_for_every_vote() -> None:
    panel = PanelSpec(members=(MINI, None, MINI), repeats=3)
    one = scenario({Role.TURN_JUDGE: MINI})
    several = one.model_copy(update={"models": {}, "panels": {Role.TURN_JUDGE: panel}})
    alone, row, other = (
        each
        for of in (one, several)
        for each in estimate_run(
            of, n_conversations=2, prompt_chars={}, prices=TABLE, n_extra_calls={Role.TURN_JUDGE: 5}
        ).roles
    )
    assert row == other
    assert [row.calls.low - 5, row.calls.high - 5] == [3 * (alone.calls.low - 5), 3 * (alone.calls.high - 5)]
    assert row.prompt_tokens.high > 2.5 * alone.prompt_tokens.high


def test_a_script_has_its_own_length_and_needs_no_driver() -> None:
    run = estimate(EVERY, script=3)
    assert set(calls_of(run)) == {Role.TURN_JUDGE, Role.CONVERSATION_JUDGE}
    assert run.turns == Range(low=3, expected=3, high=3)


def test_mixed_roles_count_only_what_a_model_plays() -> None:
    run = estimate({Role.TURN_JUDGE: MINI})
    assert [each.role for each in run.roles] == [Role.TURN_JUDGE]
    assert run.requests == run.roles[0].requests


def test_the_history_is_paid_for_again_every_turn() -> None:
    """So twice the turns is more than twice the tokens; the extractor sees no history."""
    short, long = estimate(EVERY, max_turns=8, n_conversations=1), estimate(EVERY, max_turns=16, n_conversations=1)
    by_role = {each.role: (each, other) for each, other in zip(short.roles, long.roles, strict=True)}
    judge, extractor = by_role[Role.TURN_JUDGE], by_role[Role.EXTRACTOR]
    assert judge[1].prompt_tokens.high > 2 * judge[0].prompt_tokens.high
    assert extractor[0] == extractor[1]


def test_a_prompt_is_counted_by_its_characters() -> None:
    (extractor,) = estimate({Role.EXTRACTOR: MINI}).roles
    assert extractor.prompt_tokens.expected == pytest.approx(1000 * 1.1)


def test_answers_are_no_longer_than_their_cap() -> None:
    run = estimate({Role.TURN_JUDGE: MINI})
    (judge,) = run.roles
    assert judge.completion_tokens.high == judge.requests.high * 500
    (capped,) = estimate({Role.TURN_JUDGE: MINI.model_copy(update={"max_output_tokens": 16})}).roles
    assert capped.completion_tokens.low == capped.requests.low * 16


def test_an_unknown_price_leaves_the_cost_unknown_and_names_the_model() -> None:
    house = CompatibleModel(base_url="http://127.0.0.1:1/v1", model="house")
    run = estimate({Role.SIMULATOR: house, Role.TURN_JUDGE: MINI})
    assert run.cost_usd is None
    assert run.unpriced == ("openai-compatible house",)
    assert run.cost_known_usd == estimate({Role.TURN_JUDGE: MINI}).cost_usd
    assert run.prompt_tokens.expected > 0


def test_a_local_model_takes_tokens_and_no_money() -> None:
    run = estimate(dict.fromkeys(Role, LocalModel()))
    assert run.cost_usd == Range()
    assert run.completion_tokens.low > 0


def test_canaries_are_counted() -> None:
    plain = estimate({Role.TURN_JUDGE: MINI})
    run = estimate_run(
        scenario({Role.TURN_JUDGE: MINI}),
        n_conversations=1,
        prompt_chars={Role.TURN_JUDGE: 4_000},
        prices=TABLE,
        n_extra_calls={Role.TURN_JUDGE: 2},
    )
    assert run.roles[0].calls.expected == plain.roles[0].calls.expected + 2
    assert run.prompt_tokens.expected > plain.prompt_tokens.expected


SPEC = ConfirmSpec(rejudge=3, replay=2, resimulate=1)


def tried(models: Mapping[Role, ModelSpec], n_conversations: int = 4, **more: int) -> RunEstimate:
    again = scenario(models, **more).model_copy(update={"confirm": SPEC})
    return estimate_run(again, n_conversations=n_conversations, prompt_chars={}, prices=TABLE)


def test_trials_are_from_none_to_those_of_every_conversation() -> None:
    """What is judged again or replayed asks no user, strategist or reviewer; what is simulated anew asks everybody."""
    n = len(DIMENSIONS)
    assert calls_of(tried(EVERY)) == {
        Role.EXTRACTOR: (4, 4 + 2 * 6, 4 + 4 * 6),
        Role.SIMULATOR: (4 * 5, (4 + 2) * 7, (4 + 4) * 8),
        Role.STRATEGIST: (4 * 4, (4 + 2) * 6, (4 + 4) * 7),
        Role.TURN_JUDGE: (4 * 5, (4 + 2 * 6) * 7, (4 + 4 * 6) * 8),
        Role.CONVERSATION_JUDGE: (4 * n, (4 + 2 * 6) * n, (4 + 4 * 6) * n),
        Role.SIMULATOR_REVIEWER: (4, 4 + 2, 4 + 4),
    }


def test_trials_cost_what_such_conversations_cost() -> None:
    """All fail, and each is tried six times: seven times as much for the judge as at the high end without trials."""
    (judge,), (plain,) = tried({Role.TURN_JUDGE: MINI}).roles, estimate({Role.TURN_JUDGE: MINI}, 4).roles
    assert judge.prompt_tokens.high == pytest.approx(7 * plain.prompt_tokens.high)
    assert judge.cost_usd is not None
    assert plain.cost_usd is not None
    assert judge.cost_usd.high == pytest.approx(7 * plain.cost_usd.high, rel=1e-4)
    assert judge.cost_usd.low == plain.cost_usd.low


def test_a_script_is_not_simulated_anew_and_a_recording_only_judged_again() -> None:
    script = scenario({}, script=3).model_copy(update={"confirm": SPEC})
    recorded = script.model_copy(update={"sut": RecordedSut(file="chats.jsonl")})
    assert trials_per_failure(script) == {TrialKind.REJUDGE: 3, TrialKind.REPLAY: 2}
    assert trials_per_failure(recorded) == {TrialKind.REJUDGE: 3}
    assert trials_per_failure(scenario({})) == {}


def test_trials_get_no_replays_of_their_own() -> None:
    replayed = scenario({Role.CONTEXT_JUDGE: MINI}).model_copy(
        update={"metamorphic": MetamorphicSpec(context=ContextMethod.LLM_JUDGE)}
    )
    one, other = (
        estimate_run(of, n_conversations=4, prompt_chars={}, prices=TABLE)
        for of in (replayed, replayed.model_copy(update={"confirm": SPEC}))
    )
    assert calls_of(one)[Role.CONTEXT_JUDGE] == calls_of(other)[Role.CONTEXT_JUDGE] > (0, 0, 0)


def test_canaries_that_are_mixed_in_are_judged_and_nobody_speaks_in_them() -> None:
    mixed_in = Held.guessed(Range(low=1, expected=2, high=3), Range(low=1, expected=1.5, high=2))
    found, plain = (
        calls_of(estimate_run(scenario(EVERY), n_conversations=4, prompt_chars={}, prices=TABLE, canaries=canaries))
        for canaries in (mixed_in, None)
    )
    n = len(DIMENSIONS)
    more = {role: tuple(a - b for a, b in zip(found[role], plain[role], strict=True)) for role in found}
    assert more == {
        Role.EXTRACTOR: (1, 1.5, 2),
        Role.SIMULATOR: (0, 0, 0),
        Role.STRATEGIST: (0, 0, 0),
        Role.TURN_JUDGE: (1, 3, 6),
        Role.CONVERSATION_JUDGE: (n, 1.5 * n, 2 * n),
        Role.SIMULATOR_REVIEWER: (0, 0, 0),
    }


def test_every_assumption_is_said() -> None:
    said = "\n".join(estimate(EVERY).assumptions)
    for part in (
        "250 to 1500 characters",
        "4 expected",
        "400 (turn_judge)",
        "max_output_tokens",
        "2026-05-31",
        "cache",
    ):
        assert part in said


role_choices = st.dictionaries(st.sampled_from(Role), st.sampled_from([MINI, LocalModel()]))


@given(role_choices, st.integers(0, 500), st.integers(1, 40))
def test_low_expected_and_high_are_in_order_and_scale_with_conversations(
    models: Mapping[Role, ModelSpec], n_conversations: int, max_turns: int
) -> None:
    run = estimate(models, n_conversations, max_turns=max_turns)
    assert run.cost_usd is not None
    for value in (run.turns, run.requests, run.prompt_tokens, run.completion_tokens, run.cost_usd):
        assert 0 <= value.low <= value.expected <= value.high
    double = estimate(models, 2 * n_conversations, max_turns=max_turns)
    assert double.prompt_tokens.high == pytest.approx(2 * run.prompt_tokens.high)


def test_conversations_of_known_lengths_are_counted_and_not_guessed() -> None:
    """Their judge reads 1 + 2 + 3 exchanges of the long one, 1 of the short one."""
    turn_judge = {Role.TURN_JUDGE: MINI}
    known = estimate_run(scenario(turn_judge), n_conversations=2, prompt_chars={}, prices=TABLE, lengths=[1, 3])
    assert (known.turns.low, known.turns.expected, known.turns.high) == (1, 2, 3)
    assert calls_of(known) == {Role.TURN_JUDGE: (4, 4, 4)}
    assert known.prompt_tokens.low == pytest.approx((4 * 4_000 + 7 * 250) / 4.5)
