"""The budget: nothing is called that cannot be paid for, and what was driven can be judged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.llm_calls import CallOutcome, LlmRequest, TokenCounts
from hairpin.domain.model_spec import ModelPrice
from hairpin.domain.outcome import Role
from hairpin.domain.panels import PlayerKey, Seat
from hairpin.errors import InvalidInputError, UserError
from hairpin.llm.budget import Budget, Spent
from hairpin.llm.call_costs import Player
from hairpin.llm.completion import CallError

PRICE = ModelPrice(input=2.0, cached_input=0.5, output=8.0)
PLAYERS = {role: Player(model="m", price=PRICE, prompt_chars=2_000, output_cap=1_000) for role in Role}
DRIVING = (Role.EXTRACTOR, Role.SIMULATOR, Role.STRATEGIST)
OK = CallOutcome.OK


def tokens(prompt: int | None, completion: int | None, cached: int | None = None) -> TokenCounts:
    return TokenCounts(prompt_tokens=prompt, completion_tokens=completion, cached_prompt_tokens=cached)


def call(
    budget: Budget, role: PlayerKey, used: TokenCounts, outcome: CallOutcome = OK, *, n_chars: int = 2_000
) -> None:
    with budget.reserve(role, n_chars=n_chars, output_cap=1_000) as reservation:
        reservation.sent()
        reservation.settle(used, outcome)


def refuses(budget: Budget, role: Role, *, n_chars: int = 2_000) -> bool:
    try:
        with budget.reserve(role, n_chars=n_chars, output_cap=1_000):
            return False
    except CallError as error:
        return error.outcome is CallOutcome.OUT_OF_BUDGET


def call_within_its_estimate(budget: Budget, role: Role, prompt: int, completion: int) -> None:
    """Make a call that takes what is given, but no more than it was expected to take."""
    with budget.reserve(role, n_chars=2_000, output_cap=1_000) as reservation:
        reservation.sent()
        prompt = min(prompt, reservation.estimated_tokens)
        reservation.settle(tokens(prompt, min(completion, reservation.estimated_tokens - prompt)), OK)


def test_every_attempt_is_counted_not_only_the_last_good_one() -> None:
    """Two unusable replies of 1000 + 200 tokens, then a good one of 1000 + 50."""
    budget = Budget(PLAYERS, n_dimensions=0, max_cost_usd=1.0)
    for used, outcome in (
        (tokens(1000, 200), CallOutcome.INVALID_ANSWER),
        (tokens(1000, 200), CallOutcome.NO_ANSWER),
        (tokens(1000, 50), OK),
    ):
        call(budget, Role.TURN_JUDGE, used, outcome)
    assert budget.spent.tokens == 3450
    assert budget.spent.cost_usd == pytest.approx(3 * 0.002 + 450 * 8e-6)


def test_a_call_is_refused_before_it_is_made_and_the_first_refusal_is_remembered() -> None:
    budget = Budget(PLAYERS, n_dimensions=0, max_cost_usd=0.01)
    calls = 0
    while not refuses(budget, Role.TURN_JUDGE):
        call(budget, Role.TURN_JUDGE, tokens(1000, 200))
        calls += 1
    assert 1 <= calls <= 3, "one costs 0.0036 USD"
    assert budget.spent.cost_usd is not None
    assert budget.spent.cost_usd <= 0.01
    told = budget.exhausted
    assert "the budget of 0.01 USD leaves no room for this call of the turn_judge: 0.00" in told
    assert refuses(budget, Role.TURN_JUDGE)
    assert budget.exhausted == told


def test_tokens_can_be_the_limit() -> None:
    budget = Budget(PLAYERS, n_dimensions=0, max_tokens=3_000)
    call(budget, Role.SIMULATOR, tokens(2_000, 500))
    assert refuses(budget, Role.SIMULATOR)
    assert "the budget of 3000 tokens leaves no room" in budget.exhausted
    assert "2500 spent" in budget.exhausted


def test_a_runaway_answer_is_charged_whole_and_ends_the_run() -> None:
    budget = Budget(PLAYERS, n_dimensions=0, max_cost_usd=0.3)
    call(budget, Role.TURN_JUDGE, tokens(1000, 45_000))
    assert budget.spent.cost_usd == pytest.approx(0.362)
    assert refuses(budget, Role.TURN_JUDGE)


def test_a_money_budget_with_an_unknown_price_is_refused_before_anything_runs() -> None:
    players = {
        Role.SIMULATOR: Player(model="house-model"),
        Role.TURN_JUDGE: Player(model="m", price=PRICE),
        Role.CONVERSATION_JUDGE: Player(model="house-model"),
    }
    with pytest.raises(InvalidInputError) as caught:
        Budget(players, n_dimensions=4, max_cost_usd=5.0)
    assert isinstance(caught.value, UserError)
    for part in (
        "--max-cost",
        "'house-model' (simulator, conversation_judge)",
        "price:",
        "prices.yaml",
        "--max-tokens",
    ):
        assert part in str(caught.value)


def test_a_token_budget_needs_no_price_and_money_stays_unknown() -> None:
    budget = Budget({Role.SIMULATOR: Player(model="house-model")}, n_dimensions=0, max_tokens=10_000)
    call(budget, Role.SIMULATOR, tokens(100, 10))
    assert budget.spent == Spent(tokens=110, cost_usd=None, estimated_requests=0)


def test_cached_tokens_cost_less_and_count_as_tokens() -> None:
    budget = Budget(PLAYERS, n_dimensions=0)
    call(budget, Role.SIMULATOR, tokens(1000, 0, cached=800))
    assert budget.spent.tokens == 1000
    assert budget.spent.cost_usd == pytest.approx((200 * 2.0 + 800 * 0.5) / 1e6)


@pytest.mark.parametrize("role", DRIVING)
def test_driving_leaves_the_price_of_judging_every_active_conversation(role: Role) -> None:
    budget = Budget(PLAYERS, n_dimensions=4, max_tokens=22_000)
    assert not refuses(budget, role)
    with budget.conversation(), budget.conversation():
        assert not refuses(budget, role)
        call(budget, Role.SIMULATOR, tokens(10_300, 50))
        assert refuses(budget, role)
        assert not refuses(budget, Role.TURN_JUDGE)
        assert not refuses(budget, Role.CONVERSATION_JUDGE)
    assert not refuses(budget, role), "nothing is kept back for conversations that have ended"


def test_a_turn_judgement_leaves_the_dimensions_which_may_use_everything() -> None:
    budget = Budget(PLAYERS, n_dimensions=4, max_tokens=10_000)
    with budget.conversation():
        call(budget, Role.SIMULATOR, tokens(6_000, 50))
        assert refuses(budget, Role.TURN_JUDGE)
        assert not refuses(budget, Role.CONVERSATION_JUDGE)


def panel(*models: str, repeats: int = 1) -> dict[PlayerKey, Player]:
    """Return the players of a run whose turn judges are a panel."""
    one = PLAYERS[Role.TURN_JUDGE]
    seats: dict[PlayerKey, Player] = {
        Seat(Role.TURN_JUDGE, n): one.model_copy(update={"model": model, "repeats": repeats})
        for n, model in enumerate(models)
    }
    return {Role.SIMULATOR: PLAYERS[Role.SIMULATOR], **seats}


def test_all_votes_of_a_panel_are_kept_back() -> None:
    def room(players: dict[PlayerKey, Player]) -> int:
        """Return the least tokens with which a conversation may begin."""
        return next(
            limit
            for limit in range(0, 100_000, 50)
            if Budget(players, n_dimensions=4, max_tokens=limit).has_room_for_conversation()
        )

    nobody, one, three = room(panel()), room(panel("a")), room(panel("a", "b", "c"))
    assert three - nobody == pytest.approx(3 * (one - nobody), abs=100)
    assert room(panel("a", repeats=3)) == three


def test_a_member_of_a_panel_pays_its_own_price() -> None:
    players = panel("dear", "free")
    free = Seat(Role.TURN_JUDGE, 1)
    players[free] = players[free].model_copy(update={"price": ModelPrice(input=0.0, output=0.0)})
    budget = Budget(players, n_dimensions=4)
    call(budget, free, tokens(1_000, 100))
    assert budget.spent.cost_usd == 0.0
    call(budget, Seat(Role.TURN_JUDGE, 0), tokens(1_000, 100))
    assert budget.spent.cost_usd == pytest.approx((1_000 * 2.0 + 100 * 8.0) / 1e6)


@pytest.mark.parametrize(("model", "cost"), [("free", 0.0), ("dear", 0.0028), ("renamed", 0.0028)])
def test_a_resumed_run_knows_which_member_spent_what(model: str, cost: float) -> None:
    """A model that the panel has no more is taken for its first member."""
    players = panel("dear", "free")
    free = Seat(Role.TURN_JUDGE, 1)
    players[free] = players[free].model_copy(update={"price": ModelPrice(input=0.0, output=0.0)})
    budget = Budget(players, n_dimensions=4)
    used = tokens(1_000, 100)
    asked = LlmRequest(call_id="c", number=1, role=Role.TURN_JUDGE, endpoint="e", model=model, outcome=OK, tokens=used)
    budget.carry_over([asked])
    assert budget.spent.cost_usd == pytest.approx(cost)


def test_offline_judges_are_kept_nothing_for() -> None:
    budget = Budget({Role.SIMULATOR: PLAYERS[Role.SIMULATOR]}, n_dimensions=4, max_tokens=1_000)
    with budget.conversation():
        assert not refuses(budget, Role.SIMULATOR)


def test_with_an_offline_driver_a_new_conversation_is_not_begun_when_it_could_not_be_judged() -> None:
    judges = {role: PLAYERS[role] for role in (Role.TURN_JUDGE, Role.CONVERSATION_JUDGE)}
    budget = Budget(judges, n_dimensions=4, max_tokens=12_000)
    assert budget.has_room_for_conversation()
    with budget.conversation(), budget.conversation():
        assert not budget.has_room_for_conversation()
        assert budget.exhausted == "", "asking changes nothing"


def test_what_is_kept_for_judging_grows_with_the_longest_prompt() -> None:
    """An assistant that answers with 6,000 words makes its judges read them."""
    budget = Budget(PLAYERS, n_dimensions=4, max_tokens=60_000)
    with budget.conversation():
        assert not refuses(budget, Role.SIMULATOR)
        assert refuses(budget, Role.SIMULATOR, n_chars=36_000)


def test_calls_in_flight_count_until_they_are_settled() -> None:
    budget = Budget(PLAYERS, n_dimensions=0, max_tokens=1_500)
    with budget.reserve(Role.SIMULATOR, n_chars=2_000, output_cap=1_000) as first:
        with budget.reserve(Role.SIMULATOR, n_chars=2_000, output_cap=1_000):
            assert refuses(budget, Role.SIMULATOR)
        first.sent()
        first.settle(tokens(100, 10), OK)
    assert not refuses(budget, Role.SIMULATOR)
    assert budget.spent.tokens == 110


def test_a_reservation_that_sent_nothing_costs_nothing() -> None:
    """It was answered from the cache, or given up while it waited for a slot."""
    budget = Budget(PLAYERS, n_dimensions=0, max_tokens=1_500)
    for _ in range(10):
        with budget.reserve(Role.SIMULATOR, n_chars=2_000, output_cap=1_000):
            pass
    assert budget.spent == Spent(tokens=0, cost_usd=0.0, estimated_requests=0)


@pytest.mark.parametrize("error", [KeyboardInterrupt, CallError(CallOutcome.TIMED_OUT, "slow")])
def test_a_request_that_was_cut_off_is_counted_by_estimate_and_said_so(error: BaseException) -> None:
    budget = Budget(PLAYERS, n_dimensions=0, max_tokens=2_000)

    def cut_off() -> None:
        with budget.reserve(Role.SIMULATOR, n_chars=2_000, output_cap=1_000) as reservation:
            reservation.sent()
            raise error

    with pytest.raises((KeyboardInterrupt, CallError)):
        cut_off()
    assert budget.spent.estimated_requests == 1
    assert budget.spent.tokens == 625 + 100
    assert refuses(budget, Role.EXTRACTOR, n_chars=6_000)
    assert "(1 requests by estimate)" in budget.exhausted


@pytest.mark.parametrize(("used", "expected"), [(tokens(None, None), 725), (tokens(900, None), 1000)])
def test_what_a_server_leaves_out_is_estimated(used: TokenCounts, expected: int) -> None:
    """A streaming reply without usage, and one that reports half of it."""
    budget = Budget(PLAYERS, n_dimensions=0)
    call(budget, Role.SIMULATOR, used)
    assert (budget.spent.tokens, budget.spent.estimated_requests) == (expected, 1)


@pytest.mark.parametrize("outcome", [CallOutcome.RATE_LIMITED, CallOutcome.OVERLOADED, CallOutcome.UNSUPPORTED])
def test_a_storm_of_rejections_uses_nothing_up(outcome: CallOutcome) -> None:
    budget = Budget(PLAYERS, n_dimensions=0, max_tokens=1_000)
    with budget.reserve(Role.SIMULATOR, n_chars=2_000, output_cap=1_000) as reservation:
        for _ in range(100):
            reservation.sent()
            reservation.settle(TokenCounts(), outcome)
    assert budget.spent == Spent(tokens=0, cost_usd=0.0, estimated_requests=0)


def test_retries_that_cost_are_checked_like_new_calls() -> None:
    budget = Budget(PLAYERS, n_dimensions=0, max_tokens=2_500)
    sent: list[int] = []

    def try_again_and_again() -> None:
        with budget.reserve(Role.SIMULATOR, n_chars=2_000, output_cap=1_000) as reservation:
            for number in range(100):
                reservation.sent()
                sent.append(number)
                reservation.settle(TokenCounts(), CallOutcome.TIMED_OUT)

    with pytest.raises(CallError, match="out_of_budget"):
        try_again_and_again()
    assert sent == [0, 1, 2]
    assert budget.spent.tokens <= 2_500


def test_an_absurd_report_is_no_report() -> None:
    budget = Budget(PLAYERS, n_dimensions=0, max_cost_usd=1.0)
    call(budget, Role.SIMULATOR, tokens(10**400, 50))
    call(budget, Role.SIMULATOR, tokens(10, 5, cached=11))
    assert (budget.spent.tokens, budget.spent.estimated_requests) == (625 + 50 + 15, 1)
    assert budget.spent.cost_usd is not None
    assert budget.spent.cost_usd < 1.0


def test_a_resumed_run_goes_on_with_what_it_has_spent() -> None:
    def stored(role: Role, number: int, used: TokenCounts, outcome: CallOutcome) -> LlmRequest:
        return LlmRequest(call_id="k", number=number, role=role, endpoint="e", model="m", tokens=used, outcome=outcome)

    budget = Budget({Role.TURN_JUDGE: PLAYERS[Role.TURN_JUDGE]}, n_dimensions=0, max_tokens=2_000)
    budget.carry_over(
        [
            stored(Role.TURN_JUDGE, 1, tokens(1_000, 500), OK),
            stored(Role.TURN_JUDGE, 2, TokenCounts(), CallOutcome.RATE_LIMITED),
            stored(Role.TURN_JUDGE, 0, TokenCounts(), CallOutcome.FROM_CACHE),
            stored(Role.SIMULATOR, 1, tokens(1_000, 500), OK),
        ]
    )
    assert budget.spent.tokens == 1_500
    assert refuses(budget, Role.TURN_JUDGE)


usages = st.tuples(st.sampled_from(Role), st.integers(0, 600), st.integers(0, 90))


@given(st.lists(usages, max_size=60), st.integers(1_000, 30_000), st.integers(1, 3))
def test_what_was_driven_can_be_judged(rows: list[tuple[Role, int, int]], limit: int, n_active: int) -> None:
    """Whenever estimates hold, every active conversation can be judged after driving was refused."""
    budget = Budget(PLAYERS, n_dimensions=2, max_tokens=limit)
    scopes = [budget.conversation() for _ in range(n_active)]
    for scope in scopes:
        scope.__enter__()
    driven = False
    for role, prompt, completion in rows:
        if role in DRIVING and not refuses(budget, role):
            call_within_its_estimate(budget, role, prompt, completion)
            driven = True
    if driven:
        for _ in range(n_active):
            assert not refuses(budget, Role.TURN_JUDGE)
            call_within_its_estimate(budget, Role.TURN_JUDGE, 500, 400)
        for _ in range(2 * n_active):
            assert not refuses(budget, Role.CONVERSATION_JUDGE)
            call_within_its_estimate(budget, Role.CONVERSATION_JUDGE, 500, 300)
    assert budget.spent.tokens <= limit
