"""One scenario file on its way to a scenario: names looked up, parts checked against each other.

It collects every problem instead of stopping at the first; reading packs is ``resolver``'s work.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hairpin.domain.campaign import SeedPhrase, SeedPool
from hairpin.domain.canary import CanarySpec
from hairpin.domain.checks import CheckSpec, ContainsCheck, FunctionCheck, RegexCheck, StateCheck
from hairpin.domain.rubric import Rubric
from hairpin.domain.scenario import DEFAULT_MAX_TURNS, Oracles, PackOrigin, Scenario, ScriptTurn
from hairpin.domain.sut_spec import SutSpec
from hairpin.domain.trials import ConfirmSpec
from hairpin.domain.users import Context, Persona
from hairpin.errors import did_you_mean
from hairpin.packs.campaign_formats import SeedFileForm
from hairpin.packs.campaign_forms import resolve_campaign
from hairpin.packs.file_formats import (
    DEFAULT_STRATEGIES,
    CheckForm,
    ContainsForm,
    RegexForm,
    ScenarioFile,
    StateForm,
)
from hairpin.packs.functions import is_file_reference
from hairpin.packs.metamorphic_forms import resolve_metamorphic, resolve_test_seeds
from hairpin.packs.model_specs import resolve_models, resolve_panels
from hairpin.packs.problems import Problems
from hairpin.packs.resolver import PackResolver, PlacedStrategy, merged_weights
from hairpin.packs.sut_formats import RecordedForm
from hairpin.packs.sut_forms import require_file, resolve_sut
from hairpin.packs.tree_paths import TreePath
from hairpin.packs.yaml_source import Document


class Resolution:
    """Resolves ``document``; relative files are below ``folder``, names come from ``packs``."""

    def __init__(self, document: Document[ScenarioFile], folder: Path, packs: PackResolver) -> None:
        self._document = document
        self._file = document.value
        self._folder = folder
        self._packs = packs
        self._problems = Problems()

    def scenario(self, origin: PackOrigin, sut: SutSpec | None) -> Scenario:
        """Return the scenario, of ``origin``, with ``sut`` in place of its own assistant if given.

        Raises:
            InvalidInputError: every problem found.
        """
        file, attempt = self._file, self._problems.attempt
        self._refuse_another(sut)
        spec = sut or attempt(lambda: resolve_sut(file.sut, self._document, self._folder))
        rubric = attempt(self._rubric)
        personas = self._personas()
        strategies = attempt(self._strategies) or ()
        own = attempt(self._own_pool)
        campaign = attempt(lambda: resolve_campaign(self._document, self._folder, self._packs, own))
        pool = own or (campaign.pools[0] if campaign else None)
        phrases = pool.phrases if pool else ()
        script = self._script()
        checks = self._checks(file.checks, ("checks",))
        self._require_an_oracle(any((checks, *(turn.checks for turn in script))))
        test_seeds = attempt(lambda: resolve_test_seeds(self._document, self._folder))
        metamorphic = resolve_metamorphic(self._document, self._folder)
        models = attempt(lambda: resolve_models(self._document, self._folder))
        panels = attempt(lambda: resolve_panels(self._document, self._folder)) or {}
        max_turns = self._max_turns()
        self._match(strategies, rubric)
        self._problems.raise_if_any()
        if spec is None or rubric is None or models is None:
            raise AssertionError("what is missing was noted as a problem")
        return Scenario(
            id=file.id,
            title=file.title,
            tags=file.tags,
            sut=spec,
            seed_phrases=tuple(phrase.text for phrase in phrases),
            script=script,
            personas=personas,
            contexts=tuple(Context(**form.model_dump()) for form in file.contexts),
            max_turns=max_turns,
            strategies=tuple(placed.strategy for placed in strategies),
            rubric=rubric,
            oracles=self._oracles(),
            models=models,
            panels=panels,
            checks=checks,
            language=file.language,
            turn_timeout_s=file.turn_timeout_s,
            repeats=file.repeats,
            rng_seed=file.rng_seed,
            origins=(*self._packs.origins, origin),
            tasks={phrase.text: phrase.task for phrase in phrases if phrase.task},
            campaign=campaign,
            test_seeds=test_seeds,
            metamorphic=metamorphic,
            confirm=None if file.confirm is None else ConfirmSpec(**file.confirm.model_dump()),
            canaries=None if file.canaries is None else CanarySpec(**file.canaries.model_dump()),
        )

    def _refuse_another(self, sut: SutSpec | None) -> None:
        """Note that recorded conversations cannot be held with another assistant."""
        if sut is not None and isinstance(self._file.sut, RecordedForm):
            hint = "name another scenario, or leave the assistant out"
            self._problems.add(
                "its conversations are recorded, replies included", where=self._document.where("sut"), hint=hint
            )

    def _rubric(self) -> Rubric:
        """Return the rubric with the scenario's own threshold and weights."""
        rubric = self._packs.rubric(self._file.rubric, where=self._document.where("rubric"))
        changes: dict[str, object] = {}
        if self._file.threshold is not None:
            changes["threshold"] = self._file.threshold
        if self._file.weights is not None:
            changes["weights"] = merged_weights(rubric.weights, self._file.weights, self._document)
        return rubric.model_copy(update=changes)

    def _personas(self) -> tuple[Persona, ...]:
        found: list[Persona] = []
        for index, name in enumerate(self._file.personas):
            read = partial(self._packs.persona, name, where=self._document.where("personas", index))
            persona = self._problems.attempt(read)
            if persona is not None:
                found.append(persona)
        return tuple(found)

    def _strategies(self) -> tuple[PlacedStrategy, ...]:
        """Return the strategies; what is written down has none unless they are named, because its user needs none."""
        named = self._file.strategies
        written = self._file.turns is not None or self._file.test_seeds is not None
        if named is None and (written or isinstance(self._file.sut, RecordedForm)):
            return ()
        if named is None or isinstance(named, str):
            return self._packs.strategies([(named or DEFAULT_STRATEGIES, self._document.where("strategies"))])
        return self._packs.strategies(
            [(name, self._document.where("strategies", index)) for index, name in enumerate(named)]
        )

    def _own_pool(self) -> SeedPool | None:
        """Return the seed phrases that the scenario itself gives, beside the pools of its campaign."""
        file, where = self._file, self._document.where
        if file.pool is not None:
            return self._packs.pool(file.pool, where=where("pool"))
        if isinstance(file.seed_phrases, SeedFileForm):
            return self._packs.pool_file(self._folder / file.seed_phrases.file, where=where("seed_phrases", "file"))
        if file.seed_phrases is not None:
            return SeedPool(name=file.id, phrases=tuple(SeedPhrase(text=text) for text in file.seed_phrases))
        return None

    def _script(self) -> tuple[ScriptTurn, ...]:
        return tuple(
            ScriptTurn(user=turn.user, checks=self._checks(turn.checks, ("turns", index, "checks")))
            for index, turn in enumerate(self._file.turns or ())
        )

    def _checks(self, forms: Sequence[CheckForm], path: TreePath) -> tuple[CheckSpec, ...]:
        return tuple(self._check(form, (*path, index)) for index, form in enumerate(forms))

    def _check(self, form: CheckForm, path: TreePath) -> CheckSpec:
        if isinstance(form, ContainsForm):
            return ContainsCheck(text=form.contains, ignore_case=form.ignore_case)
        if isinstance(form, RegexForm):
            return RegexCheck(pattern=form.regex)
        if isinstance(form, StateForm):
            return StateCheck(path=form.state, equals=form.equals)
        reference, place = (form, path) if isinstance(form, str) else (form.function, (*path, "function"))
        where = self._document.where(*place)
        self._problems.attempt(lambda: require_file(reference, self._folder, where=where))
        folder = str(self._folder) if is_file_reference(reference) else None
        return FunctionCheck(reference=reference, folder=folder)

    def _max_turns(self) -> int:
        """Return M; a script is never cut short without a word."""
        n_turns = len(self._file.turns or ())
        if not self._document.has("max_turns"):
            return max(DEFAULT_MAX_TURNS, n_turns)
        if self._file.max_turns < n_turns:
            self._problems.add(
                f"max_turns is {self._file.max_turns}, but the script has {n_turns} turns",
                where=self._document.where("max_turns"),
                hint="raise max_turns, leave it out, or remove turns",
            )
        return self._file.max_turns

    def _oracles(self) -> Oracles:
        """Return the oracles beside the checks; replays of test seeds are decided by relations alone."""
        named = self._file.oracles if self._file.test_seeds is None else ()
        return Oracles(
            turn_judge="turn_judge" in named,
            dimensions="dimensions" in named,
            state=self._file.judges_see_state,
            simulator_review=self._file.simulator_review,
        )

    def _require_an_oracle(self, checked: bool) -> None:
        file = self._file
        if not file.oracles and not checked and file.test_seeds is None and file.metamorphic is None:
            self._problems.add(
                "oracles is empty and there are no checks, so nothing could ever fail",
                where=self._document.key_where("oracles"),
                hint="add checks, or name turn_judge or dimensions",
            )

    def _match(self, strategies: Sequence[PlacedStrategy], rubric: Rubric | None) -> None:
        """Note strategies that aim at a mode which the rubric has not."""
        if rubric is None:
            return
        modes = {mode.id for mode in rubric.modes}
        strangers = [placed for placed in strategies if placed.strategy.target_mode not in modes]
        if strangers and not self._document.has("strategies"):
            self._problems.add(
                f"rubric {rubric.id!r} has not the failure modes of the default strategies {DEFAULT_STRATEGIES!r}",
                where=self._document.where("rubric"),
                hint="name strategies that fit it: 'strategies: …'",
            )
            return
        for placed in strangers:
            name, mode = placed.strategy.id, placed.strategy.target_mode
            self._problems.add(
                f"strategy {name!r} aims at {mode!r}, which is no failure mode of rubric {rubric.id!r}",
                where=placed.where,
                hint=did_you_mean(mode, modes),
            )
