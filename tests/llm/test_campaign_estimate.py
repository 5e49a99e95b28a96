"""What a campaign takes: each arm with its own turns and roles, all conversations or one of them."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import BaselineSpec, CampaignSpec, Pairing, SeedPhrase, SeedPool
from hairpin.domain.model_spec import CompatibleModel, ModelPrice, ModelSpec, OpenAiModel
from hairpin.domain.outcome import Role
from hairpin.llm.campaign_estimate import arm_levels, estimate_campaign
from hairpin.llm.estimate import RunEstimate, estimate_run
from hairpin.llm.prices import PriceTable
from hairpin.llm.ranges import Range
from tests.domain.builders import DIMENSIONS, a_persona, a_scenario, a_strategy

BOTH = (Arm.GUIDED, Arm.BASELINE)
MINI = OpenAiModel(model="gpt-4.1-mini", max_output_tokens=500)
HOUSE = CompatibleModel(base_url="http://127.0.0.1:1/v1", model="house")
TABLE = PriceTable(prices={"openai": {"gpt-4.1-mini": ModelPrice(input=0.4, output=1.6)}}, as_of="2026-05-31")
EVERY = dict.fromkeys(Role, MINI)
CHARS = dict.fromkeys(Role, 4_000)


def spec(**changes: object) -> CampaignSpec:
    plain = CampaignSpec(
        max_turns=(8,),
        pools=(SeedPool(name="p", phrases=(SeedPhrase(text="Take me home"),)),),
        baseline=BaselineSpec(persona=a_persona(), max_turns=3),
    )
    return plain.model_copy(update=changes)


def estimated(
    campaign: CampaignSpec, models: Mapping[Role, ModelSpec] = EVERY, extra: Mapping[Role, int] | None = None
) -> RunEstimate:
    scenario = a_scenario().model_copy(update={"models": models, "strategies": (a_strategy("s"),), "max_turns": 5})
    return estimate_campaign(scenario, campaign, prompt_chars=CHARS, prices=TABLE, n_extra_calls=extra)


def calls_of(run: RunEstimate) -> dict[Role, tuple[float, float, float]]:
    return {each.role: (each.calls.low, each.calls.expected, each.calls.high) for each in run.roles}


def test_the_baseline_uses_and_judges_all_of_its_own_turns_without_a_strategist() -> None:
    run = estimated(spec(arms=(Arm.BASELINE,), conversations=10))
    assert run.turns == Range(low=3, expected=3, high=3)
    assert calls_of(run) == {
        Role.EXTRACTOR: (10, 10, 10),
        Role.SIMULATOR: (30, 30, 30),
        Role.TURN_JUDGE: (30, 30, 30),
        Role.CONVERSATION_JUDGE: (10 * len(DIMENSIONS),) * 3,
        Role.SIMULATOR_REVIEWER: (10, 10, 10),
    }


def test_the_guided_arm_has_the_levels_of_the_campaign_and_not_the_turns_of_a_plain_run() -> None:
    """M = 2 is two turns at least, M = 8 five; of three conversations the first level has two."""
    run = estimated(spec(max_turns=(2, 8), conversations=3))
    assert calls_of(run)[Role.TURN_JUDGE] == (2 * 2 + 5, 2 * 2 + 7, 2 * 2 + 8)
    assert (run.turns.low, run.turns.high) == (2, 8)
    assert run.n_conversations == 3


def test_one_conversation_of_a_timed_campaign_is_the_mean_of_its_arms_between_least_and_most() -> None:
    run = estimated(spec(arms=BOTH))
    assert run.n_conversations == 1
    assert calls_of(run)[Role.TURN_JUDGE] == (3, (7 + 3) / 2, 8)
    assert calls_of(run)[Role.STRATEGIST] == (0, 3, 7), "the baseline has none"


def test_a_paired_baseline_has_the_guided_arms_turns() -> None:
    paired = spec(arms=BOTH, pairing=Pairing.PAIRED, conversations=2)
    assert arm_levels(paired, Arm.BASELINE) == (8,)
    assert calls_of(estimated(paired))[Role.TURN_JUDGE] == (5 + 8, 7 + 8, 8 + 8)


def test_judges_are_tried_once_however_many_parts_there_are() -> None:
    campaign = spec(arms=BOTH, max_turns=(2, 8))
    tried, untried = (estimated(campaign, extra=extra) for extra in ({Role.TURN_JUDGE: 6}, None))
    more, less = calls_of(tried)[Role.TURN_JUDGE], calls_of(untried)[Role.TURN_JUDGE]
    assert [a - b for a, b in zip(more, less, strict=True)] == [6, 6, 6]


def test_without_a_price_the_rest_is_known_and_the_model_named() -> None:
    run = estimated(spec(arms=BOTH, conversations=4), {**EVERY, Role.SIMULATOR: HOUSE})
    assert run.cost_usd is None
    assert run.cost_known_usd.low > 0
    assert run.unpriced == ("openai-compatible house",)
    offline = estimated(spec(arms=BOTH, conversations=4), {})
    assert (offline.roles, offline.cost_usd) == ((), Range())


@given(st.integers(1, 40))
def test_one_arm_with_one_level_takes_what_a_plain_run_takes(n: int) -> None:
    scenario = a_scenario().model_copy(update={"models": EVERY, "strategies": (a_strategy("s"),)})
    plain = estimate_run(scenario, n_conversations=n, prompt_chars=CHARS, prices=TABLE)
    campaign = spec(conversations=n, max_turns=(scenario.max_turns,))
    run = estimate_campaign(scenario, campaign, prompt_chars=CHARS, prices=TABLE)
    assert run.roles == plain.roles
    assert (run.requests, run.cost_usd, run.turns) == (plain.requests, plain.cost_usd, plain.turns)


@given(st.integers(1, 60), st.integers(1, 4), st.lists(st.integers(1, 12), min_size=1, max_size=4, unique=True))
def test_all_conversations_are_counted_and_ranges_are_in_order(n: int, runs: int, levels: list[int]) -> None:
    run = estimated(spec(arms=BOTH, conversations=n, runs=runs, max_turns=tuple(levels)))
    assert calls_of(run)[Role.EXTRACTOR] == (n, n, n)
    for role in run.roles:
        assert role.calls.low <= role.calls.expected <= role.calls.high
    assert run.turns.low <= run.turns.expected + 1e-9 <= run.turns.high + 2e-9
