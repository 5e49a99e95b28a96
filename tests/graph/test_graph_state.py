"""What a conversation tells its roles of itself: random seeds to decide by, and for whom models are asked."""

from __future__ import annotations

from dataclasses import replace

from hairpin.domain.outcome import Role
from hairpin.domain.plan import plan_trial
from hairpin.domain.trials import TrialKind
from tests.graph.conftest import World


def test_a_replay_is_judged_by_the_random_seeds_of_its_source_whatever_the_assistant_draws_by(world: World) -> None:
    source = world.deps()
    planned = plan_trial(source.planned, TrialKind.REPLAY, 1)
    trial = replace(source, planned=planned, rng_root=source.planned.rng_seed)
    assert planned.rng_seed != source.planned.rng_seed
    assert trial.rng_seed(Role.TURN_JUDGE, "0") == source.rng_seed(Role.TURN_JUDGE, "0")
    assert trial.rng_seed(Role.TURN_JUDGE, "0") != replace(trial, rng_root=None).rng_seed(Role.TURN_JUDGE, "0")


def test_no_trial_takes_answers_of_models_from_another_ones_or_its_sources_cache(world: World) -> None:
    """A judge that is asked the same again must answer again, or it would never be found flaky."""
    source = world.deps()
    trials = [replace(source, planned=plan_trial(source.planned, TrialKind.REJUDGE, number)) for number in range(3)]
    assert len({deps.origin.repeat for deps in (source, *trials)}) == 4
    assert source.origin.repeat == source.planned.repeat
