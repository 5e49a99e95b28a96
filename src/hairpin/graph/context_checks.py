"""Checking the contexts of a family's follow-ups: which positions, a few at a time, stored in batches.

Whether two contexts are equivalent is for ``ports.ContextChecker`` to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import anyio

from hairpin.domain.briefs import ContextBrief
from hairpin.domain.llm_calls import CallOrigin, Purpose
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.relations import ContextCheck, ContextReason
from hairpin.domain.replay import Method
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.test_seeds import TestSeed
from hairpin.errors import EndsRunError, StoreError, UserError
from hairpin.graph.family_state import FamilyDeps
from hairpin.graph.sut_call import describe_error

AT_ONCE: Final = 8
"""So many contexts of one family are checked at the same time."""

BATCH: Final = 16
"""So many findings are stored together: a process that is killed loses no more of a family."""


@dataclass(frozen=True, slots=True)
class ContextPlace:
    """A position of a follow-up whose context is to be checked; ``index``: its question in the test seed."""

    planned: PlannedConversation
    position: int
    index: int


@dataclass(frozen=True, slots=True)
class ChecksLeft:
    """How many positions have no finding, and what went wrong, ``""`` if nothing did."""

    n_left: int
    problem: str = ""


def places_of(follow_ups: Sequence[PlannedConversation]) -> Iterator[ContextPlace]:
    """Yield the positions that relations look at; only dialogue-level perturbations change a context."""
    for planned in follow_ups:
        if planned.replay is None or planned.replay.method is not Method.MORTAR:
            continue
        for position, question in enumerate(planned.replay.questions):
            if question.index is not None and question.checked:
                yield ContextPlace(planned, position, question.index)


def brief_of(place: ContextPlace, seed: TestSeed, *, language: str) -> ContextBrief:
    """Return what the checker is told of a position: earlier questions, never answers."""
    planned, replay = place.planned, place.planned.replay
    assert replay is not None
    return ContextBrief(
        reference_text=seed.reference_text,
        question=replay.questions[place.position].text,
        source=seed.texts[: place.index],
        follow_up=replay.texts[: place.position],
        needs_reply=seed.questions[place.index].needs_reply,
        language=language,
        rng_seed=derive_rng_seed(planned.rng_seed, "context", str(place.position)),
        origin=CallOrigin(repeat=planned.repeat, purpose=Purpose.REPLAY),
    )


async def check_contexts(seed: TestSeed, follow_ups: Sequence[PlannedConversation], deps: FamilyDeps) -> ChecksLeft:
    """Check every position that has no finding yet, or where a role failed, and store what was found.

    Once time is up nothing more is begun. What breaks ends the checking; what was found until then is stored.

    Raises:
        StoreError: findings could not be stored.
        EndsRunError: a model takes no call any more.
        UserError: the user must mend something first.
    """
    stored = {
        (check.conversation, check.position)
        for check in deps.store.context_checks(deps.source)
        if check.method is deps.context and check.repeat == 0 and check.finding.reason is not ContextReason.ROLE_FAILED
    }
    missing = [place for place in places_of(follow_ups) if (place.planned.id, place.position) not in stored]
    checking = _Checking(seed, deps, iter(missing))
    with deps.stop.guard():
        async with anyio.create_task_group() as group:
            for _ in range(min(AT_ONCE, len(missing))):
                group.start_soon(checking.work, group.cancel_scope)
    await checking.store(at_least=1)
    if isinstance(checking.broken, (StoreError, UserError, EndsRunError)):
        raise checking.broken
    problem = f"contexts: {describe_error(checking.broken)}" if checking.broken is not None else ""
    return ChecksLeft(len(missing) - checking.n_stored, problem)


def untold_of(checks: Sequence[ContextCheck]) -> tuple[str, ...]:
    """Return why nobody can say whether contexts are equivalent, for each check in which a role failed."""
    last = {(check.conversation, check.position): check.finding for check in checks if check.repeat == 0}
    return tuple(finding.detail for finding in last.values() if finding.reason is ContextReason.ROLE_FAILED)


@dataclass(slots=True)
class _Checking:
    """The checks of one family under way; ``broken``: what ended them."""

    seed: TestSeed
    deps: FamilyDeps
    places: Iterator[ContextPlace]
    broken: Exception | None = None
    n_stored: int = 0
    _found: list[ContextCheck] = field(default_factory=list)

    async def work(self, all_of_them: anyio.CancelScope) -> None:
        try:
            while self.deps.stop.reason is None and (place := next(self.places, None)) is not None:
                await self._check(place)
                await self.store(at_least=BATCH)
        except Exception as error:  # noqa: BLE001 - told once all have ended, not as a group of errors
            self.broken = self.broken or error
            all_of_them.cancel()

    async def _check(self, place: ContextPlace) -> None:
        brief = brief_of(place, self.seed, language=self.deps.language)
        finding = await self.deps.checker.check(brief)
        if finding.reason is ContextReason.ROLE_FAILED and self.deps.stop.reason is not None:
            return  # it had no time left: whoever goes on with the family asks again
        self._found.append(
            ContextCheck(
                conversation=place.planned.id,
                position=place.position,
                index=place.index,
                method=self.deps.context,
                finding=finding,
            )
        )

    async def store(self, *, at_least: int) -> None:
        if len(self._found) >= at_least:
            batch, self._found = self._found, []
            await self.deps.store.record_context_checks(batch)
            self.n_stored += len(batch)
