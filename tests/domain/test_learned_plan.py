"""The plan of the learned arm: chosen of the lessons there are, each conversation once, and the same of the same."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import BaselineSpec, CampaignSpec, Pairing, SeedPhrase, SeedPool
from hairpin.domain.facts import Signature
from hairpin.domain.learned_plan import Taught, plan_learned
from hairpin.domain.learning import Lesson
from hairpin.domain.learning_spec import LearningSpec
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.sampling import plan_arm
from hairpin.domain.scenario import Scenario
from hairpin.domain.strategies import Strategy
from tests.domain.builders import a_persona, a_scenario

STRATEGIES = tuple(Strategy(id=name, title=name, target_mode="m") for name in "abcd")
GREEDY = LearningSpec(epsilon=0.0)


def a_pool(n_tasks: int = 3, n_each: int = 2) -> SeedPool:
    phrases = (SeedPhrase(text=f"{t}.{i}", task=f"task{t}") for t in range(n_tasks) for i in range(n_each))
    return SeedPool(name="one", phrases=tuple(phrases))


def a_campaign(
    *, learning: LearningSpec = GREEDY, pairing: Pairing = Pairing.INDEPENDENT, pool: SeedPool | None = None
) -> CampaignSpec:
    return CampaignSpec(
        arms=(Arm.GUIDED, Arm.LEARNED),
        pairing=pairing,
        max_turns=(8,),
        pools=(pool or a_pool(),),
        baseline=BaselineSpec(persona=a_persona("neutral")),
        learning=learning,
    )


def scenario(strategies: tuple[Strategy, ...] = STRATEGIES) -> Scenario:
    return a_scenario("x", personas=("polite", "impatient")).model_copy(update={"strategies": strategies})


def plan(spec: CampaignSpec, taught: Taught, n: int, *, of: Scenario | None = None) -> list[PlannedConversation]:
    return list(islice(plan_learned(of or scenario(), spec, taught, run=0, sut="s", sut_number=0), n))


def lessons_of(*planned: PlannedConversation, good: str, task: str = "") -> list[Lesson]:
    """Return lessons in which only the strategy ``good`` found anything, and only with ``task`` where one is named."""
    uses = dict.fromkeys("abcd", 2)
    return [
        Lesson(
            id=one.id,
            index=one.index,
            task=one.task,
            seed_phrase=one.seed_phrase or "",
            uses=uses,
            found=frozenset({Signature("m", one.id, good)}) if task in ("", one.task) else frozenset(),
        )
        for one in planned
    ]


def test_each_conversation_says_what_it_prefers_and_of_how_many_lessons_that_was_learnt() -> None:
    first, *_ = plan(a_campaign(), Taught(), 1)
    assert first.preference is not None
    assert len(first.preference.strategies) == 2
    assert (first.preference.explored, first.preference.task_explored, first.preference.n_lessons) == ((), False, 0)
    assert (first.arm, first.id, first.sut) == (Arm.LEARNED, "learned-001", "s")


def test_the_strategy_and_the_task_that_found_something_are_preferred_next() -> None:
    taught = Taught()
    for lesson in lessons_of(*plan(a_campaign(), taught, 12), good="c", task="task1"):
        taught.learn(lesson)
    after, *_ = plan(a_campaign(), taught, 1)
    assert after.preference is not None
    assert (after.preference.strategies[0], after.task, after.preference.n_lessons) == ("c", "task1", 12)


def test_every_task_combination_is_tried_before_one_that_found_something_comes_again() -> None:
    taught, spec = Taught(), a_campaign(pool=a_pool(n_tasks=5, n_each=4))
    tasks = []
    for _ in range(5):
        (planned,) = plan(spec, taught, 1)
        for lesson in lessons_of(planned, good="a"):
            taught.learn(lesson)
        tasks.append(planned.task)
    assert sorted(tasks) == [f"task{number}" for number in range(5)]


def test_where_failures_are_confirmed_only_confirmed_ones_count() -> None:
    taught = Taught(confirms=True)
    for lesson in lessons_of(*plan(a_campaign(), taught, 12), good="c"):
        taught.learn(lesson)
    assert not any(lesson.rewarded for lesson in taught.lessons.values())
    for name in taught.lessons:
        taught.confirm(name, frozenset({Signature("n", name, "b")}))
    after, *_ = plan(a_campaign(), taught, 1)
    assert after.preference is not None
    assert (after.preference.strategies[0], after.preference.n_lessons) == ("b", 12)


def test_what_is_confirmed_counts_only_where_failures_are_confirmed_and_of_conversations_that_are_known() -> None:
    found = frozenset({Signature("m", "x", "a")})
    taught = Taught()
    taught.learn(Lesson(id="c1", index=0, task="t", found=found))
    for name in ("c1", "unknown"):
        taught.confirm(name, frozenset())
    assert {name: lesson.rewarded for name, lesson in taught.lessons.items()} == {"c1": found}


@given(st.integers(0, 12), st.integers(0, 12))
def test_what_is_known_is_never_planned_again_and_the_rest_is_as_if_nothing_had_been_interrupted(
    n_before: int, n_after: int
) -> None:
    whole = plan(a_campaign(), Taught(), n_before + n_after)
    resumed = Taught()
    for planned in whole[:n_before]:
        resumed.plan(planned.index, planned.seed_phrase or "")
    assert plan(a_campaign(), resumed, n_after) == whole[n_before:]


def test_a_conversation_that_came_to_nothing_teaches_nothing_but_its_phrase_was_used() -> None:
    taught = Taught()
    taught.learn(Lesson(id="c", index=1, task="task0", seed_phrase="0.0", rated=False))
    planned = plan(a_campaign(), taught, 5)
    assert planned[0].index > 1
    assert next(one.seed_phrase for one in planned if one.task == "task0") == "0.1"
    assert planned[0].preference is not None
    assert planned[0].preference.n_lessons == 0


def test_planning_the_same_twice_counts_once() -> None:
    taught = Taught()
    one, *_ = plan(a_campaign(), taught, 1)
    taught.plan(one.index, one.seed_phrase or "")
    assert taught.phrases == Counter({one.seed_phrase: 1})


def test_a_phrase_comes_again_only_when_all_of_its_task_were_used_and_with_another_random_seed() -> None:
    always = a_campaign(pool=a_pool(n_tasks=2, n_each=3))
    planned = plan(always, Taught(), 40)
    for task in ("task0", "task1"):
        uses = Counter(one.seed_phrase for one in planned if one.task == task)
        assert max(uses.values()) - min(uses.values()) <= 1
    assert len({one.rng_seed for one in planned}) == len(planned)


def test_personas_are_balanced_whatever_is_learnt() -> None:
    personas = Counter(one.persona for one in plan(a_campaign(), Taught(), 20))
    assert set(personas.values()) == {10}


def test_no_random_seed_is_one_of_the_guided_arm() -> None:
    spec = a_campaign(pool=a_pool(n_tasks=1, n_each=2))
    guided = plan_arm(scenario(), spec, run=0, sut="s", sut_number=0, arm=Arm.GUIDED)
    assert not {one.rng_seed for one in islice(guided, 10)} & {one.rng_seed for one in plan(spec, Taught(), 10)}


def test_of_one_task_combination_only_strategies_are_learnt() -> None:
    planned = plan(a_campaign(pool=a_pool(n_tasks=1, n_each=3)), Taught(), 6)
    assert [one.preference.task_explored for one in planned if one.preference] == [None] * 6
    assert Counter(one.seed_phrase for one in planned) == {"0.0": 2, "0.1": 2, "0.2": 2}


def test_paired_it_meets_the_users_of_the_guided_arm_and_only_strategies_are_learnt() -> None:
    spec = a_campaign(pairing=Pairing.PAIRED)
    guided = islice(plan_arm(scenario(), spec, run=0, sut="s", sut_number=0, arm=Arm.GUIDED), 8)
    learned = plan(spec, Taught(), 8)
    same = ("seed_phrase", "persona", "context", "max_turns", "rng_seed", "repeat", "task")
    assert [[getattr(one, name) for name in same] for one in learned] == [
        [getattr(one, name) for name in same] for one in guided
    ]
    assert all(one.preference is not None and one.preference.task_explored is None for one in learned)


def test_without_strategies_tasks_are_learnt_all_the_same() -> None:
    first, *_ = plan(a_campaign(), Taught(), 1, of=scenario(()))
    assert first.preference is not None
    assert (first.preference.strategies, first.preference.task_explored) == ((), False)


def test_what_is_drawn_at_random_is_said() -> None:
    spec = a_campaign(learning=LearningSpec(epsilon=1.0))
    planned = plan(spec, Taught(), 5)
    assert all(one.preference is not None and one.preference.task_explored for one in planned)
    assert all(one.preference is not None and one.preference.explored == one.preference.strategies for one in planned)


def test_a_campaign_without_a_learned_arm_has_no_such_plan() -> None:
    spec = a_campaign().model_copy(update={"arms": (Arm.GUIDED,)})
    with pytest.raises(ValueError, match="not in a campaign"):
        plan(spec, Taught(), 1)
