"""Checks labelled contexts, several times over and without short cuts: the findings of a study of the context check.

What follows from them is ``analysis.context_study``'s.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from hairpin.analysis.context_study import LabelledFinding
from hairpin.app.cast import of_roles
from hairpin.app.credentials import require_access
from hairpin.app.diversity import find_local_encoder
from hairpin.app.models import ModelTools, open_models
from hairpin.app.replay_cast import Models, context_checker
from hairpin.app.spending import SpendingLimits, budget_of
from hairpin.app.study_inputs import StudyInputs
from hairpin.app.system import SystemClock, log_to
from hairpin.domain.briefs import ContextBrief
from hairpin.domain.labels import ContextItem
from hairpin.domain.llm_calls import CallOrigin, LlmRequest, Purpose
from hairpin.domain.llm_usage import LlmUsage, usage_of
from hairpin.domain.relations import ContextMethod
from hairpin.domain.rng import derive_rng_seed
from hairpin.embeddings.batching import BatchingEncoder
from hairpin.errors import EndsRunError, InvalidInputError
from hairpin.ports import AsyncEncoder, ContextChecker
from hairpin.settings import LogLevel, Settings, read_settings

AT_ONCE = 8
"""So many contexts are checked at the same time."""


@dataclass(frozen=True, slots=True)
class StudyOrder:
    """What is wanted. ``repeats``: how often each context is checked in each way."""

    repeats: int = 1
    spending: SpendingLimits = field(default_factory=SpendingLimits)
    settings: Settings = field(default_factory=read_settings)


@dataclass(frozen=True, slots=True)
class StudyFindings:
    """What was found.

    Attributes:
        findings: by the way contexts were checked, repeat by repeat.
        encoder: what made the vectors.
        usage: what models took.
        stopped: why it ended early, ``""`` if it did not.
    """

    findings: Mapping[ContextMethod, tuple[LabelledFinding, ...]]
    encoder: str
    usage: LlmUsage
    stopped: str = ""


@dataclass(slots=True)
class _Requests:
    """Implements ``ports.LlmRequestLog``."""

    all: list[LlmRequest] = field(default_factory=list)

    async def record_request(self, request: LlmRequest) -> None:
        self.all.append(request)


async def study_contexts(inputs: StudyInputs, items: Sequence[ContextItem], order: StudyOrder) -> StudyFindings:
    """Check every item ``order.repeats`` times in each way, short cuts off; no answer comes from a cache.

    A model that takes no more calls, or a budget that is used up, ends it early: what was found until then is returned.

    Raises:
        UserError: a key is missing, or there is no encoder.
        EncoderError: texts cannot be encoded.
    """
    require_access(inputs.cast.models, order.settings)
    requests = _Requests()
    budget = budget_of(inputs.cast, inputs.prices, order.spending)
    with log_to(Path(os.devnull), level=LogLevel.ERROR) as logger:
        found = await find_local_encoder(order.settings, inputs.spec.encoder, logger)
        if found.encoder is None:
            hint = "pip install 'hairpin[minilm]', or name an encoder with --encoder"
            raise InvalidInputError(f"contexts cannot be compared: {found.reason}", where="--encoder", hint=hint)
        tools = ModelTools(
            settings=order.settings,
            logger=logger,
            clock=SystemClock(),
            log=requests,
            budget=budget,
            rng_seed=inputs.scenario.rng_seed,
        )
        async with (
            open_models(inputs.cast, inputs.prices, tools) as models,
            BatchingEncoder.running(found.encoder) as service,
        ):
            findings, stopped = await _all_findings(inputs, of_roles(models.by_role), service, items, order.repeats)
    return StudyFindings(findings, str(found.encoder.identity), usage_of(requests.all), stopped or budget.exhausted)


async def _all_findings(
    inputs: StudyInputs, models: Models, encoder: AsyncEncoder, items: Sequence[ContextItem], repeats: int
) -> tuple[Mapping[ContextMethod, tuple[LabelledFinding, ...]], str]:
    findings: dict[ContextMethod, tuple[LabelledFinding, ...]] = {}
    for method in inputs.methods:
        spec = inputs.spec.model_copy(update={"context": method})
        checker = context_checker(inputs.cast, models, inputs.scenario, spec, encoder, short_cuts=False)
        study = _Study(checker, inputs.scenario.language, inputs.scenario.rng_seed, _tasks(items, repeats))
        stopped = await study.run()
        findings[method] = study.in_order()
        if stopped:
            return findings, stopped
    return findings, ""


def _tasks(items: Sequence[ContextItem], repeats: int) -> Iterator[tuple[int, int, ContextItem]]:
    """Yield the repeat, the place and the item; a whole pass over all of them before the next one begins."""
    for repeat in range(repeats):
        for place, item in enumerate(items):
            yield repeat, place, item


@dataclass(slots=True)
class _Study:
    """The checks of one way under way; ``broken``: what ended them."""

    checker: ContextChecker
    language: str
    rng_seed: int
    tasks: Iterator[tuple[int, int, ContextItem]]
    found: dict[tuple[int, int], LabelledFinding] = field(default_factory=dict)
    broken: Exception | None = None

    async def run(self) -> str:
        """Do all that is to do; return why it ended early, ``""`` if it did not."""
        async with anyio.create_task_group() as group:
            for _ in range(AT_ONCE):
                group.start_soon(self._work, group.cancel_scope)
        if self.broken is not None and not isinstance(self.broken, EndsRunError):
            raise self.broken
        return "" if self.broken is None else str(self.broken)

    def in_order(self) -> tuple[LabelledFinding, ...]:
        """Return what was found, repeat by repeat, in the order of the items."""
        return tuple(self.found[key] for key in sorted(self.found))

    async def _work(self, all_of_them: anyio.CancelScope) -> None:
        try:
            for repeat, place, item in self.tasks:
                finding = await self.checker.check(self._brief(item, repeat))
                label = item.equivalent is True
                self.found[repeat, place] = LabelledFinding(item=item.id, repeat=repeat, label=label, finding=finding)
        except Exception as error:  # noqa: BLE001 - raised or told once all have ended, not as a group of errors
            self.broken = self.broken or error
            all_of_them.cancel()

    def _brief(self, item: ContextItem, repeat: int) -> ContextBrief:
        return ContextBrief(
            reference_text=item.reference_text,
            question=item.question,
            source=item.source,
            follow_up=item.follow_up,
            repeat=repeat,
            language=self.language,
            rng_seed=derive_rng_seed(self.rng_seed, "study", item.id, str(repeat)),
            origin=CallOrigin(repeat=repeat, purpose=Purpose.REPLAY),
        )


def findings_lines(findings: Mapping[ContextMethod, Sequence[LabelledFinding]]) -> Iterator[str]:
    """Yield raw findings as JSON lines: item, method, repeat, label, finding."""
    for method, own in findings.items():
        for each in own:
            told = each.model_dump(mode="json")
            ordered = {"item": told.pop("item"), "method": method.value, **told}
            yield json.dumps(ordered, ensure_ascii=False, allow_nan=False) + "\n"
