"""How many failures are found and how many are made up, where the truth is known: recall, false alarms, confusion.

Folds over conversations and the hidden log of the assistant; it must not know how a fault works.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from hairpin.analysis.fault_benchmark_model import (
    CLEAN,
    BenchmarkConversation,
    Configuration,
    Confusion,
    ConfusionRow,
    FalseAlarms,
    FaultBenchmark,
    FaultRecall,
    FirstFinding,
    Part,
    StrategyFinding,
    StrategyFindings,
    StrategyTable,
)
from hairpin.analysis.model import Proportion
from hairpin.analysis.proportions import proportion
from hairpin.analysis.rates import rate_per_100
from hairpin.domain.tally import Standing

Conversations = Sequence[BenchmarkConversation]

NO_STRIKE = "no reply shows a strike"
NO_TURNS = "nothing was said"
NO_USE = "never used"
NOT_RATED = "none passed or failed"


def fault_benchmark(
    conversations: Conversations,
    *,
    modes: Sequence[str],
    strategies: Mapping[str, Sequence[str]],
    faults: Sequence[str] = (),
) -> FaultBenchmark:
    """Return everything that the benchmark says of ``conversations``.

    Args:
        conversations: with the clean assistant and with faulty ones, each configuration in plan order. They count
            whatever became of them, as far as they went; those that never began count nowhere.
        modes: the rubric's failure modes, in the order of columns; others that were given follow.
        strategies: of each pool, in the order of rows.
        faults: in the order of rows, after the clean assistant; others follow in the order of the plan, which goes by
            what faults have in common.
    """
    rank = {fault: place for place, fault in enumerate((CLEAN, *faults))}
    begun = [each for each in conversations if each.facts.n_turns]
    begun.sort(key=lambda each: rank.get(each.fault, len(rank)))
    cells = tuple(dict.fromkeys(each.cell for each in begun))
    by_cell = {cell: [each for each in begun if each.cell == cell] for cell in cells}
    return FaultBenchmark(
        recalls=tuple(recall for cell in cells for recall in fault_recalls(cell, by_cell[cell])),
        alarms=tuple(false_alarms(cell, clean) for cell in cells if (clean := _with_fault(by_cell[cell], CLEAN))),
        confusions=tuple(_confusions(begun, cells, modes)),
        strategies=tuple(strategy_table(cell, by_cell[cell], strategies.get(cell.pool, ())) for cell in cells),
    )


def fault_recalls(cell: Configuration, conversations: Conversations) -> tuple[FaultRecall, ...]:
    """Return the recall of each fault in ``conversations``, all of ``cell``; of several, that of all together last."""
    faulty = [each for each in conversations if each.fault != CLEAN]
    faults = _faults(faulty)
    recalls = [fault_recall(cell, fault, _with_fault(faulty, fault)) for fault in faults]
    return (*recalls, fault_recall(cell, None, faulty)) if len(faults) > 1 else tuple(recalls)


def fault_recall(cell: Configuration, fault: str | None, conversations: Conversations) -> FaultRecall:
    """Return how ``fault`` was found in ``conversations``, all of which have it."""
    shown = [each for each in conversations if each.shown]
    n_turns = sum(each.facts.n_turns for each in conversations)
    n_found = sum(len(_hit_turns(each)) for each in conversations)
    n_strikes = sum(len(each.shown) for each in shown)
    return FaultRecall(
        cell=cell,
        fault=fault,
        n_conversations=len(conversations),
        n_turns=n_turns,
        n_invalid=_n_invalid(conversations),
        n_unseen=sum(not strike.visible for each in conversations for strike in each.strikes),
        found=_of(shown, [bool(_later(each)) for each in shown]),
        labelled=_of(shown, [bool(_later(each) & _modes(each.shown)) for each in shown]),
        at_turn=_of(shown, [bool(_hits(each)) for each in shown]),
        strikes=proportion(sum(len(_hits(each)) for each in shown), n_strikes, reason=NO_STRIKE),
        first=_first_finding(conversations),
        per_100=rate_per_100(n_found, n_turns),
        n_other=sum(len(each.labels - each.shown) for each in conversations),
    )


def false_alarms(cell: Configuration, clean: Conversations) -> FalseAlarms:
    """Return what was found in conversations with the assistant that has no fault."""
    labels = Counter(mode for each in clean for _, mode in each.labels)
    rated = [each for each in clean if each.facts.standing in (Standing.PASS, Standing.FAIL)]
    return FalseAlarms(
        cell=cell,
        n_invalid=_n_invalid(clean),
        alarms=rate_per_100(labels.total(), sum(each.facts.n_turns for each in clean)),
        conversations=proportion(sum(bool(each.labels) for each in clean), len(clean), reason=NO_TURNS),
        failed=proportion(sum(each.facts.standing is Standing.FAIL for each in rated), len(rated), reason=NOT_RATED),
        by_mode=tuple(sorted(labels.items(), key=lambda item: (-item[1], item[0]))),
    )


def confusion(part: Part, judge: str, conversations: Conversations, modes: Sequence[str]) -> Confusion:
    """Return true fault × label over exchanges that show a strike, and over all of the clean assistant's."""
    given = {mode for each in conversations for _, mode in each.labels}
    columns = (*modes, *sorted(given - set(modes)))
    rows = [_confused(fault, _with_fault(conversations, fault), columns) for fault in _faults(conversations)]
    return Confusion(part=part, judge=judge, modes=columns, rows=tuple(rows))


def strategy_table(cell: Configuration, conversations: Conversations, strategies: Sequence[str]) -> StrategyTable:
    """Return what utterances of each strategy, then of none, did to each faulty assistant."""
    faulty = [each for each in conversations if each.fault != CLEAN]
    faults = _faults(faulty)
    rows: tuple[str | None, ...] = (*strategies, None)
    uses = {fault: _uses(_with_fault(faulty, fault)) for fault in faults}
    return StrategyTable(
        cell=cell,
        faults=faults,
        rows=tuple(
            StrategyFindings(
                strategy=strategy, findings=tuple(_finding(fault, uses[fault][strategy]) for fault in faults)
            )
            for strategy in rows
        ),
    )


def _confusions(
    conversations: Conversations, cells: Iterable[Configuration], modes: Sequence[str]
) -> Iterable[Confusion]:
    for part, judge in dict.fromkeys((cell.part, cell.judge) for cell in cells):
        those = [each for each in conversations if (each.cell.part, each.cell.judge) == (part, judge)]
        yield confusion(part, judge, those, modes)


def _confused(fault: str, conversations: Conversations, columns: Sequence[str]) -> ConfusionRow:
    labels: list[frozenset[str]] = []
    for each in conversations:
        turns = range(each.facts.n_turns) if fault == CLEAN else sorted({t for t, _ in each.shown})
        labels += [frozenset(mode for at, mode in each.labels if at == t) for t in turns]
    return ConfusionRow(
        fault=fault,
        earns=tuple(sorted({mode for each in conversations for mode in _earned(each)})),
        n=len(labels),
        labels=tuple(sum(mode in found for found in labels) for mode in columns),
        none=sum(not found for found in labels),
    )


def _uses(conversations: Conversations) -> defaultdict[str | None, list[tuple[bool, bool]]]:
    """Return, for each strategy and for none, whether each utterance led to a strike, and whether it was found."""
    uses: defaultdict[str | None, list[tuple[bool, bool]]] = defaultdict(list)
    for each in conversations:
        struck, found = {t for t, _ in each.shown}, _hit_turns(each)
        for t, strategy in enumerate(each.facts.strategies):
            uses[strategy].append((t in struck, t in found))
    return uses


def _finding(fault: str, uses: Sequence[tuple[bool, bool]]) -> StrategyFinding:
    n_struck = sum(struck for struck, _ in uses)
    return StrategyFinding(
        fault=fault,
        struck=proportion(n_struck, len(uses), reason=NO_USE),
        found=proportion(sum(found for _, found in uses), n_struck, reason=NO_STRIKE),
    )


def _first_finding(conversations: Conversations) -> FirstFinding | None:
    turns = tokens = 0
    for number, each in enumerate(conversations, start=1):
        tokens += each.tokens
        if hits := _hit_turns(each):
            return FirstFinding(conversations=number, turns=turns + min(hits) + 1, tokens=tokens)
        turns += each.facts.n_turns
    return None


def _hits(each: BenchmarkConversation) -> frozenset[tuple[int, str]]:
    """Return the strikes that got the right label in their exchange."""
    return each.shown & each.labels


def _hit_turns(each: BenchmarkConversation) -> frozenset[int]:
    return frozenset(t for t, _ in _hits(each))


def _later(each: BenchmarkConversation) -> frozenset[str]:
    """Return the labels in or after the first exchange that shows a strike."""
    first = min(t for t, _ in each.shown)
    return frozenset(mode for t, mode in each.labels if t >= first)


def _modes(labels: Iterable[tuple[int, str]]) -> frozenset[str]:
    return frozenset(mode for _, mode in labels)


def _earned(each: BenchmarkConversation) -> frozenset[str]:
    return frozenset(strike.mode for strike in each.strikes)


def _faults(conversations: Conversations) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.fault for each in conversations))


def _with_fault(conversations: Conversations, fault: str) -> list[BenchmarkConversation]:
    return [each for each in conversations if each.fault == fault]


def _n_invalid(conversations: Conversations) -> int:
    return sum(each.facts.standing is Standing.INVALID for each in conversations)


def _of(shown: Conversations, true: Sequence[bool]) -> Proportion:
    return proportion(sum(true), len(shown), reason=NO_STRIKE)
