"""Test seeds are planned as they are; follow-ups get their numbers from their source, whenever they are planned."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.plan import (
    FOLLOW_UPS_FROM,
    MAX_FOLLOW_UPS,
    PlannedConversation,
    follow_up_index,
    plan_conversations,
    plan_test_seeds,
)
from hairpin.domain.replay import Method, Replay
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.domain.users import Context
from tests.domain.builders import a_scenario


def a_seed(seed_id: str, n_questions: int = 3) -> TestSeed:
    questions = tuple(SeedQuestion(text=f"{seed_id} {index}?") for index in range(n_questions))
    return TestSeed(id=seed_id, context=Context(reference_text=f"Story {seed_id}"), questions=questions)


def plan(*seeds: TestSeed, suts: tuple[str, ...] = ("sut",), repeats: int = 1) -> list[PlannedConversation]:
    return list(plan_test_seeds(a_scenario("unused", repeats=repeats), suts, seeds))


def test_assistants_times_test_seeds_times_repeats_are_planned_in_that_order() -> None:
    planned = plan(a_seed("x"), a_seed("y"), suts=("s", "t"), repeats=2)
    named = [(each.sut, each.replay.test_seed if each.replay else "", each.repeat) for each in planned]
    assert named == [(sut, seed, repeat) for sut in "st" for seed in "xy" for repeat in (0, 1)]
    assert [each.index for each in planned] == list(range(8))
    assert planned[-1].id == "c0008"


def test_a_test_seed_is_asked_as_it_is_about_its_own_story() -> None:
    (planned,) = plan(a_seed("x", 2))
    assert planned.replay == Replay.model_validate(
        {
            "method": Method.RBT,
            "test_seed": "x",
            "questions": [{"text": "x 0?", "index": 0}, {"text": "x 1?", "index": 1}],
        }
    )
    assert planned.max_turns == 2
    assert planned.context.reference_text == "Story x"
    assert not planned.is_follow_up


def test_another_test_seed_shifts_no_random_seed_and_assistants_share_them() -> None:
    alone = plan(a_seed("y"))[0].rng_seed
    assert [each.rng_seed for each in plan(a_seed("x"), a_seed("y"), suts=("s", "t"))][1::2] == [alone, alone]
    assert len({each.rng_seed for each in plan(a_seed("y"), repeats=3)}) == 3


def test_only_what_has_a_source_is_a_follow_up() -> None:
    (source,) = plan(a_seed("x"))
    assert source.replay is not None
    derived = source.replay.model_copy(update={"source": source.id})
    assert source.model_copy(update={"replay": derived}).is_follow_up
    assert not next(plan_conversations(a_scenario("a"), ["sut"])).is_follow_up


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, MAX_FOLLOW_UPS - 1)), unique=True, max_size=20))
def test_no_two_follow_ups_have_one_number_and_none_that_of_a_conversation(places: list[tuple[int, int]]) -> None:
    (source,) = plan(a_seed("x"))
    found = [follow_up_index(source.model_copy(update={"index": index}), number) for index, number in places]
    assert len(set(found)) == len(places)
    assert all(FOLLOW_UPS_FROM <= each < 2**63 for each in found)


def test_follow_ups_come_in_the_order_of_their_sources() -> None:
    first, second = plan(a_seed("x"), a_seed("y"))
    assert follow_up_index(first, MAX_FOLLOW_UPS - 1) < follow_up_index(second, 0)


@pytest.mark.parametrize("number", [-1, MAX_FOLLOW_UPS])
def test_more_follow_ups_than_there_are_numbers_are_refused(number: int) -> None:
    (source,) = plan(a_seed("x"))
    with pytest.raises(ValueError, match=f"follow-up {number} of c0001: a conversation has at most {MAX_FOLLOW_UPS}"):
        follow_up_index(source, number)
