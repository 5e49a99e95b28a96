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
from hairpin.domain.scenario import Scenario
from hairpin.llm.campaign_estimate import arm_levels, estimate_campaign
from hairpin.llm.estimate import RunEstimate, estimate_run
from hairpin.llm.held import FAILING, Held, canaries_in, trials_per_failure
from hairpin.llm.replay_estimate import questions_per_source
from hairpin.reports.estimate_text import total_money


def estimate_of(inputs: RunInputs, *, n_suts: int = 1, canary: bool = True) -> RunEstimate:
    """Return what a run against ``n_suts`` assistants will take; ``canary``: the judges are tried before it.

    Of a campaign it is what all of its conversations take, or one of them where only time ends it.
    """
    extra = _canary_calls(inputs) if canary else {}
    spec, chars = _campaign(inputs), inputs.cast.prompt_chars
    if spec is not None:
        mixed_in = _canaries(inputs, spec.conversations or 1, n_streams=_n_streams(spec))
        found = estimate_campaign(
            inputs.scenario,
            spec,
            prompt_chars=chars,
            prices=inputs.prices,
            n_extra_calls=extra,
            canaries=mixed_in,
        )
        told = (
            *_of_campaign(spec, canaries=bool(extra and found.roles)),
            *_of_replays(inputs.scenario.metamorphic, found),
            *_of_asides(inputs.scenario, found.n_conversations, mixed_in),
        )
        return found.model_copy(update={"notes": told})
    planned = tuple(planned_of(inputs, tuple(str(number) for number in range(n_suts))))
    written = inputs.recordings is not None or inputs.test_seeds is not None
    mixed_in = _canaries(inputs, len(planned))
    found = estimate_run(
        inputs.scenario,
        n_conversations=len(planned),
        lengths=[each.max_turns for each in planned] if written else (),
        prompt_chars=chars,
        prices=inputs.prices,
        n_extra_calls=extra,
        canaries=mixed_in,
    )
    told = (
        *_of_replays(inputs.scenario.metamorphic, found),
        *_of_asides(inputs.scenario, found.n_conversations, mixed_in),
    )
    return found.model_copy(update={"notes": told})


def _campaign(inputs: RunInputs) -> CampaignSpec | None:
    """Return the campaign that is run; where stored conversations are judged again it has been."""
    return None if inputs.scenario.rejudges else inputs.scenario.campaign


def _n_streams(spec: CampaignSpec) -> int:
    """Return how many draws of canaries there are; where only time ends it, the figures are of one conversation."""
    return 1 if spec.conversations is None else spec.n_cells * len(spec.arms)


def _canaries(inputs: RunInputs, n_conversations: int, *, n_streams: int = 1) -> Held | None:
    """Return the canaries that are mixed in; ``None``: the scenario asks for none."""
    spec, known = inputs.scenario.canaries, inputs.transcripts
    if spec is None or known is None:
        return None
    return canaries_in(spec, known, n_conversations=n_conversations, n_streams=n_streams)


def _of_asides(scenario: Scenario, n_conversations: int, mixed_in: Held | None) -> Iterator[str]:
    """Yield how many trials and canaries there will be beside conversations, and on what that depends."""
    tried = trials_per_failure(scenario)
    each = sum(tried.values())
    if each:
        kinds = " + ".join(f"{n} {kind.value}" for kind, n in tried.items() if n)
        yield (
            f"trials: 0 to {n_conversations * each:,}, {each} ({kinds}) of each conversation that fails; how many fail"
            f" nobody knows before: none at the low end, {FAILING.expected:.0%} expected, all at the high end"
        )
    if mixed_in is not None:
        n = mixed_in.conversations
        some = f"{n.low:,.0f}" + ("" if n.low == n.high else f" to {n.high:,.0f}")
        yield f"canaries: {some}, if every conversation passes or fails; fewer follow if some do neither"


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
