"""Trials and canaries in the plan: numbers that collide with nothing, and random seeds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.known_transcripts import Twins, TwinTurn
from hairpin.domain.plan import (
    CANARIES_FROM,
    FOLLOW_UPS_FROM,
    MAX_FOLLOW_UPS,
    PlannedConversation,
    follow_up_index,
    plan_canary,
    plan_trial,
)
from hairpin.domain.trials import MAX_TRIALS, TrialKind
from hairpin.domain.users import Context

TRANSCRIPT = Twins(
    id="pair",
    mode="rude",
    context=Context(location="Bonn"),
    turns=(TwinTurn(user="Hi", good="Hello", bad="No"), TwinTurn(user="Bye", good="Bye", bad="Bye")),
    labelled=0,
).bad


def planned(index: int = 3) -> PlannedConversation:
    return PlannedConversation(
        index=index,
        id=f"c{index + 1:04d}",
        sut="testbed",
        seed_phrase="Drive to Pasing",
        persona="neutral",
        context=Context(),
        repeat=0,
        max_turns=4,
        rng_seed=17,
    )


@given(
    sources=st.lists(st.integers(0, 1 << 30), min_size=2, max_size=2, unique=True),
    numbers=st.lists(st.integers(0, MAX_TRIALS - 1), min_size=2, max_size=2),
)
def test_no_two_trials_canaries_or_follow_ups_have_the_same_number(sources: list[int], numbers: list[int]) -> None:
    found = [
        *(plan_trial(planned(s), kind, n).index for s in sources for kind in TrialKind for n in set(numbers)),
        *(plan_canary(planned(s), TRANSCRIPT).index for s in sources),
        *(follow_up_index(planned(s), n) for s in sources for n in {0, MAX_FOLLOW_UPS - 1}),
    ]
    assert len(set(found)) == len(found)
    assert min(found) >= FOLLOW_UPS_FROM
    assert max(found) < 1 << 63


def test_a_trial_is_its_source_again_but_not_for_itself() -> None:
    source = planned()
    trial = plan_trial(source, TrialKind.REPLAY, 0, from_turn=2)
    assert trial.id == "c0004~replay1"
    assert (trial.seed_phrase, trial.max_turns, trial.rng_seed) == ("Drive to Pasing", 4, 17)
    assert trial.trial is not None
    assert (trial.trial.source, trial.trial.from_turn) == ("c0004", 2)
    assert source.for_itself
    assert not trial.for_itself


def test_who_speaks_anew_gets_another_random_seed_each_time() -> None:
    source = planned()
    seeds = [plan_trial(source, kind, n).rng_seed for kind in TrialKind for n in range(2)]
    assert [seed == 17 for seed in seeds] == [True, True, True, False, False, False]
    assert len(set(seeds)) == 4


def test_a_canary_follows_a_conversation_and_is_held_as_that_was() -> None:
    canary = plan_canary(planned(), TRANSCRIPT)
    assert (canary.index, canary.canary, canary.max_turns) == (CANARIES_FROM + 3, "pair.bad", 2)
    assert (canary.seed_phrase, canary.context, canary.truth) == ("Hi", Context(location="Bonn"), TRANSCRIPT.truth)
    assert not canary.for_itself
    scripted = planned().model_copy(update={"seed_phrase": None})
    assert plan_canary(scripted, TRANSCRIPT).seed_phrase is None


def test_nothing_follows_what_is_not_for_itself() -> None:
    trial = plan_trial(planned(), TrialKind.REPLAY, 0)
    with pytest.raises(ValueError, match="planned for itself"):
        plan_trial(trial, TrialKind.REPLAY, 0)
    with pytest.raises(ValueError, match="not c0004~replay1"):
        plan_canary(trial, TRANSCRIPT)
    with pytest.raises(ValueError, match="at most 256"):
        plan_trial(planned(), TrialKind.REPLAY, MAX_TRIALS)


def test_only_replays_and_simulations_ask_the_assistant() -> None:
    """Judging anew and canaries say again what was said."""
    source = planned()
    asks = {kind: plan_trial(source, kind, 0).asks_assistant for kind in TrialKind}
    assert asks == {TrialKind.REJUDGE: False, TrialKind.REPLAY: True, TrialKind.RESIMULATE: True}
    assert source.asks_assistant
    assert not plan_canary(source, TRANSCRIPT).asks_assistant


def test_trials_and_canaries_are_asides_and_what_they_follow_is_none() -> None:
    source = planned()
    assert plan_trial(source, TrialKind.REPLAY, 0).is_aside
    assert plan_canary(source, TRANSCRIPT).is_aside
    assert not source.is_aside
