from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hairpin.domain.canary import CanarySpec
from hairpin.domain.canary_draw import CanaryDraw
from hairpin.domain.known_transcripts import KnownTranscripts, Twins, TwinTurn
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import Outcome
from hairpin.domain.scoring import Judgement, TargetRatios
from hairpin.domain.users import Context

MODES = ("rude", "slow", "wrong")
KNOWN = KnownTranscripts(
    rubric="r",
    twins=tuple(
        Twins(id=f"{mode}{n}", mode=mode, turns=(TwinTurn(user="Hi", good="Hello", bad="No"),), labelled=0)
        for n in range(3)
        for mode in MODES
    ),
)


def outcome(verdict: Verdict) -> Outcome:
    ratios = TargetRatios(uttered=None, all=None, without_dropped=None)
    judgement = Judgement(verdict=verdict, blame=None, success_score=1.0, ratios=ratios)
    return Outcome(stop=Stop(reason=StopReason.TURNS_EXHAUSTED), judgement=judgement)


def planned(index: int) -> PlannedConversation:
    return PlannedConversation(
        index=index,
        id=f"c{index}",
        sut="a",
        seed_phrase="x",
        persona="p",
        context=Context(),
        repeat=0,
        max_turns=4,
        rng_seed=1,
    )


def draw(share: float = 0.1, rng_seed: int = 1) -> CanaryDraw:
    return CanaryDraw(CanarySpec(share=share), KNOWN, rng_seed=rng_seed)


@settings(max_examples=30)
@given(share=st.floats(0.01, 1), n=st.integers(1, 120), rng_seed=st.integers(0, 1 << 40))
def test_their_number_is_the_share_to_within_one(share: float, n: int, rng_seed: int) -> None:
    canaries, passed = draw(share, rng_seed), outcome(Verdict.PASS)
    drawn = [canaries.after(planned(index), passed) for index in range(n)]
    assert abs(sum(map(len, drawn)) - n * share) < 1


@settings(max_examples=30)
@given(rng_seed=st.integers(0, 1 << 40), rounds=st.integers(1, 3))
def test_every_round_has_each_mode_once_good_and_once_bad(rng_seed: int, rounds: int) -> None:
    canaries = draw(rng_seed=rng_seed)
    drawn = [canaries.transcript(number) for number in range(rounds * 2 * len(MODES))]
    assert Counter((each.truth.mode, each.truth.good) for each in drawn) == {
        (mode, good): rounds for mode in MODES for good in (True, False)
    }
    assert len({each.id for each in drawn}) == len(drawn)
    assert all(a.truth.good is not b.truth.good for a, b in zip(drawn[::2], drawn[1::2], strict=True))


def test_the_same_conversation_is_followed_by_the_same_whenever_it_is_asked() -> None:
    forwards = [draw().after(planned(index), outcome(Verdict.FAIL)) for index in range(40)]
    backwards = [draw().after(planned(index), outcome(Verdict.PASS)) for index in reversed(range(40))]
    assert forwards == backwards[::-1]
    assert sum(map(len, forwards)) == 4


def test_other_random_seeds_draw_others() -> None:
    drawn = {tuple(draw(rng_seed=seed).transcript(n).id for n in range(6)) for seed in range(10)}
    assert len(drawn) > 5


@pytest.mark.parametrize("verdict", [Verdict.INVALID, Verdict.INCONCLUSIVE])
def test_nothing_follows_what_was_not_judged(verdict: Verdict) -> None:
    assert [draw(1.0).after(planned(0), outcome(v)) != () for v in (Verdict.PASS, verdict)] == [True, False]


def test_a_canary_knows_its_truth() -> None:
    (canary,) = draw(1.0).after(planned(0), outcome(Verdict.PASS))
    assert canary.truth is not None
    assert canary.canary == f"{canary.canary and canary.canary.split('.')[0]}.{'good' if canary.truth.good else 'bad'}"
    assert canary.truth == draw(1.0).transcript(0).truth


def test_each_arm_of_a_campaign_gets_its_share() -> None:
    canaries, passed = CanaryDraw(CanarySpec(share=0.5), KNOWN, rng_seed=1, n_streams=2), outcome(Verdict.PASS)
    drawn = [canaries.after(planned(index), passed) for index in range(40)]
    for arm in (drawn[::2], drawn[1::2]):
        assert Counter(each.truth.good for found in arm for each in found if each.truth) == {True: 5, False: 5}
