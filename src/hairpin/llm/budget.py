"""What a run may spend on models, checked before each call, with the price of judging kept back.

It must not wait, and it stops nothing itself: it refuses calls.

Driving a conversation (extractor, simulator, strategist) must leave enough for every active conversation to have one
more turn and all its dimensions judged; judging may use what was kept back, so that what was driven can be judged.
Calls are estimated before and settled after: a budget can be passed by no more than what the calls in flight take
beyond their estimates.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from hairpin.domain.base import Value
from hairpin.domain.llm_calls import CallOutcome, LlmRequest, TokenCounts
from hairpin.domain.outcome import Role
from hairpin.domain.panels import PlayerKey, role_of
from hairpin.errors import InvalidInputError
from hairpin.llm.call_costs import Amount, CallCosts, Player
from hairpin.llm.completion import CallError


class Spent(Value):
    """What a budget has counted. ``cost_usd`` is ``None`` when a price is unknown.

    ``estimated_requests``: how many requests reported no usage and were counted by estimate, in tokens and in money.
    """

    tokens: int
    cost_usd: float | None
    estimated_requests: int


class Budget:
    """Money and tokens of one run, on one event loop. Without limits it refuses nothing and counts all the same."""

    def __init__(
        self,
        players: Mapping[Role, Player] | Mapping[PlayerKey, Player],
        *,
        n_dimensions: int,
        n_turns: int = 1,
        max_cost_usd: float | None = None,
        max_tokens: int | None = None,
    ) -> None:
        """Start with nothing spent.

        Args:
            players: the roles that models play, of a panel the seats; offline roles are left out.
            n_dimensions: dimension judgements per conversation.
            n_turns: turns of a conversation, at most.
            max_cost_usd: the most money.
            max_tokens: the most tokens, of prompts and answers together.

        Raises:
            InvalidInputError: a money budget, and the price of a model is unknown.
        """
        if max_cost_usd is not None:
            _require_prices(players)
        self._costs = CallCosts(players)
        self._n_dimensions = n_dimensions
        self._n_turns = n_turns
        self._max = Amount(
            math.inf if max_tokens is None else max_tokens, math.inf if max_cost_usd is None else max_cost_usd
        )
        self._unlimited = max_tokens is None and max_cost_usd is None
        self._spent = Amount()
        self._estimated_requests = 0
        self._in_flight = Amount()
        self._n_in_flight = 0
        self._n_active = 0
        self._longest_talk_chars = 0
        self._exhausted = ""

    @property
    def exhausted(self) -> str:
        """Why the first call was refused; ``""`` while none was."""
        return self._exhausted

    @property
    def spent(self) -> Spent:
        """What has been spent."""
        priced = all(player.price is not None for player in self._costs.players.values())
        return Spent(
            tokens=round(self._spent.tokens),
            cost_usd=self._spent.usd if priced else None,
            estimated_requests=self._estimated_requests,
        )

    @contextmanager
    def conversation(self) -> Iterator[None]:
        """Keep the price of judging one more conversation back while it is active."""
        self._n_active += 1
        try:
            yield
        finally:
            self._n_active -= 1

    def has_room_for_conversation(self) -> bool:
        """Whether another conversation could go to its end, and be judged, beside the active ones.

        Each of those is taken for a whole one, however far it is. Nothing is set apart.
        """
        if self._unlimited:
            return True
        return self._committed().plus(self._whole_conversation(), self._n_active + 1).within(self._max)

    def describe_conversation(self) -> str:
        """Say what one conversation is expected to take, and what is left."""
        whole = self._whole_conversation()
        left = f"{max(self._max.tokens - self._spent.tokens, 0):.0f} tokens"
        needed = f"about {whole.tokens:.0f}"
        if whole.usd > self._max.usd - self._spent.usd:
            left, needed = f"{max(self._max.usd - self._spent.usd, 0):.4f} USD", f"about {whole.usd:.4f}"
        return f"another conversation takes {needed}, and {left} are left of the budget"

    def carry_over(self, requests: Iterable[LlmRequest]) -> None:
        """Count what was spent before the run was interrupted, but for roles that no model plays any more."""
        for request in requests:
            players = self._costs.of(request.role)
            if request.number > 0 and players:
                known = (key for key, player in players.items() if player.model == request.model)
                key = next(known, next(iter(players)))
                self._charge(key, request.tokens, request.outcome, players[key].prompt_chars)

    def reserve(self, role: PlayerKey, *, n_chars: int, output_cap: int) -> Reservation:
        """Return the estimated price of a call, to be held by a ``with`` block around its requests.

        Args:
            role: who asks.
            n_chars: characters of the prompt.
            output_cap: the most output that the request allows, in tokens.

        Raises:
            CallError: ``out_of_budget``.
        """
        self._note_talk(role, n_chars)
        amount = self._costs.estimate(role, n_chars=n_chars, output_cap=output_cap)
        self._require_room(role, amount)
        return Reservation(self, role, n_chars, amount)

    def _hold(self, amount: Amount) -> None:
        self._n_in_flight += 1
        self._in_flight = self._in_flight.plus(amount)

    def _release(self, amount: Amount) -> None:
        self._n_in_flight -= 1
        # Nothing in flight is exactly nothing, whatever rounding has left behind.
        self._in_flight = self._in_flight.plus(amount, -1) if self._n_in_flight else Amount()

    def _charge(self, role: PlayerKey, tokens: TokenCounts, outcome: CallOutcome, n_chars: int) -> None:
        charge = self._costs.charge(role, tokens, outcome, n_chars=n_chars)
        self._spent = self._spent.plus(charge.amount)
        self._estimated_requests += charge.estimated

    def _committed(self) -> Amount:
        return self._spent.plus(self._in_flight)

    def _judging(self) -> Amount:
        """Return what judging one conversation takes from where it stands: a turn, and every dimension."""
        return self._judgement(Role.TURN_JUDGE).plus(self._at_the_end())

    def _at_the_end(self) -> Amount:
        """Return what looking at a whole conversation takes: every dimension, and the review of its user."""
        review = self._judgement(Role.SIMULATOR_REVIEWER)
        return review.plus(self._judgement(Role.CONVERSATION_JUDGE), self._n_dimensions)

    def _whole_conversation(self) -> Amount:
        """Return what a conversation takes that uses all its turns."""
        whole = self._call(Role.EXTRACTOR).plus(self._at_the_end())
        for role in (Role.SIMULATOR, Role.STRATEGIST, Role.TURN_JUDGE):
            whole = whole.plus(self._call(role), self._n_turns)
        return whole

    def _call(self, role: Role, *, talk_chars: int = 0) -> Amount:
        """Return what one decision of ``role`` takes, of a panel all of it."""
        whole = Amount()
        for key, player in self._costs.of(role).items():
            each = self._costs.estimate(key, n_chars=player.prompt_chars + talk_chars)
            whole = whole.plus(each, player.repeats)
        return whole

    def _judgement(self, role: Role) -> Amount:
        # A judge reads the whole conversation: no less of it than anybody was shown so far.
        return self._call(role, talk_chars=self._longest_talk_chars)

    def _note_talk(self, role: PlayerKey, n_chars: int) -> None:
        """Remember how much of a prompt was conversation, beyond what the first prompt of the role was taken for."""
        player = self._costs.players.get(role)
        if player is not None:
            self._longest_talk_chars = max(self._longest_talk_chars, n_chars - player.prompt_chars)

    def _kept_from(self, role: Role) -> Amount:
        """Return what a call of ``role`` must leave: driving all of judging, a turn judgement what ends it."""
        if role in (Role.CONVERSATION_JUDGE, Role.SIMULATOR_REVIEWER):
            return Amount()
        if role is Role.TURN_JUDGE:
            return Amount().plus(self._at_the_end(), self._n_active)
        return Amount().plus(self._judging(), self._n_active)

    def _require_room(self, role: PlayerKey, amount: Amount, *, held: Amount | None = None) -> None:
        """Raise CallError unless ``amount`` fits; ``held`` of it is in flight already."""
        if self._unlimited:
            return
        in_flight, kept = self._in_flight.plus(held or Amount(), -1), self._kept_from(role_of(role))
        if self._spent.plus(in_flight).plus(kept).plus(amount).within(self._max):
            return
        reason = self._refusal(role_of(role), in_flight, kept, amount)
        if not self._exhausted:
            self._exhausted = reason
        raise CallError(CallOutcome.OUT_OF_BUDGET, reason)

    def _refusal(self, role: Role, in_flight: Amount, kept: Amount, amount: Amount) -> str:
        parts = (self._spent, in_flight, kept, amount)
        if math.fsum(part.usd for part in parts) > self._max.usd:
            limit, shown = f"{self._max.usd:g} USD", [f"{part.usd:.4f}" for part in parts]
        else:
            limit, shown = f"{self._max.tokens:.0f} tokens", [f"{part.tokens:.0f}" for part in parts]
        guessed = f" ({self._estimated_requests} requests by estimate)" if self._estimated_requests else ""
        return (
            f"the budget of {limit} leaves no room for this call of the {role.value}: {shown[0]} spent{guessed}, "
            f"{shown[1]} in flight, {shown[2]} kept for judging, about {shown[3]} needed"
        )


class Reservation:
    """What one call has set apart, from ``with`` to the end of its block. It may take several requests."""

    __slots__ = ("_amount", "_budget", "_n_chars", "_n_sent", "_role", "_under_way")

    def __init__(self, budget: Budget, role: PlayerKey, n_chars: int, amount: Amount) -> None:
        self._budget = budget
        self._role = role
        self._n_chars = n_chars
        self._amount = amount
        self._n_sent = 0
        self._under_way = False

    @property
    def estimated_tokens(self) -> int:
        """How many tokens, of prompt and answer, one request is expected to take."""
        return round(self._amount.tokens)

    def __enter__(self) -> Self:
        self._budget._hold(self._amount)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._under_way:  # cancelled or broken off: it may have been worked on, and paid for
            self.settle(TokenCounts(), CallOutcome.CANCELLED)
        self._budget._release(self._amount)

    def sent(self) -> None:
        """Note that a request goes out now. The second one and each later one is checked like a new call.

        Raises:
            CallError: ``out_of_budget``.
        """
        if self._under_way:
            self.settle(TokenCounts(), CallOutcome.CANCELLED)
        if self._n_sent:
            self._budget._require_room(self._role, self._amount, held=self._amount)
        self._n_sent += 1
        self._under_way = True

    def settle(self, tokens: TokenCounts, outcome: CallOutcome) -> None:
        """Count what the request that went out has taken, however it ended; unreported tokens by estimate."""
        self._under_way = False
        self._budget._charge(self._role, tokens, outcome, self._n_chars)


def _require_prices(players: Mapping[Role, Player] | Mapping[PlayerKey, Player]) -> None:
    unpriced: dict[str, list[str]] = {}
    for key, player in players.items():
        if player.price is None:
            unpriced.setdefault(player.model, []).append(role_of(key).value)
    if not unpriced:
        return
    named = ", ".join(f"{model!r} ({', '.join(roles)})" for model, roles in unpriced.items())
    raise InvalidInputError(
        f"money cannot be counted without prices, and none is known for {named}",
        where="--max-cost",
        hint="write 'price: {input: …, output: …}' (USD per million tokens) at the model in the scenario, or add it to "
        "agents/prices.yaml, or limit tokens with --max-tokens instead",
    )
