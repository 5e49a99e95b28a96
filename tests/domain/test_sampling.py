"""The plan of a campaign: who meets whom, in which order, with which random seeds and numbers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import BaselineSpec, CampaignSpec, Pairing, SeedPhrase, SeedPool, Split
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.sampling import arm_time_s, place_of, plan_arm, share_out
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import TestbedSut
from hairpin.domain.users import Context
from tests.domain.builders import a_persona, a_scenario

BOTH = (Arm.GUIDED, Arm.BASELINE)
CONTEXTS = (Context(location="A"), Context(location="B", time="17:40"), Context(location="C"))

GOLDEN = [
    ("guided-001", "one 0.1", "impatient", 10, "C"),
    ("guided-002", "one 1.1", "polite", 8, "A"),
    ("guided-003", "one 2.0", "polite", 10, "B"),
    ("guided-004", "one 2.1", "impatient", 8, "C"),
]
GOLDEN_SEED = 8609994479336957613


def a_pool(name: str = "one", n_tasks: int = 3, n_each: int = 2) -> SeedPool:
    phrases = (SeedPhrase(text=f"{name} {t}.{i}", task=f"task{t}") for t in range(n_tasks) for i in range(n_each))
    return SeedPool(name=name, phrases=tuple(phrases))


def a_campaign(
    *, runs: int = 1, suts: Iterable[str] = (), pairing: Pairing = Pairing.INDEPENDENT, arms: tuple[Arm, ...] = BOTH
) -> CampaignSpec:
    return CampaignSpec(
        arms=arms,
        runs=runs,
        pairing=pairing,
        max_turns=(8, 10),
        pools=(a_pool("one"), a_pool("two")),
        suts={label: TestbedSut() for label in suts},
        baseline=BaselineSpec(persona=a_persona("neutral"), max_turns=6),
    )


def scenario(rng_seed: int = 1) -> Scenario:
    return a_scenario("x", personas=("polite", "impatient"), contexts=CONTEXTS, rng_seed=rng_seed)


def plan(
    spec: CampaignSpec,
    n: int = 20,
    *,
    run: int = 0,
    sut_number: int = 0,
    arm: Arm = Arm.GUIDED,
    of: Scenario | None = None,
) -> list[PlannedConversation]:
    stream = plan_arm(of or scenario(), spec, run=run, sut=f"sut{sut_number}", sut_number=sut_number, arm=arm)
    return list(islice(stream, n))


def content(planned: Iterable[PlannedConversation]) -> list[object]:
    return [(one.seed_phrase, one.task, one.persona, one.max_turns, one.context, one.rng_seed) for one in planned]


@given(st.integers(0, 10**6), st.sampled_from(BOTH))
def test_the_same_random_seed_gives_the_same_plan_byte_for_byte(rng_seed: int, arm: Arm) -> None:
    one, again = (plan(a_campaign(), arm=arm, of=scenario(rng_seed)) for _ in range(2))
    assert [planned.model_dump_json() for planned in one] == [planned.model_dump_json() for planned in again]


def test_another_random_seed_gives_another_plan() -> None:
    assert content(plan(a_campaign())) != content(plan(a_campaign(), of=scenario(2)))


def test_the_plan_stays_what_it_is_from_version_to_version() -> None:
    """A campaign that was stopped goes on with the plan it began with."""
    planned = plan(a_campaign(), 4)
    assert [(one.id, one.seed_phrase, one.persona, one.max_turns, one.context.location) for one in planned] == GOLDEN
    assert planned[0].rng_seed == GOLDEN_SEED


def test_a_conversation_says_its_run_task_and_pass() -> None:
    first, *_, last = plan(a_campaign(runs=2), 7, run=1)
    assert first.run == 1
    assert first.seed_phrase is not None
    assert first.seed_phrase.startswith(f"two {first.task.removeprefix('task')}.")
    assert (first.repeat, last.repeat) == (0, 1)
    assert (first.sut, first.arm) == ("sut0", Arm.GUIDED)


@given(st.sampled_from(BOTH), st.sampled_from(Pairing))
def test_two_assistants_meet_the_same_users(arm: Arm, pairing: Pairing) -> None:
    spec = a_campaign(suts=("a", "b"), pairing=pairing)
    assert content(plan(spec, arm=arm)) == content(plan(spec, arm=arm, sut_number=1))


@given(st.integers(1, 4), st.integers(1, 3), st.sampled_from(BOTH))
def test_more_runs_arms_and_assistants_shift_nothing(runs: int, n_suts: int, arm: Arm) -> None:
    more = a_campaign(runs=runs, suts=[f"s{number}" for number in range(n_suts)])
    assert content(plan(a_campaign(arms=(arm,)), arm=arm)) == content(plan(more, arm=arm))


def test_runs_draw_from_their_own_pools_in_their_own_order() -> None:
    spec = a_campaign(runs=3)
    first, second, third = (content(plan(spec, run=run)) for run in range(3))
    assert {str(one.seed_phrase)[:3] for one in plan(spec, run=1)} == {"two"}
    assert {str(one.seed_phrase)[:3] for one in plan(spec, run=2)} == {"one"}
    assert len({str(found) for found in (first, second, third)}) == 3


def test_an_independent_baseline_has_its_own_user_and_order() -> None:
    guided, baseline = plan(a_campaign()), plan(a_campaign(), arm=Arm.BASELINE)
    assert {(one.persona, one.max_turns) for one in baseline} == {("neutral", 6)}
    assert {(one.persona, one.max_turns) for one in guided} == {
        (p, m) for p in ("polite", "impatient") for m in (8, 10)
    }
    assert {one.context.location for one in baseline} == {"A", "B", "C"}
    assert [one.seed_phrase for one in guided] != [one.seed_phrase for one in baseline]


@given(st.integers(0, 10**6))
def test_a_paired_baseline_differs_in_nothing_but_the_arm(rng_seed: int) -> None:
    spec = a_campaign(pairing=Pairing.PAIRED)
    guided, baseline = (plan(spec, arm=arm, of=scenario(rng_seed)) for arm in BOTH)
    assert content(guided) == content(baseline)
    assert {one.arm for one in baseline} == {Arm.BASELINE}


@given(st.integers(1, 3), st.integers(1, 3), st.sampled_from([BOTH, (Arm.BASELINE,), (Arm.BASELINE, Arm.GUIDED)]))
def test_numbers_and_names_are_unique_in_the_whole_campaign(runs: int, n_suts: int, arms: tuple[Arm, ...]) -> None:
    spec = a_campaign(runs=runs, suts=[f"s{number}" for number in range(n_suts)], arms=arms)
    planned = [
        one
        for run in range(runs)
        for sut_number in range(n_suts)
        for arm in arms
        for one in plan(spec, 5, run=run, sut_number=sut_number, arm=arm)
    ]
    assert sorted(one.index for one in planned) == list(range(len(planned)))
    assert len({one.id for one in planned}) == len(planned)


def test_a_number_tells_cell_and_arm() -> None:
    spec = a_campaign(runs=2, suts=("a", "b", "c"))
    for planned in plan(spec, 4, run=1, sut_number=2, arm=Arm.BASELINE):
        assert place_of(spec, planned.index) == (5, 1)


def test_every_conversation_of_an_arm_has_a_random_seed_of_its_own() -> None:
    assert len({one.rng_seed for one in plan(a_campaign(), 200)}) == 200


@pytest.mark.parametrize(
    ("runs", "suts", "name"),
    [
        (1, (), "baseline-007"),
        (1, ("a",), "baseline-007"),
        (1, ("a", "b"), "s2-baseline-007"),
        (2, (), "r2-baseline-007"),
        (2, ("a", "b"), "r2-s2-baseline-007"),
    ],
)
def test_a_name_says_run_and_assistant_where_there_are_several(runs: int, suts: tuple[str, ...], name: str) -> None:
    spec = a_campaign(runs=runs, suts=suts)
    last = plan(spec, 7, run=runs - 1, sut_number=spec.n_suts - 1, arm=Arm.BASELINE)[-1]
    assert last.id == name
    assert last.index == 6 * spec.n_cells * 2 + (spec.n_cells - 1) * 2 + 1


@pytest.mark.parametrize(("run", "sut_number", "arm"), [(1, 0, Arm.GUIDED), (0, 1, Arm.GUIDED), (0, 0, Arm.BASELINE)])
def test_what_is_not_in_the_campaign_has_no_plan(run: int, sut_number: int, arm: Arm) -> None:
    with pytest.raises(ValueError, match="not in a campaign of 1 runs, 1 assistants"):
        plan(a_campaign(arms=(Arm.GUIDED,)), run=run, sut_number=sut_number, arm=arm)


@given(st.integers(1, 500), st.integers(1, 4), st.integers(1, 3), st.sampled_from([BOTH, (Arm.GUIDED,)]))
def test_conversations_are_shared_evenly_and_none_is_lost(
    conversations: int, runs: int, n_suts: int, arms: tuple[Arm, ...]
) -> None:
    spec = a_campaign(runs=runs, suts=[f"s{number}" for number in range(n_suts)], arms=arms)
    shares = share_out(spec.model_copy(update={"conversations": conversations}))
    assert shares is not None
    flat = [share for cell in shares for share in cell]
    assert (len(shares), len(flat)) == (runs * n_suts, runs * n_suts * len(arms))
    assert sum(flat) == conversations
    assert flat == sorted(flat, reverse=True)
    assert max(flat) - min(flat) <= 1


def test_without_a_number_of_conversations_nothing_is_shared_out() -> None:
    assert share_out(a_campaign()) is None


@pytest.mark.parametrize(("split", "time_s"), [(Split.TIME, 600), (Split.TOTAL, 300), (Split.COUNT, 600)])
def test_arms_have_the_time_that_the_split_gives_them(split: Split, time_s: float) -> None:
    spec = a_campaign().model_copy(update={"split": split, "time_s": 600.0})
    assert arm_time_s(spec) == time_s
    assert arm_time_s(spec.model_copy(update={"time_s": None})) is None
