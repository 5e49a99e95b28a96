"""The ``campaign:`` of a scenario as a specification: pools read, assistants and the baseline's persona found.

It plans nothing; what a command line changes is ``campaign_overrides``' work.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import BaselineSpec, CampaignSpec, Pairing, SeedPhrase, SeedPool, Split
from hairpin.domain.durations import parse_duration
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.learning_spec import LearningSpec
from hairpin.domain.scenario import Scenario
from hairpin.domain.sut_spec import SutSpec
from hairpin.errors import InvalidInputError
from hairpin.packs.campaign_formats import (
    DEFAULT_BASELINE_MAX_TURNS,
    DEFAULT_BASELINE_PERSONA,
    CampaignForm,
    EncoderForm,
    is_pool_file,
)
from hairpin.packs.file_formats import ScenarioFile
from hairpin.packs.finder import PackFinder
from hairpin.packs.problems import Problems
from hairpin.packs.resolver import PackResolver
from hairpin.packs.sut_forms import resolve_sut
from hairpin.packs.yaml_source import Document


def resolve_campaign(
    document: Document[ScenarioFile], folder: Path, packs: PackResolver, own: SeedPool | None
) -> CampaignSpec | None:
    """Return what the scenario's ``campaign`` says, or ``None`` if it has none.

    Args:
        document: the scenario file.
        folder: relative files are below it.
        packs: where names are looked up.
        own: the scenario's own seed phrases, drawn from where the campaign names no pools; ``None``: it has none.

    Raises:
        InvalidInputError: every problem found.
    """
    form = document.value.campaign
    if form is None:
        return None
    problems = Problems()
    pools = _pools(form, document, folder, packs, problems) if form.pools is not None else (own,) if own else ()
    suts = _suts(form, document, folder, problems)
    where = document.where("campaign", "baseline", "persona")
    persona = problems.attempt(lambda: packs.persona(form.baseline.persona, where=where))
    problems.raise_if_any()
    if not pools or persona is None:
        return None  # why the scenario has no seed phrases is noted elsewhere
    return CampaignSpec(
        time_s=None if form.time is None else parse_duration(form.time, where=document.where("campaign", "time")),
        conversations=form.conversations,
        max_distinct_failures=form.max_distinct_failures,
        arms=tuple(Arm(arm) for arm in form.arms),
        split=Split(form.split),
        pairing=Pairing(form.pairing),
        runs=form.runs,
        max_turns=form.max_turns or (document.value.max_turns,),
        pools=pools,
        suts=suts,
        baseline=BaselineSpec(persona=persona, max_turns=form.baseline.max_turns),
        retries=form.retries,
        encoder=resolve_encoder(form.encoder, folder),
        learning=LearningSpec(**form.learning.model_dump()),
    )


def resolve_encoder(form: str | EncoderForm, folder: Path) -> EncoderSpec:
    """Return the encoder; a model's folder is below that of the scenario, unless it says otherwise."""
    form = EncoderForm(model=form) if isinstance(form, str) else form
    is_folder = form.base_url is None and form.model.startswith(".")
    model = str((folder / form.model).resolve()) if is_folder else form.model
    return EncoderSpec(**{**form.model_dump(), "model": model})


def with_campaign(scenario: Scenario, *, finder: PackFinder) -> Scenario:
    """Return ``scenario`` as a campaign: as it is if its file says what the campaign is, else with the default one.

    Raises:
        InvalidInputError: as ``campaign_spec``.
    """
    if scenario.campaign is not None:
        return scenario
    packs = PackResolver(finder)
    spec = campaign_spec(scenario, packs=packs)
    known = {(origin.kind, origin.name) for origin in scenario.origins}
    further = tuple(origin for origin in packs.origins if (origin.kind, origin.name) not in known)
    return scenario.model_copy(update={"campaign": spec, "origins": (*further, *scenario.origins)})


def campaign_spec(scenario: Scenario, *, packs: PackResolver) -> CampaignSpec:
    """Return what the campaign over ``scenario`` is: its own, else the default: one arm, one run, its seed phrases.

    Raises:
        InvalidInputError: its user is written down, or the baseline's persona cannot be read.
    """
    if scenario.campaign is not None:
        return scenario.campaign
    if not scenario.seed_phrases:
        kind = "recorded conversations" if scenario.recorded else "test seeds" if scenario.test_seeds else "a script"
        hint = "name a scenario with seed_phrases or a pool; 'hairpin run' is for those that are written down"
        raise InvalidInputError(f"{kind} cannot be a campaign", where=f"scenario {scenario.id!r}", hint=hint)
    phrases = tuple(SeedPhrase(text=text, task=scenario.tasks.get(text, "")) for text in scenario.seed_phrases)
    persona = packs.persona(DEFAULT_BASELINE_PERSONA, where=f"scenario {scenario.id!r}")
    return CampaignSpec(
        max_turns=(scenario.max_turns,),
        pools=(SeedPool(name=scenario.id, phrases=phrases),),
        baseline=BaselineSpec(persona=persona, max_turns=DEFAULT_BASELINE_MAX_TURNS),
    )


def _pools(
    form: CampaignForm, document: Document[ScenarioFile], folder: Path, packs: PackResolver, problems: Problems
) -> tuple[SeedPool, ...]:
    found: list[SeedPool] = []
    for index, reference in enumerate(form.pools or ()):
        where = document.where("campaign", "pools", index)
        if is_pool_file(reference):
            read = partial(packs.pool_file, folder / reference, where=where)
        else:
            read = partial(packs.pool, reference, where=where)
        pool = problems.attempt(read)
        if pool is not None:
            found.append(pool)
    return tuple(found)


def _suts(form: CampaignForm, document: Document[ScenarioFile], folder: Path, problems: Problems) -> dict[str, SutSpec]:
    found: dict[str, SutSpec] = {}
    for label, choice in form.suts.items():
        resolve = partial(resolve_sut, choice, document, folder, at=("campaign", "suts", label))
        spec = problems.attempt(resolve)
        if spec is not None:
            found[label] = spec
    return found
