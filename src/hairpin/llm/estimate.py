"""What a run will take before it runs: calls, tokens and money per role, from low to high, with what was assumed.

Pure arithmetic; it asks no model and reads no file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.model_spec import LocalModel, ModelPrice, ModelSpec
from hairpin.domain.outcome import REPLAY_ROLES, Role
from hairpin.domain.panels import role_of
from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.scenario import Scenario
from hairpin.domain.trials import TrialKind
from hairpin.llm.held import FAILING, Held, trials_per_failure
from hairpin.llm.prices import PriceTable, price_tokens
from hairpin.llm.ranges import LEVELS, Range, total
from hairpin.llm.replay_estimate import replay_calls, replay_chars
from hairpin.llm.token_estimate import OUTPUT_TOKENS

CHARS_PER_TOKEN: Final = (4.5, 4.0, 3.0)
EXCHANGE_CHARS: Final = (250, 500, 1_500)
"""Characters of one utterance with its reply."""
OUTPUT_FACTOR: Final = (0.5, 1.0, math.inf)
"""Of ``OUTPUT_TOKENS``; at the high end every answer is as long as its cap allows."""
REQUESTS_PER_CALL: Final = (1.0, 1.1, 2.0)
"""Repairs and retries that are paid for."""


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
    canaries: Held | None = None,
) -> RunEstimate:
    """Return what ``n_conversations`` of ``scenario`` will take, with the trials of those that fail.

    Args:
        scenario: says turns, dimensions and which model plays which role.
        n_conversations: planned, over all assistants.
        prompt_chars: characters of each role's prompt before any exchange; a role left out has 4,000.
        prices: the price table.
        n_extra_calls: calls per role outside conversations, such as canaries; each as long as one with two exchanges,
            and made once by every member of a panel.
        lengths: exchanges of each conversation, where they are known beforehand.
        canaries: those that are mixed in.
    """
    turns = _turns(scenario, lengths)
    held = _held(scenario, turns, n_conversations=n_conversations, lengths=lengths, canaries=canaries)
    extra = n_extra_calls or {}
    roles = tuple(
        _estimate_role(
            role,
            spec,
            _Work(
                scenario,
                held,
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
    cost = total(known)
    unpriced = tuple(sorted({role.model for role in roles if role.cost_usd is None}))
    return RunEstimate(
        n_conversations=n_conversations,
        turns=turns,
        roles=roles,
        requests=total([role.requests for role in roles]),
        prompt_tokens=total([role.prompt_tokens for role in roles]),
        completion_tokens=total([role.completion_tokens for role in roles]),
        cost_usd=None if unpriced else cost,
        cost_known_usd=cost,
        unpriced=unpriced,
        assumptions=_assumptions(prices, roles),
    )


class _Work:
    """What one role has to do in a run.

    ``planned`` are the conversations of the plan, ``spoken`` these and all that are simulated anew; ``judged`` are only
    said again, and judged.
    """

    def __init__(
        self,
        scenario: Scenario,
        held: tuple[Held, Held, Held],
        n_extra: int,
        prompt_chars: int,
        repeats: int,
    ) -> None:
        self._repeats = repeats
        self._scenario = scenario
        self._planned, self._spoken, self._judged = held
        self._n_extra = n_extra
        self._prompt_chars = prompt_chars
        self._replays = scenario.metamorphic or MetamorphicSpec()

    def calls(self, role: Role, level: int) -> float:
        """Return how often the role is asked."""
        if role in REPLAY_ROLES:
            return replay_calls(self._replays, role, self._planned.exchanges.at(level), level)
        n, exchanges = self._spoken.conversations.at(level), self._spoken.exchanges.at(level)
        n_judged, all_exchanges = n + self._judged.conversations.at(level), exchanges + self._judged.exchanges.at(level)
        calls = {
            Role.EXTRACTOR: n_judged,
            Role.SIMULATOR: exchanges,
            Role.STRATEGIST: max(0.0, exchanges - n),  # the first utterance is made without a strategy
            Role.TURN_JUDGE: all_exchanges,
            Role.CONVERSATION_JUDGE: n_judged * len(self._scenario.rubric.dimensions),
            Role.SIMULATOR_REVIEWER: n,
        }
        return calls[role] * self._repeats + self._n_extra

    def prompt_chars(self, role: Role, level: int) -> float:
        """Return the characters of all its prompts: the history grows with every turn and is sent each time."""
        if role in REPLAY_ROLES:
            exchanges, pairs = self._planned.exchanges.at(level), self._planned.pairs.at(level)
            beside = replay_chars(role, pairs / exchanges if exchanges else 0.0, level)
            return self.calls(role, level) * (self._prompt_chars + beside)
        exchanges, pairs = self._spoken.exchanges.at(level), self._spoken.pairs.at(level)
        all_exchanges = exchanges + self._judged.exchanges.at(level)
        seen = {  # exchanges in the prompts of all calls
            Role.EXTRACTOR: 0.0,
            Role.SIMULATOR: pairs,
            Role.STRATEGIST: pairs,
            Role.TURN_JUDGE: pairs + self._judged.pairs.at(level) + all_exchanges,
            Role.CONVERSATION_JUDGE: all_exchanges * len(self._scenario.rubric.dimensions),
            Role.SIMULATOR_REVIEWER: exchanges,
        }
        shown = seen[role] * self._repeats + 2 * self._n_extra
        return self.calls(role, level) * self._prompt_chars + shown * EXCHANGE_CHARS[level]


def _held(
    scenario: Scenario, turns: Range, *, n_conversations: int, lengths: Sequence[int], canaries: Held | None
) -> tuple[Held, Held, Held]:
    """Return what is held by plan, what a user speaks in, trials included, and what is only judged."""
    planned = Held.of(lengths) if lengths else Held.guessed(turns, Range.exactly(n_conversations))
    tried, failed = trials_per_failure(scenario), planned.times(FAILING)
    n_anew = tried.get(TrialKind.RESIMULATE, 0)
    anew, again = (failed.times(Range.exactly(n)) for n in (n_anew, sum(tried.values()) - n_anew))
    return planned, planned.plus(anew), again.plus(canaries or Held())


def _estimate_role(role: Role, spec: ModelSpec, work: _Work, price: ModelPrice | None) -> RoleEstimate:
    calls = Range.by_level(lambda level: work.calls(role, level))
    requests = Range.by_level(lambda level: calls.at(level) * REQUESTS_PER_CALL[level])
    prompt = Range.by_level(
        lambda level: work.prompt_chars(role, level) / CHARS_PER_TOKEN[level] * REQUESTS_PER_CALL[level]
    )
    answers = [min(OUTPUT_TOKENS[role] * factor, spec.max_output_tokens) for factor in OUTPUT_FACTOR]
    completion = Range.by_level(lambda level: requests.at(level) * answers[level])
    cost = None
    if price is not None:
        tokens = [(math.ceil(prompt.at(level)), math.ceil(completion.at(level))) for level in LEVELS]
        cost = Range.by_level(lambda level: price_tokens(price, *tokens[level]))
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
