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
    counts = {arm: _counted(arms[arm]) for arm in _ARMS}
    used = {name for each in counts.values() for name in each.uses}
    tasks = sorted({name for each in counts.values() for name in each.tasks})
    learnt_tasks = any(fact.preference and fact.preference.task_explored is not None for fact in arms[Arm.LEARNED])
    return Learned(
        sut=sut,
        comparison=compare_arms(facts, sut, arms=_ARMS),
        discoveries=compare_discoveries([*arms[Arm.LEARNED], *arms[Arm.GUIDED]], rng_seed=rng_seed),
        strategies=tuple(_strategy_row(name, counts) for name in (*strategies, *sorted(used.difference(strategies)))),
        tasks=tuple(_task_row(name, counts) for name in tasks) if learnt_tasks else (),
    )


@dataclass(slots=True)
class _Counts:
    """Of one arm: uses in the first and second half of its conversations, what was new, and why it was preferred."""

    uses: dict[str, list[int]] = field(default_factory=dict)
    new: Counter[str] = field(default_factory=Counter)
    explored: Counter[str] = field(default_factory=Counter)
    exploited: Counter[str] = field(default_factory=Counter)
    tasks: dict[str, list[int]] = field(default_factory=dict)
    task_new: Counter[str] = field(default_factory=Counter)
    task_explored: Counter[str] = field(default_factory=Counter)
    task_exploited: Counter[str] = field(default_factory=Counter)


def _counted(facts: Iterable[ConversationFacts]) -> _Counts:
    counts = _Counts()
    for fact, half, new in _by_halves(facts):
        counts.tasks.setdefault(fact.task, [0, 0])[half] += 1
        counts.task_new[fact.task] += len(new)
        counts.new.update(signature.strategy for signature in new if signature.strategy)
        for strategy in fact.strategies:
            if strategy is not None:
                counts.uses.setdefault(strategy, [0, 0])[half] += 1
        if (preference := fact.preference) is not None:
            counts.explored.update(preference.explored)
            counts.exploited.update(name for name in preference.strategies if name not in preference.explored)
            if preference.task_explored is not None:
                (counts.task_explored if preference.task_explored else counts.task_exploited)[fact.task] += 1
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


def _strategy_row(name: str, counts: dict[Arm, _Counts]) -> ChoiceRow:
    learned, guided = counts[Arm.LEARNED], counts[Arm.GUIDED]
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


def _task_row(name: str, counts: dict[Arm, _Counts]) -> ChoiceRow:
    learned, guided = counts[Arm.LEARNED], counts[Arm.GUIDED]
    first, second = learned.tasks.get(name, [0, 0])
    return ChoiceRow(
        name=name,
        guided=sum(guided.tasks.get(name, ())),
        learned=(first, second),
        guided_new=guided.task_new[name],
        learned_new=learned.task_new[name],
        explored=learned.task_explored[name],
        exploited=learned.task_exploited[name],
    )
