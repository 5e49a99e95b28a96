"""What a campaign tried, how often it failed there, and what it never tried.

It must not decide what to try next.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, product
from operator import itemgetter

from hairpin.analysis.coverage_model import Axis, Coverage, CoverageCell, CoverageGrid
from hairpin.analysis.scope import Scope, rated
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.tally import Standing

MAX_CELLS = 2_000
MAX_NEVER_TRIED = 200
DEPTHS = ((1, "turn 0"), (3, "turns 1–2"), (6, "turns 3–5"), (10, "turns 6–9"), (20, "turns 10–19"))
"""How many turns there are up to the end of each range, named from 0 as in transcripts; ``DEEPEST`` is beyond."""
DEEPEST = "turns 20+"
FIRST_TURN = DEPTHS[0][1]
_PLACE = {axis: place for place, axis in enumerate(Axis)}

Cell = tuple[str, ...]
"""One level per axis."""


@dataclass(slots=True)
class _Tries:
    """How many conversations tried each cell, by its levels."""

    conversations: Counter[Cell] = field(default_factory=Counter)
    failed: Counter[Cell] = field(default_factory=Counter)
    labelled: Counter[Cell] = field(default_factory=Counter)

    def cell(self, levels: Cell) -> CoverageCell:
        return CoverageCell(
            levels=levels,
            conversations=self.conversations[levels],
            failed=self.failed[levels],
            labelled=self.labelled[levels],
        )


@dataclass(frozen=True, slots=True)
class _Tried:
    """The cells, over all axes, that one rated conversation's turns are in, and those of turns with a failure."""

    cells: frozenset[Cell]
    labelled: frozenset[Cell]
    failed: bool

    def by_strategies(self) -> _Tried:
        """Return what is left when only turns that a strategy wrote count."""
        return _Tried(_by_strategies(self.cells), _by_strategies(self.labelled), self.failed)


def depth_of(t: int) -> str:
    """Return the range of turns that exchange ``t``, from 0, is in."""
    return next((label for last, label in DEPTHS if t < last), DEEPEST)


def coverage(
    facts: Sequence[ConversationFacts],
    scope: Scope,
    *,
    strategies: Iterable[str],
    max_cells: int = MAX_CELLS,
    max_never_tried: int = MAX_NEVER_TRIED,
) -> Coverage:
    """Return the grids of ``scope``, usually one arm.

    A grid with strategies counts the turns that one of them wrote, which the first never is. Where there are none, in
    the baseline arm or with scripts, turns without count, under ``""``. Levels are those of all planned conversations,
    so that what was planned and never came to a verdict is seen.

    Args:
        facts: planned conversations.
        scope: which of them.
        strategies: the ids that can be used in this scope, used or not.
        max_cells: how many tried cells a grid lists at most.
        max_never_tried: how many untried ones.
    """
    group = scope.pick(facts)
    levels = _levels(group, strategies)
    tried = [_tried(fact) for fact in rated(group)]
    with_strategies = tried if "" in levels[Axis.STRATEGY] else [one.by_strategies() for one in tried]
    grids = [
        _grid(axes, levels, with_strategies if Axis.STRATEGY in axes else tried, (max_cells, max_never_tried))
        for axes in (tuple(Axis), *combinations(Axis, 2))
    ]
    return Coverage(scope=scope, full=grids[0], pairs=tuple(grids[1:]))


def _levels(facts: Sequence[ConversationFacts], strategies: Iterable[str]) -> dict[Axis, tuple[str, ...]]:
    """Return the levels of each axis; strategies in the order given, then those only used."""
    known = list(dict.fromkeys(strategies))
    used = {strategy for fact in facts for strategy in fact.strategies if strategy is not None}
    last = max((max(fact.max_turns, fact.n_turns) for fact in facts), default=0)
    return {
        Axis.TASK: tuple(sorted({fact.task for fact in facts})),
        Axis.PERSONA: tuple(sorted({fact.persona for fact in facts})),
        Axis.STRATEGY: (*known, *sorted(used.difference(known))) or (("",) if facts else ()),
        Axis.CONTEXT: tuple(sorted({fact.context for fact in facts})),
        Axis.DEPTH: tuple(dict.fromkeys(depth_of(t) for t in range(last))),
    }


def _tried(fact: ConversationFacts) -> _Tried:
    cells = [
        (fact.task, fact.persona, strategy or "", fact.context, depth_of(t))
        for t, strategy in enumerate(fact.strategies)
    ]
    return _Tried(
        cells=frozenset(cells),
        labelled=frozenset(cells[failure.t] for failure in fact.failures if failure.t < len(cells)),
        failed=fact.standing is Standing.FAIL,
    )


def _by_strategies(cells: frozenset[Cell]) -> frozenset[Cell]:
    return frozenset(cell for cell in cells if cell[_PLACE[Axis.STRATEGY]] and cell[_PLACE[Axis.DEPTH]] != FIRST_TURN)


def _grid(
    axes: tuple[Axis, ...],
    all_levels: Mapping[Axis, tuple[str, ...]],
    conversations: Sequence[_Tried],
    bounds: tuple[int, int],
) -> CoverageGrid:
    """Return one grid. It never walks over all combinations, of which there may be millions."""
    levels = _levels_of(axes, all_levels)
    tries = _tries(axes, conversations)
    n_cells, n_tried = math.prod(map(len, levels)), len(tries.conversations)
    places = [{level: place for place, level in enumerate(axis)} for axis in levels]
    in_order = sorted(tries.conversations, key=lambda cell: [at[level] for at, level in zip(places, cell, strict=True)])
    never = tuple(islice((cell for cell in product(*levels) if cell not in tries.conversations), bounds[1]))
    return CoverageGrid(
        axes=axes,
        levels=levels,
        combinations=n_cells,
        tried=n_tried,
        cells=tuple(tries.cell(cell) for cell in in_order[: bounds[0]]),
        cells_left_out=max(0, n_tried - bounds[0]),
        never_tried=never,
        never_tried_left_out=n_cells - n_tried - len(never),
    )


def _levels_of(axes: tuple[Axis, ...], all_levels: Mapping[Axis, tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return the levels of ``axes``; together with strategies there is no first turn, which none of them writes."""
    if Axis.STRATEGY not in axes or "" in all_levels[Axis.STRATEGY]:
        return tuple(all_levels[axis] for axis in axes)
    return tuple(tuple(level for level in all_levels[axis] if level != FIRST_TURN) for axis in axes)


def _tries(axes: tuple[Axis, ...], conversations: Sequence[_Tried]) -> _Tries:
    tries = _Tries()
    project = itemgetter(*(_PLACE[axis] for axis in axes))
    for tried in conversations:
        cells = set(map(project, tried.cells))
        tries.conversations.update(cells)
        tries.labelled.update(set(map(project, tried.labelled)))
        if tried.failed:
            tries.failed.update(cells)
    return tries
