"""What a run would take of models, as text: for ``--estimate`` and the doctor.

The arithmetic is ``llm.estimate``'s.
"""

from __future__ import annotations

from collections.abc import Iterator

from hairpin.app.cast import Cast
from hairpin.app.inputs import RunInputs
from hairpin.domain.outcome import Role
from hairpin.domain.plan import plan_conversations
from hairpin.llm.estimate import Range, RoleEstimate, RunEstimate, estimate_run


def estimate_text(inputs: RunInputs, *, canary: bool = True) -> str:
    """Return calls, tokens and money, low to high, with what was assumed."""
    n_planned = sum(1 for _ in plan_conversations(inputs.scenario, ("assistant",)))
    if not inputs.cast.models:
        return f"{_conversations(n_planned)}; no model plays a role, so nothing but the assistant is asked"
    estimate = estimate_run(
        inputs.scenario,
        n_conversations=n_planned,
        prompt_chars=inputs.cast.prompt_chars,
        prices=inputs.prices,
        n_extra_calls=_canary_calls(inputs.cast) if canary else {},
    )
    return "\n".join(_lines(estimate))


def _canary_calls(cast: Cast) -> dict[Role, int]:
    if cast.canaries is None:
        return {}
    return {Role.TURN_JUDGE: len(cast.canaries.turns), Role.CONVERSATION_JUDGE: len(cast.canaries.dimensions)}


def _lines(estimate: RunEstimate) -> Iterator[str]:
    yield (
        f"{_conversations(estimate.n_conversations)} of {_shown(estimate.turns)} turns: {_shown(estimate.requests)} "
        f"requests, {_shown(estimate.prompt_tokens)} prompt tokens, "
        f"{_shown(estimate.completion_tokens)} answer tokens, {_cost(estimate.cost_usd)}"
    )
    for role in estimate.roles:
        yield f"  {_role(role)}"
    if estimate.unpriced:
        yield f"  no price is known for {', '.join(estimate.unpriced)}; the others: {_cost(estimate.cost_known_usd)}"
    for assumption in estimate.assumptions:
        yield f"  assumed: {assumption}"


def _role(role: RoleEstimate) -> str:
    name = role.role.value.replace("_", " ")
    return (
        f"{name} ({role.model}): {_shown(role.requests)} requests, {_shown(role.prompt_tokens)} + "
        f"{_shown(role.completion_tokens)} tokens, {_cost(role.cost_usd)}"
    )


def _conversations(number: int) -> str:
    return "1 conversation" if number == 1 else f"{number} conversations"


def _shown(value: Range) -> str:
    low, expected, high = (f"{round(number):,}" for number in (value.low, value.expected, value.high))
    return expected if low == high else f"{expected} ({low} to {high})"


def _cost(value: Range | None) -> str:
    if value is None:
        return "cost unknown"
    low, expected, high = (f"{number:.2f}" for number in (value.low, value.expected, value.high))
    return f"{expected} USD" if low == high else f"{expected} USD ({low} to {high})"
