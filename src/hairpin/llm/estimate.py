"""What a run will take before it runs: calls, tokens and money per role, from low to high, with what was assumed.

Pure arithmetic; it asks no model and reads no file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, Self

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.model_spec import LocalModel, ModelPrice, ModelSpec
from hairpin.domain.outcome import REPLAY_ROLES, Role
from hairpin.domain.panels import role_of
from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.scenario import Scenario
from hairpin.llm.prices import PriceTable, price_tokens
from hairpin.llm.replay_estimate import replay_calls, replay_chars
from hairpin.llm.token_estimate import OUTPUT_TOKENS

_LEVELS: Final = range(3)
"""Low, expected, high: the columns of the assumptions below."""

CHARS_PER_TOKEN: Final = (4.5, 4.0, 3.0)
EXCHANGE_CHARS: Final = (250, 500, 1_500)
"""Characters of one utterance with its reply."""
OUTPUT_FACTOR: Final = (0.5, 1.0, math.inf)
"""Of ``OUTPUT_TOKENS``; at the high end every answer is as long as its cap allows."""
REQUESTS_PER_CALL: Final = (1.0, 1.1, 2.0)
"""Repairs and retries that are paid for."""


class Range(Value):
    """A number from low to high."""

    low: float = 0.0
    expected: float = 0.0
    high: float = 0.0

    def plus(self, other: Range) -> Range:
        """Return the sum, end by end."""
        return Range(low=self.low + other.low, expected=self.expected + other.expected, high=self.high + other.high)


class RoleEstimate(Value):
    """What one role will take. ``cost_usd`` is ``None`` when the price of its model is unknown."""

    role: Role
    model: str
    calls: Range
    requests: Range
    prompt_tokens: Range
    completion_tokens: Range
    cost_usd: Range | None


class RunEstimate(Value):
    """What a run will take. ``roles`` are those that models play, a row for every member of a panel; offline roles cost
    nothing.

    ``cost_usd`` is ``None`` when one price is unknown; ``cost_known_usd`` is the rest, ``unpriced`` the models without.
    ``notes``: what these figures are of, where that is not a whole plain run.
    """

    n_conversations: int = Field(ge=0)
    turns: Range
    roles: tuple[RoleEstimate, ...]
    requests: Range
    prompt_tokens: Range
    completion_tokens: Range
    cost_usd: Range | None
    cost_known_usd: Range
    unpriced: tuple[str, ...]
    assumptions: tuple[str, ...]
    notes: tuple[str, ...] = ()


def estimate_run(
    scenario: Scenario,
    *,
    n_conversations: int,
    prompt_chars: Mapping[Role, int],
    prices: PriceTable,
    n_extra_calls: Mapping[Role, int] | None = None,
    lengths: Sequence[int] = (),
) -> RunEstimate:
    """Return what ``n_conversations`` of ``scenario`` will take.

    Args:
        scenario: says turns, dimensions and which model plays which role.
        n_conversations: planned, over all assistants.
        prompt_chars: characters of each role's prompt before any exchange; a role left out has 4,000.
        prices: the price table.
        n_extra_calls: calls per role outside conversations, such as canaries; each as long as one with two exchanges,
            and made once by every member of a panel.
        lengths: exchanges of each conversation, where they are known beforehand.
    """
    turns = _turns(scenario, lengths)
    spoken = _Spoken.of(lengths) if lengths else _Spoken.guessed(turns, n_conversations)
    extra = n_extra_calls or {}
    roles = tuple(
        _estimate_role(
            role,
            spec,
            _Work(
                scenario,
                spoken,
                n_conversations,
                extra.get(role, 0),
                prompt_chars.get(role, 4_000),
                scenario.panels[role].repeats if role in scenario.panels else 1,
            ),
            prices.price_of(spec),
        )
        for key, spec in scenario.modelled_roles.items()
        for role in (role_of(key),)
    )
    known = [role.cost_usd for role in roles if role.cost_usd is not None]
    cost = _sum(known)
    unpriced = tuple(sorted({role.model for role in roles if role.cost_usd is None}))
    return RunEstimate(
        n_conversations=n_conversations,
        turns=turns,
        roles=roles,
        requests=_sum([role.requests for role in roles]),
        prompt_tokens=_sum([role.prompt_tokens for role in roles]),
        completion_tokens=_sum([role.completion_tokens for role in roles]),
        cost_usd=None if unpriced else cost,
        cost_known_usd=cost,
        unpriced=unpriced,
        assumptions=_assumptions(prices, roles),
    )


class _Spoken(Value):
    """Exchanges of all conversations, and of those all the pairs of one with an earlier one of its conversation."""

    exchanges: Range
    pairs: Range

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Self:
        """Return what conversations of known ``lengths`` hold."""
        exchanges, pairs = float(sum(lengths)), float(sum(n * (n - 1) // 2 for n in lengths))
        return cls(exchanges=_range([exchanges] * len(_LEVELS)), pairs=_range([pairs] * len(_LEVELS)))

    @classmethod
    def guessed(cls, turns: Range, n_conversations: int) -> Self:
        """Return what ``n_conversations`` hold that have so many ``turns`` each."""
        each = [_at(turns, level) for level in _LEVELS]
        return cls(
            exchanges=_range([n_conversations * n for n in each]),
            pairs=_range([n_conversations * (n * (n - 1) / 2) for n in each]),
        )


class _Work:
    """What one role has to do in a run."""

    def __init__(
        self, scenario: Scenario, spoken: _Spoken, n_conversations: int, n_extra: int, prompt_chars: int, repeats: int
    ) -> None:
        self._repeats = repeats
        self._scenario = scenario
        self._spoken = spoken
        self._n_conversations = n_conversations
        self._n_extra = n_extra
        self._prompt_chars = prompt_chars
        self._replays = scenario.metamorphic or MetamorphicSpec()

    def calls(self, role: Role, level: int) -> float:
        """Return how often the role is asked."""
        exchanges, n = _at(self._spoken.exchanges, level), self._n_conversations
        if role in REPLAY_ROLES:
            return replay_calls(self._replays, role, exchanges, level)
        calls = {
            Role.EXTRACTOR: float(n),
            Role.SIMULATOR: exchanges,
            Role.STRATEGIST: max(0.0, exchanges - n),  # the first utterance is made without a strategy
            Role.TURN_JUDGE: exchanges,
            Role.CONVERSATION_JUDGE: float(n * len(self._scenario.rubric.dimensions)),
            Role.SIMULATOR_REVIEWER: float(n),
        }
        return calls[role] * self._repeats + self._n_extra

    def prompt_chars(self, role: Role, level: int) -> float:
        """Return the characters of all its prompts: the history grows with every turn and is sent each time."""
        exchanges, pairs = _at(self._spoken.exchanges, level), _at(self._spoken.pairs, level)
        if role in REPLAY_ROLES:
            beside = replay_chars(role, pairs / exchanges if exchanges else 0.0, level)
            return self.calls(role, level) * (self._prompt_chars + beside)
        seen = {  # exchanges in the prompts of all calls
            Role.EXTRACTOR: 0.0,
            Role.SIMULATOR: pairs,
            Role.STRATEGIST: pairs,
            Role.TURN_JUDGE: pairs + exchanges,
            Role.CONVERSATION_JUDGE: exchanges * len(self._scenario.rubric.dimensions),
            Role.SIMULATOR_REVIEWER: exchanges,
        }
        shown = seen[role] * self._repeats + 2 * self._n_extra
        return self.calls(role, level) * self._prompt_chars + shown * EXCHANGE_CHARS[level]


def _estimate_role(role: Role, spec: ModelSpec, work: _Work, price: ModelPrice | None) -> RoleEstimate:
    calls = _range([work.calls(role, level) for level in _LEVELS])
    requests = _range([_at(calls, level) * REQUESTS_PER_CALL[level] for level in _LEVELS])
    prompt = _range(
        [work.prompt_chars(role, level) / CHARS_PER_TOKEN[level] * REQUESTS_PER_CALL[level] for level in _LEVELS]
    )
    answers = [min(OUTPUT_TOKENS[role] * factor, spec.max_output_tokens) for factor in OUTPUT_FACTOR]
    completion = _range([_at(requests, level) * answers[level] for level in _LEVELS])
    cost = None
    if price is not None:
        pairs = [(math.ceil(_at(prompt, level)), math.ceil(_at(completion, level))) for level in _LEVELS]
        cost = _range([price_tokens(price, *pair) for pair in pairs])
    return RoleEstimate(
        role=role,
        model=model_name(spec),
        calls=calls,
        requests=requests,
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost_usd=cost,
    )


def model_name(spec: ModelSpec) -> str:
    """Return what estimates call a model: provider and name."""
    if isinstance(spec, LocalModel):
        return "local"
    return f"{spec.provider} {spec.model or getattr(spec, 'deployment', '')}"


def _turns(scenario: Scenario, lengths: Sequence[int]) -> Range:
    """Return the turns of one conversation; a simulated one may end from the middle on, with all targets resolved."""
    if lengths:
        return Range(low=min(lengths), expected=sum(lengths) / len(lengths), high=max(lengths))
    if scenario.script:
        n_turns = float(len(scenario.script))
        return Range(low=n_turns, expected=n_turns, high=n_turns)
    most = scenario.max_turns
    least = min(most, math.ceil(most / 2) + 1)
    return Range(low=least, expected=math.ceil((least + most) / 2), high=most)


def _assumptions(prices: PriceTable, roles: tuple[RoleEstimate, ...]) -> tuple[str, ...]:
    if not roles:
        return ("every role is offline: no model is asked but the assistant under test",)
    low, expected, high = (f"{value:g}" for value in EXCHANGE_CHARS)
    answers = ", ".join(dict.fromkeys(f"{OUTPUT_TOKENS[role.role]} ({role.role.value})" for role in roles))
    return (
        "low: conversations end as early as they can; expected: halfway; high: all turns are used",
        f"an utterance with its reply has {low} to {high} characters, {expected} expected",
        f"a token has {CHARS_PER_TOKEN[0]:g} to {CHARS_PER_TOKEN[2]:g} characters, {CHARS_PER_TOKEN[1]:g} expected",
        f"expected tokens per answer: {answers}; half of it at the low end, max_output_tokens at the high end; "
        "models that think aloud take more than expected",
        f"repairs and retries: {REQUESTS_PER_CALL[1]:g} requests per call expected, {REQUESTS_PER_CALL[2]:g} at the "
        "high end",
        "nothing is served from a provider's prefix cache or from the response cache, which makes it cheaper",
        f"prices as of {prices.as_of}, or those of the scenario" if prices.as_of else "prices of the scenario",
    )


def _range(values: list[float]) -> Range:
    return Range(low=values[0], expected=values[1], high=values[2])


def _at(value: Range, level: int) -> float:
    return (value.low, value.expected, value.high)[level]


def _sum(ranges: list[Range]) -> Range:
    total = Range()
    for each in ranges:
        total = total.plus(each)
    return total
