"""What a run would take of models, before it runs: for ``--estimate`` and the doctor.

The arithmetic is ``llm.estimate``'s, the words are ``reports.estimate_text``'s.
"""

from __future__ import annotations

from hairpin.app.inputs import RunInputs
from hairpin.app.recorded import planned_of
from hairpin.domain.outcome import Role
from hairpin.llm.estimate import RunEstimate, estimate_run
from hairpin.reports.estimate_text import total_money


def estimate_of(inputs: RunInputs, *, n_suts: int = 1, canary: bool = True) -> RunEstimate:
    """Return what a run against ``n_suts`` assistants will take; ``canary``: the judges are tried before it.

    Of a campaign that ends when time is up it is what one conversation takes.
    """
    labels = tuple(str(number) for number in range(n_suts))
    spec = inputs.scenario.campaign
    planned = () if spec is not None else tuple(planned_of(inputs, labels))
    return estimate_run(
        inputs.scenario,
        n_conversations=len(planned) if spec is None else spec.conversations or 1,
        lengths=[each.max_turns for each in planned] if inputs.recordings is not None else (),
        prompt_chars=inputs.cast.prompt_chars,
        prices=inputs.prices,
        n_extra_calls=_canary_calls(inputs) if canary else {},
    )


def estimate_line(estimate: RunEstimate) -> str:
    """Return the expected figures in one line."""
    n = estimate.n_conversations
    conversations = f"{n} conversation{'s' * (n != 1)}"
    if not estimate.roles:
        return f"{conversations}; no model plays a role, so nothing but the assistant is asked"
    prompt, answers = estimate.prompt_tokens.expected, estimate.completion_tokens.expected
    return (
        f"{conversations}, about {estimate.requests.expected:,.0f} requests with {prompt:,.0f} tokens in and "
        f"{answers:,.0f} out; cost {total_money(estimate)}; 'hairpin run --estimate' says more"
    )


def _canary_calls(inputs: RunInputs) -> dict[Role, int]:
    canaries = inputs.cast.canaries
    if canaries is None:
        return {}
    return {Role.TURN_JUDGE: len(canaries.turns), Role.CONVERSATION_JUDGE: len(canaries.dimensions)}
