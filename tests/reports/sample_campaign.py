"""A made-up campaign for the tests of tables and figures: facts, scenario, run and diversity from one random seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import numpy as np

from hairpin.analysis.diversity import FailingConversation, analyse_diversity
from hairpin.domain.arm import Arm
from hairpin.domain.campaign import BaselineSpec, CampaignSpec, SeedPhrase, SeedPool
from hairpin.domain.facts import ConversationFacts, FailureFact
from hairpin.domain.failures import ModeKind
from hairpin.domain.outcome import StopReason
from hairpin.domain.records import RunInfo
from hairpin.domain.scenario import Scenario
from hairpin.domain.strategies import Strategy
from hairpin.domain.tally import Standing
from hairpin.reports.campaign import campaign_sections
from hairpin.reports.campaign_results import CampaignResults, Diversity, campaign_results
from hairpin.reports.cell_text import cell_text
from hairpin.reports.glossary import Glossary, glossary_of
from hairpin.reports.tables import Section, Table
from tests.domain.builders import COMPLIANCE_MODES, RESPONSE_MODES, a_persona, a_rubric, a_scenario
from tests.reports.sample_run import a_run

MODES = (*COMPLIANCE_MODES, *RESPONSE_MODES)
STRATEGIES = tuple(f"{mode}_probe" for mode in MODES)
SUTS = ("clean", "faulty")
BOTH = (Arm.GUIDED, Arm.BASELINE)
_STANDINGS = (Standing.FAIL, Standing.PASS, Standing.INCONCLUSIVE, Standing.INVALID, Standing.MISSING)
_WEIGHTS = {Arm.GUIDED: (50, 40, 4, 5, 1), Arm.BASELINE: (20, 70, 4, 5, 1)}
_CONTEXTS = ("Munich, 2026-11-29, 17:40", "Paris, 2026-07-01, 08:00", "no context", "Oslo, 23:10")


def a_campaign(**changes: object) -> CampaignSpec:
    pools = tuple(
        SeedPool(name=f"pool{n}", phrases=(SeedPhrase(text="Take me home", task="navigation"),)) for n in (1, 2)
    )
    spec = CampaignSpec(
        time_s=14400, arms=BOTH, runs=3, max_turns=(8, 10), pools=pools, baseline=BaselineSpec(persona=a_persona())
    )
    return spec.model_copy(update=changes)


def campaign_scenario(spec: CampaignSpec | None = None) -> Scenario:
    strategies = tuple(
        Strategy(id=name, title=name.replace("_", " ").title(), target_mode=mode)
        for name, mode in zip(STRATEGIES, MODES, strict=True)
    )
    modes = [mode.model_copy(update={"title": mode.id.replace("_", " ").capitalize()}) for mode in a_rubric().modes]
    rubric = a_rubric().model_copy(update={"modes": tuple(modes)})
    changes = {"campaign": spec or a_campaign(), "strategies": strategies, "rubric": rubric}
    return a_scenario(personas=("polite", "impatient")).model_copy(update=changes)


def campaign_run(suts: Sequence[str] = SUTS) -> RunInfo:
    return a_run(suts=suts).model_copy(update={"campaign": True, "rng_seed": 7})


def campaign_facts(
    n: int = 240, *, suts: Sequence[str] = SUTS, arms: Sequence[Arm] = BOTH, runs: int = 3, rng_seed: int = 7
) -> tuple[ConversationFacts, ...]:
    """Return ``n`` conversations, one after the other of each arm, assistant and run."""
    rng = random.Random(rng_seed)
    cells = [(run, sut, arm) for run in range(runs) for sut in suts for arm in arms]
    return tuple(_fact(rng, index, *cells[index % len(cells)], index // len(cells)) for index in range(n))


def _fact(rng: random.Random, index: int, run: int, sut: str, arm: Arm, number: int) -> ConversationFacts:
    (standing,) = rng.choices(_STANDINGS, _WEIGHTS[arm])
    n_turns = 0 if standing is Standing.MISSING else rng.randint(3, 10)
    used = [rng.choice(STRATEGIES) if arm is Arm.GUIDED and t else None for t in range(n_turns)]
    failing = sut != "clean" and standing is not Standing.MISSING
    found = [_failure(rng, t, used[t]) for t in range(n_turns) if failing and rng.random() < 0.15]
    ended = None if standing is Standing.MISSING else 60.0 * (number + 1) + rng.random()
    return ConversationFacts(
        id=f"c{index + 1:04d}",
        index=index,
        run=run,
        sut=sut,
        arm=arm,
        task=rng.choice(("navigation", "media", "navigation + media", "")),
        seed_phrase="Take me home",
        persona="neutral" if arm is Arm.BASELINE else rng.choice(("polite", "impatient")),
        context=rng.choice(_CONTEXTS),
        max_turns=10,
        standing=standing,
        stop_reason=None if standing is Standing.MISSING else StopReason.TURNS_EXHAUSTED,
        blame=None,
        success_score={Standing.FAIL: 0.4, Standing.PASS: 0.9}.get(standing),
        failures=tuple(found),
        strategies=tuple(used),
        utterances=tuple(f"utterance {t}" for t in range(n_turns)),
        attempts=1,
        elapsed_s=4.0,
        active_s=ended,
        cost_usd=0.002,
    )


def _failure(rng: random.Random, t: int, strategy: str | None) -> FailureFact:
    kind = rng.choice(("navigation", "media", ""))
    return FailureFact(t=t, mode=rng.choice(MODES), kind=ModeKind.RESPONSE, target_kind=kind, strategy=strategy)


def a_diversity(facts: Sequence[ConversationFacts], *, suts: Sequence[str] = SUTS) -> Diversity:
    rng = np.random.default_rng(3)
    failing = []
    for fact in facts:
        if fact.standing is Standing.FAIL:
            vector = rng.normal(size=8).astype(np.float32)
            failing.append(FailingConversation(fact.sut, fact.arm, vector / np.linalg.norm(vector)))
    figures = analyse_diversity(failing, suts=sorted(suts), arms=BOTH, rng_seed=7)
    return Diversity(figures=figures, encoder="made-up@1 (float32)")


def some_results(
    facts: Sequence[ConversationFacts] | None = None,
    *,
    spec: CampaignSpec | None = None,
    suts: Sequence[str] = SUTS,
    diversity: Diversity | None = None,
) -> CampaignResults:
    rows = campaign_facts() if facts is None else facts
    return campaign_results(campaign_run(suts), campaign_scenario(spec), rows, diversity=diversity)


@cache
def some_sections() -> tuple[Section, ...]:
    """Return the sections of the whole sample, drawn once."""
    facts = campaign_facts()
    return campaign_sections(some_results(facts, diversity=a_diversity(facts)), titles())


def section(sections: Sequence[Section], name: str) -> Section:
    return next(each for each in sections if each.id == name)


def table_of(part: Section, table_id: str) -> Table:
    return next(table for table in part.tables if table.id == table_id)


def shown_rows(table: Table) -> list[list[str]]:
    return [[cell_text(cell) for cell in row] for row in table.rows]


def titles() -> Glossary:
    return glossary_of(campaign_scenario())
