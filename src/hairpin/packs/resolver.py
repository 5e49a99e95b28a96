"""Names of packs as domain values.

It reads what a name stands for and checks each pack by itself; how packs fit together is ``scenarios``' work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from hairpin.domain.campaign import SeedPhrase, SeedPool
from hairpin.domain.failures import FailureMode
from hairpin.domain.rubric import Dimension, Rubric, Weights
from hairpin.domain.scenario import PackOrigin
from hairpin.domain.strategies import Strategy
from hairpin.domain.templates import UtteranceTemplate
from hairpin.domain.users import Persona
from hairpin.errors import InvalidInputError, UnknownReferenceError
from hairpin.packs.file_formats import WeightsForm
from hairpin.packs.files import read_file
from hairpin.packs.finder import PackFile, PackFinder
from hairpin.packs.kinds import PackKind
from hairpin.packs.pack_formats import (
    DEFAULT_POOL,
    PersonaFile,
    RubricFile,
    SeedPoolFile,
    StrategyForm,
    StrategyPackFile,
    phrase_text,
)
from hairpin.packs.problems import Problems
from hairpin.packs.seed_files import read_seed_phrases
from hairpin.packs.yaml_source import Document, load_document

F = TypeVar("F", PersonaFile, RubricFile, SeedPoolFile, StrategyPackFile)


@dataclass(frozen=True, slots=True)
class PlacedStrategy:
    """A strategy and the place where its target mode is written."""

    strategy: Strategy
    where: str


class PackResolver:
    """Reads packs and remembers where each came from. ``where`` is always the place that refers to a pack."""

    def __init__(self, finder: PackFinder) -> None:
        self._finder = finder
        self._origins: dict[tuple[str, str], PackOrigin] = {}

    @property
    def origins(self) -> tuple[PackOrigin, ...]:
        """The files read so far, by kind and name."""
        return tuple(self._origins[key] for key in sorted(self._origins))

    def persona(self, name: str, *, where: str) -> Persona:
        """Return the persona called ``name``; raises InvalidInputError."""
        form = self._load(PackKind.PERSONA, name, PersonaFile, where).value
        return Persona(id=form.id, title=form.title, description=form.description, style=form.style.model_dump())

    def pool(self, name: str, *, where: str) -> SeedPool:
        """Return the pool of seed phrases called ``name``; raises InvalidInputError."""
        return seed_pool_of(self._load(PackKind.POOL, name, SeedPoolFile, where).value)

    def pool_file(self, path: Path, *, where: str) -> SeedPool:
        """Return the seed phrases in a file: a pool's, or a text, JSON lines or CSV; raises InvalidInputError."""
        file = PackFile(
            PackKind.POOL.value, path.name, path, "file", read_file(path, "file of seed phrases", where=where)
        )
        if path.suffix in (".yaml", ".yml"):
            pool = seed_pool_of(load_document(file.data, file.where, SeedPoolFile).value)
        else:
            pool = read_seed_phrases(file.data, path)
        self._note(file)
        return pool

    def rubric(self, name: str, *, where: str) -> Rubric:
        """Return the rubric called ``name``; raises InvalidInputError, also for what does not fit together in it."""
        return rubric_of(self._load(PackKind.RUBRIC, name, RubricFile, where))

    def strategies(self, references: Sequence[tuple[str, str]]) -> tuple[PlacedStrategy, ...]:
        """Return the strategies that ``references`` (name, place) stand for, each once, in the order named.

        ``pack`` is its default pool; ``pack/name`` a pool or one strategy.

        Raises:
            InvalidInputError: unknown, broken, or two different strategies of one name.
        """
        found: dict[str, PlacedStrategy] = {}
        for reference, where in references:
            for placed in self._strategies(reference, where):
                earlier = found.setdefault(placed.strategy.id, placed)
                if earlier.strategy != placed.strategy:
                    what = f"{reference!r} brings a second strategy called {placed.strategy.id!r}"
                    raise InvalidInputError(what, where=where, hint=f"rename it in {placed.where} or {earlier.where}")
        return tuple(found.values())

    def _strategies(self, reference: str, where: str) -> Iterator[PlacedStrategy]:
        pack, slash, member = reference.rpartition("/")
        if not slash or self._finder.find(PackKind.STRATEGY, reference) is not None:
            pack, member = reference, ""
        elif self._finder.find(PackKind.STRATEGY, pack) is None:
            raise UnknownReferenceError("strategy", reference, where=where, known=self._known_strategies())
        document = self._load(PackKind.STRATEGY, pack, StrategyPackFile, where)
        wanted = _members(document.value, member)
        if wanted is None:
            known = [f"{pack}/{name}" for name in (*document.value.pools, *(s.id for s in document.value.strategies))]
            raise UnknownReferenceError("strategy", reference, where=where, known=known)
        by_id = {form.id: (index, form) for index, form in enumerate(document.value.strategies)}
        for name in wanted:
            index, form = by_id[name]
            place = document.where("strategies", index, "target_mode")
            yield PlacedStrategy(strategy_of(form, document.value), place)

    def _known_strategies(self) -> Iterator[str]:
        """Yield the names of packs, and with the pack those of its pools; of a broken pack its own name alone."""
        for name in self._finder.names(PackKind.STRATEGY):
            yield name
            with suppress(InvalidInputError):
                file = self._finder.require(PackKind.STRATEGY, name, where=name)
                pack = load_document(file.data, file.where, StrategyPackFile).value
                yield from (f"{name}/{pool}" for pool in pack.pools)

    def _load(self, kind: PackKind, name: str, model: type[F], where: str) -> Document[F]:
        file = self._finder.require(kind, name, where=where)
        document = load_document(file.data, file.where, model)
        if document.value.id != name:
            what = f"id must be {name!r} like the name of the file, not {document.value.id!r}"
            raise InvalidInputError(what, where=document.where("id"), hint="rename the file or change the id")
        self._note(file)
        return document

    def _note(self, file: PackFile) -> None:
        self._origins[file.kind, file.name] = file.origin


def seed_pool_of(form: SeedPoolFile) -> SeedPool:
    """Return the pool that a file holds; where phrases name several tasks, the combination is ``one+other``."""
    phrases: list[SeedPhrase] = []
    for phrase in form.phrases or ():
        tasks = () if isinstance(phrase, str) else phrase.tasks
        phrases.append(SeedPhrase(text=phrase_text(phrase), task="+".join(tasks)))
    for task, texts in (form.tasks or {}).items():
        phrases += [SeedPhrase(text=phrase_text(text), task=task) for text in texts]
    return SeedPool(name=form.id, phrases=tuple(phrases))


def rubric_of(document: Document[RubricFile]) -> Rubric:
    """Return the rubric that a file holds.

    Raises:
        InvalidInputError: a critical mode or a weighted dimension does not exist, or all weights are zero.
    """
    form, problems = document.value, Problems()
    modes = {mode.id for mode in form.modes}
    for index, name in enumerate(form.critical_modes):
        if name not in modes:
            place = document.where("critical_modes", index)
            problems.note(UnknownReferenceError("failure mode", name, where=place, known=modes))
    equal = Weights(dimensions={dimension.id: 1.0 for dimension in form.dimensions})
    weights = problems.attempt(lambda: merged_weights(equal, form.weights, document)) or equal
    problems.raise_if_any()
    return Rubric(
        id=form.id,
        title=form.title,
        modes=tuple(FailureMode(**mode.model_dump()) for mode in form.modes),
        dimensions=tuple(
            Dimension(
                id=dimension.id,
                title=dimension.title,
                question=dimension.question,
                anchors=(dimension.anchors.zero, dimension.anchors.one, dimension.anchors.two),
            )
            for dimension in form.dimensions
        ),
        weights=weights,
        threshold=form.threshold,
        critical_modes=form.critical_modes,
    )


def merged_weights(base: Weights, form: WeightsForm, document: Document[Any]) -> Weights:
    """Return ``base`` with the weights that the key ``weights`` of ``document`` gives; the others stay.

    Raises:
        InvalidInputError: an unknown dimension, or all weights zero.
    """
    dimensions = dict(base.dimensions)
    if isinstance(form.dimensions, Mapping):
        for name, weight in form.dimensions.items():
            if name not in dimensions:
                place = document.key_where("weights", "dimensions", name)
                raise UnknownReferenceError("dimension", name, where=place, known=base.dimensions)
            dimensions[name] = weight
    elif form.dimensions is not None:
        dimensions = dict.fromkeys(dimensions, form.dimensions)
    targets = base.targets if form.targets is None else form.targets
    if not any((*dimensions.values(), targets)):
        what, hint = "all weights are zero, so no success score exists", "give at least one weight above 0"
        raise InvalidInputError(what, where=document.key_where("weights"), hint=hint)
    return Weights(dimensions=dimensions, targets=targets)


def strategy_of(form: StrategyForm, pack: StrategyPackFile) -> Strategy:
    """Return the strategy that ``form`` describes, with the words of its pack."""
    return Strategy(
        id=form.id,
        title=form.title,
        target_mode=form.target_mode,
        max_consecutive=form.max_consecutive,
        guidance=form.guidance,
        templates=tuple(UtteranceTemplate(**template.model_dump()) for template in form.templates),
        vocabulary={**pack.vocabulary, **form.vocabulary},
    )


def _members(pack: StrategyPackFile, member: str) -> tuple[str, ...] | None:
    """Return the ids that ``member`` stands for, all or the default pool's if it is empty; ``None``: no such member."""
    everything = tuple(strategy.id for strategy in pack.strategies)
    if not member:
        return pack.pools.get(DEFAULT_POOL) or next(iter(pack.pools.values()), everything)
    return pack.pools.get(member) or ((member,) if member in everything else None)
