"""How a campaign was made, in plain words: enough to do it again and to judge what its numbers are worth.

Words only; every number in them was computed elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from hairpin.analysis.clusters import K_RANGE, MAX_PER_ARM, N_RUNS
from hairpin.analysis.comparisons import ALPHA
from hairpin.analysis.vectors import DUPLICATE_COSINE
from hairpin.domain.arm import Arm
from hairpin.domain.campaign import CampaignSpec, Pairing, Split
from hairpin.domain.records import RunInfo
from hairpin.domain.sampling import arm_time_s
from hairpin.reports.campaign_results import CampaignResults
from hairpin.reports.tables import Section
from hairpin.reports.wording import duration_words, role_words


def methods_section(results: CampaignResults) -> Section:
    """Return the methods as paragraphs."""
    paragraphs = (_planned, _arms, _counted, _statistics, _diversity, _made)
    return Section(id="methods", title="Methods", text=tuple(" ".join(paragraph(results)) for paragraph in paragraphs))


def _planned(results: CampaignResults) -> Iterator[str]:
    spec, run = results.spec, results.run
    yield f"Planned were {_number(spec.runs, 'run')} against {_number(len(run.suts), 'assistant')}"
    yield f"({', '.join(sorted(run.suts))}), with {' and '.join(_budgets(spec)) or 'no budget'}."
    pools = ", ".join(f"{pool.name} ({_number(len(pool.phrases), 'phrase')})" for pool in spec.pools)
    yield f"Seed phrases came from {_number(len(spec.pools), 'pool')}: {pools}; {_drawn(spec)} Within an arm of"
    yield "a run, a pool is used up before a phrase comes again. Personas, contexts and M were drawn so that every"
    yield "beginning of the plan is balanced."
    yield f"M was {_levels(spec)}. The plan follows from the random seed {run.rng_seed} alone."


def _budgets(spec: CampaignSpec) -> Iterator[str]:
    time_s = arm_time_s(spec)
    if time_s is not None and spec.split is Split.COUNT:
        yield f"{duration_words(time_s * len(spec.arms))} of active time for each run and assistant, all arms together"
    elif time_s is not None:
        yield f"{duration_words(time_s)} of active time for each arm, run and assistant"
    if spec.conversations is not None:
        yield f"{spec.conversations:,} conversations in all"
    if spec.max_distinct_failures is not None:
        yield f"at most {spec.max_distinct_failures:,} distinct failures for each arm, run and assistant"


def _drawn(spec: CampaignSpec) -> str:
    n_pools = len(spec.pools)
    if n_pools == 1:
        return "every run drew from it." if spec.runs > 1 else "the run drew from it."
    return "the runs drew from them in turn." if n_pools < spec.runs else "each run drew from its own."


def _shared(spec: CampaignSpec) -> str:
    """Return which arm a conversation went to, and what each got of the time, if there was a limit to it."""
    if spec.split is Split.COUNT:
        return "the next conversation went to the arm that had begun the fewest"
    how = "the next conversation went to the arm that had used the least active time"
    time_s = arm_time_s(spec)
    if time_s is None or spec.time_s is None:
        return how
    shared = f", an equal share of {duration_words(spec.time_s)}" if spec.split is Split.TOTAL else ""
    return f"{how}; each arm got {duration_words(time_s)} in each run against each assistant{shared}"


def _arms(results: CampaignResults) -> Iterator[str]:
    spec = results.spec
    names = " and ".join(arm.value for arm in results.analysis.arms)
    if len(spec.arms) == 1:
        yield f"One arm ran, {names}: there is nothing to compare it with."
        return
    yield f"The arms {names} took turns; {_shared(spec)}."
    if spec.pairing is Pairing.PAIRED:
        yield "They were paired: seed phrase, persona, context, M and random seed of a baseline conversation are those"
        yield "of the guided one with the same number, so that only the strategies differ. The test shown is the"
        yield "unpaired one all the same: it makes no use of the pairs."
    else:
        yield f"The baseline's user was {spec.baseline.persona.title} with M = {spec.baseline.max_turns}, without"
        yield "strategies and with requests that do not build on the answers."


def _counted(results: CampaignResults) -> Iterator[str]:
    had, run = results.analysis.overall.conversations, results.run
    if run.scored:
        yield f"A conversation failed when its success score C was below {run.threshold:g} or a check failed;"
    else:
        yield "A conversation failed when a check failed; there was no success score;"
    yield "the failure modes found in it are labels of single turns and do not decide that."
    yield f"Of {had.planned:,} conversations, {had.passed + had.failed:,} passed or failed and are in the rates."
    yield f"Outside all rates are {had.inconclusive:,} inconclusive ones (cut short by time or budget, or impossible to"
    yield f"score), {had.invalid:,} invalid ones (something else than the assistant's answers went wrong) and"
    yield f"{had.missing:,} without an outcome."


def _statistics(results: CampaignResults) -> Iterator[str]:
    had = results.analysis.overall.conversations
    yield "Rates have Wilson's 95 % interval, differences of rates Newcombe's. Means come with the sample's standard"
    yield f"deviation. Arms are compared with the two-sided Mann–Whitney U test, α = {ALPHA:g}, exact where the method"
    yield "column says so, and with Vargha and Delaney's Â12. Tests are not corrected for how many there are. Intervals"
    yield "and tests take conversations for independent, which those from one seed phrase are not: the"
    yield f"{had.passed + had.failed:,} conversations that passed or failed came from"
    yield f"{_number(results.n_seed_phrases, 'different seed phrase')}."
    yield "Enrichment is over failure instances, prevalence over conversations. A failure is early in the first half of"
    yield "its conversation's turns. Distinct failures differ in assistant, mode, kind of target or strategy (signature"
    yield "v1); as the baseline has no strategies, they are counted without them as well."
    yield "The failure probability has a confidence sequence: a mixture over Beta(1/2, 1/2), valid at every look, for"
    yield "conversations drawn by the plan without regard to what was found before."


def _diversity(results: CampaignResults) -> Iterator[str]:
    diversity = results.diversity
    if diversity.figures is None:
        yield f"The diversity of failures was not computed: {diversity.reason}."
        return
    yield f"For diversity, user utterances were encoded by {diversity.encoder}; a failing conversation is the mean of"
    yield f"its unit vectors, a duplicate has a cosine above {DUPLICATE_COSINE:g} to one kept before it within its arm"
    yield f"and assistant. At most {MAX_PER_ARM:,} conversations of an arm were clustered (k-medoids, k from"
    yield f"{K_RANGE[0]} to {K_RANGE[-1]} by silhouette, {N_RUNS} runs), seeded by {results.run.rng_seed}."


def _made(results: CampaignResults) -> Iterator[str]:
    run = results.run
    players = "; ".join(f"{role_words(role).lower()}: {player}" for role, player in sorted(run.agents.items()))
    suts = "; ".join(f"{label}: {_identity(run, label)}" for label in sorted(run.suts))
    yield f"Hairpin {run.hairpin_version}; roles: {players or 'none'}; assistants: {suts or 'none'}."
    yield f"Started {run.created_at}, {run.status.value}{f' ({run.status_detail})' if run.status_detail else ''};"
    yield f"fingerprint {run.fingerprint}."


def _identity(run: RunInfo, label: str) -> str:
    sut = run.suts[label]
    return " ".join(filter(None, (sut.name, sut.version, f"({sut.transport})")))


def _levels(spec: CampaignSpec) -> str:
    guided = " or ".join(map(str, spec.max_turns))
    if Arm.BASELINE in spec.arms and spec.pairing is Pairing.INDEPENDENT and len(spec.arms) > 1:
        return f"{guided} in the guided arm"
    return guided


def _number(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"
