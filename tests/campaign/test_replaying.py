"""What follow-ups are made with: which conversations get some, and from the answers to the relation checks."""

from __future__ import annotations

from typing import Any

import pytest

from hairpin.campaign.replaying import Replaying, becomes_source, open_sources
from hairpin.domain.conversation import Exchange
from hairpin.domain.families import Family
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.plan import PlannedConversation, plan_conversations, plan_test_seeds
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.relations import MetamorphicRelation, MetamorphicSpec
from hairpin.domain.replay import Method, Perturbation
from hairpin.domain.scoring import unjudged
from hairpin.errors import EncoderError, HairpinError, UserError
from tests.campaign.replays import LetterEncoder, SmoothChecker, follow_up_of, seeds
from tests.campaign.worlds import MemoryStore, scenario_of

pytestmark = pytest.mark.anyio
SCENARIO = scenario_of()
SEEDS = seeds(2, n_questions=3)
RBT = next(plan_test_seeds(SCENARIO, ("sut0",), SEEDS))
FREE = next(plan_conversations(SCENARIO, ("sut0",)))
DONE = Stop(reason=StopReason.SCRIPT_EXHAUSTED)


def replaying(**changes: Any) -> Replaying:
    values = {"spec": MetamorphicSpec(), "checker": SmoothChecker(), "encoder": LetterEncoder()}
    return Replaying(**{**values, **changes})


def record(planned: PlannedConversation, *said: str, answer: str = "yes") -> ConversationRecord:
    exchanges = tuple(Exchange(t=t, user=text, assistant=answer) for t, text in enumerate(said))
    outcome = Outcome(stop=DONE, judgement=unjudged(DONE))
    return ConversationRecord(planned=planned, attempts=1, exchanges=exchanges, outcome=outcome)


@pytest.mark.parametrize(
    ("planned", "reason", "n_exchanges", "expected"),
    [
        (RBT, StopReason.SCRIPT_EXHAUSTED, 3, True),
        (RBT, StopReason.SUT_ERROR, 1, True),
        (RBT, StopReason.DEADLINE, 1, True),
        (RBT, StopReason.SUT_ERROR, 0, False),
        (FREE, StopReason.TURNS_EXHAUSTED, 2, True),
        (FREE, StopReason.SUT_ENDED, 2, True),
        (FREE, StopReason.TARGETS_RESOLVED, 1, False),
        (FREE, StopReason.DEADLINE, 2, False),
        (FREE, StopReason.BUDGET, 2, False),
        (FREE, StopReason.SUT_ERROR, 5, False),
        (FREE, StopReason.JUDGE_FAULT, 5, False),
        (FREE, StopReason.INTERRUPTED, 5, False),
        (follow_up_of(RBT, 0, SEEDS[0]), StopReason.SCRIPT_EXHAUSTED, 3, False),
    ],
)
def test_which_conversations_are_replayed(
    planned: PlannedConversation, reason: StopReason, n_exchanges: int, expected: bool
) -> None:
    assert becomes_source(planned, Stop(reason=reason), n_exchanges=n_exchanges) is expected


async def test_follow_ups_of_a_test_seed_are_derived_from_it_and_not_from_what_was_said() -> None:
    makes = replaying(test_seeds={seed.id: seed for seed in SEEDS})
    derivation, follow_ups = await makes.derive(record(RBT, "question 0.0"), accepts_history=False)
    assert derivation.test_seed.texts == SEEDS[0].texts
    assert derivation.test_seed.has_gold
    kinds = {planned.replay.kind for planned in follow_ups if planned.replay}
    assert {Perturbation.RS, Perturbation.RD} <= kinds
    assert {planned.sut for planned in follow_ups} == {"sut0"}


async def test_follow_ups_of_a_conversation_ask_what_its_user_said() -> None:
    derivation, follow_ups = await replaying().derive(record(FREE, "take me home", "and then?"), accepts_history=False)
    assert derivation.test_seed.texts == ("take me home", "and then?")
    assert not derivation.test_seed.has_gold
    assert follow_ups


async def test_what_the_baselines_ask_depends_on_whether_the_assistant_takes_a_history() -> None:
    spec = MetamorphicSpec(perturbations=(), baselines=(Method.METAL,))
    makes = replaying(spec=spec)
    source = record(FREE, "where is the nearest open bakery?", "which of those bakeries is open on a sunday?")
    for accepts_history in (True, False):
        _, follow_ups = await makes.derive(source, accepts_history=accepts_history)
        handed = {len(planned.replay.history) for planned in follow_ups if planned.replay}
        assert (max(handed) > 0) is accepts_history


async def test_a_test_seed_that_is_gone_is_named() -> None:
    with pytest.raises(HairpinError, match="'d0' of c0001 is not among those of the scenario"):
        await replaying().derive(record(RBT, "question 0.0"), accepts_history=False)


async def test_a_conversation_that_says_nothing_is_no_reason_to_end_the_run() -> None:
    with pytest.raises(HairpinError, match="no question to ask again") as raised:
        await replaying().derive(record(FREE, " ", "hello"), accepts_history=False)
    assert not isinstance(raised.value, UserError)


async def test_answers_are_compared_by_their_vectors() -> None:
    makes = replaying(test_seeds={seed.id: seed for seed in SEEDS})
    source = record(RBT, *SEEDS[0].texts)
    derivation, follow_ups = await makes.derive(source, accepts_history=False)
    family = Family(
        derivation=derivation,
        source=source,
        follow_ups=tuple(record(each, *each.replay.texts, answer="wow") for each in follow_ups if each.replay),
    )
    checks = await makes.relate(family)
    right = [check.violated for check in checks if check.relation is MetamorphicRelation.RBT]
    assert right == [False, False, False]
    assert all(check.source == "c0001" for check in checks)


async def test_answers_that_cannot_be_encoded_are_an_error_of_the_encoder() -> None:
    class Missing(LetterEncoder):
        async def encode(self, texts: Any) -> Any:
            raise EncoderError("the model is not there")

    makes = replaying(encoder=Missing(), test_seeds={seed.id: seed for seed in SEEDS})
    source = record(RBT, *SEEDS[0].texts)
    derivation, _ = await makes.derive(source, accepts_history=False)
    with pytest.raises(EncoderError):
        await makes.relate(Family(derivation=derivation, source=source))


def test_only_sources_are_gone_on_with() -> None:
    store = MemoryStore()
    other = RBT.model_copy(update={"id": "c0002"})
    store.planned = {"c0001": RBT, "c0002": other, "c0003": RBT.model_copy(update={"id": "c0003"})}
    store.outcomes = {name: Outcome(stop=DONE, judgement=unjudged(DONE)) for name in ("c0001", "c0002")}
    store.said = {"c0001": [], "c0002": [Exchange(t=0, user="question 0.0", assistant="yes")]}
    assert list(open_sources(store.conversation, ["c0001", "c0002", "c0003"])) == [other]
