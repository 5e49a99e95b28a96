"""What a run would take of models, before it runs: for ``--estimate`` and the doctor.

The arithmetic is ``llm.estimate``'s, the words are ``reports.estimate_text``'s.
"""

from __future__ import annotations

from collections.abc import Iterator

from hairpin.app.campaign_words import extent_words
from hairpin.app.inputs import RunInputs
from hairpin.app.recorded import planned_of
from hairpin.domain.arm import Arm
from hairpin.domain.campaign import CampaignSpec
from hairpin.domain.outcome import Role
from hairpin.domain.relations import MetamorphicSpec
from hairpin.llm.campaign_estimate import arm_levels, estimate_campaign
from hairpin.llm.estimate import RunEstimate, estimate_run
from hairpin.llm.replay_estimate import questions_per_source
from hairpin.reports.estimate_text import total_money


def estimate_of(inputs: RunInputs, *, n_suts: int = 1, canary: bool = True) -> RunEstimate:
    """Return what a run against ``n_suts`` assistants will take; ``canary``: the judges are tried before it.

    Of a campaign it is what all of its conversations take, or one of them where only time ends it.
    """
    extra = _canary_calls(inputs) if canary else {}
    spec, chars = _campaign(inputs), inputs.cast.prompt_chars
    if spec is not None:
        found = estimate_campaign(inputs.scenario, spec, prompt_chars=chars, prices=inputs.prices, n_extra_calls=extra)
        told = (
            *_of_campaign(spec, canaries=bool(extra and found.roles)),
            *_of_replays(inputs.scenario.metamorphic, found),
        )
        return found.model_copy(update={"notes": told})
    planned = tuple(planned_of(inputs, tuple(str(number) for number in range(n_suts))))
    written = inputs.recordings is not None or inputs.test_seeds is not None
    found = estimate_run(
        inputs.scenario,
        n_conversations=len(planned),
        lengths=[each.max_turns for each in planned] if written else (),
        prompt_chars=chars,
        prices=inputs.prices,
        n_extra_calls=extra,
    )
    return found.model_copy(update={"notes": tuple(_of_replays(inputs.scenario.metamorphic, found))})


def _campaign(inputs: RunInputs) -> CampaignSpec | None:
    """Return the campaign that is run; where stored conversations are judged again it has been."""
    return None if inputs.scenario.rejudges else inputs.scenario.campaign


def _of_replays(spec: MetamorphicSpec | None, found: RunEstimate) -> Iterator[str]:
    """Yield how many replays conversations get beside what is said of them, at most."""
    if spec is None:
        return
    n, each = found.n_conversations, len(spec.perturbations) * spec.executions + spec.null_replays
    asked = n * found.turns.expected * (questions_per_source(spec) + spec.null_replays)
    yield f"replays: up to {n * each:,} follow-ups of these, {each} each, with about {asked:,.0f} questions in all"
    if spec.baselines:
        yield f"and for each question some by {' and '.join(each.value for each in spec.baselines)}"


def _of_campaign(spec: CampaignSpec, *, canaries: bool) -> Iterator[str]:
    """Yield what the figures of a campaign are of, how long it takes, and what each arm does."""
    yield f"campaign: {extent_words(spec)}"
    if spec.conversations is None:
        several = " of either arm" if len(spec.arms) > 1 else ""
        tried = "; trying the judges, once before all, is in them" if canaries else ""
        yield f"only time ends it, so these figures are of one conversation{several}{tried}"
    for arm in spec.arms:
        levels = " or ".join(f"{level:g}" for level in arm_levels(spec, arm))
        how = "all of them used and judged, no strategist" if arm is Arm.BASELINE else "at most"
        yield f"{arm.value}: {levels} turns, {how}"


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
