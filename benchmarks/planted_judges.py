"""What the known transcripts of the in-car rubric say of the offline judges, and of judges that are wrong on purpose.

    python benchmarks/planted_judges.py

Every transcript is judged once, turn by turn, as in a run. The table is in docs/results/canaries.md.
"""

from __future__ import annotations

from pathlib import Path

import anyio

from hairpin.agents.planted import PlantedJudge, plant
from hairpin.app.cast import load_cast
from hairpin.domain.briefs import DimensionBrief, ExtractionBrief, TurnBrief
from hairpin.domain.canary_rates import CanaryTally, ErrorRate
from hairpin.domain.canary_words import share_words
from hairpin.domain.conversation import dialogue
from hairpin.domain.failures import Failure
from hairpin.domain.judgement import failures_of
from hairpin.domain.known_transcripts import KnownTranscript
from hairpin.domain.outcome import Stop, StopReason
from hairpin.domain.plan import PlannedConversation, plan_canary
from hairpin.domain.records import Outcome
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.rubric import Rubric
from hairpin.domain.scoring import Judgement, judge
from hairpin.domain.targets import apply_updates
from hairpin.domain.users import Context
from hairpin.packs.finder import PackFinder
from hairpin.packs.scenarios import load_scenario
from hairpin.packs.transcripts import find_transcripts
from hairpin.ports import Roles

AFTER = PlannedConversation(
    index=0, id="c1", sut="a", seed_phrase="x", persona="p", context=Context(), repeat=0, max_turns=4, rng_seed=7
)
STOP = Stop(reason=StopReason.SCRIPT_EXHAUSTED)


def main() -> None:
    """Print the table as Markdown."""
    finder = PackFinder.standard(project=Path.cwd())
    scenario = load_scenario("munich_commute", finder=finder)
    found = find_transcripts(scenario.rubric, finder)
    assert found is not None
    honest = load_cast(scenario, finder).roles({})
    print("| judges | known-good failed | known-bad passed | known-good labelled | known-bad missed |")
    print("|---|--:|--:|--:|--:|")
    for kind in (None, *PlantedJudge):
        tally, roles = CanaryTally(), honest if kind is None else plant(kind, honest)
        for transcript in found[0].all():
            failures, judgement = anyio.run(judged, transcript, roles, scenario.rubric)
            tally.add(plan_canary(AFTER, transcript), failures, Outcome(stop=STOP, judgement=judgement))
        rates = tally.summary()
        cells = (rates.failed_good, rates.passed_bad, rates.made_up, rates.missed)
        name = "offline" if kind is None else kind.value.replace("_", " ")
        print(f"| {name} | {' | '.join(map(shown, cells))} |")


def shown(errors: ErrorRate | None) -> str:
    """Return a share with its interval."""
    assert errors is not None
    return f"{share_words(errors)} [{100 * errors.low:.0f}, {100 * errors.high:.0f}] %"


async def judged(transcript: KnownTranscript, roles: Roles, rubric: Rubric) -> tuple[list[Failure], Judgement]:
    """Judge a transcript turn by turn, then as a whole."""
    turns, root, failures = dialogue(transcript.exchanges), derive_rng_seed(7, transcript.id), list[Failure]()
    brief = ExtractionBrief(seed_phrase=turns[0].user, context=transcript.context)
    targets = await roles.extractor.extract(brief)
    for turn in turns:
        said = await roles.turn_judge.judge(
            TurnBrief(
                history=turns[: turn.t],
                turn=turn,
                context=transcript.context,
                targets=targets,
                modes=rubric.modes,
                rng_seed=derive_rng_seed(root, str(turn.t)),
            )
        )
        failures += failures_of(said, rubric, t=turn.t, strategy=None)
        targets = apply_updates(targets, said.updates, said.new_targets, t=turn.t).targets
    scores = [
        await roles.conversation_judges[dimension.id].score(
            DimensionBrief(dimension=dimension, turns=turns, rng_seed=derive_rng_seed(root, dimension.id))
        )
        for dimension in rubric.dimensions
    ]
    weights, threshold = rubric.weights, rubric.threshold
    return failures, judge(
        stop=STOP,
        scores=scores,
        targets=targets,
        weights=weights,
        threshold=threshold,
        scored=True,
        check_failed=False,
    )


if __name__ == "__main__":
    main()
