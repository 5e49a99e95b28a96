"""What Hairpin's own model calls used: the fold of their requests into tokens, money, failures and waits.

It must not price anything: what a request cost was known, or not, when it was made.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.llm_calls import CallOutcome, LlmRequest

_NO_FAILURE = frozenset({CallOutcome.OK, CallOutcome.FROM_CACHE})


class UsageCounts(Value):
    """What a group of calls used. Only what was reported is summed; what was not is counted beside it.

    Attributes:
        calls: calls that sent at least one request.
        attempts: requests sent: the first of each call, retries and repairs.
        from_cache: calls answered from the response cache, without a request.
        prompt_tokens: as reported; of these ``cached_prompt_tokens`` came from a provider's prefix cache, ``None`` when
            no request reported any.
        completion_tokens: as reported; of these ``reasoning_tokens`` were spent on thinking, or ``None``.
        requests_without_usage: requests sent whose prompt or completion tokens nobody reported.
        cost_usd: ``None`` as soon as the cost of one request is unknown.
        cost_known_usd: the known part of it.
        requests_without_cost: requests whose cost is unknown.
        requests_without_price: those of them whose tokens are known: the price of the model is not.
        failed: requests without a usable answer, by outcome; also those that never left the house.
        queue_wait_ms: waited for a free slot of an endpoint, over all requests.
        retry_wait_ms: waited because of the request before.
        latency_ms: from sending to the whole answer.
    """

    calls: int = Field(default=0, ge=0)
    attempts: int = Field(default=0, ge=0)
    from_cache: int = Field(default=0, ge=0)
    prompt_tokens: int = Field(default=0, ge=0)
    completion_tokens: int = Field(default=0, ge=0)
    cached_prompt_tokens: int | None = Field(default=None, ge=0)
    reasoning_tokens: int | None = Field(default=None, ge=0)
    requests_without_usage: int = Field(default=0, ge=0)
    cost_usd: float | None = Field(default=0.0, ge=0)
    cost_known_usd: float = Field(default=0.0, ge=0)
    requests_without_cost: int = Field(default=0, ge=0)
    requests_without_price: int = Field(default=0, ge=0)
    failed: Mapping[str, int] = Field(default_factory=dict)
    queue_wait_ms: float = Field(default=0.0, ge=0)
    retry_wait_ms: float = Field(default=0.0, ge=0)
    latency_ms: float = Field(default=0.0, ge=0)


class RoleUsage(UsageCounts):
    """What one role used, and the models that played it; ``by_model``: of several, each by itself."""

    models: tuple[str, ...] = ()
    by_model: Mapping[str, UsageCounts] = Field(default_factory=dict)


class LlmUsage(UsageCounts):
    """Hairpin's own model calls, in all and per role, model and endpoint."""

    by_role: Mapping[str, RoleUsage] = Field(default_factory=dict)
    by_model: Mapping[str, UsageCounts] = Field(default_factory=dict)
    by_endpoint: Mapping[str, UsageCounts] = Field(default_factory=dict)


def usage_of(requests: Iterable[LlmRequest]) -> LlmUsage:
    """Fold ``requests`` in one pass; sums have the bits of ``math.fsum``, so the order does not matter.

    Args:
        requests: in any order; may be a stream. Of each call only the id is kept.
    """
    seen: set[str] = set()
    tallies: dict[_Player, _Tally] = {}
    for request in requests:
        player = _Player(request.role.value, request.model, request.endpoint)
        new = request.number > 0 and request.call_id not in seen
        if new:
            seen.add(request.call_id)
        tallies.setdefault(player, _Tally()).add(request, new=new)
    return LlmUsage(
        **dict(_merged(tallies.values()).counts()),
        by_role={
            role: RoleUsage(
                **dict(counts),
                models=tuple(sorted({p.model for p in tallies if p.role == role})),
                by_model=_by_member(tallies, role),
            )
            for role, counts in _grouped(tallies, lambda player: player.role).items()
        },
        by_model=_grouped(tallies, lambda player: player.model),
        by_endpoint=_grouped(tallies, lambda player: player.endpoint),
    )


def _by_member(tallies: Mapping[_Player, _Tally], role: str) -> dict[str, UsageCounts]:
    """Return what each of several models used in ``role``; nothing where one played it alone."""
    members = {player: tally for player, tally in tallies.items() if player.role == role}
    alone = len({player.model for player in members}) == 1
    return {} if alone else _grouped(members, lambda player: player.model)


class _Player(NamedTuple):
    role: str
    model: str
    endpoint: str


class _ExactSum:
    """A running sum whose value is that of ``math.fsum`` over everything added, without keeping it.

    Source: J. R. Shewchuk, adaptive precision floating-point arithmetic: partial sums that do not overlap.
    """

    __slots__ = ("partials",)

    def __init__(self) -> None:
        self.partials: list[float] = []

    def add(self, x: float) -> None:
        kept = []
        for y in self.partials:
            big, small = (x, y) if abs(x) >= abs(y) else (y, x)
            x = big + small
            if lost := small - (x - big):
                kept.append(lost)
        self.partials = [*kept, x]

    def value(self) -> float:
        return math.fsum(self.partials)


_TOKENS = ("prompt_tokens", "completion_tokens", "cached_prompt_tokens", "reasoning_tokens")
_WAITS = ("queue_wait_ms", "retry_wait_ms", "latency_ms")


@dataclass(slots=True)
class _Tally:
    """What has been counted of one group so far."""

    counts_of: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    cost: _ExactSum = field(default_factory=_ExactSum)
    waits: tuple[_ExactSum, ...] = field(default_factory=lambda: tuple(_ExactSum() for _ in _WAITS))

    def add(self, request: LlmRequest, *, new: bool) -> None:
        """Count one request; ``new``: the first one of its call."""
        sent, tokens = request.number > 0, request.tokens
        numbers = self.counts_of
        numbers["calls"] += new
        numbers["attempts"] += sent
        numbers["from_cache"] += request.outcome is CallOutcome.FROM_CACHE
        untold = None in (tokens.prompt_tokens, tokens.completion_tokens)
        numbers["requests_without_usage"] += sent and untold
        for name in _TOKENS:
            if (reported := getattr(tokens, name)) is not None:
                numbers[name] += reported
        if request.cost_usd is not None:
            self.cost.add(request.cost_usd)
        elif sent:
            numbers["requests_without_cost"] += 1
            numbers["requests_without_price"] += not untold
        for name, total in zip(_WAITS, self.waits, strict=True):
            total.add(getattr(request, name))
        if request.outcome not in _NO_FAILURE:
            self.failed[request.outcome.value] += 1

    def merge(self, other: _Tally) -> None:
        """Count everything that ``other`` has counted."""
        self.counts_of.update(other.counts_of)
        self.failed.update(other.failed)
        for mine, its in zip((self.cost, *self.waits), (other.cost, *other.waits), strict=True):
            for part in its.partials:
                mine.add(part)

    def counts(self) -> UsageCounts:
        """Return the figures."""
        known = self.cost.value()
        return UsageCounts(
            **self.counts_of,
            cost_usd=None if self.counts_of["requests_without_cost"] else known,
            cost_known_usd=known,
            failed=dict(sorted(self.failed.items())),
            **{name: round(total.value(), 3) for name, total in zip(_WAITS, self.waits, strict=True)},
        )


def _merged(tallies: Iterable[_Tally]) -> _Tally:
    whole = _Tally()
    for tally in tallies:
        whole.merge(tally)
    return whole


def _grouped(tallies: Mapping[_Player, _Tally], key: Callable[[_Player], str]) -> dict[str, UsageCounts]:
    groups: dict[str, _Tally] = {}
    for player, tally in tallies.items():
        groups.setdefault(key(player), _Tally()).merge(tally)
    return {name: group.counts() for name, group in sorted(groups.items())}
