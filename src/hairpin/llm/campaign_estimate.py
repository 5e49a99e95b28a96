"""What a campaign will take before it runs: what its arms and levels of M take, together.

Pure arithmetic over ``llm.estimate``; how many conversations fit into a time is nobody's to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import CampaignSpec, Pairing
from hairpin.domain.outcome import Role
from hairpin.domain.sampling import share_out
from hairpin.domain.scenario import Scenario
from hairpin.llm.estimate import RoleEstimate, RunEstimate, estimate_run
from hairpin.llm.held import Held
from hairpin.llm.prices import PriceTable
from hairpin.llm.ranges import Range, total

Merge: TypeAlias = "Callable[[Sequence[Range]], Range]"


class _Part(NamedTuple):
    """Conversations of one arm with one M; ``share``: of all conversations, where nobody says how many there are."""

    arm: Arm
    max_turns: int
    n: int
    share: float


def estimate_campaign(
    scenario: Scenario,
    spec: CampaignSpec,
    *,
    prompt_chars: Mapping[Role, int],
    prices: PriceTable,
    n_extra_calls: Mapping[Role, int] | None = None,
    canaries: Held | None = None,
) -> RunEstimate:
    """Return what all conversations of a campaign take or, where only time ends it, what one of them takes.

    The one is expected to be the mean of the arms, and of the levels of M in each; low and high are those of the arm
    and level that take least and most.

    Args:
        scenario: says dimensions, strategies and which model plays which role.
        spec: the campaign: arms, M, how many conversations.
        prompt_chars: as ``estimate_run``.
        prices: as ``estimate_run``.
        n_extra_calls: as ``estimate_run``; once for the whole campaign.
        canaries: those of all conversations or, where only time ends it, of one.
    """
    parts = [part for part in _parts(spec) if part.n]
    each = [_estimate(scenario, part, prompt_chars, prices) for part in parts]
    shared = scenario if Arm.GUIDED in spec.arms else _unguided(scenario)
    extra = estimate_run(
        shared,
        n_conversations=0,
        prompt_chars=prompt_chars,
        prices=prices,
        n_extra_calls=n_extra_calls,
        canaries=canaries,
    )

    def typical(ranges: Sequence[Range]) -> Range:
        return _typical(ranges, [part.share for part in parts])

    merge: Merge = typical if spec.conversations is None else total
    return RunEstimate(
        n_conversations=spec.conversations or 1,
        turns=_typical([found.turns for found in each], [part.share for part in parts]),
        roles=tuple(_role(extra.roles, place, each, merge) for place in range(len(extra.roles))),
        requests=merge([found.requests for found in each]).plus(extra.requests),
        prompt_tokens=merge([found.prompt_tokens for found in each]).plus(extra.prompt_tokens),
        completion_tokens=merge([found.completion_tokens for found in each]).plus(extra.completion_tokens),
        cost_usd=None if extra.unpriced else merge([found.cost_known_usd for found in each]).plus(extra.cost_known_usd),
        cost_known_usd=merge([found.cost_known_usd for found in each]).plus(extra.cost_known_usd),
        unpriced=extra.unpriced,
        assumptions=extra.assumptions,
    )


def arm_levels(spec: CampaignSpec, arm: Arm) -> tuple[int, ...]:
    """Return the levels of M of an arm: the baseline has its own, unless it meets the users of the guided arm."""
    own = arm is Arm.BASELINE and spec.pairing is Pairing.INDEPENDENT
    return (spec.baseline.max_turns,) if own else spec.max_turns


def _parts(spec: CampaignSpec) -> Iterator[_Part]:
    cells = share_out(spec)
    for place, arm in enumerate(spec.arms):
        levels = arm_levels(spec, arm)
        n_arm = len(levels) if cells is None else sum(cell[place] for cell in cells)
        for number, max_turns in enumerate(levels):
            n = n_arm // len(levels) + (number < n_arm % len(levels))
            share = 1 / (len(spec.arms) * len(levels)) if spec.conversations is None else n / spec.conversations
            yield _Part(arm, max_turns, n, share)


def _estimate(scenario: Scenario, part: _Part, prompt_chars: Mapping[Role, int], prices: PriceTable) -> RunEstimate:
    baseline = part.arm is Arm.BASELINE
    arm = (_unguided(scenario) if baseline else scenario).model_copy(update={"max_turns": part.max_turns})
    return estimate_run(
        arm,
        n_conversations=part.n,
        prompt_chars=prompt_chars,
        prices=prices,
        lengths=[part.max_turns] * part.n if baseline else (),
    )


def _unguided(scenario: Scenario) -> Scenario:
    return scenario.model_copy(update={"strategies": ()})


def _role(outside: Sequence[RoleEstimate], place: int, each: Sequence[RunEstimate], merge: Merge) -> RoleEstimate:
    """Return what the player at ``place`` takes, also ``outside`` of conversations; of a panel, one player."""
    whole = outside[place]
    seat = sum(other.role is whole.role for other in outside[:place])
    found = [next(islice((role for role in run.roles if role.role is whole.role), seat, None), None) for run in each]
    nothing = Range()

    def merged(part: Callable[[RoleEstimate], Range]) -> Range:
        return merge([nothing if role is None else part(role) for role in found]).plus(part(whole))

    return whole.model_copy(
        update={
            "calls": merged(lambda role: role.calls),
            "requests": merged(lambda role: role.requests),
            "prompt_tokens": merged(lambda role: role.prompt_tokens),
            "completion_tokens": merged(lambda role: role.completion_tokens),
            "cost_usd": None if whole.cost_usd is None else merged(lambda role: role.cost_usd or nothing),
        }
    )


def _typical(ranges: Sequence[Range], shares: Sequence[float]) -> Range:
    return Range(
        low=min(each.low for each in ranges),
        expected=sum(each.expected * share for each, share in zip(ranges, shares, strict=True)),
        high=max(each.high for each in ranges),
    )
