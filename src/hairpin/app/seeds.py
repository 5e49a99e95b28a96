"""Seed phrases from a model: asked task by task, sifted, and written as a pool with where they came from.

It runs no conversation. The scenario's model of the simulated user writes: seed phrases are what that user says first.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hairpin.agents.llm.seed_writer import SEED_WRITER_SLOTS, LlmSeedWriter, SeedBrief
from hairpin.app.cast import Cast
from hairpin.app.credentials import require_access
from hairpin.app.inputs import RunInputs
from hairpin.app.models import ModelTools, open_models
from hairpin.app.spending import SpendingLimits, budget_of
from hairpin.app.system import SystemClock, log_to
from hairpin.domain.llm_calls import LlmRequest
from hairpin.domain.llm_usage import LlmUsage, usage_of
from hairpin.domain.model_spec import label_of
from hairpin.domain.outcome import Role
from hairpin.domain.prompts import SEED_WRITER
from hairpin.domain.scenario import PackOrigin, Scenario
from hairpin.domain.seeds import Drop, SeedSieve
from hairpin.errors import InvalidInputError
from hairpin.packs.finder import PackFinder
from hairpin.packs.pool_dump import dump_pool
from hairpin.packs.prompts import find_prompt
from hairpin.ports import RoleError
from hairpin.settings import LogLevel, Settings, read_settings

ANY_TASK = "any"
"""What phrases without a task are listed under."""

PER_REQUEST = 12
N_EXAMPLES = 4
N_KNOWN = 40
MAX_FRUITLESS = 3
"""So many requests in a row without a phrase worth keeping end a task."""


@dataclass(frozen=True, slots=True)
class SeedOrder:
    """What is wanted. ``tasks``: in words, by id; empty: those of the scenario's own phrases."""

    number: int
    tasks: Mapping[str, str] = field(default_factory=dict)
    spending: SpendingLimits = field(default_factory=SpendingLimits)
    cache: Path | None = None
    settings: Settings = field(default_factory=read_settings)


@dataclass(frozen=True, slots=True)
class WrittenSeeds:
    """What was written. ``stopped``: why it ended early, ``""`` if it did not."""

    wanted: int
    tasks: Mapping[str, tuple[str, ...]]
    drops: Mapping[Drop, int]
    usage: LlmUsage
    source: tuple[str, ...]
    stopped: str = ""

    @property
    def short(self) -> Mapping[str, int]:
        """The tasks with fewer phrases than wanted, and how many they have."""
        return {task: len(phrases) for task, phrases in self.tasks.items() if len(phrases) < self.wanted}

    def pool(self, pool_id: str, title: str) -> str:
        """Return them as a pool file."""
        return dump_pool(pool_id, self.tasks, title=title, comment=self.source)


@dataclass(slots=True)
class _Requests:
    """Implements ``ports.LlmRequestLog``."""

    all: list[LlmRequest] = field(default_factory=list)

    async def record_request(self, request: LlmRequest) -> None:
        self.all.append(request)


@dataclass(slots=True)
class _Found:
    """What has been written so far."""

    sieve: SeedSieve
    tasks: dict[str, tuple[str, ...]]
    stopped: str = ""


async def write_seeds(inputs: RunInputs, order: SeedOrder, *, finder: PackFinder | None = None) -> WrittenSeeds:
    """Ask the scenario's ``models.simulator`` for ``order.number`` phrases of each task.

    A model that fails, or a budget that is used up, ends it early: what was written until then is returned.

    Raises:
        UserError: the scenario gives the simulator no model, a key is missing, or the prompt is wrong.
    """
    scenario = inputs.scenario
    cast, origin = _writer_cast(inputs, finder or PackFinder.standard())
    wanted = dict(order.tasks) or {task: task for task in _by_task(scenario)}
    require_access(cast.models, order.settings, cache=order.cache)
    requests, found = _Requests(), _Found(SeedSieve(scenario.seed_phrases), dict.fromkeys(wanted, ()))
    with log_to(Path(os.devnull), level=LogLevel.ERROR) as logger:
        tools = ModelTools(
            settings=order.settings,
            logger=logger,
            clock=SystemClock(),
            log=requests,
            budget=budget_of(cast, inputs.prices, order.spending),
            rng_seed=scenario.rng_seed,
            cache=order.cache,
        )
        async with open_models(cast, inputs.prices, tools) as models:
            writer = LlmSeedWriter(models.by_role[Role.SIMULATOR], cast.prompts[Role.SIMULATOR])
            try:
                for task, words in wanted.items():
                    await _write_task(writer, found, task, words, order.number, scenario)
            except RoleError as error:
                found.stopped = error.detail
    return WrittenSeeds(
        wanted=order.number,
        tasks=found.tasks,
        drops=found.sieve.drops,
        usage=usage_of(requests.all),
        source=_source(scenario, cast, origin),
        stopped=found.stopped,
    )


async def _write_task(
    writer: LlmSeedWriter, found: _Found, task: str, words: str, number: int, scenario: Scenario
) -> None:
    examples = _by_task(scenario).get(task, ())
    draft = fruitless = 0
    while (left := number - len(found.tasks[task])) > 0 and fruitless < MAX_FRUITLESS:
        brief = SeedBrief(
            task=words,
            examples=examples[:N_EXAMPLES],
            known=found.tasks[task][-N_KNOWN:],
            number=min(left, PER_REQUEST),
            language=scenario.language,
            draft=draft,
        )
        written = await writer.write(brief)
        new = tuple(phrase for phrase in written if found.sieve.keep(phrase))[:left]
        found.tasks[task] += new
        draft, fruitless = draft + 1, 0 if new else fruitless + 1


def _writer_cast(inputs: RunInputs, finder: PackFinder) -> tuple[Cast, PackOrigin]:
    spec = inputs.scenario.models.get(Role.SIMULATOR)
    if spec is None:
        raise InvalidInputError(
            "no model plays the simulated user, so none can write what it says first",
            where=f"scenario {inputs.scenario.id!r}",
            hint="give models: {simulator: …}, or --set models.simulator=…",
        )
    prompt, origin = find_prompt(SEED_WRITER, finder, slots=SEED_WRITER_SLOTS)
    return replace(inputs.cast, models={Role.SIMULATOR: spec}, prompts={Role.SIMULATOR: prompt}), origin


def _by_task(scenario: Scenario) -> Mapping[str, tuple[str, ...]]:
    """Return the scenario's own phrases by the task that they ask for."""
    found: dict[str, tuple[str, ...]] = {}
    for phrase in scenario.seed_phrases:
        task = scenario.tasks.get(phrase) or ANY_TASK
        found[task] = (*found.get(task, ()), phrase)
    return found or {ANY_TASK: ()}


def _source(scenario: Scenario, cast: Cast, origin: PackOrigin) -> tuple[str, ...]:
    prompt = cast.prompts[Role.SIMULATOR]
    return (
        f"Written by a model: {label_of(cast.models[Role.SIMULATOR])}",
        f"prompt: {prompt.id} version {prompt.version}, SHA-256 {origin.digest}",
        f"scenario: {scenario.id}, random seed {scenario.rng_seed}",
    )


def drops_text(drops: Mapping[Drop, int]) -> str:
    """Say how many phrases were dropped, and why."""
    counted = Counter(drops)
    return ", ".join(f"{counted[drop]} {drop.value}" for drop in Drop if counted[drop]) or "none"


def tasks_of(texts: Sequence[str]) -> dict[str, str]:
    """Return tasks by id from ``ID`` or ``ID=WORDS``. Raises InvalidInputError."""
    tasks: dict[str, str] = {}
    for text in texts:
        task, _, words = text.partition("=")
        if not task.isidentifier() or task in tasks:
            what = f"{task!r} is given twice" if task in tasks else f"{task!r} is no id of a task"
            raise InvalidInputError(what, where="--task", hint="write ID or ID=WORDS, each ID once, such as find_food")
        tasks[task] = words.strip() or task.replace("_", " ")
    return tasks
