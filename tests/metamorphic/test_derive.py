from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.plan import FOLLOW_UPS_FROM, PlannedConversation
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import Derivation, MetamorphicSpec
from hairpin.domain.replay import PAPER_PERTURBATIONS, Method, Perturbation, Replay
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.errors import InvalidInputError
from hairpin.metamorphic.derive import derive, seed_of_conversation
from hairpin.metamorphic.follow_up_numbers import MAX_BASELINE_QUESTIONS
from hairpin.metamorphic.foreign_rounds import FOREIGN_QUESTIONS
from tests.metamorphic.dialogues import QUESTIONS, a_seed, a_source, exchanges

pytestmark = pytest.mark.anyio

BOTH = (Method.METAL, Method.QAASKER)
EVERYTHING = MetamorphicSpec(perturbations=tuple(Perturbation), executions=2, null_replays=2, baselines=BOTH)


async def derived(
    seed: TestSeed,
    spec: MetamorphicSpec,
    *,
    answered: int | None = None,
    answer: str = "answer {}",
    rng_seed: int = 7,
    accepts_history: bool = True,
) -> tuple[Derivation, tuple[PlannedConversation, ...]]:
    source = a_source(seed, answered=answered, rng_seed=rng_seed, answer=answer)
    return await derive(source, seed, spec, accepts_history=accepts_history, writer=None)


def replay_of(planned: PlannedConversation) -> Replay:
    assert planned.replay is not None
    return planned.replay


async def test_follow_ups_are_conversations_like_their_source_with_other_questions() -> None:
    seed = a_seed()
    source = a_source(seed).planned.model_copy(update={"seed_phrase": "gone", "recording": "gone", "task": "kept"})
    record = a_source(seed).model_copy(update={"planned": source})
    _, follow_ups = await derive(record, seed, EVERYTHING, accepts_history=True, writer=None)
    kept = {"sut", "arm", "persona", "context", "repeat", "run", "task"}
    for planned in follow_ups:
        assert planned.model_dump(include=kept) == source.model_dump(include=kept)
        assert (planned.seed_phrase, planned.recording) == (None, None)
        assert planned.is_follow_up
        assert replay_of(planned).source == source.id
        assert replay_of(planned).test_seed == seed.id
        assert planned.max_turns == len(replay_of(planned).questions)
        assert PlannedConversation.model_validate_json(planned.model_dump_json()) == planned


async def test_names_and_numbers_are_unique_and_in_plan_order() -> None:
    derivation, follow_ups = await derived(a_seed(), EVERYTHING)
    names = [planned.id for planned in follow_ups]
    assert len(set(names)) == len(names) == len({planned.rng_seed for planned in follow_ups})
    assert {"c0003.null.1", "c0003.RS.1", "c0003.RI.2", "c0003.metal.typo.q02", "c0003.qaasker.wh_to_wh.q01"} < {*names}
    indexes = [planned.index for planned in follow_ups]
    assert indexes == sorted(set(indexes))
    assert min(indexes) >= FOLLOW_UPS_FROM
    assert derivation.follow_ups == tuple(names)
    assert (derivation.source, derivation.test_seed.id) == ("c0003", "d1")


async def test_what_else_is_derived_shifts_nothing() -> None:
    """Adding a perturbation, an execution or a baseline must not make a stored run differ."""
    _, everything = await derived(a_seed(), EVERYTHING)
    by_name = {planned.id: planned for planned in everything}
    for spec in (
        MetamorphicSpec(perturbations=(Perturbation.RSD,)),
        MetamorphicSpec(perturbations=(Perturbation.RI, Perturbation.RS, Perturbation.RS), executions=2),
        MetamorphicSpec(perturbations=(), null_replays=1),
        MetamorphicSpec(perturbations=(), baselines=(Method.QAASKER,)),
    ):
        _, some = await derived(a_seed(), spec)
        assert some
        assert [by_name[planned.id] for planned in some] == list(some)


async def test_assistants_meet_the_same_follow_ups_and_repeats_do_not() -> None:
    spec = MetamorphicSpec(perturbations=(Perturbation.RS,), executions=3)
    seed = a_seed(tuple((f"Question {n}?", "a") for n in range(12)))
    _, one = await derived(seed, spec)
    _, same = await derived(seed, spec)
    _, other = await derived(seed, spec, rng_seed=8)
    assert one == same
    orders = [[question.index for question in replay_of(planned).questions] for planned in (*one, *other)]
    assert len({tuple(order) for order in orders}) == 6


async def test_null_replays_ask_the_test_seed_as_it_is() -> None:
    _, follow_ups = await derived(a_seed(), MetamorphicSpec(perturbations=(), null_replays=2))
    assert [planned.id for planned in follow_ups] == ["c0003.null.1", "c0003.null.2"]
    for execution, planned in enumerate(follow_ups):
        replay = replay_of(planned)
        assert (replay.method, replay.execution) == (Method.NULL, execution)
        assert [(question.text, question.index) for question in replay.questions] == [
            (text, j) for j, (text, _) in enumerate(QUESTIONS)
        ]


@given(st.integers(0, 2**62), st.lists(st.sampled_from(["When?", "Who was it?", "And then?"]), min_size=3, max_size=12))
async def test_questions_with_equal_texts_keep_their_indexes(rng_seed: int, texts: list[str]) -> None:
    seed = a_seed(tuple((text, "a") for text in texts))
    _, follow_ups = await derived(seed, MetamorphicSpec(perturbations=tuple(Perturbation)), rng_seed=rng_seed)
    assert len(follow_ups) == len(Perturbation)
    for planned in follow_ups:
        for question in replay_of(planned).questions:
            if question.index is not None:
                assert (question.text, question.checked) == (texts[question.index], True)


async def test_a_foreign_round_is_unrelated_and_unchecked() -> None:
    _, follow_ups = await derived(a_seed(), MetamorphicSpec(perturbations=(Perturbation.RI,)))
    foreign = [question for question in replay_of(follow_ups[0]).questions if question.index is None]
    assert len(foreign) == 1
    assert foreign[0].text in FOREIGN_QUESTIONS
    assert not foreign[0].checked


@pytest.mark.parametrize(
    ("answers", "answered", "asked"),
    [
        (("a", "b", "c", "d"), 1, {0, 1, 2, 3}),
        ((None, None, None, None), 3, {0, 1, 2}),
        ((None, None, None, "d"), 2, {0, 1, 3}),
        ((None, "b", "c", None), 0, {1, 2}),
    ],
)
async def test_of_a_source_that_broke_off_what_has_an_answer_to_compare_with_is_asked(
    answers: tuple[str | None, ...], answered: int, asked: set[int]
) -> None:
    seed = a_seed(tuple((f"Question {j}?", answer) for j, answer in enumerate(answers)))
    spec = MetamorphicSpec(perturbations=(Perturbation.RS, Perturbation.RD), null_replays=1)
    _, follow_ups = await derived(seed, spec, answered=answered)
    assert len(follow_ups) == 3
    for planned in follow_ups:
        assert {question.index for question in replay_of(planned).questions} == asked


async def test_nothing_can_be_said_of_a_source_without_any_answer() -> None:
    seed = a_seed(tuple((text, None) for text, _ in QUESTIONS))
    derivation, follow_ups = await derived(seed, EVERYTHING, answered=0)
    assert follow_ups == ()
    counted = Counter(each.method for each in derivation.not_applicable)
    assert counted == {Method.NULL: 2, Method.MORTAR: 16, Method.METAL: 16, Method.QAASKER: 12}
    assert all(each.reason for each in derivation.not_applicable)


async def test_what_is_not_applicable_is_counted_by_kind_and_keeps_the_numbers_of_the_rest() -> None:
    two = a_seed(QUESTIONS[:2])
    derivation, follow_ups = await derived(two, MetamorphicSpec())
    assert [each.kind for each in derivation.not_applicable] == ["RR", "RSR", "RRD", "RSRD"]
    assert [replay_of(planned).kind for planned in follow_ups] == ["RS", "RD", "RSD"]
    _, of_four = await derived(a_seed(), MetamorphicSpec())
    numbers = {replay_of(planned).kind: planned.index for planned in of_four}
    assert {replay_of(planned).kind: planned.index for planned in follow_ups}.items() <= numbers.items()


async def test_a_dialogue_of_one_question_can_only_be_doubled() -> None:
    derivation, follow_ups = await derived(a_seed(QUESTIONS[:1]), MetamorphicSpec())
    assert [planned.id for planned in follow_ups] == ["c0003.RD.1"]
    assert len(derivation.not_applicable) == 6


async def test_questions_that_need_a_reply_are_marked_but_never_the_first() -> None:
    seed = a_seed((("Yes please", "a"), ("the second one", "b"), ("Who was he?", "c")))
    said_so = SeedQuestion(text="Go on", needs_reply=True)
    seed = seed.model_copy(update={"questions": (*seed.questions, said_so)})
    derivation, _ = await derived(seed, MetamorphicSpec())
    assert [question.needs_reply for question in derivation.test_seed.questions] == [False, True, False, True]


async def test_too_long_a_test_seed_is_refused_before_anything_is_made() -> None:
    seed = a_seed(tuple((f"Question {j}?", "a") for j in range(MAX_BASELINE_QUESTIONS + 1)))
    with pytest.raises(InvalidInputError, match="max_questions"):
        await derived(seed, EVERYTHING)


def held_freely(*said: str) -> ConversationRecord:
    record = a_source(a_seed())
    planned = record.planned.model_copy(update={"replay": None, "seed_phrase": "Hello"})
    return record.model_copy(update={"planned": planned, "exchanges": exchanges(said)})


def test_a_conversation_that_was_held_freely_becomes_a_test_seed_without_gold_answers() -> None:
    """Eq. 18."""
    seed = seed_of_conversation(held_freely("Find a bakery", "the second one", "Is it open?"))
    assert seed.texts == ("Find a bakery", "the second one", "Is it open?")
    assert [question.needs_reply for question in seed.questions] == [False, True, False]
    assert (seed.id, seed.origin, seed.has_gold) == ("c0003", "conversation c0003", False)
    assert seed.reference_text == "A story."


async def test_follow_ups_of_a_free_conversation_ask_what_its_user_said() -> None:
    record = held_freely("Find a bakery", "Is it open?", "Call it")
    derivation, follow_ups = await derive(
        record, seed_of_conversation(record), MetamorphicSpec(), accepts_history=False, writer=None
    )
    assert len(follow_ups) == 7
    assert all(planned.seed_phrase is None for planned in follow_ups)
    assert set(replay_of(follow_ups[0]).texts) == {"Find a bakery", "Is it open?", "Call it"}
    assert derivation.not_applicable == ()


def test_a_test_seed_ends_before_a_blank_utterance() -> None:
    assert seed_of_conversation(held_freely("Find a bakery", " ", "Is it open?")).texts == ("Find a bakery",)


@pytest.mark.parametrize("said", [(), ("",)])
def test_a_conversation_in_which_nothing_was_said_is_no_test_seed(said: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInputError, match="c0003"):
        seed_of_conversation(held_freely(*said))


async def test_dialogues_give_the_test_cases_of_the_paper() -> None:
    """Table V, a hundredth of it: of 500 dialogues 3,500, 2,000 and 1,500; a test case is dialogue × relation."""
    spec = MetamorphicSpec(perturbations=PAPER_PERTURBATIONS, baselines=BOTH)
    cases: Counter[Method] = Counter()
    for number in range(5):
        seed = a_seed(seed_id=f"d{number}")
        _, follow_ups = await derived(seed, spec, answer="yes")
        test_cases = {(replay_of(each).method, replay_of(each).kind) for each in follow_ups}
        cases.update(method for method, _ in test_cases)
    assert cases == {Method.MORTAR: 35, Method.METAL: 20, Method.QAASKER: 15}
