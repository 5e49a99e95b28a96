"""What the learned arm learnt, beside uniform choice: uses, discoveries and why each choice was made.

It must not choose; ``domain.learning`` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hairpin.analysis.comparisons import compare_arms
from hairpin.analysis.discoveries import compare_discoveries
from hairpin.analysis.learning_model import ChoiceRow, Learned
from hairpin.analysis.scope import Scope, rated
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts, Signature

_ARMS = (Arm.LEARNED, Arm.GUIDED)


def what_was_learned(
    facts: Sequence[ConversationFacts], sut: str | None, *, strategies: Sequence[str], rng_seed: int
) -> Learned:
    """Return the learned arm beside the guided one, for ``sut`` or all assistants.

    Args:
        facts: of one campaign, each conversation once, whatever became of it.
        sut: whose.
        strategies: the pool, in the order of rows; others that were used follow.
        rng_seed: seeds the permutations of the test.
    """
    arms = {arm: rated(Scope(sut=sut, arm=arm).pick(facts)) for arm in _ARMS}
    learned, guided = _counted(arms[Arm.LEARNED]), _counted(arms[Arm.GUIDED])
    used = {*learned.strategies.uses, *guided.strategies.uses}
    names = (*strategies, *sorted(used.difference(strategies)))
    tasks = sorted({*learned.tasks.uses, *guided.tasks.uses})
    learnt_tasks = any(fact.preference and fact.preference.task_explored is not None for fact in arms[Arm.LEARNED])
    return Learned(
        sut=sut,
        comparison=compare_arms(facts, sut, arms=_ARMS),
        discoveries=compare_discoveries([*arms[Arm.LEARNED], *arms[Arm.GUIDED]], rng_seed=rng_seed),
        strategies=tuple(_row(name, learned=learned.strategies, guided=guided.strategies) for name in names),
        tasks=tuple(_row(name, learned=learned.tasks, guided=guided.tasks) for name in tasks) if learnt_tasks else (),
    )


@dataclass(slots=True)
class _Tally:
    """Of one kind of choice: uses in the first and second half, what was new, and why each was preferred, by name."""

    uses: dict[str, list[int]] = field(default_factory=dict)
    new: Counter[str] = field(default_factory=Counter)
    explored: Counter[str] = field(default_factory=Counter)
    exploited: Counter[str] = field(default_factory=Counter)

    def use(self, name: str, half: int) -> None:
        """Count a use."""
        self.uses.setdefault(name, [0, 0])[half] += 1


@dataclass(slots=True)
class _Counts:
    """Of one arm."""

    strategies: _Tally = field(default_factory=_Tally)
    tasks: _Tally = field(default_factory=_Tally)


def _counted(facts: Iterable[ConversationFacts]) -> _Counts:
    counts = _Counts()
    strategies, tasks = counts.strategies, counts.tasks
    for fact, half, new in _by_halves(facts):
        tasks.use(fact.task, half)
        tasks.new[fact.task] += len(new)
        strategies.new.update(signature.strategy for signature in new if signature.strategy)
        for strategy in fact.strategies:
            if strategy is not None:
                strategies.use(strategy, half)
        if (preference := fact.preference) is not None:
            strategies.explored.update(preference.explored)
            strategies.exploited.update(name for name in preference.strategies if name not in preference.explored)
            if preference.task_explored is not None:
                (tasks.explored if preference.task_explored else tasks.exploited)[fact.task] += 1
    return counts


def _by_halves(facts: Iterable[ConversationFacts]) -> Iterator[tuple[ConversationFacts, int, frozenset[Signature]]]:
    """Yield, cell by cell and in plan order, which half a conversation is in and what was new in its cell."""
    cells: dict[tuple[int, str], list[ConversationFacts]] = {}
    for fact in sorted(facts, key=lambda each: each.index):
        cells.setdefault((fact.run, fact.sut), []).append(fact)
    for cell in cells.values():
        known: set[Signature] = set()
        for number, fact in enumerate(cell):
            found = frozenset(failure.signature for failure in fact.failures)
            yield fact, int(2 * number >= len(cell)), found - known
            known |= found


def _row(name: str, *, learned: _Tally, guided: _Tally) -> ChoiceRow:
    first, second = learned.uses.get(name, [0, 0])
    return ChoiceRow(
        name=name,
        guided=sum(guided.uses.get(name, ())),
        learned=(first, second),
        guided_new=guided.new[name],
        learned_new=learned.new[name],
        explored=learned.explored[name],
        exploited=learned.exploited[name],
    )
